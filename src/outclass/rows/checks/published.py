"""Published results: other counts that are printed the same, and the unknown agreement of two systems."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from outclass.data.published import ConfusionCounts, CountsPair, SameItems
from outclass.findings import Finding, declare, finding
from outclass.inference.distribution import Interval
from outclass.models.agreement import widest
from outclass.models.table_fit import OneTableFit, TableFit, fit, fit_one, observed
from outclass.rows.checks import Case
from outclass.rows.label_parts import AgreementCase
from outclass.verdict.rope import Verdict, decide

declare(OC631="other counts are printed as the same rates")

DIGITS: Final = 4  # of the ends of intervals


def check(case: Case) -> Iterator[Finding]:
    """Look at counts that were recovered, and at pairs whose agreement is unknown."""
    data = case.fit.data
    if case.row is None:
        return
    if isinstance(case.fit, OneTableFit) and isinstance(data, ConfusionCounts):
        yield from _of_one(case, case.fit, data)
    elif isinstance(case.fit, TableFit) and isinstance(data, CountsPair):
        yield from _of_pair(case, case.fit, data)
        if case.row.unknown_agreement is not None:
            yield finding("OC632", _agreement(case))


def _of_one(case: Case, own: OneTableFit, counts: ConfusionCounts) -> Iterator[Finding]:
    """Evaluate the counts with the least and the greatest value of the measure."""
    if not _has_others(counts):
        return
    ends = [
        fit_one(each, each.name, each.table, own.label, own.question).value(0, case.measure).hdi(case.row.hdi_mass)
        for each in _extremes(counts, case.measure)
    ]
    low, high = _hull([case.row.system.hdi, *ends])
    yield finding("OC631", f"{_others(case)} between {low:.{DIGITS}f} and {high:.{DIGITS}f}.")


def _of_pair(case: Case, own: TableFit, pair: CountsPair) -> Iterator[Finding]:
    """Compare the counts with which A looks best and B worst, and the other way round."""
    if not (_has_others(pair.first) or _has_others(pair.second)):
        return
    row = case.row
    (a_low, a_high), (b_low, b_high) = (_extremes(each, case.measure) for each in (pair.first, pair.second))
    found: list[Interval] = [row.difference.hdi]
    for first, second in ((a_low, b_high), (a_high, b_low)):
        other = replace(pair, first=first, second=second)
        if isinstance(other, SameItems):
            other = widest(other, case.measure, own.question)
        found.append(fit(other, own.label, own.question).difference(0, 1, case.measure).hdi(row.hdi_mass))
    low, high = _hull(found)
    verdicts = list(dict.fromkeys(decide(each, row.rope) for each in found))
    ends = f"between {low:+.{DIGITS}f} and {high:+.{DIGITS}f}"
    yield finding("OC631", f"{_others(case)} {ends}; {_varies(case, verdicts)}.")


def _others(case: Case) -> str:
    return f"depending on which of the counts that are printed alike are taken, the {_mass(case)} lies"


def _mass(case: Case) -> str:
    return f"{100 * case.row.hdi_mass:g}% HDI"


def _varies(case: Case, verdicts: list[Verdict]) -> str:
    if len(verdicts) == 1:
        return "the decision is the same"
    a, b = case.names
    return f"the decision varies: {', '.join(f'{a} {each.sign} {b}' for each in verdicts)}"


def _has_others(counts: ConfusionCounts) -> bool:
    return counts.recovered is not None and counts.recovered.solutions > 1


def _extremes(counts: ConfusionCounts, measure: Any) -> tuple[ConfusionCounts, ConfusionCounts]:
    """Return the counts with the least and with the greatest value of a measure."""
    every = list(counts.alternatives())
    values = [observed(measure, each.table) for each in every]
    order = sorted((value, place) for place, value in enumerate(values) if not math.isnan(value))
    return (every[order[0][1]], every[order[-1][1]]) if order else (counts, counts)


def _hull(intervals: list[Interval]) -> Interval:
    return Interval(min(each.low for each in intervals), max(each.high for each in intervals))


def _agreement(case: Case) -> str:
    """Say what becomes of the comparison under every possible agreement."""
    known = case.row.unknown_agreement
    a, b = case.names
    told = (
        f"which {known.of} {a} and {b} agree on is unknown, so the widest possible interval is shown, that of "
        f"agreement on {known.widest.agreement:.1%}. The {_mass(case)} is {_case(known.independent)} if errors are "
        f"independent, and at its narrowest {_case(known.narrowest)}."
    )
    if known.verdict is None:
        return f"{told} No possible agreement decides."
    decision = f"the decision is {a} {known.verdict.sign} {b}"
    if known.decided == 1:
        return f"{told} Under every possible agreement {decision}."
    needed = "" if math.isnan(known.needed) else f", and under all with agreement on at least {known.needed:.1%}"
    return f"{told} Under {known.decided:.1%} of {known.pairings:,} possible pairings {decision}{needed}."


def _case(found: AgreementCase) -> str:
    return f"{found.hdi.low:+.{DIGITS}f} to {found.hdi.high:+.{DIGITS}f} (agreement {found.agreement:.1%})"
