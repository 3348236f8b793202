"""The answer of `test`: results of significance tests, with the tables they are based on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rich.console import RenderableType

from outclass.answers.answer import Answer
from outclass.data.labels import Label
from outclass.dialects import spoken
from outclass.errors import InputError, unknown
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.report import brief, captions, text, tiles
from outclass.report import testing as tables
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import SHAPES, Shape
from outclass.rows.types import Appraisal, Category, FrequencyBand, SystemScores
from outclass.significance.result import TestResult

MANY_CATEGORIES: Final = 30
POLICIES: Final = {
    "drop": "categories with an undefined F1 (0/0) are dropped",
    "0": "an undefined F1 (0/0) counts as 0",
    "1": "an undefined F1 (0/0) counts as 1",
}


@dataclass(frozen=True)
class TestReport(Answer, Sequence[Any]):
    """Significance tests, with the tables they are based on.

    Parameters
    ----------
    rows
        Results of the tests.
    scores, categories, bands
        For many labels: scores of every system over all categories, the categories, and bands of category frequency.
    undefined
        How an undefined F1 was counted: 'drop', '0' or '1'; empty if there are no categories.
    appraisals
        For two classes: the score of every system with its 95% HDI, by each measure that was tested.
    """

    rows: tuple[TestResult, ...]
    scores: tuple[SystemScores, ...] = ()
    categories: tuple[Category, ...] = ()
    bands: tuple[FrequencyBand, ...] = ()
    undefined: str = ""
    noted: tuple[Finding, ...] = ()
    seed: int = 0
    items: int = 0
    positive: Label | None = None
    rope: Interval | None = None
    appraisals: tuple[Appraisal, ...] = ()

    called = "a report of tests"
    parts = ("tests",)

    def __post_init__(self) -> None:
        size = len(self.scores)
        if any(len(each.f1) != size for each in self.categories) or any(
            len(each.macro_f1) != size for each in self.bands
        ):
            raise InputError(f"every category and band must have one F1 for each of the {size} systems.")
        if self.undefined not in (POLICIES if self.scores else {"": "", **POLICIES}):
            raise unknown("policy for an undefined F1", self.undefined, POLICIES)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Any:
        return self.rows[at]

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self.rows)

    def named(self, name: str) -> tuple[TestResult, ...]:
        """Return the results of one test."""
        return tuple(row for row in self.rows if row.name == name)

    @property
    def _noted(self) -> Sequence[Sequence[Finding]]:
        return [self.noted, *(row.findings for row in self.rows)]

    @property
    def systems(self) -> tuple[str, ...]:
        """The tested systems."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.systems))

    def _methods(self, version: str) -> tuple[str, list[str]]:
        return (tables.methods(self.rows, self.items, self.seed, version) if self.rows else ""), []

    @property
    def records(self) -> Records:
        """Header and rows for CSV."""
        heads = ["name", "systems", "measure", "statistic", "p_value", "alternative", "effect", "effect_name"]
        heads += ["interval_low", "interval_high", "mark", "p_holm", "p_benjamini_hochberg", "family", "findings"]
        lines = []
        for row in self.rows:
            fitted = row.adjusted
            cells: list[object] = [row.name, " : ".join(row.systems), row.measure]
            cells += [row.statistic, row.p_value, row.alternative, row.effect, row.effect_name, *row.interval, row.mark]
            cells += ["", "", ""] if fitted is None else [fitted.holm, fitted.benjamini_hochberg, fitted.family]
            lines.append([*cells, " ".join(each.code for each in row.findings)])
        return heads, lines

    @property
    def _title(self) -> str:
        systems = self.systems
        told = " against ".join(systems) if len(systems) == 2 else f"{len(systems)} systems"
        told += f", {self.items:,} items" if self.items else ""
        return f"Tests: {told}" if self.positive is None else f"Tests: {told}, positive label {self.positive}"

    @property
    def _remarks(self) -> list[str]:
        return [*tables.families(self.rows), *tables.assumptions(self.rows), *tables.errors(self.rows)]

    @property
    def _policy(self) -> list[str]:
        return [spoken(f"Policy: {POLICIES[self.undefined]} (⟨undefined⟩).")] if self.undefined else []

    @property
    def sheet(self) -> Sheet:
        """Contents for display, the most important last."""
        names = [each.name for each in self.scores]
        shown: list[tuple[str, Sequence[Column]]] = []
        if self.scores:
            shown.append(("Over all categories", tables.of_scores(self.scores)))
        if self.bands:
            shown.append(("By category frequency", tables.of_bands(self.bands, names)))
        elif self.categories and len(self.categories) <= MANY_CATEGORIES:
            shown.append(("Categories", tables.of_categories(self.categories, names)))
        shown.append((self._title, tables.of_tests(self.rows)))
        return Sheet(self._title, [], shown, [*self._remarks, tables.LEGEND, *self._policy], self._found)

    @property
    def document(self) -> Sheet:
        """Contents for a document: the tests, then the tables they are based on."""
        names = [each.name for each in self.scores]
        shown: list[tuple[str, Sequence[Column]]] = [(self._title, tables.of_tests(self.rows))]
        if self.scores:
            shown.append(("Over all categories", tables.of_scores(self.scores)))
            shown.append(("Categories", tables.of_categories(self.categories, names)))
        if self.bands:
            shown.append(("By frequency", tables.of_bands(self.bands, names)))
        return Sheet(self._title, [], shown, [tables.LEGEND, *self._remarks, *self._policy], self._found)

    @property
    def paper(self) -> Sheet:
        """What there is to show in a paper, a Markdown document or a notebook."""
        if not self.rows:
            return self.document
        sheet = self.document
        notes = [*tables.paper_notes(self.rows), *self._remarks, *self._policy]
        first = (self._title, tables.paper_tests(self.rows))
        return replace(sheet, sentences=[tables.headline(self.rows)], tables=[first, *sheet.tables[1:]], remarks=notes)

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page: the recommended test of each pair, then all that were made."""
        if not self.rows:
            return self.document
        chosen = tables.recommended(self.rows)
        first = (self._title, tables.page_tests(chosen))
        scores = tiles.of_scores(self.scores)
        tested = {row.measure for row in chosen}
        own = tiles.of_appraisals([each for each in self.appraisals if each.measure.name in tested])
        found = tiles.of_tests(chosen[0], own or scores) if len(chosen) == 1 else own or scores
        document = self.document
        shown = [first, ("All tests", document.tables[0][1]), *document.tables[1:]]
        return replace(document, sentences=[tables.headline(self.rows)], tables=shown, tiles=found)

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return a Rich renderable for a terminal of this width."""
        if verbose or not self.rows:
            return super().screen(width, verbose=True)
        left = len(self.rows) - len(tables.trusted(self.rows))
        notes = ["* p ≤ .05, ** p ≤ .01, before adjustment."]
        if left:
            what = "1 test is" if left == 1 else f"{left} tests are"
            notes.append(spoken(f"{what} not shown because the assumptions do not hold here (see ⟨verbose⟩)."))
        found = captions.findings_of([self.noted, *(row.findings for row in tables.trusted(self.rows))])
        short = Sheet(self._title, [tables.headline(self.rows)], [], [], found, notes)
        return brief.sheet(short, tables.brief_tests(self.rows), width)

    def __repr__(self) -> str:
        return f"<TestReport: {len(self.rows)} tests, {text.plain(self._title.removeprefix('Tests: '))}>"


def _write(report: TestReport, plain: dict[str, Any]) -> dict[str, Any]:
    """Write F1s by the systems' names, and leave out the tables that there are not."""
    names = [each.name for each in report.scores]
    for part, key in (("categories", "f1"), ("by_frequency", "macro_f1")):
        for each in plain[part]:
            each[key] = dict(zip(names, each[key], strict=True))
    plain["undefined"] = {"policy": report.undefined, "words": POLICIES.get(report.undefined, "")}
    absent = (() if report.scores else ("undefined", "systems", "categories")) + (
        () if report.bands else ("by_frequency",)
    )
    absent += () if report.appraisals else ("appraisals",)
    return {name: value for name, value in plain.items() if name not in absent}


def _read(plain: Any) -> Any:
    names = [each["name"] for each in plain.get("systems", [])]
    f1s = {
        part: [{**each, key: [each[key][name] for name in names]} for each in plain.get(part, [])]
        for part, key in (("categories", "f1"), ("by_frequency", "macro_f1"))
    }
    return plain | f1s | {"undefined": plain["undefined"]["policy"] if "undefined" in plain else ""}


SHAPES[TestReport] = Shape(
    keys={"rows": "tests", "scores": "systems", "bands": "by_frequency", "noted": "findings"}, write=_write, read=_read
)
