"""Whether intervals of items with repeats hold: `make calibrate-repeats`, about three minutes.

Worlds of right and wrong answers: every item has its own chance to be answered right, alike for both systems. How often
95% intervals contain the true difference: over items like these, as answers that each count as an item would have it,
and over these items alone.
"""

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import special, stats

from outclass.arrays import Counts, Floats
from outclass.data.repeats import OneSystem
from outclass.inference.bounded import BoundedStudent
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.models import right_wrong
from outclass.models.generation import noise_of, together
from outclass.models.means import differing, extra_squares, mean_law, own_squares
from outclass.rows.checks.disagreement import FEW_DISAGREEMENTS
from outclass.rows.checks.numbers import SKEWED
from outclass.rows.checks.sizes import FEW_ITEMS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "repeats-coverage.md"
RESULTS = HERE / "results" / "repeats.json"
SETS = 600
MASS = 0.95
GRID = 4_000  # quantiles that chances are drawn from


@dataclass(frozen=True)
class World:
    """How easy items are, how alike they are to both systems, and how much better the first is."""

    name: str
    accuracy: float
    spread: float  # of chances: the sum of the parameters of a Beta; small where items are always right or always wrong
    alike: float  # correlation of the chances
    gap: float = 0.0
    items: int = 198
    repeats: int = 5  # 0: two or ten


KINDS = (
    World("ordinary", 0.65, 1.0, 0.5, 0.05),
    World("noisy answers", 0.5, 5.0, 0.5),
    World("strong agreement", 0.8, 0.3, 0.99),
    World("accuracy .95", 0.95, 1.0, 0.5, 0.02),
    World("accuracy .98, strong agreement", 0.98, 0.2, 0.9),
    World("accuracy .98 and .93, strong agreement", 0.98, 0.3, 0.99, 0.05),
    World("accuracy .995 and .945", 0.995, 1.0, 0.5, 0.05),
)
SIZES = ((20, 2), (20, 5), (20, 10), (50, 2), (50, 5), (50, 10), (198, 2), (198, 5), (198, 0), (500, 2), (500, 5))
WORLDS = tuple(World(**(asdict(kind) | {"items": n, "repeats": k})) for kind in KINDS for n, k in SIZES)


@dataclass(frozen=True)
class Held:
    """What was found in a world; `untold` is the share of misses that no finding warned of."""

    world: str
    items: int
    repeats: int
    sets: int
    coverage: float
    answers: float  # coverage where every answer counts as an item
    own: float  # of one system's mean
    these: float
    width: float
    these_width: float
    untold: float


def chances(world: World, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the chance of every item to be answered right by each system."""
    both = rng.standard_normal(world.items)
    found = []
    for accuracy in (world.accuracy, world.accuracy - world.gap):
        latent = math.sqrt(world.alike) * both + math.sqrt(1 - world.alike) * rng.standard_normal(world.items)
        place = np.minimum((special.ndtr(latent) * GRID).astype(int), GRID - 1)
        found.append(_quantiles(accuracy, world.spread)[place])
    return found[0], found[1]


@lru_cache(maxsize=100)
def _quantiles(accuracy: float, spread: float) -> Floats:
    """Return quantiles of chances, whose mean is the accuracy to the last digits that matter."""
    found = stats.beta.ppf((np.arange(GRID) + 0.5) / GRID, accuracy * spread, (1 - accuracy) * spread)
    return np.asarray(np.clip(found + accuracy - found.mean(), 0, 1))


def answered(chance: Floats, sizes: Counts, rng: np.random.Generator) -> OneSystem:
    """Return the answers of one system."""
    item = np.repeat(np.arange(len(chance)), sizes)
    which = np.concatenate([np.arange(many) for many in sizes.tolist()])
    return OneSystem(item=item, which=which, values=(rng.random(len(item)) < chance[item]).astype(float))


@lru_cache(maxsize=10_000)
def _signed(table: tuple[int, int, int, int]) -> Interval:
    law = right_wrong.difference_law(np.array(table).reshape(2, 2), 1.0, Settings())
    return law.hdi(MASS)


def like_these(a: Floats, b: Floats) -> Interval:
    """Return the interval that `compare` gives of items' means."""
    kinds = right_wrong.kinds_of((a, b), 1.0)
    if kinds is not None:
        (both, only_a), (only_b, neither) = right_wrong.table_of(a, b, kinds).tolist()
        return _signed((both, only_a, only_b, neither))
    law = mean_law(a - b, float(extra_squares([a, b], 1.0).sum()))
    low, high = law.hdi(MASS)
    return Interval(max(low, -1), min(high, 1))


def one(values: Floats) -> Interval:
    """Return the interval that `evaluate` gives of one system."""
    kinds = right_wrong.kinds_of((values,), 1.0)
    if kinds is not None:
        return right_wrong.own_law(values, kinds).hdi(MASS)
    return BoundedStudent(mean_law(values, own_squares(values, 1.0)), Interval(0, 1)).hdi(MASS)


def warned(a: Floats, b: Floats) -> bool:
    """Return whether a finding warns of few items, few that differ, or skewed differences."""
    moved = a - b - (a - b).mean()
    spread = math.sqrt(float(np.mean(moved**2)))
    skewed = spread > 0 and float(np.mean((moved / spread) ** 3)) ** 2 > SKEWED * len(a)
    differ = int(differing(a, b).sum())
    few = differ < FEW_DISAGREEMENTS and 2 * differ <= len(a)
    return skewed or few or len(a) < FEW_ITEMS


def _sizes(world: World, rng: np.random.Generator) -> Counts:
    if world.repeats:
        return np.full(world.items, world.repeats)
    return np.where(rng.random(world.items) < 0.5, 2, 10)


def held(world: World, sets: int) -> Held:
    """Simulate sets of a world."""
    rng = np.random.default_rng(
        [int(1000 * each) for each in (world.accuracy, world.gap, world.spread)] + [world.items]
    )
    rows = []
    missed = untold = 0
    for _ in range(sets):
        p, q = chances(world, rng)
        sizes = _sizes(world, rng)
        answers = answered(p, sizes, rng), answered(q, sizes, rng)
        a, b = (each.means for each in answers)
        found = like_these(a, b)
        hit = found.low <= world.gap <= found.high
        missed += not hit
        untold += not hit and not warned(a, b)
        apart = answers[0].values - answers[1].values
        reach = float(stats.t.ppf((1 + MASS) / 2, len(apart) - 1)) * float(apart.std(ddof=1)) / math.sqrt(len(apart))
        own = one(a)
        noise = together([noise_of(each, 1.0) for each in answers])
        within = float(special.stdtrit(noise.freedom, (1 + MASS) / 2)) * math.sqrt(noise.variance)
        rows.append(
            (
                hit,
                abs(apart.mean() - world.gap) <= reach,
                own.low <= world.accuracy <= own.high,
                abs((a - b).mean() - (p - q).mean()) <= within,
                found.width,
                2 * within,
            )
        )
    means = np.mean(np.array(rows, dtype=float), axis=0).round(4).tolist()
    share = round(untold / missed, 3) if missed else 0.0
    return Held(world.name, world.items, world.repeats, sets, *means, share)


def kept() -> list[Held]:
    """Return what the full study found."""
    return [Held(**each) for each in json.loads(RESULTS.read_text(encoding="utf-8"))]


def _lines(found: list[Held]) -> Iterator[str]:
    for each in found:
        repeats = str(each.repeats) if each.repeats else "2 or 10"
        yield (
            f"| {each.world} | {each.items} | {repeats} | {each.coverage:.3f} | {each.width:.3f} | {each.answers:.3f} "
            f"| {each.own:.3f} | {each.these:.3f} | {each.these_width:.3f} |"
        )


def page(found: list[Held]) -> str:
    """Write the page."""
    low = min(found, key=lambda each: each.coverage)
    naive = min(found, key=lambda each: each.answers)
    fixed = min(found, key=lambda each: each.these)
    own = min(found, key=lambda each: each.own)
    large = [each for each in found if each.items >= 198]
    below = [each for each in found if each.coverage < 0.93]
    under = "no world is below .93" if not below else f"{len(below)} of {len(found)} worlds are below .93"
    return f"""# Coverage with repeats

Generated by `make calibrate-repeats` (`tests/calibration/repeats.py`); a short version runs with the tests. [Five answers per question](questions/repeats.md) says
what is computed.

Every item has its own chance of a right answer, drawn from a Beta distribution, which both systems share to some degree; every repeat is right or wrong with that
chance. {SETS:,} simulated sets per world (simulation error .009 at .95), 95% intervals.

* *like these*: how often the interval contains the true difference over all items of the world, and its average width;
* *answers as items*: the same if every answer counted as an item, by a paired t interval;
* *one system*: the interval of one system's own accuracy;
* *these*: `population=these`: how often the interval contains the difference of the true chances of these very items, and its average width.

| world | items | repeats | like these | width | answers as items | one system | these | width |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(_lines(found))}

For items like these, coverage is at least {low.coverage:.3f} ({low.world}, {low.items} items); {under}, and from 198 items on it lies between {min(each.coverage for each in large):.3f}
and {max(each.coverage for each in large):.3f}. It is higher than promised where few items differ: there the prior weighs (one item on which just one system is right), and a
finding (OC104, OC107 or OC214) says so. Misses without such a finding: at most {max(each.untold * (1 - each.coverage) for each in found):.3f} of the sets of a world.

Counting every answer as an item covers as little as {naive.answers:.3f} ({naive.world}, {naive.items} items, {naive.repeats or "2 or 10"} repeats). Intervals of one system cover at least {own.own:.3f}
({own.world}, {own.items} items), those of a fixed suite {fixed.these:.3f} ({fixed.world}, {fixed.items} items).
"""


def main() -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=SETS)
    sets = parser.parse_args().sets
    found = []
    for world in WORLDS:
        found.append(held(world, sets))
        print(found[-1], flush=True)
    RESULTS.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
