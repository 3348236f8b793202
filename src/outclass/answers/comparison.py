"""The answers a user holds: a `Comparison` or an `Evaluation`, frozen, JSON in and out, printed well anywhere."""

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.chains import Chains, inference_data, with_variable
from outclass.inference.distribution import Distribution
from outclass.inference.summary import Summary
from outclass.report import captions, delimited, latex, markdown, tables, terminal, words
from outclass.report.sheets import Sheet
from outclass.report.shown import Shown
from outclass.rows.types import (
    Appraisal,
    Contrast,
    LogOdds,
    SystemSummary,
    appraisal_from_dict,
    appraisal_to_dict,
    contrast_from_dict,
    contrast_to_dict,
    loads,
)
from outclass.significance.result import TestResult
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import Verdict

FEW_SENTENCES = 4
Row = TypeVar("Row", Contrast, Appraisal)


@dataclass(frozen=True)
class _Answer(Shown, Sequence[Any], Generic[Row]):
    """Rows of one kind, with everything that can be done to them."""

    rows: tuple[Row, ...]

    _key: ClassVar[str]  # where the rows stand in JSON
    _quantity: ClassVar[str]  # what the posteriors are of

    # --- what differs between the kinds of rows -----------------------------------------------------------------

    @staticmethod
    @abstractmethod
    def _plain(row: Any) -> dict[str, Any]:
        """Turn a row into plain data."""

    @staticmethod
    @abstractmethod
    def _read(plain: Mapping[str, Any]) -> Any:
        """Read a row back."""

    @property
    @abstractmethod
    def _columns(self) -> list[tables.Column]:
        """Return the columns of the rows' table."""

    # --- a sequence of answers of one row each ------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Self:
        return type(self)(self.rows[at] if isinstance(at, slice) else (self.rows[at],))

    def __iter__(self) -> Iterator[Self]:
        return (type(self)((row,)) for row in self.rows)

    @property
    def only(self) -> Row:
        """The one row there is."""
        if len(self.rows) != 1:
            name = type(self).__name__.lower()
            raise InputError(f"this {name} has {len(self.rows)} rows; take one of them, as in {name}[0].")
        return self.rows[0]

    @property
    def posterior(self) -> Distribution:
        """The distribution object of what was asked for."""
        law = self.only.posterior
        if law is None:
            raise InputError("an answer read back from JSON holds numbers only; run it again for the posterior.")
        return law

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know, of all rows."""
        return tuple(dict.fromkeys(finding for row in self.rows for finding in row.findings))

    # --- in and out -----------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of the JSON."""
        return {self._key: [self._plain(row) for row in self.rows]}

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read back what `to_json` wrote."""
        plain = loads(text)
        if not isinstance(plain, dict) or not isinstance(plain.get(cls._key), list) or not plain[cls._key]:
            raise InputError(f"this JSON holds no {cls._key!r}: it is not what outclass wrote.")
        return cls(tuple(cls._read(row) for row in plain[cls._key]))

    def to_arviz(self, draws: int = 4_000, rng: int = 0) -> Any:
        """Return posteriors as ArviZ keeps them (`pip install "outclass[mcmc]"`).

        Of one row made by chains: all that was sampled, and what was asked for. Of more, what was asked for, in the
        chains it came from, one coordinate a row. Otherwise independent draws of each law, in four chains.
        """
        laws = [row.posterior for row in self.rows]
        if any(law is None for law in laws):
            raise InputError("an answer read back from JSON holds numbers only; run it again for the posterior.")
        kept = getattr(laws[0], "trace", None) if len(laws) == 1 else None
        name = self._quantity
        if kept is not None:
            # Only chains keep a trace.
            return with_variable(kept, name, laws[0].by_chain)  # type: ignore[union-attr]
        chains = [law.by_chain for law in laws if isinstance(law, Chains)]
        if len(chains) == len(laws) and len({each.shape for each in chains}) == 1:
            sampled = np.stack(chains, axis=2)
        else:
            generator = np.random.default_rng(rng)
            drawn = [law.sample(draws // 4 * 4, generator) for law in laws if law is not None]
            sampled = np.stack(drawn, axis=1).reshape(4, -1, len(laws))
        return inference_data(
            {name: sampled},
            {name: ["row"]},
            {"row": [captions.row_name(row) for row in self.rows]},
        )

    def to_markdown(self) -> str:
        """Return a table in Markdown."""
        return markdown.document(captions.title(self.rows), self._columns, self._sentences, captions.remarks(self.rows))

    def to_latex(self) -> str:
        """Return a table in LaTeX (booktabs)."""
        return latex.table(captions.title(self.rows), self._columns, captions.remarks(self.rows))

    @property
    def _sentences(self) -> list[str]:
        return []

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        title = captions.title(self.rows)
        remarks = [each for each in captions.remarks(self.rows) if not each.startswith("OC")]
        found = captions.findings(self.rows)
        return Sheet(title, self._sentences, [(title, self._columns)], remarks, found, self.rows)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


@dataclass(frozen=True)
class Comparison(_Answer[Contrast]):
    """One or more contrasts of two systems: one for each pair, measure and label that was asked for.

    A comparison of one row has that row's numbers at hand (`difference`, `verdict`, `systems`, ...); of more, index it.
    """

    _key = "comparisons"
    _quantity = "difference"
    _read = staticmethod(contrast_from_dict)

    @staticmethod
    def _plain(row: Contrast) -> dict[str, Any]:
        return contrast_to_dict(row, words.verdict(row))

    @property
    def _columns(self) -> list[tables.Column]:
        return tables.of_contrasts(self.rows)

    @property
    def _sentences(self) -> list[str]:
        return [words.sentence(self.only)] if len(self.rows) == 1 else []

    @property
    def systems(self) -> tuple[SystemSummary, SystemSummary]:
        """Both systems' own measures."""
        return self.only.systems

    @property
    def difference(self) -> Summary:
        """The numbers of A's measure minus B's."""
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
        """The log odds that A alone is right rather than B alone, in the sign model."""
        return self.only.log_odds

    @property
    def words(self) -> str:
        """The answer in one plain sentence."""
        return words.sentence(self.only)

    def to_csv(self) -> str:
        """Return one line a row."""
        return delimited.of_contrasts(self.rows)

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.contrasts(self.rows, width))

    def __repr__(self) -> str:
        told = self.words if len(self.rows) == 1 else f"{len(self.rows)} rows, {captions.title(self.rows)}"
        return f"<Comparison: {told}>"


@dataclass(frozen=True)
class Evaluation(_Answer[Appraisal]):
    """One or more systems judged by themselves: one row for each system, measure and label."""

    _key = "evaluations"
    _quantity = "value"
    _read = staticmethod(appraisal_from_dict)
    _plain = staticmethod(appraisal_to_dict)

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        told = [words.appraised(row) for row in self.rows] if len(self.rows) <= FEW_SENTENCES else []
        return replace(super().sheet, sentences=told, rows=())

    @property
    def _columns(self) -> list[tables.Column]:
        return tables.of_appraisals(self.rows)

    @property
    def system(self) -> SystemSummary:
        """The numbers of the system's measure."""
        return self.only.system

    def to_csv(self) -> str:
        """Return one line a row."""
        return delimited.of_appraisals(self.rows)

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.appraisals(self.rows, width))

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self.rows)} rows, {captions.title(self.rows)}>"
