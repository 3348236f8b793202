"""Scores: a number for every item and system.

With a truth they are classifier scores, higher for likelier positives; without one they are results, one number per
query, item, fold or data set.
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
# Numbers that differ by less than 1e-10 of the largest count as equal, as they may be rounded. Results that all lie
# within a hundred times that would be told as ties; within a few steps of a float they are one number indeed.
NARROWEST: Final = 1e-8
SAME: Final = 8 * float(np.finfo(float).eps)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Numbers of several systems for the same items.

    Parameters
    ----------
    values
        For each system, one number per item.
    truth
        Which items are positive, for classifier scores; None for results.
    name
        Name of the results, such as 'nDCG@10' or 'latency'.
    higher_is_better
        Direction of the results.
    group
        The group of each item (a topic, a document, an item with several runs); None if items are independent.
    fold_share
        For folds: the share of the data tested in each, which determines their correlation; otherwise None.
    data_set
        The data set of each result; None if there is one.
    ids
        Ids of the items, if they are unique.
    group_names, data_set_names
        Names of the groups and data sets, by their codes.
    step
        What a right answer instead of a wrong one adds to an item whose repeats are right or wrong; otherwise None.
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
    step: float | None = None
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
        if self.truth is None and most > 0:
            self._check_offset(most)

    def _check_offset(self, most: float) -> None:
        """Refuse results whose differences are lost beside an offset that all have in common, as of timestamps."""
        low = min((float(own.min(initial=np.inf)) for own in self.values.values()), default=0.0)
        high = max((float(own.max(initial=-np.inf)) for own in self.values.values()), default=0.0)
        if SAME * most < high - low < NARROWEST * most:
            raise InputError(
                f"all results lie between {low!r} and {high!r}: next to such an offset their differences are lost to "
                f"rounding. Subtract the same number from all results first, for example {low!r}."
            )

    def __repr__(self) -> str:
        what = self.kind if self.truth is not None else f"{self.kind} ({self.name})"
        return printable(f"Scores({len(self):,} {what} of {', '.join(self.systems)})")

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    @property
    def kind(self) -> str:
        """Name of this kind of data."""
        return "results" if self.truth is None else "scores"

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.values)

    def selected(self, systems: Sequence[str]) -> "Scores":
        """Return the same items with some of the systems."""
        return replace(self, values={name: self.values[name] for name in selection(systems, self.systems)})

    def difference(self, a: str, b: str) -> Floats:
        """Return A's results minus B's, item by item."""
        return self.values[a] - self.values[b]
