"""Settings of the computation."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Final

from outclass.errors import InputError, unknown

METHODS: Final = ("auto", "exact", "draws", "mcmc")
CHAINS: Final = {"nuts": 4, "metropolis": 1, "pymc": 4, "numpyro": 4}  # the samplers, and their usual chains
FORMS: Final = ("compact", "original")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the computation.

    Parameters
    ----------
    method
        'auto' and 'exact' integrate where possible ('exact' raises an error otherwise); 'draws' samples; 'mcmc' runs
        MCMC.
    draws
        Number of independent draws; for MCMC, the total over all chains.
    tolerance
        Allowed numerical error (98%) of exact probabilities and interval ends; points are added until it is met. For a
        single system it may be four times as large.
    seed
        Random seed.
    sampler, form, chains
        MCMC settings: the sampler, 'nuts' (nutpie), 'metropolis' (as in the papers), 'pymc' or 'numpyro' (their NUTS);
        the likelihood of counts ('compact') or of every item ('original'); and the number of chains, if not the
        sampler's default.
    progress
        Callback for slow sampling, called with (steps done, total steps).
    """

    method: str = "auto"
    draws: int = 50_000
    tolerance: float = 1e-4
    seed: int = 0
    sampler: str = "nuts"
    form: str = "compact"
    chains: int | None = None
    progress: Callable[[int, int], None] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", str(self.method), METHODS)
        if self.sampler not in CHAINS:
            raise unknown("sampler", str(self.sampler), CHAINS)
        if self.form not in FORMS:
            raise unknown("form", str(self.form), FORMS)
        if self.chains is not None and not 1 <= self.chains <= 1_000:
            raise InputError(f"the number of chains must lie between 1 and 1,000, got {self.chains}.")
        if not 100 <= self.draws <= 100_000_000:
            raise InputError(f"⟨draws⟩ must lie between 100 and 100,000,000, got {self.draws}.")
        if not (math.isfinite(self.tolerance) and 1e-8 <= self.tolerance < 0.1):
            raise InputError(f"⟨tolerance⟩ must lie in [1e-8, 0.1), got {self.tolerance}. The default is 1e-4.")

    def __getstate__(self) -> list[Any]:
        # What shows progress is of this process, and seldom something that can be sent to another.
        return [None if each.name == "progress" else getattr(self, each.name) for each in fields(self)]
