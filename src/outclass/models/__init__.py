"""Takes counts and a prior, gives posteriors (distribution objects) of a measure and of a difference.

May import `measures` and `inference`; must not know files, decisions or reports. One file a model.
"""

from typing import Protocol

from outclass.errors import InputError, unknown
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.goutte import Goutte
from outclass.models.paired import Paired
from outclass.models.prior import Prior
from outclass.models.sign import Sign
from outclass.models.unpaired import Unpaired


class Posterior(Protocol):
    """What is known of two systems after a test."""

    def system(self, which: int, measure: Measure) -> Distribution | None:
        """Return the posterior of one system's measure, if the model has one."""

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""


class Model(Posterior, Protocol):
    """A posterior that evidence can be added to without a chain."""

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Model":
        """Learn from evidence."""


MODELS: dict[str, type[Model]] = {"paired": Paired, "unpaired": Unpaired, "goutte": Goutte, "sign": Sign}
# Zhang et al. take uniform priors, Goutte & Gaussier Jeffreys', which is the matched one of their models.
DEFAULT_PRIORS = {
    "single": "matched",
    "paired": "matched",
    "unpaired": "matched",
    "goutte": "jeffreys",
    "sign": "jeffreys",
}
DEFAULT_MEASURES = {"sign": "accuracy"}
PRIOR_PARTS = {
    "single": ("mu", "positives", "negatives"),
    "paired": ("mu", "positives", "negatives"),
    "unpaired": ("mu", "positives", "negatives"),
    "goutte": ("cells",),
    "sign": ("wins",),
}
# What 'all' measures are, where a model does not know every one.
ALL_MEASURES = {"goutte": ("f1", "precision", "recall", "jaccard"), "sign": ("accuracy", "error")}


def fitted(name: str, evidence: Evidence, prior: Prior, settings: Settings) -> Posterior:
    """Learn from evidence: exactly, or by chains where these are asked for or the prior needs them."""
    if settings.method == "mcmc":
        from outclass.models.mcmc import Sampled  # loaded with the rest of PyMC alone

        return Sampled.fit(name, evidence, prior, settings)
    if prior.laws:
        raise InputError("a prior that is not conjugate needs chains: use method mcmc.")
    return model_of(name).fit(evidence, prior, settings)


def model_of(name: str) -> type[Model]:
    """Find a model by its name."""
    return MODELS[model_name(name)]


def model_name(name: str) -> str:
    """Check a model's name."""
    if name not in MODELS:
        raise unknown("model", str(name), [*MODELS, "bootstrap", "hierarchical", "decisions"])
    return name
