"""`slices`: where did the new system lose? All slices of single columns and of pairs of columns."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypedDict, Unpack

import numpy as np

from outclass import measures
from outclass.answers.slice_search import SliceSearch
from outclass.ask.question import MeasureSpec, hdi_mass_of, is_average_only, measures_of, seed_of
from outclass.ask.read import given_columns, logs_in
from outclass.ask.used import unused
from outclass.data.labels import Label
from outclass.data.outcomes import BINARY, Outcomes
from outclass.data.slice_table import Family, SliceTable, association, families
from outclass.data.slice_tables import Asked, opened
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.locations import located
from outclass.measures import averages
from outclass.measures.measure import Measure
from outclass.rows.checks.rope import unchosen
from outclass.rows.contrast import info
from outclass.rows.slice_search import EXAMPLES, FoundSlice, search
from outclass.verdict.rope import Rope, rope_of

PAIR: Final = 2
OVERLAP: Final = 0.5  # Cramér's V of two columns
DEPTHS: Final = (1, 2)
OF_RIGHT: Final = ("accuracy", "error")  # measures of many labels, which need only know who is right
SAME_AS_ACCURACY: Final = ("micro_f1", "micro_precision", "micro_recall")  # of one label per item
USUAL_TOP: Final = 10


class TableColumns(TypedDict, total=False):
    """The roles of columns in one table with one label per item, as in `Columns`; `id` names items that were lost."""

    truth: str | None
    systems: Sequence[str] | None
    count: str | None
    id: str | None
    missing: str | None


class SearchedColumns(TableColumns, total=False):
    """The same, or the options of evaluation logs, as in `Columns`."""

    source: str | None
    metric: str | None
    scorer: str | None
    filter: str | None
    split: str | None
    log_runs: str | None
    drop_changed: bool | None
    unfinished: bool | None
    duplicates: str | None
    board: str | None


def slices(
    data: Any,
    *,
    columns: str | Sequence[str] | None = None,
    depth: int = 2,
    measure: MeasureSpec | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | Rope | None = None,
    hdi_mass: float = 0.95,
    top: int = USUAL_TOP,
    rng: int | np.random.Generator | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[SearchedColumns],
) -> SliceSearch:
    """Find where the new system lost: in which slices of the items it is worse than the old one.

    All slices of single columns are searched, and of all pairs of columns. The estimates are pooled, so that a slice is
    not listed because many were looked at.

    Parameters
    ----------
    data
        A path, a glob, a table in a database, a dataframe or a mapping of columns: one row per item, with `truth` and
        two `systems`, the old one first. Or evaluation logs whose answers are right or wrong, the old system first.
    columns
        The columns to make slices of. Default: every other column with few values, numbers (cut into quartiles;
        'length:3' for three bins) or dates (cut into months); ids and free text are skipped.
    depth
        1 for single columns, 2 (the default) for pairs of columns as well.
    measure
        A name or a function of (tp, fp, fn, tn). Default: F1; with more than two labels, accuracy.
    positive
        The label treated as positive; required if it cannot be inferred, except for accuracy.
    rope
        Differences too small to matter, as for `compare`. Default: 0.05.
    hdi_mass
        Probability mass of intervals.
    top
        The number of slices to show.
    rng
        Seed or NumPy generator, for the exact engine.
    progress
        Callback, called with (steps done, total steps).
    options
        `truth`, `systems`, `count`, `missing` and `id`, as for `compare`; with `id`, examples of lost items are named.
    """
    notes: tuple[Finding, ...] = ()
    if (own := logs_in(data, (), given_columns(options))) is not None:
        from outclass.ask.logs import searched_logs  # loaded for paths alone

        data, options, notes = searched_logs(own, given_columns(options))
        measure = "accuracy" if measure is None else measure
    asked = _asked(columns, options)
    mass, region, seed = hdi_mass_of(hdi_mass), rope_of(rope), seed_of(rng)
    _check_whole(depth, "depth", DEPTHS)
    _check_whole(top, "top")
    with opened(located(data), asked) as table:
        outcomes = table.outcomes
        _check_columns(table, named=asked.columns is not None)
        wanted, label = _measured(outcomes, measure, positive)
        whole = _table(outcomes, label)
        limits = _losses_in(region, wanted, whole)
        counted = families(table, label, depth, progress)
        found = search(
            counted,
            table.columns,
            whole,
            measure=wanted,
            rope=limits,
            hdi_mass=mass,
            top=top,
            seed=seed,
            progress=progress,
        )
        return SliceSearch(
            old=table.systems[0],
            new=table.systems[1],
            measure=info(wanted),
            label=label,
            items=outcomes.items,
            rope=limits,
            hdi_mass=mass,
            whole=found.whole,
            rows=_with_examples(table, label, found.rows, found.places),
            searched=found.searched,
            seed=seed,
            findings=(*notes, *_findings(table, region, wanted, found.whole), *_overlapping(table, counted)),
        )


def _asked(columns: Any, options: Any) -> Asked:
    if isinstance(options.get("systems"), Mapping):
        raise InputError("a search for slices compares one run of each system: name their columns (⟨systems⟩).")
    given = given_columns(options)
    if isinstance(given.get("truth"), list):
        raise InputError(
            f"a search for slices compares with one true label per item, and ⟨truth⟩ names {quoted(given['truth'])}: "
            "give one of them."
        )
    if left := [name for name in given if name not in TableColumns.__annotations__]:
        raise unused(left, "a search for slices, which reads one label per item from one table")
    if columns is not None:
        columns = [columns] if isinstance(columns, str) else [str(name) for name in columns]
        if not columns:
            raise InputError("⟨columns⟩ names no column. Leave it out to use all that can be sliced.")
    return Asked(
        truth=given.get("truth"),
        systems=given.get("systems"),
        count=given.get("count"),
        id=given.get("id"),
        missing=given.get("missing", "error"),
        columns=columns,
    )


def _check_whole(value: Any, name: str, allowed: Sequence[int] | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"⟨{name}⟩ must be a positive whole number, got {shown(value)}.")
    if allowed is not None and value not in allowed:
        raise InputError(
            f"⟨{name}⟩ must be 1 (single columns) or 2 (pairs of columns as well), got {value}. Slices of three "
            "columns are too thin and too many."
        )


def _check_columns(table: SliceTable, *, named: bool) -> None:
    """Refuse a named column that makes no slices, and a table that has none."""
    if named and table.left_out:
        name, why = next(iter(table.left_out.items()))
        raise InputError(f"column {quoted([name])} cannot be sliced: {why} (⟨columns⟩).")
    if not table.columns:
        listed = "; ".join(f"{quoted([name])}: {why}" for name, why in table.left_out.items())
        raise InputError(
            f"there is no column to make slices of{f' ({listed})' if listed else ''}: besides the truth and the "
            "systems, the table needs columns with few values, numbers or dates."
        )


def _measured(outcomes: Outcomes, measure: Any, positive: Any) -> tuple[Measure, Label | None]:
    """Return the measure, and the positive label; None if it only matters who is right."""
    if measure is not None and not isinstance(measure, str | Measure) and not callable(measure):
        raise InputError(f"a search for slices uses one measure; name one (⟨measure⟩), got {shown(measure)}.")
    if measure is None and positive is None and len(outcomes.labels) > BINARY:
        measure = "accuracy"
    # A missing prediction is of no label, and then micro-precision is not accuracy.
    same = averages.find(measure) if measure in SAME_AS_ACCURACY and outcomes.all_predicted(*outcomes.systems) else None
    if positive is None and same is not None:
        return replace(measures.get("accuracy"), name=same.name, title=same.title), None
    if positive is None and measure in OF_RIGHT:
        return measures.get(measure), None
    if is_average_only(measure) or (positive is None and len(outcomes.labels) > BINARY):
        raise InputError(
            "slices are searched by accuracy (which is micro-F1), by error, or by a measure of one label "
            f"(⟨positive=LABEL⟩), not by {shown(measure)} of {len(outcomes.labels)} labels (⟨measure⟩)."
        )
    outcomes.require_two_classes()
    (wanted,) = measures_of("f1" if measure is None else measure)
    return wanted, outcomes.positive(positive)


def _table(outcomes: Outcomes, label: Label | None) -> np.ndarray:
    """Return the (2, 4) table of all items; where it only matters who is right, all are positives."""
    a, b = outcomes.systems
    if label is not None:
        return outcomes.joint(a, b, label)
    return np.stack([outcomes.rights(a, b).ravel(), np.zeros(4, dtype=np.int64)])


def _losses_in(rope: Rope, measure: Measure, whole: np.ndarray) -> Interval:
    """Return the ROPE of losses: how much worse the new system may be, and how much better, without mattering."""
    (both, only_a, only_b, neither), (false, false_a, false_b, true) = whole
    values = [
        float(measure(both + only_a, false + false_a, only_b + neither, false_b + true)),
        float(measure(both + only_b, false + false_b, only_a + neither, false_a + true)),
    ]
    low, high = rope.of(values, measure.low, measure.high, higher_is_better=measure.higher_is_better)
    found = Interval(low, high) if measure.higher_is_better else Interval(-high, -low)
    if np.isinf(found.high):
        raise InputError(
            "the rope is open on the side where the new system is worse, so that no loss would matter. Use "
            "one number, or a limit for losses."
        )
    return found


def _with_examples(
    table: SliceTable, label: Label | None, rows: Sequence[FoundSlice], places: Sequence[Sequence[tuple[int, int]]]
) -> tuple[FoundSlice, ...]:
    """Add the ids of some items that were lost."""
    if table.ids is None or not rows:
        return tuple(rows)
    found = table.lost_items(label, places, EXAMPLES)
    names = iter(table.ids([row for own in found for row in own]))
    return tuple(replace(row, ids=tuple(next(names) for _ in own)) for row, own in zip(rows, found, strict=True))


def _overlapping(table: SliceTable, counted: Sequence[Family]) -> Iterator[Finding]:
    """Say which columns say much the same: their slices are no independent evidence of how much slices differ."""
    pairs = [(association(each), each.columns) for each in counted if len(each.columns) == PAIR]
    alike = sorted((each for each in pairs if each[0] >= OVERLAP), reverse=True)
    if alike:
        strength, places = alike[0]
        names = quoted([table.columns[place].name for place in places])
        more = f", as do {len(alike) - 1} more pairs of columns" if len(alike) > 1 else ""
        told = (
            f"columns {names} overlap (Cramér's V {strength:.2f}){more}; pooled intervals may be too narrow. Name fewer"
        )
        yield finding("OC642", f"{told} (⟨columns⟩).")


def _findings(table: SliceTable, rope: Rope, measure: Measure, whole: FoundSlice) -> tuple[Finding, ...]:
    """Say what was found in the data, and which columns make no slices."""
    found = list(table.outcomes.findings)
    if table.left_out:
        listed = "; ".join(f"{quoted([name])} ({why})" for name, why in table.left_out.items())
        found.append(finding("OC641", f"columns without slices: {listed}."))
    if rope.usual:
        found += unchosen(measure, rope.interval, (whole.old, whole.new), math.nan)
    return tuple(found)
