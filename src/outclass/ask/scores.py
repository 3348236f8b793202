"""Scores and results instead of labels: reading them, and what is asked of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outclass import scored
from outclass.answers.comparison import Comparison
from outclass.ask.question import hdi_mass_of, listed, seed_of
from outclass.data.score_tables import read_table
from outclass.data.scores import Scores
from outclass.data.trec import read_trec
from outclass.errors import InputError, unknown
from outclass.measures.scored import ScoreMeasure, get
from outclass.models.clusters import average_of
from outclass.verdict.rope import rope_of

USUAL_DRAWS, MOST_WEIGHTS = 20_000, 4e9
OF_RESULTS = ("mean", "median")


def scores(
    data: Any = None,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    positive: Any = None,
    item: str | None = None,
    system: str | None = None,
    score: str | None = None,
    group: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    data_set: str | None = None,
    test_share: float | None = None,
    qrels: str | Path | None = None,
    runs: Sequence[str | Path] = (),
    measure: str = "nDCG@10",
    name: str | None = None,
    lower_is_better: bool = False,
    missing: str = "error",
) -> Scores:
    """Read scores for `compare` and `rank`: numbers per item and system, instead of labels.

    Parameters
    ----------
    data
        A path or a dataframe: wide, with a column for each system, or long, with the columns `system` and `score`.
    truth, positive
        The column of the true labels: the numbers are then scores of a classifier, for the AUC and its kin. Without it
        they are results: what each item, query, fold or data set was worth.
    systems, item, group
        The systems to take; the column that names an item (in a long table); and of what items hang together: topics,
        documents. Several rows of one item hang together too.
    fold, repeat, test_share
        Of cross-validation: the columns of folds and repeats; the share of the data that a fold tests (1 / folds).
    data_set
        The column of data sets.
    qrels, runs, measure
        Instead of data: TREC judgements, run files, and any measure of ir_measures.
    name, lower_is_better
        What the numbers are ('latency'), and which way is better.
    missing
        What to do about scores that are not there: 'error', 'drop' the items, or count them as 0 ('wrong').
    """
    if qrels is not None:
        if data is not None:
            raise InputError("give a table, or qrels and runs, not both.")
        return read_trec(qrels, runs, measure, missing=missing, names=systems)
    if runs:
        raise InputError("runs need the judgements (qrels).")
    if data is None:
        raise InputError("there are no scores: give a path or a dataframe, or qrels and runs.")
    return read_table(
        data,
        truth=truth,
        systems=systems,
        positive=positive,
        item=item,
        system=system,
        score=score,
        group=group,
        fold=fold,
        repeat=repeat,
        data_set=data_set,
        test_share=test_share,
        name=name,
        lower_is_better=lower_is_better,
        missing=missing,
    )


def asked_of(
    given: Scores,
    measure: Any,
    model: str | None,
    rope: Any,
    hdi_mass: float,
    draws: int | None,
    rng: Any,
    average: str | None = None,
) -> scored.Asked:
    """Collect what is asked of scores."""
    measures = _measures(given, measure)
    chosen = model or scored.usual_model(given)
    if "median" in measures and model is None:
        chosen = "bootstrap"
    scored.check(given, chosen)
    if average is not None and chosen != "clusters":
        raise InputError("average (--average) goes with items in groups (--group) and the model clusters.")
    if "median" in measures and chosen != "bootstrap":
        raise InputError("a median is compared with the bootstrap model.")
    scored.check_probabilities(given, measures)
    region, notes = scored.usual_rope(given) if rope is None else (rope_of(rope), ())
    if draws is None:
        draws = int(np.clip(MOST_WEIGHTS / (len(given) * len(given.systems)), 4_000, USUAL_DRAWS))
    if not 100 <= draws <= 10_000_000:
        raise InputError(f"draws must lie between 100 and 10,000,000, got {draws}.")
    return scored.Asked(
        measures=measures,
        model=chosen,
        rope=region,
        hdi_mass=hdi_mass_of(hdi_mass),
        draws=draws,
        seed=seed_of(rng),
        notes=notes,
        average=average_of(average),
    )


def compared(
    given: Scores,
    measure: Any,
    model: str | None,
    rope: Any,
    hdi_mass: float,
    draws: int | None,
    rng: Any,
    progress: Callable[[int, int], None] | None,
    average: str | None = None,
) -> Comparison:
    """Compare scores."""
    wanted = [None] if measure is None else listed(measure)
    # A median has a model of its own, which must not become that of the mean beside it.
    apart = [["median"], [each for each in wanted if each != "median"]] if "median" in wanted and model is None else []
    rows = []
    for part in [each for each in apart if each] or [measure]:
        asked = asked_of(given, part, model, rope, hdi_mass, draws, rng, average)
        rows += scored.contrasts(given, asked, progress)
    names = list(dict.fromkeys(str(each) for each in wanted))
    order = {name: place for place, name in enumerate(names)}
    return Comparison(
        tuple(
            sorted(
                rows,
                key=lambda row: (
                    [given.systems.index(system.name) for system in row.systems],
                    order.get(row.measure.name, 0),
                ),
            )
        )
    )


def _measures(given: Scores, measure: Any) -> tuple[ScoreMeasure | str, ...]:
    if given.truth is not None:
        return tuple(dict.fromkeys(get(each) for each in (["auc"] if measure is None else listed(measure))))
    wanted = ["mean"] if measure is None else [str(each) for each in listed(measure)]
    for each in wanted:
        if each not in OF_RESULTS:
            raise unknown("measure of results", each, OF_RESULTS)
    return tuple(dict.fromkeys(wanted))


def refuse_with_scores(**given: Any) -> None:
    """Refuse what goes with labels, rather than ignore it."""
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InputError(f"this does not go with scores that are at hand: leave out {', '.join(named)}.")
