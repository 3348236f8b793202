"""Which prior holds its promise: `make calibrate`; docs/matched.md, from which the matched prior's pseudo-counts come.

Two classifiers with correlated latent scores, over a grid of prevalence, correlation, items and gaps. For each
pseudo-count per cell: how often the 95% HDI holds the true difference, and how often it excludes zero; beside it the
permutation test. The same for one system's own measure, up to an F1 of .999, and for two test sets. With CuPy and a GPU
it takes a minute, with NumPy alone an hour.
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from outclass import measures
from outclass.measures.measure import Cells, Measure
from outclass.models.prior import UNPAIRED

try:
    import cupy as xp  # type: ignore[import-not-found]  # on a machine with a GPU
except ImportError:
    xp = np

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "matched.md"
RESULTS = HERE / "results" / "matched.json"
COUNTS = {
    "paired": (1.0, 1 / 2, 3 / 8, 1 / 3, 1 / 4, 1 / 8),
    "own": (1.0, 1 / 2, 1 / 3, 1 / 4),
    "unpaired": (1.0, 1 / 2, 1 / 4),
}
NAMES = {1.0: "1", 1 / 2: "1/2", 3 / 8: "3/8", 1 / 3: "1/3", 1 / 4: "1/4", 1 / 8: "1/8"}
SWAPS = 2_000
FEWEST = 100  # items, from which on a prior is judged
ASKED = [*measures.MEASURES.values(), measures.get("f2"), measures.get("f0.5")]


@dataclass(frozen=True)
class Line:
    """One measure under one prior (or test), over all worlds of a kind."""

    kind: str
    measure: str
    count: float | None  # pseudo-count per cell; None is the permutation test
    worlds: int
    sets: int
    error: float  # mean |coverage - .95|
    lowest: float
    power: float
    alarms: float


def chosen(kind: str, measure: Measure) -> float:
    """Return the pseudo-count that outclass takes."""
    return {"paired": measure.pseudo_count, "own": 1 / len(measure.errors), "unpaired": UNPAIRED}[kind]


def shares(prevalence: float, rho: float, rates: tuple[tuple[float, float], tuple[float, float]]) -> np.ndarray:
    """Return the eight cells of two classifiers whose latent scores are correlated within each class."""
    parts = []
    for share, (a, b) in zip((prevalence, 1 - prevalence), rates, strict=True):
        both = float(stats.multivariate_normal.cdf(stats.norm.ppf([a, b]), cov=[[1, rho], [rho, 1]]))
        parts += [share * both, share * (a - both), share * (b - both), share * (1 - a - b + both)]
    found = np.clip(parts, 0, None)
    return found / found.sum()


def value(measure: Measure, cells: Cells) -> Any:
    """Return a measure of tables on whatever device they are."""
    total = cells.tp + cells.fp + cells.fn + cells.tn
    cells = Cells(*(each / total for each in cells))
    if measure.function is not None:
        return measure.function(*cells)
    assert measure.ratio is not None
    top, bottom = measure.ratio(cells.tp + cells.fn, cells.fp + cells.tn)
    return sum(c * each for c, each in zip(top, cells, strict=True)) / sum(
        c * each for c, each in zip(bottom, cells, strict=True)
    )


def both(cells: Any) -> tuple[Cells, Cells]:
    """Return the tables of A and of B from eight cells on the first axis."""
    pp, pa, pb, pn, np_, na, nb, nn = cells
    return Cells(pp + pa, np_ + na, pb + pn, nb + nn), Cells(pp + pb, np_ + nb, pa + pn, na + nn)


def shortest(values: Any) -> tuple[Any, Any]:
    """Return the ends of the shortest intervals that hold 95% of each row."""
    ordered = xp.sort(xp.nan_to_num(values), axis=1)
    inside = math.ceil(0.95 * ordered.shape[1])
    start = xp.argmin(ordered[:, inside - 1 :] - ordered[:, : ordered.shape[1] - inside + 1], axis=1)[:, None]
    take = xp.take_along_axis
    return take(ordered, start, 1)[:, 0], take(ordered, start + inside - 1, 1)[:, 0]


def gammas(counts: Any, count: float, draws: int) -> Any:
    """Draw weights of cells, (cells, sets, draws), with a pseudo-count of each."""
    return xp.stack([xp.random.gamma(each[:, None] + count, size=(len(each), draws)) for each in counts])


Found = dict[tuple[str, float | None], list[tuple[float, float, bool]]]  # coverage, alarms, and whether there is a gap


def seen(found: Found, key: tuple[str, float | None], differences: Any, truth: float, *, gap: bool) -> None:
    low, high = shortest(differences)
    held = float(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean())
    found[key].append((held, float(((low > 0) | (high < 0)).mean()), gap))


def paired_worlds() -> Iterator[tuple[int, bool, np.ndarray]]:
    """Yield items, whether there is a gap, and the shares of the eight cells."""
    for prevalence, rho, items, gap in product(
        (0.05, 0.2, 0.35, 0.5), (0.3, 0.7, 0.95), (100, 200, 500, 1_000, 2_000), (False, True)
    ):
        rates = ((0.8, 0.72), (0.05, 0.06)) if gap else ((0.8, 0.8), (0.06, 0.06))
        yield items, gap, shares(prevalence, rho, rates)


def counted(items: int, cells: np.ndarray, sets: int, rng: np.random.Generator, classes: np.ndarray) -> Any:
    """Draw test sets that have both classes, (cells, sets)."""
    counts = rng.multinomial(items, cells, sets)
    kept = (counts[:, classes].sum(axis=1) > 0) & (counts[:, ~classes].sum(axis=1) > 0)
    return xp.asarray(counts[kept].T.astype(float))


def paired(found: Found, sets: int, draws: int, rng: np.random.Generator) -> None:
    """Differences on one test set, and the permutation test beside them."""
    positive = np.arange(8) < 4
    for items, gap, cells in paired_worlds():
        truths = {each.name: float(np.subtract(*(each(*table) for table in both(cells)))) for each in ASKED}
        counts = counted(items, cells, sets, rng, positive)
        for count in COUNTS["paired"]:
            a, b = both(gammas(counts, count, draws))
            for each in ASKED:
                seen(found, (each.name, count), value(each, a) - value(each, b), truths[each.name], gap=gap)
        swapped = xp.broadcast_to(counts[:, :, None], (*counts.shape, SWAPS)).copy()
        for first in (1, 5):
            apart = counts[first] + counts[first + 1]
            own = xp.random.binomial(apart[:, None].astype(int), 0.5, (len(apart), SWAPS))
            swapped[first], swapped[first + 1] = own, apart[:, None] - own
        for each in ASKED:
            spread, at = (abs(xp.nan_to_num(value(each, a) - value(each, b))) for a, b in (both(swapped), both(counts)))
            alarms = float(((spread >= at[:, None] - 1e-9).mean(axis=1) <= 0.05).mean())
            found[each.name, None].append((math.nan, alarms, gap))


def own(found: Found, sets: int, draws: int, rng: np.random.Generator) -> None:
    """One system's own measure, up to an F1 of .999."""
    for prevalence, f1, items, missed in product(
        (0.02, 0.1, 0.5), (0.8, 0.95, 0.98, 0.99, 0.996, 0.999), (100, 300, 1_000, 10_000), (0.1, 0.5, 0.9)
    ):
        wrong = 2 * prevalence * (1 - f1) / f1 / (1 + 2 * missed * (1 - f1) / f1)
        if wrong * items < 3:
            continue  # whatever the prior, next to nothing is seen: the product says so (OC109)
        cells = np.array([prevalence - missed * wrong, (1 - missed) * wrong, missed * wrong, 0.0])
        cells[3] = 1 - cells.sum()
        counts = counted(items, cells, sets, rng, np.array([True, False, True, False]))
        for count in COUNTS["own"]:
            tables = Cells(*gammas(counts, count, draws))
            for each in ASKED:
                seen(found, (each.name, count), value(each, tables), float(each(*cells)), gap=True)


def unpaired(found: Found, sets: int, draws: int, rng: np.random.Generator) -> None:
    """Differences of two test sets."""
    for prevalence, items, gap, near in product((0.05, 0.2, 0.5), (100, 200, 500, 2_000), (False, True), (False, True)):
        first, other = ((0.97, 0.005), (0.93, 0.01)) if near else ((0.8, 0.06), (0.7, 0.08))
        tables = []
        for recall, fallout in (first, other if gap else first):
            cells = [prevalence * recall, (1 - prevalence) * fallout]
            tables.append(np.array([*cells, prevalence - cells[0], 1 - prevalence - cells[1]]))
        counts = [counted(items, each, sets, rng, np.array([True, False, True, False])) for each in tables]
        least = min(each.shape[1] for each in counts)
        for count in COUNTS["unpaired"]:
            a, b = (Cells(*gammas(each[:, :least], count, draws)) for each in counts)
            for each in ASKED:
                truth = float(each(*tables[0]) - each(*tables[1]))
                seen(found, (each.name, count), value(each, a) - value(each, b), truth, gap=gap)


KINDS = {"paired": paired, "own": own, "unpaired": unpaired}


def studied(kind: str, sets: int, draws: int, seed: int = 1) -> list[Line]:
    """Study all measures under all pseudo-counts in the worlds of a kind."""
    found: Found = defaultdict(list)
    xp.random.seed(seed)
    KINDS[kind](found, sets, draws, np.random.default_rng(seed))
    lines = []
    for (name, count), worlds in found.items():
        held = np.array([each[0] for each in worlds])
        lines.append(
            Line(
                kind=kind,
                measure=name,
                count=count,
                worlds=len(worlds),
                sets=sets,
                error=float(np.abs(held - 0.95).mean()),
                lowest=float(held.min()),
                power=float(np.mean([each[1] for each in worlds if each[2]])),
                alarms=float(np.mean([each[1] for each in worlds if not each[2]] or [math.nan])),
            )
        )
    return lines


def kept() -> list[Line]:
    """Return what the last full run found."""
    return [Line(**each) for each in json.loads(RESULTS.read_text(encoding="utf-8"))]


TITLES = {
    "paired": "A difference, both systems on the same items",
    "own": "One system's own measure",
    "unpaired": "A difference, each system on its own items",
}
ABOUT = {
    "paired": "Each cell of the table: mean distance of the coverage from .95, lowest coverage, power, false-positive rate.",
    "own": "Mean distance of the coverage from .95 and lowest coverage, where at least three errors are expected; F1 from .8 to .999.",
    "unpaired": "Mean distance of the coverage from .95, lowest coverage, power.",
}


def cell(line: Line) -> str:
    """Write what was found of one measure and prior."""
    if line.count is None:
        return f"power {_short(line.power)}, {_short(line.alarms)}"
    parts = [_short(line.error), _short(line.lowest)]
    parts += [] if line.kind == "own" else [_short(line.power)]
    return ", ".join([*parts, *([_short(line.alarms)] if line.kind == "paired" else [])])


def _short(number: float) -> str:
    return f"{number:.3f}".replace("0.", ".", 1)


def page(lines: list[Line]) -> str:
    """Write the page."""
    by = {(each.kind, each.measure, each.count): each for each in lines}
    main = by["paired", "f1", measures.get("f1").pseudo_count]
    test = by["paired", "f1", None]
    found = [
        "# The matched prior",
        "",
        "The default prior for two classes is *matched* to the measure: with these pseudo-counts, 95% intervals have a coverage of about 95% for fixed",
        "parameters, not only for parameters drawn from the prior. Generated by `make calibrate` (`tests/calibration/matched.py`).",
        "",
        "The uniform prior of Zhang et al. adds one item to each of the eight cells of a paired comparison. Four of these cells are disagreements; if the",
        "systems agree on nearly everything, the four pseudo-disagreements outweigh the real ones, so intervals are too wide and power is lost. What matters is",
        "the prior mass on the disagreements *that the measure depends on*: about one item in total. Accuracy depends equally on four kinds of disagreement",
        "(1/4 each, Jeffreys' prior for the sign model), recall on two (1/2 each), and F1 lies in between (1/3). For a single system, the mass is about one",
        "item on the errors that count: 1/2 each for F1, 1 for recall and precision.",
        "",
        f"For F1 on the same items, over {main.worlds} scenarios with 100 to 2,000 items: mean distance from .95 {_short(main.error)}, lowest coverage {_short(main.lowest)},",
        f"power {_short(main.power)} at a false-positive rate of {_short(main.alarms)}; the exact permutation test has {_short(test.power)} at {_short(test.alarms)}.",
        "The lowest coverages include simulation error: with 2,000 sets per scenario they are about .01 below the true ones.",
        "",
        "Use `--prior uniform` for the papers' prior. Bayes factors use it unless you set another, because a Bayes factor depends on the prior as much as",
        "on the data.",
    ]
    for kind, counts in COUNTS.items():
        lines_of = [each for each in lines if each.kind == kind]
        found += [
            "",
            f"## {TITLES[kind]}",
            "",
            f"{ABOUT[kind]} Bold: the default. {lines_of[0].sets:,} sets for each of {lines_of[0].worlds} scenarios.",
            "",
        ]
        tests = ["permutation test"] if kind == "paired" else []
        found.append("| measure | " + " | ".join([*(NAMES[count] for count in counts), *tests]) + " |")
        found.append("|---|" + "---|" * (len(counts) + len(tests)))
        for measure in ASKED:
            cells = []
            for count in counts:
                told = cell(by[kind, measure.name, count])
                cells.append(f"**{told}**" if math.isclose(count, chosen(kind, measure)) else told)
            cells += [cell(by[kind, measure.name, None])] if tests else []
            found.append(f"| {measure.title} | " + " | ".join(cells) + " |")
    found += [
        "",
        "Scenarios: prevalence .05 to .5, correlation of the systems' latent scores within a class .3, .7 and .95, 100 to 2,000 items; recalls .8 and",
        "false-positive rates .06 for both, or recalls .8 and .72 and rates .05 and .06. Two test sets: prevalence .05 to .5, 100 to 2,000 items, ordinary",
        "and nearly perfect systems. With many labels, and in rankings, the same mass is spread over pseudo-items that every system gets right with",
        "probability 1/2 ([method](method.md)); the [coverage](coverage.md) is similar.",
    ]
    return "\n".join(found) + "\n"


def main() -> None:
    """Run, keep the numbers, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2_000 if xp is not np else 300)
    parser.add_argument("--draws", type=int, default=4_000 if xp is not np else 2_000)
    parser.add_argument("--page", action="store_true", help="write the page from the kept numbers alone")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    if not asked.page:
        lines = [line for kind in KINDS for line in studied(kind, asked.sets, asked.draws)]
        asked.results.write_text(json.dumps([asdict(each) for each in lines], indent=1) + "\n", encoding="utf-8")
        if asked.results != RESULTS:
            return
    PAGE.write_text(page(kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
