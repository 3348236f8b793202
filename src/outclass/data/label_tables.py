"""One label per item, from whatever holds a table of them, counted where it lies."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outclass.data.arrays import from_arrays
from outclass.data.coding import placed
from outclass.data.columns import Roles, columns_in
from outclass.data.counted import check_policy, counted_outcomes
from outclass.data.databases import is_database, opened
from outclass.data.in_memory import check_columns, roles_in_memory
from outclass.data.labels import is_missing
from outclass.data.outcomes import Outcomes
from outclass.data.sliced_labels import sliced_outcomes, sliced_tuples
from outclass.data.slicing import Sliced, cut_of, wanted_columns
from outclass.data.tally import whole_counts
from outclass.errors import InputError


def read_labels(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Read one label per item from paths, tables in a database, a mapping or dataframes; several are joined on `id`."""
    columns: dict[str, Any] = {"truth": truth, "systems": systems, "count": count, "id": id, "missing": missing}
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with opened(paths) as tables:
            return read_labels(tables, **columns)
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | Path) for path in paths):
        from outclass.data.files import from_files  # DuckDB is loaded for files only

        return from_files(paths, **columns)
    from outclass.data.frame_joining import frames_in, joined_frames  # Narwhals is loaded for frames only
    from outclass.data.frames import from_frame, is_frame

    if is_frame(data):
        return from_frame(data, **columns)
    if (frames := frames_in(data)) is not None:
        return joined_frames(frames, **columns)
    if isinstance(data, Mapping) and not data:
        raise InputError("the mapping is empty. It must map names to columns or dataframes.")
    if (mapped := columns_in(data)) is not None:
        return _mapped(mapped, **columns)
    raise InputError(
        f"cannot read outcomes from {type(data).__name__}. Give arrays (y_true, a, b), a dataframe, or a path."
    )


def read_sliced_labels(
    data: Any,
    by: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Sliced | None:
    """Read one label per item by slices, counted where they lie; None of several tables, which are joined first."""
    columns: dict[str, Any] = {"truth": truth, "systems": systems, "count": count, "id": id, "missing": missing}
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with opened(paths) as tables:
            return read_sliced_labels(tables, by, **columns)
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | Path) for path in paths):
        from outclass.data.files import sliced_from_file  # DuckDB is loaded for files only

        return sliced_from_file(paths[0], by, **columns) if len(paths) == 1 else None
    from outclass.data.frame_joining import frames_in  # Narwhals is loaded for frames only
    from outclass.data.frames import is_frame, sliced_from_frame

    if is_frame(data):
        return sliced_from_frame(data, by, **columns)
    if frames_in(data) is not None or (mapped := columns_in(data)) is None:
        return None
    return _mapped_slices(mapped, by, **columns)


def _mapped_slices(
    columns: Mapping[str, Any],
    by: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    missing: str,
) -> Sliced:
    """Read a mapping of columns by slices."""
    place, wanted = "the mapping", wanted_columns(by, list(columns))
    whole = _mapped(
        {name: column for name, column in columns.items() if name not in wanted or name == truth},
        truth=truth,
        systems=systems,
        count=count,
        id=id,
        missing=missing,
    )
    names = [str(truth), *whole.systems]
    listed = {name: _listed(columns[name]) for name in [*names, *wanted, *([] if count is None else [count])]}
    if len({len(column) for column in listed.values()}) > 1:
        raise InputError(f"the columns of {place} differ in length. Each must have one value per row.")
    sizes = [1] * len(listed[names[0]]) if count is None else whole_counts(zip(listed[count]), count)
    cuts = [cut_of(name, *_summed(listed[name], sizes), bins) for name, bins in wanted.items()]
    sliced = [[cut.of(value) for value in listed[cut.column]] for cut in cuts]
    rows = list(zip(*(listed[name] for name in names), *sliced, sizes, strict=True))
    found = sliced_outcomes(whole.systems, sliced_tuples(whole.systems, rows, cuts), missing, place=place)
    return found.with_findings(whole.findings)


def _summed(values: Sequence[Any], sizes: Sequence[int]) -> tuple[list[Any], list[int]]:
    """Return the distinct values, and how many items have each."""
    codes, distinct = placed([None if is_missing(value) else value for value in values])
    return distinct, np.bincount(codes, weights=sizes, minlength=len(distinct)).astype(np.int64).tolist()


def _listed(column: Any) -> list[Any]:
    """Return a column as a list; what is masked in an array of NumPy is missing, and its moments would be numbers."""
    return column.tolist() if isinstance(column, np.ndarray) and column.dtype.kind != "M" else list(column)


def _mapped(
    columns: Mapping[str, Any],
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    missing: str,
) -> Outcomes:
    """Read a mapping of columns."""
    place = "the mapping"
    check_columns(columns, {"id": id}, place)
    roles, findings = roles_in_memory(columns, truth=truth, systems=systems, count=count, id=id, place=place)
    found = _columns_counted(columns, roles, missing, place, None if id is None else list(columns[id]))
    return found.with_findings((*findings, *found.findings))


def _columns_counted(
    columns: Mapping[str, Any], roles: Roles, missing: str, place: str, ids: Sequence[Any] | None
) -> Outcomes:
    if roles.count is None:
        said = {name: columns[name] for name in roles.systems}
        return from_arrays(columns[roles.truth], said, missing=missing, ids=ids)
    check_policy(missing)
    named = [columns[name] for name in (roles.truth, *roles.systems, roles.count)]
    *listed, sizes = map(_listed, named)
    if len({len(column) for column in (*listed, sizes)}) > 1:
        raise InputError(f"the columns of {place} differ in length. Each must have one value per row.")
    counts = whole_counts(zip(sizes), roles.count)
    return counted_outcomes(roles.systems, list(zip(*listed, counts, strict=True)), missing, place=place)
