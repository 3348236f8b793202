"""Methods of every answer: export, load, display, plot."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from rich.console import RenderableType

from outclass.atomic import write_whole
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding
from outclass.report import brief, captions, formats, terminal, text
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import from_plain, loads, to_plain

SCHEMA: Final = 1  # of the JSON; a release that adds keys keeps it, one that moves or removes some raises it


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
    def paper(self) -> Sheet:
        """What there is to show in a paper, a Markdown document or a notebook."""
        return self.document

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page: the sentence, the numbers that open it, and first the table that matters."""
        return self.sheet

    @property
    @abstractmethod
    def records(self) -> Records:
        """Header and rows for CSV."""

    @abstractmethod
    def _methods(self, version: str) -> tuple[str, list[str]]:
        """Return the paragraph for a paper, and its references."""

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
        return {"schema": SCHEMA, **plain}

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Load an answer from JSON: all numbers and sentences, but no posteriors."""
        plain = loads(text)
        _check_schema(plain)
        if not isinstance(plain, dict) or not any(plain.get(part) for part in cls.parts):
            raise InputError(f"this JSON has no {quoted(cls.parts)}: it was not written by outclass.")
        return from_plain(cls, plain, cls.called)

    def to_json(self) -> str:
        """Return JSON."""
        return formats.written(self, "json")

    def to_csv(self) -> str:
        """Return CSV, one line per row."""
        return formats.written(self, "csv")

    def methods(self) -> str:
        """Return a paragraph for a paper: what was done, how, and the results; then the references it makes."""
        from outclass.report.full import versions

        told, references = self._methods(versions()["outclass"])
        return "\n".join([text.plain(told), *([""] if references else []), *references]) + "\n"

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the rows of `to_csv` as a dataframe of pandas, polars or pyarrow; without a name, of the first there.

        Parameters
        ----------
        backend
            'pandas', 'polars' or 'pyarrow'.
        """
        from outclass.report.frames import frame  # Narwhals is loaded for frames only

        return frame(*self.records, backend)

    def to_markdown(self) -> str:
        """Return Markdown tables."""
        return formats.written(self, "markdown")

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs)."""
        return formats.written(self, "latex")

    def plot(
        self,
        kind: str | None = None,
        *,
        size: Any = None,
        font_size: float | None = None,
        title: str | None = None,
    ) -> Any:
        """Return an Altair chart; see `outclass.plot`."""
        from outclass.report import charts

        return charts.plot(self, kind, size=size, font_size=font_size, title=title)

    def save_plot(self, path: str | Path, kind: str | None = None, *, dpi: float | None = None, **look: Any) -> None:
        """Write a chart: PNG, SVG, PDF or HTML, as the file is named, or .json for Vega-Lite.

        Parameters
        ----------
        path, kind
            The file; and the kind of chart, as for `plot`.
        dpi
            Dots per inch of a PNG file, 300 by default.
        look
            `size`, `font_size` and `title`, as for `plot`.
        """
        from outclass.report import charts

        write_whole(Path(path), charts.picture(self, kind, Path(path).suffix.lower(), dpi=dpi, **look))

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


def _check_schema(plain: Any) -> None:
    """Refuse the JSON of a later release; files of the first one have no version."""
    version = plain.get("schema", SCHEMA) if isinstance(plain, dict) else SCHEMA
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InputError(f"this JSON has the schema {shown(version)}, which is not a version that outclass writes.")
    if version > SCHEMA:
        raise InputError(
            f"this JSON has schema version {version}, but this release of outclass reads up to {SCHEMA}. Upgrade "
            "outclass, or write the answer again with this release."
        )


def column(key: str, title: str, cells: Sequence[str], rank: int, *, is_name: bool = False) -> Column:
    """Return a column of an answer's own table."""
    return Column(key=key, title=title, cells=tuple(cells), rank=rank, is_name=is_name)
