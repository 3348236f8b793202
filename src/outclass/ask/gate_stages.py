"""Looks at more and more of the items, in an order that does not depend on them, by intervals valid at any time."""

from typing import Any, Final

import numpy as np

from outclass import measures
from outclass.arrays import Counts
from outclass.ask.gate_items import ItemPairs
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.measures import averages, scored
from outclass.planning import asymptotic, betting, influence
from outclass.rows.gate import GateCheck, Stage
from outclass.rows.types import Contrast
from outclass.verdict.gate import GateDecision, decide_interval

MOST_SCORES: Final = 20_000  # items whose influences on a measure of scores are found one by one


def looks_of(read: Any, row: Contrast, check: GateCheck, spec: Any, family: int) -> list[Stage]:
    """Return the looks, up to the first that decides."""
    pairs: ItemPairs | None = read.pairs
    if pairs is None:
        raise InputError(
            "⟨stages⟩ and ⟨anytime⟩ look at items one by one, in an order of their own: they need one label or number "
            "per item."
        )
    source = read.data[0]
    if getattr(source, "group", None) is not None or (
        isinstance(source, Scores) and (source.data_set is not None or source.fold_share is not None)
    ):
        raise InputError("⟨stages⟩ and ⟨anytime⟩ need items that are independent: leave out groups, folds, data sets.")
    items = len(pairs.ids)
    sizes = [size for size in spec.stages if size < items] + [items] if spec.stages else [items]
    alpha = 1 - spec.confidence
    sharpest = sizes[0] if spec.stages else asymptotic.USUAL
    looks: list[Stage] = []
    seen = Interval(-np.inf, np.inf)
    for size in sizes:
        difference, own = _look(read, row, pairs, pairs.order[:size], (alpha, alpha / family), sharpest)
        # What was refuted once stays refuted.
        seen = Interval(max(seen.low, own.low), min(seen.high, own.high))
        decision = decide_interval(seen, check.margin)
        looks.append(Stage(items=size, difference=difference, interval=seen, decision=decision))
        if decision is not GateDecision.UNDECIDED:
            break
    return looks


def _look(
    read: Any, row: Contrast, pairs: ItemPairs, places: Counts, alphas: tuple[float, float], sharpest: float
) -> tuple[float, Interval]:
    """Return the difference on some items, and limits that hold at any time."""
    sign = 1 if row.measure.higher_is_better else -1
    base, cand = pairs.baseline[places], pairs.candidate[places]
    if _is_mean(row, pairs):
        change = (cand - base) * sign
        return float(change.mean()), _of_mean(change, base, cand, alphas)
    found = _influences(read, row, pairs, places)
    limits = asymptotic.one_sided(
        sign * found.difference, found.spread, len(places), alphas[0], alpha_high=alphas[1], sharpest=sharpest
    )
    return sign * found.difference, limits


def _is_mean(row: Contrast, pairs: ItemPairs) -> bool:
    """Return whether the measure is the mean of what there is for each item."""
    if pairs.truth is not None:
        return False
    return row.measure.name == "accuracy" if pairs.codes is not None else row.measure.name != "median"


def _of_mean(change: Any, base: Any, cand: Any, alphas: tuple[float, float]) -> Interval:
    both = np.concatenate([base, cand])
    if both.min() >= 0 and both.max() <= 1:
        return betting.confidence_sequence(change, alphas[0], alpha_high=alphas[1])
    found = influence.of_numbers(change)
    return asymptotic.one_sided(found.difference, found.spread, len(change), alphas[0], alpha_high=alphas[1])


def _influences(read: Any, row: Contrast, pairs: ItemPairs, places: Counts) -> influence.Estimate:
    """Return the candidate's measure minus the baseline's, and the spread of its influences."""
    if pairs.truth is not None:
        if len(places) > MOST_SCORES:
            raise InputError(f"⟨stages⟩ and ⟨anytime⟩ take at most {MOST_SCORES:,} items with scores.")
        own = pairs.truth[places], pairs.candidate[places], pairs.baseline[places]
        if len(set(own[0].tolist())) < 2:
            return influence.Estimate(0.0, float("nan"))
        return influence.of_scores(scored.get(row.measure.name), *own)
    assert pairs.codes is not None
    codes = pairs.codes[places][:, [0, 2, 1]]
    average = averages.find(row.measure.name) if row.label is None else None
    if average is not None and not average.matrix and average.label is None:
        return influence.of_average(average, len(pairs.labels), codes)
    if row.label is None or row.measure.name not in measures.MEASURES:
        raise InputError(f"⟨stages⟩ and ⟨anytime⟩ do not know {row.measure.title}: name another measure (⟨measure⟩).")
    place = [str(label) for label in pairs.labels].index(str(row.label))
    truth, cand, base = (codes[:, at] == place for at in range(3))
    cell = np.where(truth, 0, 4) + np.where(cand, 0, 2) + np.where(base, 0, 1)
    joint = np.bincount(cell, minlength=8).reshape(2, 4)
    return influence.of_table(measures.get(row.measure.name), joint)
