"""Looks at more and more of the items, in an order that does not depend on them, by intervals valid at any time."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from outclass import measures
from outclass.arrays import Counts
from outclass.ask.gate_items import ItemPairs
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.measures import averages, scored
from outclass.planning import asymptotic, betting, influence
from outclass.planning.needed import Needed, needed_at_any_time
from outclass.rows.gate import GateCheck, Stage
from outclass.rows.types import Contrast
from outclass.verdict.gate import GateDecision, decide_interval

MOST_SCORES: Final = 20_000  # items whose influences on a measure of scores are found one by one


class Looks(NamedTuple):
    """The looks, up to the first that decides; what would decide if none does, and what is to be said of them."""

    stages: list[Stage]
    needed: Needed
    findings: tuple[Finding, ...]


def looks_of(read: Any, row: Contrast, check: GateCheck, spec: Any, family: int, undefined: str = "drop") -> Looks:
    """Return the looks; `family` is how many checks share the level of failing."""
    pairs = _checked(read)
    items = len(pairs.ids)
    sizes = [size for size in spec.stages if size < items] + [items] if spec.stages else [items]
    alpha = 1 - spec.confidence
    sharpest = sizes[0] if spec.stages else asymptotic.USUAL
    looks: list[Stage] = []
    seen = Interval(-np.inf, np.inf)
    own = _Limits(read, row, pairs, (alpha, alpha / family), sharpest, undefined)
    for size in sizes:
        difference, limits = own.at(pairs.order[:size])
        # What was refuted once stays refuted.
        seen = Interval(max(seen.low, limits.low), min(seen.high, limits.high))
        decision = decide_interval(seen, check.margin)
        looks.append(Stage(items=size, difference=difference, interval=seen, decision=decision))
        if decision is not GateDecision.UNDECIDED:
            break
    return Looks(looks, own.needed(check.margin), own.findings(pairs.order[: looks[-1].items]))


def _checked(read: Any) -> ItemPairs:
    """Return the items one by one, if they are independent."""
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
    return pairs


@dataclass(frozen=True)
class _Limits:
    """Differences on some of the items, and limits at any time: of passing at one level, of failing at another."""

    read: Any
    row: Contrast
    pairs: ItemPairs
    alphas: tuple[float, float]
    sharpest: float
    undefined: str

    @property
    def sign(self) -> int:
        """The direction: higher is better."""
        return 1 if self.row.measure.higher_is_better else -1

    @cached_property
    def change(self) -> Any:
        """What each item contributes to a mean; None of a measure that is none."""
        if not _is_mean(self.row, self.pairs):
            return None
        return (self.pairs.candidate - self.pairs.baseline) * self.sign

    @cached_property
    def is_bounded(self) -> bool:
        """Whether all numbers lie between 0 and 1, so that one can bet on them."""
        both = np.concatenate([self.pairs.baseline, self.pairs.candidate])
        return bool(both.min() >= 0 and both.max() <= 1)

    def at(self, places: Counts) -> tuple[float, Interval]:
        """Return the difference on some items, and its limits."""
        if self.change is not None and self.is_bounded:
            own = self.change[places]
            return float(own.mean()), betting.confidence_sequence(own, self.alphas[0], alpha_high=self.alphas[1])
        found = self._estimate(places)
        spread = found.spread if self._rarest(places) >= asymptotic.FEWEST else float("nan")
        limits = asymptotic.one_sided(
            found.difference, spread, len(places), self.alphas[0], alpha_high=self.alphas[1], sharpest=self.sharpest
        )
        return found.difference, limits

    def needed(self, margin: float) -> Needed:
        """Return what would decide, by what all items say of the difference."""
        if self.change is not None and self.is_bounded:
            equal = np.concatenate([self.change, -self.change])
            passes = self.change.mean() > -margin
            own, edge, alpha = (1, -margin, self.alphas[0]) if passes else (-1, margin, self.alphas[1])
            return Needed(
                betting.items_to_refute(equal, -margin, self.alphas[0]),
                betting.items_to_refute(own * self.change, edge, alpha),
            )
        found = self._estimate(self.pairs.order)
        alpha = self.alphas[0 if found.difference > -margin else 1]
        return needed_at_any_time(found.difference, found.spread, margin, alpha, sharpest=self.sharpest)

    def findings(self, places: Counts) -> tuple[Finding, ...]:
        """Say that there are no limits yet, if a label is too rare."""
        fewest = self._rarest(places)
        if fewest >= asymptotic.FEWEST or (self.change is not None):
            return ()
        told = f"the rarest label has {fewest} of these {len(places):,} items; limits of {self.row.measure.title} that "
        return (finding("OC807", f"{told}hold at any time need {asymptotic.FEWEST} of every label."),)

    def _rarest(self, places: Counts) -> int:
        """Return how many of some items the rarest label has, where every label counts alike."""
        if self.pairs.truth is not None:
            positives = int(self.pairs.truth[places].sum())
            return min(positives, len(places) - positives)
        average = averages.find(self.row.measure.name) if self.row.label is None else None
        if average is None or self.pairs.codes is None:
            return len(places) if self.change is None else asymptotic.FEWEST
        truth = self.pairs.codes[:, 0]
        return influence.rarest(average, truth[places], np.unique(truth[truth >= 0]))

    def _estimate(self, places: Counts) -> influence.Estimate:
        if self.change is not None:
            return influence.of_numbers(self.change[places])
        found = _influences(self.row, self.pairs, places, self.undefined)
        return influence.Estimate(self.sign * found.difference, found.spread)


def _is_mean(row: Contrast, pairs: ItemPairs) -> bool:
    """Return whether the measure is the mean of what there is for each item."""
    if pairs.truth is not None:
        return False
    return row.measure.name == "accuracy" if pairs.codes is not None else row.measure.name != "median"


def _influences(row: Contrast, pairs: ItemPairs, places: Counts, undefined: str) -> influence.Estimate:
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
        return influence.of_average(average, len(pairs.labels), codes, undefined)
    if row.label is None or row.measure.name not in measures.MEASURES:
        raise InputError(f"⟨stages⟩ and ⟨anytime⟩ do not know {row.measure.title}: name another measure (⟨measure⟩).")
    place = [str(label) for label in pairs.labels].index(str(row.label))
    truth, cand, base = (codes[:, at] == place for at in range(3))
    cell = np.where(truth, 0, 4) + np.where(cand, 0, 2) + np.where(base, 0, 1)
    joint = np.bincount(cell, minlength=8).reshape(2, 4)
    return influence.of_table(measures.get(row.measure.name), joint)
