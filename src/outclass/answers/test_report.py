"""The answer of a battery of tests: frozen, JSON in and out, printed like the others."""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from outclass.data.labels import Label
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.report import captions, latex, markdown, terminal, text
from outclass.report import testing as tables
from outclass.report.sheets import Sheet
from outclass.report.shown import Shown
from outclass.report.tables import Column
from outclass.rows.types import (
    Category,
    FrequencyBand,
    SystemScores,
    checked,
    loads,
    plain_of,
    test_from_dict,
    test_to_dict,
)
from outclass.significance.result import TestResult

MANY_CATEGORIES: Final = 30
POLICIES: Final = {
    "drop": "categories whose F1 is undefined (0/0) are left out",
    "0": "an undefined F1 (0/0) counts as 0",
    "1": "an undefined F1 (0/0) counts as 1",
}


@dataclass(frozen=True)
class TestReport(Shown, Sequence[Any]):
    """Significance tests, with the tables they rest on.

    Parameters
    ----------
    rows
        The tests' results.
    scores, categories, bands
        For many labels: every system over all categories, the categories, and these by how common they are.
    undefined
        What was done with an undefined F1: 'drop', '0' or '1'; empty where there are no categories.
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
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know, of all rows."""
        return tuple(dict.fromkeys((*self.noted, *(each for row in self.rows for each in row.findings))))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were tested."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.systems))

    # --- in and out -----------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of the JSON."""
        plain: dict[str, Any] = {"tests": [test_to_dict(row) for row in self.rows]}
        if self.scores:
            names = [each.name for each in self.scores]
            plain["undefined"] = {"policy": self.undefined, "words": POLICIES[self.undefined]}
            plain["systems"] = plain_of(list(self.scores))
            plain["categories"] = [
                each | {"f1": dict(zip(names, each["f1"], strict=True))} for each in plain_of(list(self.categories))
            ]
        if self.bands:
            names = [each.name for each in self.scores]
            plain["by_frequency"] = [
                each | {"macro_f1": dict(zip(names, each["macro_f1"], strict=True))}
                for each in plain_of(list(self.bands))
            ]
        plain["findings"] = plain_of(list(self.noted))
        plain["seed"] = self.seed
        plain["items"] = self.items
        plain["positive"] = self.positive
        plain["rope"] = None if self.rope is None else list(self.rope)
        return plain

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "TestReport":
        """Read the tests back; the tables they rest on are not needed for them, and stay behind."""
        plain = loads(text)
        if not isinstance(plain, dict) or not isinstance(plain.get("tests"), list) or not plain["tests"]:
            raise InputError("this JSON holds no 'tests': it is not what outclass wrote.")
        rows = tuple(test_from_dict(row) for row in plain["tests"])
        try:
            noted = tuple(Finding(each["code"], each["message"]) for each in plain.get("findings", []))
        except (TypeError, KeyError):
            raise InputError("this is not a battery of tests that outclass wrote.") from None
        given: dict[str, Any] = {
            name: plain.get(name, usual) for name, usual in (("seed", 0), ("items", 0), ("positive", None))
        }
        return checked(cls(rows, noted=noted, **given), "a battery of tests")

    def to_csv(self) -> str:
        """Return one line a test."""
        heads = ["name", "systems", "measure", "statistic", "p_value", "alternative", "effect", "effect_name"]
        heads += ["interval_low", "interval_high", "mark", "p_holm", "p_benjamini_hochberg", "family", "findings"]
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(heads)
        for row in self.rows:
            fitted = row.adjusted
            cells: list[Any] = [row.name, text.cell(" : ".join(row.systems)), text.cell(row.measure)]
            cells += [row.statistic, row.p_value, row.alternative, row.effect, row.effect_name, *row.interval, row.mark]
            cells += ["", "", ""] if fitted is None else [fitted.holm, fitted.benjamini_hochberg, fitted.family]
            cells.append(" ".join(each.code for each in row.findings))
            # An unknown number is an empty cell: spreadsheets read "nan" as text.
            writer.writerow(["" if isinstance(cell, float) and math.isnan(cell) else cell for cell in cells])
        return stream.getvalue()

    @property
    def _title(self) -> str:
        systems = self.systems
        told = " against ".join(systems) if len(systems) == 2 else f"{len(systems)} systems"
        told += f", {self.items:,} items" if self.items else ""
        return told if self.positive is None else f"{told}, positive label {self.positive}"

    @property
    def _remarks(self) -> list[str]:
        told = [tables.LEGEND, *tables.families(self.rows), *tables.assumptions(self.rows), *tables.errors(self.rows)]
        if self.undefined:
            told.append(f"Policy: {POLICIES[self.undefined]} (--undefined).")
        return told + [
            f"{code}: {message}" + (f" (In {many} rows.)" if many > 1 else "") for code, message, many in self._found
        ]

    @property
    def _found(self) -> list[tuple[str, str, int]]:
        return captions.findings_of([self.noted, *(row.findings for row in self.rows)])

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        parts = [markdown.document(f"Tests: {self._title}", tables.of_tests(self.rows), [], self._remarks)]
        names = [each.name for each in self.scores]
        if self.scores:
            parts.append(markdown.document("Over all categories", tables.of_scores(self.scores), [], []))
            parts.append(markdown.document("Categories", tables.of_categories(self.categories, names), [], []))
        if self.bands:
            parts.append(markdown.document("By frequency", tables.of_bands(self.bands, names), [], []))
        return "\n".join(parts)

    def to_latex(self) -> str:
        """Return the table of tests in LaTeX (booktabs)."""
        return latex.table(f"Tests: {self._title}", tables.of_tests(self.rows), self._remarks)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        names = [each.name for each in self.scores]
        extra: list[tuple[str, Sequence[Column]]] = []
        if self.scores:
            extra.append(("Over all categories", tables.of_scores(self.scores)))
        if self.bands:
            extra.append(("By how common the categories are", tables.of_bands(self.bands, names)))
        elif self.categories and len(self.categories) <= MANY_CATEGORIES:
            extra.append(("Categories", tables.of_categories(self.categories, names)))
        told = [*tables.families(self.rows), *tables.assumptions(self.rows), *tables.errors(self.rows), tables.LEGEND]
        if self.undefined:
            told.append(f"Policy: {POLICIES[self.undefined]} (--undefined).")
        title = f"Tests: {self._title}"
        return Sheet(title, [], [*extra, (title, tables.of_tests(self.rows))], told, self._found)

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.sheet(self.sheet, width))

    def __repr__(self) -> str:
        return f"<TestReport: {len(self.rows)} tests, {self._title}>"
