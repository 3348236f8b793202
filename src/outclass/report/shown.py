"""How every answer is shown; what draws pictures and pages is loaded when one is asked for."""

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outclass.errors import InputError, MissingExtraError
from outclass.report import text
from outclass.report.sheets import Sheet
from outclass.report.tables import Column


class Shown:
    """What every answer can do for those who would rather look than read."""

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        raise NotImplementedError  # every answer has its own

    def plot(self, kind: str | None = None) -> Any:
        """Return a chart, as Altair has it; see `outclass.plot`."""
        from outclass.report import charts

        return charts.plot(self, kind)

    def to_html(self, path: str | Path | None = None, *, command: str = "") -> str:
        """Return the answer as one self-contained page, on which the ROPE can be moved; write it if given a path."""
        from outclass.report.full import report

        return report(self, path, command=command)

    def _repr_html_(self) -> str | None:
        """Return a short version of the page for a notebook: the answer, its picture and its table."""
        from outclass.report import charts

        sheet = self.sheet
        try:
            picture = charts.picture(self, None, ".svg").decode()
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
