"""Coverage of averages over some of the labels: relations and Other, tags and O; strong agreement and rare labels.

Every system is right with a probability that depends on the true label, errors correlated by a difficulty that they
share; a wrong label is the excluded one half of the time. True values follow from the expected confusion matrix. Prints
the coverage of the 95% intervals of docs/questions/label-sets.md, for several pseudo-counts; the default one is marked.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from outclass.data.classes import Classes
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.measures.averages import AVERAGES, Average
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted

DRAWS = 1_500
COUNTS = (1 / 4, 1 / 3, 1 / 2)


@dataclass(frozen=True)
class World:
    """Two systems over some labels, of which the first is left out."""

    name: str
    shares: tuple[float, ...]
    right: tuple[tuple[float, float], tuple[float, float]]  # of each system: on the label left out, and on the others
    rho: float
    again: float = 0.5  # how often two wrong labels are the same

    def _rates(self, which: int) -> np.ndarray:
        first, others = self.right[which]
        return np.array([first, *[others] * (len(self.shares) - 1)])

    def simulate(self, items: int, rng: np.random.Generator) -> Outcomes:
        """Draw a test set."""
        labels = len(self.shares)
        truth = rng.choice(labels, items, p=self.shares)
        common, usual = rng.normal(size=items), self._wrong(truth, rng)
        said = []
        for which in (0, 1):
            latent = math.sqrt(self.rho) * common + math.sqrt(1 - self.rho) * rng.normal(size=items)
            other = np.where(rng.random(items) < self.again, usual, self._wrong(truth, rng))
            said.append(np.where(latent > special.ndtri(self._rates(which))[truth], other, truth))
        rows, counts = np.unique(np.stack([truth, *said], axis=1).astype(np.int64), axis=0, return_counts=True)
        names = tuple(range(labels))
        return Outcomes(systems=("A", "B"), labels=names, patterns=rows, counts=counts.astype(np.int64))

    def _wrong(self, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return wrong labels: of the others, the one left out half of the time; of that one, any other."""
        labels = len(self.shares)
        other = 1 + (truth - 1 + rng.integers(1, labels - 1, len(truth))) % (labels - 1)
        return np.where(
            truth == 0, rng.integers(1, labels, len(truth)), np.where(rng.random(len(truth)) < 0.5, 0, other)
        )

    def value(self, measure: Average, which: int) -> float:
        """Return the true value of a system."""
        shares, right = np.array(self.shares), self._rates(which)
        labels = len(shares)
        wrong = shares * (1 - right)
        said = np.zeros(labels)  # falsely
        said[1:] = wrong[0] / (labels - 1) + (wrong[1:].sum() - wrong[1:]) / 2 / (labels - 2)
        said[0] = wrong[1:].sum() / 2
        return float(measure(shares * right, said, wrong, np.array(1.0)))


def _rest(first: float, others: int, skew: float) -> tuple[float, ...]:
    weights = np.arange(1, others + 1) ** -skew
    return (first, *((1 - first) * weights / weights.sum()).tolist())


WORLDS = (
    World("relations, 17% Other", _rest(0.17, 9, 0.5), ((0.6, 0.85), (0.6, 0.82)), 0.6),
    World("relations, strong agreement", _rest(0.17, 9, 0.5), ((0.6, 0.85), (0.6, 0.84)), 0.95, 0.95),
    World("relations, rare labels", _rest(0.17, 9, 1.5), ((0.6, 0.85), (0.6, 0.82)), 0.6),
    World("tags, 90% O", _rest(0.9, 4, 0.5), ((0.98, 0.8), (0.98, 0.75)), 0.6),
    World("tags, 90% O, strong agreement", _rest(0.9, 4, 0.5), ((0.99, 0.9), (0.99, 0.89)), 0.95, 0.95),
    World("tags, 90% O, near-perfect", _rest(0.9, 4, 0.5), ((0.999, 0.98), (0.999, 0.97)), 0.6),
)


def measures_of(world: World) -> Iterator[Average]:
    """Return the averages without the first label, with each pseudo-count."""
    for name in ("micro_f1", "macro_f1"):
        own = AVERAGES[name].over(range(1, len(world.shares)), "without 0")
        for count in COUNTS:
            yield replace(own, name=f"{own.name} {count:.3f}", pseudo_count=count)


def covered(world: World, items: int, sets: int, seed: int = 1) -> dict[str, tuple[float, float]]:
    """Return, for every measure, how often the interval of the difference covers, and its mean width."""
    measures = list(measures_of(world))
    truth = {each.name: world.value(each, 0) - world.value(each, 1) for each in measures}
    rng = np.random.default_rng([seed, items, len(world.shares)])
    hits: dict[str, list[tuple[bool, float]]] = {each.name: [] for each in measures}
    for _ in range(sets):
        units = units_of(Classes(world.simulate(items, rng)), ("A", "B"))
        found = Weighted(units, ("A", "B"), DRAWS, int(rng.integers(1 << 30)), mass=None).values(measures)
        for name, values in found.items():
            both = values[:, 0] - values[:, 1]
            if np.isfinite(both).all():
                low, high = Draws.iid(both, Interval(-1.0, 1.0)).hdi(0.95)
                hits[name].append((low <= truth[name] <= high, high - low))
    return {
        name: (float(np.mean([a for a, _ in own])), float(np.mean([b for _, b in own]))) for name, own in hits.items()
    }


def main() -> None:
    """Print a line for every world, number of items and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=400)
    parser.add_argument("--items", type=int, nargs="*", default=[100, 300, 1_000, 2_000])
    parser.add_argument("--worlds", type=int, nargs="*", default=list(range(len(WORLDS))))
    asked = parser.parse_args()
    for place in asked.worlds:
        for items in asked.items:
            found = covered(WORLDS[place], items, asked.sets)
            for base in ("micro_f1", "macro_f1"):
                own = [f"{cover:.3f} ({width:.3f})" for name, (cover, width) in found.items() if name.startswith(base)]
                print(f"{WORLDS[place].name:32} {items:6} {base} {' '.join(own)}", flush=True)


if __name__ == "__main__":
    main()
