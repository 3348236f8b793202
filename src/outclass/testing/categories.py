"""Categories: the F1 of each, systems over all of them, and how both depend on how common a category is."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Decisions
from outclass.errors import InputError, quoted
from outclass.measures.averages import FILL, mean_of, share
from outclass.rows.types import Category, FrequencyBand, SystemScores


def f1_of(tp: Floats, fp: Floats, fn: Floats, undefined: str) -> Floats:
    """Return F1, with what is undefined (0/0) as the policy says: 0, 1, or not a number."""
    return share(2 * tp, 2 * tp + fp + fn, FILL[undefined])


def category_f1(decisions: Decisions, systems: Sequence[str], undefined: str) -> Floats:
    """Return the F1 of every category and system."""
    columns = []
    for system in systems:
        table = decisions.tables(system).astype(float)
        columns.append(f1_of(table[:, 0, 0], table[:, 1, 0], table[:, 0, 1], undefined))
    return np.stack(columns, axis=1)


def system_scores(decisions: Decisions, undefined: str) -> tuple[SystemScores, ...]:
    """Return every system's micro and macro precision, recall and F1, and its error."""
    found = []
    for system in decisions.systems:
        tables = decisions.tables(system).astype(float)
        (tp, fn), (fp, _) = tables.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                tables[:, 0, 0] / (tables[:, 0, 0] + wrong) for wrong in (tables[:, 1, 0], tables[:, 0, 1])
            )
        f1 = f1_of(tables[:, 0, 0], tables[:, 1, 0], tables[:, 0, 1], undefined)
        fill = FILL[undefined]
        found.append(
            SystemScores(
                name=system,
                micro_precision=_share(tp, fp),
                micro_recall=_share(tp, fn),
                micro_f1=_share(2 * tp, fp + fn),
                macro_precision=float(mean_of(np.where(np.isnan(precision), fill, precision))),
                macro_recall=float(mean_of(np.where(np.isnan(recall), fill, recall))),
                macro_f1=float(mean_of(f1)),
                error=float((fp + fn) / decisions.decisions),
                defined=int(np.isfinite(f1).sum()),
            )
        )
    return tuple(found)


def _share(top: float, rest: float) -> float:
    return float(top / (top + rest)) if top + rest > 0 else math.nan


def categories_of(decisions: Decisions, frequencies: Mapping[str, int] | None, undefined: str) -> tuple[Category, ...]:
    """Return the table of categories: how common each is, and every system's F1 on it."""
    known = decisions.frequencies
    if frequencies is not None:
        lacking = [label for label in decisions.labels if label not in frequencies]
        if lacking:
            raise InputError(f"⟨frequencies⟩ are missing the categories {quoted(lacking)}.")
        known = np.array([int(frequencies[label]) for label in decisions.labels], dtype=np.int64)
    f1 = category_f1(decisions, decisions.systems, undefined)
    return tuple(
        Category(
            label=label,
            frequency=int(known[place]),
            positives=int(decisions.frequencies[place]),
            f1=tuple(float(value) for value in f1[place]),
        )
        for place, label in enumerate(decisions.labels)
    )


def bands_of(categories: Sequence[Category]) -> tuple[FrequencyBand, ...]:
    """Return the macro-F1 of categories about as common: 0, 1, 2-3, 4-7, 8-15, ... (Yang & Liu, figures 4 and 5)."""
    bands: dict[int, list[Category]] = {}
    for category in categories:
        bands.setdefault(category.frequency.bit_length(), []).append(category)
    found = []
    for power, members in sorted(bands.items()):
        values = np.array([category.f1 for category in members], dtype=float)
        found.append(
            FrequencyBand(
                low=(1 << power) >> 1,
                high=max((1 << power) - 1, 0),
                categories=len(members),
                macro_f1=tuple(float(value) for value in mean_of(values.T)),
            )
        )
    return tuple(found)
