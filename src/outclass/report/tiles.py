"""Takes rows, gives the few numbers that open a page: each a label, a value and its interval.

May import `words`; must not lay anything out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.rows.types import Appraisal, Contrast, MeasureInfo, Ranked, SystemScores, SystemSummary
from outclass.significance.result import TestResult

if TYPE_CHECKING:
    from outclass.planning.study import Power, Smallest

MOST: Final = 4  # systems that have a tile
IN_A_LABEL: Final = 24  # characters of a name


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One number at the head of a page.

    `key` says what it is, so that the page can put in another number when the ROPE is moved.
    """

    label: str
    value: str
    detail: str = ""
    key: str = ""
    sign: str = ""  # of the decision, which colours it


def of_contrast(row: Contrast) -> list[Tile]:
    """Return both scores, the difference, who is better how surely, and the decision."""
    a, b = row.systems
    digits = words.decimals(row.difference.std)
    mass = f"{100 * row.hdi_mass:g}% HDI"
    known = [each for each in row.systems if not (math.isnan(each.observed) and math.isnan(each.mean))]
    tiles = [_score(each, row.measure, mass, digits, key=f"score-{at}") for at, each in enumerate(known)]
    if math.isnan(row.difference.hdi.low):
        size = words.signed(row.observed, digits)
        return [*tiles, Tile(label=f"{a.name} - {b.name}", value=size, detail="no interval", key="difference")]
    low, high = (difference(row, end) for end in row.difference.hdi)
    unit = " points" if row.measure.in_points else ""
    leader = words.leader(row)
    sure = words.better(row) if leader == a.name else 1 - words.better(row)
    inside = f"{words.percent(row.difference.rope)} within the ROPE"
    return [
        *tiles,
        Tile(
            label=f"{a.name} - {b.name}",
            value=f"{difference(row, row.difference.mean)}{unit}",
            detail=f"{mass} {low} to {high}",
            key="difference",
        ),
        Tile(label=f"P({leader} better)", value=words.percent(sure), detail=f"{row.items:,} items", key="sure"),
        Tile(label="Decision", value=words.decided(row), detail=inside, key="decision", sign=row.verdict.sign),
    ]


def difference(row: Contrast, value: float) -> str:
    """Write a difference with its sign, in points of a rate or in the unit of the measure."""
    factor, digits = words.scale(row.measure, row.difference.std)
    return words.signed(factor * value, digits)


def of_appraisals(rows: Sequence[Appraisal]) -> list[Tile]:
    """Return the score of each system, of the first few."""
    return [
        _score(row.system, row.measure, f"{100 * row.hdi_mass:g}% HDI", words.decimals(row.system.std))
        for row in rows[:MOST]
    ]


def of_ranking(systems: Sequence[Ranked], hdi_mass: float) -> list[Tile]:
    """Return the scores of the first few systems, each with the probability that it is the best."""
    digits = words.decimals(max(each.system.std for each in systems))
    return [
        Tile(
            label=each.system.name,
            value=f"{each.system.mean:.{digits}f}",
            detail=f"{100 * hdi_mass:g}% HDI {each.system.hdi.low:.{digits}f} to {each.system.hdi.high:.{digits}f}; "
            f"P(best) {words.probability(each.best)}",
        )
        for each in systems[:MOST]
    ]


def of_plan(
    smallest: "Sequence[Smallest]", powers: "Sequence[Power]", true: float | None, rope: Interval
) -> list[Tile]:
    """Return how many items each goal needs, or how probable it is with the most items, and what was taken as true."""
    found = [
        Tile(
            label=f"Items for '{each.goal}'",
            value="none" if each.n is None else f"{each.n:,}",
            detail=f"probability {each.wanted:g}, {each.model} model",
        )
        for each in smallest[: MOST - 1]
    ]
    found = found or [
        Tile(
            label=f"P({each.goal}), {each.n:,} items",
            value=words.percent(each.probability),
            detail=f"{each.model} model, simulation error {words.percent(each.error)}",
        )
        for each in powers[1 - MOST :]
    ]
    region = f"ROPE {words.rope(rope)}"
    assumed = "as in the pilot" if true is None else words.signed(true)
    return [*found, Tile(label="True difference", value=assumed, detail=region)]


def of_scores(scores: Sequence[SystemScores]) -> list[Tile]:
    """Return each system's F1 over all categories, of the first few."""
    return [
        Tile(label=each.name, value=f"{each.micro_f1:.3f}", detail=f"micro-F1; macro-F1 {each.macro_f1:.3f}")
        for each in scores[:MOST]
    ]


def of_tests(row: TestResult, scores: Sequence[Tile]) -> list[Tile]:
    """Return the systems' scores, the difference and what the recommended test says."""
    tiles = list(scores)
    if len(row.systems) == 2 and not math.isnan(row.effect):
        low, high = row.interval
        told = "" if math.isnan(low) else f"95% CI {words.in_prose(low)} to {words.in_prose(high)}"
        tiles.append(Tile(label=" − ".join(row.systems), value=words.in_prose(row.effect), detail=told))
    verdict = "rejected" if row.p_value <= words.SIGNIFICANT else "not rejected"
    return [
        *tiles,
        Tile(
            label=f"p, {words.test_name(row.name)}",
            value=words.p_value(row.p_value),
            detail=f"equality {verdict} at α = .05",
        ),
    ]


def _score(system: SystemSummary, measure: MeasureInfo, mass: str, digits: int, key: str = "") -> Tile:
    if math.isnan(system.mean):
        value = "undefined" if math.isnan(system.observed) else f"{system.observed:.{digits}f}"
        return Tile(label=system.name, value=value, detail=f"{measure.title}, observed", key=key)
    low, high = (f"{end:.{digits}f}" for end in system.hdi)
    return Tile(label=system.name, value=f"{system.mean:.{digits}f}", detail=f"{mass} {low} to {high}", key=key)
