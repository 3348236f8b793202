"""An answer in a notebook: a short version of its page."""

import html
from collections.abc import Sequence
from typing import Any

from outclass.errors import InputError, MissingExtraError
from outclass.report import charts, text
from outclass.report.tables import Column


def cell(answer: Any) -> str:
    """Return the answer, its picture and its tables as HTML."""
    sheet = answer.sheet
    try:
        picture = charts.picture(answer, None, ".svg").decode()
    except (InputError, MissingExtraError):
        picture = ""
    told = "".join(f"<p><strong>{html.escape(text.plain(line))}</strong></p>" for line in sheet.sentences)
    tables = "".join(_html_table(columns) for _, columns in sheet.tables)
    found = "".join(f"<li>{html.escape(f'{code} {text.plain(told)}')}</li>" for code, told, _ in sheet.findings)
    return f"<div>{told}{picture}{tables}<ul>{found}</ul></div>"


def _html_table(columns: Sequence[Column]) -> str:
    heads = "".join(f"<th>{html.escape(text.plain(column.title))}</th>" for column in columns)
    size = len(columns[0].cells) if columns else 0
    lines = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text.plain(column.cells[at]))}</td>" for column in columns) + "</tr>"
        for at in range(size)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
