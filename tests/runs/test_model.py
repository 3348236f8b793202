"""The model of runs crossed with items: against closed forms, quadrature, and what it must not change."""

import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from run_worlds import SYSTEMS, wide
from scipy import integrate, stats

import outclass as oc
from outclass.errors import InputError
from outclass.models.run_spread import ALIKE, NONE, SpreadGrid, Squares, of_pairs, within
from outclass.models.runs_fit import RunsFit

TABLE = wide()


def _compare(data: Any = None, **asked: Any) -> Any:
    how = {"truth": "gold", "systems": SYSTEMS, "measure": "accuracy", "draws": 8_000, **asked}
    return oc.compare(TABLE if data is None else data, **how).only


def test_squares_have_the_expectations_that_the_model_says() -> None:
    """4,000 draws of correlated runs: the mean squares between runs are spread² plus the noise of their differences."""
    rng = np.random.default_rng(1)
    root = rng.normal(size=(6, 6))
    covariance = root @ root.T / 6
    seeds = np.tile(rng.normal(0, 1.5, (4_000, 1, 3)), (1, 2, 1)).reshape(4_000, 6)
    runs = rng.normal(0, 0.7, (4_000, 6))
    values = rng.multivariate_normal(np.zeros(6), covariance, 4_000) + runs
    own = np.mean([within(each, covariance).total for each in values])
    of_seeds = np.mean(
        [[part.total for part in of_pairs(each.reshape(2, 3), covariance)] for each in values + seeds], 0
    )
    alone, (rest, seed) = within(values[0], covariance), of_pairs(values[0].reshape(2, 3), covariance)

    assert own == pytest.approx(alone.freedom * (alone.noise + 0.49), rel=0.06)
    assert of_seeds[0] == pytest.approx(rest.freedom * (rest.noise + 0.49), rel=0.06)
    assert of_seeds[1] == pytest.approx(seed.freedom * (seed.noise + 0.49 + 2 * 1.5**2), rel=0.06)


def test_one_spread_by_quadrature() -> None:
    """The posterior of one system's spread: its point at nothing and its mean square, by adaptive quadrature."""
    squares = Squares(total=0.0026, freedom=4, noise=0.0002)
    grid = SpreadGrid.of([squares], 0.1)
    drawn = grid.drawn([squares], 200_000, np.random.default_rng(1))[:, 0]

    def density(s: float) -> float:
        return math.exp(-((s / 0.1) ** 2) / 2) / math.sqrt(s**2 + squares.noise)

    def likelihood(s: float) -> float:
        scale = s**2 + squares.noise
        return float(stats.chi2.pdf(squares.total / scale, squares.freedom)) / scale

    whole = integrate.quad(density, 0, 0.4)[0]
    parts = [
        integrate.quad(lambda s, k=k: s**k * density(s) * likelihood(s) / whole, 0, 0.4, limit=200)[0] for k in (0, 2)
    ]
    at_zero = NONE * likelihood(0.0)
    total = at_zero + (1 - NONE) * parts[0]

    assert (drawn == 0).mean() == pytest.approx(at_zero / total, abs=0.004)
    assert (drawn**2).mean() == pytest.approx((1 - NONE) * parts[1] / total, rel=0.02)


def test_two_spreads_by_brute_force() -> None:
    """The joint posterior of two spreads: alike with a probability, summed over all pairs of grid points."""
    squares = [Squares(total=0.0008, freedom=2, noise=0.0001), Squares(total=0.02, freedom=5, noise=0.0002)]
    grid = SpreadGrid.of(squares, 0.1)
    drawn = grid.drawn(squares, 100_000, np.random.default_rng(2))
    first, second = (grid.likelihood(each) for each in squares)
    same = ALIKE**2 * np.diag(grid.prior) + (1 - ALIKE**2) * np.outer(grid.prior, grid.prior)
    joint = same * np.outer(first, second)
    joint /= joint.sum()
    means = [float(joint.sum(axis=1 - axis) @ grid.sigma**2) for axis in (0, 1)]

    assert (drawn**2).mean(axis=0) == pytest.approx(means, rel=0.03)
    assert (drawn[:, 0] == drawn[:, 1]).mean() == pytest.approx(float(np.trace(joint)), abs=0.03)


def test_one_run_each_is_the_comparison_of_these_runs() -> None:
    """With one run per system the interval is that of the model of items, and a finding says what it leaves out."""
    single = _compare(systems={"bert": ["bert_s1"], "roberta": ["roberta_s1"]}, rope=0.01)
    units = oc.rank(TABLE, truth="gold", systems=["bert_s1", "roberta_s1"], measure="accuracy")
    row = oc.compare(TABLE, truth="gold", systems=["bert_s1", "roberta_s1"], measure="accuracy").only
    told = [each.message for each in single.findings if each.code == "OC651"]

    assert single.difference.hdi == pytest.approx(row.difference.hdi, abs=0.006)
    assert {each.system.name: each.system.mean for each in units.systems}["bert_s1"] == pytest.approx(
        single.systems[0].mean, abs=1e-3
    )
    assert len(told) == 1
    assert ("above" in told[0]) == single.verdict.is_decided


def test_fixed_runs_are_an_average_of_items() -> None:
    """`model='fixed'` is the mean over items of the average of the runs: its standard error in closed form."""
    fixed, crossed = _compare(model="fixed"), _compare()
    right = {name: np.array(TABLE[name]) == np.array(TABLE["gold"]) for name in TABLE if "_s" in name}
    averages = [np.mean([own for name, own in right.items() if name.startswith(system)], 0) for system in SYSTEMS]
    apart = averages[0] - averages[1]

    assert fixed.observed == pytest.approx(apart.mean())
    assert fixed.difference.std == pytest.approx(apart.std() / math.sqrt(len(apart)), rel=0.03)
    assert crossed.difference.std > fixed.difference.std
    assert crossed.runs.wider == pytest.approx(crossed.difference.std / fixed.difference.std, rel=0.06)


def test_the_shares_add_up_and_say_what_more_would_buy() -> None:
    """Shares of the variance sum to one; more of either narrows the interval, and no more than it could."""
    part = _compare().runs

    assert part.from_items + part.from_runs + part.rest == pytest.approx(1)
    assert 0 < part.narrower_by_run < 1 - math.sqrt(3 / 4)
    assert 0 <= part.narrower_by_items < 1 - math.sqrt(300 / 1_300)
    assert 0 < part.new_run < 0.5


def test_swapping_the_systems_mirrors_the_answer() -> None:
    """A against B and B against A: the same interval, mirrored."""
    one, other = _compare(), _compare(systems=dict(reversed(SYSTEMS.items())))

    assert one.difference.hdi.low == pytest.approx(-other.difference.hdi.high, abs=1e-9)
    assert one.runs.new_run == pytest.approx(1 - other.runs.new_run, abs=0.02)


def test_seeds_that_both_share_cancel_when_paired() -> None:
    """Runs that a seed moves together: paired, the difference is known better, and each system's value is not."""
    rng = np.random.default_rng(4)
    items, seeds = 400, rng.normal(0, 0.35, 5)
    gold, hard = np.ones(items, dtype=int), rng.standard_normal(items)
    table: dict[str, Any] = {"gold": [*gold[:-1], 0]}
    for name, quality in (("a", 1.0), ("b", 1.1)):
        for at, seed in enumerate(seeds):
            table[f"{name}{at}"] = (quality + seed + hard + 0.5 * rng.standard_normal(items) > 0).astype(int)
    asked = {"systems": {"a": "a*", "b": "b*"}}
    paired, apart = _compare(table, paired_runs=True, **asked), _compare(table, **asked)

    assert paired.difference.std < 0.6 * apart.difference.std
    assert paired.systems[0].std == pytest.approx(apart.systems[0].std, rel=0.35)
    assert paired.runs.paired


def test_copies_do_not_make_more_of_the_items() -> None:
    """Runs that are copies differ by nothing, so their spread is hardly anything, and a finding says what they are."""
    table = {name: TABLE[name] for name in ("gold", "bert_s1", "roberta_s1")}
    for system in SYSTEMS:
        for at in (2, 3):
            table[f"{system}_s{at}"] = table[f"{system}_s1"]
    copied, single = _compare(table), _compare(systems={"bert": ["bert_s1"], "roberta": ["roberta_s1"]})

    assert "OC652" in [each.code for each in copied.findings]
    assert copied.difference.std == pytest.approx(single.difference.std, rel=0.1)


@pytest.mark.parametrize("kind", ["labels", "four labels", "many labels", "groups", "results", "scores", "counts"])
def test_more_runs_make_no_less_of_the_prior(kind: str) -> None:
    """Runs that never err: ten of them know as little as one, since they share the pseudo-items; and that is said."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 4 if kind == "four labels" else 2, 60)
    names = [f"{system}{run}" for system in "ab" for run in range(10)]
    table: dict[str, Any] = {"gold": gold, **dict.fromkeys(names, gold)}
    how: dict[str, Any] = {"truth": "gold", "measure": "accuracy"}
    if kind == "many labels":
        table = {name: ["x y" if value else "y" for value in own] for name, own in table.items()}
        how = {"truth": "gold", "separator": " ", "measure": "micro_f1"}
    elif kind == "groups":
        table["doc"], how["group"] = np.arange(60) // 3, "doc"
    elif kind == "results":
        table, how = dict.fromkeys(names, np.ones(60)), {"scores": True}
    elif kind == "scores":
        how = {"truth": "gold", "scores": True, "measure": "auc"}
    elif kind == "counts":
        rows = [(name, item, 2, 0, 0) for name in names for item in range(60)]
        table = dict(zip(("who", "item", "tp", "fp", "fn"), map(list, zip(*rows, strict=True)), strict=True))
        how = {"item": "item", "system_column": "who", "tp": "tp", "fp": "fp", "fn": "fn", "measure": "f1"}
    one, ten = (
        oc.compare(table, systems={"a": f"a{many}", "b": f"b{many}"}, draws=8_000, **how).only for many in ("0", "*")
    )

    assert ten.difference.hdi.width == pytest.approx(one.difference.hdi.width, rel=0.12)
    assert "OC105" in [each.code for each in ten.findings]


def test_how_many_items_runs_differ_on() -> None:
    """OC104: a run of one system and a run of the other, on average."""
    gold = np.arange(200) % 2
    runs = {name: np.tile(gold, (3, 1)) for name in "ab"}
    for run in range(3):
        runs["b"][run, : 4 + run] ^= 1
    row = oc.compare(gold, runs, measure="accuracy").only
    told = [each.message for each in row.findings if each.code == "OC104"]

    assert told == ["a run of a and a run of b differ on only 5 of 200 items, so the result depends on the prior."]
    assert "OC104" not in [each.code for each in _compare().findings]


@pytest.mark.parametrize("measure", ["f1", "macro_f1", "mcc", "recall"])
def test_other_measures_of_labels(measure: str) -> None:
    """The observed value is the average of the runs' own, as scikit-learn has them."""
    from sklearn import metrics

    functions: dict[str, Any] = {
        "f1": metrics.f1_score,
        "macro_f1": lambda y, p: metrics.f1_score(y, p, average="macro"),
        "mcc": metrics.matthews_corrcoef,
        "recall": metrics.recall_score,
    }
    row = _compare(measure=measure, draws=1_000, positive=None if measure == "macro_f1" else 1)
    own = {name: functions[measure](TABLE["gold"], TABLE[name]) for name in TABLE if "_s" in name}

    for system in row.runs.systems:
        assert system.values == pytest.approx([own[run] for run in system.runs])
    assert row.systems[0].observed == pytest.approx(np.mean(row.runs.systems[0].values))


def test_numbers_without_a_range() -> None:
    """Losses: a mixed model in closed form, since runs, items and their noise are balanced."""
    rng = np.random.default_rng(6)
    items, runs = 400, 6
    hard = rng.normal(0, 3, items)
    table = {
        f"{name}{at}": centre + rng.normal(0, 0.5) + hard + rng.normal(0, 2, items)
        for name, centre in (("a", 10.0), ("b", 10.6))
        for at in range(runs)
    }
    row = oc.compare(pd.DataFrame(table), scores=True, lower_is_better=True, systems={"a": "a*", "b": "b*"}).only
    means = {name: np.array([table[f"{name}{at}"].mean() for at in range(runs)]) for name in "ab"}
    # Items are the same for both and cancel: what is left is the variance between the runs' means.
    std = math.sqrt(sum(float(own.var(ddof=1)) / runs for own in means.values()))

    assert row.observed == pytest.approx(means["a"].mean() - means["b"].mean())
    assert row.difference.std == pytest.approx(std, rel=0.2)
    assert row.runs.new_run == pytest.approx(float(stats.norm.cdf(-row.observed / math.hypot(0.5, 0.5))), abs=0.15)


def test_ranking_and_comparison_agree() -> None:
    """P(best) of two systems is P(A > B), and the page of a ranking knows the runs."""
    ranking = oc.rank(TABLE, truth="gold", systems=SYSTEMS, measure="accuracy")
    row = _compare()
    best = {each.system.name: each.best for each in ranking.systems}

    assert best["bert"] == pytest.approx(row.difference.above, abs=0.01)
    assert ranking.systems[0].runs is not None
    assert len(ranking.systems[0].runs.values) == 3


def test_json_and_pickle() -> None:
    """Every number about runs is written, read back, and sent."""
    answer = oc.compare(TABLE, truth="gold", systems=SYSTEMS, measure="accuracy")
    back = oc.Comparison.from_json(answer.to_json())
    fit_free = pickle.loads(pickle.dumps(answer))

    assert back.only.runs == answer.only.runs
    assert back.to_json() == answer.to_json() == fit_free.to_json()
    assert fit_free.posterior.mean == answer.posterior.mean


def test_slices_share_their_runs() -> None:
    """Slices of runs are judged alone: pooling would count the runs' luck once per slice."""
    answer = oc.compare(TABLE, truth="gold", systems=SYSTEMS, measure="accuracy", by="lang")
    whole, *parts = answer.rows

    assert [row.slice.name for row in parts] == ["de", "en"]
    assert all(row.pooled is row for row in parts)
    assert "OC655" in [each.code for each in whole.findings]
    assert all(row.runs is not None for row in answer.rows)


def test_labels_by_label_and_groups() -> None:
    """Rows by label, and items in groups: the jackknife of the groups stands behind the runs."""
    by_label = oc.compare(TABLE, truth="gold", systems=SYSTEMS, by="label")
    groups = {**TABLE, "doc": [at // 10 for at in range(300)]}
    grouped = _compare(groups, group="doc")

    assert len(by_label.rows) == 2
    assert "cluster jackknife" in grouped.model
    assert "OC654" in [each.code for each in grouped.findings]


def test_the_trap_of_the_best_run() -> None:
    """The best of ten runs beats the best of three, which is the better system: a finding gives both differences."""
    rng = np.random.default_rng(3)
    gold = np.ones(500, dtype=int)

    def run(accuracy: float) -> list[int]:
        right = np.zeros(500, dtype=int)
        right[rng.permutation(500)[: round(500 * accuracy)]] = 1
        return right.tolist()

    table: dict[str, Any] = {"gold": [*gold[:-1], 0]}
    for at, accuracy in enumerate([0.7, 0.72, 0.75, 0.76, 0.78, 0.8, 0.74, 0.77, 0.79, 0.9]):
        table[f"a{at}"] = run(accuracy)
    for at, accuracy in enumerate([0.86, 0.85, 0.87]):
        table[f"b{at}"] = run(accuracy)
    row = _compare(table, systems={"a": "a*", "b": "b*"})
    told = [each.message for each in row.findings if each.code == "OC653"]

    assert row.observed < -0.05
    assert row.runs.best > 0.02
    assert len(told) == 1
    assert "the best run is one of a, but b is ahead on average" in told[0]


def test_spread_to_overturn() -> None:
    """The spread that leaves a decided comparison open: with it, the normal interval ends at the edge of the ROPE."""
    gold = [1] * 400 + [0] * 400
    a = [1 - value if at % 3 == 0 else value for at, value in enumerate(gold)]
    b = [1 - value if at % 9 == 0 else value for at, value in enumerate(gold)]
    answer = oc.compare(gold, a, b, measure="accuracy", rope=0.02)
    spread = oc.spread_to_overturn(answer)
    row = answer.only
    std = (row.difference.hdi.high - row.difference.mean) / 1.959964
    ends = row.difference.mean + 1.959964 * math.sqrt(std**2 + 2 * spread**2)

    assert row.verdict.value == "<<"
    assert ends == pytest.approx(-0.02, abs=1e-7)
    assert f"an SD between runs above {100 * spread:.1f} points" in " ".join(answer.to_text(verbose=True).split())
    assert math.isnan(oc.spread_to_overturn(oc.compare(gold, a, b, measure="accuracy", rope=0.22)))
    with pytest.raises(InputError, match="here systems have several, and the interval already includes"):
        oc.spread_to_overturn(oc.compare(TABLE, truth="gold", systems=SYSTEMS, measure="accuracy"))


def test_the_paragraph_for_a_paper_says_what_runs_are() -> None:
    """How many runs there are, and whether they are a sample; slices of runs were not pooled."""

    def told(**asked: Any) -> str:
        answer = oc.compare(TABLE, truth="gold", measure="accuracy", **{"systems": SYSTEMS, **asked})
        return str(answer.methods())

    crossed, fixed, sliced = told(), told(model="fixed"), told(by="lang")
    single = told(systems={"bert": ["bert_s1"], "roberta": ["roberta_s1"]})
    paired = told(systems={"bert": "bert_s1,bert_s2", "roberta": "roberta_s1,roberta_s2"}, paired_runs=True)

    assert "Runs of each system: bert 4, roberta 3. Runs and items were crossed" in crossed
    assert "They were taken as fixed" in fixed
    assert "Bayesian bootstrap of the joint counts" in fixed
    assert "pooled" not in sliced
    assert "Each system had a single run" in single
    assert "Runs of each system: 2. Runs were paired across systems." in paired


def test_many_labels_per_item() -> None:
    """Cells with several labels have runs as well, of all labels together or of one."""
    table = {
        name: [f"x{value};y" if at % 3 else f"x{value}" for at, value in enumerate(own)] for name, own in TABLE.items()
    }
    whole = _compare(table, measure="micro_f1", separator=";")
    one = _compare(table, measure="accuracy", separator=";", positive="x1")

    assert len(whole.runs.systems[0].values) == 4
    assert one.observed == pytest.approx(_compare().observed)


def test_undefined_measures_stay_undefined() -> None:
    """Runs that never predict the positive label have a recall of zero and no error."""
    table = {**TABLE, "bert_s1": [0] * 300}
    row = _compare(table, measure="recall", positive=1)

    assert row.runs.systems[0].values[0] == 0
    assert math.isfinite(row.difference.mean)


def test_the_fit_is_what_rows_need() -> None:
    """A fit of runs keeps the fit of the runs themselves."""
    from outclass.ask.question import Wishes
    from outclass.ask.run_questions import runs_planned

    ((known, data, question),) = runs_planned(oc.read(TABLE, truth="gold", systems=SYSTEMS), Wishes(measure="accuracy"))
    fit = known.fit(data, question)

    assert isinstance(fit, RunsFit)
    assert fit.base.systems == tuple(name for name in TABLE if "_s" in name)
    assert fit.values["accuracy"].min() >= 0
    assert fit.values["accuracy"].max() <= 1
