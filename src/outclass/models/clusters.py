"""Items in groups: the cluster jackknife, with Student's t and degrees of freedom that follow from the groups' sizes.

Groups are left out one by one, which works for any measure. The variance is that of MacKinnon, Nielsen & Webb's CV3,
(G - 1) / G * sum (left out - whole)^2; the degrees of freedom are Bell & McCaffrey's: those of the chi-square that has
the mean and variance which the estimate would have, were items independent. A few large groups have few of them.

Two systems that hardly disagree show no spread between groups, which is no proof that there is none. Hence one
disagreement is added, as large as the geometric mean of those seen and of one whole group, in the share of groups that
show none; and the variance is never taken to be smaller than that of independent items by more than chance allows.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.errors import InputError, quoted, shown
from outclass.inference.bounded import BoundedStudent
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.grid import StudentLaw
from outclass.measures.scored import ScoreMeasure

AVERAGES: Final = ("items", "groups")
FEWEST: Final = 2
CHANCE: Final = 0.05  # of a variance so small, were items independent
CELLS: Final = 4_000_000  # numbers held at a time
MOST_PAIRS: Final = 40  # systems of which every pair is looked at
ROUNDING: Final = 1e-9  # of what one item can change
LEAST_FREEDOM: Final = 1.001  # so that a distribution has a centre


def average_of(average: str | None) -> str:
    """Check what is averaged; by default items."""
    if average is not None and average not in AVERAGES:
        raise InputError(f"⟨average⟩ must be one of {quoted(AVERAGES)}, got {shown(average)}.")
    return average or "items"


@dataclass(frozen=True)
class Groups:
    """How items come in groups, and whether every item counts alike or every group."""

    group: Counts  # of each item
    average: str = "items"

    def __post_init__(self) -> None:
        if len(self.sizes) < FEWEST:
            raise InputError(
                f"all {len(self.group):,} items are in one group, so the variation between groups is unknown. Give "
                f"at least {FEWEST} groups, or leave out the group if the items are independent."
            )

    @cached_property
    def sizes(self) -> Floats:
        """How many items each group has."""
        return np.bincount(self.group).astype(float)

    @cached_property
    def mass(self) -> Floats:
        """What each group weighs, in items."""
        if self.average == "items":
            return self.sizes
        return np.full(len(self.sizes), len(self.group) / len(self.sizes))

    @cached_property
    def weights(self) -> Floats:
        """What each item weighs."""
        return np.asarray((self.mass / self.sizes)[self.group])

    @property
    def number(self) -> int:
        """How many groups there are."""
        return len(self.sizes)

    @cached_property
    def effective(self) -> float:
        """How many groups of one size would weigh as evenly: (sum n)^2 / sum n^2."""
        return float(self.mass.sum() ** 2 / (self.mass**2).sum())

    @cached_property
    def typical(self) -> float:
        """The items in a group, on average."""
        return float(self.mass.mean())

    @cached_property
    def freedom(self) -> float:
        """The degrees of freedom of the jackknife's variance, were items independent and normal."""
        count = self.number
        share = self.mass / self.mass.sum()
        if np.ptp(share) == 0:
            return float(count - 1)
        scale = (share / (1 - share)) ** 2
        # Group means less the mean of all: covariance diag(1 / n) - 1 / N, in units of an item's variance.
        whole = 1 / self.mass.sum()
        own = 1 / self.mass - whole
        of_square = float(scale**2 @ (own**2 - whole**2)) + float(scale.sum() * whole) ** 2
        return max(float(scale @ own) ** 2 / of_square, LEAST_FREEDOM)

    @property
    def other(self) -> "Groups":
        """The same groups, averaged the other way."""
        return Groups(self.group, "groups" if self.average == "items" else "items")

    def sums(self, values: Floats) -> Floats:
        """Return the sum of items' values in each group."""
        return np.bincount(self.group, weights=values, minlength=self.number).astype(float)


@dataclass(frozen=True, kw_only=True)
class Jackknife:
    """One measure of some systems, with and without each group.

    Parameters
    ----------
    values, left_out
        The measure of every system, shape (systems,), and without each group, shape (groups, systems).
    influence
        What each item adds to the measure, shape (items, systems), to first order; None where that is not known.
    apart
        How much two systems disagree in each group, in units of the measure; or one system and the truth (None).
    unit
        What one item on which two systems disagree may change.
    otherwise
        The measure of every system by the other average: of groups where this is of items, and the other way round.
    """

    groups: Groups
    values: Floats
    otherwise: Floats
    left_out: Floats
    bounds: Interval
    unit: float
    apart: Callable[[int, int | None], Floats]
    influence: Floats | None = None

    @cached_property
    def covariance(self) -> Floats:
        """The jackknife's covariance of all systems, CV3."""
        moved = self.left_out - self.values
        count = self.groups.number
        return np.asarray((count - 1) / count * (moved.T @ moved))

    def independent(self, a: int, b: int | None) -> float:
        """Return the variance of a difference (or of one system's measure) if all items were independent."""
        if self.influence is None:
            return 0.0
        own = self.influence[:, a] if b is None else self.influence[:, a] - self.influence[:, b]
        return float(own @ own)

    def _between(self, a: int, b: int | None) -> float:
        cov = self.covariance
        return float(cov[a, a] if b is None else max(cov[a, a] + cov[b, b] - 2 * cov[a, b], 0.0))

    def variance(self, a: int, b: int | None = None) -> float:
        """Return the variance of a difference, or of one system's measure."""
        groups, free = self.groups, self.groups.freedom
        apart = self.apart(a, b)
        seen = apart[apart > 0]
        least = 2 * float(special.gammaincinv(free / 2, CHANCE)) / free
        floor = least * (self.independent(a, b) + self.unit**2) if self.influence is not None else 0.0
        unseen = 1 - len(seen) / groups.number
        whole = groups.typical * self.unit
        added = 0.0
        if unseen > 0 and whole > 0:
            added = math.exp(2 * (float(np.log(seen).sum()) + math.log(whole)) / (len(seen) + 1))
        return max(self._between(a, b), floor) + unseen * added

    def law(self, a: int, b: int, *, paired: bool = True) -> Distribution:
        """Return the distribution of a difference."""
        reach = self.bounds.high - self.bounds.low
        variance = self.variance(a, b) if paired else self.variance(a) + self.variance(b)
        return self._law(float(self.values[a] - self.values[b]), variance, Interval(-reach, reach))

    def own(self, which: int) -> Distribution:
        """Return the distribution of one system's measure."""
        return self._law(float(self.values[which]), self.variance(which), self.bounds)

    def _law(self, centre: float, variance: float, support: Interval) -> Distribution:
        if math.isnan(centre) or math.isnan(variance):
            raise InputError(
                "the measure is undefined (0/0) for these systems: choose another measure, or set how undefined "
                "values count (⟨undefined⟩)."
            )
        t = StudentLaw(self.groups.freedom, centre, math.sqrt(variance))
        return t if math.isinf(support.high) else BoundedStudent(t, support)

    def sample(self, draws: int, seed: int, places: Sequence[int] | None = None) -> Floats:
        """Draw all systems together from a multivariate t, so that two of them differ as `law` says.

        Of runs, `places` are those of their systems, which share what is added to the jackknife's variance.
        """
        rng = np.random.default_rng(seed)
        systems = len(self.values)
        places = range(systems) if places is None else places
        factors, scale = np.linalg.eigh(self.covariance)
        root = scale * np.sqrt(np.maximum(factors, 0.0))
        normal = rng.standard_normal((draws, systems)) @ root.T
        normal += rng.standard_normal((draws, max(places) + 1))[:, places] * np.sqrt(self._added)
        stretch = np.sqrt(self.groups.freedom / rng.chisquare(self.groups.freedom, (draws, 1)))
        return np.asarray(np.clip(self.values + normal * stretch, *self.bounds))

    @cached_property
    def _added(self) -> Floats:
        """What each system's variance gets beyond the jackknife's, so that every pair has at least its own."""
        systems = range(len(self.values))
        best = int(np.nanargmax(self.values))
        against = systems if len(self.values) <= MOST_PAIRS else [best]
        found = np.zeros(len(self.values))
        for a in systems:
            for b in against:
                if a != b:
                    more = (self.variance(a, b) - self._between(a, b)) / 2
                    found[a], found[b] = max(found[a], more), max(found[b], more)
        return found


# --- numbers ---------------------------------------------------------------------------------------------------------


def of_numbers(values: Sequence[Floats], group: Counts, average: str = "items", step: float | None = None) -> Jackknife:
    """Leave out the groups of per-item numbers one by one; what is compared is their mean."""
    groups = Groups(group, average)
    columns = np.stack(values, axis=1)
    weights, whole = groups.weights, float(groups.mass.sum())
    sums = np.stack([groups.sums(column * weights) for column in columns.T], axis=1)
    means = sums.sum(axis=0) / whole
    reach = float(np.ptp(columns))

    def apart(a: int, b: int | None) -> Floats:
        if b is None:
            return np.ones(groups.number)  # a number by itself disagrees with nothing
        return groups.sums(np.abs(columns[:, a] - columns[:, b]) * weights) / whole

    return Jackknife(
        groups=groups,
        values=means,
        otherwise=(groups.other.mass / groups.mass) @ sums / whole,
        left_out=(sums.sum(axis=0) - sums) / (whole - groups.mass)[:, None],
        bounds=Interval(-math.inf, math.inf),
        unit=(step or _step(columns, reach)) / whole,
        apart=apart,
        influence=(columns - means) * weights[:, None] / whole,
    )


def _step(columns: Floats, reach: float) -> float:
    """Return how far two systems' numbers of one item are apart where they differ at all; else the numbers' range."""
    differences = columns - columns[:, :1]
    seen = differences[differences != 0]
    return math.sqrt(float(np.mean(seen**2))) if len(seen) else reach


def of_scores(
    values: Sequence[Floats], truth: np.ndarray, group: Counts, measure: ScoreMeasure, average: str = "items"
) -> Jackknife:
    """Leave out the groups of scored items one by one: AUC and similar measures."""
    groups = Groups(group, average)
    weighings = [measure.prepare(truth, column) for column in values]
    rows = max(1, CELLS // len(truth))
    left: list[Floats] = []
    for start in range(0, groups.number, rows):
        out = np.arange(start, min(start + rows, groups.number))
        weights = np.where(groups.group[None, :] == out[:, None], 0.0, groups.weights)
        left.append(np.stack([weigh(weights) for weigh in weighings], axis=1))
    whole = np.stack([weigh(groups.weights[None, :])[0] for weigh in weighings])
    left_out = np.concatenate(left)
    if not np.isfinite(left_out).all():
        raise InputError(
            f"{measure.title} is undefined when one group is left out, because it has all items of one class. Each "
            "class needs items in at least two groups."
        )
    reach = measure.high - measure.low
    unit = reach / min(int(truth.sum()), int((~truth).sum())) if math.isfinite(reach) else 0.0

    def apart(a: int, b: int | None) -> Floats:
        moved = left_out - whole
        moved = moved[:, a] if b is None else moved[:, a] - moved[:, b]
        return np.where(np.abs(moved) > ROUNDING * unit, np.abs(moved), 0.0)

    return Jackknife(
        groups=groups,
        values=whole,
        otherwise=np.stack([weigh(groups.other.weights[None, :])[0] for weigh in weighings]),
        left_out=left_out,
        bounds=Interval(measure.low, measure.high),
        unit=unit,
        apart=apart,
    )
