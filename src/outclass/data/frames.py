"""Outcomes from any dataframe that Narwhals knows, counted where it lives."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from outclass.data.columns import check_overlap, roles_of
from outclass.data.labels import is_missing
from outclass.data.outcomes import Outcomes, check_policy, settle_missing
from outclass.data.tally import whole_counts
from outclass.errors import InputError, did_you_mean, quoted

_COUNT = "outclass items"


def is_frame(data: Any) -> bool:
    """Return whether Narwhals can read it."""
    return isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)


def columns_of(data: Any) -> dict[str, list[Any]]:
    """Return the columns of a frame, whole."""
    frame = nw.from_native(data)
    table = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    return {str(name): table.get_column(name).to_list() for name in table.columns}


def from_frame(
    data: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Count the outcomes in a frame; a lazy frame sends back its counts only."""
    check_policy(missing)
    frame = nw.from_native(data)
    columns = frame.columns if isinstance(frame, nw.DataFrame) else frame.collect_schema().names()
    listed = [str(name) for name in columns]
    if id is not None and id not in listed:
        raise InputError(f"the frame has no column {quoted([id])} (id). {did_you_mean(id, listed)}")
    other = [] if id is None else [id]
    roles = roles_of(listed, truth=truth, systems=systems, count=count, other=other, place="the frame")
    names = [roles.truth, *roles.systems]
    lazy = isinstance(frame, nw.LazyFrame)
    if not roles.chosen:
        seen = {system: _values(frame, system) for system in roles.systems}
        check_overlap(seen, roles.truth, _values(frame, roles.truth))
    size = nw.len()
    if roles.count is not None:
        whole_counts([(value,) for value in _values(frame, roles.count, missing=True)], roles.count)
        frame = frame.with_columns(nw.col(roles.count).cast(nw.Int64))
        size = nw.col(roles.count).sum()
    if id is not None:
        _check_ids(frame, id)
    counted = frame.group_by(*names, drop_null_keys=False).agg(size.alias(_COUNT))
    table = counted.collect() if isinstance(counted, nw.LazyFrame) else counted
    rows = [row[: len(names)] for row in table.select(*names, _COUNT).iter_rows()]
    counts = [int(value) for value in table.get_column(_COUNT).to_list()]
    if not rows:
        raise InputError("the frame is empty: there is no item to compare.")
    lacking = [any(map(is_missing, row)) for row in rows]
    shown = [] if lazy or not any(lacking) else _shown(frame, names)
    findings = settle_missing(
        missing,
        rows=sum(n for n, gone in zip(counts, lacking, strict=True) if gone),
        truths=sum(n for n, row in zip(counts, rows, strict=True) if is_missing(row[0])),
        shown=shown,
        items=sum(counts),
    )
    kept = [at for at, gone in enumerate(lacking) if not gone or missing == "wrong"]
    return Outcomes.of_rows(roles.systems, [rows[at] for at in kept], [counts[at] for at in kept], findings=findings)


def _values(frame: Any, column: str, *, missing: bool = False) -> list[Any]:
    found = frame.select(nw.col(column)).unique()
    found = found.collect() if isinstance(found, nw.LazyFrame) else found
    return [value for value in found.get_column(column).to_list() if missing or not is_missing(value)]


def _check_ids(frame: Any, id: str) -> None:
    """Refuse repeated ids."""
    counted = frame.group_by(id, drop_null_keys=False).agg(nw.len().alias(_COUNT)).filter(nw.col(_COUNT) > 1)
    twice = counted.collect() if isinstance(counted, nw.LazyFrame) else counted
    if len(twice):
        shown = quoted(twice.get_column(id).to_list(), most=5)
        raise InputError(
            f"{len(twice):,} ids occur more than once: {shown}. Column {quoted([id])} must name each item once."
        )


def _shown(frame: Any, names: Sequence[str]) -> list[str]:
    """Describe the first five rows that lack a label."""
    lines = []
    for at, row in enumerate(frame.select(*names).iter_rows()):
        gone = [name for name, value in zip(names, row, strict=True) if is_missing(value)]
        if gone:
            lines.append(f"row {at}: no label in {quoted(gone)}")
        if len(lines) == 5:
            break
    return lines
