"""Tables of slices: files are coded by DuckDB, lazy frames and databases count by themselves, the rest is in memory."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.data.coding import Codes, placed
from outclass.data.columns import Roles, check_names, roles_of
from outclass.data.counted import check_policy
from outclass.data.databases import is_database
from outclass.data.databases import opened as database
from outclass.data.in_memory import check_columns, check_ids, tables_of
from outclass.data.labels import is_missing, name_of
from outclass.data.slice_codes import CodedTable
from outclass.data.slice_table import MOST_NAMED, MOST_VALUES, Chunk, SliceTable, Source
from outclass.data.slicing import binned, wanted_columns
from outclass.data.tally import whole_counts
from outclass.errors import InputError, quoted

SEVERAL: Final = (
    "a search for slices reads one table with all columns, and {} were given. Join them first; for parts of one table, "
    "pass a glob such as 'parts/*.csv'."
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the columns of a table are: as in `Columns`, and those to make slices of (None: whatever can)."""

    truth: str | None
    systems: Sequence[str] | None
    count: str | None = None
    id: str | None = None
    missing: str = "error"
    columns: Sequence[str] | None = None

    def roles(self, names: Sequence[str], place: str) -> tuple[Roles, dict[str, int | None]]:
        """Return which columns are what, and which may make slices, with the number of bins that was asked for."""
        check_policy(self.missing)
        check_names(names, place)
        others = [] if self.id is None else [self.id]
        systems = list(self.systems or ())
        if self.truth is not None and len(systems) != 2:
            given = f"got {quoted(systems)}" if systems else f"{place} has the columns {quoted(names)}"
            raise InputError(
                f"which two systems? Name the old one, then the new one (⟨systems=COL⟩, given twice); {given}."
            )
        roles = roles_of(names, truth=self.truth, systems=systems, count=self.count, other=others, place=place)
        used = {roles.truth, *roles.systems, roles.count, *others}
        if not self.columns:
            return roles, dict.fromkeys(name for name in names if name not in used)
        # A column may have a comma in its name; what is no column is a list of them.
        listed = [[each] if {each, binned(each)[0]} & {*names} else each.split(",") for each in self.columns]
        wanted = wanted_columns(list(dict.fromkeys(chain.from_iterable(listed))), names, "columns", place)
        for name in wanted:
            if name in used and name != roles.truth:
                raise InputError(f"column {quoted([name])} is a system, the id or the count, and makes no slices.")
        return roles, wanted

    @property
    def most(self) -> int:
        """How many values of text a column may have."""
        return MOST_VALUES if self.columns is None else MOST_NAMED


@contextmanager
def opened(data: Any, asked: Asked) -> Iterator[SliceTable]:
    """Open a table for as long as its slices are counted."""
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and len(paths) > 1:
        raise InputError(SEVERAL.format(f"{len(paths)} tables"))
    if isinstance(paths, list | tuple) and isinstance(paths[0], str | Path) and not is_database(paths[0]):
        from outclass.data.slice_files import coded_table  # DuckDB is loaded for files only

        with coded_table(paths[0], asked) as table:
            yield table
        return
    from outclass.data.frame_joining import frames_in  # Narwhals is loaded for frames only
    from outclass.data.frames import is_frame, is_lazy, opened_columns
    from outclass.data.slice_frames import counted_table

    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with database([str(path) for path in paths]) as table:
            yield counted_table(table, asked)
        return
    if not is_frame(data) and (frames := frames_in(data)) is not None and len(frames) == 1:
        data = next(iter(frames.values()))
    if is_frame(data):
        yield counted_table(data, asked) if is_lazy(data) else _in_memory(opened_columns(data), asked)
        return
    tables = tables_of(data)
    if len(tables) > 1:
        raise InputError(SEVERAL.format(f"{len(tables)} tables"))
    yield _in_memory(tables[0][1], asked)


def _in_memory(columns: Mapping[str, Any], asked: Asked) -> CodedTable:
    place = "the table"
    check_columns(columns, {"id": asked.id}, place)
    roles, wanted = asked.roles(list(columns), place)
    if asked.id is not None:
        check_ids(columns, asked.id)
    labels = [_placed(columns[name]) for name in (roles.truth, *roles.systems)]
    slices = [_placed(columns[name]) for name in wanted]
    sizes = None if roles.count is None else np.array(whole_counts(zip(columns[roles.count]), roles.count))
    chunk = Chunk([codes for codes, _ in labels], [codes for codes, _ in slices], sizes)
    if not len(chunk.labels[0]):
        raise InputError("the table is empty, so there is nothing to compare.")
    ids = None if asked.id is None else list(columns[asked.id])
    return CodedTable(
        systems=(roles.systems[0], roles.systems[1]),
        labels=[values for _, values in labels],
        sources=[
            Source(name, values, bins=bins) for (name, bins), (_, values) in zip(wanted.items(), slices, strict=True)
        ],
        chunks=lambda: iter([chunk]),
        missing=asked.missing,
        ids=None if ids is None else lambda rows: [name_of(ids[row]) for row in rows],
        most=asked.most,
        rows=len(chunk.labels[0]),
        place=place,
    )


def _placed(column: Any) -> tuple[Codes, list[Any]]:
    """Return the codes of a column and what they stand for; whatever is missing is one of them."""
    moments = getattr(getattr(column, "dtype", None), "kind", "") == "M"  # of which NumPy would make numbers
    values = column.tolist() if hasattr(column, "tolist") and not moments else list(column)
    try:
        values = [None if value != value else value for value in values]  # noqa: PLR0124  of nan, each is another
    except (TypeError, ValueError):  # pandas.NA, or arrays in cells
        values = [None if is_missing(value) else value for value in values]
    codes, distinct = placed(values)
    if len(distinct) == len(values) and any(isinstance(value, list | dict) for value in values[:1]):
        codes, distinct = placed([str(value) for value in values])
    return codes.astype(np.min_scalar_type(len(distinct))), [None if is_missing(value) else value for value in distinct]
