"""The answer of `rank`: all systems in one joint posterior, best first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from rich.console import RenderableType

from outclass.answers.answer import Answer, column
from outclass.dialects import spoken
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.chains import inference_data
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.report import brief, captions, paper, text, tiles, words
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import SHAPES, Shape, read_measure, write_measure
from outclass.rows.types import MeasureInfo, Ranked
from outclass.verdict.rope import Verdict

MOST_SHOWN: Final = 12
SHARED: Final = "Systems sharing a letter are not credibly separated by more than the ROPE."


@dataclass(frozen=True, kw_only=True)
class Ranking(Answer):
    """All systems, best first, with the probability of every rank and the verdict on every pair."""

    systems: tuple[Ranked, ...]
    verdicts: tuple[tuple[str, ...], ...]  # row against column, in the order of the systems
    measure: MeasureInfo
    rope: Interval
    hdi_mass: float
    model: str
    prior: str
    items: int
    draws: int
    seed: int
    findings: tuple[Finding, ...] = ()

    called = "a ranking"
    parts = ("ranking",)

    def __post_init__(self) -> None:
        size = len(self.systems)
        if any(len(row) != size for row in (self.verdicts, *self.verdicts, *(each.ranks for each in self.systems))):
            raise InputError(f"{size} systems need {size} verdicts and {size} rank probabilities each.")
        if not all(float(end).is_integer() for each in self.systems for end in each.rank_interval):
            raise InputError("the ends of an interval of ranks must be whole numbers.")
        for place, row in enumerate(self.verdicts):
            if row[place] or not {*row[:place], *row[place + 1 :]} <= set(Verdict):
                raise InputError(f"the verdicts on {self.names[place]!r} must be one of {', '.join(Verdict)} each.")

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names, best first."""
        return tuple(each.system.name for each in self.systems)

    def verdict(self, a: str, b: str) -> Verdict:
        """Return the verdict on a pair."""
        return Verdict(self.verdicts[self.names.index(a)][self.names.index(b)])

    @property
    def words(self) -> str:
        """The answer in one sentence."""
        first = self.systems[0]
        against = dict(zip(self.names, self.verdicts[0], strict=True))
        same = [name for name in self.names[1:] if against[name] == "~="]
        near = [name for name in self.names[1:] if against[name] not in ("~=", ">>", "<<")]
        rope = words.region(self.rope, self.measure)
        told = f"{first.system.name} ranks first in {self.measure.title} (P {words.probability(first.best)})"
        if not same and not near:
            return f"{told} and leads every other system by more than the ROPE of {rope}."
        if same:
            told += f"; its lead over {_some(same)} is within the ROPE of {rope}"
        if near:
            told += f"; its lead over {_some(near)} may be smaller than the ROPE of {rope}"
        return f"{told}."

    def to_arviz(self) -> Any:
        """Return the joint draws of all systems as ArviZ data (requires the extra `mcmc`)."""
        laws = [each.system.posterior for each in self.systems]
        if not all(isinstance(law, Draws) for law in laws):
            raise InputError("a ranking loaded from JSON has no draws; run it again to get them.")
        drawn = np.stack([law.in_order for law in laws if isinstance(law, Draws)], axis=2)
        return inference_data({"value": drawn}, {"value": ["system"]}, {"system": list(self.names)})

    def _methods(self, version: str) -> tuple[str, list[str]]:
        told = (
            f"We ranked {len(self.systems)} systems by {self.measure.title} on {self.items:,} items under one "
            f"posterior ({self.model} model, {self.prior}; {self.draws:,} draws, outclass {version}, seed "
            f"{self.seed}). {self.words} {words.ranked_results(self.systems, self.hdi_mass)}"
        )
        return told, []

    @property
    def records(self) -> Records:
        """Header and rows for CSV."""
        heads = ["system", "observed", "mean", "std", "hdi_low", "hdi_high", "simultaneous_low", "simultaneous_high"]
        heads += ["expected_rank", "rank_low", "rank_high", "p_best", "tiers"]
        lines = []
        for each in self.systems:
            own = each.system
            cells: list[object] = [own.name, own.observed, own.mean, own.std, *own.hdi, *each.simultaneous]
            cells += [each.expected_rank, *map(int, each.rank_interval), each.best, " ".join(map(str, each.tiers))]
            lines.append([*cells, *each.ranks])
        return [*heads, *(f"p_rank_{rank}" for rank in range(1, len(self.systems) + 1))], lines

    @property
    def _columns(self) -> list[Column]:
        rows = self.systems
        digits = words.decimals(max(each.system.std for each in rows))
        mass = f"{100 * self.hdi_mass:g}%"
        intervals = [words.unsigned_interval(each.system.hdi, digits) for each in rows]
        together = [words.unsigned_interval(each.simultaneous, digits) for each in rows]
        return [
            column("system", "system", self.names, 0, is_name=True),
            replace(
                column("mean", self.measure.title, [f"{each.system.mean:.{digits}f}" for each in rows], 0),
                names_a_system=True,  # the title names a label, which comes from the data too
            ),
            column("hdi", f"{mass} HDI", intervals, 3),
            column("simultaneous", "all at once", together, 5),
            column("rank", "exp. rank", [f"{each.expected_rank:.2f}" for each in rows], 4),
            column("ranks", f"{mass} ranks", [_ranks(each.rank_interval) for each in rows], 2),
            column("best", "P(best)", [words.percent(each.best) for each in rows], 0),
            column("tier", "group", [_letters(each.tiers) for each in rows], 1),
        ]

    @property
    def paper(self) -> Sheet:
        """What there is to show in a paper, a Markdown document or a notebook."""
        mass = f"{100 * self.hdi_mass:g}% HDI"
        digits = words.decimals(max(each.system.std for each in self.systems))
        scores = [paper.score(each.system, digits) for each in self.systems]
        kept = [each for each in self._columns if each.key in ("best", "ranks", "tier")]
        title = f"{self.measure.title} [{mass}]"
        columns = [
            column("system", "system", self.names, 0, is_name=True),
            Column(key="score", title=title, cells=tuple(scores), names_a_system=True),
            *kept,
        ]
        sheet = self.sheet
        about, *told = sheet.remarks
        notes = [f"Posterior mean [{mass}]; P(best): probability of ranking first.", *told, f"{about}."]
        return replace(sheet, tables=[(sheet.title, columns), *sheet.tables[1:]], remarks=notes)

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
    def _found(self) -> list[tuple[str, str, int]]:
        same = any(sign and Verdict(sign) is Verdict.EQUIVALENT for row in self.verdicts for sign in row)
        return captions.findings_of(self._noted, equivalent=same)

    def screen(self, width: int, *, verbose: bool = False) -> RenderableType:
        """Return a Rich renderable; in short, a default ROPE is not too wide for a leader that is beyond it."""
        if verbose or not all(sign in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS) for sign in self.verdicts[0][1:]):
            return super().screen(width, verbose=verbose)
        told = [each for each in self._found if each[0] not in words.DEFAULT_ROPE]
        return brief.sheet(replace(self.sheet, findings=told), self.document.tables[0][1], width)

    @property
    def _noted(self) -> Sequence[Sequence[Finding]]:
        return [self.findings]

    @property
    def sheet(self) -> Sheet:
        """Contents for display."""
        size = len(self.systems)
        told = [
            f"{self.model} model, {self.prior}, {100 * self.hdi_mass:g}% HDI, ROPE {words.rope(self.rope)}, "
            f"{self.items:,} items; {self.draws:,} draws; seed {self.seed}",
            SHARED,
        ]
        if size > MOST_SHOWN:
            told.append(f"Verdicts of the first {MOST_SHOWN} of {size} systems (JSON has all).")
        title = f"{size} systems, {self.measure.title}"
        shown = [(title, self._columns), ("Verdicts, row against column", self._matrix)]
        usual = (
            spoken(", the default; change it with ⟨rope=…⟩")
            if any(each.code in words.DEFAULT_ROPE for each in self.findings)
            else ""
        )
        notes = [f"{SHARED[:-1]} ({words.region(self.rope, self.measure)}{usual})."]
        return Sheet(title, [self.words], shown, told, self._found, notes)

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page."""
        sheet = self.sheet
        (title, columns), *others = sheet.tables
        first = [each for each in columns if each.key in ("system", "mean", "hdi", "best", "tier")]
        shown = [(title, first), *others, ("Intervals of ranks, and of all scores at once", columns)]
        found = tiles.of_ranking(self.systems, self.hdi_mass)
        return replace(sheet, sentences=[self.words, *sheet.notes], tables=shown, tiles=found)

    def __repr__(self) -> str:
        return f"<Ranking: {text.plain(self.words)}>"


def _some(names: Sequence[str]) -> str:
    shown = [*names[:3], *([f"{len(names) - 3} more"] if len(names) > 3 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _ranks(ends: Interval) -> str:
    low, high = (int(end) for end in ends)
    return f"{low}" if low == high else f"{low}-{high}"


def _letters(tiers: Sequence[int]) -> str:
    return " ".join(chr(ord("a") + tier) if 0 <= tier < 26 else str(tier + 1) for tier in tiers)


SHAPES[Ranking] = Shape(
    keys={"systems": "ranking"},
    write=lambda ranking, plain: write_measure(ranking, plain) | {"words": ranking.words},
    read=read_measure,
)
