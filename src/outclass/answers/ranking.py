"""The answer of `rank`: all systems under one posterior, best first; frozen, JSON in and out."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.chains import inference_data
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.report import captions, latex, markdown, terminal, text, words
from outclass.report.sheets import Sheet
from outclass.report.shown import Shown
from outclass.report.tables import Column
from outclass.rows.types import MeasureInfo, Ranked, plain_of
from outclass.verdict.rope import Verdict

MOST_SHOWN: Final = 12


@dataclass(frozen=True)
class Ranking(Shown):
    """All systems, best first, with the probability of every rank and the verdict on every pair."""

    measure: MeasureInfo
    systems: tuple[Ranked, ...]
    verdicts: tuple[tuple[str, ...], ...]  # row against column, in the order of the systems
    rope: Interval
    hdi_mass: float
    model: str
    prior: str
    items: int
    draws: int
    seed: int
    findings: tuple[Finding, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names, best first."""
        return tuple(each.system.name for each in self.systems)

    def verdict(self, a: str, b: str) -> Verdict:
        """Return the verdict on a pair."""
        return Verdict(self.verdicts[self.names.index(a)][self.names.index(b)])

    @property
    def words(self) -> str:
        """The answer in one plain sentence."""
        first = self.systems[0]
        against = dict(zip(self.names, self.verdicts[0], strict=True))
        same = [name for name in self.names[1:] if against[name] == "~="]
        near = [name for name in self.names[1:] if against[name] not in ("~=", ">>", "<<")]
        told = f"{first.system.name} is best in {self.measure.title} with probability {words.percent(first.best)}"
        if not same and not near:
            return f"{told}, and better than each of the others by more than {words.rope(self.rope)}."
        if same:
            told += f"; practically equivalent to it ({words.rope(self.rope)}): {_some(same)}"
        if near:
            told += f"; not told from it yet: {_some(near)}"
        return f"{told}."

    def to_arviz(self) -> Any:
        """Return all systems' draws, which are of the same worlds, as ArviZ keeps them (`outclass[mcmc]`)."""
        laws = [each.system.posterior for each in self.systems]
        if not all(isinstance(law, Draws) for law in laws):
            raise InputError("a ranking read back from JSON holds numbers only; run it again for its draws.")
        drawn = np.stack([law.in_order for law in laws if isinstance(law, Draws)], axis=2)
        return inference_data({"value": drawn}, {"value": ["system"]}, {"system": list(self.names)})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of the JSON."""
        return {
            "ranking": [
                {
                    **plain_of(each.system),
                    "expected_rank": each.expected_rank,
                    "p_best": each.best,
                    "p_rank": list(each.ranks),
                    "simultaneous": list(each.simultaneous),
                    "rank_interval": [int(end) for end in each.rank_interval],
                    "tiers": list(each.tiers),
                }
                for each in self.systems
            ],
            "verdicts": [list(row) for row in self.verdicts],
            "measure": self.measure.name,
            "rope": list(self.rope),
            "hdi_mass": self.hdi_mass,
            "model": self.model,
            "prior": self.prior,
            "items": self.items,
            "draws": self.draws,
            "seed": self.seed,
            "words": self.words,
            "findings": plain_of(list(self.findings)),
        }

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """Return one line a system."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(
            ["system", "observed", "mean", "std", "hdi_low", "hdi_high", "simultaneous_low", "simultaneous_high"]
            + [
                "expected_rank",
                "rank_low",
                "rank_high",
                "p_best",
                "tiers",
                *(f"p_rank_{rank}" for rank in range(1, len(self.systems) + 1)),
            ]
        )
        for each in self.systems:
            own = each.system
            writer.writerow(
                [text.cell(own.name), own.observed, own.mean, own.std, *own.hdi, *each.simultaneous]
                + [
                    each.expected_rank,
                    *map(int, each.rank_interval),
                    each.best,
                    " ".join(map(str, each.tiers)),
                    *each.ranks,
                ]
            )
        return stream.getvalue()

    @property
    def _columns(self) -> list[Column]:
        digits = words.decimals(max(each.system.std for each in self.systems))

        def column(key: str, title: str, cells: Sequence[str], rank: int, *, is_name: bool = False) -> Column:
            return Column(key=key, title=title, cells=tuple(cells), rank=rank, is_name=is_name)

        return [
            column("system", "system", self.names, 0, is_name=True),
            column("mean", self.measure.title, [f"{each.system.mean:.{digits}f}" for each in self.systems], 0),
            column(
                "hdi",
                f"{100 * self.hdi_mass:g}% HDI",
                [words.unsigned_interval(each.system.hdi, digits) for each in self.systems],
                3,
            ),
            column(
                "simultaneous",
                "all at once",
                [words.unsigned_interval(each.simultaneous, digits) for each in self.systems],
                5,
            ),
            column("rank", "exp. rank", [f"{each.expected_rank:.2f}" for each in self.systems], 4),
            column(
                "ranks", f"{100 * self.hdi_mass:g}% ranks", [_ranks(each.rank_interval) for each in self.systems], 2
            ),
            column("best", "P(best)", [words.percent(each.best) for each in self.systems], 0),
            column("tier", "group", [_letters(each.tiers) for each in self.systems], 1),
        ]

    @property
    def _matrix(self) -> list[Column]:
        """The verdicts, row against column."""
        shown = self.names[:MOST_SHOWN]
        columns = [Column(key="system", title="", cells=shown, is_name=True)]
        for place, name in enumerate(shown):
            signs = tuple("" if row == place else Verdict(self.verdicts[row][place]).sign for row in range(len(shown)))
            rank = len(shown) - place + 1
            columns.append(Column(key=f"v{place}", title=name, cells=signs, rank=rank, names_a_system=True))
        return columns

    @property
    def _told(self) -> list[str]:
        return [
            f"{self.model} model, {self.prior}, {100 * self.hdi_mass:g}% HDI, ROPE {words.rope(self.rope)}, "
            f"{self.items:,} items; {self.draws:,} draws; seed {self.seed}",
            "Of systems that share a letter no two are surely apart by more than the ROPE.",
            *(
                [f"Verdicts of the first {MOST_SHOWN} of {len(self.systems)} systems (JSON has all)."]
                if self._cut
                else []
            ),
        ]

    @property
    def _cut(self) -> bool:
        return len(self.systems) > MOST_SHOWN

    @property
    def _title(self) -> str:
        return f"{len(self.systems)} systems, {self.measure.title}"

    @property
    def _found(self) -> list[tuple[str, str, int]]:
        return captions.findings_of([self.findings])

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        remarks = [*self._told, *(f"{code}: {message}" for code, message, _ in self._found)]
        parts = [markdown.document(self._title, self._columns, [self.words], remarks)]
        return "\n".join([*parts, markdown.document("Verdicts, row against column", self._matrix, [], [])])

    def to_latex(self) -> str:
        """Return the table of systems in LaTeX (booktabs)."""
        return latex.table(self._title, self._columns, self._told)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        tables: list[tuple[str, Sequence[Column]]] = [
            (self._title, self._columns),
            ("Verdicts, row against column", self._matrix),
        ]
        return Sheet(self._title, [self.words], tables, self._told, self._found)

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.sheet(self.sheet, width))

    def __repr__(self) -> str:
        return f"<Ranking: {self.words}>"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _ranks(ends: Interval) -> str:
    low, high = (int(end) for end in ends)
    return f"{low}" if low == high else f"{low}-{high}"


def _letters(tiers: Sequence[int]) -> str:
    return " ".join(chr(ord("a") + tier) if tier < 26 else str(tier + 1) for tier in tiers)
