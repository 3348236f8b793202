"""Several runs of each system: too few to know their spread, single ones, and the trap of comparing the best."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from outclass.findings import Finding, declare, finding
from outclass.models.clusters import Groups
from outclass.models.runs_fit import RunsFit
from outclass.rows.checks import Case
from outclass.rows.checks.disagreement import few_units
from outclass.rows.checks.groups import few_groups
from outclass.rows.checks.sizes import FEW_ITEMS
from outclass.rows.run_parts import RunsPart

declare(
    OC650="two runs of a system",
    OC651="a single run of a system",
    OC653="the best runs say something else than the average ones",
    OC654="the runs widen the interval",
    OC656="the system with fewer runs varies more",
)

VARIES_MORE: Final = 2.0  # times as much, from where the interval covers .90 with three runs (docs/runs-coverage.md)
ENOUGH: Final = 10  # runs that tell how far they spread
FEW: Final = 2  # runs, from which the spread between them is hardly known
# Posterior standard deviations between the difference of the best and that of the means: where they point to different
# systems, and where systems with unequal numbers of runs are compared.
MISLEADS, MISLEADS_BY_NUMBER = 0.25, 0.75


def check(case: Case) -> Iterator[Finding]:
    """Look at the runs of one system, or of two."""
    fit = case.fit
    if not isinstance(fit, RunsFit):
        return
    yield from _few(fit)
    noise = fit.noise[case.measure.name]
    places = [case.a] if case.b is None else [case.a, case.b]
    counts = [len(noise.observed[place]) for place in places]
    named = [fit.systems[place] for place, many in zip(places, counts, strict=True) if many == 1]
    if not noise.estimated:
        yield finding("OC651", _single(case))
    elif named and not fit.fixed:
        who = " and ".join(named)
        yield finding(
            "OC651",
            f"{who} {'has' if len(named) == 1 else 'have'} a single run, so the spread between runs is taken from the "
            "other systems.",
        )
    few = [fit.systems[place] for place, many in zip(places, counts, strict=True) if many == FEW]
    if few and not fit.fixed:
        who = " and ".join(few)
        yield finding(
            "OC650",
            f"{who} {'has' if len(few) == 1 else 'have'} two runs, from which their spread is hardly known: the "
            "interval depends on its prior, and a third run tells more than any number of items.",
        )
    part = getattr(case.row, "runs", None)
    if isinstance(part, RunsPart):
        yield from [] if fit.fixed else _unequal(case, part)
        yield from _of_best(case, part)
        if not fit.fixed and math.isfinite(part.wider):
            yield finding(
                "OC654",
                f"accounting for the spread between runs makes the interval {part.wider:.2f}× as wide as for these "
                "runs alone.",
            )


def _few(fit: RunsFit) -> Iterator[Finding]:
    """Say if there are few items, or few groups of them."""
    group = getattr(fit.data.base, "group", None)
    if group is not None:
        yield from few_groups(Groups(group))
    elif fit.items < FEW_ITEMS:
        yield few_units(fit.items)


def _single(case: Case) -> str:
    told = "each system has a single run, which says nothing of the spread between runs"
    part = getattr(case.row, "runs", None)
    if isinstance(part, RunsPart) and math.isfinite(part.overturning_spread):
        return (
            f"{told}: a standard deviation between runs above {part.overturning_spread:.2g} would leave this "
            "comparison undecided."
        )
    return f"{told}: the interval holds for these runs alone."


def _unequal(case: Case, part: RunsPart) -> Iterator[Finding]:
    """Say if the system with fewer runs is the one whose runs vary more."""
    fewer, more = sorted(part.systems, key=lambda each: len(each.runs))
    if not 1 < len(fewer.runs) < min(len(more.runs), ENOUGH):
        return
    wide, narrow = (float(np.std(each.values, ddof=1)) for each in (fewer, more))
    if wide > VARIES_MORE * narrow:
        yield finding(
            "OC656",
            f"the {len(fewer.runs)} runs of {fewer.name} vary more than the {len(more.runs)} of {more.name}, so the "
            f"interval may be too narrow: add runs of {fewer.name}.",
        )


def _of_best(case: Case, part: RunsPart) -> Iterator[Finding]:
    """Compare the difference of the best runs with that of the averages."""
    row = case.row
    counts = [len(each.runs) for each in part.systems]
    apart, std = part.best - row.observed, row.difference.std
    if max(counts) == 1 or not std > 0:
        return
    if part.best * row.observed < 0 and abs(apart) > MISLEADS * std:
        a, b = case.names
        ahead = a if (part.best > 0) == case.measure.higher_is_better else b
        other = b if ahead == a else a
        yield finding(
            "OC653",
            f"the best run is one of {ahead}, but {other} is ahead on average: the best runs differ by "
            f"{part.best:+.3g}, the averages by {row.observed:+.3g}. The best of several runs is luck of the draw; "
            "compare averages.",
        )
    elif counts[0] != counts[1] and abs(apart) > MISLEADS_BY_NUMBER * std:
        yield finding(
            "OC653",
            f"the best of {counts[0]} and the best of {counts[1]} runs differ by {part.best:+.3g}, the averages by "
            f"{row.observed:+.3g}: the best of more runs is better by chance alone. Compare averages.",
        )
