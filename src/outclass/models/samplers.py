"""Chains of a PyMC model, by today's samplers and by the papers' own."""

import logging
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from threading import RLock
from typing import Any, Final

import numpy as np

from outclass.child import in_child, report
from outclass.errors import InputError, MissingExtraError
from outclass.inference.chains import inference_data
from outclass.inference.settings import CHAINS, Settings
from outclass.models.laws import pymc
from outclass.models.traces import Trace

PRIOR_DRAWS: Final = 10_000
TUNED: Final = 1_000
METROPOLIS_TUNED: Final = 2_000  # of the draws, which are all kept: no burn-in, as in the paper
TARGET: Final = 0.95  # of accepted steps: short ones, since what is hard here is the corners
WAIT: Final = 0.1  # seconds between looks for an interrupt
# PyTensor and its compilers are not made for threads.
ALONE = RLock()


@lru_cache(maxsize=8)
def _compiled(model: Any) -> Any:
    """Compile a model for nutpie; it serves again for other counts."""
    try:
        import nutpie
    except ImportError:
        raise MissingExtraError.named("mcmc", "the nuts sampler") from None
    return nutpie.compile_pymc_model(model)


def sampled(function: Callable[..., Trace], *arguments: Any, settings: Settings) -> Trace:
    """Call a function that builds a model and samples it, in a child process: compiled code can crash."""
    for library in ("pymc", *(["nutpie"] if settings.sampler == "nuts" else [])):
        if find_spec(library) is None:
            raise MissingExtraError.named("mcmc", "sampling, and priors that are not conjugate")
    # Reports go by way of the process; bars on a terminal are drawn where it is.
    own = replace(settings, progress=None if settings.progress is None else report)
    return in_child("sampling", settings.progress, function, *arguments, own)


def sample(model: Any, data: Mapping[str, Any], settings: Settings) -> Trace:
    """Run chains; an interrupt ends them, and leaves nothing behind."""
    chains = settings.chains or CHAINS[settings.sampler]
    draws = max(settings.draws // chains, 10)
    with ALONE, quietly():
        try:
            if settings.sampler == "nuts":
                kept, tuned = _nutpie(model, data, settings, chains, draws), TUNED
            else:
                kept, tuned = _pymc(model, data, settings, chains, draws)
        except (ArithmeticError, RuntimeError) as error:  # of the libraries, about where a chain starts or gets to
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise InputError(
                f"the {settings.sampler} sampler failed: {first[:120]}. The prior may be incompatible with the data; "
                "try a wider one."
            ) from None
    groups = [kept["posterior"]]
    if settings.sampler == "metropolis":
        groups.insert(0, kept["warmup_posterior"])
    names = [str(name) for name in groups[-1].data_vars]
    values = {name: np.concatenate([np.asarray(group[name].values) for group in groups], axis=1) for name in names}
    stats = kept["sample_stats"]
    if settings.sampler == "metropolis":
        # Every draw is kept, so that ArviZ gets every draw, too.
        kept = inference_data(values, {}, {})
    divergences = int(np.asarray(stats["diverging"].values).sum()) if "diverging" in stats else 0
    return Trace(values, settings.sampler, tuned, divergences, kept)


def _nutpie(model: Any, data: Mapping[str, Any], settings: Settings, chains: int, draws: int) -> Any:
    shown = settings.progress is not None and sys.stderr.isatty()
    if shown:
        sys.stderr.write("compiling the model ...\r")
    compiled = _compiled(model)
    import nutpie

    if data:
        compiled = compiled.with_data(**data)
    sampler = nutpie.sample(
        compiled,
        draws=draws,
        tune=TUNED,
        chains=chains,
        cores=min(chains, os.cpu_count() or 1),
        seed=settings.seed % 2**32,
        progress_bar=shown,
        save_warmup=False,
        target_accept=TARGET,
        blocking=False,
    )
    try:
        # Its own waiting would take an interrupt for an end, and give back half an answer.
        while not _is_finished(sampler):
            time.sleep(WAIT)
        return sampler.wait()
    except BaseException:
        sampler.cancel()
        raise


def _is_finished(sampler: Any) -> bool:
    try:
        return bool(sampler.is_finished)
    except TimeoutError:
        return False  # some versions say so in this way


def _pymc(model: Any, data: Mapping[str, Any], settings: Settings, chains: int, draws: int) -> tuple[Any, int]:
    pm = pymc()
    options: dict[str, Any] = {
        "chains": chains,
        "cores": 1,
        "random_seed": settings.seed % 2**32,
        "progressbar": False,
        "compute_convergence_checks": False,
    }
    tuned = TUNED
    if settings.sampler == "numpyro":
        try:
            import numpyro  # noqa: F401  # PyMC loads it by name, and would fail later
        except ImportError:
            raise InputError("the numpyro sampler needs NumPyro: pip install numpyro") from None
        options |= {"nuts_sampler": "numpyro"}
    if settings.sampler == "metropolis":
        tuned = min(METROPOLIS_TUNED, draws // 2)
        options |= {"discard_tuned_samples": False}
    total = chains * (draws if settings.sampler == "metropolis" else draws + tuned)
    if settings.progress is not None and settings.sampler != "numpyro":
        told, step = settings.progress, max(total // 100, 1)
        seen = [0]

        def count(trace: Any, draw: Any) -> None:
            del trace, draw
            seen[0] += 1
            if seen[0] % step == 0:
                told(seen[0], total)

        options |= {"callback": count}
    with model:
        if data:
            pm.set_data(dict(data))
        if settings.sampler == "metropolis":
            options |= {"step": pm.Metropolis()}
            options |= {"draws": draws - tuned}
        return pm.sample(**{"draws": draws, "tune": tuned} | options), tuned


def prior_draws(model: Any, settings: Settings) -> Trace:
    """Draw from the prior itself."""
    pm = pymc()
    variables = [*model.free_RVs, *model.deterministics]
    drawn = pm.draw(variables, draws=PRIOR_DRAWS, random_seed=settings.seed % 2**32)
    values = {variable.name: np.asarray(found)[None, ...] for variable, found in zip(variables, drawn, strict=True)}
    return Trace(values, "draws", 0, 0, None, is_prior=True)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep the libraries' own remarks off the screen: what matters of them is in the diagnostics."""
    loggers = [logging.getLogger(name) for name in ("pymc", "pytensor", "pymc.sampling", "jax")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
