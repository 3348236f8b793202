"""Whether intervals of runs crossed with items hold: `make calibrate-runs`, about ten minutes.

Worlds with known systems: a run's quality varies around its system's, an item is hard for all runs, for the runs of one
system, or for one run. How often the 95% interval of the difference holds the true one, beside those of who averages
runs and takes items as all there is to chance (naive), and who resamples items and runs (pigeonhole).

What items do to the runs' values comes from influence functions, as the weights on items give it in large samples; the
spread between runs is the library's own. A few worlds are asked with `compare` itself.
"""

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for small matrices threads cost more than they bring

import numpy as np
from scipy import special

import outclass as oc
from outclass.arrays import Floats
from outclass.models.run_spread import WIDEST, SpreadGrid, of_pairs, within

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "runs-coverage.md"
RESULTS = HERE / "results" / "runs.json"
SETS, FITTED, DRAWS = 1_000, 400, 3_000
CLASSES = np.array([0.4, 0.3, 0.2, 0.1])
POSITIVES = 0.3
SHARED, OWN, EACH = np.sqrt([0.5, 0.3, 0.2])  # what makes an item hard: for all, for a system, for a run
NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
MEASURES = ("accuracy", "f1", "macro_f1")


@dataclass(frozen=True)
class World:
    """Two systems: how many runs each, how many items, and the standard deviations between their runs."""

    measure: str
    items: int
    runs: tuple[int, int]
    spreads: tuple[float, float]
    level: float = 0.85
    gap: float = 0.02
    seeds: float = 0.0  # a spread that runs at the same place share
    name: str = ""


GRID = tuple(
    World(measure, items, (runs, runs), (spread, spread))
    for measure in MEASURES
    for runs in (2, 3, 5, 10, 20)
    for items in (300, 1_000, 5_000)
    for spread in (0.0, 0.01, 0.02, 0.04)
)
OTHERS = (
    World("accuracy", 1_000, (5, 5), (0.04, 0.005), name="one system varies eight times as much, 5 runs each"),
    World("accuracy", 1_000, (3, 3), (0.04, 0.005), name="the same, 3 runs each"),
    World("accuracy", 1_000, (3, 6), (0.04, 0.01), name="3 runs that vary more, 6 that vary less"),
    World("accuracy", 1_000, (6, 3), (0.04, 0.01), name="6 runs that vary more, 3 that vary less"),
    World("accuracy", 1_000, (3, 10), (0.02, 0.02), name="3 and 10 runs, equal spreads"),
    World("accuracy", 1_000, (1, 5), (0.01, 0.01), name="1 and 5 runs, equal spreads"),
    World("accuracy", 50, (5, 5), (0.02, 0.02), name="50 items"),
    World("accuracy", 1_000, (5, 5), (0.01, 0.01), seeds=0.03, name="paired: seeds vary by 3 points, runs by 1"),
    World("accuracy", 1_000, (3, 3), (0.01, 0.01), seeds=0.03, name="the same, 3 runs each"),
)
ASKED = (
    World("accuracy", 300, (3, 3), (0.01, 0.01), name="3 runs, 300 items"),
    World("f1", 300, (5, 5), (0.02, 0.02), name="5 runs, 300 items, F1"),
    World("accuracy", 300, (5, 5), (0.002, 0.002), level=0.99, gap=0.003, name="near-perfect: accuracy .99 ± .002"),
    World("accuracy", 300, (5, 5), (0.0, 0.0), level=0.99, gap=0.0, name="near-perfect, runs do not vary"),
    World("accuracy", 300, (3, 3), (0.004, 0.004), level=0.99, gap=0.003, name="near-perfect: .99 ± .004, 3 runs"),
    World(
        "accuracy", 100, (10, 10), (0.002, 0.002), level=0.98, gap=0.015, name="100 items, .995 and .98, 10 runs each"
    ),
)


# --- worlds ----------------------------------------------------------------------------------------------------------


def f1_of(quality: Floats) -> Floats:
    """Return F1 of a run that finds this share of the positives, by the probit of it, and of the negatives 1 more."""
    recall, alarms = special.ndtr(quality), special.ndtr(-quality - 1)
    return np.asarray(2 * POSITIVES * recall / (POSITIVES * (1 + recall) + (1 - POSITIVES) * alarms))


def macro_of(accuracy: Floats) -> Floats:
    """Return macro-F1 of a run with this accuracy in every class, whose errors are spread evenly over the others."""
    right = np.asarray(accuracy)[..., None]
    found = CLASSES * right + (1 - CLASSES) * (1 - right) / (len(CLASSES) - 1)
    return np.asarray((2 * CLASSES * right / (CLASSES + found)).mean(axis=-1))


def measured(world: World, quality: Floats) -> Floats:
    """Return the true measure of runs by their quality, a probit."""
    if world.measure == "f1":
        return f1_of(quality)
    accuracy = special.ndtr(quality)
    return accuracy if world.measure == "accuracy" else macro_of(accuracy)


@cache
def qualities(world: World) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Return the mean and the spread of the quality of each system's runs, and the true difference of the systems."""
    centres, scales, truths = [], [], []
    for spread, level in zip(world.spreads, (world.level + world.gap, world.level), strict=True):
        low, high = -3.0, 5.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if measured(world, np.array(middle)) < level else (low, middle)
        slope = (measured(world, np.array(middle + 1e-4)) - measured(world, np.array(middle - 1e-4))) / 2e-4
        total = np.hypot(spread, world.seeds) / float(slope)
        weights = NODE_WEIGHTS / NODE_WEIGHTS.sum()
        centres.append(middle)
        scales.append(spread / float(slope))
        truths.append(float(weights @ measured(world, middle + total * NODES)))
    return (centres[0], centres[1]), (scales[0], scales[1]), truths[0] - truths[1]


def right_answers(world: World, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the truth of the items, and which of them each run gets right, (runs of both, items)."""
    centres, scales, _ = qualities(world)
    items = world.items
    truth = rng.random(items) < POSITIVES if world.measure == "f1" else rng.choice(len(CLASSES), items, p=CLASSES)
    easier = np.where(truth, 0.0, 1.0) if world.measure == "f1" else 0.0
    shared = rng.standard_normal(items, dtype=np.float32)
    slope = scales[0] / world.spreads[0] if world.spreads[0] else 0.0
    seeds = rng.normal(0, world.seeds * slope, max(world.runs)) if world.seeds else np.zeros(max(world.runs))
    found = []
    for runs, centre, scale in zip(world.runs, centres, scales, strict=True):
        quality = centre + scale * rng.standard_normal(runs) + seeds[:runs]
        own = SHARED * shared + OWN * rng.standard_normal(items, dtype=np.float32)
        noise = EACH * rng.standard_normal((runs, items), dtype=np.float32)
        found.append(own + noise + (quality[:, None] + easier) > 0)
    return truth, np.vstack(found)


def labelled(world: World, truth: np.ndarray, right: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the labels that runs predict: wrong ones are any of the others, which does not matter to accuracy."""
    if world.measure == "accuracy":
        return np.where(right, truth, -1)
    if world.measure == "f1":
        return np.asarray(right == truth)
    other = (truth + rng.integers(1, len(CLASSES), right.shape, dtype=np.int8)) % len(CLASSES)
    return np.where(right, truth, other)


def influences(world: World, truth: np.ndarray, said: np.ndarray) -> tuple[Floats, Floats]:
    """Return the measure of each run, and what each item adds to it."""
    if world.measure == "accuracy":
        right = (said == truth).astype(np.float32)
        return right.mean(axis=1), right - right.mean(axis=1, keepdims=True)
    values, parts = 0.0, 0.0
    labels = [1] if world.measure == "f1" else range(len(CLASSES))
    for label in labels:
        true, own = truth == label, said == label
        above, below = np.float32(2) * (true & own), true.astype(np.float32) + own
        value = above.sum(axis=1) / below.sum(axis=1)
        values = values + value / len(labels)
        parts = parts + (above - value[:, None] * below) / below.mean(axis=1, keepdims=True) / len(labels)
    return np.asarray(values), np.asarray(parts)


# --- intervals -------------------------------------------------------------------------------------------------------


def intervals(
    world: World, values: Floats, covariance: Floats, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """Return the library's interval, the naive one and that of the pigeonhole."""
    a, b = world.runs
    places = [np.arange(a), a + np.arange(b)]
    weights = np.concatenate([np.full(a, 1 / a), np.full(b, -1 / b)])
    centre, items = float(weights @ values), float(weights @ covariance @ weights)
    squares = [within(values[own], covariance[np.ix_(own, own)]) for own in places]
    if world.seeds:
        rest, _ = of_pairs(values.reshape(2, -1), covariance)
        spread = np.repeat(SpreadGrid.of([rest], WIDEST).drawn([rest], DRAWS, rng), 2, axis=1)
    else:
        spread = SpreadGrid.of(squares, WIDEST).drawn(squares, DRAWS, rng)
    std = np.sqrt(items + spread[:, 0] ** 2 / a + spread[:, 1] ** 2 / b)
    yield tuple(centre + np.quantile(std * rng.standard_normal(DRAWS), [0.025, 0.975]))
    yield centre - 1.96 * np.sqrt(items), centre + 1.96 * np.sqrt(items)
    root = np.linalg.cholesky(covariance + 1e-5 * np.trace(covariance) / len(values) * np.eye(len(values)))
    worlds = values + rng.standard_normal((DRAWS // 4, len(values))) @ root.T
    picked = [
        worlds[:, own] * rng.multinomial(len(own), np.full(len(own), 1 / len(own)), len(worlds)) for own in places
    ]
    found = picked[0].sum(axis=1) / a - picked[1].sum(axis=1) / b
    yield tuple(np.quantile(found, [0.025, 0.975]))


@dataclass(frozen=True)
class Held:
    """How often intervals held the truth: the library's, the naive one's, the pigeonhole's; and how wide they are."""

    world: World
    sets: int
    coverage: float
    naive: float
    pigeonhole: float
    width: float
    naive_width: float


def held(world: World, sets: int = SETS, seed: int = 1) -> Held:
    """Draw many data sets of a world."""
    rng = np.random.default_rng([seed, world.items, *world.runs, round(1e4 * sum(world.spreads))])
    truth_is = qualities(world)[2]
    inside, widths = np.zeros(3), np.zeros(3)
    for _ in range(sets):
        truth, right = right_answers(world, rng)
        values, parts = influences(world, truth, labelled(world, truth, right, rng))
        covariance = parts @ parts.T / world.items / (world.items - 1)
        for at, (low, high) in enumerate(intervals(world, values, covariance, rng)):
            inside[at] += low <= truth_is <= high
            widths[at] += (high - low) / sets
    found = (inside / sets).tolist()
    return Held(world, sets, *found, float(widths[0]), float(widths[1]))


def asked(world: World, sets: int = FITTED, seed: int = 1) -> Held:
    """Ask `compare`."""
    rng = np.random.default_rng([seed, 7])
    truth_is = qualities(world)[2]
    inside, widths = np.zeros(2), np.zeros(2)
    for _ in range(sets):
        truth, right = right_answers(world, rng)
        said = labelled(world, truth, right, rng).astype(int)
        both = {"a": said[: world.runs[0]], "b": said[world.runs[0] :]}
        positive = {"positive": 1} if world.measure == "f1" else {}
        for at, model in enumerate(("crossed", "fixed")):
            row = oc.compare(truth.astype(int), both, measure=world.measure, model=model, draws=5_000, **positive).only
            inside[at] += row.difference.hdi.low <= truth_is <= row.difference.hdi.high
            widths[at] += row.difference.hdi.width / sets
    crossed, naive = (inside / sets).tolist()
    return Held(world, sets, crossed, naive, float("nan"), float(widths[0]), float(widths[1]))


# --- the page --------------------------------------------------------------------------------------------------------


def kept() -> tuple[list[Held], list[Held], list[Held]]:
    """Return what the full study found."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    return tuple([_read(each) for each in found[part]] for part in ("grid", "others", "asked"))  # type: ignore[return-value]


def _read(plain: dict) -> Held:
    own = dict(plain["world"])
    world = World(**{**own, "runs": tuple(own["runs"]), "spreads": tuple(own["spreads"])})
    rest = {name: float("nan") if value is None else value for name, value in plain.items() if name != "world"}
    return Held(**{**rest, "world": world})


TITLES = {"accuracy": "accuracy", "f1": "F1", "macro_f1": "macro-F1"}
HEAD = """# Coverage of runs

Generated by `make calibrate-runs` (`tests/calibration/runs.py`); a short version runs with the tests. What the numbers mean for your
experiment is on [Is it the method, or this run?](questions/runs.md).

Two systems of about .85 that truly differ by 2 points, each trained several times. Items are hard for all runs, for the runs of one system, or for
one run. The table has the share of 95% intervals that contain the difference between the *systems*, which is what another run on other items would show:

* **crossed**: the interval of `compare`;
* *naive*: runs are averaged, and only items are a sample (`--model fixed`);
* *pigeonhole*: items and runs are both resampled (Owen 2007).

A system with two runs has finding OC650. """


def page(grid: list[Held], others: list[Held], of_compare: list[Held]) -> str:
    """Write the page."""
    sets = grid[0].sets
    told = [
        HEAD
        + f"{sets:,} simulated data sets per cell, so that a coverage of .95 has a standard error of {np.sqrt(0.0475 / sets):.3f}.",
        "",
    ]
    lowest = min((each for each in grid if each.world.runs[0] > 2), key=lambda each: each.coverage)
    highest = max((each for each in grid if each.world.runs[0] > 2), key=lambda each: each.coverage)
    least = min((each for each in grid if each.world.runs[0] == 2), key=lambda each: each.coverage)
    told += [
        f"With 3 to 20 runs, coverage lies between {lowest.coverage:.3f} and {highest.coverage:.3f}; with two, it is at "
        f"least {least.coverage:.3f}. The naive interval covers as little as {min(each.naive for each in grid):.2f}, the "
        f"pigeonhole {min(each.pigeonhole for each in grid):.2f} to {max(each.pigeonhole for each in grid):.2f}.",
        "",
    ]
    for measure in MEASURES:
        told += [f"## {TITLES[measure][:1].upper()}{TITLES[measure][1:]}", ""]
        told += ["Crossed, *naive*, *pigeonhole*, by the standard deviation between runs in points.", ""]
        spreads = list(dict.fromkeys(each.world.spreads[0] for each in grid))
        told += ["| runs | items | " + " | ".join(f"{100 * each:g}" for each in spreads) + " |"]
        told += ["|---:|---:|" + "---|" * len(spreads)]
        own = [each for each in grid if each.world.measure == measure]
        for runs, items in dict.fromkeys((each.world.runs[0], each.world.items) for each in own):
            cells = [each for each in own if (each.world.runs[0], each.world.items) == (runs, items)]
            row = " | ".join(f"**{each.coverage:.3f}** *{each.naive:.2f}* *{each.pigeonhole:.2f}*" for each in cells)
            told += [f"| {runs} | {items:,} | {row} |"]
        told += [""]
    told += ["## Other worlds", "", "Accuracy, 1,000 items unless stated.", ""]
    told += ["| world | crossed | naive | pigeonhole | width | of naive |", "|---|---:|---:|---:|---:|---:|"]
    told += [
        f"| {each.world.name} | {each.coverage:.3f} | {each.naive:.3f} | {each.pigeonhole:.3f} | {each.width:.3f} | "
        f"{each.naive_width:.3f} |"
        for each in others
    ]
    told += ["", "## Asked with `compare`", ""]
    told += [
        f"The tables above take from influence functions what items do to the runs' values. Here `compare` itself is asked, with its weights on items, "
        f"{of_compare[0].sets} data sets per row (standard error {np.sqrt(0.0475 / of_compare[0].sets):.3f}).",
        "",
        "| world | crossed | naive | width | of naive |",
        "|---|---:|---:|---:|---:|",
    ]
    told += [
        f"| {each.world.name} | {each.coverage:.3f} | {each.naive:.3f} | {each.width:.3f} | {each.naive_width:.3f} |"
        for each in of_compare
    ]
    return "\n".join(told) + "\n"


def _plain(held_: Held) -> dict:
    return {name: None if value != value else value for name, value in asdict(held_).items()}


def main() -> None:
    """Run the study, or the part that is named, and write the page when all parts are there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=[*MEASURES, "others", "asked"], action="append")
    wanted = parser.parse_args().part or [*MEASURES, "others", "asked"]
    found = (
        json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"grid": [], "others": [], "asked": []}
    )
    for part in wanted:
        if part == "others":
            found["others"] = [_plain(held(each)) for each in OTHERS]
        elif part == "asked":
            found["asked"] = [_plain(asked(each)) for each in ASKED]
        else:
            rest = [each for each in found["grid"] if each["world"]["measure"] != part]
            new = [_plain(held(each)) for each in GRID if each.measure == part]
            found["grid"] = sorted([*rest, *new], key=lambda each: MEASURES.index(each["world"]["measure"]))
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if all(found.values()) and len(found["grid"]) == len(GRID):
        PAGE.write_text(page(*kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
