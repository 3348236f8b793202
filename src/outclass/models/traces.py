"""What chains leave behind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outclass.arrays import Floats
from outclass.inference.chains import Chains
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws


@dataclass(frozen=True)
class Trace:
    """What chains drew: arrays of shape (chains, draws, ...) by name, and how the sampling went."""

    values: Mapping[str, Floats]
    sampler: str
    tuned: int
    divergences: int
    kept: Any  # as ArviZ has it
    is_prior: bool = False  # independent draws of the prior, no chain

    @property
    def chains(self) -> int:
        """How many chains there are."""
        return len(next(iter(self.values.values())))

    def law(self, values: Floats, support: Interval) -> Draws:
        """Return the law of a number computed from the draws."""
        if self.is_prior:
            return Draws.iid(values.ravel(), support)
        return Chains(values, support, self.sampler, tuned=self.tuned, divergences=self.divergences, trace=self.kept)
