"""Methods of every answer: export, load, display, plot."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

from rich.console import RenderableType

from outclass.errors import InputError, quoted
from outclass.findings import Finding
from outclass.report import brief, captions, formats, terminal
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import from_plain, loads, to_plain


class Answer(ABC):
    """Base class of answers. Libraries for charts and pages are imported on first use."""

    called: ClassVar[str]  # in an error
    parts: ClassVar[tuple[str, ...]]  # of its JSON, one of which at least holds something
    in_papers: ClassVar[int] = 1  # how many of its tables are written in LaTeX

    # --- what differs -------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def sheet(self) -> Sheet:
        """Contents for display."""

    @property
    def document(self) -> Sheet:
        """Contents for a document, the main table first."""
        return self.sheet

    @property
    @abstractmethod
    def records(self) -> Records:
        """Header and rows for CSV."""

    @property
    @abstractmethod
    def _noted(self) -> Sequence[Sequence[Finding]]:
        """The findings, row by row."""

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return a Rich renderable for a terminal of this width."""
        if verbose:
            return terminal.sheet(self.sheet, width)
        return brief.sheet(self.sheet, self.document.tables[0][1], width)

    # --- what does not ------------------------------------------------------------------------------------------------

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all rows."""
        return tuple(dict.fromkeys(finding for row in self._noted for finding in row))

    @property
    def _found(self) -> list[tuple[str, str, int]]:
        return captions.findings_of(self._noted)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with the structure of the JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Load an answer from JSON: all numbers and sentences, but no posteriors."""
        plain = loads(text)
        if not isinstance(plain, dict) or not any(plain.get(part) for part in cls.parts):
            raise InputError(f"this JSON has no {quoted(cls.parts)}: it was not written by outclass.")
        return from_plain(cls, plain, cls.called)

    def to_json(self) -> str:
        """Return JSON."""
        return formats.written(self, "json")

    def to_csv(self) -> str:
        """Return CSV, one line per row."""
        return formats.written(self, "csv")

    def to_markdown(self) -> str:
        """Return Markdown tables."""
        return formats.written(self, "markdown")

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs)."""
        return formats.written(self, "latex")

    def plot(self, kind: str | None = None) -> Any:
        """Return an Altair chart; see `outclass.plot`."""
        from outclass.report import charts

        return charts.plot(self, kind)

    def to_html(self, path: str | Path | None = None, *, command: str = "") -> str:
        """Return a self-contained report page with an adjustable ROPE; write it to `path` if given."""
        from outclass.report.full import report

        return report(self, path, command=command)

    def to_text(self, *, verbose: bool = False) -> str:
        """Return what a terminal shows: the short answer, or the full output."""
        return terminal.for_screen(partial(self.screen, verbose=verbose))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        """Return a short version of the page for a notebook."""
        from outclass.report import notebook

        return notebook.cell(self)


def column(key: str, title: str, cells: Sequence[str], rank: int, *, is_name: bool = False) -> Column:
    """Return a column of an answer's own table."""
    return Column(key=key, title=title, cells=tuple(cells), rank=rank, is_name=is_name)
