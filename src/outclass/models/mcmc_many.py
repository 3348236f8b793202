"""Many labels by Markov chains, in the form of counts: weights of patterns, and classes that share their strength."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.errors import InputError
from outclass.inference.settings import Settings
from outclass.models.laws import pymc
from outclass.models.samplers import sample, sampled
from outclass.models.shrinkage import LOG_KAPPA
from outclass.models.traces import Trace
from outclass.models.weighed import Units

MOST_UNITS: Final = 5_000


def sample_weights(units: Units, mass: float, settings: Settings) -> tuple[Floats, Floats, Trace]:
    """Sample the shares of patterns, (chains, draws, units), and that of all pseudo-items together, (chains, draws).

    Unknown are the logs of Gamma variates whose shares are the Dirichlet's: their density has one hump and no walls.
    """
    counts = units.counts
    if len(counts) > MOST_UNITS:
        raise InputError(
            f"{len(counts):,} patterns are too many for MCMC; leave out ⟨method=mcmc⟩: the default is exact."
        )
    prior = np.zeros(len(counts) + 1)
    prior[-1] = mass
    trace = sampled(_weights, {"counts": np.append(counts, 0.0), "prior": prior}, settings=settings)
    shares = special.softmax(trace.values["log_weight"], axis=2)
    return shares[..., :-1], shares[..., -1], trace


def _weights(data: dict[str, Floats], settings: Settings) -> Trace:
    return sample(_weights_model(len(data["prior"])), data, settings)


@lru_cache(maxsize=4)
def _weights_model(size: int) -> Any:
    pm = pymc()
    with pm.Model() as model:
        counts, prior = pm.Data("counts", np.ones(size)), pm.Data("prior", np.ones(size))
        logs = pm.Flat("log_weight", shape=size)
        # Gamma(prior) variates in logs; of a pattern without a prior, whatever the data say. Their scale is free.
        pm.Potential("of_prior", (prior * logs).sum() - pm.math.exp(logs).sum() / size)
        pm.Potential("of_counts", (counts * (logs - pm.math.logsumexp(logs))).sum())
    return model


def sample_shared(counts: Floats, settings: Settings) -> tuple[Floats, Floats, Trace]:
    """Sample what the classes share: four shares (chains, draws, 4) and kappa (chains, draws), of two systems.

    Every class's own shares are integrated out, which is exact: a Dirichlet mixed over a multinomial.
    """
    data = {"counts": counts.astype(np.int64)}
    trace = sampled(_shared, data, settings=settings)
    return trace.values["shares"], np.exp(trace.values["log_kappa"]), trace


def _shared(data: dict[str, Floats], settings: Settings) -> Trace:
    return sample(_shared_model(len(data["counts"])), data, settings)


@lru_cache(maxsize=4)
def _shared_model(classes: int) -> Any:
    pm = pymc()
    with pm.Model() as model:
        counts = pm.Data("counts", np.ones((classes, 4), dtype=np.int64))
        shares = pm.Dirichlet("shares", a=np.ones(4))
        log_kappa = pm.Normal("log_kappa", mu=LOG_KAPPA[0], sigma=LOG_KAPPA[1])
        alphas = shares * pm.math.exp(log_kappa)
        pm.DirichletMultinomial("of_classes", n=counts.sum(axis=1), a=alphas, observed=counts)
    return model
