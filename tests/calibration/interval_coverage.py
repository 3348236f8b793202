"""How often the 95% interval of every model holds the truth: `make calibrate`, most of an hour; a page of the docs.

Two classifiers on simulated test sets, over a grid of items, share of positives and agreement; beside it many labels,
and numbers per item. The findings are those that the product shows with each set, so that the page tells not only where
an interval is off, but whether its user hears of it.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import product
from pathlib import Path

import group_worlds
import label_worlds
import numpy as np
import score_worlds
from coverage_cells import Cell, Covered, Road, Seen, seen
from many_worlds import SCENARIOS
from verdicts import alike_cells

import outclass as oc
from outclass import measures
from outclass.data.outcomes import Outcomes
from outclass.data.pair import Pair
from outclass.inference.settings import Settings
from outclass.models import model_of
from outclass.models.prior import prior_of
from outclass.models.question import Question
from outclass.models.table_fit import fit as fit_table
from outclass.models.table_fit import fit_one
from outclass.parallel import side_by_side
from outclass.planning.scenario import Scenario
from outclass.rows.checks import Case, findings_of
from outclass.verdict.rope import rope_of

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "coverage.md"
RESULTS = HERE / "results" / "coverage.json"
BEST, BEST_WORLDS, SPREADS = HERE / "results" / "best.json", 2_000, (0.02, 0.05)
SIZES, SHARES, ALIKE = (200, 1_000), (0.05, 0.2, 0.5), (0.0, 0.7, 0.95)
NEAR = "one test set, near-perfect"
OWN = "one system, F1 "
EQUAL = "one test set, equal systems"  # with other rates, chosen after the findings' thresholds
SMALL = ((50, 0.2), (50, 0.5))  # items and share of positives, to show what few items do


# --- two classifiers, two classes ------------------------------------------------------------------------------------


RATES = {EQUAL: ((0.95, 0.95), (0.1, 0.1)), NEAR: ((0.98, 0.96), (0.01, 0.008))}


def scenario(share: float, alike: float, data: str = "") -> Scenario:
    """Return two classifiers: recalls and false-positive rates, and how far their errors agree."""
    recalls, fallouts = RATES.get(data, ((0.8, 0.75), (0.06, 0.05)))
    return Scenario(share, alike_cells(*recalls, alike), alike_cells(*fallouts, alike))


def outcomes_of(joint: np.ndarray) -> Outcomes:
    """Return a table of both systems' decisions as outcomes."""
    rows = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    return Outcomes.of_rows(("A", "B"), rows, joint.ravel().tolist())


def of_two(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference, both systems on the same items or each on its own."""
    world = scenario(cell.share or 0.0, cell.alike or 0.0, cell.data)
    measure = measures.get(cell.measure)
    truth = world.difference(measure)
    prior = prior_of(model_of(cell.model).prior)
    for number in range(sets):
        first = outcomes_of(world.simulate(cell.items, 1, rng)[0])
        second = outcomes_of(world.simulate(cell.items, 1, rng)[0]) if cell.data == "two test sets" else first
        if any(len(each.true_labels) < 2 for each in (first, second)):
            continue  # refused
        pair = Pair(first, "A", second, "B")
        settings = Settings(tolerance=2e-3, seed=number)
        asked = Question(
            measures=(measure,), model=cell.model, prior=prior, rope=rope_of(0.05), hdi_mass=0.95, settings=settings
        )
        fit = fit_table(pair, 1, asked)
        law = fit.difference(0, 1, measure)
        notes = findings_of(Case(fit=fit, measure=measure, a=0, b=1))
        codes = {each.code for each in notes} - {"OC109"}  # which is of a system, not of a difference
        yield seen(law.hdi(0.95), truth, codes)


def of_one(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """One system's own measure: as a rule, and near perfection."""
    measure = measures.get(cell.measure)
    if cell.data.startswith(OWN):
        # Half of the errors are misses.
        wrong = (1 - float(cell.data.removeprefix(OWN))) * 2 * (cell.share or 0.0)
        recall, fallout = 1 - wrong / 2 / (cell.share or 1.0), wrong / 2 / (1 - (cell.share or 0.0))
        world = Scenario(cell.share or 0.0, alike_cells(recall, recall, 0.0), alike_cells(fallout, fallout, 0.0))
    else:
        world = scenario(cell.share or 0.0, 0.0)
    (both, only, _, _), (wrongly, alone, _, _) = world.shares
    recall, fallout = (both + only) / world.prevalence, (wrongly + alone) / (1 - world.prevalence)
    truth = float(measure(*_cells(world.prevalence, recall, fallout)))
    prior = prior_of(model_of(cell.model, ["one"]).prior)
    for number in range(sets):
        outcomes = outcomes_of(world.simulate(cell.items, 1, rng)[0])
        if len(outcomes.true_labels) < 2:
            continue
        table = outcomes.table("A", 1)
        settings = Settings(tolerance=2e-3, seed=number)
        asked = Question(
            measures=(measure,), model=cell.model, prior=prior, rope=rope_of(0.05), hdi_mass=0.95, settings=settings
        )
        fit = fit_one(outcomes, "A", table, 1, asked)
        law = fit.value(0, measure)
        codes = {each.code for each in findings_of(Case(fit=fit, measure=measure, a=0))}
        yield seen(law.hdi(0.95), truth, codes)


def _cells(share: float, recall: float, fallout: float) -> tuple[float, float, float, float]:
    return share * recall, (1 - share) * fallout, share * (1 - recall), (1 - share) * (1 - fallout)


# --- many labels -----------------------------------------------------------------------------------------------------


def of_labels(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in macro-F1: weights on patterns or documents, or the hierarchical model."""
    make, truth = SCENARIOS[cell.data]
    model = "hierarchical" if cell.model == "hierarchical" else None
    for number in range(sets):
        data = make(rng, cell.items)
        answer = oc.compare(data, measure="macro_f1", model=model, draws=2_000, rng=number)
        yield seen(answer.difference.hdi, truth, {each.code for each in answer.only.findings})


# --- numbers per item ------------------------------------------------------------------------------------------------

LEAD = 0.3  # of A, in standard deviations
GROUP = 5  # items of one group
DRAWN = ("bootstrap",)  # models of numbers that are drawn
Noise = Callable[[np.random.Generator, int], np.ndarray]
NOISES: dict[str, Noise] = {
    "normal differences": lambda rng, items: rng.normal(0, 1, items),
    "heavy tails (t, 3 degrees)": lambda rng, items: rng.standard_t(3, items) / math.sqrt(3),
    "skewed (log-normal)": lambda rng, items: (rng.lognormal(0, 0.8, items) - math.exp(0.32)) / 1.31,
}


def of_numbers(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in the mean of results: of items, in groups, of folds, on many data sets."""
    for number in range(sets):
        table, named = _numbers(cell, rng)
        few = {"draws": 2_000} if cell.model in DRAWN else {}
        answer = oc.compare(oc.scores(table, **named), model=cell.model, rope=0.1, rng=number, **few)
        yield seen(answer.difference.hdi, LEAD, {each.code for each in answer.only.findings})


def _numbers(cell: Cell, rng: np.random.Generator) -> tuple[dict[str, np.ndarray], dict[str, str | float]]:
    """Return a table of two systems' results, and the columns that say what they are."""
    items = cell.items
    if cell.model == "correlated":
        # Folds as Nadeau & Bengio take them: any two share a correlation of the share that is tested.
        share = 1 / items
        gaps = math.sqrt(share) * rng.normal() + math.sqrt(1 - share) * rng.normal(0, 1, items)
        named: dict[str, str | float] = {"fold": "fold"}
        extra = {"fold": np.arange(items)}
    elif cell.model == "hierarchical":
        places = np.repeat(np.arange(items // GROUP), GROUP)
        gaps = rng.normal(0, 0.6, items // GROUP)[places] + rng.normal(0, 0.8, items)
        named, extra = {"group": "group"}, {"group": places}
    else:
        gaps, named, extra = NOISES[cell.data](rng, items), {}, {}
    base = rng.normal(0, 1, items)
    return {"A": base + LEAD + gaps, "B": base, **extra}, {**named, "name": "result"}


SETS_OF = {"student": 0.3, "bootstrap": 1}  # what is quick gets more


# --- the whole -------------------------------------------------------------------------------------------------------


def grid() -> Iterator[tuple[Road, Cell, float]]:
    """Yield every cell, how it is simulated, and what part of the sets it gets (some models are slow)."""
    for part in (of_classes, label_worlds.cells, score_worlds.cells, group_worlds.cells, of_the_rest):
        yield from part()


def of_classes() -> Iterator[tuple[Road, Cell, float]]:
    """Yield the cells of two classes."""
    same, apart = "one test set", "two test sets"
    places = [*SMALL, *product(SIZES, SHARES)]
    for model, measure in (("paired", "f1"), ("sign", "accuracy")):
        for (items, share), alike in product(places, ALIKE):
            yield of_two, Cell(model, measure, same, items, share, alike), 1
    for items, share in product(SIZES, SHARES[:2]):
        yield of_two, Cell("paired", "f1", EQUAL, items, share, 0.7), 1
    for measure, items in product(("accuracy", "recall", "precision", "mcc", "balanced_accuracy"), SIZES):
        yield of_two, Cell("paired", measure, same, items, 0.2, 0.7), 0.5
    for model, (items, share) in product(("unpaired", "goutte"), places):
        yield of_two, Cell(model, "f1", apart, items, share), 1 if model == "goutte" else 0.5
    for model, alike in product(("unpaired", "goutte"), (0.0, 0.7)):
        yield of_two, Cell(model, "f1", same, 1_000, 0.2, alike), 0.5
    for model, (items, share) in product(("single", "goutte"), places):
        yield of_one, Cell(model, "f1", "one system", items, share), 1
    for share, alike, items in product((0.05, 0.5), (0.0, 0.9), (200, 1_000)):
        yield of_two, Cell("paired", "f1", NEAR, items, share, alike), 1
    for f1, share, items in product((0.95, 0.98, 0.99, 0.996, 0.999), (0.1, 0.5), (300, 1_000, 10_000)):
        yield of_one, Cell("single", "f1", f"{OWN}{f1:g}", items, share), 1
    for measure, f1, items in product(("accuracy", "recall", "precision"), (0.9, 0.98), (300, 1_000)):
        yield of_one, Cell("single", measure, f"{OWN}{f1:g}", items, 0.3), 1


def of_the_rest() -> Iterator[tuple[Road, Cell, float]]:
    """Yield the cells of macro-F1 in other worlds, and of the models that are asked for by name."""
    for data, items in product(SCENARIOS, (100, 200, 500, 2_000)):
        yield of_labels, Cell("weights", "macro_f1", data, items), 0.5
    yield of_labels, Cell("hierarchical", "macro_f1", next(iter(SCENARIOS)), 500), 0.2
    for model, data, items in product(("student", "bootstrap"), NOISES, (20, 50, 200, 500)):
        if model != "student" or not data.startswith("skewed"):  # whose centre is not the mean, and is not said to be
            yield of_numbers, Cell(model, "mean", data, items), SETS_OF[model]
    for items in (25, 200, 1_000):
        yield of_numbers, Cell("hierarchical", "mean", f"groups of {GROUP}", items), 0.4
    for items in (5, 10):
        yield of_numbers, Cell("correlated", "mean", "folds", items), 1


def covered(road: Road, cell: Cell, sets: int, seed: int = 1) -> Covered:
    """Simulate one cell."""
    rng = np.random.default_rng([seed, *cell_key(cell)])
    found = list(road(cell, sets, rng))
    held = np.array([each[0] for each in found])
    warned = np.array([bool(each[2]) for each in found])
    codes = Counter(code for each in found for code in each[2])
    return Covered(
        cell=cell,
        sets=len(found),
        rate=float(held.mean()),
        width=float(np.mean([each[1] for each in found])),
        warned=float(warned.mean()),
        codes=tuple(sorted(code for code, count in codes.items() if count >= len(found) / 20)),
        quiet=float(held[~warned].mean()) if not warned.all() else math.nan,
    )


def cell_key(cell: Cell) -> list[int]:
    """Return numbers that are a cell's own, whatever else is in the grid."""
    return list(json.dumps(asdict(cell)).encode())


def kept(results: Path = RESULTS) -> list[Covered]:
    """Return what the last full run found."""
    found = json.loads(results.read_text(encoding="utf-8"))
    return [Covered(**{**each, "cell": Cell(**each["cell"]), "codes": tuple(each["codes"])}) for each in found]


TITLES = {
    of_two: "Two classifiers",
    of_one: "One classifier",
    of_labels: "Many labels: macro-F1",
    label_worlds.of_weights: "Many labels: macro- and micro-F1",
    label_worlds.of_ranks: "Rankings: all systems at once",
    score_worlds.of_means: "Numbers per item",
    score_worlds.of_scores: "Scores of classifiers",
    score_worlds.of_probabilities: "Probabilities",
    group_worlds.of_numbers: "Numbers in groups",
    group_worlds.of_labels: "Labels in groups",
    of_numbers: "Numbers per item by other models, folds",
}
# A cell's name is part of its seed, so it stays; these are shown in other words.
SHOWN = {
    "one of 10 labels an item": "one of 10 labels per item",
    "many of 10 labels a document": "several of 10 labels per document",
    "right or wrong, alike": "right or wrong, much agreement",
}


def page(found: Iterable[Covered]) -> str:
    """Write the page."""
    by_cell = {each.cell: each for each in found}
    off = [each for each in by_cell.values() if each.state != "right"]
    narrow = [each for each in off if each.state.startswith("too narrow")]
    silent = [each for each in off if each.state.endswith("not flagged")]
    flagged = f"All {len(off)} scenarios outside this range are flagged by a finding."
    if silent:
        flagged = f"Of the {len(off)} scenarios outside this range, {len(off) - len(silent)} are flagged by a finding and {len(silent)} are not."
    lines = [
        "# Coverage of intervals",
        "",
        "The proportion of simulated test sets in which the 95% interval (HDI) of each model contains the true value, in ordinary and in difficult",
        "scenarios. Generated by `make calibrate` (`tests/calibration/interval_coverage.py`); a short version runs with the tests. Slow models get",
        "fewer sets.",
        "",
        f"Of {len(by_cell)} scenarios, {len(by_cell) - len(off)} have a coverage between .93 and .97, {len(off) - len(narrow)} above and {len(narrow)} below.",
        f"{flagged} *Flagged* means that at least nine in ten simulated sets have",
        "the finding, or that most do and the others have nominal coverage. The thresholds of the findings were chosen on these scenarios; in others, the",
        "coverage may be off by one more point.",
        "",
        "A Bayesian interval contains the true value in 95% of cases if parameters are *drawn from its prior* ([ranks](ranks.md) confirm this). For fixed",
        "parameters the coverage may be higher or lower; the default prior is [matched](matched.md) to come close. If two systems disagree on only a",
        "handful of items, intervals are conservative (above .97), and a finding says that the result depends on the prior.",
        "",
        "## P(best)",
        "",
        f"Four systems in {BEST_WORLDS:,} random scenarios with 100 to 1,000 items: how often a system is really the best, by its P(best) in `rank`.",
        "The prior does not assume that systems are similar. If their accuracies have a spread of five points, P(best) is accurate within four points; if",
        "they are versions of each other (two points), part of the leader's advantage is due to chance, and P(best) is overconfident.",
        "",
        "| spread of accuracy | P(best) | systems | mean P(best) | proportion that were best | error |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    for spread, bins in json.loads(BEST.read_text(encoding="utf-8")).items():
        for low, high, many, said, best in bins:
            error = math.sqrt(max(said * (1 - said), 1e-4) / many)
            lines.append(f"| {spread} | {low:.0%} to {high:.0%} | {many:,} | {said:.3f} | {best:.3f} | {error:.3f} |")
    for road, title in TITLES.items():
        rows = [(cell, by_cell[cell]) for way, cell, _ in grid() if way is road and cell in by_cell]
        lines += [
            "",
            f"## {title}",
            "",
            "| model | measure | data | items | positives | agreement | sets | coverage | error | mean width | with a finding | |",
            "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
        ]
        for cell, each in rows:
            share = "" if cell.share is None else f"{cell.share:.0%}"
            alike = "" if cell.alike is None else f"{cell.alike:.0%}"
            data = SHOWN.get(cell.data, cell.data)
            state = "" if each.state == "right" else f"**{each.state}**"
            warned = f"{each.warned:.0%}" + (f" ({', '.join(each.codes)})" if each.codes else "")
            lines.append(
                f"| {cell.model} | {cell.measure} | {data} | {cell.items:,} | {share} | {alike} | {each.sets:,} | {each.rate:.3f} "
                f"| {each.error:.3f} | {each.width:.3f} | {warned} | {state} |"
            )
    lines += [
        "",
        "Two classifiers: recalls .8 and .75, false-positive rates .06 and .05 (equal systems: .95 and .1; near-perfect: .98 and .96, .01 and .008).",
        "*Agreement* ranges from independent errors (0%) to the maximum that the rates allow (100%); for scores and groups it is the correlation within a",
        "class or a group. MCMC (`--method mcmc`) samples the same posteriors as the exact engine, which the tests compare directly. Folds are simulated",
        "with the correlation that the model assumes: these rows validate the computation, not the assumption. `student` estimates the centre of most",
        "differences, which is not the mean if they are skewed. ECE has no interval (OC215).",
    ]
    return "\n".join(lines) + "\n"


def write_best() -> None:
    """Study P(best), and keep the numbers."""
    found = {f"{spread:g}": label_worlds.p_best(BEST_WORLDS, spread) for spread in SPREADS}
    BEST.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run, keep the numbers, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--only", default="", help="models, separated by commas; the others are kept")
    parser.add_argument("--resume", action="store_true", help="go on: only what is not kept yet")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the numbers are kept")
    parser.add_argument("--page", action="store_true", help="write the page from the kept numbers alone")
    asked = parser.parse_args()
    if not asked.page:
        before = {each.cell: each for each in kept(asked.results)} if asked.results.exists() else {}
        only = set(filter(None, asked.only.split(",")))
        tasks = [
            (way, cell, round(asked.sets * part))
            for way, cell, part in grid()
            if (not only or cell.model in only) and not (asked.resume and cell in before)
        ]
        for each in side_by_side(covered, tasks):
            before[each.cell] = each
            print(each.cell, each.rate, each.warned, each.quiet, each.state, flush=True)
            asked.results.write_text(
                json.dumps([asdict(one) for one in before.values()], indent=1) + "\n", encoding="utf-8"
            )
        if asked.results == RESULTS and not (only or asked.resume):
            write_best()
    if asked.results == RESULTS:
        PAGE.write_text(page(kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
