"""The answer of `slices`: where the new system lost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from outclass.answers.answer import Answer, column
from outclass.data.labels import Label
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.report import text, words
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.report.tiles import Tile
from outclass.report.words import slice_search as told
from outclass.rows.plain import SHAPES, Shape, read_measure, write_measure
from outclass.rows.slice_search import LIKELY, FoundSlice, Searched
from outclass.rows.types import MeasureInfo


@dataclass(frozen=True, kw_only=True)
class SliceSearch(Answer):
    """The slices in which the new system is worse than the old one, by expected loss.

    Parameters
    ----------
    old, new
        The systems.
    measure, label
        The measure, and the positive label; None if it only matters who is right.
    items
        How many there are.
    rope, hdi_mass
        The ROPE of losses, and the mass of intervals.
    whole, rows
        All items; and the slices that are listed, then those that are likelier than not to be worse.
    searched
        What was searched, and how many slices are listed.
    """

    old: str
    new: str
    measure: MeasureInfo
    label: Label | None
    items: int
    rope: Interval
    hdi_mass: float
    whole: FoundSlice
    rows: tuple[FoundSlice, ...]
    searched: Searched
    seed: int
    findings: tuple[Finding, ...] = ()

    called = "a search for slices"
    parts = ("whole",)

    def __post_init__(self) -> None:
        if any(row.pooled is None or not 1 <= len(row.where) <= 2 for row in self.rows):
            raise InputError("a slice of a search has one or two columns and a pooled loss.")

    @property
    def words(self) -> str:
        """The answer in one sentence."""
        lost = self.whole if self.whole.probability >= LIKELY else None
        return told.where_lost(self.old, self.new, self.measure, self.rope, self.rows, self.searched, lost)

    @property
    def _columns(self) -> list[Column]:
        rows, mass = [self.whole, *self.rows], f"{100 * self.hdi_mass:g}%"
        std = max((row.pooled.std for row in self.rows if row.pooled is not None), default=math.nan)
        std = (self.whole.interval.high - self.whole.interval.low) / 4 if math.isnan(std) else std
        pooled = [row.pooled for row in rows]
        return [
            column("slice", "slice", [row.title for row in rows], 0, is_name=True),
            column("items", "items", [f"{row.items:,}" for row in rows], 0),
            column("share", "share", [told.share(row.share) for row in rows], 4),
            Column(key="old", title=self.old, cells=_values([row.old for row in rows]), rank=2, names_a_system=True),
            Column(key="new", title=self.new, cells=_values([row.new for row in rows]), rank=2, names_a_system=True),
            column("loss", "loss", [told.loss(row.observed, self.measure, std) for row in rows], 1),
            column("hdi", f"{mass} HDI", [told.loss_interval(row.interval, self.measure, std) for row in rows], 5),
            column("pooled", "pooled", ["" if p is None else told.loss(p.mean, self.measure, std) for p in pooled], 0),
            column(
                "pooled_interval",
                mass,
                ["" if p is None else told.loss_interval(p.interval, self.measure, std) for p in pooled],
                3,
            ),
            column("worse", "P(worse)", [words.percent(row.probability) for row in rows], 0),
            column("expected", "expected loss", [told.loss(row.expected_loss, self.measure, std) for row in rows], 6),
            column("found", "found", ["", *("lost" if row.listed else "likely" for row in self.rows)], 0),
        ]

    @property
    def _examples(self) -> list[Column]:
        rows = [row for row in self.rows if row.ids]
        return [
            column("slice", "slice", [row.title for row in rows], 0, is_name=True),
            column("lost", "lost", [f"{row.lost:,}" for row in rows], 0),
            column("ids", "for example", [", ".join(row.ids) for row in rows], 0, is_name=True),
        ]

    @property
    def _noted(self) -> Sequence[Sequence[Finding]]:
        return [self.findings]

    @property
    def sheet(self) -> Sheet:
        """Contents for display."""
        title = f"{self.old} and {self.new}, {self.measure.title}, {self.items:,} items: where {self.new} lost"
        shown = [(title, self._columns)]
        examples = any(row.ids for row in self.rows)
        if examples:
            shown.append((f"Items that {self.old} got right and {self.new} wrong", self._examples))
        about = told.about_search(self.searched)
        notes = [about]
        if self.rows:
            unit = f"points of {self.measure.title}" if self.measure.in_points else self.measure.title
            limit = words.region(self.rope, self.measure)
            notes.append(f"loss: in {unit}. {told.DRAWN} P(worse): by more than the ROPE ({limit}).")
        if self.whole.probability >= LIKELY:
            notes.append(told.everywhere(self.new, self.whole, self.measure))
        if any(not row.listed for row in self.rows):
            notes.append(told.LIKELY)
        if self.searched.listed > len(self.rows):
            notes.append(f"The first {len(self.rows)} of {self.searched.listed} listed slices are shown.")
        notes += [f"{row.title}: the same items as {'; '.join(row.same)}." for row in self.rows if row.same]
        notes += [f"{row.title}, for example: {', '.join(row.ids)}" for row in self.rows if row.ids]
        many = f"{self.searched.expected:.2g}"
        expected = f"Expected number of slices of single columns that are worse by more than the ROPE: {many}."
        remarks = [*notes[: len(notes) - sum(bool(row.ids) for row in self.rows)], told.LISTED, expected]
        return Sheet(title, [self.words], shown, remarks, self._found, notes)

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page."""
        sheet = self.sheet
        tiles = [
            Tile(label=self.old, value=_value(self.whole.old), detail=f"{self.measure.title}, all items"),
            Tile(label=self.new, value=_value(self.whole.new), detail=f"{self.measure.title}, all items"),
            Tile(
                label="Slices lost",
                value=f"{self.searched.listed:,}",
                detail=f"of {self.searched.slices + self.searched.pairs:,} searched",
            ),
            Tile(label="P(lost in some slice)", value=words.percent(self.searched.p_any), detail="of a single column"),
        ]
        (title, columns), *others = sheet.tables
        first = [each for each in columns if each.key not in ("share", "hdi", "expected")]
        return replace(sheet, tables=[(title, first), *others, ("All numbers", columns)], tiles=tiles)

    @property
    def records(self) -> Records:
        """Header and rows for CSV."""
        heads = ["column", "value", "column_2", "value_2", "items", "share", "old", "new", "observed_loss", "loss"]
        heads += ["hdi_low", "hdi_high", "pooled_loss", "pooled_low", "pooled_high", "explained", "p_worse"]
        heads += ["expected_loss", "verdict", "listed", "lost_items", "ids"]
        lines = []
        for row in (self.whole, *self.rows):
            where = [part for each in row.where for part in (each.column, each.value)]
            cells: list[object] = [*where, *[""] * (4 - len(where)), row.items, row.share, row.old, row.new]
            law = row.pooled
            pooled = [math.nan] * 3 if law is None else [law.mean, *law.interval]
            explained = math.nan if row.explained is None else row.explained
            cells += [row.observed, row.loss, *row.interval, *pooled, explained, row.probability, row.expected_loss]
            lines.append([*cells, str(row.verdict), row.listed, row.lost, " ".join(row.ids)])
        return heads, lines

    def _methods(self, version: str) -> tuple[str, list[str]]:
        about = told.about_search(self.searched)
        paragraph = (
            f"We searched for slices in which {self.new} is worse than {self.old} in {self.measure.title} on "
            f"{self.items:,} items (outclass {version}). {about} Losses were pooled in a hierarchical model with "
            "t-distributed slices, pairs of columns towards the sum of what their columns explain; listed slices have "
            f"an expected false discovery proportion of at most 5%. {self.words}"
        )
        return paragraph, []

    def __repr__(self) -> str:
        return f"<SliceSearch: {text.plain(self.words)}>"


def _value(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def _values(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(map(_value, values))


SHAPES[SliceSearch] = Shape(
    write=lambda answer, plain: write_measure(answer, plain) | {"words": answer.words}, read=read_measure
)
