"""What every answer has to show, however it is laid out: a title, sentences, tables, remarks, findings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from outclass.report.tables import Column
from outclass.report.tiles import Tile


@dataclass(frozen=True)
class Sheet:
    """An answer, ready to be laid out."""

    title: str
    sentences: Sequence[str]
    tables: Sequence[tuple[str, Sequence[Column]]]
    remarks: Sequence[str]
    findings: Sequence[tuple[str, str, int]]
    notes: Sequence[str] = ()  # the remarks that the short answer keeps
    rows: Sequence[Any] = field(default=())  # of a comparison, which a page can play with
    tiles: Sequence[Tile] = ()  # the numbers that open a page; those of comparisons follow the row that is chosen
