"""Per-class rates that share strength through an overall level: eta, and kappa for how closely the classes follow it.

rate_j | eta, kappa ~ Beta(eta kappa, (1 - eta) kappa); counts are binomial. The counts' marginal law given (eta, kappa)
is Beta-binomial, so a grid over eta and log kappa is exact and there is no chain. The hyper-priors are ours, since the
2015 paper's cannot be recovered: eta ~ Beta(1, 1), log kappa ~ N(2, 1.5^2), for recalls and for false-positive rates
each. kappa to infinity pools the classes, kappa to zero separates them. Two systems on the same items: what they do
with the items of a class (both yes, only A, only B, neither) has a Dirichlet law of its own, around one shared by the
classes; its hyper-parameters are drawn by importance sampling.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats

ETA_KNOTS: Final = 161
KAPPA_KNOTS: Final = 121
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
    eta: Floats
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
        pooled = (y.sum() + 1) / (n.sum() + 2)
        width = 8 * math.sqrt(1 / (y.sum() + 1) + 1 / (n.sum() - y.sum() + 1)) + 6 / math.sqrt(len(y))
        t = special.logit(pooled) + np.linspace(-width, width, ETA_KNOTS)
        eta, log_kappa = special.expit(t), np.linspace(*reach, KAPPA_KNOTS)
        e, k = np.meshgrid(eta, np.exp(log_kappa), indexing="ij")
        log = log_prior(e, np.log(k)) + np.log(e) + np.log1p(-e)  # the step is in logit eta
        for one, of in zip(y, n, strict=True):
            log = log + log_beta_binomial(one, of, e * k, (1 - e) * k)
        weights = np.exp(log - log.max())
        return cls(y, n, eta, log_kappa, weights / weights.sum())

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
        step = np.diff(special.logit(self.eta[:2]))[0], np.diff(self.log_kappa[:2])[0]
        eta = special.expit(special.logit(self.eta[row]) + step[0] * (rng.random(draws) - 0.5))
        kappa = np.exp(self.log_kappa[column] + step[1] * (rng.random(draws) - 0.5))
        a = (eta * kappa)[:, None] + self.successes
        b = ((1 - eta) * kappa)[:, None] + self.trials - self.successes
        return np.asarray(rng.beta(np.maximum(a, 1e-12), np.maximum(b, 1e-12)))


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
        # A uniform law of the shares has the density of their product in logits.
        log = log_shares.sum(axis=1) - 0.5 * ((log_kappa - mean) / std) ** 2
        for row in self.counts:
            log = log + special.gammaln(kappa) - special.gammaln(kappa + row.sum())
            log = log + (special.gammaln(alphas + row) - special.gammaln(alphas)).sum(axis=1)
        return np.asarray(log)

    def sample(self, draws: int, rng: np.random.Generator) -> tuple[Floats, float]:
        """Draw the four shares of every class, shape (draws, classes, 4), and tell how many draws they are worth."""
        shares = self.counts.sum(axis=0) + 1.0
        centre = np.log(shares[:3] / shares[3])
        mean = np.append(centre, LOG_KAPPA[0])
        spread = np.diag(np.append(np.full(3, 0.7), 1.0)) ** 2
        logits = log_kappa = weights = np.empty(0)
        # The proposal is moved to where the posterior is, twice.
        for _ in range(4):
            root = np.linalg.cholesky(spread + 1e-9 * np.eye(4))
            normal = rng.standard_normal((PROPOSALS, 4))
            scale = np.sqrt(5 / rng.chisquare(5, PROPOSALS))[:, None]
            points = mean + (normal * scale) @ root.T
            logits, log_kappa = points[:, :3], np.clip(points[:, 3], -8, 18)
            distance = ((normal * scale) ** 2).sum(axis=1)
            log = self._log(logits, log_kappa) + 4.5 * np.log1p(distance / 5)
            weights = np.exp(log - log.max())
            weights /= weights.sum()
            mean = weights @ points
            spread = 1.2 * np.cov(points.T, aweights=weights)
        worth = float(1 / (weights**2).sum())
        place = rng.choice(PROPOSALS, size=draws, p=weights)
        full = np.concatenate([logits[place], np.zeros((draws, 1))], axis=1)
        alphas = special.softmax(full, axis=1) * np.exp(log_kappa[place])[:, None]
        gammas = rng.standard_gamma(np.maximum(alphas[:, None, :] + self.counts, 1e-9))
        return gammas / np.maximum(gammas.sum(axis=2, keepdims=True), 1e-300), worth
