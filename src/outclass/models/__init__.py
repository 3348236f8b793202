"""Takes counts and a prior, gives posteriors (distribution objects) of a measure and of a difference.

May import `measures` and `inference`; must not know files, decisions or reports. One file a model.
"""

from typing import Protocol

from outclass.errors import unknown
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.paired import Paired
from outclass.models.prior import Prior
from outclass.models.unpaired import Unpaired


class Model(Protocol):
    """What two systems are believed to do, before or after a test."""

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Model":
        """Learn from counts."""

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the law of one system's measure."""

    def difference(self, measure: Measure) -> Distribution:
        """Return the law of A's measure minus B's."""


MODELS: dict[str, type[Paired] | type[Unpaired]] = {"paired": Paired, "unpaired": Unpaired}


def model_of(name: str) -> type[Paired] | type[Unpaired]:
    """Find a model by its name."""
    return MODELS[model_name(name)]


def model_name(name: str) -> str:
    """Check a model's name."""
    if name not in MODELS:
        raise unknown("model", str(name), MODELS)
    return name
