"""Takes rows, gives the tables of a document: systems as rows, each with its score, the difference, P and p.

May import `tables` and `words`; must not know LaTeX, Markdown or HTML, which lay the columns out.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from outclass.report import captions, words
from outclass.report.tables import Column, column, items_of, names, parts, raw
from outclass.rows.types import Appraisal, Contrast, SystemSummary

Tables = list[tuple[str, Sequence[Column]]]

NOTHING: Final = "–"
MOST_DIGITS: Final = 5
MOST_ACROSS: Final = 6  # systems whose scores stand beside each other


def contrasts(rows: Sequence[Contrast]) -> Tables:
    """Return systems as rows; of many labels a row per label with both scores; of many pairs also a table of these."""
    title = captions.title(rows)
    pairs = dict.fromkeys(_pair(row) for row in rows)
    many_labels = len({row.part for row in rows}) > 1
    known = any(not _is_unknown(system) for row in rows for system in row.systems)
    if any(row.pooled is not row for row in rows):
        return [(title, _slices(rows, one_pair=len(pairs) == 1, scores=known))]
    if many_labels or not known:
        return [(title, _side_by_side(rows, one_pair=len(pairs) == 1, scores=known))]
    found: Tables = [(title, _systems(rows))]
    if len(pairs) > 1:
        found.append(("All pairs", _side_by_side(rows, one_pair=False, scores=False)))
    return found


def appraisals(rows: Sequence[Appraisal]) -> Tables:
    """Return systems as rows; of many labels a row per label with the score of each system."""
    systems = list(dict.fromkeys(row.system.name for row in rows))
    title = ", ".join(filter(None, [systems[0] if len(systems) == 1 else f"{len(systems)} systems", _common(rows)]))
    by_key = {(row.part, row.measure.name, row.system.name): row for row in rows}
    keys = list(dict.fromkeys((row.part, row.measure.name) for row in rows))
    whole = len(by_key) == len(rows) == len(keys) * len(systems)
    digits = _digits([row.system.std for row in rows])
    interval = f"[{100 * rows[0].hdi_mass:g}% HDI]"
    if len({row.part for row in rows}) > 1 and 1 < len(systems) <= MOST_ACROSS and whole:
        first = [by_key[*key, systems[0]] for key in keys]
        across = [
            _named(f"score_{place}", name, [score(by_key[*key, name].system, digits) for key in keys])
            for place, name in enumerate(systems)
        ]
        return [(title, [*_what_varies(first), *across])]
    measure = rows[0].measure.title if len({row.measure.name for row in rows}) == 1 else "score"
    return [
        (
            title,
            [
                names("system", "system", [row.system.name for row in rows]),
                *_what_varies(rows),
                column("observed", "observed", [number(row.system.observed, digits) for row in rows], 1),
                _named("score", f"{measure} {interval}", [score(row.system, digits) for row in rows]),
            ],
        )
    ]


def score(system: SystemSummary, digits: int) -> str:
    """Write a system's score with its interval; as observed where it has none."""
    if math.isnan(system.mean):
        return number(system.observed, digits)
    told = number(system.mean, digits)
    return told if math.isnan(system.hdi.low) else f"{told} {words.unsigned_interval(system.hdi, digits)}"


def number(value: float, digits: int) -> str:
    """Write a score."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def _systems(rows: Sequence[Contrast]) -> list[Column]:
    """Lay out every system of every measure, each against the last one."""
    digits = _digits([row.difference.std for row in rows])
    order = list(dict.fromkeys(name for row in rows for name in _pair(row)))
    reference = order[-1]
    blocks = list(dict.fromkeys((row.measure.name, row.prior) for row in rows))
    first: list[Contrast] = []  # a row of each line's block
    systems: list[SystemSummary] = []
    against: list[Contrast | None] = []
    for block in blocks:
        own = [row for row in rows if (row.measure.name, row.prior) == block]
        by_pair = {_pair(row): row for row in own}
        # The scores are those beside the difference, where there is one.
        by_name = {system.name: system for row in own for system in row.systems}
        for name in order:
            row = by_pair.get((name, reference))
            if name in by_name:
                first.append(own[0])
                systems.append(by_name[name] if row is None else row.systems[0])
                against.append(row)
    measure = rows[0].measure.title if len({row.measure.name for row in rows}) == 1 else "score"
    interval = f"[{100 * rows[0].hdi_mass:g}% HDI]"
    return [
        *_what_varies(first),
        names("system", "system", [each.name for each in systems]),
        _named("score", f"{measure} {interval}", [score(each, digits) for each in systems]),
        *_evidence(against, digits),
    ]


def _side_by_side(rows: Sequence[Contrast], *, one_pair: bool, scores: bool) -> list[Column]:
    """Lay out every comparison in one line: what it is of, both scores, the difference."""
    digits = _digits([row.difference.std for row in rows])
    pairs = [_pair(row) for row in rows]
    a, b = pairs[0] if one_pair else ("score A", "score B")
    who = (
        [] if one_pair and scores else [names("a", "A", [a for a, _ in pairs]), names("b", "B", [b for _, b in pairs])]
    )
    both = [
        _named("score_a", a, [score(row.systems[0], digits) for row in rows]),
        _named("score_b", b, [score(row.systems[1], digits) for row in rows]),
    ]
    named = [] if one_pair and scores else who
    return [*_what_varies(rows), *named, *(both if scores else []), *_evidence(rows, digits)]


def _slices(rows: Sequence[Contrast], *, one_pair: bool, scores: bool) -> list[Column]:
    """Lay out slices: the difference of each by itself, and pooled with the others, which decides."""
    # Tests are of a slice by itself, and there are many of them.
    pooled = [replace(row.pooled, tests=()) for row in rows]
    found = _side_by_side(pooled, one_pair=one_pair, scores=scores)
    place = next(place for place, each in enumerate(found) if each.key == "delta")
    first = sum(each.is_name for each in found)
    alone = replace(raw(rows, _digits([row.difference.std for row in rows])), title="Δ raw")
    delta = replace(found[place], key="pooled", title="Δ pooled")
    return [*found[:first], items_of(rows), *found[first:place], alone, delta, *found[place + 1 :]]


def _evidence(rows: Sequence[Contrast | None], digits: int) -> list[Column]:
    """Return the difference with its interval, P, p and the decision; nothing in the line of the reference."""
    known = [row for row in rows if row is not None]
    tests = [None if row is None else words.own_test(row) for row in rows]
    columns = [
        column("delta", "Δ", [NOTHING if row is None else _difference(row, digits) for row in rows], 0),
        column(
            "above", "P(Δ > 0)", [NOTHING if row is None else words.percent(row.difference.above) for row in rows], 0
        ),
    ]
    if any(test is not None for test in tests):
        columns.append(
            column("p", "p", [NOTHING if test is None else words.p_value(test.p_value) for test in tests], 0)
        )
    if any(words.is_over_data_sets(row) for row in known):
        columns += _on_most_data_sets(rows)
    told = [NOTHING if row is None else words.outcome_named(row) for row in rows]
    return [*columns, column("verdict", "decision", told, 0)]


def _on_most_data_sets(rows: Sequence[Contrast | None]) -> list[Column]:
    """Of tests over data sets: the probabilities that decide."""
    found = [None if row is None else row.rope_probabilities for row in rows]
    titles = ("P(A most)", "P(neither)", "P(B most)")
    return [
        column(f"practical_{at}", title, [NOTHING if each is None else words.percent(each[at]) for each in found], 0)
        for at, title in enumerate(titles)
    ]


def _difference(row: Contrast, digits: int) -> str:
    if math.isnan(row.difference.mean) or math.isnan(row.difference.hdi.low):
        return words.signed(row.observed, digits)
    return f"{words.signed(row.difference.mean, digits)} {words.interval(row.difference.hdi, digits)}"


def _what_varies(rows: Sequence[Contrast] | Sequence[Appraisal]) -> list[Column]:
    """Name lines by what differs between them, but for the systems; the rest is left to the caption."""
    columns = []
    if len({row.part for row in rows}) > 1:
        columns.append(parts(rows))
    if len({row.measure.name for row in rows}) > 1:
        columns.append(names("measure", "measure", [row.measure.title for row in rows]))
    if len({row.prior for row in rows}) > 1:
        columns.append(names("prior", "prior", [row.prior for row in rows]))
    return columns


def _common(rows: Sequence[Appraisal]) -> str:
    """Name the measure and the label that all rows have in common."""
    told = captions.title(rows)
    return "" if told == f"{len(rows)} rows" else told


def _named(key: str, title: str, cells: Sequence[str]) -> Column:
    """Return a column whose title comes from the data, as names do."""
    return Column(key=key, title=title, cells=tuple(cells), names_a_system=True)


def _pair(row: Contrast) -> tuple[str, str]:
    a, b = row.systems
    return a.name, b.name


def _is_unknown(system: SystemSummary) -> bool:
    return math.isnan(system.observed) and math.isnan(system.mean)


def _digits(stds: Sequence[float]) -> int:
    return min(MOST_DIGITS, max(words.decimals(std) for std in stds))
