"""The results in sentences that a paper can take as they are: scores, differences, P, p-values, decisions."""

import math
from collections.abc import Sequence

from outclass.inference.distribution import Interval
from outclass.report.words.brief import region
from outclass.report.words.evidence import own_test
from outclass.report.words.numbers import decimals, in_prose, p_equals, probability
from outclass.report.words.several import summary
from outclass.report.words.test_names import test_name
from outclass.report.words.verdicts import is_over_data_sets, verdict
from outclass.rows.types import Appraisal, Contrast, MeasureInfo, Ranked, SystemSummary
from outclass.verdict.rope import Verdict

FEW = 6  # results, each of which gets its sentence


def results(rows: Sequence[Contrast]) -> str:
    """Say what comparisons found: each of a few, or what many come to and the largest difference."""
    if len(rows) <= FEW:
        return " ".join(_compared(row, "" if len(rows) == 1 else f"In {_of(row)}, ") for row in rows)
    known = [row for row in rows if not math.isnan(row.difference.mean)]
    if not known:
        return summary(rows)
    largest = max(known, key=lambda row: abs(row.difference.mean))
    return f"{summary(rows)} The difference was largest in {_of(largest)}: {_compared(largest, '')}"


def appraised_results(rows: Sequence[Appraisal]) -> str:
    """Say what each system scored: all of a few results, or the best and the worst."""
    kept = list(rows) if len(rows) <= FEW else _ends(rows)
    several = len({row.measure.name for row in rows}) > 1
    told = []
    for row in kept:
        label = "" if row.part is None or len({each.part for each in rows}) == 1 else f" for {row.part}"
        what = f" in {row.measure.title}" if several else ""
        told.append(f"{row.system.name}{label} scored {_score(row.system, row.hdi_mass)}{what}")
    many = "" if len(kept) == len(rows) else f"; highest and lowest of {len(rows)} results"
    return f"{'; '.join(told)}{many}."


def ranked_results(systems: Sequence[Ranked], hdi_mass: float) -> str:
    """Say what the first systems of a ranking scored, and how likely each is the best."""
    told = [
        f"{each.system.name} scored {_score(each.system, hdi_mass)} and is best with probability "
        f"{probability(each.best).removeprefix('= ')}"
        for each in systems[:FEW]
    ]
    return f"{'; '.join(told)}{'' if len(systems) <= FEW else f'; and {len(systems) - FEW} more'}."


def _ends(rows: Sequence[Appraisal]) -> list[Appraisal]:
    known = [row for row in rows if not math.isnan(row.system.mean)] or list(rows)
    return [pick(known, key=lambda row: row.system.mean) for pick in (max, min)]


def _of(row: Contrast) -> str:
    return row.measure.title if row.label is None else f"{row.measure.title} for {row.label}"


def _compared(row: Contrast, where: str) -> str:
    """Say what one comparison found; `where` begins the sentence, if it needs a beginning."""
    a, b = row.systems
    told = ""
    if not (math.isnan(a.observed) and math.isnan(a.mean)):
        told = f"{where}{a.name} scored {_score(a, row.hdi_mass)} and {b.name} {_score(b, row.hdi_mass)}. "
        where = ""
    told += f"{where}{'the' if where else 'The'} difference {a.name} − {b.name} was "
    if math.isnan(row.difference.hdi.low):
        return f"{told}{in_prose(row.observed)}, as observed."
    digits = decimals(row.difference.std)
    told += (
        f"{in_prose(row.difference.mean, digits)} "
        f"({_interval(row.difference.hdi, row.hdi_mass, digits, with_sign=True)}; P(Δ > 0) "
        f"{probability(row.difference.above)}"
    )
    test = own_test(row)
    if test is not None and not math.isnan(test.p_value):
        told += f"; {test_name(test.name)}, p {p_equals(test.p_value)}"
    return f"{told}), {_decided(row)}."


def _decided(row: Contrast) -> str:
    """Say the decision in a clause that goes on from the difference."""
    unusual = is_over_data_sets(row) or not row.rope.low <= 0 <= row.rope.high
    if unusual or math.isinf(row.rope.low) or math.isinf(row.rope.high):
        return f"so that {verdict(row)}"
    rope = _rope(row.rope, row.measure)
    if row.verdict is Verdict.EQUIVALENT:
        return f"wholly within {rope}: the systems were practically equivalent"
    if row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        return f"wholly beyond {rope}: a difference that matters"
    return f"which crosses an edge of {rope}: undecided"


def _rope(value: Interval, measure: MeasureInfo) -> str:
    return f"the ROPE of {region(value, measure)}"


def _score(system: SystemSummary, hdi_mass: float) -> str:
    if math.isnan(system.mean):
        return "an undefined value" if math.isnan(system.observed) else f"{system.observed:.3f}"
    digits = decimals(system.std)
    if math.isnan(system.hdi.low):
        return f"{system.mean:.{digits}f}"
    return f"{system.mean:.{digits}f} ({_interval(system.hdi, hdi_mass, digits)})"


def _interval(value: Interval, hdi_mass: float, digits: int, *, with_sign: bool = False) -> str:
    low, high = (in_prose(end, digits) if with_sign else f"{end:.{digits}f}" for end in value)
    return f"{100 * hdi_mass:g}% HDI {low} to {high}"
