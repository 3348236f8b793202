"""Partial pooling of slices: every slice's estimate is drawn towards the others, the more the less it knows itself.

A hierarchical model with heavy tails: estimates d_j ~ N(theta_j, s_j²), theta_j ~ mu + tau t(3), with mu flat. Slices
that regress are outliers among many that do not: with a normal prior they would be drawn towards the others, and
their intervals would miss (docs/slices-coverage.md). The t distribution is a mixture of normals over a few scales. The
spread tau has a prior without a unit: of u = tau / (tau + s0), where s0 is the median standard error (one large slice
among many small ones must not set the scale), the density is proportional to u to the power of `EXPONENT`, chosen by
coverage. Everything is a sum over a grid of tau and the scales, so that there are no draws.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import gammaincc, ndtr

from outclass.arrays import Floats
from outclass.inference.distribution import Interval
from outclass.inference.normals import EVERYWHERE, Normals

GRID: Final = 48  # values of tau
FIRST: Final = 24  # values of tau at which is looked first
LEAST: Final = 0.1  # of the smallest standard error: a spread below it cannot be told from none
WIDEST: Final = 10.0  # times the range of the estimates, and a standard error
NODES: Final = 15  # of the mean, given tau
BORROWED: Final = 10.0  # disagreements that the variance of every slice borrows from the others
HALVINGS: Final = 42
EXPONENT: Final = 3.0  # of the prior of u
FREEDOM: Final = 3.0  # degrees of freedom of the slices' distribution
VARIANCES: Final = np.geomspace(0.25, 400.0, 7)  # of slices, in units of tau²
TWO_THIRDS: Final = 1.2  # in units of tau: two thirds of all slices lie within it, as within a normal's deviation
ENOUGH: Final = 20_000  # slices from which the mean and the spread of all are learnt
STEPS: Final = 30
STILL: Final = 1e-6  # of a standard error, by which the mean no longer moves
NEGLIGIBLE: Final = 1e-7  # probability of a spread that is left out


def _shares() -> Floats:
    """Return the probabilities of the variances: of an inverse gamma distribution, which makes a t of normals."""
    ends = np.sqrt(VARIANCES[1:] * VARIANCES[:-1])
    below = gammaincc(FREEDOM / 2, FREEDOM / 2 / ends)
    return np.diff(below, prepend=0.0, append=1.0)


SHARES: Final = _shares()


@dataclass(frozen=True, eq=False)
class Pooled:
    """The posteriors of all slices: mixtures of normals, one for each value of tau and each scale of a slice.

    Parameters
    ----------
    weights, tau
        The posterior of the spread between slices, on a grid.
    shares, means, stds
        Of each slice given the spread: the probabilities of its scales, and its mean and standard deviation given both;
        shape (grid, scales, slices).
    centre, centre_std
        Of the mean of all slices, given the spread.
    estimates, kept
        What was observed of each slice; and, given spread and scale, the share of the mean of all slices in its own.
    """

    weights: Floats
    tau: Floats
    shares: Floats
    means: Floats
    stds: Floats
    centre: Floats
    centre_std: Floats
    estimates: Floats
    kept: Floats

    @cached_property
    def _masses(self) -> Floats:
        return self.weights[:, None, None] * self.shares

    def _sum(self, values: Floats) -> Floats:
        return np.asarray((self._masses * values).sum(axis=(0, 1)))

    @cached_property
    def mean(self) -> Floats:
        """The posterior mean of every slice."""
        return self._sum(self.means)

    @cached_property
    def std(self) -> Floats:
        """The posterior standard deviation of every slice."""
        return np.sqrt(self._sum(self.stds**2 + (self.means - self.mean) ** 2))

    def law(self, place: int, possible: Interval = EVERYWHERE) -> Normals:
        """Return the posterior of one slice, of a number that lies within `possible`."""
        masses = self._masses[..., place].ravel()
        kept = masses >= NEGLIGIBLE * masses.max()
        means, stds = (each[..., place].ravel()[kept] for each in (self.means, self.stds))
        return Normals(masses[kept] / masses[kept].sum(), means, stds, possible)

    @property
    def mirrored(self) -> "Pooled":
        """The same of B minus A instead of A minus B."""
        return replace(self, means=-self.means, centre=-self.centre, estimates=-self.estimates)

    def of(self, places: "list[int] | np.ndarray") -> "Pooled":
        """Return some of the slices; those that were pooled stay what they were."""
        return replace(
            self,
            shares=self.shares[..., places],
            means=self.means[..., places],
            stds=self.stds[..., places],
            estimates=self.estimates[places],
            kept=self.kept[..., places],
        )

    def below(self, limit: float | Floats) -> Floats:
        """Return the probability of every slice to lie below a limit, or below its own."""
        limits = np.broadcast_to(np.asarray(limit, dtype=float), self.estimates.shape)
        return self._sum(ndtr((limits - self.means) / self.stds))

    def quantile(self, p: float) -> Floats:
        """Return a quantile of every slice, by bisection."""
        low = (self.means - 40 * self.stds).min(axis=(0, 1))
        high = (self.means + 40 * self.stds).max(axis=(0, 1))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            left = self.below(middle) < p
            low, high = np.where(left, middle, low), np.where(left, high, middle)
        return np.asarray((low + high) / 2)

    def intervals(self, mass: float) -> list[Interval]:
        """Return the central interval of every slice."""
        ends = self.quantile((1 - mass) / 2), self.quantile((1 + mass) / 2)
        return [Interval(float(low), float(high)) for low, high in zip(*ends, strict=True)]

    def any_below(self, limit: float) -> float:
        """Return the probability that some slice lies below a limit; slices are independent given mean and spread."""
        if math.isinf(limit):
            return 0.0 if limit < 0 else 1.0
        nodes, masses = hermegauss(NODES)
        masses = masses / masses.sum()
        spread = np.sqrt(np.maximum(self.stds**2 - (self.kept * self.centre_std[:, None, None]) ** 2, 1e-300))
        none = 0.0
        for node, mass in zip(nodes, masses, strict=True):
            centre = (self.centre + node * self.centre_std)[:, None, None]
            means = (1 - self.kept) * self.estimates + self.kept * centre
            with np.errstate(divide="ignore"):
                above = np.log((self.shares * ndtr((means - limit) / spread)).sum(axis=1)).sum(axis=1)
            none += mass * float(self.weights @ np.exp(above))
        return float(min(max(1 - none, 0.0), 1.0))

    def spread(self, mass: float) -> tuple[float, Interval]:
        """Return the median of the spread between slices, within which two thirds of them lie, and its interval."""
        cumulated = np.cumsum(self.weights) - self.weights / 2

        def quantile(p: float) -> float:
            return TWO_THIRDS * math.exp(float(np.interp(p, cumulated, np.log(self.tau))))

        return quantile(0.5), Interval(quantile((1 - mass) / 2), quantile((1 + mass) / 2))


class _Centre(NamedTuple):
    """The mean of all slices given their spread: its mode and its precision, and how well the spread explains them."""

    mean: float
    precision: float
    fit: float


class _Spreads(NamedTuple):
    """The posterior of the spread on a grid, evenly spaced in its logarithm, and the mean of all slices given it."""

    weights: Floats
    tau: Floats
    centre: Floats
    precision: Floats

    @classmethod
    def at(cls, tau: Floats, estimates: Floats, variances: Floats, typical: float) -> "_Spreads":
        """Weigh some spreads by how well they explain the estimates, and by their prior."""
        u = tau / (tau + typical)
        centres = [_centre(estimates, variances, spread) for spread in tau]
        density = (EXPONENT + 1) * np.log(u) + np.log1p(-u) + np.array([each.fit for each in centres])
        weights = np.exp(density - density.max())
        means, precisions = ([getattr(each, name) for each in centres] for name in ("mean", "precision"))
        return cls(weights / weights.sum(), tau, np.array(means), np.array(precisions))

    @property
    def likely(self) -> tuple[float, float]:
        """The ends of the grid beyond which no spread is likely."""
        places = np.flatnonzero(self.weights >= NEGLIGIBLE)
        first, last = max(int(places[0]) - 1, 0), min(int(places[-1]) + 1, len(self.tau) - 1)
        return float(self.tau[first]), float(self.tau[last])


def pooled(estimates: Floats, errors: Floats, unsure: Floats | None = None, *, most: float = math.inf) -> Pooled:
    """Pool the estimates of slices with their standard errors; nan where a slice has none.

    Estimates may be differences from what was expected of each slice; `unsure` is then the variance of that. `most` is
    the largest spread that there can be.
    """
    apart = np.zeros(len(estimates)) if unsure is None else unsure
    known = np.isfinite(estimates) & np.isfinite(errors) & (errors > 0)
    own, error = estimates[known], errors[known]
    # A slice that tells nothing is as if it had been measured with an endless error.
    every, error_of_every = np.where(known, estimates, 0.0), np.where(known, errors, np.inf)
    some = slice(None, None, max(1, math.ceil(len(own) / ENOUGH)))
    variances = (error**2 + apart[known])[some]
    typical, widest = float(np.median(error)), WIDEST * float(np.ptp(own) + error.max())
    ends = LEAST * float(error.min()), min(widest, most / TWO_THIRDS)
    spreads = _Spreads.at(np.geomspace(*ends, FIRST), own[some], variances, typical)
    # Once more where the spread is likely to be, as finely as there is room for.
    spreads = _Spreads.at(np.geomspace(*spreads.likely, GRID), own[some], variances, typical)
    weights, tau, centre, precision = spreads
    prior = VARIANCES[:, None] * tau[:, None, None] ** 2 + apart
    # What is left of the mean of all slices in each of them, which is 1 where nothing is known of it.
    kept = 1 / (1 + prior / error_of_every**2)
    means = (1 - kept) * every + kept * centre[:, None, None]
    stds = np.sqrt(kept * prior + kept**2 / precision[:, None, None])
    heights = _heights(every, error_of_every**2 + prior, centre[:, None, None])
    return Pooled(
        weights=weights,
        tau=tau,
        shares=heights.shares,
        means=means,
        stds=stds,
        centre=centre,
        centre_std=1 / np.sqrt(precision),
        estimates=every,
        kept=kept,
    )


class _Heights(NamedTuple):
    """How probable each scale of a slice is (the last axis but one), and the log density of its estimate."""

    shares: Floats
    log_density: Floats


def _heights(estimates: Floats, variances: Floats, centre: float | Floats) -> _Heights:
    known = np.isfinite(variances)
    spread = np.where(known, variances, 1.0)
    logs = np.log(SHARES)[:, None] - np.where(known, (estimates - centre) ** 2 / spread + np.log(spread), 0.0) / 2
    highest = logs.max(axis=-2, keepdims=True)
    heights = np.exp(logs - highest)
    total = heights.sum(axis=-2, keepdims=True)
    return _Heights(heights / total, (highest + np.log(total)).squeeze(axis=-2))


def _centre(estimates: Floats, errors: Floats, tau: float) -> _Centre:
    """Find the mean of all slices given their spread, by expectation and maximisation over their scales.

    `errors` are variances.
    """
    variances = errors + VARIANCES[:, None] * tau**2
    centre = float((estimates / variances[0]).sum() / (1 / variances[0]).sum())
    for _ in range(STEPS):
        heights = _heights(estimates, variances, centre)
        weights = heights.shares / variances
        precision = float(weights.sum())
        last, centre = centre, float((weights * estimates).sum()) / precision
        if abs(centre - last) <= STILL / math.sqrt(precision):
            break
    fit = float(_heights(estimates, variances, centre).log_density.sum()) - math.log(precision) / 2
    return _Centre(centre, precision, fit)


def smoothed(errors: Floats, items: Floats, *, rates: bool) -> Floats:
    """Return standard errors whose variance per item is drawn towards that of all items.

    A slice with few disagreements seems more certain than it is. Of rates, a variance is known from as many
    disagreements as there are; of other numbers, from as many items.
    """
    known = np.isfinite(errors) & (errors > 0) & (items > 0)
    if not known.any():
        return errors
    size, own = items[known], items[known] * errors[known] ** 2
    overall = float((size * own).sum() / size.sum())
    seen = size * overall if rates else size
    found = errors.copy()
    found[known] = np.sqrt((seen * own + BORROWED * overall) / (seen + BORROWED) / size)
    return found


def discoveries(probabilities: Floats, most: float = 0.05, least: float = 0.8) -> list[int]:
    """Return the longest list of slices whose expected share of false discoveries is at most `most`, best first.

    Each has a probability of at least `least`: many certain ones would leave room for some that are not even likely.
    """
    order = np.argsort(-probabilities, kind="stable")
    false = np.cumsum(1 - probabilities[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(false <= most)
    known = order[: allowed[-1] + 1] if len(allowed) else order[:0]
    return [int(place) for place in known if probabilities[place] >= least]
