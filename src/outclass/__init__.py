"""outclass: is classifier A really better than classifier B: by how much, how sure, and does it matter?"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Comparison",
    "Compute",
    "Evaluation",
    "Gate",
    "Logs",
    "NotComparable",
    "Outcomes",
    "Plan",
    "Ranking",
    "Scores",
    "SliceSearch",
    "TestReport",
    "anytime",
    "assert_not_worse",
    "beta_between",
    "bless",
    "calibrate_gate",
    "compare",
    "confusion_measure",
    "datasets",
    "evaluate",
    "gate",
    "label",
    "label_next",
    "logs",
    "measures",
    "outcomes",
    "plan",
    "plot",
    "rank",
    "read",
    "rope_from_costs",
    "rope_from_reruns",
    "scores",
    "sensitivity",
    "slices",
    "spread_to_overturn",
    "test",
    "update",
]

if TYPE_CHECKING:
    from outclass import datasets, measures
    from outclass.answers.comparison import Comparison
    from outclass.answers.evaluation import Evaluation
    from outclass.answers.gate import Gate
    from outclass.answers.logs import Logs
    from outclass.answers.plan import Plan
    from outclass.answers.ranking import Ranking
    from outclass.answers.slice_search import SliceSearch
    from outclass.answers.test_report import TestReport
    from outclass.ask.compare import compare
    from outclass.ask.evaluate import evaluate
    from outclass.ask.gate import gate
    from outclass.ask.gate_asserted import assert_not_worse
    from outclass.ask.gate_bless import bless
    from outclass.ask.gate_calibration import calibrate_gate
    from outclass.ask.label import label
    from outclass.ask.logs import logs
    from outclass.ask.plan import label_next, plan
    from outclass.ask.question import Compute
    from outclass.ask.question import outcomes_of as outcomes
    from outclass.ask.rank import rank
    from outclass.ask.read import read
    from outclass.ask.scores import scores
    from outclass.ask.sensitivity import sensitivity
    from outclass.ask.slices import slices
    from outclass.ask.test import test
    from outclass.ask.update import update
    from outclass.data.outcomes import Outcomes
    from outclass.data.scores import Scores
    from outclass.errors import NotComparable
    from outclass.measures.confusion import confusion_measure
    from outclass.models.elicit import beta_between
    from outclass.planning.anytime import anytime
    from outclass.planning.region import rope_from_costs, rope_from_reruns, spread_to_overturn
    from outclass.report.charts import plot

# Importing outclass loads nothing: each name is fetched when it is first used.
_WHERE = {
    "Comparison": "outclass.answers.comparison",
    "Evaluation": "outclass.answers.evaluation",
    "Outcomes": "outclass.data.outcomes",
    "Scores": "outclass.data.scores",
    "scores": "outclass.ask.scores",
    "beta_between": "outclass.models.elicit",
    "compare": "outclass.ask.compare",
    "confusion_measure": "outclass.measures.confusion",
    "evaluate": "outclass.ask.evaluate",
    "Gate": "outclass.answers.gate",
    "assert_not_worse": "outclass.ask.gate_asserted",
    "bless": "outclass.ask.gate_bless",
    "calibrate_gate": "outclass.ask.gate_calibration",
    "gate": "outclass.ask.gate",
    "datasets": "outclass.datasets",
    "measures": "outclass.measures",
    "outcomes": "outclass.ask.question",
    "Logs": "outclass.answers.logs",
    "NotComparable": "outclass.errors",
    "logs": "outclass.ask.logs",
    "label": "outclass.ask.label",
    "label_next": "outclass.ask.plan",
    "plan": "outclass.ask.plan",
    "plot": "outclass.report.charts",
    "rank": "outclass.ask.rank",
    "read": "outclass.ask.read",
    "Compute": "outclass.ask.question",
    "rope_from_costs": "outclass.planning.region",
    "rope_from_reruns": "outclass.planning.region",
    "spread_to_overturn": "outclass.planning.region",
    "sensitivity": "outclass.ask.sensitivity",
    "slices": "outclass.ask.slices",
    "SliceSearch": "outclass.answers.slice_search",
    "test": "outclass.ask.test",
    "Plan": "outclass.answers.plan",
    "Ranking": "outclass.answers.ranking",
    "update": "outclass.ask.update",
    "anytime": "outclass.planning.anytime",
    "TestReport": "outclass.answers.test_report",
}
_CALLED = {"outcomes": "outcomes_of"}
# Names of the last release, which go with the next.
_RENAMED = {"Battery": "TestReport", "watched": "anytime"}


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        import warnings

        told = (
            f"outclass.{name} was renamed to outclass.{_RENAMED[name]}; the old name will be removed in the next "
            "release."
        )
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    if name not in _WHERE:
        raise AttributeError(f"module 'outclass' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_WHERE[name])
    found = module if _WHERE[name] == f"outclass.{name}" else getattr(module, _CALLED.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
