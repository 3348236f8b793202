"""Slices beside each other: partially pooled differences, the spread between slices, and where a system is worse."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np

from outclass.data.slicing import Part
from outclass.errors import printable, quoted
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.inference.normals import EVERYWHERE
from outclass.inference.summary import Errors, Summary, summarise
from outclass.models.pooling import Pooled, discoveries, pooled, smoothed
from outclass.rows.types import Appraisal, Contrast, PooledSlice, Regressions, Slice, SliceFamily, SystemSummary
from outclass.verdict.rope import Verdict, decide

Row = TypeVar("Row", Contrast, Appraisal)
WHOLE: Final = "all items"
FEW_ITEMS: Final = 30  # of a slice
FEW_SLICES: Final = 4  # from which the spread between slices is hardly known
MOSTLY: Final = 2 / 3  # of the items
LEADS: Final = 0.9
APART: Final = 1.28  # standard deviations: nine in ten
MOST_OF_RATES: Final = 1.0  # between the differences of rates
NAN: Final = math.nan


def of_all(row: Row, items: int) -> Row:
    """Mark the row of all items."""
    return replace(row, slice=Slice(column="", name=WHOLE, items=items, share=1.0))


def of_part(row: Row, part: Part, items: int) -> Row:
    """Mark the row of a slice, and say if it is thin."""
    told: tuple[Finding, ...] = ()
    if part.items < FEW_ITEMS:
        thin = f"{_named(part)} has only {part.items} item{'' if part.items == 1 else 's'}"
        means = "its estimate relies on the other slices" if isinstance(row, Contrast) else "its estimate is uncertain"
        told = (finding("OC601", f"{thin}; {means}."),)
    own = Slice(column=part.column, name=part.name, items=part.items, share=part.items / items)
    return replace(row, slice=own, findings=(*row.findings, *told))


def _named(part: Part) -> str:
    return f"{printable(part.column)} = {quoted([part.name])}"


def without_value(row: Appraisal, part: Part, items: int, why: str) -> Appraisal:
    """Return the row of a slice for which a system has no value; `row` is that of all items."""
    nothing = Interval(NAN, NAN)
    return replace(
        row,
        system=SystemSummary(name=row.system.name, observed=NAN, mean=NAN, std=NAN, hdi=nothing),
        items=part.items,
        median=NAN,
        mode=NAN,
        equal_tailed=nothing,
        diagnostics=None,
        law=None,
        runs=None,
        findings=(finding("OC602", f"{_named(part)}: {why}"),),
        slice=Slice(column=part.column, name=part.name, items=part.items, share=part.items / items),
    )


def without_answer(row: Contrast, part: Part, items: int, why: str) -> Contrast:
    """Return the row of a slice for which nothing can be computed; `row` is that of all items."""
    nothing = Interval(NAN, NAN)
    systems = [SystemSummary(name=system.name, observed=NAN, mean=NAN, std=NAN, hdi=nothing) for system in row.systems]
    errors = Errors(mean=NAN, std=NAN, hdi=nothing, below=NAN, above=NAN, rope=NAN)
    told = finding("OC602", f"{_named(part)}: {why}")
    return replace(
        row,
        systems=(systems[0], systems[1]),
        items=part.items,
        observed=NAN,
        difference=Summary(mean=NAN, std=NAN, hdi=nothing, below=NAN, above=NAN, rope=NAN, errors=errors),
        verdict=Verdict.UNDECIDED,
        bayes_factors=(),
        tests=(),
        pairing=None,
        log_odds=None,
        additional_items=None,
        rope_probabilities=None,
        runs=None,
        diagnostics=None,
        law=None,
        prior_law=None,
        evidence=None,
        findings=(told,),
        slice=Slice(column=part.column, name=part.name, items=part.items, share=part.items / items),
    )


def beside_each_other(rows: Sequence[Contrast]) -> tuple[list[Contrast], list[SliceFamily]]:
    """Pool the slices of every column, pair, measure and label; return all rows, and what the columns come to."""
    found = list(rows)
    families: list[SliceFamily] = []
    groups: dict[Any, dict[str, list[int]]] = {}
    for place, row in enumerate(rows):
        key = (*(system.name for system in row.systems), row.measure.name, row.label)
        groups.setdefault(key, {}).setdefault("" if row.slice is None else row.slice.column, []).append(place)
    for columns in groups.values():
        (top,) = columns.pop("")
        told: list[Finding] = []
        if rows[top].runs is not None:
            told.append(finding("OC655", "slices share their runs, so they are not pooled: each is judged by itself."))
        for column, places in columns.items():
            own = [rows[place] for place in places]
            # What is shared, whatever the slice, would be taken for what every slice says again.
            law = None if rows[top].runs is not None else _law(own)
            if law is None:
                continue
            rope = rows[top].rope
            for place, each in zip(places, _each(law, rows[top]), strict=True):
                kept = found[place].slice
                assert kept is not None
                found[place] = replace(found[place], slice=replace(kept, pooled=each))
            families.append(_family(law, own, column, rope))
            told += _disagreeing(rows[top], own, column)
            if len(own) < FEW_SLICES:
                few = f"column {quoted([column])} has only {len(own)} slices, so their spread is hardly known."
                told.append(finding("OC604", few))
        found[top] = replace(found[top], findings=(*found[top].findings, *told))
    return found, families


def _law(rows: Sequence[Contrast]) -> Pooled | None:
    """Pool the slices of a column; None if nothing is known of any."""
    means = np.array([row.difference.mean for row in rows])
    stds = np.array([row.difference.std for row in rows])
    if not (np.isfinite(means) & np.isfinite(stds) & (stds > 0)).any():
        return None
    sizes = np.array([row.items for row in rows], dtype=float)
    rates = rows[0].measure.in_points
    return pooled(means, smoothed(stds, sizes, rates=rates), most=MOST_OF_RATES if rates else math.inf)


def _each(law: Pooled, whole: Contrast) -> list[PooledSlice]:
    rope, mass, posterior = whole.rope, whole.hdi_mass, whole.posterior
    possible = EVERYWHERE if posterior is None else posterior.support
    below, above = law.below(rope.low), 1 - law.below(rope.high)
    found = []
    for place in range(len(below)):
        own = law.law(place, possible)
        told = summarise(own, rope, mass)
        verdict = decide(told.hdi, rope)
        found.append(
            PooledSlice(
                difference=told,
                below_rope=float(below[place]),
                above_rope=float(above[place]),
                verdict=verdict,
                law=own,
            )
        )
    return found


def _family(law: Pooled, rows: Sequence[Contrast], column: str, rope: Interval) -> SliceFamily:
    first = rows[0]
    low = _regressions(law, rope.low, rows)
    high = _regressions(law.mirrored, -rope.high, rows)
    spread, interval = law.spread(first.hdi_mass)
    a_worse, b_worse = (low, high) if first.measure.higher_is_better else (high, low)
    return SliceFamily(
        a=first.systems[0].name,
        b=first.systems[1].name,
        measure=first.measure.name,
        label=first.label,
        column=column,
        slices=len(rows),
        spread=spread,
        spread_interval=interval,
        a_worse=a_worse,
        b_worse=b_worse,
    )


def _regressions(law: Pooled, limit: float, rows: Sequence[Contrast]) -> Regressions:
    below = law.below(limit)
    names = [row.slice.name for row in rows if row.slice is not None]
    return Regressions(
        any=law.any_below(limit),
        expected=float(below.sum()),
        listed=tuple(names[place] for place in discoveries(below)),
    )


def _disagreeing(whole: Contrast, rows: Sequence[Contrast], column: str) -> list[Finding]:
    """Say where the whole points one way, and slices with most of the items the other: Simpson's paradox."""
    if max(whole.difference.above, whole.difference.below) < LEADS or not whole.observed:
        return []
    side = math.copysign(1.0, whole.observed)
    other = [row for row in rows if row.observed * side < 0]
    share = sum(row.items for row in other) / max(sum(row.items for row in rows), 1)
    if share < MOSTLY:
        return []
    # The other way by more than chance, as they are together.
    weights = np.array([row.items for row in other], dtype=float)
    means, stds = (np.array([getattr(row.difference, name) for row in other]) for name in ("mean", "std"))
    if len(other) < len(rows) and -side * float(weights @ means) < APART * math.sqrt(
        float((weights * stds) @ (weights * stds))
    ):
        return []
    a, b = (system.name for system in whole.systems)
    higher, lower = (a, b) if whole.observed > 0 else (b, a)
    of_all_items = f"{higher} has the higher {whole.measure.title} overall"
    if len(other) == len(rows):
        told = f"{of_all_items}, but {lower} has it in every slice by {quoted([column])} (Simpson's paradox)."
    else:
        told = (
            f"{of_all_items}, but {lower} has it in {len(other)} of {len(rows)} slices by {quoted([column])}, with "
            f"{share:.0%} of the items: the other slices decide."
        )
    return [finding("OC603", told)]
