"""An answer in a notebook: a short version of its page."""

import html
from collections.abc import Sequence
from typing import Any

from outclass.errors import InputError, MissingExtraError
from outclass.report import captions, charts, text
from outclass.report.tables import Column


def cell(answer: Any) -> str:
    """Return the answer, its picture and its tables as HTML, with what is to be said of them below."""
    sheet = answer.paper
    try:
        picture = charts.picture(answer, None, ".svg").decode()
    except (InputError, MissingExtraError):
        picture = ""
    told = "".join(f"<p><strong>{_escaped(line)}</strong></p>" for line in sheet.sentences)
    tables = "".join(
        f"{_heading(title) if place else ''}{_html_table(columns)}"
        for place, (title, columns) in enumerate(sheet.tables)
    )
    notes = "".join(f"<p><small>{_escaped(line)}</small></p>" for line in captions.below(sheet))
    return f"<div>{told}{picture}{tables}{notes}</div>"


def _heading(title: str) -> str:
    return f"<p>{_escaped(title)}</p>"


def _html_table(columns: Sequence[Column]) -> str:
    heads = "".join(f"<th{_side(column)}>{_escaped(column.title)}</th>" for column in columns)
    size = len(columns[0].cells) if columns else 0
    lines = "".join(
        "<tr>" + "".join(f"<td{_side(column)}>{_escaped(column.cells[at])}</td>" for column in columns) + "</tr>"
        for at in range(size)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _side(column: Column) -> str:
    """Set names to the left and numbers to the right, whatever the notebook does."""
    return f' style="text-align: {"left" if column.is_name else "right"}"'


def _escaped(told: object) -> str:
    return html.escape(text.plain(told))
