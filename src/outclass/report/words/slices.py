"""Slices in words: what they come to, column by column, and where a system is worse."""

from collections.abc import Sequence
from typing import Final

from outclass.report.words.brief import points
from outclass.report.words.numbers import probability
from outclass.report.words.several import in_short
from outclass.rows.types import Contrast, Regressions, SliceFamily

MOST_LISTED: Final = 6
MOST_WHOLE: Final = 3
POOLED: Final = "Pooled differences are shrunk towards the other slices of the column; they decide."
IN_CHART: Final = "In the chart: in grey, each slice by itself; dashed, all items."


def of_slices(rows: Sequence[Contrast], found: Sequence[SliceFamily]) -> list[str]:
    """Say the answer for all items, then what the slices of every column come to."""
    whole = [row for row in rows if row.is_whole]
    return [*(f"All items, {in_short(row)}" for row in whole[:MOST_WHOLE]), *families(rows, found)]


def families(rows: Sequence[Contrast], found: Sequence[SliceFamily]) -> list[str]:
    """Say of every column where a system is worse by more than the ROPE, and how much its slices differ."""
    told = []
    several = len({(each.a, each.b, each.measure, each.label) for each in found}) > 1
    for each in found:
        row = next(row for row in rows if _is_of(row, each))
        about = f"By {each.column}, {row.measure.title}, {each.a} and {each.b}" if several else f"By {each.column}"
        unit = " points" if row.measure.in_points else ""
        low, high = (points(end, row.measure, each.spread) for end in each.spread_interval)
        spread = (
            f"{points(each.spread, row.measure, each.spread)}{unit} ({100 * row.hdi_mass:g}% interval {low} to {high})"
        )
        worse = [part for part in (_worse(each.a, each.a_worse), _worse(each.b, each.b_worse)) if part]
        told.append(f"{about}: {'; '.join(worse) or _none(each, rows)}. Spread between slices: {spread}.")
    return told


def chances(found: Sequence[SliceFamily]) -> list[str]:
    """Say of every column and system how likely it is worse by more than the ROPE somewhere, and in how many slices."""
    return [
        f"By {each.column}, {each.slices} slices: P({system} worse by more than the ROPE in some slice) "
        f"{probability(worse.any)}; expected number of such slices: {worse.expected:.2g}."
        for each in found
        for system, worse in ((each.a, each.a_worse), (each.b, each.b_worse))
    ]


def _is_of(row: Contrast, family: SliceFamily) -> bool:
    return (*(system.name for system in row.systems), row.measure.name) == (family.a, family.b, family.measure)


def _worse(system: str, found: Regressions) -> str:
    if not found.listed:
        return ""
    names = ", ".join(found.listed[:MOST_LISTED])
    more = f" and {len(found.listed) - MOST_LISTED} more" if len(found.listed) > MOST_LISTED else ""
    return f"{system} is worse by more than the ROPE in {names}{more}"


def _none(family: SliceFamily, rows: Sequence[Contrast]) -> str:
    """Say how likely a system is worse somewhere, where no slice can be named; thin slices cannot tell."""
    own = [row for row in rows if _is_of(row, family) and row.slice is not None and row.slice.column == family.column]
    stds = sorted(row.slice.pooled.difference.std for row in own if row.slice and row.slice.pooled)
    if stds and 2 * stds[len(stds) // 2] > own[0].rope.high - own[0].rope.low:
        return "no slice is credibly beyond the ROPE; most have too few items to tell"
    parts = [(family.a, family.a_worse), (family.b, family.b_worse)]
    system, found = max(parts, key=lambda part: part[1].any)
    return (
        f"no slice is credibly beyond the ROPE, but P({system} worse by more than it in some slice) "
        f"{probability(found.any)}"
    )
