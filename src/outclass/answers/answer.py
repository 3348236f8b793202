"""What every answer can do: be written in any format, read back, shown, drawn."""

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
    """What every answer can do. What draws pictures and pages is loaded when one is asked for."""

    called: ClassVar[str]  # in an error
    parts: ClassVar[tuple[str, ...]]  # of its JSON, one of which at least holds something
    in_papers: ClassVar[int] = 1  # how many of its tables are written in LaTeX

    # --- what differs -------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def sheet(self) -> Sheet:
        """What there is to show."""

    @property
    def document(self) -> Sheet:
        """What there is to show in a document: its first table is the one that matters."""
        return self.sheet

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page: the sentence, the numbers that open it, and first the table that matters."""
        return self.sheet

    @property
    @abstractmethod
    def records(self) -> Records:
        """The heads and lines of a CSV file."""

    @property
    @abstractmethod
    def _noted(self) -> Sequence[Sequence[Finding]]:
        """The findings, row by row."""

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return what a terminal of this width shows, as Rich has it."""
        if verbose:
            return terminal.sheet(self.sheet, width)
        return brief.sheet(self.sheet, self.document.tables[0][1], width)

    # --- what does not ------------------------------------------------------------------------------------------------

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know, of all rows."""
        return tuple(dict.fromkeys(finding for row in self._noted for finding in row))

    @property
    def _found(self) -> list[tuple[str, str, int]]:
        return captions.findings_of(self._noted)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of the JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read back what `to_json` wrote: all numbers and words, but no posteriors."""
        plain = loads(text)
        if not isinstance(plain, dict) or not any(plain.get(part) for part in cls.parts):
            raise InputError(f"this JSON holds no {quoted(cls.parts)}: it is not what outclass wrote.")
        return from_plain(cls, plain, cls.called)

    def to_json(self) -> str:
        """Return JSON."""
        return formats.written(self, "json")

    def to_csv(self) -> str:
        """Return CSV: one line a row."""
        return formats.written(self, "csv")

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        return formats.written(self, "markdown")

    def to_latex(self) -> str:
        """Return the table in LaTeX (booktabs)."""
        return formats.written(self, "latex")

    def plot(self, kind: str | None = None) -> Any:
        """Return a chart, as Altair has it; see `outclass.plot`."""
        from outclass.report import charts

        return charts.plot(self, kind)

    def to_html(self, path: str | Path | None = None, *, command: str = "") -> str:
        """Return the answer as one self-contained page, on which the ROPE can be moved; write it if given a path."""
        from outclass.report.full import report

        return report(self, path, command=command)

    def to_text(self, *, verbose: bool = False) -> str:
        """Return what a terminal shows: the short answer, or everything there is to say."""
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
