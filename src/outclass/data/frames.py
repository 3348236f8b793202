"""Outcomes from any dataframe that Narwhals knows, counted where it lives."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import narwhals as nw

from outclass.data.candidates import candidates
from outclass.data.coding import coded, coded_as_counted
from outclass.data.columns import FIRST_ROWS, Roles, check_names, roles_of
from outclass.data.counted import check_policy, counted_outcomes
from outclass.data.labels import is_missing, word
from outclass.data.outcomes import Outcomes
from outclass.data.partly_tables import Rows, asked_of, check_roles, judge_cut
from outclass.data.sliced_labels import sliced_outcomes, sliced_tuples
from outclass.data.slicing import Cut, Sliced, cut_of, wanted_columns
from outclass.data.tally import whole_counts
from outclass.errors import FileError, InputError, OutclassError, did_you_mean, quoted, without_id
from outclass.findings import Finding

COUNTED = "outclass items"
MOST_VALUES: Final = 100_000  # of a column to slice by, which are fetched to be cut
UTC: Final = ("UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "+00:00")  # as engines call it
# What the drivers of databases, Spark's gateway and sockets raise when a server is gone or gives up.
LOST = ("OperationalError", "InterfaceError", "Py4JNetworkError", "Py4JError", "SparkException", "OSError")


@contextmanager
def counting() -> Iterator[None]:
    """Tell what a library of frames refuses to count, join or hold: types, letters and sizes are its own affair."""
    try:
        yield
    except OutclassError:
        raise
    except Exception as error:
        inmost = error.__traceback__
        while inmost is not None and inmost.tb_next is not None:
            inmost = inmost.tb_next
        where = "" if inmost is None else str(inmost.tb_frame.f_globals.get("__name__", ""))
        named = type(error).__module__.partition(".")[0]
        library = where.partition(".")[0] if named == "builtins" else named
        if library == "outclass" and not isinstance(error, UnicodeError):
            raise  # a fault of our own
        first = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        who = "the dataframe library" if library in ("", "outclass") else library
        if any(kind.__name__ in LOST for kind in type(error).__mro__):
            told = f"{who} failed while counting: {first.rstrip('.')}. Check that its server is running, and try again."
            raise FileError(told) from None
        raise InputError(f"{who} cannot count these columns: {first}") from None


def is_frame(data: Any) -> bool:
    """Return whether Narwhals can read it."""
    try:
        return isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)
    except nw.exceptions.DuplicateError:
        check_names([str(name) for name in data.columns], "the frame")
        raise


def is_lazy(data: Any) -> bool:
    """Return whether a frame is counted by an engine of its own, elsewhere or later."""
    return isinstance(opened_frame(data)[0], nw.LazyFrame)


class FrameColumns(Mapping[str, list[Any]]):
    """The columns of a frame, each made a list when it is asked for: all at once would take much memory."""

    def __init__(self, frame: Any, inner: Mapping[str, str]) -> None:
        self._frame, self._inner = frame, inner

    @counting()
    def __getitem__(self, name: str) -> list[Any]:
        return list(self._frame.get_column(self._inner[name]).to_list())

    def __iter__(self) -> Iterator[str]:
        return iter(self._inner)

    def __len__(self) -> int:
        return len(self._inner)


@counting()
def opened_columns(data: Any) -> FrameColumns:
    """Return the columns of a frame, one by one."""
    frame, inner = opened_frame(data)
    return FrameColumns(frame.collect() if isinstance(frame, nw.LazyFrame) else frame, inner)


@counting()
def columns_of(data: Any) -> dict[str, list[Any]]:
    """Return the columns of a frame, whole."""
    frame, inner = opened_frame(data)
    table = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    return {name: table.get_column(own).to_list() for name, own in inner.items()}


@counting()
def from_frame(
    data: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Count the outcomes in a frame; a lazy one is counted by its own engine and sends back its counts only."""
    check_policy(missing)
    frame, inner, roles, findings = _with_roles(data, truth, systems, count, id)
    names = [inner[name] for name in (roles.truth, *roles.systems)]
    rows = grouped(frame, names, None if roles.count is None else inner[roles.count])
    if not rows:
        raise InputError("the table is empty, so there is nothing to compare.")
    found = counted_outcomes(roles.systems, rows, missing, shown=_telling(frame, names, roles))
    return found.with_findings((*findings, *found.findings))


@counting()
def sliced_from_frame(
    data: Any,
    by: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Sliced:
    """Count the outcomes in a frame, of all items and by slices, by its own engine."""
    check_policy(missing)
    wanted = wanted_columns(by, list(opened_frame(data)[1]))
    other = [name for name in wanted if name != truth]
    frame, inner, roles, findings = _with_roles(data, truth, systems, count, id, other)
    counts = None if roles.count is None else inner[roles.count]
    cuts = []
    for name, bins in wanted.items():
        values = grouped(frame, [inner[name]], counts, MOST_VALUES)
        if isinstance(frame, nw.LazyFrame) and len(values) > MOST_VALUES:
            raise InputError(
                f"column {quoted([name])} has more than {MOST_VALUES:,} values, too many to fetch (⟨by⟩): cut it into "
                "bins in the table itself."
            )
        cuts.append(cut_of(name, [row[0] for row in values], [int(row[-1]) for row in values], bins))
    also = [f"outclass slice {place}" for place in range(len(cuts))]
    frame = frame.with_columns(
        *(cut_in_frame(cut, inner[cut.column], frame).alias(new) for cut, new in zip(cuts, also, strict=True))
    )
    names = [inner[name] for name in (roles.truth, *roles.systems)]
    rows = grouped(frame, [*names, *also], counts)
    found = sliced_outcomes(
        roles.systems,
        sliced_tuples(roles.systems, rows, cuts),
        missing,
        shown=_telling(frame, names, roles),
    )
    return found.with_findings((*findings, *found.findings))


@counting()
def partly_from_frame(
    data: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    judge: Sequence[str],
    inclusion: str | None,
    missing: str,
) -> Rows:
    """Count partly labelled items in a frame, with what the judges say of them, by its own engine."""
    asked = asked_of(list(opened_frame(data)[1]), judge, inclusion, missing)
    if truth is not None and systems is not None:
        check_roles(asked, truth, systems)
    frame, inner, roles, findings = _with_roles(data, truth, systems, count, id, asked.names)
    counts = None if roles.count is None else inner[roles.count]
    names = [inner[name] for name in (roles.truth, *roles.systems)]

    def known() -> set[str]:
        return {word(row[0]) for name in names for row in grouped(frame, [name], counts) if not is_missing(row[0])}

    cuts = []
    for name, bins in asked.judges.items():
        values = grouped(frame, [inner[name]], counts)
        cuts.append(judge_cut(name, [row[0] for row in values], [int(row[-1]) for row in values], bins, known))
    also = [f"outclass judge {place}" for place in range(len(cuts))]
    if cuts:
        frame = frame.with_columns(
            *(cut_in_frame(cut, inner[cut.column], frame).alias(new) for cut, new in zip(cuts, also, strict=True))
        )
    rest = [] if inclusion is None else [inner[inclusion]]
    rows = grouped(frame, [*names, *also, *rest], counts)
    first, told = len(names), (roles.truth, *roles.systems)
    return Rows(
        systems=roles.systems,
        columns=[coded((row[at] for row in rows), name) for at, name in enumerate(told)],
        judges={cut: coded_as_counted([row[at] for row in rows]) for at, cut in enumerate(cuts, start=first)},
        inclusion=None if inclusion is None else coded_as_counted([row[-2] for row in rows]),
        counts=[int(row[-1]) for row in rows],
        truth=roles.truth,
        place="the table",
        findings=findings,
    )


def cut_in_frame(cut: Cut, own: str, frame: Any) -> Any:
    """Return what a column is counted as."""
    column = nw.col(own)
    if cut.months and getattr(frame.collect_schema()[own], "time_zone", None) not in (None, *UTC):
        column = column.dt.convert_time_zone("UTC")  # as moments are shown everywhere; not all engines can
    if cut.months:
        return column.cast(nw.String).str.slice(0, 7)
    if not cut.edges:
        return column
    number = column.cast(nw.Float64)
    found = nw.lit(len(cut.edges))
    for place, edge in reversed(list(enumerate(cut.edges))):
        found = nw.when(number <= edge).then(nw.lit(place)).otherwise(found)
    # What is missing is below no edge, and must not be in the last bin; nor NaN, which engines sort above all numbers.
    gone = column.is_null() | column.is_nan() if own in with_nan(frame) else column.is_null()
    return nw.when(~gone).then(found).otherwise(nw.lit(None))


def with_nan(frame: Any) -> set[str]:
    """Return the columns whose numbers may be NaN, which is not the engine's own missing value."""
    backend = getattr(frame.to_native(), "get_backend", None)
    if backend is not None and backend().name == "sqlite":
        return set()  # it keeps NaN as NULL, and knows no function that would ask for it
    return {name for name, kind in frame.collect_schema().items() if kind.is_float()}


def _telling(frame: Any, names: Sequence[str], roles: Roles) -> Callable[[], list[str]] | None:
    """Return what describes the first rows that lack a label, where they are at hand."""
    told = (roles.truth, *roles.systems)
    return None if isinstance(frame, nw.LazyFrame) else lambda: _shown(frame, names, told)


def _with_roles(
    data: Any,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    also: Sequence[str] = (),
) -> tuple[Any, dict[str, str], Roles, tuple[Finding, ...]]:
    """Return a frame, the names that it knows its columns by, which of them are what, and what was found on the way."""
    frame, inner = opened_frame(data)
    listed = list(inner)
    truth, systems = (None if truth is None else str(truth)), (None if systems is None else list(map(str, systems)))
    if id is not None and id not in listed:
        raise InputError(f"the frame has no column {quoted([id])} (id). {did_you_mean(id, listed)}")
    other = [*also, *([] if id is None else [id])]
    roles = roles_of(listed, truth=truth, systems=systems, count=count, other=other, place="the frame")
    findings: tuple[Finding, ...] = ()
    if not roles.chosen:
        chosen, findings = candidates(
            lambda column, most: values_of(frame, inner[column], most), rows_up_to(frame), roles.truth, roles.systems
        )
        roles = replace(roles, systems=chosen)
    counts = None if roles.count is None else inner[roles.count]
    if roles.count is not None and counts is not None:
        frame = with_counts(frame, counts, roles.count)
    if id is not None:
        check_ids(frame, inner[id], id, "the frame")
    return frame, inner, roles, findings


def grouped(frame: Any, names: Sequence[str], counts: str | None, most: int | None = None) -> list[tuple[Any, ...]]:
    """Return the distinct rows of some columns, each with how often it occurs, or with the sum of its counts.

    Of a frame that is counted elsewhere, one row more than `most` is fetched at most.
    """
    native = frame.to_native()
    if type(native).__module__.partition(".")[0] == "pandas":
        # Narwhals would turn the keys into columns again one by one: quadratic time, and a warning for each.
        groups = native.reset_index(drop=True).groupby(list(names), dropna=False, sort=False, observed=True)
        sizes = groups.size() if counts is None else groups[counts].sum()
        return [(*((row,) if len(names) == 1 else row), size) for row, size in sizes.items()]
    size = (nw.len() if counts is None else nw.col(counts).sum()).alias(COUNTED)
    found = frame.group_by(*names, drop_null_keys=False).agg(size).select(*names, COUNTED)
    return rows_of(found.head(most + 1) if most is not None and isinstance(found, nw.LazyFrame) else found)


def opened_frame(data: Any) -> tuple[Any, dict[str, str]]:
    """Return a frame as Narwhals has it, and by which name it knows each column: not all take any name."""
    library = type(data).__module__.partition(".")[0]
    named = [str(name) for name in data.columns] if library in ("dask", "pandas", "pyspark") else None
    inner = named
    if named is not None and library == "pyspark" and any(sign in name for name in named for sign in ".`"):
        # In Spark's expressions a dot is a field of a structure, and a backtick ends a name.
        inner = [f"column {place}" for place in range(len(named))]
        data = data.toDF(*inner)
    elif named is not None and any(not isinstance(name, str) for name in data.columns):
        data = data.rename(columns=dict(zip(data.columns, named, strict=True)))
    frame = nw.from_native(data)
    if named is None or inner is None:
        named = inner = frame.columns if isinstance(frame, nw.DataFrame) else frame.collect_schema().names()
    return frame, dict(zip(named, inner, strict=True))


def rows_of(frame: Any) -> list[tuple[Any, ...]]:
    """Fetch a frame's rows, which must be few."""
    table = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    return list(table.iter_rows())


def rows_up_to(frame: Any, most: int = FIRST_ROWS) -> int:
    """Return how many rows a frame has, and no more than so many."""
    if isinstance(frame, nw.DataFrame):
        return min(len(frame), most)
    return int(rows_of(frame.head(most).select(nw.len()))[0][0])


def values_of(frame: Any, column: str, most: int) -> list[Any]:
    """Return distinct values of a column, from its first rows."""
    if isinstance(frame, nw.DataFrame):
        return list(frame.get_column(column).head(most).unique().to_list())
    return [row[0] for row in rows_of(frame.select(nw.col(column)).head(most).unique())]


def with_counts(frame: Any, column: str, told: str) -> Any:
    """Refuse what is no count in a column, which the user calls `told`; return the frame with whole numbers in it."""
    whole_counts([(value,) for value in _odd_counts(frame, column)], told)
    return frame.with_columns(nw.col(column).cast(nw.Int64))


def _odd_counts(frame: Any, column: str) -> list[Any]:
    """Return values among which are those that are no counts, found by the frame's own engine where it can tell."""
    kind, value = frame.collect_schema()[column], nw.col(column)
    if kind.is_integer():
        return [row[0] for row in rows_of(frame.filter(value.is_null() | (value < 0)).select(value).head(1))]
    return [row[0] for row in rows_of(frame.select(value).unique())]


def check_ids(frame: Any, column: str, id: str, place: str) -> None:
    """Refuse missing and repeated ids, in the column that the user calls `id`."""
    gone = rows_of(frame.filter(nw.col(column).is_null()).select(nw.len()))[0][0]
    if gone:
        raise without_id(gone, place, [id])
    twice = frame.group_by(column, drop_null_keys=False).agg(nw.len().alias(COUNTED)).filter(nw.col(COUNTED) > 1)
    if shown := [row[0] for row in rows_of(twice.select(column).head(5))]:
        many = rows_of(twice.select(nw.len()))[0][0]
        raise InputError(
            f"{many:,} {'id' if many == 1 else 'ids'} of {place} occur more than once: {quoted(shown)}. "
            f"Column {quoted([id])} must name each item once."
        )


def _shown(frame: Any, names: Sequence[str], told: Sequence[str]) -> list[str]:
    """Describe the first five rows that lack a label."""
    lines = []
    for at, row in enumerate(frame.select(*names).iter_rows()):
        gone = [name for name, value in zip(told, row, strict=True) if is_missing(value)]
        if gone:
            lines.append(f"row {at}: no label in {quoted(gone)}")
        if len(lines) == 5:
            break
    return lines
