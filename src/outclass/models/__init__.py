"""Takes data and a question, gives a `Fit`: posteriors (distribution objects) of systems and of differences.

May import `verdict`, `measures`, `inference` and `data`; must not know tests, rows or reports. A model is one file in
the folder of what it needs: `table` (counts of two systems and two classes), `one` (those of one system), `units`
(items with many labels or classes, weighted), `unit_counts` (counts per item), `groups` (labels or counts in groups),
`scores` and `grouped_scores` (classifier scores), `values`, `grouped_values`, `fixed_items`, `folds` and `data_sets`
(numbers without one). The file's name is the model's.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, Protocol

from outclass.errors import InputError, quoted, unknown
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.prior import Prior

# What each view is of, in words, with the option that says so.
TITLES: Final = {
    "table": "one label against the rest (⟨positive⟩, ⟨by=label⟩), counts or wins",
    "one": "one system's counts",
    "units": "items with many labels or classes",
    "unit_counts": "counts per item (⟨tp⟩, ⟨fp⟩, ⟨fn⟩)",
    "groups": "labels or counts in groups (⟨group⟩)",
    "scores": "classifier scores (⟨scores=True⟩, ⟨truth⟩)",
    "grouped_scores": "scores in groups (⟨scores=True⟩, ⟨truth⟩, ⟨group⟩)",
    "values": "independent results (⟨scores=True⟩)",
    "grouped_values": "results in groups (⟨scores=True⟩, ⟨group⟩)",
    "fixed_items": "repeats of a fixed suite of items (⟨repeat⟩, ⟨population=these⟩)",
    "folds": "folds of one data set (⟨fold⟩)",
    "data_sets": "results on many data sets (⟨data_set⟩)",
}
VIEWS: Final = tuple(TITLES)


class Posterior(Protocol):
    """What is known of two systems after a test."""

    def system(self, which: int, measure: Measure) -> Distribution | None:
        """Return the posterior of one system's measure, if the model has one."""

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""


@cache
def models_of(view: str) -> tuple[str, ...]:
    """Return the names of the models of a view, its usual one first; none of them is loaded."""
    package = import_module(f"outclass.models.{view}")
    names = sorted(found.name for found in iter_modules(package.__path__))
    usual: str = package.USUAL
    return (usual, *(name for name in names if name != usual))


def model_of(name: str, views: Sequence[str] = ("table",)) -> Any:
    """Find a model by its name among those of some views; the first that has it."""
    for view in views:
        if name in models_of(view):
            return import_module(f"outclass.models.{view}.{name}").MODEL
    raise unknown("model", str(name), dict.fromkeys(each for view in views for each in models_of(view)))


def model_for(name: str, view: str) -> Any:
    """Find a model of one view; if it is of another, say what it requires."""
    others = [TITLES[other] for other in VIEWS if other != view and name in models_of(other)]
    if name in models_of(view) or not others:
        return model_of(name, [view])
    here = TITLES[view].partition(" (")[0]
    raise InputError(
        f"⟨model={name}⟩ requires {' or '.join(others)}; these are {here}, whose models are {quoted(models_of(view))}."
    )


def fitted(name: str, evidence: Evidence, prior: Prior, settings: Settings) -> Posterior:
    """Learn from the counts of two systems: exactly, or by MCMC if requested or required by the prior."""
    if settings.method == "mcmc":
        from outclass.models.mcmc import Sampled  # loaded with the rest of PyMC alone

        return Sampled.fit(name, evidence, prior, settings)
    if prior.laws:
        raise InputError("a non-conjugate prior needs MCMC: use ⟨method=mcmc⟩.")
    posterior: Posterior = model_of(name).posterior.fit(evidence, prior, settings)
    return posterior
