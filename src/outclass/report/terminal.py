"""Results for a terminal: colour where there is colour, plain where there is none, never wider than the window."""

import io
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from rich import box
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from outclass.dialects import spoken
from outclass.planning.region import overturning
from outclass.report import captions, tables, text, words
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Appraisal, Contrast, SliceFamily
from outclass.verdict.rope import Verdict

NAME_WIDTH, LEAST_NAME, GAP = 24, 8, 2
NO_BREAK = "\u00a0"
_PROBABILITY = re.compile(r"(?<=[Pp]) ([=<>]) (?=[\d.])")
FEW = 3  # rows of one pair, each of which is put in words
COLOURS = {"≪": "red", "<": "yellow", "≈": "cyan", ">": "yellow", "≫": "green", "≥": "green", "≤": "red", "?": "dim"}
_ASCII = str.maketrans(
    {"≪": "<<", "≫": ">>", "≈": "~=", "≥": ">=", "≤": "<=", "±": "+/-", "−": "-", "·": "-", "…": "..."}
)


def contrasts(rows: Sequence[Contrast], width: int) -> RenderableType:
    """Show one contrast at length, or many as a table."""
    if len(rows) == 1:
        return _one(rows[0], width)
    columns = tables.of_contrasts(rows)
    parts: list[RenderableType] = [_title(captions.title(rows)), *_verdicts(rows, width), *fitted(columns, width)]
    decided = {verdict: sum(row.verdict is verdict for row in rows) for verdict in Verdict}
    told = ", ".join(f"{count} {verdict.sign}" for verdict, count in decided.items() if count)
    if len({row.measure.higher_is_better for row in rows}) == 1:
        parts.append(wrapped(f"Decisions: {told}.", width))
    parts += [wrapped(text.plain(told), width) for told in (*captions.what_now(rows), *captions.details(rows))]
    parts.append(wrapped(captions.note(rows), width, "dim"))
    parts.append(wrapped(captions.legend(rows), width, "dim"))
    return Group(*parts, *_findings(rows, width))


def slices(rows: Sequence[Contrast], families: Sequence[SliceFamily], width: int) -> RenderableType:
    """Show slices at length: what they come to, raw and pooled, and then each by itself."""
    told = [*words.of_slices(rows, families), *words.chances(families), words.POOLED]
    parts = [wrapped(text.plain(each), width) for each in told]
    return Group(*parts, *fitted(tables.brief_slices(rows), width), Text(), contrasts(rows, width))


def _verdicts(rows: Sequence[Contrast], width: int) -> list[Text]:
    """Say what a few measures of one pair come to, before the table."""
    pairs = {(row.part, *(system.name for system in row.systems)) for row in rows}
    if len(pairs) > 1 or len(rows) > FEW:
        return []
    return [wrapped(f"{words.verdict(row)}.", width, COLOURS[row.verdict.sign]) for row in rows] + [Text()]


def appraisals(rows: Sequence[Appraisal], width: int) -> RenderableType:
    """Show systems judged one by one."""
    columns = tables.of_appraisals(rows)
    parts: list[RenderableType] = [_title(captions.title(rows)), *fitted(columns, width)]
    parts += [wrapped(text.plain(sentence), width) for sentence in captions.details(rows)]
    return Group(*parts, wrapped(captions.note(rows), width, "dim"), *_findings(rows, width))


def sheet(of: Sheet, width: int) -> RenderableType:
    """Show an answer that is tables and what is to be said of them."""
    parts: list[RenderableType] = []
    for heading, table in of.tables:
        parts += [_title(heading), *fitted(table, width)]
    parts += [wrapped(each, width, "dim") for each in (*of.sentences, *of.remarks)]
    return Group(*parts, *found(of.findings, width))


def for_screen(render: Callable[[int], RenderableType]) -> str:
    """Render for wherever `print` goes: colour on a terminal only, ASCII where the encoding knows no more."""
    width = max(40, min(shutil.get_terminal_size((80, 24)).columns, 160))
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    return printed(render(width), width=width, colour=colour, ascii_only=not encoding.startswith("utf"))


def printed(content: RenderableType, *, width: int, colour: bool, ascii_only: bool = False) -> str:
    """Render to text."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        no_color=not colour,
        force_jupyter=False,  # in a notebook Rich would show the text there and then, and leave none to return
        legacy_windows=False,
        highlight=False,
    )
    console.print(content)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    told = "\n".join(lines).rstrip("\n") + "\n"
    return told.translate(_ASCII).encode("ascii", "backslashreplace").decode() if ascii_only else told


def _one(row: Contrast, width: int) -> RenderableType:
    a, b = row.systems
    sentence = words.sentence(row)
    headline = Text(textwrap.fill(text.plain(sentence), width), "bold")
    headline.stylize(COLOURS[row.verdict.sign])
    grid = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for heading in ("", "observed", "mean", "std", f"{100 * row.hdi_mass:g}% HDI"):
        grid.add_column(heading, justify="left" if not heading else "right", header_style="dim", overflow="fold")
    for system in (a, b):
        if math.isnan(system.observed) and math.isnan(system.mean):
            continue  # of wins alone, nothing is known of either system by itself
        digits = words.decimals(row.difference.std if math.isnan(system.std) else min(system.std, row.difference.std))
        observed = "undefined" if math.isnan(system.observed) else f"{system.observed:.{digits}f}"
        if math.isnan(system.mean):
            grid.add_row(Text(text.plain(system.name)), observed)
            continue
        numbers = observed, f"{system.mean:.{digits}f}", f"{system.std:.{digits}f}"
        grid.add_row(Text(text.plain(system.name)), *numbers, words.unsigned_interval(system.hdi, digits))
    difference = row.difference
    digits = words.decimals(difference.std)
    grid.add_row(
        Text("difference", "bold"),
        words.signed(row.observed, digits),
        words.signed(difference.mean, digits),
        words.signed(difference.std, digits).lstrip("+"),
        words.interval(difference.hdi, digits),
    )
    facts = Table(box=None, padding=(0, 2, 0, 0), show_header=False, show_edge=False)
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    for name, value in _facts(row):
        facts.add_row(name, Text(value))
    factors = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    factors.add_column("Bayes factor", justify="right", header_style="dim", no_wrap=True)
    under = f", {row.factor_prior} prior" if row.factor_prior not in ("", row.prior) else ""
    factors.add_column(f"null over alternative (above 1 favours the null{under})", header_style="dim", overflow="fold")
    for each in row.bayes_factors:
        factors.add_row(words.factor(each.value), Text(each.words))
    parts: list[RenderableType] = [_title(captions.title([row])), headline, Text(), grid, Text(), facts, Text()]
    if row.bayes_factors:
        parts += [factors, Text()]
    of_runs = (words.variation(row), words.spreads(row), words.new_run(row), words.remedy(row))
    spread = words.overturned(row, overturning(row.difference, row.rope, row.hdi_mass))
    told = (words.jointly([row]), words.what_now(row), words.disagreement(row), words.sensitivity(row))
    for sentence in (*told, *of_runs, spread):
        if sentence:
            parts.append(wrapped(sentence, width))
    if row.pairing is not None:
        parts.append(wrapped(words.pairing(row.pairing, row.items), width))
    if row.rope_probabilities is not None:
        parts.append(wrapped(text.plain(captions.sides(row)), width))
    parts += [wrapped(text.plain(told), width) for told in words.of_labels(row)]
    parts.append(wrapped(captions.note([row]), width, "dim"))
    return Group(*parts, *_findings([row], width))


def _facts(row: Contrast) -> list[tuple[str, str]]:
    told = [
        ("probabilities", _where(row)),
        ("numerical error", _errors(row)),
        ("p-values", ", ".join(f"{_TESTS.get(t.name, t.name)} {words.p_value(t.p_value)}" for t in row.tests)),
    ]
    if not row.tests:
        told.pop()
    if row.log_odds is not None:
        told.append(("log odds", words.log_odds(row)))
    if row.diagnostics is not None:
        told.append(("chains", words.chains(row)))
    if row.prior_words:
        told.append(("prior", text.plain(row.prior_words)))
    return told


_TESTS = {
    "sign_exact": "sign test on accuracy",
    "welch_t": "Welch t on accuracy",
    "permutation_exact": "permutation test on the measure",
    "permutation": "permutation test on the measure",
}


def _where(row: Contrast) -> str:
    difference = row.difference
    return (
        f"{words.percent(difference.below)} below zero, {words.percent(difference.above)} above, "
        f"{words.percent(difference.rope)} in the ROPE ({words.rope(row.rope)})"
    )


def _errors(row: Contrast) -> str:
    errors = row.difference.errors
    worst = max(errors.below, errors.above, errors.rope)
    return f"mean {errors.mean:.1g}, HDI ends {max(errors.hdi):.1g}, probabilities {worst:.1g}"


def _title(told: str) -> Text:
    return Text(text.plain(told) + "\n", "bold")


def wrapped(told: str, width: int, style: str = "") -> Text:
    """Wrap a sentence; a probability stays on one line."""
    kept = _PROBABILITY.sub(rf"{NO_BREAK}\1{NO_BREAK}", text.plain(told))
    return Text(textwrap.fill(kept, width).replace(NO_BREAK, " "), style)


def _findings(rows: "Sequence[Contrast] | Sequence[Appraisal]", width: int) -> list[Text]:
    return found(captions.findings(rows), width)


def found(findings: Sequence[tuple[str, str, int]], width: int) -> list[Text]:
    """Show findings with their codes."""
    lines = []
    for code, message, many in findings:
        told = f"{code} {message}" + (f" (In {many} rows.)" if many > 1 else "")
        lines.append(Text(textwrap.fill(text.plain(told), width, subsequent_indent="      "), "yellow"))
    return [Text(), *lines] if lines else []


def _unfolded(columns: Sequence[Column], width: int) -> list[Column]:
    """Cut long names in the middle, so that none takes a second line."""
    longest = [max(len(text.plain(cell)) for cell in (each.title, *each.cells)) for each in columns]
    room = NAME_WIDTH
    while room > LEAST_NAME and width < GAP * (len(columns) - 1) + sum(
        min(long, room) if each.is_name else long for long, each in zip(longest, columns, strict=True)
    ):
        room -= 1
    # A name is cut alike in every column.
    cut = text.shortened([text.plain(cell) for each in columns if each.is_name for cell in each.cells], room)
    return [
        replace(each, cells=tuple(cut[text.plain(cell)] for cell in each.cells)) if each.is_name else each
        for each in columns
    ]


def fitted(columns: Sequence[Column], width: int, *, brief: bool = False) -> list[RenderableType]:
    """Lay out columns, leaving out the least important ones until the rest fit; a brief table does not name them."""
    kept = list(columns)

    def width_of(column: Column) -> int:
        longest = max([len(text.plain(column.title)), *(len(text.plain(cell)) for cell in column.cells)])
        return min(longest, NAME_WIDTH) if column.is_name else longest

    while sum(map(width_of, kept)) + GAP * (len(kept) - 1) > width and any(column.rank for column in kept):
        first = max(kept, key=lambda column: column.rank)
        # One of two scores would be read as the only one.
        kept = [each for each in kept if each is not first and {each.key, first.key} != {"score_a", "score_b"}]
    kept = _unfolded(kept, width) if brief else kept
    ruled = None if brief and len(kept[0].cells) <= FEW else box.SIMPLE_HEAD
    table = Table(
        box=ruled,
        pad_edge=False,
        padding=(0, GAP - (ruled is not None), 0, 0),
        show_edge=False,
    )
    for column in kept:
        justify: JustifyMethod = "left" if column.is_name else "right"
        wide = width_of(column)
        # As text: rich would take what stands in brackets for a style.
        title = Text(text.plain(column.title))
        table.add_column(title, justify=justify, overflow="fold", max_width=wide, no_wrap=not column.is_name)
    for at in range(len(kept[0].cells)):
        table.add_row(*(Text(text.plain(column.cells[at]), COLOURS.get(column.cells[at], "")) for column in kept))
    left_out = [column.title for column in columns if column not in kept]
    everything = spoken("⟨format=markdown⟩ shows all")
    told = f"Columns not shown: {', '.join(left_out)} ({everything})." if left_out and not brief else ""
    return [table, *([wrapped(told, width, "dim")] if told else []), Text()]
