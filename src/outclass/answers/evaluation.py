"""The answer of `evaluate`: single systems."""

from dataclasses import dataclass, replace
from typing import Final

from rich.console import RenderableType

from outclass.answers.rows import Rows
from outclass.report import brief, captions, delimited, paper, tables, terminal, text, tiles, words
from outclass.report.sheets import Sheet
from outclass.rows.plain import SHAPES, Shape
from outclass.rows.types import Appraisal, SystemSummary

FEW_SENTENCES: Final = 4


@dataclass(frozen=True)
class Evaluation(Rows[Appraisal]):
    """Evaluations of single systems: one row per system, measure and label."""

    rows: tuple[Appraisal, ...]

    called = "an evaluation"
    parts = ("evaluations",)
    quantity = "value"

    @property
    def sheet(self) -> Sheet:
        """Contents for display."""
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
    def _opening(self) -> list[str]:
        return [words.appraised(row) for row in self.rows] if len(self.rows) <= FEW_SENTENCES else words.best(self.rows)

    @property
    def _paper_tables(self) -> paper.Tables:
        return paper.appraisals(self.rows)

    def _methods(self, version: str) -> tuple[str, list[str]]:
        return words.methods_of_systems(self.rows, version) if self.rows else ("", [])

    @property
    def records(self) -> delimited.Records:
        """Header and rows for CSV."""
        return delimited.of_appraisals(self.rows)

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return a Rich renderable for a terminal of this width."""
        return terminal.appraisals(self.rows, width) if verbose else brief.appraisals(self.rows, width)

    @property
    def system(self) -> SystemSummary:
        """Summary of the system's score."""
        return self.only.system

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self.rows)} rows, {text.plain(captions.title(self.rows))}>"


SHAPES[Evaluation] = Shape(keys={"rows": "evaluations"})
