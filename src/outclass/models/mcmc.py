"""Any prior, by Markov chains: the papers' own engine, with PyMC's models and today's samplers.

The single, unpaired and paired models of Zhang et al. 2016, section 3.1, each in the original form (every item is an
event) and in the compact form (counts). Where the prior of a recall is no Beta but the systems are paired, each
system's recall has that prior, and how often both are right is uniform between what the two recalls allow.
"""

import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError, MissingExtraError
from outclass.inference.chains import inference_data
from outclass.inference.distribution import Distribution
from outclass.inference.settings import CHAINS, Settings
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.forms import difference_support, support_of
from outclass.models.laws import Law, pymc
from outclass.models.prior import Prior
from outclass.models.traces import Trace

KNOWN: Final = ("paired", "unpaired")
MOST_EVENTS: Final = 2_000_000  # items that may each be an event
PRIOR_DRAWS: Final = 10_000
LOOKED_AT: Final = 500  # draws of a prior that must be rates
TUNED: Final = 1_000
METROPOLIS_TUNED: Final = 2_000  # of the draws, which are all kept: no burn-in, as in the paper
TARGET: Final = 0.95  # of accepted steps: short ones, since what is hard here is the corners
WAIT: Final = 0.1  # seconds between looks for an interrupt
# PyTensor and its compilers are not made for threads.
_ALONE = RLock()


@dataclass(frozen=True)
class Sampled:
    """The posterior of one or two systems, by chains."""

    trace: Trace
    is_paired: bool

    @classmethod
    def fit(cls, model: str, evidence: Evidence, prior: Prior, settings: Settings) -> "Sampled":
        """Sample a model of two systems given evidence; of none, the prior itself."""
        if model not in KNOWN:
            raise InputError(f"chains are run for the paired and unpaired models, not for {model}: leave out mcmc.")
        if model == "paired":
            if evidence.joint is None:
                raise InputError("the paired model needs both systems on the same items; use --model unpaired.")
            tables: tuple[Counts, ...] = (evidence.joint,)
        else:
            if evidence.systems is None:
                raise InputError("the unpaired model needs each system's own counts.")
            tables = evidence.systems
        return cls(_run(model, tables, prior, settings), model == "paired")

    @classmethod
    def fit_one(cls, table: Counts, prior: Prior, settings: Settings) -> "Sampled":
        """Sample the model of one system."""
        return cls(_run("single", (table,), prior, settings), False)

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the posterior of one system's measure."""
        return self.trace.law(self._measured(which, measure), support_of(measure))

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""
        values = self._measured(0, measure) - self._measured(1, measure)
        return self.trace.law(values, difference_support(measure))

    def density_at_zero(self, measure: Measure) -> float:
        """Return nothing: draws cannot tell a high density from one without bounds."""
        return float("nan")

    def _measured(self, which: int, measure: Measure) -> Floats:
        mu, recall, fallout = self._rates(which)
        rest = 1 - mu
        return np.asarray(measure(mu * recall, rest * fallout, mu * (1 - recall), rest * (1 - fallout)))

    def _rates(self, which: int) -> tuple[Floats, Floats, Floats]:
        drawn = self.trace.values
        if not self.is_paired:
            name = "AB"[which]
            return drawn[f"mu_{name}"], drawn[f"recall_{name}"], drawn[f"fpr_{name}"]
        rates = [drawn[part][..., 0] + drawn[part][..., 1 + which] for part in ("theta_positives", "theta_negatives")]
        return drawn["mu"], rates[0], rates[1]


# --- the models --------------------------------------------------------------------------------------------------


def build(kind: str, form: str, prior: Prior) -> Any:
    """Write down a model in PyMC; its counts (or events) are data that can be set."""
    pm = pymc()
    with pm.Model() as model:
        if kind == "paired":
            _paired(pm, form, prior)
        else:
            for name in "A" if kind == "single" else "AB":
                _single(pm, form, prior, name)
    return model


def _single(pm: Any, form: str, prior: Prior, name: str) -> None:
    mu = _rate(pm, prior.law("mu"), f"mu_{name}", prior.mu)
    recall = _rate(pm, prior.law("recall"), f"recall_{name}", _pair(prior, "positives", "recall"))
    fallout = _rate(pm, prior.law("fpr"), f"fpr_{name}", _pair(prior, "negatives", "fpr"))
    if form == "original":
        truth = pm.Data(f"truth_{name}", np.zeros(1, dtype=np.int64))
        said = pm.Data(f"said_{name}", np.zeros(1, dtype=np.int64))
        pm.Bernoulli(f"is_positive_{name}", p=mu, observed=truth)
        pm.Bernoulli(f"is_said_{name}", p=pm.math.where(pm.math.eq(truth, 1), recall, fallout), observed=said)
        return
    (tp, fn), (fp, tn) = _counts(pm, name, ("tp", "fn"), ("fp", "tn"))
    pm.Binomial(f"positives_{name}", n=tp + fn + fp + tn, p=mu, observed=tp + fn)
    pm.Binomial(f"true_positives_{name}", n=tp + fn, p=recall, observed=tp)
    pm.Binomial(f"false_positives_{name}", n=fp + tn, p=fallout, observed=fp)


def _counts(pm: Any, name: str, *rows: tuple[str, ...]) -> list[list[Any]]:
    return [[pm.Data(f"{cell}_{name}", 0) for cell in row] for row in rows]


def _paired(pm: Any, form: str, prior: Prior) -> None:
    mu = _rate(pm, prior.law("mu"), "mu", prior.mu)
    positives = _outcomes(pm, prior, "positives", "recall")
    negatives = _outcomes(pm, prior, "negatives", "fpr")
    if form == "original":
        truth = pm.Data("truth", np.zeros(1, dtype=np.int64))
        said = pm.Data("said", np.zeros(1, dtype=np.int64))
        pm.Bernoulli("is_positive", p=mu, observed=truth)
        pm.Categorical("outcome", p=pm.math.stack([negatives, positives])[truth], observed=said)
        return
    of_positives = pm.Data("of_positives", np.zeros(4, dtype=np.int64))
    of_negatives = pm.Data("of_negatives", np.zeros(4, dtype=np.int64))
    many, few = of_positives.sum(), of_negatives.sum()
    pm.Binomial("positives", n=many + few, p=mu, observed=many)
    pm.Multinomial("counts_positives", n=many, p=positives, observed=of_positives)
    pm.Multinomial("counts_negatives", n=few, p=negatives, observed=of_negatives)


def _pair(prior: Prior, part: str, rate: str) -> tuple[float, ...]:
    if prior.law(part) is not None:
        raise InputError(f"this model has a prior of {rate}, not of the four outcomes of the {part}.")
    return prior.outcomes(part, 2)


def _rate(pm: Any, law: Law | None, name: str, beta: tuple[float, ...]) -> Any:
    """Make a rate's variable: a Beta, or whatever law the user has named."""
    if law is None:
        return pm.Beta(name, alpha=beta[0], beta=beta[1])
    found = _made(law, name)
    if getattr(found, "ndim", None) != 0:
        raise InputError(f"the prior {law.name} is not of one number.")
    _check_range(pm, found, law)
    return found


def _made(law: Law, name: str) -> Any:
    try:
        found = law.make(name)
    except InputError:
        raise
    except Exception as error:  # a user's own function, or PyMC's view of the parameters
        raise InputError(f"the prior {law.name} cannot be made: {str(error).splitlines()[0][:120]}") from None
    if getattr(found, "name", None) != name:
        raise InputError(f"the prior {law.name} must be a variable of the name it is given, {name!r}.")
    return found


def _outcomes(pm: Any, prior: Prior, part: str, rate: str) -> Any:
    """Make the variable of four outcomes: both say positive, only A, only B, neither."""
    own, of_rate = prior.law(part), prior.law(rate)
    if own is not None:
        found = _made(own, f"theta_{part}")
        if getattr(found, "ndim", None) != 1:
            raise InputError(f"the prior {own.name} of the {part} is not of four shares.")
        _check_range(pm, found, own)
        drawn = np.asarray(pm.draw(found, draws=LOOKED_AT, random_seed=0))
        if drawn.shape[1] != 4 or not np.allclose(drawn.sum(axis=1), 1, atol=1e-4):
            raise InputError(f"the prior {own.name} of the {part} is not of four shares that add up to 1.")
        return found
    if of_rate is None:
        return pm.Dirichlet(f"theta_{part}", a=np.array(prior.outcomes(part, 4)))
    a, b = (_rate(pm, of_rate, f"{rate}_{name}", (1.0, 1.0)) for name in "AB")
    least, most = pm.math.maximum(0.0, a + b - 1), pm.math.minimum(a, b)
    both = least + pm.Uniform(f"agreement_{part}", 0.0, 1.0) * (most - least)
    return pm.Deterministic(f"theta_{part}", pm.math.stack([both, a - both, b - both, 1 - a - b + both]))


def _check_range(pm: Any, variable: Any, law: Law) -> None:
    """Refuse a prior of a rate that is no law on [0, 1]; by its density beyond, not by luck."""
    if not str(variable.dtype).startswith("float"):
        raise InputError(f"the prior {law.name} is of whole numbers, and a rate is not.")
    try:
        drawn = np.asarray(pm.draw(variable, draws=LOOKED_AT, random_seed=0))
        beyond = variable.ndim == 0 and any(
            float(pm.logp(variable, place).eval()) > -np.inf for place in (-1.0, -0.1, -1e-3, 1.001, 1.1, 2.0)
        )
    except Exception as error:  # whatever PyMC makes of parameters that have no meaning
        raise InputError(f"the prior {law.name} cannot be drawn from: {str(error).splitlines()[0][:120]}") from None
    if beyond or not (np.all(np.isfinite(drawn)) and drawn.min() >= 0 and drawn.max() <= 1):
        raise InputError(
            f"the prior {law.name} reaches beyond 0 or 1, and a rate does not: truncate it, as in "
            "TruncatedNormal(mu=0.8, sigma=0.1, lower=0, upper=1)."
        )


def _data(kind: str, form: str, tables: tuple[Counts, ...]) -> dict[str, Any]:
    """Return what the model of counts, or of events, has seen."""
    found: dict[str, Any] = {}
    for name, table in zip("AB", tables, strict=False):
        suffix = "" if kind == "paired" else f"_{name}"
        counts = np.asarray(table, dtype=np.int64)
        if form == "original":
            if counts.sum() > MOST_EVENTS:
                raise InputError(
                    f"the original form has an event for each of {counts.sum():,} items; use the compact one."
                )
            rows, columns = np.indices(counts.shape)
            truth, said = (np.repeat(part.ravel(), counts.ravel()) for part in (1 - rows, columns))
            # Of one system: says positive or not. Of two: which of four outcomes.
            found |= {f"truth{suffix}": truth, f"said{suffix}": said if kind == "paired" else 1 - said}
        elif kind == "paired":
            found |= {"of_positives": counts[0], "of_negatives": counts[1]}
        else:
            cells = dict(zip(("tp", "fn", "fp", "tn"), counts.ravel(), strict=True))
            found |= {f"{cell}{suffix}": np.asarray(count) for cell, count in cells.items()}
    return found


# --- sampling ----------------------------------------------------------------------------------------------------


def _run(kind: str, tables: tuple[Counts, ...], prior: Prior, settings: Settings) -> Trace:
    cells = tuple(tuple(tuple(int(n) for n in row) for row in table) for table in tables)
    with _ALONE:
        return _trace(kind, cells, prior, settings)


# One sampling serves all measures.
@lru_cache(maxsize=2)
def _trace(kind: str, cells: tuple[Any, ...], prior: Prior, settings: Settings) -> Trace:
    tables = tuple(np.array(table, dtype=np.int64) for table in cells)
    with _quiet():
        model = _built(kind, settings.form, prior)
        if not any(np.any(table) for table in tables):
            return _prior_draws(model, settings)
        return sample(model, _data(kind, settings.form, tables), settings)


@lru_cache(maxsize=8)
def _built(kind: str, form: str, prior: Prior) -> Any:
    return build(kind, form, prior)


@lru_cache(maxsize=8)
def _compiled(model: Any) -> Any:
    """Compile a model for nutpie; it serves again for other counts."""
    try:
        import nutpie
    except ImportError:
        raise MissingExtraError.named("mcmc", "the nuts sampler") from None
    return nutpie.compile_pymc_model(model)


def sample(model: Any, data: Mapping[str, Any], settings: Settings) -> Trace:
    """Run chains; an interrupt ends them, and leaves nothing behind."""
    chains = settings.chains or CHAINS[settings.sampler]
    draws = max(settings.draws // chains, 10)
    with _ALONE, _quiet():
        if settings.sampler == "nuts":
            kept, tuned = _nutpie(model, data, settings, chains, draws), TUNED
        else:
            kept, tuned = _pymc(model, data, settings, chains, draws)
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
        with _interruptible():
            return pm.sample(**{"draws": draws, "tune": tuned} | options), tuned


class _InterruptedError(BaseException):
    """An interrupt under another name: PyMC would take its own for the end of a chain, and begin the next."""


@contextmanager
def _interruptible() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise _InterruptedError

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    except _InterruptedError:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)


def _prior_draws(model: Any, settings: Settings) -> Trace:
    pm = pymc()
    variables = [*model.free_RVs, *model.deterministics]
    drawn = pm.draw(variables, draws=PRIOR_DRAWS, random_seed=settings.seed % 2**32)
    values = {variable.name: np.asarray(found)[None, ...] for variable, found in zip(variables, drawn, strict=True)}
    return Trace(values, "draws", 0, 0, None, is_prior=True)


@contextmanager
def _quiet() -> Iterator[None]:
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
