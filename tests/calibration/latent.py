"""Whether intervals of Dawid and Skene's model hold what they promise: `make calibrate-latent`, about four minutes."""

import argparse
import json
import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.models.latent import Judged, gibbs

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "latent-coverage.md"
RESULTS: Final = Path(__file__).parent / "results" / "latent.json"
SETS: Final = 80
CHAINS, DRAWS, TUNED = 2, 600, 200
GOOD: Final = ((0.85, 0.1), (0.8, 0.15), (0.9, 0.05))
COMBINATIONS: Final = 4  # what two systems say of an item
MASS: Final = 0.95


@dataclass(frozen=True, kw_only=True)
class World:
    """Judges' recalls and false-positive rates.

    `shared` is how often all judges err by one and the same draw, `copies` how often each says what system A says.
    """

    name: str
    items: int = 1_000
    prevalence: float = 0.3
    judges: tuple[tuple[float, float], ...] = GOOD
    shared: float = 0.0
    copies: float = 0.0
    systems: tuple[tuple[float, float], ...] = ((0.8, 0.05), (0.7, 0.06))
    agreement: float = 0.7


WORLDS: Final = (
    World(name="three good judges"),
    World(name="300 items", items=300),
    World(name="10,000 items", items=10_000),
    World(name="five judges", judges=(*GOOD, (0.75, 0.1), (0.85, 0.2))),
    World(name="poor judges", judges=((0.7, 0.3), (0.65, 0.25), (0.75, 0.35))),
    World(name="near-perfect judges", judges=((0.98, 0.01), (0.97, 0.02), (0.99, 0.01))),
    World(name="5% positives", prevalence=0.05),
    World(name="near-perfect systems", systems=((0.97, 0.01), (0.95, 0.01))),
    World(name="strong agreement of systems", agreement=0.95),
    World(name="judges share 5% of their draws", shared=0.05),
    World(name="judges share 20% of their draws", shared=0.2),
    World(name="judges share half of their draws", shared=0.5),
    World(name="10,000 items, judges share 20%", items=10_000, shared=0.2),
    World(name="each judge copies A in 10% of the items", copies=0.1),
    World(name="each judge copies A in 30% of the items", copies=0.3),
)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What intervals of one world came to: coverage, mean width, and the mean error of the estimate."""

    name: str
    sets: int
    coverage: float
    width: float
    bias: float
    known: float  # the mean width with all labels known


def f1(joint: Floats) -> Floats:
    """Return the difference in F1 from the probabilities of classes and combinations, (..., 2, 4)."""
    negative, positive = joint[..., 0, :], joint[..., 1, :]
    found = []
    for yes in ([2, 3], [1, 3]):
        hits, alarms = positive[..., yes].sum(axis=-1), negative[..., yes].sum(axis=-1)
        found.append(2 * hits / (hits + alarms + positive.sum(axis=-1)))
    return np.asarray(found[0] - found[1])


def truth_of(world: World) -> Floats:
    """Return the probabilities of classes and combinations."""
    joint = np.empty((2, COMBINATIONS))
    for label in (0, 1):
        a, b = (rates[1 - label] for rates in world.systems)
        both = world.agreement * min(a, b) + (1 - world.agreement) * a * b
        share = world.prevalence if label else 1 - world.prevalence
        joint[label] = share * np.array([1 - a - b + both, b - both, a - both, both])
    return joint


def drawn(world: World, rng: np.random.Generator) -> tuple[Judged, Floats]:
    """Draw a test set: its patterns, and its table of the truth by combinations."""
    cells = rng.multinomial(world.items, truth_of(world).ravel())
    cell = np.repeat(np.arange(len(cells)), cells)
    label, other = cell // COMBINATIONS, cell % COMBINATIONS
    same = rng.random(world.items) < world.shared
    common = rng.random(world.items)
    said = []
    for recall, alarms in world.judges:
        own = np.where(same, common, rng.random(world.items))
        says = own < np.where(label == 1, recall, alarms)
        if world.copies:
            says = np.where(rng.random(world.items) < world.copies, other >= COMBINATIONS // 2, says)
        said.append(says)
    rows, counts = np.unique(np.column_stack([*said, other]).astype(int), axis=0, return_counts=True)
    unknown = np.full(len(rows), -1)
    judged = Judged(said=rows[:, :-1], other=rows[:, -1], counts=counts, classes=2, others=COMBINATIONS, known=unknown)
    return judged, cells.reshape(2, COMBINATIONS).astype(float)


def run(world: World, sets: int = SETS, seed: int = 1) -> Found:
    """Look at many test sets of a world."""
    rng = np.random.default_rng(seed)
    expected = float(f1(truth_of(world)))
    covered, widths, errors, known = 0, [], [], []
    for _ in range(sets):
        judged, table = drawn(world, rng)
        values = f1(gibbs(judged, chains=CHAINS, draws=DRAWS, tuned=TUNED, rng=rng).joint).ravel()
        low, high = np.quantile(values, [(1 - MASS) / 2, (1 + MASS) / 2])
        covered += low < expected < high
        widths.append(high - low)
        errors.append(values.mean() - expected)
        full = f1(rng.dirichlet(table.ravel() + 0.25, 2_000).reshape(-1, 2, COMBINATIONS))
        known.append(np.subtract(*np.quantile(full, [(1 + MASS) / 2, (1 - MASS) / 2])))
    return Found(
        name=world.name,
        sets=sets,
        coverage=covered / sets,
        width=float(np.mean(widths)),
        bias=float(np.mean(errors)),
        known=float(np.mean(known)),
    )


def page(found: list[Found]) -> str:
    """Write the page."""
    error = math.sqrt(MASS * (1 - MASS) / SETS)
    lines = [
        "# Coverage without true labels",
        "",
        "Generated by `make calibrate-latent` (`tests/calibration/latent.py`); a short version runs with the tests.",
        "",
        "[Dawid and Skene's model](questions/annotators.md#no-true-labels-at-all) infers the truth from judges that err independently. Each row is "
        f"{SETS} simulated test sets of two classes; 95% intervals of the",
        "difference in F1 of two systems whose errors are dependent. Unless stated: 1,000 items, 30% positives, three judges with recalls of .85, .80 and .90 "
        "and false-positive rates of .10,",
        f".15 and .05. The simulation error of a coverage of .95 is ±{error:.3f}.",
        "",
        "* *width*: of the interval, and with all true labels known;",
        "* *error*: the mean error of the estimate, in points.",
        "",
        "| world | coverage | width | with all labels | error |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {each.name} | {each.coverage:.3f} | {each.width:.3f} | {each.known:.3f} | {100 * each.bias:+.1f} |"
            for each in found
        ),
        "",
        "The last rows break the assumption: for a share of the items all judges err by one and the same draw, which biases the difference of these systems "
        "little, or each of them says what system A",
        "says, which favours A. The interval does not know it, and nothing in the data can tell; label some items to check.",
        "",
    ]
    return "\n".join(lines)


def kept() -> list[Found]:
    """Return what the full study found."""
    return [Found(**each) for each in json.loads(RESULTS.read_text(encoding="utf-8"))]


def main() -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=None)
    with ProcessPoolExecutor(parser.parse_args().jobs) as pool:
        parts = 8
        tasks = [(replace(world), seed) for world in WORLDS for seed in range(parts)]
        done = list(pool.map(run, [each for each, _ in tasks], [SETS // parts] * len(tasks), [s for _, s in tasks]))
    found = []
    for at, world in enumerate(WORLDS):
        own = done[at * parts : (at + 1) * parts]
        means = {
            name: float(np.mean([getattr(each, name) for each in own]))
            for name in ("coverage", "width", "bias", "known")
        }
        found.append(Found(name=world.name, sets=SETS, **means))
    RESULTS.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
