"""The answer of `compare`: comparisons of two systems."""

from dataclasses import dataclass, replace
from typing import Any

from rich.console import Group, RenderableType

from outclass.answers.rows import Rows
from outclass.inference.summary import Summary
from outclass.report import brief, captions, delimited, paper, tables, terminal, text, words
from outclass.report.sheets import Sheet
from outclass.rows.flips import Flips
from outclass.rows.plain import SHAPES, Shape
from outclass.rows.types import Contrast, LogOdds, SliceFamily, SystemSummary
from outclass.significance.result import TestResult
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import Verdict


@dataclass(frozen=True)
class Comparison(Rows[Contrast]):
    """One or more comparisons of two systems, one per pair, measure and label.

    With a single row, its numbers are attributes (`difference`, `verdict`, `systems`, ...); otherwise, index it first.
    """

    rows: tuple[Contrast, ...]
    families: tuple[SliceFamily, ...] = ()  # what the slices of each column come to, where there are slices
    flips: tuple[Flips, ...] = ()  # of evaluation logs: which items turned from right to wrong, and back

    called = "a comparison"
    parts = ("comparisons",)
    in_papers = 2
    quantity = "difference"

    @property
    def _columns(self) -> list[tables.Column]:
        return tables.of_contrasts(self.rows)

    @property
    def _sentences(self) -> list[str]:
        return [self.words] if len(self.rows) == 1 else []

    @property
    def _opening(self) -> list[str]:
        return words.of_slices(self.rows, self.families) if self.families else words.opening(self.rows)

    @property
    def _paper_tables(self) -> paper.Tables:
        return paper.contrasts(self.rows)

    def _methods(self, version: str) -> tuple[str, list[str]]:
        return words.methods(self.rows, version) if self.rows else ("", [])

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page: both scores in the first table, everything else in the second."""
        first = tables.page_slices(self.rows) if self.families else tables.page_contrasts(self.rows)
        known = {each.key for each in first if not each.is_name}
        others = [each for each in self._columns if each.key not in known]
        shown = [("Scores and differences", first), ("More numbers", others)]
        return replace(self.document, rows=tuple(row.pooled for row in self.rows), tables=shown)

    @property
    def records(self) -> delimited.Records:
        """Header and rows for CSV."""
        return delimited.of_contrasts(self.rows)

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return a Rich renderable for a terminal of this width."""
        if verbose:
            sliced = terminal.slices(self.rows, self.families, width) if self.families else None
            told = [terminal.wrapped(text.plain(f"Flips, {each}."), width) for each in self.flips]
            return Group(sliced or terminal.contrasts(self.rows, width), *told)
        return brief.contrasts(self.rows, width, self.families)

    @property
    def systems(self) -> tuple[SystemSummary, SystemSummary]:
        """The scores of both systems."""
        return self.only.systems

    @property
    def difference(self) -> Summary:
        """Summary of the difference, A minus B."""
        return self.only.difference

    @property
    def verdict(self) -> Verdict:
        """The decision."""
        return self.only.verdict

    @property
    def bayes_factors(self) -> dict[str, BayesFactor]:
        """The Bayes factors for equality, by name."""
        return {factor.name: factor for factor in self.only.bayes_factors}

    @property
    def tests(self) -> tuple[TestResult, ...]:
        """The significance tests."""
        return self.only.tests

    @property
    def log_odds(self) -> LogOdds | None:
        """The log odds that only A is right rather than only B, in the sign model."""
        return self.only.log_odds

    @property
    def words(self) -> str:
        """The answer in one sentence."""
        return words.sentence(self.only)

    def __repr__(self) -> str:
        told = self.words if len(self.rows) == 1 else f"{len(self.rows)} rows, {captions.title(self.rows)}"
        return f"<Comparison: {text.plain(told)}>"


def _worded(answer: Comparison, plain: dict[str, Any]) -> dict[str, Any]:
    for row, own in zip(answer.rows, plain["comparisons"], strict=True):
        own["verdict"]["words"] = words.verdict(row)
    if not answer.flips:
        del plain["flips"]  # which only logs have
    return plain


SHAPES[Comparison] = Shape(keys={"rows": "comparisons"}, write=_worded)
