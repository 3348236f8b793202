"""Post-stratification: weights on (stratum, true label), from all items and from the labelled ones in each stratum.

The sizes of strata are a Dirichlet of all items, the truth within a stratum a Dirichlet of its labelled items: draws of
both are weights of what was observed, from which every measure is computed (`weights`). Strata with few labelled items
borrow from strata of the same type: with many classes, those on which the same columns agree, whatever the label is,
and the true label is told as a role ("what A says"); with two classes, those of all judges' labels. How much they
borrow is learnt (a Dirichlet-multinomial, whose concentration has a grid posterior).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.data.classes import Parts, check_predicted
from outclass.data.outcomes import BINARY
from outclass.data.partly_labelled import PartlyLabelled

FEW_PATTERNS: Final = 32  # of systems' labels, of which each is a type of strata by itself
FEW_JUDGED: Final = 4  # strata of judges' labels where all systems agree
# Of the prior within a stratum, items in all: one where the systems agree, two where they differ, so that with few
# labels the spread of a proportion near one half is not too small (docs/judged-coverage.md).
AGREED, DIFFERED = 1.0, 2.0
# The same of strata that are the only ones of their type: which of them is learnt from all such strata together, since
# the systems may be right equally often where they differ, or one of them nearly always.
ALONE: Final = np.array([1.0, 3.0])
# How alike strata of a type are, with the prior probability of each: a judge tells them apart, or it hardly does.
CONCENTRATIONS: Final = np.array([0.5, 1.0, 4.0, 16.0, 64.0, 256.0, 4096.0])
ALIKE: Final = np.array([0.15, 0.07, 0.03, 0.03, 0.1, 0.12, 0.5])
LARGE: Final = 1 / 200  # of all items: a stratum without labels that is drawn by itself
OTHER: Final = -1  # the role of a label that nobody gives
TINY: Final = 1e-300


@dataclass(frozen=True, eq=False)
class Group:
    """Strata of one type: which they are, and which label each role is in each of them, (strata, roles)."""

    strata: Counts
    labels: Counts
    mass: float


@dataclass(frozen=True, eq=False)
class Strata:
    """The strata of partly labelled items.

    Parameters
    ----------
    said
        Shape (strata, systems + judges): codes of labels; of judges, of their own labels.
    sizes
        How many items each has.
    groups
        Strata by type.
    gold
        By group: the effective number of labelled items of each role, (strata, roles).
    labelled
        How many items of each stratum are labelled.
    """

    said: Counts
    sizes: Counts
    groups: tuple[Group, ...]
    gold: tuple[Floats, ...]
    labelled: Counts
    others: Floats  # effective labelled items of labels that nobody gives, by label

    @classmethod
    def of(cls, data: PartlyLabelled) -> "Strata":
        """Find the strata, and what is known of each."""
        said, place = np.unique(data.patterns[:, 1:], axis=0, return_inverse=True)
        place = place.ravel()
        sizes = np.bincount(place, weights=data.counts, minlength=len(said)).astype(np.int64)
        known = data.patterns[:, 0] >= 0
        at, truth = place[known], data.patterns[known, 0]
        labelled = np.bincount(at, weights=data.counts[known], minlength=len(said)).astype(np.int64)
        # Weighted labels count as many as an equally weighted sample of the same precision.
        total, squares = (np.bincount(at, weights=each, minlength=len(said)) for each in data.weights[known].T)
        scale = np.divide(total, squares, out=np.zeros(len(said)), where=squares > 0)
        gold = np.zeros((len(said), len(data.labels)))
        np.add.at(gold, (at, truth), data.weights[known, 0] * scale[at])
        groups = tuple(_groups(data, said))
        own = []
        others = np.zeros(len(data.labels))
        for group in groups:
            roles = np.where(
                group.labels >= 0, np.take_along_axis(gold[group.strata], np.maximum(group.labels, 0), axis=1), 0.0
            )
            if group.labels.shape[1] and (group.labels[:, -1] == OTHER).all():
                rest = gold[group.strata].copy()
                for column in group.labels.T[:-1]:
                    rest[np.arange(len(rest)), column] = 0.0
                roles[:, -1] = rest.sum(axis=1)
                others += rest.sum(axis=0)
            own.append(roles)
        return cls(said, sizes, groups, tuple(own), labelled, others)

    @cached_property
    def units(self) -> tuple[Counts, Counts]:
        """Return the stratum and the label of every unit, a role in a stratum; `OTHER` is a label that nobody gives."""
        stratum = [np.repeat(group.strata, group.labels.shape[1]) for group in self.groups]
        return np.concatenate(stratum), np.concatenate([group.labels.ravel() for group in self.groups])

    @cached_property
    def means(self) -> Floats:
        """The expected probability of every unit within its stratum."""
        found = []
        for group, gold in zip(self.groups, self.gold, strict=True):
            if _is_alone(group):
                mean = sum(
                    chance * (gold + mass / gold.shape[1]) / (gold.sum() + mass)
                    for chance, mass in zip(self._masses, ALONE, strict=True)
                )
            elif len(group.strata) == 1:
                mean = gold + group.mass / gold.shape[1]
            else:
                chances, centres = _pooling(gold, group.mass)
                mean = sum(
                    chance * (gold + each * centre / centre.sum()) / (gold.sum(axis=1, keepdims=True) + each)
                    for chance, each, centre in zip(chances, CONCENTRATIONS, centres, strict=True)
                )
            found.append((mean / mean.sum(axis=1, keepdims=True)).ravel())
        return np.concatenate(found)

    @cached_property
    def _masses(self) -> Floats:
        """The probability of each prior of strata that are the only ones of their type, where systems differ."""
        told = np.zeros(len(ALONE))
        for group, gold in zip(self.groups, self.gold, strict=True):
            if _is_alone(group):
                told += [_likelihood(gold, np.full(gold.shape[1], mass / gold.shape[1])) for mass in ALONE]
        chances = np.exp(told - told.max())
        return np.asarray(chances / chances.sum())

    @property
    def expected(self) -> Floats:
        """The expected number of items of every unit."""
        stratum, _ = self.units
        return np.asarray(self.sizes[stratum] * self.means)

    def draw(self, rng: np.random.Generator, size: int) -> Floats:
        """Draw the weights of all units, (units, size)."""
        weights = rng.standard_gamma(self.sizes[:, None].astype(float), (len(self.sizes), size))
        total = self.sizes.sum()
        parts = []
        alone = ALONE[rng.choice(len(ALONE), size, p=self._masses)] if any(map(_is_alone, self.groups)) else None
        for group, gold in zip(self.groups, self.gold, strict=True):
            strata, roles = group.labels.shape
            if strata == 1:
                mass = group.mass if alone is None or not _is_alone(group) else alone
                theta = _dirichlet(rng, gold[..., None] + np.broadcast_to(mass, size) / roles)
            else:
                chances, centres = _pooling(gold, group.mass)
                which = rng.choice(len(chances), size, p=chances)
                centre = _dirichlet(rng, centres[which].T)
                theta = np.broadcast_to(centre, (strata, roles, size)).copy()
                own = (gold.sum(axis=1) > 0) | (self.sizes[group.strata] > LARGE * total)
                theta[own] = _dirichlet(rng, CONCENTRATIONS[which] * centre + gold[own][..., None])
            parts.append((theta * weights[group.strata][:, None]).reshape(strata * roles, size))
        return np.concatenate(parts)


def _dirichlet(rng: np.random.Generator, shapes: Floats) -> Floats:
    """Draw Dirichlet probabilities; the roles are the last axis but one."""
    drawn = np.maximum(rng.standard_gamma(shapes), TINY)
    return np.asarray(drawn / drawn.sum(axis=-2, keepdims=True))


def _is_alone(group: Group) -> bool:
    return len(group.strata) == 1 and group.mass == DIFFERED


def _likelihood(gold: Floats, prior: Floats) -> float:
    """Return the logarithm of the probability of labels in strata, (strata, roles), under one Dirichlet."""
    sizes, mass = gold.sum(axis=1), prior.sum()
    return float(
        (special.gammaln(prior + gold) - special.gammaln(prior)).sum()
        + (special.gammaln(mass) - special.gammaln(mass + sizes)).sum()
    )


def _pooling(gold: Floats, mass: float) -> tuple[Floats, Floats]:
    """Return the probability of each concentration, and the Dirichlet of the strata's common centre under each."""
    even = mass / gold.shape[1]
    sizes = gold.sum(axis=1)
    centres = np.array(
        [
            # Labels of one stratum tell of the others as few do, where strata differ.
            (gold / (1 + np.maximum(sizes - 1, 0) / (each + 1))[:, None]).sum(axis=0) + even
            for each in CONCENTRATIONS
        ]
    )
    mean = gold.sum(axis=0) + even
    mean /= mean.sum()
    seen = gold[sizes > 0]
    told = np.array([_likelihood(seen, each * mean) for each in CONCENTRATIONS])
    chances = ALIKE * np.exp(told - told.max())
    return chances / chances.sum(), centres


def _groups(data: PartlyLabelled, said: Counts) -> list[Group]:
    """Sort strata by type."""
    if len(data.labels) <= BINARY:
        labels = np.broadcast_to(np.arange(len(data.labels)), (len(said), len(data.labels)))
        keys = said[:, : len(data.systems)]
        if len(np.unique(keys, axis=0)) > FEW_PATTERNS:
            # Of many systems hardly two items are alike: as many votes, and the same judgement.
            keys = np.column_stack([said[:, len(data.systems) :], (keys == 1).sum(axis=1)])
        _, kind = np.unique(keys, axis=0, return_inverse=True)
        found = []
        for strata in (np.flatnonzero(kind.ravel() == each) for each in range(kind.max() + 1)):
            mass = _mass(said[strata[0], : len(data.systems)])
            # Where the systems agree there are labels enough, and a judge tells most: strata are by themselves.
            apart = len(strata) <= FEW_JUDGED and mass == AGREED
            found += [
                Group(own, labels[own], mass) for own in ([np.array([at]) for at in strata] if apart else [strata])
            ]
        return found
    return _by_roles(_as_labels(data, said), len(data.systems))


def _as_labels(data: PartlyLabelled, said: Counts) -> Counts:
    """Return what systems and judges say as codes of the true labels; below zero what is none of them."""
    own = said.copy()
    place = {str(label): code for code, label in enumerate(data.labels)}
    for at, judge in enumerate(data.judges, start=len(data.systems)):
        to = np.array([place.get(label, -2 - code) for code, label in enumerate(judge.labels)], dtype=np.int64)
        if judge.binned:
            to = -2 - np.arange(len(judge.labels))
        own[:, at] = to[said[:, at]]
    return own


def _by_roles(own: Counts, systems: int) -> list[Group]:
    """Sort strata by which columns agree; the roles are the different labels in the order of the columns."""
    kinds: dict[tuple[int, ...], list[int]] = {}
    roles: dict[tuple[int, ...], list[list[int]]] = {}
    for at, row in enumerate(own.tolist()):
        named = list(dict.fromkeys(code for code in row if code >= 0))
        key = tuple(named.index(code) if code >= 0 else code for code in row)
        kinds.setdefault(key, []).append(at)
        roles.setdefault(key, []).append([*named, OTHER])
    return [Group(np.array(kinds[key]), np.array(roles[key]), _mass(np.array(key[:systems]))) for key in sorted(kinds)]


def _mass(said: Counts) -> float:
    return AGREED if (said == said[0]).all() else DIFFERED


class Estimated(Parts):
    """Partly labelled items as decisions: every unit is a stratum with a true label that its items may have."""

    def __init__(self, data: PartlyLabelled) -> None:
        super().__init__(data.outcomes)
        self.data, self.items, self.findings = data, data.items, data.findings
        self.strata = Strata.of(data)

    @property
    def judges(self) -> tuple[str, ...]:
        """The names of the judges."""
        return tuple(each.name for each in self.data.judges)

    @property
    def units(self) -> Floats:  # type: ignore[override]  # expected, not counted
        """How many items of each unit are expected."""
        return self.strata.expected

    @cached_property
    def shares(self) -> Floats:
        """How common each label is among those that nobody gives: a little of all, and what was labelled so."""
        _, label = self.strata.units
        named = np.bincount(label[label >= 0], weights=self.units[label >= 0], minlength=len(self.labels))
        return np.asarray(self.strata.others + named / max(named.sum(), 1.0) + 1e-9)

    @cached_property
    def _spread(self) -> tuple[Counts, Counts, Floats]:
        """Return unit, true label and share: a unit whose label nobody gives is spread over the labels left."""
        stratum, label = self.strata.units
        named = np.flatnonzero(label >= 0)
        rest = np.flatnonzero(label < 0)
        if not len(rest):
            return named, label[named], np.ones(len(named))
        free = np.ones((len(self.strata.sizes), len(self.labels)))
        free[stratum[named], label[named]] = 0.0
        chances = free[stratum[rest]] * self.shares
        total = chances.sum(axis=1, keepdims=True)
        chances = np.divide(chances, total, out=np.zeros_like(chances), where=total > 0)
        at, which = np.nonzero(chances)
        return (
            np.concatenate([named, rest[at]]),
            np.concatenate([label[named], which]),
            np.concatenate([np.ones(len(named)), chances[at, which]]),
        )

    def of_strata(self, name: str) -> Counts:
        """Return the label that a system, or a judge, gives the items of each stratum; below zero if none."""
        column = (*self.systems, *self.judges).index(name)
        if column < len(self.systems):
            return np.asarray(self.strata.said[:, column])
        return np.asarray(_as_labels(self.data, self.strata.said)[:, column])

    def judged_rows(self, name: str) -> Counts:
        """Return what a judge says of the items of every pattern, as labels of the truth; below zero if none."""
        column = len(self.systems) + self.judges.index(name)
        return np.asarray(_as_labels(self.data, self.data.patterns[:, 1:])[:, column])

    def said(self, name: str) -> Counts:
        """Return the label that a system, or a judge, gives each unit's items."""
        stratum, _ = self.strata.units
        return np.asarray(self.of_strata(name)[stratum])

    @cached_property
    def frequencies(self) -> Counts:
        """How many items of each label are expected."""
        unit, label, share = self._spread
        return np.bincount(label, weights=self.units[unit] * share, minlength=len(self.labels))

    def confusions(self, system: str) -> tuple[Counts, Counts]:
        """Return, of one system, units and their cells (truth by prediction) in the table of confusions."""
        unit, label, _ = self._spread
        said = self.said(system)[unit]
        check_predicted(said)
        return unit, label * len(self.labels) + said

    def confusion_amounts(self) -> Floats:
        """Return how much of each unit is in the cell, in the order of `confusions`."""
        return self._spread[2]

    def _parts(self, system: str) -> tuple[Counts, Counts, Counts, Floats]:
        unit, label, share = self._spread
        said = self.said(system)
        # Of two labels a missing one is the other: it is wrong, whatever the truth is.
        missing = 1 - label if len(self.labels) == BINARY else said[unit]
        own = np.where(said[unit] < 0, missing, said[unit])
        right = label == own
        wrong = ~right & (own >= 0)
        parts = [
            (unit[right], label[right], 0, share[right]),
            (unit[wrong], own[wrong], 1, share[wrong]),
            (unit[~right], label[~right], 2, share[~right]),
        ]
        return (
            np.concatenate([each[0] for each in parts]),
            np.concatenate([each[1] for each in parts]),
            np.concatenate([np.full(len(each[0]), each[2], dtype=np.int64) for each in parts]),
            np.concatenate([each[3] for each in parts]),
        )

    def contributions(self, system: str) -> tuple[Counts, Counts, Counts]:
        """Return, of one system, unit, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        return self._parts(system)[:3]

    def amounts(self, system: str) -> Floats:
        """Return how much of the unit each decision is, in the order of `contributions`."""
        return self._parts(system)[3]

    def tables(self, system: str) -> Any:
        """Return one (2, 2) table of expected items per label: positives, negatives; says yes, says no."""
        unit, label, kind, share = self._parts(system)
        found = np.zeros((len(self.labels), 3))
        np.add.at(found, (label, kind), self.units[unit] * share)
        tp, fp, fn = found.T
        return np.stack([tp, fn, fp, self.items - tp - fp - fn], axis=1).reshape(-1, 2, 2)

    def selected(self, systems: Sequence[str]) -> "Estimated":
        """Return the same: strata are of all systems."""
        return self

    def only(self, places: Sequence[int]) -> "Estimated":  # type: ignore[override]
        """Return the same; measures say which labels they average over."""
        return self
