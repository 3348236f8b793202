"""What the parts of the coverage study share: a cell of its grid, and what is seen of one simulated test set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from outclass.inference.distribution import Interval

LOW, HIGH = 0.93, 0.97
# What tells a reader that an interval may be wider or narrower than it says.
WARNINGS = (
    "OC104",
    "OC105",
    "OC106",
    "OC107",
    "OC108",
    "OC109",
    "OC202",
    "OC208",
    "OC209",
    "OC212",
    "OC213",
    "OC214",
    "OC302",
)
Seen = Iterator[tuple[bool, float, set[str]]]  # whether the interval held the truth, its width, the codes shown


@dataclass(frozen=True)
class Cell:
    """One place of the grid."""

    model: str
    measure: str
    data: str
    items: int
    share: float | None = None
    alike: float | None = None


Road = Callable[[Cell, int, np.random.Generator], Seen]


def seen(hdi: Interval, truth: float, codes: set[str]) -> tuple[bool, float, set[str]]:
    """Return whether an interval held the truth, its width, and the findings that tell of it."""
    return hdi.low <= truth <= hdi.high, hdi.width, codes & set(WARNINGS)
