"""The truth as a latent class: what at least three judges say, independently of each other given the truth.

Dawid and Skene's model (1979), in which the systems' predictions together are one more view of the truth, with a
probability for each combination: how the systems err together is left open. Everything is conjugate given the truth, so
that Gibbs sampling alternates between how many items of each pattern are of each class, and the probabilities.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats

# Pseudo-counts of a judge: right rather than wrong, which fixes the names of the classes.
RIGHT: Final = 2.0
WRONG_LABEL: Final = 1.0
MASS: Final = 1.0  # of the prior of classes, and of the systems' predictions given the class
TINY: Final = 1e-300


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Patterns of items, counted.

    Parameters
    ----------
    said
        Shape (patterns, judges): the class that each judge names, below zero for none; a class of its own, from the
        number of classes on, for a label that is never true.
    other
        Of each pattern, the place of the systems' predictions among all combinations that occur.
    counts
        How many items have each pattern.
    classes, others
        How many classes and combinations there are.
    known
        The true class of each pattern, below zero where it is not known.
    """

    said: Counts
    other: Counts
    counts: Counts
    classes: int
    others: int
    known: Counts

    @property
    def labels(self) -> int:
        """How many labels judges use."""
        return max(self.classes, int(self.said.max(initial=0)) + 1)


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Chains of draws, each with the shape (chains, draws, ...).

    Parameters
    ----------
    joint
        The probability of each class with each combination of predictions.
    right
        The probability that each judge is right.
    """

    joint: Floats
    right: Floats


def gibbs(data: Judged, *, chains: int, draws: int, tuned: int, rng: np.random.Generator) -> Draws:
    """Draw the joint distribution of the truth and the systems' predictions."""
    joint = np.empty((chains, draws, data.classes, data.others))
    right = np.empty((chains, draws, data.said.shape[1]))
    for chain in range(chains):
        share = _votes(data, rng)
        for step in range(-tuned, draws):
            items = rng.multinomial(data.counts, share).astype(float)
            classes, judges, others = _drawn(data, items, rng)
            share = _shares(data, classes, judges, others)
            if step >= 0:
                joint[chain, step] = classes[:, None] * others
                right[chain, step] = [classes @ np.diagonal(each) for each in judges]
    return Draws(joint=joint, right=right)


def _votes(data: Judged, rng: np.random.Generator) -> Floats:
    """Start where most judges agree: each class is as probable as it has votes, with some noise."""
    votes = np.full((len(data.said), data.classes), 0.1)
    for column in data.said.T:
        named = np.flatnonzero((column >= 0) & (column < data.classes))
        votes[named, column[named]] += 1.0
    votes *= rng.uniform(0.8, 1.2, votes.shape)
    return _settled(data, votes / votes.sum(axis=1, keepdims=True))


def _settled(data: Judged, shares: Floats) -> Floats:
    """Return shares in which a known class is certain."""
    own = np.flatnonzero(data.known >= 0)
    shares[own] = 0.0
    shares[own, data.known[own]] = 1.0
    return shares


def _drawn(data: Judged, items: Floats, rng: np.random.Generator) -> tuple[Floats, list[Floats], Floats]:
    """Draw the probabilities of classes, of every judge's labels and of the systems' predictions."""
    classes = _dirichlet(rng, items.sum(axis=0) + MASS / data.classes)
    judges = []
    for column in data.said.T:
        named = column >= 0
        table = np.full((data.classes, data.labels), WRONG_LABEL / max(data.labels - 1, 1))
        table[np.arange(data.classes), np.arange(data.classes)] = RIGHT
        np.add.at(table.T, column[named], items[named])
        judges.append(_dirichlet(rng, table))
    table = np.full((data.others, data.classes), MASS / data.others)
    np.add.at(table, data.other, items)
    return classes, judges, _dirichlet(rng, table.T)


def _shares(data: Judged, classes: Floats, judges: list[Floats], others: Floats) -> Floats:
    """Return the probability of each class for each pattern."""
    logs = np.log(classes) + np.log(others.T[data.other])
    for column, table in zip(data.said.T, judges, strict=True):
        named = column >= 0
        logs[named] += np.log(table.T[column[named]])
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return _settled(data, shares / shares.sum(axis=1, keepdims=True))


def _dirichlet(rng: np.random.Generator, shapes: Floats) -> Floats:
    drawn = np.maximum(rng.standard_gamma(shapes), TINY)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))
