"""The answer in words: which system is better, by how much, how sure, whether it matters, and what would decide it."""

import math
from typing import NamedTuple

from outclass.report.words.numbers import decimals, percent, probability, rope, signed
from outclass.report.words.tipping import tipping
from outclass.rows.types import Appraisal, Contrast, Pairing
from outclass.verdict.rope import Verdict

ROUGH = ("OC104", "OC105")
LEANING, LIKELY = 0.75, 0.95
_OVER_DATA_SETS = ("data_sets.sign", "data_sets.signed_rank")
_SIDES = {Verdict.MUCH_LESS: "below", Verdict.MUCH_GREATER: "above", Verdict.EQUIVALENT: "inside"}


def is_over_data_sets(row: Contrast) -> bool:
    """Whether the decision is by how probable it is that most data sets are won, not by the interval."""
    return row.model_key in _OVER_DATA_SETS


class Said(NamedTuple):
    """What of a sentence depends on the region and on the interval's mass; a page puts it in as they are moved."""

    low: str
    high: str
    mass: str
    rope: str
    inside: str  # the probability inside the ROPE

    @classmethod
    def of(cls, row: Contrast) -> "Said":
        """Write these of a row."""
        digits = decimals(row.difference.std)
        low, high = (signed(end, digits) for end in row.difference.hdi)
        return cls(low, high, f"{100 * row.hdi_mass:g}%", rope(row.rope), percent(row.difference.rope))


# No name can hold these: in names, control characters are escaped.
BLANKS = Said("\0low\0", "\0high\0", "\0mass\0", "\0rope\0", "\0inside\0")


def verdict(row: Contrast, said: Said | None = None, *, margin: str = "", short: bool = False) -> str:
    """Say the decision in a clause, as sure as the posterior is; `margin` of non-inferiority, if not as a number."""
    if math.isnan(row.difference.mean):
        a, b = (system.name for system in row.systems)
        return f"{row.measure.title} has no interval, so {a} and {b} cannot be compared"
    if is_over_data_sets(row):
        return _over_data_sets(row)
    a, b = (system.name for system in row.systems)
    better, worse = _better(row)
    sure = max(row.difference.below, row.difference.above)
    if not row.rope.low <= 0 <= row.rope.high:
        # A region away from zero is somebody's target: only say where the difference lies.
        lies = _SIDES.get(row.verdict, "not clearly on one side of")
        region = (said or Said.of(row)).rope
        return f"the difference {a} - {b} in {row.measure.title} is {lies} the region {region}"
    if math.isinf(row.rope.low) or math.isinf(row.rope.high):
        return _non_inferior(row, margin, short=short)
    if row.verdict is Verdict.EQUIVALENT:
        return f"{a} and {b} are practically equivalent in {row.measure.title}"
    if row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        return f"{better} is better than {worse} in {row.measure.title}"
    if row.verdict is Verdict.UNDECIDED or sure < LEANING:
        return f"{a} and {b} cannot yet be told apart in {row.measure.title}; more data are needed"
    if sure < LIKELY:
        return f"{better} may be better than {worse} in {row.measure.title}, but more data are needed"
    return (
        f"{better} looks better than {worse} in {row.measure.title}, but more data are needed to show that it matters"
    )


def _better(row: Contrast) -> tuple[str, str]:
    """Return the names of the better and the worse system, by the sign of the difference."""
    a, b = (system.name for system in row.systems)
    return (a, b) if (row.difference.mean > 0) == row.measure.higher_is_better else (b, a)


def _over_data_sets(row: Contrast) -> str:
    """Say the decision of a test over data sets, which goes by how probable it is that most are won."""
    a, b = (system.name for system in row.systems)
    if row.verdict is Verdict.EQUIVALENT:
        return f"{a} and {b} are practically equivalent in {row.measure.title} on most data sets"
    if row.verdict not in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        return f"it is undecided whether {a} or {b} is better in {row.measure.title} on most data sets"
    first = (row.verdict is Verdict.MUCH_GREATER) == row.measure.higher_is_better
    better, worse = (a, b) if first else (b, a)
    told = f"{better} is better than {worse} in {row.measure.title} on most data sets"
    return told if _better(row)[0] == better else f"{told}, but not on average"


def _non_inferior(row: Contrast, margin: str, *, short: bool) -> str:
    """Say the decision on a region that is open to one side: whether one system is not worse by more than a margin."""
    a, b = (system.name for system in row.systems)
    # A difference above a margin supports A where higher is better, and for B where lower is.
    first = math.isinf(row.rope.high) == row.measure.higher_is_better
    tried, against = (a, b) if first else (b, a)
    edge = abs(row.rope.low if math.isinf(row.rope.high) else row.rope.high)
    told = f"{'' if short else f'in {row.measure.title} '}(margin {margin or f'{edge:g}'})"
    if row.verdict in (Verdict.AT_LEAST, Verdict.AT_MOST):
        better = row.difference.hdi.low > 0 if row.verdict is Verdict.AT_LEAST else row.difference.hdi.high < 0
        return f"{tried} is non-inferior to {against} {told}" + (", and better" if better else "")
    if row.verdict in (Verdict.MUCH_LESS, Verdict.MUCH_GREATER):
        return f"{tried} is inferior to {against} {told}"
    if short:
        return f"undecided: non-inferiority of {tried} to {against} {told}"
    return f"it is undecided whether {tried} is non-inferior to {against} {told}; more data are needed"


def sentence(row: Contrast, said: Said | None = None) -> str:
    """Say the answer in one plain sentence: which, by how much, how sure, and whether it matters."""
    if math.isnan(row.difference.hdi.low):
        a, b = (system.name for system in row.systems)
        return (
            f"the observed difference {a} - {b} in {row.measure.title} is {signed(row.observed)}; it has no "
            "interval, so its uncertainty is unknown."
        )
    digits = decimals(row.difference.std)
    said = said or Said.of(row)
    found = (
        f"the difference {row.systems[0].name} - {row.systems[1].name} is {signed(row.difference.mean, digits)} "
        f"and lies between {said.low} and {said.high} with {said.mass} probability"
    )
    if is_over_data_sets(row):
        return f"{verdict(row)}: {practical(row)}; {found.replace('the difference', 'the mean difference', 1)}."
    region = f"the region of practical equivalence ({said.rope})"
    if (math.isinf(row.rope.low) or math.isinf(row.rope.high)) and row.rope.low <= 0 <= row.rope.high:
        region = f"the region of non-inferiority ({said.rope})"
    where = {
        Verdict.EQUIVALENT: f"inside {region}",
        Verdict.AT_LEAST: f"inside {region}",
        Verdict.AT_MOST: f"inside {region}",
        Verdict.MUCH_GREATER: f"entirely above {region}",
        Verdict.MUCH_LESS: f"entirely below {region}",
        Verdict.GREATER: f"partly inside {region}",
        Verdict.LESS: f"partly inside {region}",
        Verdict.UNDECIDED: f"centred on {region}",
    }[row.verdict]
    doubt = ""
    if row.diagnostics is not None and row.diagnostics.hopeless:
        doubt = "unreliable, because the chains did not converge: "
    return f"{doubt}{verdict(row, said)}: {found}, {where}."


def practical(row: Contrast) -> str:
    """Say how probable a difference beyond the region is, to either side."""
    if row.rope_probabilities is None:
        return ""
    a, b = (system.name for system in row.systems)
    first, same, second = (probability(each) for each in row.rope_probabilities)
    told = f"P({a} higher by more than the ROPE) {first}, P({b} higher) {second}, P(neither) {same}"
    if is_over_data_sets(row):
        return f"{told}, on most data sets; the decision is based on these probabilities"
    return told


def appraised(row: Appraisal) -> str:
    """Say in one sentence how good a system is."""
    digits = decimals(row.system.std)
    low, high = (f"{end:.{digits}f}" for end in row.system.hdi)
    return (
        f"{row.measure.title} of {row.system.name} is {row.system.mean:.{digits}f} and lies between {low} and {high} "
        f"with {100 * row.hdi_mass:g}% probability."
    )


def pairing(value: Pairing, items: int) -> str:
    """Say what the pairing is worth."""
    if value.narrower <= 0.005:
        return "Pairing did not narrow the interval."
    return (
        f"Pairing makes the interval {100 * value.narrower:.0f}% narrower: unpaired test sets would need about "
        f"{value.items_saved:,} items in addition to these {items:,}."
    )


def what_now(row: Contrast) -> str:
    """Say how many more items would decide an open comparison, or how many wrong labels would overturn a decision."""
    if row.additional_items is None:
        return tipping(row)
    right, average, wanted = row.additional_items
    told = "Next step: "
    if any(finding.code in ROUGH for finding in row.findings):
        told += "very roughly, because so few items differ, "
    if right is None:
        told += "the estimate lies on the edge of the ROPE, so if it is correct no number of items would decide"
    else:
        told += (
            f"if the current estimate is correct, about {right:,} more items would decide with probability {wanted:g}"
        )
    if average is None:
        return f"{told}; averaged over the posterior, no number of items reaches that probability."
    return f"{told}; averaged over the posterior, about {average:,}."
