"""Measures over many labels: micro, macro and weighted averages, and those of the whole table of confusions.

Each is a function of every label's true positives, false positives and false negatives (on the last axis) and of the
number of items, all of which may be weighted and have leading axes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.measures.fscores import checked_beta
from outclass.measures.measure import PSEUDO_COUNT, Measure
from outclass.measures.names import spelt

UNDEFINED: Final = ("drop", "0", "1")
OF_ALL: Final = 1 / 4
OF_TABLE: Final = ("mcc", "kappa")  # which look at all confusions together
POOLED: Final = ("micro", "accuracy", "error")  # names of measures of pooled counts begin so
FILL: Final = {"drop": float("nan"), "0": 0.0, "1": 1.0}


@dataclass(frozen=True, kw_only=True)
class Average:
    """A number that judges a classifier over many labels.

    `function` takes (tp, fp, fn, items, fill): fill stands for a label's undefined value, nan leaving it out. `single`
    says whether it is of one label per item only, `label` the place of the one label that it looks at, if it does, and
    `given` the class of items ('positives', 'negatives'), if it is one; `pseudo_count` is that of its matched prior, as
    of a measure of two classes. `places` are those of the labels that it averages over, if not all; items of the other
    labels still count as wrong predictions. With `matrix`, `function` takes the whole table of confusions instead.
    `pooled` is the same function where tp, fp and fn are those of all labels together, or of its one label; of which it
    looks at those with the places `looks_at`.
    """

    name: str
    title: str
    function: Callable[..., Floats]
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    single: bool = False
    label: int | None = None
    given: str | None = None
    pseudo_count: float = PSEUDO_COUNT
    places: tuple[int, ...] | None = None
    matrix: bool = False
    pooled: Callable[..., Floats] | None = None
    looks_at: tuple[int, ...] = (0, 1, 2)

    @property
    def pools(self) -> bool:
        """Whether it looks at pooled counts, and not at each label's own value, which may be undefined."""
        return self.matrix or self.name.startswith(POOLED)

    @property
    def averages_labels(self) -> bool:
        """Whether it is an average of the labels' own values, from which a label can be left out."""
        return not self.pools and self.name.partition(" ")[0] not in OF_TABLE

    def __call__(self, tp: Any, fp: Any, fn: Any, items: Any, undefined: str = "drop") -> Floats:
        """Return the measure; nan where no label has a value."""
        if self.places is not None:
            own = list(self.places)
            tp, fp, fn = tp[..., own], fp[..., own], fn[..., own]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.function(tp, fp, fn, items, FILL[undefined]))

    def of_pooled(self, tp: Floats, fp: Floats, fn: Floats, items: Floats, undefined: str = "drop") -> Floats:
        """Return the measure of counts that are summed over all labels, or are those of its one label."""
        assert self.pooled is not None
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.pooled(tp, fp, fn, items, FILL[undefined]))

    def of_matrix(self, table: Floats) -> Floats:
        """Return the measure of tables of confusions, the last axes the truth and the prediction."""
        return np.asarray(self.function(table))

    def told_apart(self, codes: Any) -> Any:
        """Return codes of labels as the measure tells them apart: the place among its own, or -1 for all others."""
        if self.places is None:
            return codes
        place = {own: at for at, own in enumerate(self.places)}
        to = np.array([place.get(code, -1) for code in range(-1, max(int(np.max(codes, initial=0)), *self.places) + 1)])
        return to[codes + 1]

    def over(self, places: Sequence[int], told: str) -> "Average":
        """Return the same average over some of the labels, with what its title says of them."""
        return replace(
            self, name=f"{self.name} {told}", title=f"{self.title} {told}", places=tuple(places), pooled=None
        )


def mean_of(values: Floats, weights: Floats | None = None) -> Floats:
    """Return means over the last axis, leaving out what is not a number."""
    known = np.isfinite(values)
    if weights is None:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(known, values, 0.0).sum(axis=-1) / known.sum(axis=-1))
    weight = np.where(known, weights, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((np.where(known, values, 0.0) * weight).sum(axis=-1) / weight.sum(axis=-1))


def share(top: Floats, bottom: Floats, fill: float) -> Floats:
    """Return a ratio, with what is 0/0 as `fill`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, top / bottom, fill)


def _parts(base: str, beta: float, tp: Floats, fp: Floats, fn: Floats) -> tuple[Floats, Floats]:
    """Return top and bottom of a base measure."""
    if base == "precision":
        return tp, tp + fp
    if base == "recall":
        return tp, tp + fn
    square = beta * beta
    return (1 + square) * tp, (1 + square) * tp + square * fn + fp


# Functions with parts given, not inner ones, so that a measure can be sent to another process.
def _average(
    average: str, base: str, beta: float, tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float
) -> Floats:
    if average == "micro":
        return _pooled(base, beta, tp.sum(axis=-1), fp.sum(axis=-1), fn.sum(axis=-1), items, fill)
    values = share(*_parts(base, beta, tp, fp, fn), fill)
    return mean_of(values, tp + fn if average == "weighted" else None)


def _pooled(base: str, beta: float, tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    return share(*_parts(base, beta, tp, fp, fn), fill)


def _averaged(average: str, base: str, beta: float, name: str, title: str) -> Average:
    # Micro averages look at all decisions alike, as accuracy does.
    micro = average == "micro"
    return Average(
        name=f"{average}_{name}",
        title=f"{average}-{title}",
        function=partial(_average, average, base, beta),
        pseudo_count=OF_ALL if micro else PSEUDO_COUNT,
        pooled=partial(_pooled, base, beta) if micro else None,
    )


def _accuracy(tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    return share(tp.sum(axis=-1), items, fill)


def _rights(tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    return share(tp, items, fill)


def _wrong(right: Callable[..., Floats], *cells: Any) -> Floats:
    return 1 - right(*cells)


def _agreement(tp: Floats, fp: Floats, fn: Floats, items: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return right times items, chance agreement, and the two spreads."""
    said, true = tp + fp, tp + fn
    chance = (said * true).sum(axis=-1)
    right = tp.sum(axis=-1) * items
    return right, chance, items**2 - (said**2).sum(axis=-1), items**2 - (true**2).sum(axis=-1)


def _mcc(tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    right, chance, spread_said, spread_true = _agreement(tp, fp, fn, items)
    # A system that says one label only has no spread, but for rounding.
    least = 1e-12 * items**2
    defined = (spread_said > least) & (spread_true > least)
    return np.where(defined, share(right - chance, np.sqrt(np.maximum(spread_said * spread_true, 0)), fill), fill)


def _kappa(tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    right, chance, _, _ = _agreement(tp, fp, fn, items)
    return share(right - chance, items**2 - chance, fill)


def _balanced(tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    # A label that is never true has no recall, whatever the policy: it is not a class of these data.
    return mean_of(share(tp, tp + fn, float("nan")))


AVERAGES: Final[dict[str, Average]] = {
    each.name: each
    for each in (
        *(_averaged(average, "f", 1.0, "f1", "F1") for average in ("macro", "micro", "weighted")),
        *(
            _averaged(average, base, 1.0, base, base)
            for average in ("macro", "micro", "weighted")
            for base in ("precision", "recall")
        ),
        Average(
            name="accuracy",
            title="accuracy",
            function=_accuracy,
            single=True,
            pseudo_count=OF_ALL,
            pooled=_rights,
            looks_at=(0,),
        ),
        Average(
            name="error",
            title="error rate",
            function=partial(_wrong, _accuracy),
            higher_is_better=False,
            single=True,
            pseudo_count=OF_ALL,
            pooled=partial(_wrong, _rights),
            looks_at=(0,),
        ),
        Average(name="balanced_accuracy", title="balanced accuracy", function=_balanced, single=True),
        Average(name="mcc", title="MCC", function=_mcc, low=-1.0, single=True),
        Average(name="kappa", title="Cohen's kappa", function=_kappa, low=-1.0, single=True),
    )
}
USUAL: Final = ("macro_f1", "micro_f1")
RIGHT: Final = ("accuracy", "error")  # which count right answers, whatever the wrong ones are
MICRO: Final = ("micro_f1", "micro_precision", "micro_recall")


def find(spec: Any) -> Average | None:
    """Find a measure over many labels by its name: `macro_f1`, `micro-recall`, `weighted_fbeta:2`; None if none is."""
    if isinstance(spec, Average):
        return spec
    if not isinstance(spec, str):
        return None
    name = spelt(spec)
    if name in AVERAGES:
        return AVERAGES[name]
    average, _, rest = name.partition("_")
    if average in ("micro", "macro", "weighted") and rest.startswith(("fbeta:", "f")):
        # A minus became an underscore above; a negative beta is told as such, and not as an unknown name.
        text = (rest.removeprefix("fbeta:") if rest.startswith("fbeta:") else rest[1:]).replace("_", "-")
        try:
            given = float(text)
        except ValueError:
            return None
        beta = checked_beta(given)
        return _averaged(average, "f", beta, f"fbeta:{beta:g}", f"F{beta:g}")
    return None


def of_label(measure: Measure, place: int, label: str = "") -> Average:
    """See a measure of one label against the rest as one over many labels."""
    return Average(
        name=measure.name,
        title=f"{measure.title} for {label}" if label else measure.title,
        function=partial(_at, measure, place),
        low=measure.low,
        high=measure.high,
        higher_is_better=measure.higher_is_better,
        label=place,
        given=measure.given,
        pseudo_count=measure.pseudo_count,
        pooled=partial(_alone, measure),
    )


def _at(measure: Measure, place: int, tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    own = tp[..., place], fp[..., place], fn[..., place]
    return np.asarray(measure(*own, items - sum(own)))


def _alone(measure: Measure, tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    return np.asarray(measure(tp, fp, fn, items - tp - fp - fn))


def counts_rights(measure: Average, *, all_predicted: bool) -> bool:
    """Return whether a measure of one label per item is a function of how many answers are right.

    A missing prediction is wrong and yet no false positive: with one of them, micro averages are not. Nor are averages
    over some of the labels, to which some wrong answers are a false positive and others are not.
    """
    if measure.places is not None or measure.matrix:
        return False
    return measure.name in RIGHT or (all_predicted and measure.name in MICRO)
