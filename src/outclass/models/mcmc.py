"""Any prior, by Markov chains: the papers' own engine, with PyMC's models and today's samplers.

The single, unpaired and paired models of Zhang et al. 2016, section 3.1, each in the original form (every item is an
event) and in the compact form (counts). Where the prior of a recall is no Beta but the systems are paired, each
system's recall has that prior, and how often both are right is uniform between what the two recalls allow.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.forms import difference_support, support_of
from outclass.models.prior import Prior
from outclass.models.pymc_models import build
from outclass.models.samplers import ALONE, prior_draws, quietly, sample, sampled
from outclass.models.traces import Trace

KNOWN: Final = ("paired", "unpaired")
MOST_EVENTS: Final = 2_000_000  # items that may each be an event


@dataclass(frozen=True)
class Sampled:
    """The posterior of one or two systems, by MCMC."""

    trace: Trace
    is_paired: bool

    @classmethod
    def fit(cls, model: str, evidence: Evidence, prior: Prior, settings: Settings) -> "Sampled":
        """Sample a model of two systems given evidence; of none, the prior itself."""
        if model not in KNOWN:
            raise InputError(f"MCMC supports the paired and unpaired models, not {model}: leave out ⟨method=mcmc⟩.")
        if model == "paired":
            if evidence.joint is None:
                raise InputError("the paired model needs both systems on the same items; use ⟨model=unpaired⟩.")
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


def _data(kind: str, form: str, tables: tuple[Counts, ...]) -> dict[str, Any]:
    """Return what the model of counts, or of events, has seen."""
    found: dict[str, Any] = {}
    for name, table in zip("AB", tables, strict=False):
        suffix = "" if kind == "paired" else f"_{name}"
        counts = np.asarray(table, dtype=np.int64)
        if form == "original":
            if counts.sum() > MOST_EVENTS:
                raise InputError(
                    f"the original form has one event per item, here {counts.sum():,}; use the compact form."
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


def _run(kind: str, tables: tuple[Counts, ...], prior: Prior, settings: Settings) -> Trace:
    cells = tuple(tuple(tuple(int(n) for n in row) for row in table) for table in tables)
    with ALONE:
        return _trace(kind, cells, prior, settings)


# One sampling serves all measures.
@lru_cache(maxsize=2)
def _trace(kind: str, cells: tuple[Any, ...], prior: Prior, settings: Settings) -> Trace:
    return sampled(_draw, kind, cells, prior, settings=settings)


def _draw(kind: str, cells: tuple[Any, ...], prior: Prior, settings: Settings) -> Trace:
    tables = tuple(np.array(table, dtype=np.int64) for table in cells)
    with quietly():
        model = _built(kind, settings.form, prior)
        if not any(np.any(table) for table in tables):
            return prior_draws(model, settings)
        return sample(model, _data(kind, settings.form, tables), settings)


@lru_cache(maxsize=8)
def _built(kind: str, form: str, prior: Prior) -> Any:
    return build(kind, form, prior)
