"""Answers made of rows, each of which is an answer of the same kind."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from outclass.answers.answer import Answer
from outclass.errors import InputError, NoAttributeError
from outclass.findings import Finding
from outclass.inference.chains import Chains, inference_data, with_variable
from outclass.inference.distribution import Distribution
from outclass.report import captions
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Appraisal, Contrast

Row = TypeVar("Row", Contrast, Appraisal)
NUMBERS_ONLY = "an answer loaded from JSON has no posterior; run it again to get it."


@dataclass(frozen=True)
class Rows(Answer, Sequence[Any], Generic[Row]):
    """Rows of one kind."""

    rows: tuple[Row, ...]

    quantity: ClassVar[str]  # what the posteriors are of

    @property
    @abstractmethod
    def _columns(self) -> list[Column]:
        """Return the columns of the rows' table."""

    @property
    def _sentences(self) -> list[str]:
        return []

    @property
    def _noted(self) -> Sequence[Sequence[Finding]]:
        return [row.findings for row in self.rows]

    @property
    def _found(self) -> list[tuple[str, str, int]]:
        return captions.findings(self.rows)

    @property
    def document(self) -> Sheet:
        """Contents for a document."""
        title = captions.title(self.rows)
        tables = [(title, self._columns)]
        return Sheet(title, self._sentences, tables, captions.remarks(self.rows), self._found, rows=self.rows)

    @property
    @abstractmethod
    def _paper_tables(self) -> list[tuple[str, Sequence[Column]]]:
        """Return the tables of a paper."""

    @property
    def _opening(self) -> list[str]:
        """Return the answer in sentences, as a document begins with it."""
        return self._sentences

    @property
    def paper(self) -> Sheet:
        """What there is to show in a paper, a Markdown document or a notebook."""
        if not self.rows:
            return self.document
        return replace(
            self.document,
            sentences=self._opening,
            tables=self._paper_tables,
            remarks=captions.paper_notes(self.rows),
        )

    @property
    def sheet(self) -> Sheet:
        """Contents for display."""
        return self.document

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Self:
        return type(self)(self.rows[at] if isinstance(at, slice) else (self.rows[at],))

    def __iter__(self) -> Iterator[Self]:
        return (type(self)((row,)) for row in self.rows)

    @property
    def only(self) -> Row:
        """The only row."""
        if len(self.rows) != 1:
            name = type(self).__name__.lower()
            raise NoAttributeError(f"this {name} has {len(self.rows)} rows; select one, as in {name}[0].")
        return self.rows[0]

    @property
    def posterior(self) -> Distribution:
        """The posterior distribution."""
        law = self.only.posterior
        if law is None:
            raise NoAttributeError(NUMBERS_ONLY)
        return law

    def to_arviz(self, draws: int = 4_000, rng: int = 0) -> Any:
        """Return the posteriors as ArviZ data (requires the extra `mcmc`).

        For a single row from MCMC: all sampled variables and the quantity of interest. For several rows: the quantity
        of interest, with one coordinate per row. Without MCMC: independent draws, in four chains.
        """
        laws = [law for row in self.rows if (law := row.posterior) is not None]
        if len(laws) < len(self.rows):
            raise InputError(NUMBERS_ONLY)
        kept = getattr(laws[0], "trace", None) if len(laws) == 1 else None
        name = self.quantity
        if kept is not None:
            # Only chains keep a trace.
            return with_variable(kept, name, laws[0].by_chain)  # type: ignore[attr-defined]
        chains = [law.by_chain for law in laws if isinstance(law, Chains)]
        if len(chains) == len(laws) and len({each.shape for each in chains}) == 1:
            sampled = np.stack(chains, axis=2)
        else:
            generator = np.random.default_rng(rng)
            drawn = [law.sample(draws // 4 * 4, generator) for law in laws]
            sampled = np.stack(drawn, axis=1).reshape(4, -1, len(laws))
        named = {"row": [captions.row_name(row) for row in self.rows]}
        return inference_data({name: sampled}, {name: ["row"]}, named)
