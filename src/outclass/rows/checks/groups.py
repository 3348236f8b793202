"""Items in groups: how many groups there are, what they change, what is averaged."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from scipy import special

from outclass.arrays import Floats
from outclass.data.multilabel import Grouped
from outclass.data.unit_counts import GroupedCounts
from outclass.findings import Finding, declare, finding
from outclass.inference.distribution import Interval
from outclass.models.clusters import Groups, Jackknife
from outclass.models.draws_fit import DrawsFit, JackknifeFit
from outclass.models.fit import Fit
from outclass.rows.checks import Case
from outclass.rows.checks.disagreement import Disagreements, few_disagreements, few_units
from outclass.rows.checks.sizes import FEW_ITEMS

declare(
    OC121="few groups, or a few groups with most of the items",
    OC122="the averages over items and over groups differ",
)

UNSUPPORTED: Final = 5  # effective groups, below which no interval is supported
FEW: Final = 20  # below which coverage was measured to leave .93 to .97 (docs/coverage.md)
ENOUGH: Final = 20  # groups with disagreements
MOVED: Final = 0.25  # standard errors between the two averages


def check(case: Case) -> Iterator[Finding]:
    """Say what groups mean for the difference of two systems, or for one."""
    fit: Any = case.fit
    if isinstance(fit, JackknifeFit) and case.measure.name in fit.jackknives:
        jackknife, a, b = fit.jackknives[case.measure.name], case.a, case.b
        groups = jackknife.groups
        yield from few_groups(groups)
        if b is not None:
            yield from _disagreements(groups, jackknife.apart(a, b), (case.names[0], case.names[1]))
        if case.row is not None:
            ratio = math.nan if b is None else _ratio(jackknife, a, b, case.row.difference.hdi, fit.question.hdi_mass)
            yield clusters_told(groups, ratio)
            yield from [] if b is None else _average(jackknife, a, b)
    elif (
        isinstance(fit, DrawsFit)
        and isinstance(fit.data, Grouped | GroupedCounts)
        and case.b is not None
        and fit.naive is not None
    ):
        groups, mass = Groups(fit.data.group), fit.question.hdi_mass
        yield from few_groups(groups)
        if case.row is not None:
            narrow = fit.naive.difference(case.a, case.b, case.measure).hdi(mass).width
            yield clusters_told(groups, case.row.difference.hdi.width / narrow if narrow > 0 else math.nan)
    elif isinstance(fit, DrawsFit) and getattr(fit.data, "group", None) is not None:
        yield from few_groups(Groups(fit.data.group))


def of_ranking(fit: Fit, measure: Any, pairs: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    """Say what groups mean for a ranking: what its pairs have in common, once."""
    if not isinstance(fit, JackknifeFit):
        return
    jackknife, mass = fit.jackknives[measure.name], fit.question.hdi_mass
    ratios = [_ratio(jackknife, a, b, jackknife.law(a, b).hdi(mass), mass) for a, b in pairs]
    known = [ratio for ratio in ratios if not math.isnan(ratio)]
    yield clusters_told(jackknife.groups, max(known) if known else math.nan)
    yield from [note for a, b in pairs for note in _average(jackknife, a, b)][:1]


def _average(jackknife: Jackknife, a: int, b: int) -> Iterator[Finding]:
    groups = jackknife.groups
    here, there = (float(values[a] - values[b]) for values in (jackknife.values, jackknife.otherwise))
    error = math.sqrt(jackknife.variance(a, b))
    if error > 0 and abs(here - there) > MOVED * error:
        other = groups.other.average
        yield finding(
            "OC122",
            f"the difference is {here:+.4g} averaged over {groups.average} and {there:+.4g} averaged over {other}: "
            "large and small groups differ, and the interval may be too narrow. This answer averages over "
            f"{groups.average}; for the other, use ⟨average={other}⟩.",
        )


def few_groups(groups: Groups) -> Iterator[Finding]:
    """Say if there are few groups, or a few that hold most items."""
    if groups.effective >= FEW:
        return
    largest = float(groups.mass.max() / groups.mass.sum())
    told = (
        f"{groups.number:,} groups, the largest with {largest:.0%} of the weight, are equivalent to "
        f"{groups.effective:.1f}"
    )
    if groups.effective < UNSUPPORTED:
        yield finding(
            "OC121",
            f"{told} equal groups: too few to support the interval. Treat it as a rough guess; collect more groups.",
        )
    else:
        yield finding(
            "OC121",
            f"{told} equal groups; with so few, the interval relies on the groups being similar and may be too wide.",
        )


def _disagreements(groups: Groups, apart: Floats, names: tuple[str, str]) -> Iterator[Finding]:
    seen = int((apart > 0).sum())
    least = math.ceil(min(ENOUGH, groups.effective / 2))
    yield from few_disagreements(*names, Disagreements(groups.number, seen, "groups"), least=least, prior=False)
    if groups.number < FEW_ITEMS:
        yield few_units(groups.number, "groups")
    if seen >= least:
        weight = float(apart.sum() ** 2 / (apart**2).sum())
        if weight < least:
            yield finding(
                "OC104",
                f"{names[0]} and {names[1]} disagree mostly in a few groups (equivalent to {weight:.1f} of "
                f"{groups.number:,}), so the result depends on these few.",
            )


def _ratio(jackknife: Jackknife, a: int, b: int, hdi: Interval, hdi_mass: float) -> float:
    """Return how much wider the interval is than that of independent items; nan where that is not known."""
    naive = 2 * float(special.ndtri((1 + hdi_mass) / 2)) * math.sqrt(jackknife.independent(a, b))
    return hdi.width / naive if naive > 0 else math.nan


def clusters_told(groups: Groups, ratio: float) -> Finding:
    """Say how many groups there are and what they do to the width of the interval; never that they do not matter."""
    told = f"items come in {groups.number:,} groups (effective number {groups.effective:.1f})"
    if math.isnan(ratio):
        return finding("OC114", f"{told}, which the interval accounts for.")
    told += f": accounting for them makes the interval {ratio:.2f}× as wide as for independent items"
    if ratio < 1:
        told += ", which does not show that items within a group are independent"
    return finding("OC114", f"{told}.")
