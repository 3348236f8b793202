"""The tables of significance tests, and what is said below them."""

import math
from collections.abc import Sequence
from dataclasses import replace

from outclass.report import words
from outclass.report.tables import Column
from outclass.report.test_choice import caution
from outclass.rows.types import Category, FrequencyBand, SystemScores
from outclass.significance.result import TestResult
from outclass.testing.registry import title_of

LEGEND = (
    "Marks as in Yang & Liu 1999, for unadjusted p-values: >> (A better) << p ≤ .01, > < p ≤ .05, ~ p > .05; ~= "
    "equivalent by TOST. Intervals are two-sided 95%, for TOST 90%."
)

DIGITS = 4
MOST_PAIRS = 20  # in a short answer


def of_tests(rows: Sequence[TestResult]) -> list[Column]:
    """Return the columns of the table of tests."""
    columns = []
    if len({row.systems for row in rows}) > 1:
        columns.append(_names("systems", "systems", [" : ".join(row.systems) for row in rows]))
    columns.append(_names("test", "test", [title_of(row.name) for row in rows]))
    columns.append(_names("measure", "measure", [words.measure_name(row) for row in rows]))
    columns += [
        _column("statistic", "statistic", [_number(row.statistic) for row in rows], 5),
        _column("p", "p", [words.p_value(row.p_value) for row in rows], 0),
    ]
    if any(row.adjusted for row in rows):
        columns.append(
            _column("holm", "p (Holm)", [words.p_value(row.adjusted.holm) if row.adjusted else "" for row in rows], 1)
        )
        columns.append(
            _column(
                "bh",
                "p (BH)",
                [words.p_value(row.adjusted.benjamini_hochberg) if row.adjusted else "" for row in rows],
                3,
            )
        )
    columns += [
        _column("alternative", "alternative", [row.alternative for row in rows], 6),
        _column("effect", "effect", [_effect(row) for row in rows], 2),
        _column("interval", "interval", [_interval(row) for row in rows], 4),
        _column("mark", "mark", [row.mark for row in rows], 0),
    ]
    return columns


def brief_tests(rows: Sequence[TestResult]) -> list[Column]:
    """Return the columns of a short answer: stars, and beside a test what speaks against it."""
    ranks = {"statistic": 7, "alternative": 6, "interval": 3, "bh": 5}
    columns = [replace(each, rank=ranks.get(each.key, each.rank)) for each in of_tests(rows) if each.key != "mark"]
    at = 1 + max(place for place, each in enumerate(columns) if each.key in ("p", "holm"))
    columns.insert(at, _column("stars", "", [words.stars(row) for row in rows], 0))
    cautions = [caution(row) for row in rows]
    return [*columns, *([_column("caution", "caution", cautions, 1)] if any(cautions) else [])]


def brief_pairs(chosen: Sequence[TestResult]) -> list[Column]:
    """Return one row for each pair, with what differs between them; the sentence above names the test."""
    found = {each.key: each for each in brief_tests(chosen)}
    same = {each.key for each in (found["test"], found["measure"]) if len(set(each.cells)) == 1}
    order = ("systems", "test", "measure", "effect", "interval", "p", "holm", "stars", "caution")
    return [found[key] for key in order if key in found and key not in same and any(found[key].cells)]


def first_pairs(chosen: Sequence[TestResult]) -> list[TestResult]:
    """Return as many pairs as a short answer has room for, those with the smallest p-values."""
    if len(chosen) <= MOST_PAIRS:
        return list(chosen)
    kept = sorted(chosen, key=lambda row: (math.isnan(row.p_value), words.decisive(row), row.p_value))[:MOST_PAIRS]
    return [row for row in chosen if any(row is each for each in kept)]


def paper_tests(rows: Sequence[TestResult]) -> list[Column]:
    """Return the tests as a paper has them: what was tested, the difference with its interval, p."""
    kept = [each for each in of_tests(rows) if each.key not in ("effect", "interval", "mark", "alternative")]
    effects = [f"{_effect(row)} {_interval(row)}".strip() for row in rows]
    at = next(place for place, each in enumerate(kept) if each.key == "p")
    sides = [] if len({row.alternative for row in rows}) == 1 else [row.alternative for row in rows]
    return [
        *kept[:at],
        _column("delta", "Δ", effects, 0),
        *([_column("alternative", "alternative", sides, 0)] if sides else []),
        *kept[at:],
    ]


def paper_notes(rows: Sequence[TestResult]) -> list[str]:
    """Say what the columns of a paper's table hold."""
    sides = list(dict.fromkeys(row.alternative for row in rows))
    side = f" All tests: {sides[0]}." if len(sides) == 1 else ""
    return [f"Δ: the first system − the second, as observed [95% confidence interval; of TOST 90%].{side}"]


def page_tests(rows: Sequence[TestResult]) -> list[Column]:
    """Return the columns of the recommended tests that a page shows first: the effect, its interval, the p-value."""
    found = {each.key: each for each in brief_tests(rows) if any(each.cells)}
    order = ("systems", "test", "measure", "effect", "interval", "p", "holm", "stars", "caution")
    return [found[key] for key in order if key in found]


def of_scores(scores: Sequence[SystemScores]) -> list[Column]:
    """Return the columns of systems over all categories, as in Yang & Liu's Table 1."""
    columns = [_names("system", "system", [each.name for each in scores])]
    for key, title, rank in (
        ("micro_recall", "miR", 3),
        ("micro_precision", "miP", 4),
        ("micro_f1", "miF1", 0),
        ("macro_recall", "maR", 5),
        ("macro_precision", "maP", 6),
        ("macro_f1", "maF1", 0),
    ):
        columns.append(_column(key, title, [_share(getattr(each, key)) for each in scores], rank))
    return [*columns, _column("error", "error", [f"{each.error:.5f}" for each in scores], 2)]


def of_categories(categories: Sequence[Category], systems: Sequence[str]) -> list[Column]:
    """Return the columns of the table of categories, the most common first."""
    listed = sorted(categories, key=lambda each: (-each.frequency, each.label))
    columns = [
        _names("label", "category", [each.label for each in listed]),
        _column("frequency", "frequency", [f"{each.frequency:,}" for each in listed], 1),
    ]
    return columns + [
        _column(f"f1_{place}", f"F1 {system}", [_share(each.f1[place]) for each in listed], 2 + place, True)
        for place, system in enumerate(systems)
    ]


def of_bands(bands: Sequence[FrequencyBand], systems: Sequence[str]) -> list[Column]:
    """Return the columns of performance against how common categories are."""
    columns = [
        _names("band", "frequency", [_band(each) for each in bands]),
        _column("categories", "categories", [f"{each.categories:,}" for each in bands], 0),
    ]
    return columns + [
        _column(f"f1_{place}", f"maF1 {system}", [_share(each.macro_f1[place]) for each in bands], 1 + place, True)
        for place, system in enumerate(systems)
    ]


def assumptions(rows: Sequence[TestResult]) -> list[str]:
    """Say what each test assumes, once."""
    told: dict[str, list[str]] = {}
    for row in rows:
        names = told.setdefault(row.assumptions, [])
        if row.name not in names:
            names.append(row.name)
    return [f"{', '.join(names)}: {text}." for text, names in told.items() if text]


def errors(rows: Sequence[TestResult]) -> list[str]:
    """Say how exact p-values are that were drawn."""
    drawn = [row for row in rows if row.p_error > 0]
    if not drawn:
        return []
    names = ", ".join(dict.fromkeys(row.name for row in drawn))
    worst = max(row.p_error for row in drawn)
    return [f"{names}: p-values from random swaps, with a Monte Carlo standard error of at most {worst:.2g}."]


def families(rows: Sequence[TestResult]) -> list[str]:
    """Name the families that p-values were adjusted within."""
    found = dict.fromkeys(row.adjusted.family for row in rows if row.adjusted)
    return [f"Holm and Benjamini-Hochberg within each family: {'; '.join(found)}."] if found else []


def _band(band: FrequencyBand) -> str:
    return f"{band.low:,}" if band.low == band.high else f"{band.low:,}-{band.high:,}"


def _interval(row: TestResult) -> str:
    return "" if math.isnan(row.interval.low) else words.interval(row.interval, DIGITS)


def _effect(row: TestResult) -> str:
    return "" if math.isnan(row.effect) else words.signed(row.effect, DIGITS)


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:,.0f}" if abs(value) < 1e9 and value == int(value) else f"{value:.4g}"


def _share(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _names(key: str, title: str, names: Sequence[object]) -> Column:
    return Column(key=key, title=title, cells=tuple(str(name) for name in names), is_name=True)


def _column(key: str, title: str, cells: Sequence[str], rank: int, names_a_system: bool = False) -> Column:
    return Column(key=key, title=title, cells=tuple(cells), rank=rank, names_a_system=names_a_system)
