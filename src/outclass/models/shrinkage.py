"""Per-class rates that share strength through an overall level: eta, and kappa for how closely the classes follow it.

rate_j | eta, kappa ~ Beta(eta kappa, (1 - eta) kappa); counts are binomial. The counts' marginal distribution given
(eta, kappa) is Beta-binomial, so a grid over eta and log kappa is exact and there is no chain. The hyper-priors are
ours, since the 2015 paper's cannot be recovered: eta ~ Beta(1, 1), log kappa ~ N(2, 1.5^2), for recalls and for
false-positive rates each. kappa to infinity pools the classes, kappa to zero separates them. Two systems on the same
items: what they do with the items of a class (both yes, only A, only B, neither) has a Dirichlet distribution of its
own, around one shared by the classes; its hyper-parameters are drawn by importance sampling.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats

ETA_KNOTS: Final = 161
KAPPA_KNOTS: Final = 121
ETA_REACH: Final = 25.0  # of logit eta, at first
ROUNDS: Final = 4
LOG_KAPPA: Final = (2.0, 1.5)  # mean and std of the hyper-prior
REACH: Final = (-4.0, 14.0)  # of log kappa
PROPOSALS: Final = 40_000


def log_beta_binomial(successes: Floats, trials: Floats, a: Floats, b: Floats) -> Floats:
    """Return the log probability of counts whose rate is Beta(a, b), without the binomial coefficient."""
    return np.asarray(special.betaln(successes + a, trials - successes + b) - special.betaln(a, b))


def ours(eta: Floats, log_kappa: Floats) -> Floats:
    """The log density of our hyper-prior, over eta and log kappa."""
    mean, std = LOG_KAPPA
    return np.asarray(-0.5 * ((log_kappa - mean) / std) ** 2 + 0 * eta)


@dataclass(frozen=True)
class Level:
    """The posterior of eta and kappa on a grid, and of every class's rate given them."""

    successes: Floats
    trials: Floats
    logit_eta: Floats
    log_kappa: Floats
    weights: Floats  # shape (eta, log kappa), adding up to one

    @classmethod
    def fit(
        cls,
        successes: Counts | Floats,
        trials: Counts | Floats,
        log_prior: Callable[[Floats, Floats], Floats] = ours,
        reach: tuple[float, float] = REACH,
    ) -> "Level":
        """Compute the grid: equally spaced in logit eta and in log kappa."""
        y, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
        # Equal classes are counted once.
        kinds, times = np.unique(np.stack([y, n], axis=1), axis=0, return_counts=True)
        box = [(-ETA_REACH, ETA_REACH), reach]
        for _ in range(ROUNDS):
            t, log_kappa = np.linspace(*box[0], ETA_KNOTS), np.linspace(*box[1], KAPPA_KNOTS)
            eta, rest, kappa = special.expit(t)[:, None], special.expit(-t)[:, None], np.exp(log_kappa)[None, :]
            a, b = np.maximum(eta * kappa, 1e-300), np.maximum(rest * kappa, 1e-300)
            # The step is in logit eta.
            log = log_prior(eta + 0 * kappa, log_kappa[None, :] + 0 * eta) + np.log(eta) + np.log(rest)
            for (one, of), often in zip(kinds, times, strict=True):
                log = log + often * log_beta_binomial(one, of, a, b)
            weights = np.exp(log - log.max())
            # Close in on where the weight is, a little beyond it on every side.
            box = [_around(t, weights.sum(axis=1), box[0]), _around(log_kappa, weights.sum(axis=0), box[1])]
        return cls(y, n, t, log_kappa, weights / weights.sum())

    @property
    def eta(self) -> Floats:
        """The grid of overall levels."""
        return np.asarray(special.expit(self.logit_eta))

    def mean_of(self, function: Callable[[Floats, Floats], Floats]) -> float:
        """Return the posterior mean of a function of (eta, kappa)."""
        e, k = np.meshgrid(self.eta, np.exp(self.log_kappa), indexing="ij")
        return float((function(e, k) * self.weights).sum())

    @cached_property
    def means(self) -> Floats:
        """The posterior mean of every class's rate: shrunk towards the overall level."""
        e, k = np.meshgrid(self.eta, np.exp(self.log_kappa), indexing="ij")
        return np.array(
            [
                float(((y + e * k) / (n + k) * self.weights).sum())
                for y, n in zip(self.successes, self.trials, strict=True)
            ]
        )

    def sample(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw every class's rate: shape (draws, classes)."""
        place = rng.choice(self.weights.size, size=draws, p=self.weights.ravel())
        row, column = np.unravel_index(place, self.weights.shape)
        # Within a cell of the grid, anywhere.
        step = np.diff(self.logit_eta[:2])[0], np.diff(self.log_kappa[:2])[0]
        t = self.logit_eta[row] + step[0] * (rng.random(draws) - 0.5)
        kappa = np.exp(self.log_kappa[column] + step[1] * (rng.random(draws) - 0.5))
        a = (special.expit(t) * kappa)[:, None] + self.successes
        b = (special.expit(-t) * kappa)[:, None] + self.trials - self.successes
        return np.asarray(rng.beta(np.maximum(a, 1e-12), np.maximum(b, 1e-12)))


def _around(knots: Floats, weights: Floats, limits: tuple[float, float]) -> tuple[float, float]:
    """Return the range of knots that holds the weight, and two steps more on either side."""
    seen = np.flatnonzero(weights > 1e-9 * weights.max())
    step = knots[1] - knots[0]
    return max(limits[0], knots[seen[0]] - 2 * step), min(limits[1], knots[seen[-1]] + 2 * step)


@dataclass(frozen=True)
class SharedOutcomes:
    """Four outcomes of two systems on the items of each class, Dirichlet around shares common to the classes."""

    counts: Floats  # (classes, 4)

    def _log(self, logits: Floats, log_kappa: Floats) -> Floats:
        """Return the log posterior of the shared shares (as logits against the last) and of log kappa."""
        mean, std = LOG_KAPPA
        full = np.concatenate([logits, np.zeros((len(logits), 1))], axis=1)
        log_shares = full - special.logsumexp(full, axis=1, keepdims=True)
        alphas = np.exp(log_shares + log_kappa[:, None])
        kappa = np.exp(log_kappa)
        # A uniform distribution of the shares has the density of their product in logits.
        log = log_shares.sum(axis=1) - 0.5 * ((log_kappa - mean) / std) ** 2
        rows, times = self._kinds
        for row, often in zip(rows, times, strict=True):
            log = log + often * (special.gammaln(kappa) - special.gammaln(kappa + row.sum()))
            log = log + often * (special.gammaln(alphas + row) - special.gammaln(alphas)).sum(axis=1)
        return np.asarray(log)

    @cached_property
    def _kinds(self) -> tuple[Floats, Counts]:
        """The distinct rows, and how often each occurs."""
        rows, times = np.unique(self.counts, axis=0, return_counts=True)
        return rows, times

    def _mode(self) -> tuple[Floats, Floats]:
        """Return the mode of the hyper-parameters and the spread around it, by the curvature there."""
        from scipy import optimize  # loaded for this model alone

        def cost(point: Floats) -> float:
            return -float(self._log(point[None, :3], point[None, 3])[0])

        shares = self.counts.sum(axis=0) + 1.0
        start = np.append(np.log(shares[:3] / shares[3]), LOG_KAPPA[0])
        best = optimize.minimize(
            cost, start, method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-4, "fatol": 1e-6}
        ).x
        step = 0.02
        unit = step * np.eye(4)
        curvature = np.array(
            [
                [cost(best + a + b) - cost(best + a - b) - cost(best - a + b) + cost(best - a - b) for b in unit]
                for a in unit
            ]
        ) / (4 * step * step)
        values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
        # Flat or hollow directions get a wide spread, not an infinite one.
        spread = vectors @ np.diag(1 / np.maximum(values, 0.05)) @ vectors.T
        return best, 1.3 * spread

    def sample(self, draws: int, rng: np.random.Generator) -> tuple[Floats, float]:
        """Draw the four shares of every class, shape (draws, classes, 4), and tell their effective sample size."""
        mean, spread = self._mode()
        logits = log_kappa = weights = np.empty(0)
        # A heavy-tailed proposal around the mode; moved once to where the posterior turns out to be.
        for _ in range(2):
            root = np.linalg.cholesky(spread + 1e-12 * np.eye(4))
            normal = rng.standard_normal((PROPOSALS, 4))
            scale = np.sqrt(5 / rng.chisquare(5, PROPOSALS))[:, None]
            points = mean + (normal * scale) @ root.T
            logits, log_kappa = points[:, :3], points[:, 3]
            distance = ((normal * scale) ** 2).sum(axis=1)
            log = self._log(logits, np.clip(log_kappa, -20, 25)) + 4.5 * np.log1p(distance / 5)
            weights = np.exp(log - log.max())
            weights /= weights.sum()
            mean = weights @ points
            spread = 1.2 * np.cov(points.T, aweights=weights)
        worth = float(1 / (weights**2).sum())
        place = rng.choice(PROPOSALS, size=draws, p=weights)
        full = np.concatenate([logits[place], np.zeros((draws, 1))], axis=1)
        alphas = special.softmax(full, axis=1) * np.exp(np.clip(log_kappa[place], -20, 25))[:, None]
        gammas = rng.standard_gamma(np.maximum(alphas[:, None, :] + self.counts, 1e-9))
        return gammas / np.maximum(gammas.sum(axis=2, keepdims=True), 1e-300), worth
