"""The short answer: who leads and by how much, the decision against the ROPE, the evidence, and what to do next."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from outclass.dialects import spoken
from outclass.inference.distribution import Interval
from outclass.report.words.evidence import own_test
from outclass.report.words.numbers import decimals, factor, p_equals, probability, rope
from outclass.report.words.verdicts import LEANING, ROUGH, Said, is_over_data_sets, verdict
from outclass.rows.types import Appraisal, Contrast, MeasureInfo
from outclass.verdict.rope import Verdict

DEFAULT_ROPE = ("OC303", "OC304", "OC305")
LEANS = "Undecided: the HDI crosses an edge of the ROPE; 'leans A' if A is ahead with P of at least 75%."
_DIFFERS = (Verdict.MUCH_GREATER, Verdict.MUCH_LESS)


class Scale(NamedTuple):
    """How the size of a difference is written: times a factor, with so many decimals."""

    factor: int
    digits: int


def scale(measure: MeasureInfo, std: float) -> Scale:
    """Return the scale of a difference: points of a rate, otherwise the unit of the measure."""
    if not measure.in_points:
        return Scale(1, decimals(std) if std < 1e-3 else min(decimals(std), 3))
    return Scale(100, 1 if not 0 < std < 5e-4 else min(4, -math.floor(math.log10(100 * std))))


def points(value: float, measure: MeasureInfo, std: float) -> str:
    """Write the size of a difference: in points of a rate, otherwise in the unit of the measure."""
    factor, digits = scale(measure, std)
    shown = f"{factor * value:.{digits}f}"
    return shown.removeprefix("-") if measure.in_points and float(shown) == 0 else shown


def region(value: Interval, measure: MeasureInfo) -> str:
    """Write a ROPE in the unit of differences."""
    if not measure.in_points:
        return rope(value)
    return f"{rope(Interval(100 * value.low, 100 * value.high))} points"


def _leader(row: Contrast) -> tuple[str, str, Interval]:
    """Return who leads, who trails, and the interval of the lead."""
    a, b = (system.name for system in row.systems)
    low, high = row.difference.hdi
    ahead = (row.difference.mean >= 0) == row.measure.higher_is_better
    sign = 1 if row.difference.mean >= 0 else -1
    ends = Interval(low, high) if sign == 1 else Interval(-high, -low)
    return (a, b, ends) if ahead else (b, a, ends)


def leader(row: Contrast) -> str:
    """Name the system that is ahead."""
    return _leader(row)[0]


def better(row: Contrast) -> float:
    """Return the probability that A is the better system."""
    return row.difference.above if row.measure.higher_is_better else row.difference.below


def lead(row: Contrast) -> str:
    """Say who leads and by how much, with the interval and the probability."""
    difference, measure = row.difference, row.measure
    a, b = (system.name for system in row.systems)
    # Where the labels are yes and no, everybody knows which one is meant.
    named = row.label is not None and row.label is not True and row.label != 1
    what = f"{measure.title} for {row.label}" if named else measure.title
    if math.isnan(difference.hdi.low):
        return f"{a} - {b} is {row.observed:+.3f} in {what}, as observed. {measure.title} has no interval."
    first, second, ends = _leader(row)
    sure = max(difference.below, difference.above)
    unit = "points of " if measure.in_points else "in "
    mass = f"{100 * row.hdi_mass:g}% HDI"
    if sure < LEANING:
        low, high = (points(end, measure, difference.std) for end in difference.hdi)
        size = points(difference.mean, measure, difference.std)
        return (
            f"No clear leader: {a} - {b} is {size} {unit}{what} ({mass} {low} to {high}; "
            f"P({a} better) {probability(better(row))})."
        )
    low, high = (points(end, measure, difference.std) for end in ends)
    size = points(abs(difference.mean), measure, difference.std)
    return f"{first} leads {second} by {size} {unit}{what} ({mass} {low} to {high}; P {probability(sure)})."


def decision(row: Contrast, said: Said | None = None, hint: str = "Set yours with ⟨rope=…⟩.") -> str:
    """Say the decision against the ROPE, and whether anybody chose the ROPE; `hint` says how to."""
    if math.isnan(row.difference.hdi.low):
        return ""
    usual = any(each.code in DEFAULT_ROPE for each in row.findings)
    said = said or Said.of(row)._replace(rope=region(row.rope, row.measure))
    if is_over_data_sets(row) or not row.rope.low <= 0 <= row.rope.high or math.isinf(row.rope.low + row.rope.high):
        clause = verdict(row, said)
        return f"{clause[:1].upper()}{clause[1:]}."
    where = f"the {'default ' if usual else ''}ROPE of {said.rope}"
    a, b = (system.name for system in row.systems)
    sign = f"{a} {row.verdict.sign} {b}"
    if row.verdict is Verdict.EQUIVALENT:
        told = f"Within {where}: practically equivalent ({sign})."
    elif row.verdict in _DIFFERS:
        told = f"Beyond {where}: the difference matters ({sign})."
    else:
        lean = ""
        if max(row.difference.below, row.difference.above) >= LEANING:
            lean = f", leans {_leader(row)[0]}"
        told = f"Undecided{lean}: {said.inside} of the posterior lies within {where}."
    if row.diagnostics is not None and row.diagnostics.hopeless:
        told = f"Unreliable: the chains did not converge. {told}"
    return f"{told} {spoken(hint)}" if usual else told


def evidence(row: Contrast) -> str:
    """Give the evidence in one line: items, the interval-null Bayes factor, the p-value of the same question."""
    told = [f"{row.items:,} items"]
    factors = {each.name: each.value for each in row.bayes_factors}
    practical = factors.get("interval_null", math.nan)
    if not math.isnan(practical):
        against = practical < 1
        value = 1 / practical if against and practical else practical
        size = "beyond 1e+300" if against and not practical else factor(value)
        told.append(f"BF {size} {'against' if against else 'for'} practical equivalence")
    found = own_test(row)
    if found is not None and not math.isnan(found.p_value):
        told.append(f"{_TESTS.get(found.name, found.name)} p {p_equals(found.p_value)}")
    return f"{'; '.join(told)}."


_TESTS = {
    "permutation_exact": "permutation test",
    "permutation": "permutation test",
    "sign_exact": "sign test",
    "welch_t": "t-test",
}


def next_step(row: Contrast) -> str:
    """Say what would decide an open comparison."""
    if row.additional_items is None:
        return ""
    right, average, wanted = row.additional_items
    rough = "very roughly " if any(finding.code in ROUGH for finding in row.findings) else "about "
    if average is not None:
        return f"Next: {rough}{_rounded(average)} more items would decide it with probability {wanted:g}."
    if right is not None:
        return (
            f"Next: {rough}{_rounded(right)} more items would decide it with probability {wanted:g}, if the present "
            "estimate is right."
        )
    return "Next: the difference may lie on the edge of the ROPE; more items alone may never decide it."


def _rounded(items: int) -> str:
    """Write a number of items to two digits, which is more than it is worth."""
    step = 10 ** max(0, len(str(items)) - 2)
    return f"{math.ceil(items / step) * step:,}"


class Summarised(NamedTuple):
    """The parts of the sentence on many comparisons; a page puts in the counts again when the ROPE is moved."""

    none: str
    one: str
    some: str
    better: str = "{name} better on {many}"
    same: str = "{same} practically equivalent"
    open: str = "{open} undecided"


def summary_parts(rows: Sequence[Contrast]) -> Summarised:
    """Return the parts of the sentence on these comparisons."""
    labels, measures = {row.label for row in rows}, {row.measure.name for row in rows}
    several = "labels" if len(labels) == len(rows) else "measures" if len(measures) == len(rows) else "comparisons"
    by = "beyond their ROPE" if len({row.rope for row in rows}) > 1 else "beyond the ROPE"
    return Summarised(
        none=f"None of {len(rows)} {several} shows a difference {by}",
        one=f"1 of {len(rows)} {several} shows a difference {by}",
        some=f"{{differ}} of {len(rows)} {several} show a difference {by}",
    )


def summary(rows: Sequence[Contrast]) -> str:
    """Say in one sentence what many comparisons come to."""
    parts = summary_parts(rows)
    differ = [row for row in rows if row.verdict in _DIFFERS]
    same = sum(row.verdict in (Verdict.EQUIVALENT, Verdict.AT_LEAST, Verdict.AT_MOST) for row in rows)
    told = (parts.none, parts.one)[len(differ)] if len(differ) < 2 else parts.some.format(differ=len(differ))
    if differ and len({tuple(system.name for system in row.systems) for row in rows}) == 1:
        wins = Counter(leader(row) for row in differ)
        told += f" ({', '.join(parts.better.format(name=name, many=many) for name, many in wins.items())})"
    open_ones = len(rows) - len(differ) - same
    rest = [parts.same.format(same=same)] if same else []
    rest += [parts.open.format(open=open_ones)] if open_ones else []
    return f"{told}; {', '.join(rest)}." if rest else f"{told}."


def outcome(row: Contrast, *, named: bool = False) -> str:
    """Write the decision of a row in a table: the sign, or the word and who is ahead so far."""
    return row.verdict.sign if row.verdict.is_decided else leaning(row, named=named)


def leaning(row: Contrast, *, named: bool = False) -> str:
    """Write which system an undecided row leans to, by its letter or its name."""
    if math.isnan(row.difference.mean) or max(row.difference.below, row.difference.above) < LEANING:
        return "undecided"
    if named:
        return f"leans {leader(row)}"
    return "leans A" if row.systems[0].name == leader(row) else "leans B"


def decided(row: Contrast) -> str:
    """Write the decision of a row where it stands by itself."""
    if math.isnan(row.difference.mean):
        return "no interval"
    if row.verdict in _DIFFERS:
        a, b = (system.name for system in row.systems)
        first = (row.verdict is Verdict.MUCH_GREATER) == row.measure.higher_is_better
        return f"{a if first else b} better"
    if row.verdict is Verdict.EQUIVALENT:
        return "equivalent"
    return "non-inferior" if row.verdict.is_decided else "undecided"


def ropes(rows: Sequence[Contrast]) -> str:
    """Name the ROPE of a table, what its signs mean, and whether anybody chose it."""
    return f"{regions(rows)} {signs(rows)}"


def regions(rows: Sequence[Contrast], said: Said | None = None, hint: str = "set yours with ⟨rope=…⟩") -> str:
    """Name the ROPE of many rows, and whether anybody chose it; `hint` says how to."""
    found = dict.fromkeys(region(row.rope, row.measure) for row in rows)
    usual = any(each.code in DEFAULT_ROPE for row in rows for each in row.findings)
    told = next(iter(found)) if len(found) == 1 else f"{', '.join(list(found)[:3])}, by row"
    told = said.rope if said else told
    return f"{'Default ROPE' if usual else 'ROPE'} {told}{f', {spoken(hint)}' if usual else ''}."


def signs(rows: Sequence[Contrast], a: str = "A", b: str = "B") -> str:
    """Say what the signs of a table mean, with the names of the systems if all rows are of the same two."""
    if all(is_over_data_sets(row) for row in rows):
        return f"≫ ≪ ≈: {a}, {b} or neither ahead on most data sets."
    return f"≫ ≪ {a} better or worse by more than the ROPE; ≈ practically equivalent."


def best(rows: Sequence[Appraisal]) -> list[str]:
    """Say which system scores highest, measure by measure."""
    told = []
    for name in list(dict.fromkeys(row.measure.name for row in rows))[:3]:
        own = [row for row in rows if row.measure.name == name and not math.isnan(row.system.mean)]
        if not own:
            continue
        measure = own[0].measure
        top = (max if measure.higher_is_better else min)(own, key=lambda row: row.system.mean)
        digits = decimals(top.system.std)
        low, high = (f"{end:.{digits}f}" for end in top.system.hdi)
        label = "" if top.label is None or len({row.label for row in own}) == 1 else f" on {top.label}"
        highest = "highest" if measure.higher_is_better else "lowest"
        told.append(
            f"{top.system.name}{label} has the {highest} {measure.title}: {top.system.mean:.{digits}f} "
            f"({100 * top.hdi_mass:g}% HDI {low} to {high})."
        )
    return told
