"""Bayes factors for equality: how much likelier the data are under equality than under a difference.

Each is `BayesFactor(name, value, words)`: values above 1 favour equality, below 1 a difference. If the prior has no
finite density at the point null, the value is nan and `words` gives the reason.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.nodes import grid_scores
from outclass.inference.scores import normal_density

NARROW: Final = 1e-3
FEW_DRAWS: Final = 5
KERNEL: Final = np.array([-1.0, 0.0, 1.0]) * math.sqrt(3)  # nodes of Gauss & Hermite
PAPER_DRAWS: Final = 50_000
# The recipes for exact equality of the measure, as against practical equivalence.
POINT_NULLS: Final = ("savage_dickey_conditional", "savage_dickey", "paper_kde")


def equality_recipes(measure: str) -> tuple[str, ...]:
    """Name the factors that are about exact equality of this measure."""
    return (*POINT_NULLS, "same_accuracy") if measure in ("accuracy", "error") else POINT_NULLS


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesFactor:
    """One Bayes factor, null over alternative, with a description of the hypotheses."""

    name: str
    value: float
    words: str
    bound: bool = False  # the value is only as far from 1 as draws can tell


def interval_null(
    posterior: Distribution, prior_odds: float, rope: Interval, *, prior_is_infinite: bool = False
) -> BayesFactor:
    """Compare the odds of the ROPE after the test with those before it; needs no density anywhere.

    But a ROPE so narrow that it is a point in all but name has the troubles of a point: where the prior density at zero
    is infinite, its prior probability depends on what happens there, and is not computed.
    """
    words = "posterior over prior odds that the difference lies in the ROPE"
    narrow = rope.width == 0 or (prior_is_infinite and rope.low <= 0 <= rope.high and rope.width < NARROW)
    if narrow:
        words += "; undefined, because the ROPE is too narrow to have odds"
    value = odds(posterior, rope) / prior_odds if prior_odds > 0 and not narrow else math.nan
    bound = False
    if isinstance(posterior, Draws) and not narrow:
        inside = posterior.probability(*rope)
        if min(inside, 1 - inside) * posterior.values.size < FEW_DRAWS:
            bound = True
            words += (
                f"; {'at least' if inside > 0.5 else 'at most'} this value, since hardly any draws lie on the other "
                "side"
            )
    return BayesFactor(name="interval_null", value=value, words=words, bound=bound)


def odds(law: Distribution, rope: Interval) -> float:
    """Return the odds of a region; both probabilities keep their digits when one is tiny."""
    if rope.width == 0:
        return 0.0
    rope = Interval(max(rope.low, law.support.low), min(rope.high, law.support.high))
    outside = law.probability(law.support.low, rope.low) + law.probability(rope.high, law.support.high)
    inside = 1 - outside if outside < 0.5 and not isinstance(law, Draws) else law.probability(*rope)
    if math.isnan(inside) or math.isnan(outside):
        return math.nan
    if isinstance(law, Draws):
        # No draw among n beyond the region does not mean that there is nothing: it weighs 1/n at most.
        inside, outside = (max(share, 1 / law.values.size) for share in (inside, outside))
    return inside / outside if outside > 0 else math.inf


def savage_dickey(after: float, before: float, *, conditional: bool) -> BayesFactor:
    """Compare the density at no difference after the test with that before it (nan where that is infinite)."""
    words = "posterior over prior density of the difference at zero"
    if conditional:
        words += ", given the number of positives"
    if math.isnan(before):
        words += "; undefined, because the prior density at zero is infinite"
    return BayesFactor(
        name="savage_dickey_conditional" if conditional else "savage_dickey",
        value=after / before if before > 0 else math.nan,
        words=words,
    )


def paper_recipe(posterior: Distribution, before: float) -> BayesFactor:
    """Compute what Zhang et al. print: both densities by a Gaussian kernel with Scott's width on 50,000 draws.

    Without draws, their expectation: the density convolved with that kernel. The prior's value is a property of the
    kernel, not of the model; it is here to compare with published tables. `before` is `kernel_density` of the prior.
    """
    after = kernel_density(posterior, smooth=True)
    return BayesFactor(
        name="paper_kde",
        value=after / before if before > 0 else math.nan,
        words="the method of Zhang et al. 2016 (kernel densities at zero), only for comparison with published tables",
    )


def kernel_density(law: Distribution, *, smooth: bool) -> float:
    """Return the expected kernel density estimate at zero from 50,000 draws."""
    if isinstance(law, Draws):
        return float(law.pdf(0.0))
    width = law.std * PAPER_DRAWS ** (-1 / 5)
    if not width > 0:
        return math.nan
    if smooth:
        # Gauss-Hermite with three nodes: exact but for the sixth derivative of the density over a ninth of its std.
        return float(law.pdf(width * KERNEL) @ [1 / 6, 2 / 3, 1 / 6])
    # By parts, since a density may be infinite at zero where its cdf is not.
    z, _ = grid_scores(0.3)
    step = z[1] - z[0]
    return float(np.sum(law.cdf(width * z) * z * normal_density(z)) * step / width)


def asked(law: Distribution, rope: Interval) -> list[float]:
    """Return where the factors here ask about a distribution."""
    return [0.0, *rope, *(law.std * PAPER_DRAWS ** (-1 / 5) * KERNEL).tolist()]


def same_accuracy(only_a: int, only_b: int, prior: tuple[float, float] = (1.0, 1.0)) -> BayesFactor:
    """Compare 'a disagreement is as likely to be won by either' with 'any chance of winning it'; exact."""
    a, b = prior
    log = -(only_a + only_b) * math.log(2) + special.betaln(a, b) - special.betaln(a + only_a, b + only_b)
    return BayesFactor(
        name="same_accuracy",
        value=_exp(log),
        words="equal accuracy against any difference, from the items that exactly one system gets right; exact",
    )


def same_or_independent(a: Sequence[float], b: Sequence[float]) -> BayesFactor:
    """Compare one shared error pattern with two independent ones (Barber 2004); exact."""
    ca, cb = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    log = _log_z(np.ones_like(ca)) + _log_z(1 + ca + cb) - _log_z(1 + ca) - _log_z(1 + cb)
    return BayesFactor(
        name="barber_same_vs_independent",
        value=_exp(log),
        words="one error rate shared by both against two independent ones (Barber 2004); exact, ignores pairing",
    )


def independent_or_dependent(table: Counts) -> BayesFactor:
    """Compare independent error patterns with one joint pattern (Barber 2004); exact."""
    return BayesFactor(
        name="barber_independent_vs_dependent",
        value=_exp(_log_independent(table) - _log_dependent(table)),
        words="errors made independently against errors made together (Barber 2004); exact",
    )


def same_or_dependent(table: Counts) -> BayesFactor:
    """Compare one shared error pattern with one joint pattern (Barber 2004); exact."""
    counts = np.asarray(table, dtype=float)
    same = _log_z(1 + counts.sum(axis=1) + counts.sum(axis=0)) - _log_z(np.ones(len(counts)))
    return BayesFactor(
        name="barber_same_vs_dependent",
        value=_exp(same - _log_dependent(table)),
        words="one error rate shared by both against errors made together (Barber 2004); exact",
    )


def _log_z(u: Floats) -> float:
    """Log of the Dirichlet's normaliser."""
    return float(special.gammaln(u).sum() - special.gammaln(u.sum()))


def _log_independent(table: Counts) -> float:
    counts = np.asarray(table, dtype=float)
    return sum(_log_z(1 + margin) - _log_z(np.ones_like(margin)) for margin in (counts.sum(axis=1), counts.sum(axis=0)))


def _log_dependent(table: Counts) -> float:
    counts = np.asarray(table, dtype=float).ravel()
    return _log_z(1 + counts) - _log_z(np.ones_like(counts))


def _exp(log: float) -> float:
    return math.exp(log) if log < 709 else math.inf
