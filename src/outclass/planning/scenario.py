"""What the world is supposed to be: how common positives are, and what the two systems say of each class."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError, shown
from outclass.measures.measure import Measure, pair_difference
from outclass.models.prior import Prior


@dataclass(frozen=True)
class Scenario:
    """A state of the world: the share of positives; of each class, that of both yes, only A, only B, neither."""

    prevalence: float
    positives: tuple[float, float, float, float]
    negatives: tuple[float, float, float, float]

    def simulate(self, items: int, sets: int, rng: np.random.Generator) -> Counts:
        """Draw test sets: shape (sets, 2, 4)."""
        positives = rng.binomial(items, self.prevalence, sets)
        return np.stack(
            [
                rng.multinomial(positives, self.positives),
                rng.multinomial(items - positives, self.negatives),
            ],
            axis=1,
        ).astype(np.int64)

    def difference(self, measure: Measure) -> float:
        """Return the true difference in a measure."""
        return float(pair_difference(measure, self.shares))

    @property
    def shares(self) -> Floats:
        """The shares of all eight outcomes, (2, 4)."""
        rows = [self.positives, self.negatives]
        return np.asarray(np.array([[self.prevalence], [1 - self.prevalence]]) * np.array(rows))


@dataclass(frozen=True)
class Pilot:
    """What a pilot says of the world: the posterior of its cells; new items come on top of it."""

    joint: Counts  # (2, 4)
    prior: Prior

    def simulate(self, items: int, sets: int, rng: np.random.Generator) -> Counts:
        """Draw a world from the posterior for each set, then its new items, and add the pilot's."""
        positives, negatives = self.joint.astype(float)
        share = rng.beta(self.prior.mu[0] + positives.sum(), self.prior.mu[1] + negatives.sum(), sets)
        count = rng.binomial(items, share)
        tables = []
        for row, part, size in ((positives, "positives", count), (negatives, "negatives", items - count)):
            cells = rng.dirichlet(np.array(self.prior.outcomes(part, 4)) + row, sets)
            tables.append(rng.multinomial(size, cells))
        return np.asarray(np.stack(tables, axis=1).astype(np.int64) + self.joint)


def shares_of(spec: "str | Sequence[Any]", what: str) -> tuple[float, float, float, float]:
    """Read the four shares of a class: both say positive, only A, only B, neither."""
    try:
        numbers = [float(part) for part in (spec.split(",") if isinstance(spec, str) else spec)]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 4 or not all(math.isfinite(x) and x >= 0 for x in numbers):
        raise InputError(
            f"the cells of the {what} must be four proportions (both positive, only A, only B, neither), as in "
            f"0.6,0.15,0.1,0.15; got {shown(spec)}."
        )
    if not math.isclose(sum(numbers), 1, abs_tol=1e-6):
        raise InputError(f"the cells of the {what} add up to {sum(numbers):g}; they must add up to 1.")
    total = sum(numbers)
    both, only_a, only_b, neither = (x / total for x in numbers)
    return both, only_a, only_b, neither


def share_of(value: Any, what: str) -> float:
    """Read one share."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise InputError(f"the {what} must lie between 0 and 1, got {shown(value)}.")
    return number


def of_rates(a: float, b: float, agreement: float | None, what: str) -> tuple[float, float, float, float]:
    """Return the four shares of a class from how often A and B say positive on it and how often they agree.

    Without an agreement, the systems are taken as independent given the class.
    """
    least, most = abs(1 - a - b), 1 - abs(a - b)
    if agreement is None:
        both = a * b
    else:
        if not least - 1e-9 <= agreement <= most + 1e-9:
            raise InputError(
                f"with rates of {a:g} and {b:g} on the {what}, agreement must lie between {least:g} and {most:g}, "
                f"got {agreement:g}."
            )
        both = float(np.clip((agreement + a + b - 1) / 2, 0.0, min(a, b)))
    return both, a - both, b - both, max(1 - a - b + both, 0.0)


def shared_agreement(
    prevalence: float, recalls: tuple[float, float], rates: tuple[float, float], agreement: float
) -> tuple[float, float]:
    """Return how often two systems agree on positives and on negatives, from how often they agree on all items.

    Each class has its least and its most; both go equally far between them.
    """
    ends = [(abs(1 - a - b), 1 - abs(a - b)) for a, b in (recalls, rates)]
    weights = (prevalence, 1 - prevalence)
    least, most = (sum(w * each[place] for w, each in zip(weights, ends, strict=True)) for place in (0, 1))
    if not least - 1e-9 <= agreement <= most + 1e-9:
        raise InputError(
            f"with these rates, agreement over all items must lie between {least:.3g} and {most:.3g}, got "
            f"{agreement:g}."
        )
    part = float(np.clip((agreement - least) / (most - least), 0, 1)) if most > least else 0.0
    positives, negatives = (low + part * (high - low) for low, high in ends)
    return positives, negatives


def scenario_of(
    *,
    prevalence: Any = None,
    cells_positive: Any = None,
    cells_negative: Any = None,
    recalls: Any = None,
    false_positive_rates: Any = None,
    agreement: Any = None,
) -> Scenario:
    """Read a scenario: cells, or rates in plain words."""
    rates = false_positive_rates
    if prevalence is None:
        raise InputError(
            "a scenario needs the prevalence of positives (⟨prevalence⟩); alternatively, give a pilot (⟨pilot=FILE⟩)."
        )
    share = share_of(prevalence, "prevalence")
    if (cells_positive is not None or cells_negative is not None) and not (recalls is rates is agreement is None):
        raise InputError(
            "give the cells of both classes (⟨cells_positive⟩, ⟨cells_negative⟩), or recalls, false-positive rates and "
            "agreement (⟨recalls⟩, ⟨false_positive_rates⟩, ⟨agreement⟩), not both."
        )
    if cells_positive is not None and cells_negative is not None:
        return Scenario(share, shares_of(cells_positive, "positives"), shares_of(cells_negative, "negatives"))
    if recalls is None or rates is None or None in (*recalls, *rates):
        raise InputError(
            "a scenario needs the cells of both classes (⟨cells_positive⟩, ⟨cells_negative⟩), or the recall and the "
            "false-positive rate of both systems (⟨recalls⟩, ⟨false_positive_rates⟩)."
        )
    (recall_a, recall_b), (rate_a, rate_b) = (
        tuple(share_of(each, name) for each in pair)
        for pair, name in ((recalls, "recall"), (rates, "false-positive rate"))
    )
    agreed: tuple[float | None, float | None] = (None, None)
    if agreement is not None:
        wanted = share_of(agreement, "agreement")
        agreed = shared_agreement(share, (recall_a, recall_b), (rate_a, rate_b), wanted)
    return Scenario(
        share,
        of_rates(recall_a, recall_b, agreed[0], "positives"),
        of_rates(rate_a, rate_b, agreed[1], "negatives"),
    )
