"""What should be said with a comparison of items in groups: how many groups, what they change, what is averaged."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from scipy import special

from outclass.arrays import Floats
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.models.clusters import Groups, Jackknife
from outclass.rows.checks.labels import notice_thin

UNSUPPORTED: Final = 5  # effective groups, below which no interval is supported
FEW: Final = 20  # below which coverage was measured to leave .93 to .97 (docs/coverage.md)
ENOUGH: Final = 20  # groups with disagreements
MOVED: Final = 0.25  # standard errors between the two averages


def notice_groups(
    jackknife: Jackknife, a: int, b: int, names: tuple[str, str], hdi: Interval, hdi_mass: float
) -> Iterator[Finding]:
    """Say what groups mean for the difference of two systems."""
    groups = jackknife.groups
    yield from notice_number(groups)
    yield from _notice_disagreements(groups, jackknife.apart(a, b), names)
    yield clusters_told(groups, _ratio(jackknife, a, b, hdi, hdi_mass))
    yield from _notice_average(jackknife, a, b)


def notice_ranked(jackknife: Jackknife, names: Sequence[str], hdi_mass: float, most: int) -> Iterator[Finding]:
    """Say what groups mean for a ranking: of its first systems pair by pair, but what all have in common once."""
    groups = jackknife.groups
    yield from notice_number(groups)
    pairs = list(combinations(range(min(len(names), most)), 2))
    for a, b in pairs:
        yield from _notice_disagreements(groups, jackknife.apart(a, b), (names[a], names[b]))
    ratios = [_ratio(jackknife, a, b, jackknife.law(a, b).hdi(hdi_mass), hdi_mass) for a, b in pairs]
    known = [ratio for ratio in ratios if not math.isnan(ratio)]
    yield clusters_told(groups, max(known) if known else math.nan)
    yield from [note for a, b in pairs for note in _notice_average(jackknife, a, b)][:1]


def _notice_average(jackknife: Jackknife, a: int, b: int) -> Iterator[Finding]:
    groups = jackknife.groups
    here, there = (float(values[a] - values[b]) for values in (jackknife.values, jackknife.otherwise))
    error = math.sqrt(jackknife.variance(a, b))
    if error > 0 and abs(here - there) > MOVED * error:
        other = groups.other.average
        yield finding(
            "OC122",
            f"averaged over {groups.average} the difference is {here:+.4g}, averaged over {other} {there:+.4g}: large "
            f"and small groups differ, and the interval may be too narrow. This answer is about {groups.average}; "
            f"--average {other} asks about {other}.",
        )


def notice_number(groups: Groups) -> Iterator[Finding]:
    """Say if there are few groups, or a few that hold most items."""
    if groups.effective >= FEW:
        return
    largest = float(groups.mass.max() / groups.mass.sum())
    told = f"{groups.number:,} groups, the largest with {largest:.0%} of the weight, count as {groups.effective:.1f}"
    if groups.effective < UNSUPPORTED:
        yield finding("OC121", f"{told}: too few to support the interval. Treat it as a rough guess; add groups.")
    else:
        yield finding(
            "OC121", f"{told} equal ones; with so few the interval relies on groups being alike and may be too wide."
        )


def _notice_disagreements(groups: Groups, apart: Floats, names: tuple[str, str]) -> Iterator[Finding]:
    seen = int((apart > 0).sum())
    least = math.ceil(min(ENOUGH, groups.effective / 2))
    yield from notice_thin(*names, groups.number, seen, unit="groups", least=least)
    if seen >= least:
        weight = float(apart.sum() ** 2 / (apart**2).sum())
        if weight < least:
            yield finding(
                "OC104",
                f"the disagreements of {names[0]} and {names[1]} are concentrated: they count as {weight:.1f} of "
                f"{groups.number:,} groups, so the result depends on these few.",
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
        told += ", which is no evidence that items of one group are independent"
    return finding("OC114", f"{told}.")
