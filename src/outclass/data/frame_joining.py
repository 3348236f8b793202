"""One frame a system, joined on the items' ids by the frames' own engine; only the counts come back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals as nw

from outclass.data.candidates import candidates
from outclass.data.columns import check_names
from outclass.data.counted import are_one, check_policy, counted_outcomes, known_truth, outcomes_with_gaps
from outclass.data.frames import (
    COUNTED,
    check_ids,
    counting,
    from_frame,
    is_frame,
    opened_frame,
    rows_of,
    rows_up_to,
    values_of,
)
from outclass.data.labels import is_missing
from outclass.data.names import systems_of
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, did_you_mean, quoted
from outclass.findings import Finding

KEY = "outclass key"


def frames_in(data: Any) -> dict[str, Any] | None:
    """Return the frames of a list or mapping of nothing but frames, by name; None of anything else."""
    if isinstance(data, Mapping):
        named = {str(name): each for name, each in data.items()}
    elif isinstance(data, list | tuple):
        named = {f"frame{place}": each for place, each in enumerate(data, start=1)}
    else:
        return None
    return named if named and all(is_frame(each) for each in named.values()) else None


@counting()
def joined_frames(
    data: Mapping[str, Any],
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Join one frame a system on the items' ids, after checking that they hold the same items and truths."""
    check_policy(missing)
    if id is None:
        raise InputError(f"{len(data)} tables were given. To join one table per system, name the id column (⟨id=COL⟩).")
    if count is not None:
        raise InputError("⟨count⟩ cannot be combined with several tables: an item joined on its id counts once.")
    if truth is None:
        raise InputError("which column is the truth? Name it with ⟨truth=COL⟩.")
    if len(data) == 1:
        (alone,) = data.values()
        return from_frame(alone, truth=truth, systems=systems, id=id, missing=missing)
    opened = {name: opened_frame(each) for name, each in data.items()}
    if len({(type(frame), frame.implementation) for frame, _ in opened.values()}) > 1:
        raise InputError("tables to be joined must come from one library, such as all Polars or all pandas.")
    columns = {name: list(inner) for name, (_, inner) in opened.items()}
    holders = _holders(columns, truth, id)
    found = systems_of(list(columns.items()), (truth, id), systems)
    for name, (frame, inner) in opened.items():
        # First, since ids that occur often would be joined with each other.
        check_ids(frame, inner[id], id, quoted([name]))
    tables = list(opened.values())
    findings: tuple[Finding, ...] = ()
    if not systems:
        found, findings = _sound(tables, truth, holders[0], found)
    whole = _joined(tables, truth, holders, id, list(found.values()))
    here = [f"here {place}" for place in range(len(tables))]
    truths = [f"truth {place}" for place in holders]
    listed = [*here, *truths, *(f"system {number}" for number in range(len(found)))]
    rows = rows_of(whole.group_by(*listed, drop_null_keys=False).agg(nw.len().alias(COUNTED)).select(*listed, COUNTED))

    def example(place: int) -> list[Any]:
        only = whole.filter(nw.col(f"here {place}").is_null()).select(KEY).head(3)
        return [row[0] for row in rows_of(only)]

    if missing != "error":
        made = outcomes_with_gaps(
            rows,
            names=[quoted([name]) for name in opened],
            holders=holders,
            owners=[place for place, _ in found.values()],
            systems=tuple(found),
            missing=missing,
            first=lambda place: [row[0] for row in rows_of(tables[place][0].select(tables[place][1][id]).head(3))],
        )
        return made.with_findings((*findings, *made.findings))
    _check(rows, list(opened), len(here), len(truths), example)
    end = len(here) + len(truths)
    kept = [(known_truth(row[len(here) : end]), *row[end:]) for row in rows]
    made = counted_outcomes(tuple(found), kept, missing)
    return made.with_findings((*findings, *made.findings))


def _holders(columns: Mapping[str, Sequence[str]], truth: str, id: str) -> list[int]:
    """Return which tables have the truth, after checking that every one has the id."""
    for name, listed in columns.items():
        check_names(listed, quoted([name]))
        if id not in listed:
            raise InputError(f"{quoted([name])} has no column {quoted([id])} (id). {did_you_mean(id, listed)}")
    holders = [place for place, listed in enumerate(columns.values()) if truth in listed]
    if not holders:
        everything = [column for listed in columns.values() for column in listed]
        raise InputError(f"no table has a column {quoted([truth])} (truth). {did_you_mean(truth, everything)}")
    return holders


def _sound(
    tables: Sequence[tuple[Any, Mapping[str, str]]], truth: str, holder: int, found: Mapping[str, tuple[int, str]]
) -> tuple[dict[str, tuple[int, str]], tuple[Finding, ...]]:
    """Return those columns that can be systems, by table and column, and what is to be told of the others."""
    places = {**found, truth: (holder, truth)}

    def values(name: str, most: int) -> list[Any]:
        (frame, inner), column = tables[places[name][0]], places[name][1]
        return values_of(frame, inner[column], most)

    sound, findings = candidates(values, rows_up_to(tables[holder][0]), truth, list(found))
    return {name: found[name] for name in sound}, findings


def _joined(
    tables: Sequence[tuple[Any, Mapping[str, str]]],
    truth: str,
    holders: Sequence[int],
    id: str,
    systems: Sequence[tuple[int, str]],
) -> Any:
    """Return one table with an item a row: where it is, its truths, and what each system says, by table and column."""
    parts = [
        frame.select(
            nw.col(inner[id]).cast(nw.String).alias(f"{KEY} {place}"),
            nw.lit(1).alias(f"here {place}"),
            *([nw.col(inner[truth]).alias(f"truth {place}")] if place in holders else []),
            *(
                nw.col(inner[column]).alias(f"system {number}")
                for number, (owner, column) in enumerate(systems)
                if owner == place
            ),
        )
        for place, (frame, inner) in enumerate(tables)
    ]
    whole = parts[0].with_columns(nw.col(f"{KEY} 0").alias(KEY))
    for place, part in enumerate(parts[1:], start=1):
        joint = whole.join(part, left_on=KEY, right_on=f"{KEY} {place}", how="full")
        whole = joint.with_columns(nw.coalesce(nw.col(KEY), nw.col(f"{KEY} {place}")).alias(KEY))
    return whole


def _check(
    rows: Sequence[Sequence[Any]],
    names: Sequence[str],
    places: int,
    truths: int,
    example: Callable[[int], list[Any]],
) -> None:
    """Refuse tables that do not hold the same items, each with one truth."""
    items = sum(row[-1] for row in rows)
    if items == 0:
        raise InputError("the tables have no rows, so there is nothing to compare.")
    absent = [sum(row[-1] for row in rows if is_missing(row[place])) for place in range(places)]
    if any(absent):
        told = ", ".join(
            f"{many:,} in {quoted([name])} ({quoted(example(place))})"
            for place, (name, many) in enumerate(zip(names, absent, strict=True))
            if many
        )
        raise InputError(
            f"the tables do not contain the same items; of {items:,} ids, these are missing: {told}. A paired "
            "comparison needs the same items, with ids spelt the same way, in every table: ⟨missing=drop⟩ leaves these "
            "items out, ⟨missing=wrong⟩ counts a missing prediction as an error."
        )
    differ = sum(row[-1] for row in rows if not are_one(row[places : places + truths]))
    if differ:
        raise InputError(
            f"the truth of {differ:,} {'item' if differ == 1 else 'items'} differs between the tables. It must be the "
            "same in all of them."
        )
