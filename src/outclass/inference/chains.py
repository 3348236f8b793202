"""A law known by Markov chains: the same numbers as every other law, and how far the chains can be trusted."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import MissingExtraError
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws

STRETCHES: Final = 10  # of all chains together; their spread tells the error
MOST_R_HAT: Final = 1.01
MOST_DIVERGENT: Final = 1e-3  # share of steps
HOPELESS_R_HAT: Final = 1.1
HOPELESS_WORTH: Final = 50
LEAST_WORTH: Final = 400  # of independent draws
FEWEST: Final = 4  # draws of a chain that diagnostics can be made of


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """How the chains of one number mixed.

    Parameters
    ----------
    ess_bulk, ess_tail
        Effective sample size of the chains, for the middle of the distribution and for its tails.
    r_hat
        How far the chains (split in halves) are from telling the same; 1 is best.
    mcse
        The Monte-Carlo error of the mean.
    divergences
        Steps at which NUTS lost its way; 0 for other samplers.
    """

    sampler: str
    chains: int
    draws: int
    tuned: int
    ess_bulk: float
    ess_tail: float
    r_hat: float
    mcse: float
    divergences: int = 0

    @property
    def faults(self) -> list[str]:
        """What is wrong with the chains, in words."""
        found = []
        if not self.r_hat <= MOST_R_HAT:
            found.append(f"R-hat is {self.r_hat:.3f} (should be at most {MOST_R_HAT})")
        total = self.chains * self.draws
        for worth, of in ((self.ess_bulk, "the bulk"), (self.ess_tail, "the tails")):
            if not worth >= LEAST_WORTH:
                found.append(
                    f"effective sample size for {of} is {worth:,.0f} of {total:,} draws (should be at least "
                    f"{LEAST_WORTH})"
                )
        if self.divergences > MOST_DIVERGENT * total:
            found.append(f"{self.divergences:,} divergent transitions")
        return found

    @property
    def hopeless(self) -> bool:
        """Whether nothing that the chains say can be believed."""
        return not (self.r_hat <= HOPELESS_R_HAT and min(self.ess_bulk, self.ess_tail) >= HOPELESS_WORTH)


class ChainWarning(UserWarning):
    """The chains did not converge."""


class Chains(Draws):
    """The distribution of chains' draws.

    Parameters
    ----------
    values
        Shape (chains, draws).
    trace
        All that was sampled, as ArviZ keeps it.
    """

    def __init__(
        self,
        values: Floats,
        support: Interval,
        sampler: str,
        *,
        tuned: int = 0,
        divergences: int = 0,
        trace: Any = None,
    ) -> None:
        chains, draws = values.shape
        stretches = max(1, STRETCHES // chains)
        each = draws // stretches
        # Stretches of a chain are nearly independent of each other, single draws are not.
        parts = values[:, : each * stretches].reshape(chains * stretches, each) if each else values
        super().__init__(parts, support, sampler)
        self.by_chain, self.trace = values, trace
        self._tuned, self._divergences = tuned, divergences

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """How the chains mixed, by ArviZ."""
        az = arviz()
        chains, draws = self.by_chain.shape
        values = self.by_chain
        # One chain has to agree with itself: its halves are compared.
        halves = values[:, : draws // 2 * 2].reshape(-1, draws // 2) if chains == 1 else values
        numbers = [float("nan")] * 4
        if np.all(np.isfinite(values)) and np.ptp(values) > 0 and draws >= FEWEST:
            numbers = [
                float(np.asarray(found).ravel()[0])
                for found in (
                    az.ess(values, method="bulk"),
                    az.ess(values, method="tail", prob=(0.05, 0.95)),
                    az.rhat(halves),
                    az.mcse(values, method="mean"),
                )
            ]
        return Diagnostics(
            sampler=self.method,
            chains=chains,
            draws=draws,
            tuned=self._tuned,
            ess_bulk=numbers[0],
            ess_tail=numbers[1],
            r_hat=numbers[2],
            mcse=numbers[3],
            divergences=self._divergences,
        )


def arviz() -> Any:
    """Load ArviZ, or say where it comes from."""
    try:
        import arviz as az
    except ImportError:
        raise MissingExtraError.named("mcmc", "diagnostics of chains and ArviZ's format") from None
    return az


def inference_data(posterior: dict[str, Floats], dims: dict[str, list[str]], coords: dict[str, list[str]]) -> Any:
    """Make what ArviZ works with: arrays of shape (chains, draws, ...), in either of its generations."""
    az = arviz()
    if az.__version__.startswith("0."):
        return az.from_dict(posterior=posterior, dims=dims, coords=coords)
    return az.from_dict({"posterior": posterior}, dims=dims, coords=coords)


def with_variable(trace: Any, name: str, values: Floats) -> Any:
    """Return a copy of what was sampled, with one more number of each draw."""
    import xarray

    found = trace.copy()
    found["posterior"][name] = xarray.DataArray(values, dims=("chain", "draw"))
    return found
