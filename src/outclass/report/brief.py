"""Takes rows or sheets, gives the short answer for a terminal: the sentence, the table, and what would change it.

Everything else is in `terminal`, behind --verbose, and always in JSON. May import `terminal` and `words`; must not make
sentences.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from outclass.report import captions, tables, terminal, text, words
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Appraisal, Contrast, SliceFamily, SystemSummary

FEW = 3  # rows of one pair, each of which is put in words
MOST_FINDINGS = 3
MOST_LINES = 12  # of one comparison
CUTS = (24, 16, 12)  # letters of a name, where longer ones would take more lines
# Findings that inform; they do not change what a reader should believe, or the decision tells them already.
QUIET = frozenset({"OC114", "OC115", "OC116", "OC205", "OC209", "OC213", "OC303", "OC304", "OC654"})


def contrasts(rows: Sequence[Contrast], width: int, families: Sequence[SliceFamily] = ()) -> RenderableType:
    """Show one contrast in a dozen lines, or many as a table."""
    if len(rows) == 1:
        return _one(rows[0], width)
    if families:
        return _slices(rows, width, families)
    one_pair = len({tuple(system.name for system in row.systems) for row in rows}) == 1
    few = one_pair and len({row.part for row in rows}) == 1 and len(rows) <= FEW
    if few:
        above = [terminal.wrapped(words.in_short(row), width, _colour(row)) for row in rows]
    else:
        first = [captions.title(rows)] if one_pair else words.ahead(rows)
        above = [
            *(terminal.wrapped(told, width, "bold") for told in first),
            terminal.wrapped(words.summary(rows), width),
        ]
    columns = tables.brief_contrasts(rows)
    notes = [words.ropes(rows), *([] if all(row.verdict.is_decided for row in rows) else [words.LEANS])]
    if few:
        of_runs = words.variation(rows[0])
        notes += [told for told in [words.next_of(rows), of_runs and f"{rows[0].measure.title}: {of_runs}"] if told]
    notes += [told for told in [words.jointly(rows)] if told]
    below = [terminal.wrapped(told, width, "dim") for told in notes]
    room = MOST_LINES if few else MOST_LINES + MOST_FINDINGS + len(rows)
    return _laid_out(above, columns, below, _telling(rows), width, room)


def _slices(rows: Sequence[Contrast], width: int, families: Sequence[SliceFamily]) -> RenderableType:
    """Show the answer for all items, what the slices of each column come to, and a table of all."""
    above = [terminal.wrapped(captions.title(rows), width, "bold")]
    above += [terminal.wrapped(told, width) for told in words.of_slices(rows, families)]
    decided = all(row.pooled.verdict.is_decided for row in rows)
    notes = [words.POOLED, words.ropes(rows), *([] if decided else [words.LEANS])]
    below = [terminal.wrapped(told, width, "dim") for told in notes]
    room = _height(above, below) + len(rows) + MOST_FINDINGS + 3
    return _laid_out(above, tables.brief_slices(rows), below, _telling(rows), width, room)


def _telling(rows: Sequence[Contrast]) -> list[tuple[str, str, int]]:
    """Return the findings; that the default ROPE is wide does not matter to a difference that lies beyond it."""
    groups = [
        [each for each in row.findings if not (words.lies_beyond(row) and each.code in words.DEFAULT_ROPE)]
        for row in rows
    ]
    return captions.findings_of(groups, rows)


def appraisals(rows: Sequence[Appraisal], width: int) -> RenderableType:
    """Show systems judged one by one."""
    told = [words.appraised(row) for row in rows] if len(rows) <= FEW else words.best(rows)
    parts: list[RenderableType] = [*(terminal.wrapped(each, width, "bold") for each in told), Text()]
    parts += terminal.fitted(tables.brief_appraisals(rows), width, brief=True)
    return Group(*parts, *_findings(captions.findings(rows), width))


def sheet(of: Sheet, table: Sequence[Column], width: int) -> RenderableType:
    """Show an answer that is a sentence, a table and a few notes."""
    parts: list[RenderableType] = [terminal.wrapped(each, width, "bold") for each in of.sentences or [of.title]]
    parts += [Text(), *terminal.fitted(table, width, brief=True)]
    parts += [terminal.wrapped(each, width, "dim") for each in of.notes]
    found = _findings(of.findings, width)
    return Group(*(parts if of.notes or not found else parts[:-1]), *found)


def _one(row: Contrast, width: int) -> RenderableType:
    found = [each for each in _telling([row]) if each[0] != "OC632"]  # which has a sentence of its own
    jointly = words.jointly([row])
    # What is left out first where names are long: how to set the ROPE, what explains a number, what would overturn the
    # decision (findings need the room more), the middle of the names.
    tips = [row.tipping_point is not None] * 3 + [False]
    ways = [
        *zip((True, False, False, False), (jointly, jointly, "", jointly), tips, [row] * 4, strict=True),
        *((False, "", tip, _cut(row, to)) for tip in (tips[0], False) for to in CUTS),
    ]
    for hint, note, tip, shown in ways:
        decision = words.decision(shown) if hint else words.decision(shown, hint="")
        told = [words.lead(shown), *([decision.rstrip()] if decision else [])]
        above = [terminal.wrapped(line, width, _colour(row) if place else "bold") for place, line in enumerate(told)]
        open_ = words.unknown_agreement(shown) or words.labels_in_short(shown)
        tipping = words.tipping(shown) if tip else ""
        notes: tuple[str, ...] = (note, open_, words.evidence(shown, short=not hint), tipping, words.next_step(row))
        if row.runs is not None:
            notes = (note, words.variation(row), *([words.new_run(shown)] if hint else []), words.remedy(row))
        below = [terminal.wrapped(line, width) for line in notes if line]
        room = min(len(found), 2 if tip else 1)
        if _height(above, below) + len(_scores(row)[0].cells) + 2 + room <= MOST_LINES:
            break
    return _laid_out(above, _scores(shown), below, found, width, MOST_LINES)


def _cut(row: Contrast, to: int) -> Contrast:
    """Return a row with the names of its systems and its label cut to a width."""
    names = text.shortened([system.name for system in row.systems], to)
    systems = [replace(system, name=names[system.name]) for system in row.systems]
    label = text.shortened([row.label], to)[row.label] if isinstance(row.label, str) else row.label
    point = row.tipping_point
    if point is not None:
        point = replace(point, favours=names.get(point.favours, point.favours))
    return replace(row, systems=(systems[0], systems[1]), label=label, tipping_point=point)


def _height(*parts: Sequence[Text]) -> int:
    return sum(len(each.plain.splitlines()) for part in parts for each in part)


def _laid_out(
    above: Sequence[Text],
    columns: Sequence[Column],
    below: Sequence[Text],
    found: Sequence[tuple[str, str, int]],
    width: int,
    most: int,
) -> Group:
    """Put sentences, a table, notes and as many findings as there are lines left for, each in one line."""
    used = _height(above, below) + 2 + len(columns[0].cells)
    shown = _findings(found, width, most - used)
    table, *_ = terminal.fitted(columns, width, brief=True)
    gap = [Text()] if used + len(shown) < most else []
    return Group(*above, Text(), table, *gap, *below, *shown)


def _scores(row: Contrast) -> list[Column]:
    """Return both scores and the difference."""
    a, b = row.systems
    digits = words.decimals(row.difference.std)
    apart = f"{a.name} - {b.name}"
    fits = len(apart) <= terminal.NAME_WIDTH
    # Of wins alone, nothing is known of either system by itself.
    known = [system for system in (a, b) if not (math.isnan(system.observed) and math.isnan(system.mean))]
    return [
        # A name that is folded would take a second line.
        tables.names("system", "", [*(system.name for system in known), apart if fits else "first - second"]),
        tables.column(
            "observed",
            "observed",
            [*(_value(s.observed, digits) for s in known), words.signed(row.observed, digits)],
            1,
        ),
        tables.column(
            "mean",
            row.measure.title,
            [*(_value(s.mean, digits) for s in known), words.signed(row.difference.mean, digits)],
            0,
        ),
        tables.column(
            "hdi",
            f"{100 * row.hdi_mass:g}% HDI",
            [*(_interval(s, digits) for s in known), tables.interval(row, digits)],
            0,
        ),
    ]


def _value(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def _interval(system: SystemSummary, digits: int) -> str:
    return "" if math.isnan(system.hdi.low) else words.unsigned_interval(system.hdi, digits)


def _colour(row: Contrast) -> str:
    return terminal.COLOURS.get(row.verdict.sign, "") if row.verdict.is_decided else ""


def _findings(found: Sequence[tuple[str, str, int]], width: int, room: int = MOST_FINDINGS + 1) -> list[Text]:
    """Show the findings that should change a reader's mind, a line each, and count the rest."""
    room = max(1, room)
    # The decision has told of a default ROPE already.
    counted = [each for each in found if each[0] not in words.DEFAULT_ROPE or each[0] not in QUIET]
    # Of several with one code the first: the others say much the same.
    loud = list({each[0]: each for each in reversed(counted) if each[0] not in QUIET}.values())[::-1]
    shown = loud[: min(MOST_FINDINGS, room)]
    # Which columns were read is part of every answer, in a line of its own.
    aside = [each for each in loud if each[0] == words.LEFT_OUT and each not in shown]
    if aside and room > 1:
        shown = [*shown[: min(MOST_FINDINGS, room) - 1], *aside]
    told = [words.in_a_line(code, text.plain(message), rows, width) for code, message, rows in shown]
    hidden = len(counted) - len(shown)
    if hidden and not shown:
        told = [words.remarks(hidden)]
    elif hidden:
        more = words.more(hidden)
        if len(told[-1]) + len(more) < width or len(told) == room:
            # The names of columns are not cut for it.
            at = -2 if len(shown) > 1 and shown[-1][0] == words.LEFT_OUT else -1
            code, message, rows = shown[at]
            told[at] = words.with_more(words.in_a_line(code, text.plain(message), rows, width - len(more) - 1), more)
        else:
            told.append(more)
    return [Text(line, "yellow") for line in told]
