"""Single-label outcomes of items in groups (documents, topics), whose items are not independent."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.classes import Classes
from outclass.data.coding import distinct_rows, numbered
from outclass.data.counted import check_policy, counted_outcomes
from outclass.data.in_memory import check_columns, columns_of_any, lacking_rows, roles_in_memory
from outclass.data.labels import Label, is_missing, normalised
from outclass.data.names import selection
from outclass.data.outcomes import BINARY, WRONG, Outcomes
from outclass.data.tally import whole_counts
from outclass.errors import InputError, printable, quoted
from outclass.findings import Finding

MOST_ITEMS: Final = 10**7  # that are kept one by one


class Grouped:
    """Single-label outcomes of items in groups: what is weighted is the group, with all its items."""

    kind: ClassVar[str] = "labels in groups"

    def __init__(
        self, outcomes: Outcomes, codes: Counts, group: Counts, groups: int, names: Sequence[str] | None = None
    ) -> None:
        self.outcomes, self.codes, self.group, self._groups = outcomes, codes, group, groups
        self.names = tuple(map(str, range(groups))) if names is None else tuple(names)
        self.systems, self.items, self.findings = outcomes.systems, len(codes), outcomes.findings
        self.labels = tuple(str(label) for label in outcomes.labels)

    def __repr__(self) -> str:
        return f"Grouped({self.items:,} items in {self._groups:,} groups, systems {printable(', '.join(self.systems))})"

    def selected(self, systems: Sequence[str]) -> "Grouped":
        """Return the same items with some of the systems."""
        columns = [0, *(self.outcomes.column(system) for system in selection(systems, self.systems))]
        return Grouped(self.outcomes.selected(systems), self.codes[:, columns], self.group, self._groups, self.names)

    def with_findings(self, findings: tuple[Finding, ...]) -> "Grouped":
        """Return the same items with other findings."""
        return Grouped(replace(self.outcomes, findings=findings), self.codes, self.group, self._groups, self.names)

    @property
    def decisions(self) -> int:
        """How many yes-or-no decisions there are."""
        return self.items * len(self.labels)

    def joints(self, a: str, b: str) -> Counts:
        """Return one (2, 4) table per label."""
        return Classes(self.outcomes).joints(a, b)

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label."""
        return Classes(self.outcomes).tables(system)

    @property
    def frequencies(self) -> Counts:
        """How many items have each label."""
        return Classes(self.outcomes).frequencies

    @property
    def units(self) -> Counts:
        """Every group is itself."""
        return np.ones(self._groups, dtype=np.int64)

    @property
    def single(self) -> bool:
        """Whether every group has one item, so that there are none."""
        return self._groups == self.items

    @property
    def sizes(self) -> Counts:
        """How many items each group has."""
        return np.bincount(self.group, minlength=self._groups)

    def confusions(self, system: str) -> "tuple[Counts, Counts]":
        """Return, of one system, the group of every item and its cell in the table of confusions."""
        said = self.codes[:, self.outcomes.column(system)]
        return self.group, self.codes[:, 0] * len(self.labels) + said

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the group, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        truth, said = self.codes[:, 0], self.codes[:, self.outcomes.column(system)]
        right = truth == said
        return (
            np.concatenate([self.group[right], self.group[~right], self.group[~right]]),
            np.concatenate([truth[right], said[~right], truth[~right]]),
            np.repeat([0, 1, 2], [int(right.sum()), int((~right).sum()), int((~right).sum())]),
        )


def read_grouped(
    data: Any,
    group: str,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Grouped:
    """Read single-label outcomes with the group of every item; with `count`, of as many items as a row stands for."""
    check_policy(missing)
    keys = [] if id is None else [id]
    shared = [name for name in (truth, group, count) if name is not None]
    needed = None if truth is None or not systems else [*dict.fromkeys([*keys, *shared, *systems])]
    columns = columns_of_any(data, keys=keys, shared=shared, only=needed)
    check_columns(columns, {"group": group, "id": id})
    roles, findings = roles_in_memory(columns, truth=truth, systems=systems, count=count, id=id, other=[group])
    gone = sum(map(is_missing, columns[group]))
    if gone:
        raise InputError(f"column {quoted([group])} has {gone:,} missing values; every item needs a group (⟨group⟩).")
    names = (roles.truth, *roles.systems)
    counts = [1] * len(columns[group]) if count is None else whole_counts(zip(columns[count]), count)
    if sum(counts) > MOST_ITEMS:
        raise InputError(
            f"the table has {sum(counts):,} items, more than the {MOST_ITEMS:,} that are supported with groups."
        )
    sizes = np.array(counts, dtype=np.int64)
    kinds, first = distinct_rows([columns[name] for name in names])
    rows = [tuple(columns[name][at] for name in names) for at in first.tolist()]
    # Rows that stand for no item are of no label and of no group.
    many = np.bincount(kinds, weights=sizes, minlength=len(rows)).astype(np.int64).tolist()
    said = [(*row, size) for row, size in zip(rows, many, strict=True) if size]
    outcomes = counted_outcomes(roles.systems, said, missing, shown=lambda: lacking_rows(columns, names))
    outcomes = outcomes.with_findings((*findings, *outcomes.findings))
    whole = np.array([missing == "wrong" or not any(map(is_missing, row)) for row in rows]) & (np.array(many) > 0)
    if not whole.any():
        raise InputError("no items are left: every row has a missing label (⟨missing⟩) or a count of 0 (⟨count⟩).")
    codes = np.zeros((len(rows), len(names)), dtype=np.int64)
    codes[whole] = _codes(outcomes, list(zip(*compress(rows, whole), strict=True)), names)
    kept = np.repeat(np.arange(len(kinds)), np.where(whole[kinds], sizes, 0))
    groups, found = numbered(columns[group][at] for at in kept.tolist())
    return Grouped(outcomes, codes[kinds[kept]], found, len(groups), groups)


def _codes(outcomes: Outcomes, columns: Sequence[Sequence[Any]], names: Sequence[str]) -> Counts:
    """Return the code of every label, item by item; of two labels a missing prediction is the wrong one."""
    labels = normalised(columns, names)
    code: dict[Label | None, int] = {label: place for place, label in enumerate(outcomes.labels)} | {None: WRONG}
    codes = np.array([[code[label] for label in column] for column in labels], dtype=np.int64).T
    if (codes == WRONG).any():
        if len(outcomes.labels) != BINARY:
            raise InputError(
                "with groups, missing predictions can be counted as wrong (⟨missing=wrong⟩) only for two labels; "
                f"there are {len(outcomes.labels)}. Drop these items (⟨missing=drop⟩)."
            )
        codes = np.where(codes == WRONG, 1 - codes[:, :1], codes)
    return codes
