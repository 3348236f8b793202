"""Takes rows or sheets, gives the short answer for a terminal: the sentence, the table, and what would change it.

Everything else is in `terminal`, behind --verbose, and always in JSON. May import `terminal` and `words`; must not make
sentences.
"""

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from outclass.dialects import spoken
from outclass.report import captions, tables, terminal, words
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Appraisal, Contrast, SystemSummary

FEW = 3  # rows of one pair, each of which is put in words
MOST_FINDINGS = 3
# Findings that inform; they do not change what a reader should believe, or the decision tells them already.
QUIET = frozenset({"OC114", "OC115", "OC116", "OC205", "OC209", "OC213", "OC303", "OC304"})


def contrasts(rows: Sequence[Contrast], width: int) -> RenderableType:
    """Show one contrast in a dozen lines, or many as a table."""
    if len(rows) == 1:
        return _one(rows[0], width)
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    parts: list[RenderableType] = []
    if len(pairs) == 1:
        parts.append(terminal.wrapped(captions.title(rows), width, "bold"))
    if len(pairs) == len({row.label for row in rows}) == 1 and len(rows) <= FEW:
        parts += [terminal.wrapped(words.lead(row), width, _colour(row)) for row in rows]
    parts += [terminal.wrapped(words.summary(rows), width), Text()]
    parts += terminal.fitted(tables.brief_contrasts(rows), width, brief=True)
    notes = [*captions.what_now(rows), *([] if all(row.verdict.is_decided for row in rows) else [words.LEANS])]
    parts += [terminal.wrapped(told, width, "dim") for told in (words.ropes(rows), *notes)]
    return Group(*parts, *_findings(captions.findings(rows), width))


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
    return Group(*parts, *_findings(of.findings, width))


def _one(row: Contrast, width: int) -> RenderableType:
    parts: list[RenderableType] = [terminal.wrapped(words.lead(row), width, "bold")]
    if told := words.decision(row):
        parts.append(terminal.wrapped(told, width, _colour(row)))
    parts += [Text(), *_scores(row, width)]
    for told in (words.evidence(row), words.next_step(row)):
        if told:
            parts.append(terminal.wrapped(told, width))
    return Group(*parts, *_findings(captions.findings([row]), width))


def _scores(row: Contrast, width: int) -> list[RenderableType]:
    """Lay out both scores and the difference."""
    a, b = row.systems
    digits = words.decimals(row.difference.std)
    # Of wins alone, nothing is known of either system by itself.
    known = [system for system in (a, b) if not (math.isnan(system.observed) and math.isnan(system.mean))]
    return terminal.fitted(
        [
            tables.names("system", "", [*(system.name for system in known), f"{a.name} - {b.name}"]),
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
                [*(_interval(s, digits) for s in known), words.interval(row.difference.hdi, digits)],
                0,
            ),
        ],
        width,
        brief=True,
    )


def _value(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def _interval(system: SystemSummary, digits: int) -> str:
    return "" if math.isnan(system.hdi.low) else words.unsigned_interval(system.hdi, digits)


def _colour(row: Contrast) -> str:
    return terminal.COLOURS.get(row.verdict.sign, "") if row.verdict.is_decided else ""


def _findings(found: Sequence[tuple[str, str, int]], width: int) -> list[Text]:
    """Show the findings that should change a reader's mind, and count the rest."""
    loud = [each for each in found if each[0] not in QUIET]
    shown, left = loud[:MOST_FINDINGS], len(loud) - len(loud[:MOST_FINDINGS])
    told = terminal.found(shown, width)
    if left:
        told.append(Text(spoken(f"{left} more warning{'s' if left > 1 else ''} with ⟨verbose⟩."), "yellow"))
    return told
