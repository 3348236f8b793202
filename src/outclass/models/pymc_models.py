"""The single, unpaired and paired models in PyMC, with any prior of their rates."""

from typing import Any, Final

import numpy as np

from outclass.errors import InputError
from outclass.models.laws import Law, pymc
from outclass.models.prior import Prior

LOOKED_AT: Final = 500  # draws of a prior that must be rates
OUTSIDE: Final = (-1.0, -0.1, -1e-3, 1.001, 1.1, 2.0)
INSIDE: Final = (0.1, 0.5, 0.9)  # quantiles of the draws
NARROWEST: Final = 1e-6  # standard deviation


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
        raise InputError(f"this model takes a prior on {rate}, not on the four outcomes of the {part}.")
    return prior.outcomes(part, 2)


def _rate(pm: Any, law: Law | None, name: str, beta: tuple[float, ...]) -> Any:
    """Make a rate's variable: a Beta, or whatever distribution the user has named."""
    if law is None:
        return pm.Beta(name, alpha=beta[0], beta=beta[1])
    found = _made(law, name)
    if getattr(found, "ndim", None) != 0:
        raise InputError(f"the prior {law.name} must be univariate.")
    _check_range(pm, found, law)
    return found


def _made(law: Law, name: str) -> Any:
    try:
        found = law.make(name)
    except InputError:
        raise
    except Exception as error:  # a user's own function, or PyMC's view of the parameters
        raise InputError(f"the prior {law.name} cannot be created: {str(error).splitlines()[0][:120]}") from None
    if getattr(found, "name", None) != name:
        raise InputError(f"the prior {law.name} must return a variable with the given name, {name!r}.")
    return found


def _outcomes(pm: Any, prior: Prior, part: str, rate: str) -> Any:
    """Make the variable of four outcomes: both say positive, only A, only B, neither."""
    own, of_rate = prior.law(part), prior.law(rate)
    if own is not None:
        found = _made(own, f"theta_{part}")
        if getattr(found, "ndim", None) != 1:
            raise InputError(f"the prior {own.name} of the {part} must be over four proportions.")
        _check_range(pm, found, own)
        drawn = np.asarray(pm.draw(found, draws=LOOKED_AT, random_seed=0))
        if drawn.shape[1] != 4 or not np.allclose(drawn.sum(axis=1), 1, atol=1e-4):
            raise InputError(f"the prior {own.name} of the {part} must be over four proportions that sum to 1.")
        return found
    if of_rate is None:
        return pm.Dirichlet(f"theta_{part}", a=np.array(prior.outcomes(part, 4)))
    a, b = (_rate(pm, of_rate, f"{rate}_{name}", (1.0, 1.0)) for name in "AB")
    least, most = pm.math.maximum(0.0, a + b - 1), pm.math.minimum(a, b)
    both = least + pm.Uniform(f"agreement_{part}", 0.0, 1.0) * (most - least)
    return pm.Deterministic(f"theta_{part}", pm.math.stack([both, a - both, b - both, 1 - a - b + both]))


def _check_range(pm: Any, variable: Any, law: Law) -> None:
    """Raise an error for a prior of a rate that is no distribution on [0, 1]; by its density beyond, not by luck."""
    if not str(variable.dtype).startswith("float"):
        raise InputError(f"the prior {law.name} is discrete, but a rate is continuous.")
    try:
        drawn = np.asarray(pm.draw(variable, draws=LOOKED_AT, random_seed=0))
        # Beyond 0 and 1, and where the distribution itself is.
        places = [*OUTSIDE, *np.quantile(drawn, INSIDE)] if variable.ndim == 0 else drawn[:4]
        heights = np.asarray(pm.math.stack([pm.logp(variable, place) for place in places]).eval())
    except Exception as error:  # whatever PyMC makes of parameters that have no meaning
        raise InputError(f"the prior {law.name} cannot be drawn from: {str(error).splitlines()[0][:120]}") from None
    beyond = variable.ndim == 0 and np.any(heights[: len(OUTSIDE)] > -np.inf)
    if beyond or not (np.all(np.isfinite(drawn)) and drawn.min() >= 0 and drawn.max() <= 1):
        raise InputError(
            f"the prior {law.name} extends beyond [0, 1]: truncate it, as in "
            "TruncatedNormal(mu=0.8, sigma=0.1, lower=0, upper=1)."
        )
    if np.any(drawn.std(axis=0) < NARROWEST):
        raise InputError(
            f"the prior {law.name} is (almost) a point mass: give it a standard deviation of at least {NARROWEST:g}."
        )
    if not np.all(np.isfinite(heights[len(OUTSIDE) if variable.ndim == 0 else 0 :])):
        raise InputError(f"the prior {law.name} has no finite density at its own draws: check its parameters.")
