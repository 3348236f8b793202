"""The answer of `evaluate`: systems judged by themselves."""

from dataclasses import dataclass, replace
from typing import Final

from rich.console import RenderableType

from outclass.answers.rows import Rows
from outclass.report import brief, captions, delimited, tables, terminal, text, tiles, words
from outclass.report.sheets import Sheet
from outclass.rows.plain import SHAPES, Shape
from outclass.rows.types import Appraisal, SystemSummary

FEW_SENTENCES: Final = 4


@dataclass(frozen=True)
class Evaluation(Rows[Appraisal]):
    """One or more systems judged by themselves: one row for each system, measure and label."""

    rows: tuple[Appraisal, ...]

    called = "an evaluation"
    parts = ("evaluations",)
    quantity = "value"

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        told = [words.appraised(row) for row in self.rows] if len(self.rows) <= FEW_SENTENCES else []
        return replace(self.document, sentences=told, rows=())

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page."""
        told = [words.appraised(row) for row in self.rows] if len(self.rows) == 1 else words.best(self.rows)
        best = sorted(self.rows, key=lambda row: row.system.mean, reverse=self.rows[0].measure.higher_is_better)
        found = tiles.of_appraisals(best) if len(self.rows) <= tiles.MOST else []
        shown = [("Scores", tables.brief_appraisals(self.rows)), ("All numbers", self._columns)]
        return replace(self.sheet, sentences=told, tables=shown, tiles=found)

    @property
    def _columns(self) -> list[tables.Column]:
        return tables.of_appraisals(self.rows)

    @property
    def records(self) -> delimited.Records:
        """The heads and lines of a CSV file."""
        return delimited.of_appraisals(self.rows)

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return what a terminal of this width shows, as Rich has it."""
        return terminal.appraisals(self.rows, width) if verbose else brief.appraisals(self.rows, width)

    @property
    def system(self) -> SystemSummary:
        """The numbers of the system's measure."""
        return self.only.system

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self.rows)} rows, {text.plain(captions.title(self.rows))}>"


SHAPES[Evaluation] = Shape(keys={"rows": "evaluations"})
