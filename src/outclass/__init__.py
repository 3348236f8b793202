"""outclass: is classifier A really better than classifier B: by how much, how sure, and does it matter?"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Battery",
    "Comparison",
    "Evaluation",
    "Outcomes",
    "Ranking",
    "Scores",
    "beta_between",
    "compare",
    "datasets",
    "evaluate",
    "label_next",
    "measures",
    "outcomes",
    "plan",
    "plot",
    "rank",
    "rope_from_costs",
    "rope_from_reruns",
    "scores",
    "sensitivity",
    "test",
    "update",
    "watched",
]

if TYPE_CHECKING:
    from outclass import datasets, measures
    from outclass.answers import Comparison, Evaluation
    from outclass.api.asking import outcomes_of as outcomes
    from outclass.api.comparing import compare
    from outclass.api.evaluating import evaluate
    from outclass.api.planning import label_next, plan
    from outclass.api.ranking import rank
    from outclass.api.scoring import scores
    from outclass.api.sensitivity import sensitivity
    from outclass.api.testing import test
    from outclass.api.updating import update
    from outclass.battery import Battery
    from outclass.data.outcomes import Outcomes
    from outclass.data.scores import Scores
    from outclass.models.elicit import beta_between
    from outclass.planning.region import rope_from_costs, rope_from_reruns
    from outclass.planning.watching import watched
    from outclass.ranking import Ranking
    from outclass.report.charts import plot

# Importing outclass loads nothing: each name is fetched when it is first used.
_WHERE = {
    "Comparison": "outclass.answers",
    "Evaluation": "outclass.answers",
    "Outcomes": "outclass.data.outcomes",
    "Scores": "outclass.data.scores",
    "scores": "outclass.api.scoring",
    "beta_between": "outclass.models.elicit",
    "compare": "outclass.api.comparing",
    "evaluate": "outclass.api.evaluating",
    "datasets": "outclass.datasets",
    "measures": "outclass.measures",
    "outcomes": "outclass.api.asking",
    "label_next": "outclass.api.planning",
    "plan": "outclass.api.planning",
    "plot": "outclass.report.charts",
    "rank": "outclass.api.ranking",
    "rope_from_costs": "outclass.planning.region",
    "rope_from_reruns": "outclass.planning.region",
    "sensitivity": "outclass.api.sensitivity",
    "test": "outclass.api.testing",
    "Ranking": "outclass.ranking",
    "update": "outclass.api.updating",
    "watched": "outclass.planning.watching",
    "Battery": "outclass.battery",
}
_CALLED = {"outcomes": "outcomes_of"}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'outclass' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_WHERE[name])
    found = module if _WHERE[name] == f"outclass.{name}" else getattr(module, _CALLED.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
