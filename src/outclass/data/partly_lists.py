"""Partly labelled items with any number of labels each: of every label, a table of yes and no with blank truths."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Coded, coded_as_counted
from outclass.data.columns import roles_of
from outclass.data.in_memory import check_columns, check_ids, columns_of_any
from outclass.data.labels import is_missing
from outclass.data.multilabel import MultiLabel, from_cells
from outclass.data.names import selection
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_tables import Rows, asked_of, check_roles, made
from outclass.data.slicing import Cut
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding, finding

NO_TRUTH: Final = 2  # the code of a truth that is not known, after no and yes


@dataclass(frozen=True, kw_only=True, eq=False)
class PartlyLists:
    """Lists of labels, of which the true ones are known of some items.

    Parameters
    ----------
    said
        What the truth, the systems and then the judges say, label by label; of items without a truth, no label is true.
    judges
        The names of the judges, the last of `said.systems`.
    known
        Which items have a truth, which may be that none of the labels is true.
    inclusion
        The probability with which each item was chosen to be labelled, if it was given.
    """

    kind: ClassVar[str] = "partly labelled lists"
    said: MultiLabel
    judges: tuple[str, ...]
    known: np.ndarray
    inclusion: Coded | None = None
    findings: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        return (
            f"PartlyLists({self.labelled:,} of {self.items:,} items labelled, {len(self.labels)} labels, "
            f"systems {printable(', '.join(self.systems))})"
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names, without the judges'."""
        return self.said.systems[: len(self.said.systems) - len(self.judges)]

    @property
    def items(self) -> int:
        """Number of items, labelled or not."""
        return self.said.items

    @property
    def labelled(self) -> int:
        """Number of labelled items."""
        return int(self.known.sum())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the truth and of the systems; what judges alone say has nothing to be compared."""
        own = self.said.marks[:, : 1 + len(self.systems)].any(axis=1)
        return tuple(self.said.labels[place] for place in np.unique(self.said.label[own]).tolist())

    @property
    def frequencies(self) -> Counts:
        """How many labelled items have each label; if none is labelled, how many items anyone gives it."""
        marks = self.said.marks
        told = marks[:, 0] if self.labelled else marks.any(axis=1)
        many = np.bincount(self.said.label[told], minlength=len(self.said.labels))
        return many[[self.said.labels.index(label) for label in self.labels]].astype(np.int64)

    @property
    def outcomes(self) -> MultiLabel:
        """The labelled items by themselves, without judges."""
        kept = self.known[self.said.item]
        place = np.cumsum(self.known) - 1
        own = replace(
            self.said,
            items=self.labelled,
            item=place[self.said.item[kept]],
            label=self.said.label[kept],
            marks=self.said.marks[kept],
            findings=self.findings,
        ).selected(self.systems)
        return own.only(np.unique(own.label[own.marks.any(axis=1)]).tolist())

    def of_label(self, label: str) -> PartlyLabelled:
        """Return one label against the rest: whether the truth, every system and every judge give it."""
        if label not in self.labels:
            raise InputError(f"no label {quoted([label])}. {did_you_mean(label, self.labels)}")
        rows = self.said.label == self.said.labels.index(label)
        says = np.zeros((self.items, 1 + len(self.said.systems)), dtype=np.int64)
        says[self.said.item[rows]] = self.said.marks[rows]
        names = (f"not {label}", label)
        said = {name: Coded(own, names) for name, own in zip(self.said.systems, says.T[1:], strict=True)}
        truth = Coded(np.where(self.known, says[:, 0], NO_TRUTH), (*names, None))
        return made(
            Rows(
                systems=self.systems,
                columns=[truth, *(said[name] for name in self.systems)],
                judges={Cut(name): said[name] for name in self.judges},
                inclusion=self.inclusion,
                counts=np.ones(self.items, dtype=np.int64),
                truth="truth",
                place="the table",
                findings=self.findings,
            ),
            "error",
        )

    def selected(self, systems: Sequence[str]) -> "PartlyLists":
        """Return the same items with some of the systems; what the others say still makes strata, as judges do."""
        own = selection(systems, self.systems)
        others = [system for system in self.systems if system not in own]
        judges = (*self.judges, *others)
        return replace(self, said=self.said.selected([*own, *judges]), judges=judges)

    def with_findings(self, findings: tuple[Finding, ...]) -> "PartlyLists":
        """Return the same items with other findings."""
        return replace(self, findings=findings)


def read_partly_lists(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    id: str | None = None,
    separator: str | None = None,
    judge: Sequence[str] = (),
    inclusion: str | None = None,
) -> PartlyLists:
    """Read cells that hold lists of labels; an empty truth is an item without a label, any other empty cell no label.

    An item of which it is known that it has none of the labels has an empty list, written `[]` or as the separator.
    """
    if separator == "":
        raise InputError("the label separator must not be empty; use for instance ⟨separator=;⟩.")
    shared = [name for name in (truth, *judge, inclusion) if name is not None]
    columns = columns_of_any(data, keys=[] if id is None else [id], shared=shared)
    check_columns(columns, {"id": id})
    asked = asked_of(list(columns), judge, inclusion, "error")
    if cut := [name for name, bins in asked.judges.items() if bins is not None]:
        raise InputError(
            f"judge {quoted(cut[:1])} cannot be cut into bins beside lists of labels: name a column of lists, like the "
            "truth (⟨judge⟩)."
        )
    if truth is not None:
        check_roles(asked, truth, systems or ())
    other = [*asked.names, *([] if id is None else [id])]
    roles = roles_of(list(columns), truth=truth, systems=systems, count=None, other=other, place="the table")
    if id is not None:
        check_ids(columns, id)
    for name in asked.judges:
        if all(map(_is_blank, columns[name])):
            raise InputError(f"the judge {quoted([name])} says nothing of any item: the column is empty (⟨judge⟩).")
    true = list(columns[roles.truth])
    known = np.array([not _is_blank(cell) for cell in true], dtype=bool)
    cells = [cell if there else [] for cell, there in zip(true, known, strict=True)]
    said = from_cells(cells, {name: columns[name] for name in (*roles.systems, *asked.judges)}, separator or ";")
    found = PartlyLists(
        said=replace(said, findings=()),
        judges=tuple(asked.judges),
        known=known,
        inclusion=None if inclusion is None else coded_as_counted(columns[inclusion]),
    )
    notes = [each for each in said.findings if each.code != "OC116"]  # which counts what is unlabelled
    return found.with_findings((*notes, *_of_nothing(found)))


def _is_blank(cell: Any) -> bool:
    """Return whether a cell holds nothing; an empty list is something."""
    return not isinstance(cell, list | tuple | set | frozenset | np.ndarray) and is_missing(cell)


def _of_nothing(data: PartlyLists) -> list[Finding]:
    """Say how many cells were read as no label, and if blank truths may have been meant so, too."""
    columns = 1 + len(data.said.systems)
    some = [len(np.unique(data.said.item[data.said.marks[:, at]])) for at in range(columns)]
    empty = data.labelled - some[0] + sum(data.items - each for each in some[1:])
    if not empty:
        return []
    told = f"{empty:,} of {columns * data.items:,} cells are empty; they were read as no label."
    notes = [finding("OC116", told)]
    if 0 < some[0] == data.labelled < data.items and min(some[1 : 1 + len(data.systems)]) < data.items:
        blank = data.items - data.labelled
        told = (
            f"every labelled item has a label, though systems give some items none. The {blank:,} blank truths were "
            "read as unlabelled items; write [] where it is known that an item has none of the labels."
        )
        notes.append(finding("OC709", told))
    return notes
