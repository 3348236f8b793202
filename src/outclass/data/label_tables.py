"""One label per item, from whatever holds a table of them, counted where it lies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outclass.data.arrays import from_arrays
from outclass.data.candidates import in_memory
from outclass.data.columns import Roles, columns_in, roles_of
from outclass.data.counted import check_policy, counted_outcomes
from outclass.data.databases import is_database, opened
from outclass.data.in_memory import check_columns, check_ids
from outclass.data.outcomes import Outcomes
from outclass.data.tally import whole_counts
from outclass.errors import InputError
from outclass.findings import Finding


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
    place, other = "the mapping", [] if id is None else [id]
    check_columns(columns, {"id": id}, place)
    roles = roles_of(list(columns), truth=truth, systems=systems, count=count, other=other, place=place)
    if id is not None:
        check_ids(columns, id)
    findings: tuple[Finding, ...] = ()
    if not roles.chosen:
        chosen, findings = in_memory(columns, roles.truth, roles.systems)
        roles = replace(roles, systems=chosen)
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
    # What is masked in an array of NumPy is missing; its moments would be numbers.
    *listed, sizes = [
        column.tolist() if isinstance(column, np.ndarray) and column.dtype.kind != "M" else list(column)
        for column in named
    ]
    if len({len(column) for column in (*listed, sizes)}) > 1:
        raise InputError(f"the columns of {place} differ in length. Each must have one value per row.")
    counts = whole_counts(zip(sizes), roles.count)
    return counted_outcomes(roles.systems, list(zip(*listed, counts, strict=True)), missing, place=place)
