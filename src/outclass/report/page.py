"""One page that a colleague can open, understand and play with: a single file that needs no network.

An answer's sheet becomes typed, plain data; an autoescaped template lays it out: the sentence, a few numbers, one chart
and one table, and the rest in folds. The script on the page moves the ROPE and the interval's mass, with numbers that
were read off the laws in `live`. Its sentences are those of `words`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from outclass.dialects import spoken
from outclass.report import captions, live, text, tiles, words
from outclass.report.brief import QUIET
from outclass.report.drawing.contrasts import row_names
from outclass.report.drawing.files import POLICY, bundle, safe_json
from outclass.report.drawing.theme import short
from outclass.report.other_methods import OtherMethod
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Contrast

if TYPE_CHECKING:
    from jinja2 import Template

MOST_WARNINGS: Final = 3  # that are not folded away
OF_THE_ROPE: Final = ("OC301", *words.DEFAULT_ROPE)  # findings that are no longer true of another ROPE
CODE: Final = re.compile(r"(--[a-z]+\b|`[^`]+`)")  # options and calls, which no line may break


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A chart on a page."""

    kind: str
    heading: str
    chart: Any


@dataclass(frozen=True)
class Extras:
    """What a page says beyond its answer."""

    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    others: Sequence[OtherMethod] = ()  # what other methods would have said
    missing: Sequence[tuple[str, str]] = ()  # checks that could not be run, and what to supply for them
    notes: Sequence[str] = ()  # what the page leaves out
    charts: Sequence[Drawn] = ()


def render(sheet: Sheet, extras: Extras) -> str:
    """Lay out a page."""
    rows = [row for row in sheet.rows if isinstance(row, Contrast)]
    moves = live.can_move(rows)
    data = live.data_of(rows) if moves else None
    charts = {each.kind: _bare(each.chart) for each in extras.charts}
    return _template().render(
        **_opening(sheet, rows, extras),
        **_folded(sheet, rows, extras),
        live=moves,
        policy=POLICY,
        data=safe_json({"answer": data, "charts": charts}),
        css=_file("page.css"),
        js=_file("page.js"),
        vega=bundle() if moves or charts else "",
    )


@lru_cache(maxsize=1)
def _template() -> "Template":
    """Compile the template, which takes longer than to lay out a page."""
    import jinja2  # loaded for pages alone
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        # Whatever the template writes passes here: names come from files, and none may hold what a browser obeys.
        return text.plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined, finalize=shown
    )
    environment.filters["by_code"] = lambda told: [part.strip("`") for part in CODE.split(told)]  # every second part
    return environment.from_string(_file("page.html.j2"))


def _opening(sheet: Sheet, rows: Sequence[Contrast], extras: Extras) -> dict[str, Any]:
    """Return what a page shows before it is unfolded."""
    told = live.headlines(rows, live=live.can_move(rows)) if rows else (sheet.sentences or [sheet.title])
    chosen = live.readable(rows[live.first_chosen(rows)]) if rows else None
    loud = [each for each in sheet.findings if each[0] not in QUIET][:MOST_WARNINGS]
    first, *_ = sheet.tables
    return {
        "title": short(sheet.title, 160),
        "headline": told[0],
        "told": told[1:],
        "tiles": tiles.of_contrast(chosen) if chosen else sheet.tiles,
        "chosen": row_names(rows)[live.first_chosen(rows)] if len(rows) > 1 else "",
        "table": _table(*first, rows),
        "warnings": [(*each, each[0] in OF_THE_ROPE) for each in loud],
        "notes": [
            *(words.of_labels(rows[0]) if len(rows) == 1 else []),
            *extras.notes,
            *(told for told in [_explained(rows), live.signs(rows)] if rows and told),
        ],
        "charts": [{"id": each.kind, "heading": each.heading} for each in extras.charts],
    }


def _explained(rows: Sequence[Contrast]) -> str:
    """Say why differences are not those of the scores beside them."""
    return f"{words.POOLED} {words.IN_CHART}" if any(row.is_whole for row in rows) else words.jointly(rows)


def _folded(sheet: Sheet, rows: Sequence[Contrast], extras: Extras) -> dict[str, Any]:
    """Return what a page keeps in folds."""
    only = live.readable(rows[0]) if len(rows) == 1 else None
    methods, references = words.methods(rows, extras.versions.get("outclass", "")) if rows else ("", [])
    elsewhere = captions.what_now(rows)  # in a fold of its own
    return {
        "tables": [_table(caption, columns, rows) for caption, columns in sheet.tables[1:]],
        "what_now": [told for told in [words.what_now(only)] if told] if only else [],
        "pairing": [words.pairing(only.pairing, only.items)] if only and only.pairing else [],
        "parting": [told for told in [words.disagreement(only)] if told] if only else [],
        "decided": only is not None and only.verdict.is_decided,
        "factor_prior": only.factor_prior if only and only.factor_prior != only.prior else "",
        "factors": [(words.factor(each.value), each.words) for each in only.bayes_factors] if only else [],
        "others": extras.others,
        "findings": [(*each, each[0] in OF_THE_ROPE) for each in sheet.findings],
        "remarks": [remark for remark in sheet.remarks if remark not in elsewhere],
        "missing": extras.missing,
        "methods": methods,
        "references": references,
        "command": extras.command,
        "versions": dict(extras.versions),
    }


def _file(name: str) -> str:
    return (resources.files("outclass.report") / "templates" / name).read_text(encoding="utf-8")


def _bare(chart: Any) -> Any:
    """Return a chart's definition without its title, which the page says itself, and as wide as the page."""
    spec = chart.to_dict(validate=False)  # tests hold every kind of chart against the schema
    spec.pop("title", None)
    if "layer" in spec or "mark" in spec:
        spec["width"] = "container"
    spec.pop("config", None)
    return _harmless(spec)


def _harmless(value: Any) -> Any:
    """Leave out numbers that JSON does not know, and write out what a browser would obey in a text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return text.plain(value)
    if isinstance(value, dict):
        return {key: _harmless(part) for key, part in value.items()}
    return [_harmless(part) for part in value] if isinstance(value, list | tuple) else value


def _table(caption: str, columns: Sequence[Column], rows: Sequence[Contrast]) -> dict[str, Any]:
    size = len(columns[0].cells) if columns else 0
    return {
        "caption": short(caption, 160),
        "heads": [{"title": short(column.title), "key": column.key, "is_name": column.is_name} for column in columns],
        "rows": [
            [{"text": column.cells[at], "key": column.key, "is_name": column.is_name} for column in columns]
            for at in range(size)
        ],
        "live": size == len(rows) and size > 0,
    }


def _knows_groups(row: Contrast) -> bool:
    """Whether groups of items were given."""
    return row.model_key.startswith("group")


def checks_missing(rows: Sequence[Contrast]) -> list[tuple[str, str]]:
    """Name checks that these data do not allow, and what to supply for them."""
    if not rows:
        return []
    first = rows[0]
    found = []
    if first.unknown_agreement is not None or (first.evidence is not None and first.evidence.joint is None):
        found.append(
            (
                "Pairing: whether the systems err on the same items.",
                "The predictions of both systems on the same items; then the interval is likely to be much narrower.",
            )
        )
    if not _knows_groups(first):
        found.append(
            (
                "Whether items are clustered (sentences of a document, questions of a user).",
                spoken("A column of groups (⟨group=COL⟩)."),
            )
        )
    found.append(
        (
            "How well the systems rank, and how well their scores are calibrated.",
            spoken("Scores instead of labels (⟨test(scores=True)⟩)."),
        )
    )
    found.append(
        (
            "How far reruns of one system differ (another seed, another training set).",
            "The measure of three reruns or more; oc.rope_from_reruns turns their spread into a ROPE.",
        )
    )
    found.append(("How many of the true labels are wrong.", "A second annotation of a sample of the items."))
    return found
