"""Scores: a number for every item and system.

Beside the truth they are how likely a system takes an item to be positive; by themselves they are results: what a
query, an item, a fold or a data set was worth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.names import selection
from outclass.errors import InputError, printable, quoted
from outclass.findings import Finding

# The spread of numbers is a sum of squares, which must neither overflow nor vanish.
LARGEST: Final = 1e100
SMALLEST: Final = 1e-100


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Numbers of every system for the same items.

    Parameters
    ----------
    values
        By system: a number for each item.
    truth
        Which items are positive, of scores of a classifier (the higher, the likelier); None of results.
    name
        What the results are: 'nDCG@10', 'latency'.
    higher_is_better
        Of results.
    group
        The group of each item (a topic, a document, an item of several runs); None if each is by itself.
    fold_share
        Of folds: the share of the data that each tests, which says how much they hang together; None if not folds.
    data_set
        The data set of each result; None if there is one.
    ids
        What each item is called, if each has a name of its own.
    group_names, data_set_names
        What the groups and the data sets are called, by their codes.
    """

    values: Mapping[str, Floats]
    truth: np.ndarray | None = None
    name: str = "score"
    higher_is_better: bool = True
    group: Counts | None = None
    fold_share: float | None = None
    data_set: Counts | None = None
    ids: tuple[str, ...] | None = None
    group_names: tuple[str, ...] | None = None
    data_set_names: tuple[str, ...] | None = None
    findings: tuple[Finding, ...] = field(default=())

    def __post_init__(self) -> None:
        largest = {name: float(np.abs(own).max(initial=0.0)) for name, own in self.values.items()}
        for name, most in largest.items():
            if most > LARGEST:
                raise InputError(
                    f"{quoted([name])} holds {most:g}: scores beyond ±{LARGEST:g} are not supported, because their "
                    "squares overflow. Rescale them."
                )
        most = max(largest.values(), default=0.0)
        if self.truth is None and 0 < most < SMALLEST:
            raise InputError(
                f"the largest result is {most:g}: results that all lie within ±{SMALLEST:g} are not supported, because "
                "their squares vanish. Rescale them."
            )

    def __repr__(self) -> str:
        what = self.kind if self.truth is not None else f"{self.kind} ({self.name})"
        return printable(f"Scores({len(self):,} {what} of {', '.join(self.systems)})")

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    @property
    def kind(self) -> str:
        """What data of this kind are called."""
        return "results" if self.truth is None else "scores"

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.values)

    def selected(self, systems: Sequence[str]) -> "Scores":
        """Return the same items with some of the systems."""
        return replace(self, values={name: self.values[name] for name in selection(systems, self.systems)})

    def difference(self, a: str, b: str) -> Floats:
        """Return A's results less B's, item by item."""
        return self.values[a] - self.values[b]
