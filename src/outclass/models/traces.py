"""What chains leave behind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.inference.chains import Chains
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws

MOST_LOOKED_AT: Final = 20  # numbers of one variable


@dataclass(frozen=True)
class Trace:
    """What chains drew: arrays of shape (chains, draws, ...) by name, and how the sampling went."""

    values: Mapping[str, Floats]
    sampler: str
    tuned: int
    divergences: int
    kept: Any  # as ArviZ has it
    is_prior: bool = False  # independent draws of the prior, no chain

    def plus(self, other: "Trace") -> "Trace":
        """Join what two samplings drew, which have no trace in common."""
        both = {f"{name} (1)": values for name, values in self.values.items()}
        both |= {f"{name} (2)": values for name, values in other.values.items()}
        return Trace(both, self.sampler, self.tuned, self.divergences + other.divergences, None)

    def faults(self) -> list[str]:
        """What is wrong with the chains of any number that was sampled."""
        found = []
        for name, values in self.values.items():
            flat = values.reshape(*values.shape[:2], -1)
            for place in range(min(flat.shape[2], MOST_LOOKED_AT)):
                law = Chains(flat[:, :, place], Interval(-np.inf, np.inf), self.sampler)
                found += [f"{name}: {fault}" for fault in law.diagnostics.faults]
        return found

    @property
    def chains(self) -> int:
        """How many chains there are."""
        return len(next(iter(self.values.values())))

    def law(self, values: Floats, support: Interval) -> Draws:
        """Return the distribution of a number computed from the draws."""
        if self.is_prior:
            return Draws.iid(values.ravel(), support)
        return Chains(values, support, self.sampler, tuned=self.tuned, divergences=self.divergences, trace=self.kept)
