"""`calibrate_gate`: a suite against itself, run several times by the same system, to see which margin is honest."""

from itertools import permutations
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from scipy import special

from outclass.answers.gate_calibration import GateCalibration, Threshold
from outclass.ask.columns import Columns
from outclass.ask.gate_items import ItemPairs, pairs_of
from outclass.ask.read import given_columns, logs_in, read
from outclass.data.repeats import RepeatedScores
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.planning.needed import smallest_margin
from outclass.verdict.gate import CONFIDENCE

THRESHOLDS = (0.01, 0.02, 0.05)


def calibrate_gate(*data: Any, confidence: float = CONFIDENCE, **columns: Unpack[Columns]) -> GateCalibration:
    """Compare runs of one system on one suite with each other: how noisy is it, and which margin can it support?

    Parameters
    ----------
    data
        The runs: tables or logs, one each; one table with a column of each; or results with repeats (`repeat`).
    confidence
        The level of the gate's decisions.
    columns
        Columns, as of `compare`.
    """
    given = given_columns(columns)
    names, runs, title = _runs(list(data), given) if data else ([], np.empty((0, 0)), "")
    if len(names) < 2:
        raise InputError("to see a suite's noise takes two runs of the same system: name both.")
    if (runs == runs[0]).all():
        raise InputError(
            f"the runs agree on all {runs.shape[1]:,} items (a cache, or a temperature of 0?), so they show no "
            "noise. Give runs that differ, or gate a candidate without ⟨margin⟩, which suggests one."
        )
    items = runs.shape[1]
    means = runs.mean(axis=1)
    pairs = list(permutations(range(len(runs)), 2))
    changes = np.array([(runs[b] - runs[a]).mean() for a, b in pairs])
    errors = np.array([(runs[b] - runs[a]).std(ddof=1) / np.sqrt(items) for a, b in pairs])
    error = float(np.sqrt(np.mean(errors**2)))
    spread = float(changes.std())
    # Cochran's Q: do whole runs differ by more than their items explain? Then that is the noise of a gate.
    apart = (len(runs) - 1) * spread**2 > special.chdtri(len(runs) - 1, 1 - CONFIDENCE) * error**2
    honest = smallest_margin(spread if apart else error, confidence)
    found = tuple(Threshold(drop=drop, failed=int((changes < -drop).sum()), of=len(pairs)) for drop in THRESHOLDS)
    return GateCalibration(
        runs=tuple(names),
        title=title,
        items=items,
        means=tuple(float(mean) for mean in means),
        error=error,
        spread=spread,
        margin=honest,
        confidence=confidence,
        thresholds=found,
        apart=bool(apart),
        any_item=float(np.mean([((runs[b] - runs[a]) < 0).any() for a, b in pairs])),
    )


def _runs(data: list[Any], given: dict[str, Any]) -> tuple[list[str], np.ndarray, str]:
    """Return the numbers of each run, (runs, items)."""
    paths = all(isinstance(each, str | Path) for each in data)
    first, predictions = (data if paths and len(data) > 1 else data[0]), () if paths else tuple(data[1:])
    own = None if predictions else logs_in(first, (), given)
    asked: dict[str, Any] = {} if own is not None else given
    source: Any = read(first if own is None else own, *predictions, **asked)
    if isinstance(source, RepeatedScores) and len(source.systems) == 1:
        rows = source.repeats.distinct.systems[source.systems[0]].by_run().T
        return [f"repeat {place}" for place in range(1, len(rows) + 1)], np.asarray(rows), source.name
    if isinstance(source, Scores) and source.truth is None:
        return list(source.systems), np.array(list(source.values.values()), dtype=float), source.name
    names = list(source.systems)
    found: list[ItemPairs | None] = [pairs_of(source, first, predictions, given, (name, name)) for name in names]
    if any(each is None for each in found):
        raise InputError("a suite's noise is seen in one label or one number per item, which these data have not.")
    return names, np.array([each.candidate for each in found if each is not None]), "accuracy"
