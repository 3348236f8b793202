"""What the parts of the coverage study share: a cell of its grid, and what is seen at each."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from outclass.inference.distribution import Interval

LOW, HIGH = 0.93, 0.97
# What tells a reader that an interval may be wider or narrower than it says.
WARNINGS = (
    *("OC104", "OC105", "OC106", "OC107", "OC108", "OC109", "OC121", "OC202", "OC208", "OC209", "OC212", "OC213"),
    "OC214",
    "OC215",
    "OC302",
)
Seen = Iterator[tuple[bool, float, set[str]]]  # whether the interval held the truth, its width, the codes shown


def seen(hdi: Interval, truth: float, codes: set[str]) -> tuple[bool, float, set[str]]:
    """Return whether an interval held the truth, its width, and the findings that tell of it."""
    return hdi.low <= truth <= hdi.high, hdi.width, codes & set(WARNINGS)


@dataclass(frozen=True)
class Cell:
    """One place of the grid."""

    model: str
    measure: str
    data: str
    items: int
    share: float | None = None
    alike: float | None = None


@dataclass(frozen=True)
class Covered:
    """What the simulation found there."""

    cell: Cell
    sets: int
    rate: float
    width: float
    warned: float  # the share of sets that came with a finding
    codes: tuple[str, ...]
    quiet: float  # coverage of the sets that came without

    @property
    def error(self) -> float:
        """The simulation's error of a coverage of .95."""
        return math.sqrt(0.95 * 0.05 / self.sets)

    @property
    def state(self) -> str:
        """Say 'right', or how the interval is off; and whether a finding flags it."""
        if LOW <= self.rate <= HIGH:
            return "right"
        off = "too narrow" if self.rate < LOW else "too wide"
        # Where most sets come with a finding, the others must be right; within the error of that few.
        near = math.sqrt(0.95 * 0.05 / max(self.sets * (1 - self.warned), 1))
        flagged = self.warned >= 0.9 or (self.warned >= 0.5 and LOW - near <= self.quiet <= HIGH + near)
        return f"{off}, {'flagged' if flagged else 'not flagged'}"


Road = Callable[[Cell, int, np.random.Generator], Seen]
