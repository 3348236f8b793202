"""Takes counts and a prior, gives posteriors (distribution objects) of a measure and of a difference.

May import `measures` and `inference`; must not know files, decisions or reports. One file a model.
"""

from outclass.errors import unknown
from outclass.models.paired import Paired
from outclass.models.unpaired import Unpaired

# A model has `fit(evidence, prior, settings)`, and what it fits has `system(which, measure)` and `difference(measure)`.
MODELS: dict[str, type[Paired] | type[Unpaired]] = {"paired": Paired, "unpaired": Unpaired}


def model_of(name: str) -> type[Paired] | type[Unpaired]:
    """Find a model by its name."""
    return MODELS[model_name(name)]


def model_name(name: str) -> str:
    """Check a model's name."""
    if name not in MODELS:
        raise unknown("model", str(name), MODELS)
    return name
