"""The short answer: who leads and by how much, the decision against the ROPE, the evidence, and what to do next."""

import math
from typing import NamedTuple

from outclass.dialects import spoken
from outclass.inference.distribution import Interval
from outclass.report.words.evidence import null, own_test
from outclass.report.words.numbers import LEAST_P, decimals, factor, p_equals, probability, rope
from outclass.report.words.test_names import test_name
from outclass.report.words.verdicts import LEANING, ROUGH, Said, is_over_data_sets, verdict
from outclass.rows.types import Contrast, MeasureInfo
from outclass.verdict.rope import Verdict

DEFAULT_ROPE = ("OC303", "OC304", "OC305")
LEANS = "Undecided: the HDI crosses an edge; 'leans A' if P(A better) is at least 75%."
JOINTLY = "The difference is estimated jointly and need not equal that of the means."
DIFFERS = (Verdict.MUCH_GREATER, Verdict.MUCH_LESS)


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
    told = rope(Interval(100 * value.low, 100 * value.high))
    return f"{told} point{'' if told == '±1' else 's'}"


def _margin(row: Contrast) -> str:
    """Write the finite edge of a ROPE that is open to one side, in the unit of differences; '' if it has two."""
    edges = [abs(edge) for edge in row.rope if math.isfinite(edge)]
    if len(edges) != 1:
        return ""
    return f"{100 * edges[0]:.4g} point{'' if edges[0] == 0.01 else 's'}" if row.measure.in_points else f"{edges[0]:g}"


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


def subject(row: Contrast) -> str:
    """Name the measure, and the label that it is of."""
    # Where the labels are yes and no, everybody knows which one is meant.
    named = row.label is not None and row.label is not True and row.label != 1
    return f"{row.measure.title} for {row.label}" if named else row.measure.title


def lead(row: Contrast) -> str:
    """Say who leads and by how much, with the interval and the probability."""
    difference, measure = row.difference, row.measure
    a, b = (system.name for system in row.systems)
    what = subject(row)
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


def decision(row: Contrast, said: Said | None = None, hint: str = "Change it with ⟨rope=…⟩.") -> str:
    """Say the decision against the ROPE, and whether anybody chose the ROPE; `hint` says how to."""
    if math.isnan(row.difference.hdi.low):
        return ""
    usual = any(each.code in DEFAULT_ROPE for each in row.findings)
    said = said or Said.of(row)._replace(rope=region(row.rope, row.measure))
    if is_over_data_sets(row) or not row.rope.low <= 0 <= row.rope.high or math.isinf(row.rope.low + row.rope.high):
        clause = verdict(row, said, margin=_margin(row), short=not hint)
        # A name stays as it is.
        named = clause.startswith(tuple(f"{system.name} " for system in row.systems))
        return f"{clause if named else clause[:1].upper() + clause[1:]}."
    of_spread = " (a tenth of the SD)" if any(each.code == "OC303" for each in row.findings) else ""
    where = f"the {'default ' if usual else ''}ROPE of {said.rope}{of_spread}"
    a, b = (system.name for system in row.systems)
    sign = f"{a} {row.verdict.sign} {b}"
    if row.verdict is Verdict.EQUIVALENT:
        told = f"Within {where}: practically equivalent ({sign})."
    elif row.verdict in DIFFERS:
        told = f"Beyond {where}: the difference matters ({sign})."
    else:
        lean = ""
        if max(row.difference.below, row.difference.above) >= LEANING:
            lean = f", leans {_leader(row)[0]}"
        told = f"Undecided{lean}: {said.inside} of the posterior lies within {where}."
    if row.diagnostics is not None and row.diagnostics.hopeless:
        told = f"Unreliable: the chains did not converge. {told}"
    return f"{told} {spoken(hint)}" if usual else told


def evidence(row: Contrast, *, short: bool = False) -> str:
    """Give the evidence in one line: items, the interval-null Bayes factor, the p-value of the same question.

    In short, it does not name the system whose non-inferiority is asked about.
    """
    told = [f"{row.items:,} items"]
    found_factor = next((each for each in row.bayes_factors if each.name == "interval_null"), None)
    if found_factor is not None and not math.isnan(practical := found_factor.value):
        against = practical < 1
        value = 1 / practical if against and practical else practical
        size = "beyond 1e+300" if against and not practical else f"{'> ' if found_factor.bound else ''}{factor(value)}"
        what = null(row).partition(" of ")[0] if short else null(row)
        told.append(f"BF {size} {'against' if against else 'for'} {what}")
    found = own_test(row)
    if found is not None and not math.isnan(found.p_value):
        # Random swaps have an error, which does not matter below the least p-value that is written.
        error = f" (Monte Carlo SE {found.p_error:.1g})" if found.p_error > 0 and found.p_value >= LEAST_P else ""
        told.append(f"{test_name(found.name).removeprefix('exact ')} p {p_equals(found.p_value)}{error}")
    return f"{'; '.join(told)}."


class Needed(NamedTuple):
    """How many more items would decide a comparison, and with which probability."""

    items: int
    words: str
    wanted: float


def items_needed(row: Contrast) -> Needed | None:
    """Return how many more items would decide an open comparison, if any number does."""
    if row.additional_items is None:
        return None
    right, average, wanted = row.additional_items
    items = right if average is None else average
    if items is None:
        return None
    rough = "very roughly" if any(finding.code in ROUGH for finding in row.findings) else "about"
    step = 10 ** max(0, len(str(items)) - 2)  # two digits are more than it is worth
    return Needed(items, f"{rough} {math.ceil(items / step) * step:,}", wanted)


def next_step(row: Contrast) -> str:
    """Say what would decide an open comparison."""
    if row.additional_items is None:
        return ""
    if row.unknown_agreement is not None and row.unknown_agreement.decided:
        return "Next: predictions per item would show the agreement, and may decide it."
    needed = items_needed(row)
    if needed is None:
        return "Next: the difference may lie on the edge of the ROPE; more items may not decide it."
    assumed = "" if row.additional_items[1] is not None else ", if this estimate is right"
    return f"Next: {needed.words} more items would decide it with probability {needed.wanted:g}{assumed}."


def estimated_jointly(row: Contrast, digits: int) -> bool:
    """Whether the means of both systems, as they are printed, visibly do not give the difference."""
    a, b, apart = (round(value, digits) for value in (row.systems[0].mean, row.systems[1].mean, row.difference.mean))
    return abs(a - b - apart) > 1.5 * 10.0**-digits


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
    if row.verdict in DIFFERS:
        a, b = (system.name for system in row.systems)
        first = (row.verdict is Verdict.MUCH_GREATER) == row.measure.higher_is_better
        return f"{a if first else b} better"
    if row.verdict is Verdict.EQUIVALENT:
        return "equivalent"
    return "non-inferior" if row.verdict.is_decided else "undecided"
