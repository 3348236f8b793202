"""Whether intervals of partly labelled test sets hold what they promise: `make calibrate-judged`, about ten minutes.

Test sets of which some items have a true label and all have a judge's: how often the 95% interval contains the true
difference, and how wide it is, beside the labelled items alone, prediction-powered inference (accuracy, random labels)
and the judge taken for the truth.
"""

import argparse
import json
import math
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from outclass import measures
from outclass.arrays import Counts, Floats
from outclass.data.classes import Classes
from outclass.data.partly_labelled import UNLABELLED, Judge, PartlyLabelled, partly_labelled
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.models.strata import Estimated
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "judged-coverage.md"
RESULTS = HERE / "results" / "judged.json"
SETS, DRAWS = 400, 2_000
MANY = 2_000_000  # items by which the true difference is found
PAIR = ("a", "b")
LEAST, MOST = 0.93, 0.97


@dataclass(frozen=True)
class World:
    """Two systems and a judge on a population of items.

    `judge` is its recall and false-positive rate (with many classes, how often it is right); `copies` how often it
    says what A says where A is wrong; `first` the share of labels spent on disagreements, 0 for random ones;
    `agreement` and `judged_alike` how far the systems and the judge find the same items hard; `sets` how many test sets.
    """

    name: str
    group: str = "judges"
    classes: int = 2
    items: int = 20_000
    labels: int = 200
    prevalence: float = 0.3
    recalls: tuple[float, float] = (0.80, 0.72)
    alarms: tuple[float, float] = (0.08, 0.08)
    judge: tuple[float, float] | None = (0.9, 0.05)
    copies: float = 0.0
    first: float = 0.0
    agreement: float = 0.5
    judged_alike: float = 0.0
    measure: str = "f1"
    sets: int = SETS


def population(world: World, items: int, rng: np.random.Generator) -> Counts:
    """Draw items: the truth, both systems' labels, and the judge's if there is one."""
    shared = rng.standard_normal(items)

    def luck(alike: float = world.agreement) -> Floats:
        own = rng.standard_normal(items)
        return np.asarray(ndtr(math.sqrt(alike) * shared + math.sqrt(1 - alike) * own))

    if world.classes == 2:
        truth = (rng.random(items) < world.prevalence).astype(int)
        said = [
            np.where(truth == 1, luck() < recall, luck() < alarm).astype(int)
            for recall, alarm in zip(world.recalls, world.alarms, strict=True)
        ]
        wrong = [1 - truth] * 3
    else:
        shares = 1 / np.arange(1, world.classes + 1)
        truth = rng.choice(world.classes, items, p=shares / shares.sum())
        # Some classes are harder; wrong labels are often the neighbour, which both systems take it for.
        ease = np.linspace(0.06, -0.06, world.classes)[truth]
        wrong = [
            np.where(
                rng.random(items) < 0.5,
                (truth + 1) % world.classes,
                (truth + rng.integers(1, world.classes, items)) % world.classes,
            )
            for _ in range(3)
        ]
        said = [np.where(luck() < recall + ease, truth, wrong[at]) for at, recall in enumerate(world.recalls)]
    if world.judge is None:
        return np.column_stack([truth, *said])
    right, alarm = world.judge
    if world.judged_alike:
        judge = (luck(world.judged_alike) < np.where(truth == 1, right, alarm)).astype(int)
        return np.column_stack([truth, *said, judge])
    judge = np.where(
        rng.random(items) < np.where(truth == 1, right, 1 - alarm if world.classes == 2 else right), truth, wrong[2]
    )
    if world.copies:
        judge = np.where((said[0] != truth) & (rng.random(items) < world.copies), said[0], judge)
    return np.column_stack([truth, *said, judge])


def labelled(world: World, rows: Counts, rng: np.random.Generator) -> np.ndarray:
    """Choose the items that are labelled: at random, or so many of them where the systems disagree."""
    chosen = np.zeros(len(rows), dtype=bool)
    if not world.first:
        chosen[rng.choice(len(rows), world.labels, replace=False)] = True
        return chosen
    apart = np.flatnonzero(rows[:, 1] != rows[:, 2])
    alike = np.flatnonzero(rows[:, 1] == rows[:, 2])
    many = min(round(world.first * world.labels), len(apart))
    chosen[rng.choice(apart, many, replace=False)] = True
    chosen[rng.choice(alike, min(world.labels - many, len(alike)), replace=False)] = True
    return chosen


def data_of(world: World, rows: Counts, chosen: np.ndarray) -> PartlyLabelled:
    """Count the items."""
    base = world.classes + 1
    truth = np.where(chosen, rows[:, 0], world.classes)
    key = truth
    for column in rows.T[1:]:
        key = key * base + column
    keys, counts = np.unique(key, return_counts=True)
    columns = []
    for _ in range(rows.shape[1]):
        columns.append(keys % base)
        keys = keys // base
    patterns = np.column_stack(columns[::-1])
    patterns[:, 0] = np.where(patterns[:, 0] == world.classes, UNLABELLED, patterns[:, 0])
    labels = tuple(range(world.classes))
    judges = [Judge("judge", tuple(map(str, labels)))] if world.judge is not None else []
    return partly_labelled(PAIR, labels, judges, patterns, counts)


def measure_of(world: World) -> Average:
    """Return the measure of a world."""
    if world.measure in averages.AVERAGES:
        return averages.AVERAGES[world.measure]
    return averages.of_label(measures.get(world.measure), 1)


def interval(units: object, measure: Average, seed: int, draws: int = DRAWS) -> tuple[float, Interval]:
    """Return the mean and the 95% HDI of the difference."""
    drawn = Weighted(units, PAIR, draws, seed, mass=None).values([measure])[measure.name]  # type: ignore[arg-type]
    law = Draws.iid(drawn[:, 0] - drawn[:, 1], Interval(-2, 2))
    return law.mean, law.hdi(0.95)


def value(world: World, rows: Counts, truth: int = 0) -> float:
    """Return the difference on items whose truth is known, in the column `truth`."""
    found = []
    labels = world.classes
    for column in (1, 2):
        table = np.bincount(rows[:, truth] * labels + rows[:, column], minlength=labels**2).reshape(labels, labels)
        right = np.diag(table).astype(float)
        fn, fp = table.sum(axis=1) - right, table.sum(axis=0) - right
        found.append(float(measure_of(world)(right, fp, fn, np.array(float(len(rows))))))
    return found[0] - found[1]


@cache
def true_difference(world: World) -> tuple[float, float]:
    """Return the true difference, and what the judge taken for the truth says, of very many items."""
    own = replace(world, name="", group="", items=0, labels=0, first=0.0, sets=0)
    if own != world:
        return true_difference(own)
    rows = population(world, MANY, np.random.default_rng(99))
    return value(world, rows), value(world, rows, 3) if world.judge is not None else math.nan


def powered(world: World, rows: Counts, chosen: np.ndarray) -> Interval:
    """Return the interval of prediction-powered inference with its tuned weight, for the difference in accuracy."""
    from ppi_py import ppi_mean_ci

    right = [(rows[:, column] == rows[:, 0]).astype(float) for column in (1, 2)]
    guess = [(rows[:, column] == rows[:, 3]).astype(float) for column in (1, 2)]
    true, judged = right[0] - right[1], guess[0] - guess[1]
    low, high = ppi_mean_ci(true[chosen], judged[chosen], judged[~chosen], alpha=0.05, lam=None)
    return Interval(float(np.ravel(low)[0]), float(np.ravel(high)[0]))


def plain(world: World, rows: Counts, chosen: np.ndarray, rng: np.random.Generator) -> Interval:
    """Return the interval of the plain recipe, in which strata stand alone: Dirichlet(N + 1/4), Beta(gold + 1/2)."""
    says = rows[:, 1:]
    stratum = says @ 2 ** np.arange(says.shape[1])[::-1]
    number = 2 ** says.shape[1]
    true = np.bincount(stratum[chosen], weights=rows[chosen, 0], minlength=number)
    known = np.bincount(stratum[chosen], minlength=number)
    size = rng.dirichlet(np.bincount(stratum, minlength=number) + 0.25, DRAWS)
    positive = size * rng.beta(true + 0.5, known - true + 0.5, (DRAWS, number))
    found = []
    for at in (1, 2):
        yes = (np.arange(number) >> (says.shape[1] - at)) & 1 == 1
        found.append(2 * positive[:, yes].sum(axis=1) / (size[:, yes].sum(axis=1) + positive.sum(axis=1)))
    return Draws.iid(found[0] - found[1], Interval(-2, 2)).hdi(0.95)


@dataclass(frozen=True)
class Found:
    """What a world's test sets showed."""

    world: str
    sets: int
    coverage: float
    width: float
    gold_coverage: float
    gold_width: float
    powered_coverage: float
    powered_width: float
    difference: float
    judge_alone: float
    plain_coverage: float = math.nan
    plain_width: float = math.nan

    @property
    def error(self) -> float:
        """The simulation error of the coverage."""
        return math.sqrt(max(self.coverage * (1 - self.coverage), 0.01) / self.sets)


def run(world: World, sets: int = SETS, draws: int = DRAWS) -> Found:
    """Simulate the test sets of a world."""
    true, alone = true_difference(world)
    measure = measure_of(world)
    found: dict[str, list[tuple[bool, float]]] = {"own": [], "gold": [], "powered": [], "plain": []}
    for seed in range(sets):
        rng = np.random.default_rng([7, seed])
        rows = population(world, world.items, rng)
        chosen = labelled(world, rows, rng)
        data = data_of(world, rows, chosen)
        _, own = interval(units_of(Estimated(data), PAIR), measure, seed, draws)
        found["own"].append((own.low <= true <= own.high, own.width))
        if world.judged_alike or world.name == SPARSE:
            other = plain(world, rows, chosen, rng)
            found["plain"].append((other.low <= true <= other.high, other.width))
        if world.first:
            continue  # the labelled items alone are no random sample
        try:
            _, gold = interval(units_of(Classes(data.outcomes), PAIR), measure, seed, draws)
        except InputError:  # none of the labelled items is positive
            gold = Interval(-1.0, 1.0)
        found["gold"].append((gold.low <= true <= gold.high, gold.width))
        if world.judge is not None and world.measure == "accuracy":
            other = powered(world, rows, chosen)
            found["powered"].append((other.low <= true <= other.high, other.width))
    means = {name: np.mean(each, axis=0) if each else np.full(2, math.nan) for name, each in found.items()}
    return Found(
        world=world.name,
        sets=sets,
        coverage=float(means["own"][0]),
        width=float(means["own"][1]),
        gold_coverage=float(means["gold"][0]),
        gold_width=float(means["gold"][1]),
        powered_coverage=float(means["powered"][0]),
        powered_width=float(means["powered"][1]),
        difference=true,
        judge_alone=alone,
        plain_coverage=float(means["plain"][0]),
        plain_width=float(means["plain"][1]),
    )


USELESS, POOR, GOOD, GREAT = (0.5, 0.5), (0.6, 0.3), (0.9, 0.05), (0.99, 0.005)
RARE = {"prevalence": 0.02, "alarms": (0.01, 0.01)}
FIVE = {"classes": 5, "recalls": (0.82, 0.76), "judge": (0.9, 0.0)}
MORE = 1_200  # sets of worlds whose coverage was near an end of what is promised
APART = {"recalls": (0.95, 0.55), "alarms": (0.02, 0.1), "sets": MORE}
ALIKE = {"recalls": (0.82, 0.76), "alarms": (0.05, 0.07), "agreement": 0.4, "judged_alike": 0.5, "sets": MORE}
TWENTY = {"classes": 20, "recalls": (0.82, 0.76), "judge": (0.9, 0.0)}
WORLDS = (
    World("no judge", judge=None, sets=MORE),
    World("useless judge", judge=USELESS),
    World("poor judge", judge=POOR),
    World("good judge"),
    World("near-perfect judge", judge=GREAT),
    World("judge copies 50% of A's errors", copies=0.5, sets=MORE),
    World("judge copies all of A's errors", copies=1.0, sets=MORE),
    World("50 labels", "labels", labels=50),
    World("50 labels, poor judge", "labels", labels=50, judge=POOR),
    World("50 labels, useless judge", "labels", labels=50, judge=USELESS),
    World("1,000 labels", "labels", labels=1_000),
    World("1,000 labels, poor judge", "labels", labels=1_000, judge=POOR, sets=MORE),
    World("2,000 labels, near-perfect judge", "labels", labels=2_000, judge=GREAT),
    World("50 of 1,000 items", "items", items=1_000, labels=50),
    World("200 of 1,000 items, poor judge", "items", items=1_000, judge=POOR),
    World("2,000 of 100,000 items", "items", items=100_000, labels=2_000),
    World("200 of 100,000 items", "items", items=100_000),
    World("half disagreements, no judge", "designs", first=0.5, judge=None, sets=MORE),
    World("half disagreements, useless judge", "designs", first=0.5, judge=USELESS),
    World("half disagreements, poor judge", "designs", first=0.5, judge=POOR),
    World("half disagreements, good judge", "designs", first=0.5),
    World("half disagreements, 50 labels", "designs", first=0.5, labels=50),
    World("half disagreements, copies A's errors", "designs", first=0.5, copies=0.5),
    World("90% disagreements", "designs", first=0.9),
    World("half disagreements, 1,000 labels, poor judge", "designs", first=0.5, labels=1_000, judge=POOR),
    World("accuracy", "measures", measure="accuracy"),
    World("accuracy, useless judge", "measures", measure="accuracy", judge=USELESS),
    World("accuracy, near-perfect judge", "measures", measure="accuracy", judge=GREAT),
    World("accuracy, 2,000 labels", "measures", measure="accuracy", labels=2_000),
    World("recall", "measures", measure="recall"),
    World("precision, poor judge", "measures", measure="precision", judge=POOR, sets=MORE),
    World("2% positives, 200 labels", "prevalence", **RARE),
    World("2% positives, 1,000 labels", "prevalence", labels=1_000, **RARE),
    World("2% positives, half disagreements", "prevalence", first=0.5, **RARE),
    World("2% positives, 1,000 labels, poor judge", "prevalence", labels=1_000, judge=POOR, **RARE),
    World("10% positives", "prevalence", prevalence=0.1, alarms=(0.03, 0.03)),
    World("50% positives", "prevalence", prevalence=0.5),
    World("50% positives, half disagreements, poor judge", "prevalence", prevalence=0.5, first=0.5, judge=POOR),
    World("5 classes, accuracy", "classes", measure="accuracy", **FIVE),
    World("5 classes, macro-F1", "classes", measure="macro_f1", **FIVE),
    World("5 classes, macro-F1, half disagreements", "classes", measure="macro_f1", first=0.5, **FIVE),
    World("5 classes, macro-F1, 1,000 labels", "classes", measure="macro_f1", labels=1_000, **FIVE),
    World("20 classes, accuracy", "classes", measure="accuracy", **TWENTY),
    World("20 classes, accuracy, 50 labels", "classes", measure="accuracy", labels=50, **TWENTY),
    World("20 classes, accuracy, half disagreements", "classes", measure="accuracy", first=0.5, **TWENTY),
    World("20 classes, accuracy, poor judge", "classes", measure="accuracy", **(TWENTY | {"judge": (0.5, 0.0)})),
    World("20 classes, macro-F1", "classes", measure="macro_f1", **TWENTY),
    World("20 classes, macro-F1, 2,000 labels", "classes", measure="macro_f1", labels=2_000, **TWENTY),
    World("far apart, no judge", "apart", judge=None, **APART),
    World("far apart", "apart", **APART),
    World("far apart, 50 labels, no judge", "apart", labels=50, judge=None, **APART),
    World("far apart, 50 labels, poor judge", "apart", labels=50, judge=POOR, **APART),
    World("hard for all, no judge", "alike", judge=None, **ALIKE),
    World("hard for all", "alike", **ALIKE),
    World("hard for all, half disagreements, no judge", "alike", first=0.5, judge=None, **ALIKE),
    World("hard for all, half disagreements", "alike", first=0.5, **ALIKE),
    World("hard for all, better judge", "alike", **(ALIKE | {"judge": (0.98, 0.01)})),
    World("hard for all, poor judge", "alike", **(ALIKE | {"judge": POOR})),
)
SPARSE = "far apart, 50 labels, poor judge"  # where strata that stand alone do not cover
# The widths that a worked example gives for its recipe, by the rows of these names.
WORKED = {
    "hard for all, no judge": ("200 at random, no judge", ".164"),
    "hard for all": ("200 at random, judge", ".128"),
    "hard for all, half disagreements, no judge": ("100 disagreements, 100 others, no judge", ".094"),
    "hard for all, half disagreements": ("100 disagreements, 100 others, judge", ".072"),
    "hard for all, better judge": ("200 at random, judge of 98% and 1%", ".102"),
}


FEWER_SETS = 150  # of many classes, which take long


def sets_of(world: World) -> int:
    """Return how many test sets the full study simulates."""
    return FEWER_SETS if world.classes > 5 else world.sets


def page(found: list[Found]) -> str:
    """Write the page."""
    rows = []
    by_name = {each.world: each for each in found}
    for world in WORLDS:
        each = by_name[world.name]
        rows.append(
            f"| {each.world} | {each.sets:,} | {each.coverage:.3f} ± {each.error:.3f} | {each.width:.3f} "
            f"| {_number(each.gold_coverage)} | {_number(each.gold_width)} "
            f"| {_number(each.powered_coverage)} | {_number(each.powered_width)} "
            f"| {each.difference:+.3f} | {_signed(each.judge_alone)} | {_signed(each.judge_alone - each.difference)} |"
        )
    both = [each for each in found if math.isfinite(each.gold_width)]
    saved = float(np.mean([each.width / each.gold_width for each in both]))
    low, high = min(found, key=lambda each: each.coverage), max(found, key=lambda each: each.coverage)
    wide = [each.world for each in found if each.coverage > MOST + 2 * each.error]
    worst = max(
        (each for each in found if math.isfinite(each.judge_alone)), key=lambda e: abs(e.judge_alone - e.difference)
    )
    head = HEAD.format(items=WORLDS[0].items, draws=DRAWS)
    told = TOLD.format(
        low=low.coverage,
        low_world=low.world,
        high=high.coverage,
        high_world=high.world,
        saved=saved,
        wide=", ".join(wide) or "none",
        narrow=", ".join(each.world for each in found if each.coverage < LEAST) or "none",
        worst=worst.judge_alone - worst.difference,
        worst_world=worst.world,
    )
    return f"{head}\n" + "\n".join(rows) + f"\n\n{told}\n{worked(by_name)}"


def worked(found: dict[str, Found]) -> str:
    """Write the worked example: its widths, those of its recipe in these worlds, and ours."""
    first = found["hard for all"]
    rows = [f"| 200 at random, labelled items alone | .188 | | | {first.gold_coverage:.3f} | {first.gold_width:.3f} |"]
    for name, (title, width) in WORKED.items():
        each = found[name]
        rows.append(
            f"| {title} | {width} | {each.plain_coverage:.3f} | {each.plain_width:.3f} "
            f"| {each.coverage:.3f} | {each.width:.3f} |"
        )
    sparse = found[SPARSE]
    return EXAMPLE.format(
        sets=first.sets,
        difference=first.difference,
        alone=first.judge_alone,
        rows="\n".join(rows),
        sparse=SPARSE,
        plain=sparse.plain_coverage,
        own=sparse.coverage,
    )


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _signed(value: float) -> str:
    return "" if math.isnan(value) else f"{value:+.3f}"


HEAD = """# Coverage with few labels and judges

Generated by `make calibrate-judged` (`tests/calibration/judged.py`); a short version runs with the tests.

Two systems with recalls of .80 and .72 and false-positive rates of .08, 30% positives, {items:,} items of which 200 are labelled, and a judge with recall .90 and
false-positive rate .05 that labels all items. The other rows change what they name. Poor judges have .60 and .30, useless ones .50 and .50, near-perfect ones .99 and .005.
With many classes the systems are right on .82 and .76 of the items. Far apart, recalls are .95 and .55 and false-positive rates .02 and .10. *Hard for all*: the judge finds
the same items hard as the systems do (below). {draws:,} draws per test set, 95% HDI of the difference in F1 unless stated.

* *sets*: simulated test sets; *coverage*: share of intervals that contain the true difference, with its simulation error; *width*: their mean width;
* *labelled alone*: the same with the labelled items only, where they are a random sample;
* *PPI*: prediction-powered inference (Angelopoulos et al. 2023, power-tuned), for accuracy with random labels;
* *judge alone*: the difference if the judge's label is taken for the truth of all items, and *bias*, how far off that is. More items do not reduce it.

| world | sets | coverage | width | labelled alone: coverage | width | PPI: coverage | width | true difference | judge alone | bias |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""
TOLD = """The lowest coverage is {low:.3f} ({low_world}), the highest {high:.3f} ({high_world}). Intervals are on average {saved:.2f} times as wide as those of the labelled items alone.

Coverage is below .93 in: {narrow}. With fewer than 15 labels on items where the systems differ, OC700 says that the result depends on the prior.

Coverage is above .97 in: {wide}. There few of the labelled items show an error of the judge or the rare class, and the prior, which allows for what was not seen, makes the interval
wide. A finding (OC705) says so. With a near-perfect judge, prediction-powered inference is much narrower for accuracy: it trusts that errors that were not seen do not exist.

Rows use the same seeds, so that their coverages go up and down together: where the labelled items alone are at .93, so are others.

A judge taken for the truth is biased by up to {worst:+.3f} ({worst_world}), whatever the number of items.
"""
EXAMPLE = """## Strata that stand alone

The plain recipe has no pooling: sizes of strata are Dirichlet(N + 1/4), the truth within one Beta(labelled + 1/2). A worked example gave its widths for two systems
whose F1 differs by .057, with a judge that alone says .040, in 1,500 sets. It did not say which systems; recalls of .82 and .76 and false-positive rates of .05 and .07, with a judge that finds the
same items hard (correlation of the latent scores .4 between the systems, .45 with the judge), come to the same: a difference of {difference:.3f}, and {alone:.3f} by the judge alone. {sets:,} sets
per row:

| labels | worked example: width | plain recipe: coverage | width | outclass: coverage | width |
|---|---:|---:|---:|---:|---:|
{rows}

Pooling costs width where the judge is good and labels are random. It keeps the interval valid where labels are few and the judge is poor: in {sparse}, the plain
recipe covers {plain:.3f}, outclass {own:.3f}.
"""


def kept() -> list[Found]:
    """Return what the full study found."""
    return [Found(**each) for each in json.loads(RESULTS.read_text(encoding="utf-8"))]


def main() -> None:
    """Run the study and write the page; with --world, the rows of some worlds alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", action="append", default=[])
    wanted = parser.parse_args().world
    old = {each.world: each for each in kept()} if wanted and RESULTS.exists() else {}
    found = []
    for world in WORLDS:
        if wanted and world.name not in wanted and world.name in old:
            found.append(old[world.name])
            continue
        found.append(run(world, sets_of(world)))
        print(found[-1], flush=True)
    RESULTS.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
