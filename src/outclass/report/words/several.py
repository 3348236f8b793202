"""Several comparisons in words: each in a line, what they come to, who is ahead, the ROPE, and what would decide."""

import math
from collections import Counter
from collections.abc import Sequence, Sized
from typing import NamedTuple

from outclass.dialects import spoken
from outclass.report.words.brief import (
    DEFAULT_ROPE,
    DIFFERS,
    JOINTLY,
    better,
    estimated_jointly,
    items_needed,
    leader,
    points,
    region,
    subject,
)
from outclass.report.words.numbers import decimals, probability
from outclass.report.words.verdicts import LEANING, Said, is_over_data_sets
from outclass.rows.types import Appraisal, Contrast
from outclass.verdict.rope import Verdict


def in_short(row: Contrast) -> str:
    """Say one of several comparisons in a line: who leads, by how much, how sure, the decision."""
    difference, measure = row.difference, row.measure
    a, b = (system.name for system in row.systems)
    if math.isnan(difference.hdi.low):
        return f"{subject(row)}: {a} - {b} is {row.observed:+.3f}, as observed; it has no interval."
    sure = max(difference.below, difference.above)
    if row.verdict in DIFFERS:
        end = "the difference matters"
    elif row.verdict is Verdict.EQUIVALENT:
        end = "practically equivalent"
    else:
        end = "non-inferior" if row.verdict.is_decided else "undecided"
    if sure < LEANING:
        return f"{subject(row)}: no clear leader, P({a} better) {probability(better(row))}; {end}."
    first, second = (a, b) if leader(row) == a else (b, a)
    size = f"{points(abs(difference.mean), measure, difference.std)}{' points' if measure.in_points else ''}"
    return f"{subject(row)}: {first} leads {second} by {size} (P {probability(sure)}); {end}."


def ahead(rows: Sequence[Contrast]) -> list[str]:
    """Say which of several systems scores highest, measure by measure."""
    told = []
    for name in list(dict.fromkeys(row.measure.name for row in rows))[:3]:
        own = [row for row in rows if row.measure.name == name]
        scores = {each.name: each.mean for row in own for each in row.systems if not math.isnan(each.mean)}
        if not scores or len({row.part for row in own}) > 1:
            continue
        higher = own[0].measure.higher_is_better
        top = (max if higher else min)(scores, key=lambda name: scores[name])
        digits = max(decimals(row.difference.std) for row in own)
        told.append(f"{subject(own[0])}: {top} scores {'highest' if higher else 'lowest'} ({scores[top]:.{digits}f}).")
    return told


def jointly(rows: Sequence[Contrast]) -> str:
    """Explain means that, as the table of these rows prints them, visibly do not give a difference."""
    digits = min(5, max((decimals(row.difference.std) for row in rows), default=3))
    return JOINTLY if any(estimated_jointly(row, digits) for row in rows) else ""


def lies_beyond(row: Contrast) -> bool:
    """Whether the difference was found to lie beyond the ROPE."""
    return row.verdict in DIFFERS


def next_of(rows: Sequence[Contrast]) -> str:
    """Say how many more items would decide several comparisons: as many as the one that needs most."""
    open_ones = [row for row in rows if row.additional_items is not None]
    needed = [found for row in open_ones if (found := items_needed(row)) is not None]
    if not open_ones:
        return ""
    if not needed:
        return "Next: the differences may lie on the edge of the ROPE; more items alone may not decide."
    most = max(needed, key=lambda each: each.items)
    which = "all of them" if len(needed) == len(open_ones) > 1 else "it" if len(open_ones) == 1 else "some of them"
    return f"Next: {most.words} more items would decide {which} with probability {most.wanted:g}."


class Summarised(NamedTuple):
    """The parts of the sentence on many comparisons; a page puts in the counts again when the ROPE is moved."""

    none: str
    one: str
    some: str
    better: str = "{name} better on {many}"
    same: str = "{same} practically equivalent"
    open: str = "{open} undecided"


def summary_parts(rows: Sequence[Contrast]) -> Summarised:
    """Return the parts of the sentence on these comparisons; all items are none of their slices."""
    rows = [row for row in rows if not row.is_whole] or rows
    labels, measures = {row.part for row in rows}, {row.measure.name for row in rows}
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    kinds: dict[str, Sized] = {
        "labels" if rows[0].slice is None else "slices": labels,
        "measures": measures,
        "pairs": pairs,
    }
    several = next((what for what, found in kinds.items() if len(found) == len(rows)), "comparisons")
    by = "beyond their ROPE" if len({row.rope for row in rows}) > 1 else "beyond the ROPE"
    return Summarised(
        none=f"None of {len(rows)} {several} shows a difference {by}",
        one=f"1 of {len(rows)} {several} shows a difference {by}",
        some=f"{{differ}} of {len(rows)} {several} show a difference {by}",
    )


def summary(rows: Sequence[Contrast]) -> str:
    """Say in one sentence what many comparisons come to."""
    parts = summary_parts(rows)
    rows = [row for row in rows if not row.is_whole] or rows
    differ = [row for row in rows if row.verdict in DIFFERS]
    same = sum(row.verdict in (Verdict.EQUIVALENT, Verdict.AT_LEAST, Verdict.AT_MOST) for row in rows)
    told = (parts.none, parts.one)[len(differ)] if len(differ) < 2 else parts.some.format(differ=len(differ))
    if differ and len({tuple(system.name for system in row.systems) for row in rows}) == 1:
        wins = Counter(leader(row) for row in differ)
        told += f" ({', '.join(parts.better.format(name=name, many=many) for name, many in wins.items())})"
    open_ones = len(rows) - len(differ) - same
    rest = [parts.same.format(same=same)] if same else []
    rest += [parts.open.format(open=open_ones)] if open_ones else []
    return f"{told}; {', '.join(rest)}." if rest else f"{told}."


def ropes(rows: Sequence[Contrast]) -> str:
    """Name the ROPE of a table, what its signs mean, and whether anybody chose it."""
    return f"{regions(rows)} {signs(rows)}"


def regions(rows: Sequence[Contrast], said: Said | None = None, hint: str = "change it with ⟨rope=…⟩") -> str:
    """Name the ROPE of many rows, and whether anybody chose it; `hint` says how to."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(region(row.rope, row.measure), []).append(row.measure.title)
    usual = any(each.code in DEFAULT_ROPE for row in rows for each in row.findings)
    (told, _), *others = found.items()
    if said:
        told = said.rope
    elif others:
        of_others = (f"{other} for {' and '.join(dict.fromkeys(titles))}" for other, titles in others[:2])
        told = f"{told}, or {', or '.join(of_others)}{', …' if len(others) > 2 else ''}"
    return f"{'Default ROPE' if usual else 'ROPE'}: {told}{f'; {spoken(hint)}' if usual else ''}."


def signs(rows: Sequence[Contrast], a: str = "A", b: str = "B") -> str:
    """Say what the signs of a table mean, with the names of the systems if all rows are of the same two."""
    if all(is_over_data_sets(row) for row in rows):
        return f"≫ ≪ ≈: {a}, {b} or neither ahead on most data sets."
    sides = "better or worse" if all(row.measure.higher_is_better for row in rows) else "higher or lower"
    return f"≫ ≪ {a} {sides} by more than the ROPE; ≈ practically equivalent."


def best(rows: Sequence[Appraisal]) -> list[str]:
    """Say which system scores highest, measure by measure."""
    told = []
    for name in list(dict.fromkeys(row.measure.name for row in rows))[:3]:
        own = [row for row in rows if row.measure.name == name and not math.isnan(row.system.mean)]
        if not own:
            continue
        # Of slices, the highest would be the luck of a small one.
        own = [row for row in own if row.is_whole] or own
        measure = own[0].measure
        top = (max if measure.higher_is_better else min)(own, key=lambda row: row.system.mean)
        digits = decimals(top.system.std)
        low, high = (f"{end:.{digits}f}" for end in top.system.hdi)
        label = "" if top.part is None or len({row.part for row in own}) == 1 else f" on {top.part}"
        highest = "highest" if measure.higher_is_better else "lowest"
        where = " over all items" if top.is_whole else ""
        lead = f"{top.system.name}{label} has the {highest} {measure.title}{where}:"
        if len(own) == 1 and where:
            lead = f"{measure.title} of {top.system.name}{where}:"
        told.append(f"{lead} {top.system.mean:.{digits}f} ({100 * top.hdi_mass:g}% HDI {low} to {high}).")
    return told
