"""Tables of runs: a column of runs, or a file for each run, turned into one column per run of a system."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from outclass.data.columns import Whole
from outclass.data.counted import are_one
from outclass.data.labels import is_missing, name_of
from outclass.data.runs import RUN
from outclass.errors import InputError, quoted, without_id

MOST_RUNS: Final = 200  # of a system; more are a column of something else
SHOWN: Final = 3
Of = dict[str, list[str]]  # the runs of each system


def run_name(system: str, run: str) -> str:
    """Name a run of a system, where its table has no name for it."""
    return f"{system}{RUN}{run}"


@dataclass
class Wide:
    """One row per item, filled run by run.

    Parameters
    ----------
    cells
        By run, what it says of each item.
    shared
        By column, what every run shares: the truth, a group, a slice.
    of
        The runs of each system.
    """

    cells: dict[str, dict[Hashable, Any]] = field(default_factory=dict)
    shared: dict[str, dict[Hashable, Any]] = field(default_factory=dict)
    of: Of = field(default_factory=dict)

    def add(self, system: str, run: str, key: Hashable, value: Any) -> None:
        """Add what a run of a system says of an item."""
        name = run_name(system, run)
        own = self.cells.get(name)
        if own is None:
            runs = self.of.setdefault(system, [])
            if len(runs) == MOST_RUNS:
                raise InputError(
                    f"system {quoted([system])} has more than {MOST_RUNS} runs (⟨runs⟩): is it the right column?"
                )
            runs.append(name)
            own = self.cells[name] = {}
        if key in own:
            raise InputError(
                f"item {quoted([key])} has several rows in run {quoted([name])}. Keep one of them; or name the column "
                "of repeats within a run (⟨repeat⟩)."
            )
        own[key] = value

    def share(self, column: str, key: Hashable, value: Any, role: str) -> None:
        """Add what all runs say of an item alike."""
        own = self.shared.setdefault(column, {})
        if is_missing(own.setdefault(key, value)):
            own[key] = value
        if not (is_missing(value) or own[key] is value or are_one([own[key], value])):
            raise InputError(
                f"item {quoted([key])} has different values in column {quoted([column])} ({role}): "
                f"{quoted([own[key], value])}. All runs share it."
            )

    def columns(self, item: str, missing: str) -> Whole:
        """Return one column per run, beside the items and what they share."""
        keys = list(dict.fromkeys(key for own in (*self.shared.values(), *self.cells.values()) for key in own))
        for name, own in self.cells.items():
            lacking = [str(key) for key in keys if key not in own]
            if lacking and missing == "error":
                raise InputError(
                    f"run {quoted([name])} lacks {len(lacking):,} of {len(keys):,} items: "
                    f"{quoted(lacking, most=SHOWN)}. "
                    "Runs share their items: ⟨missing=drop⟩ leaves these items out of all runs, ⟨missing=wrong⟩ counts "
                    "a missing prediction as an error."
                )
        found: Whole = {item: keys}
        found |= {name: [own.get(key) for key in keys] for name, own in self.shared.items()}
        return found | {name: [own.get(key) for key in keys] for name, own in self.cells.items()}


def keys_of(columns: Mapping[str, Sequence[Any]], item: str, place: str) -> list[str]:
    """Return the item of each row, spelt in one way."""
    lacking = sum(map(is_missing, columns[item]))
    if lacking:
        raise without_id(lacking, place, [item])
    return [name_of(value) for value in columns[item]]


def names_in(columns: Mapping[str, Sequence[Any]], column: str, role: str) -> list[str]:
    """Return the names that a column gives its rows."""
    if lacking := sum(map(is_missing, columns[column])):
        have = "row has" if lacking == 1 else "rows have"
        raise InputError(f"{lacking:,} {have} no value in {quoted([column])} (⟨{role}⟩).")
    return [name_of(value) for value in columns[column]]


def molten(columns: Whole, systems: Sequence[str], names: tuple[str, str]) -> Whole:
    """Return one row per item and system, of a table with one column per system; `names` are of the new columns."""
    who, value = names
    rest = [name for name in columns if name not in systems]
    rows = len(next(iter(columns.values())))
    found: Whole = {name: [cell for _ in systems for cell in columns[name]] for name in rest}
    found[who] = [system for system in systems for _ in range(rows)]
    return found | {value: [cell for system in systems for cell in columns[system]]}
