"""Significance tests in sentences: what they come to, the notes below a short table, a paper's paragraph."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from outclass.dialects import spoken
from outclass.report.words.evidence import SIGNIFICANT
from outclass.report.words.numbers import in_prose, p_equals, p_value
from outclass.report.words.test_names import HOLM, cited, measure_name, reference, test_name, works_of
from outclass.significance.result import TestResult

MOST_TOLD: Final = 15  # pairs in a paragraph
MOST_HEADLINES: Final = 3  # measures, each with its sentence
DIGITS: Final = 4
_SIDES: Final = {"greater": "above", "less": "below"}
# Of one test, of several, and what they do; by the code of the finding.
_LEFT_OUT: Final = {
    "OC401": ("treats", "treat", "decisions on one item as independent"),
    "OC402": ("has", "have", "too few data"),
    "OC403": ("chooses", "choose", "the side after seeing the data"),
    "OC405": ("treats", "treat", "categories as independent"),
    "OC406": ("ignores", "ignore", "the pairing"),
}


def decisive(row: TestResult) -> float:
    """Return the p-value that decides: the adjusted one, where several pairs were tested."""
    return row.p_value if row.adjusted is None else row.adjusted.holm


def headlines(chosen: Sequence[TestResult]) -> list[str]:
    """Say what the recommended tests come to, measure by measure."""
    several = _by_measure(chosen)[:MOST_HEADLINES]
    return [_of_pairs(rows) if len(rows) > 1 else _of_one(rows[0]) for rows in several]


def _by_measure(chosen: Sequence[TestResult]) -> list[list[TestResult]]:
    found: dict[str, list[TestResult]] = {}
    for row in chosen:
        found.setdefault(row.measure, []).append(row)
    return list(found.values())


def _of_pairs(rows: Sequence[TestResult]) -> str:
    """Count by the adjusted p-values, and say so."""
    rejected = sum(decisive(row) <= SIGNIFICANT for row in rows)
    many = f"{rejected or 'none'} of {len(rows)} pairs of systems"
    how = _names(rows)
    if any(row.adjusted for row in rows):
        how += ", Holm-adjusted"
    return f"Equality in {measure_name(rows[0])} is rejected for {many} at α = .05 ({how})."


def _of_one(row: TestResult) -> str:
    how = f"{test_name(row.name)}, p {p_equals(row.p_value)}"
    rejected, what = row.p_value <= SIGNIFICANT, measure_name(row)
    if len(row.systems) != 2:
        told = "rejected" if rejected else "not rejected"
        return f"Equal {what} of all {len(row.systems)} systems is {told} at α = .05 ({how})."
    a, b = row.systems
    size = "" if math.isnan(row.effect) else f"{a} − {b} = {in_prose(row.effect, DIGITS)}; "
    return f"{_claim(row, rejected)} in {what} ({size}{how})."


def _claim(row: TestResult, rejected: bool) -> str:
    """Say what the alternative is of one pair, and whether it is shown."""
    a, b = row.systems
    if row.alternative in _SIDES:
        return f"{a} is {'' if rejected else 'not shown to be '}{_SIDES[row.alternative]} {b}"
    if row.alternative == "equivalence":
        return f"{a} and {b} are {'' if rejected else 'not shown to be '}practically equivalent"
    if row.alternative == "non-inferiority":
        return f"{a} is {'' if rejected else 'not shown to be '}non-inferior to {b}"
    return f"{a} and {b} {'differ' if rejected else 'are not shown to differ'}"


def _names(rows: Sequence[TestResult]) -> str:
    """Name the tests of several rows; exact where all are."""
    names = list(dict.fromkeys(test_name(row.name) for row in rows))
    return names[0] if len(names) == 1 else names[0].removeprefix("exact ")


def stars(row: TestResult) -> str:
    """Write the stars of a p-value."""
    p = decisive(row)
    return "**" if p <= 0.01 else "*" if p <= SIGNIFICANT else ""


def notes(
    rows: Sequence[TestResult], over_all: TestResult | None, left: Mapping[str, int], more_pairs: int, hidden: int
) -> list[str]:
    """Say what stands below a short table: what stars mean, the test of all systems, and what is not shown.

    `left` counts the tests that findings speak against, `more_pairs` the pairs and `hidden` the other tests that are
    not shown.
    """
    told = []
    if any(map(stars, rows)):
        adjusted = any(row.adjusted for row in rows)
        told.append(f"* p ≤ .05, ** p ≤ .01{', adjusted by Holm for the number of pairs' if adjusted else ''}.")
    if tied := {row.name: row.ties for row in rows if row.ties}:
        name, many = next(iter(tied.items()))
        told.append(f"The {test_name(name)} and its interval leave out {_counted(many, 'tie')}.")
    if over_all is not None:
        told.append(_of_one(over_all))
    if more_pairs:
        told.append(f"{_counted(more_pairs, 'more pair')} with larger p-values: see ⟨verbose⟩.")
    if hidden:
        told.append(f"{_counted(hidden, 'other test')} {'is' if hidden == 1 else 'are'} shown with ⟨verbose⟩.")
    elif sum(left.values()):
        told.append(_left_out(left))
    return [spoken(each) for each in told]


def _left_out(left: Mapping[str, int]) -> str:
    """Say how many tests are not shown, and why."""
    many = sum(left.values())
    reasons = []
    for code, count in Counter(left).most_common():
        one, several, what = _LEFT_OUT[code]
        number = "it" if many == 1 else "they" if count == many else f"{count}"
        reasons.append(f"{number} {one if count == 1 else several} {what}")
    verb = "is" if many == 1 else "are"
    return f"{_counted(many, 'test')} {verb} not shown (see ⟨verbose⟩): {', '.join(reasons)}."


def _counted(many: int, what: str) -> str:
    return f"{many:,} {what}{'' if many == 1 else 's'}"


# --- a paper ---------------------------------------------------------------------------------------------------------


def paragraph(
    chosen: Sequence[TestResult], over_all: TestResult | None, items: int, seed: int, version: str
) -> tuple[str, list[str]]:
    """Write the paragraph that a paper needs, with the results of all pairs, and the references it makes."""
    works: list[str] = []
    told = []
    for place, rows in enumerate(_by_measure(chosen)):
        told.append(_tested(rows, works, f" on {items:,} items" if items and not place else "", again=place > 0))
        if any(row.adjusted for row in rows) and HOLM not in works:
            works.append(HOLM)
            told.append(f"The p-values were adjusted for the {len(rows)} pairs by Holm's method [{cited(HOLM)}].")
        if not place:
            told.append(f"Tests were run at α = .05 with outclass {version} (seed {seed}).")
        told.append(_results(rows))
    if over_all is not None and len(chosen[0].systems) == 2:
        how = f"{test_name(over_all.name)}{_cites(over_all, works)}, p {p_equals(over_all.p_value)}"
        rejected = "was" if over_all.p_value <= SIGNIFICANT else "was not"
        told.append(
            f"Equal {measure_name(over_all)} of all {len(over_all.systems)} systems {rejected} rejected ({how})."
        )
    return " ".join(told), [reference(work) for work in works]


def _tested(rows: Sequence[TestResult], works: list[str], on: str, *, again: bool) -> str:
    """Say what was tested, and with which test."""
    row = rows[0]
    sides = list(dict.fromkeys(each.alternative for each in rows))
    side = {"two-sided": " (two-sided)", **dict.fromkeys(_SIDES, " (one-sided)")}.get(sides[0], "")
    name = _names(rows)
    article = "" if "'s " in name else "the "  # of a test that is named after a person
    cites = "".join(dict.fromkeys(_cites(each, works) for each in rows))
    how = f"{article}{name}{cites}{side if len(sides) == 1 else ''}"
    also = "also " if again else ""
    if len(rows) > 1:
        systems = dict.fromkeys(name for each in rows for name in each.systems)
        return f"We {also}tested {len(rows)} pairs of {len(systems)} systems in {measure_name(row)}{on} with {how}."
    who = " and ".join(row.systems) if len(row.systems) == 2 else f"{len(row.systems)} systems"
    return f"We {also}tested {who} in {measure_name(row)}{on} with {how}."


def _cites(row: TestResult, works: list[str]) -> str:
    own = works_of(row.name)
    works += [work for work in own if work not in works]
    return f" [{', '.join(map(cited, own))}]" if own else ""


def _results(rows: Sequence[TestResult]) -> str:
    """Give the results: of one pair, or of all."""
    if len(rows) == 1:
        return _result(rows[0])
    rejected = sum(decisive(row) <= SIGNIFICANT for row in rows)
    known = sorted(rows, key=lambda row: (decisive(row), row.p_value))
    listed = "; ".join(_listed(row) for row in known[:MOST_TOLD])
    left = len(rows) - MOST_TOLD
    more = "" if left <= 0 else f"; the other {left:,} pairs have larger p-values and are in the table of results"
    return f"Equality was rejected for {rejected or 'none'} of the {len(rows)} pairs: {listed}{more}."


def _result(row: TestResult) -> str:
    verdict = "was" if row.p_value <= SIGNIFICANT else "was not"
    p = f"p {p_equals(row.p_value)}{_error(row)}"
    if len(row.systems) != 2:
        return f"Equality of all systems {verdict} rejected ({p})."
    a, b = row.systems
    shown = {"equivalence": "equivalence {} shown", "non-inferiority": "non-inferiority {} shown"}
    claim = shown.get(row.alternative, "equality {} rejected").format(verdict)
    if math.isnan(row.effect):
        return f"For {a} and {b}, {p}: {claim}."
    low, high = row.interval
    mass = 90 if row.alternative in shown else 95
    ends = f"{mass}% confidence interval {in_prose(low, DIGITS)} to {in_prose(high, DIGITS)}; "
    within = f" ({'' if math.isnan(low) else ends}{p})"
    return f"The difference {a} − {b} was {in_prose(row.effect, DIGITS)}{within}: {claim}."


def _listed(row: TestResult) -> str:
    a, b = row.systems
    size = "" if math.isnan(row.effect) else f" {in_prose(row.effect, DIGITS)},"
    adjusted = f" (adjusted {p_value(row.adjusted.holm)})" if row.adjusted else ""
    return f"{a} − {b}:{size} p {p_equals(row.p_value)}{adjusted}"


def _error(row: TestResult) -> str:
    return f", Monte Carlo standard error {row.p_error:.1g}" if row.p_error > 0 else ""
