"""Many classes, labels and systems: the paired model again, identities, scikit-learn, a published hierarchy."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from sklearn import metrics

import outclass as oc
from outclass import measures
from outclass.data.multilabel import Classes, from_lists
from outclass.errors import InputError
from outclass.inference.settings import Settings
from outclass.measures.averages import AVERAGES, find, of_label
from outclass.models import model_of
from outclass.models.question import Question
from outclass.models.shrinkage import Level, SharedOutcomes
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted
from outclass.rows.contrast import contrast
from outclass.rows.ranking import Ranks, simultaneous, tiers
from outclass.verdict.rope import rope_of

ROPE = rope_of(0.05)


def question(*names: str, model: str = "paired", mass: float | None = None, draws: int = 20_000) -> Question:
    return Question(
        measures=tuple(AVERAGES[name] for name in names),
        model=model,
        mass=mass,
        rope=ROPE,
        hdi_mass=0.95,
        settings=Settings(draws=draws),
    )


def of_joint(joint: list[list[int]], third: bool = False) -> oc.Outcomes:
    rows = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    counts = np.ravel(joint).tolist()
    if third:
        # A third system that is right half the time, whatever the others say.
        rows = [(*row, said) for row in rows for said in (0, 1)]
        counts = [part for count in counts for part in (count // 2, count - count // 2)]
        return oc.Outcomes.of_rows(("A", "B", "C"), rows, counts)
    return oc.Outcomes.of_rows(("A", "B"), rows, counts)


# --- two classes are a special case ---------------------------------------------------------------------------------


@pytest.mark.parametrize("third", [False, True], ids=["two systems", "three systems"])
@pytest.mark.parametrize("name", ["f1", "accuracy", "mcc"])
def test_two_classes_are_the_paired_model(name: str, third: bool) -> None:
    """With one pseudo-count for each of the eight outcomes: the same law, within the reported errors."""
    joint = [[60, 14, 6, 20], [10, 9, 12, 169]]
    expected = oc.compare(
        of_joint(joint), measure=name, positive=1, prior={"mu": (4, 4), "positives": 1, "negatives": 1}
    )
    outcomes = of_joint(joint, third=third)
    label = of_label(measures.get(name), outcomes.labels.index(1))
    settings = Settings(draws=100_000, seed=1)
    asked = Question(measures=(label,), model="paired", mass=8.0, rope=ROPE, hdi_mass=0.95, settings=settings)
    fit = model_of("paired", ["units"]).fit(Classes(outcomes), asked)
    found = contrast(fit, 0, 1, label).difference
    wanted = expected.difference
    for key in ("mean", "std", "above", "rope"):
        # Both errors are 98% half-widths; twice their sum is beyond chance.
        allowed = 2 * (getattr(found.errors, key) + getattr(wanted.errors, key))
        assert getattr(found, key) == pytest.approx(getattr(wanted, key), abs=allowed), key
    assert list(found.hdi) == pytest.approx(list(wanted.hdi), abs=2 * max(found.errors.hdi) + 1e-3)


def test_variance_of_a_mean() -> None:
    """Bayesian bootstrap: Var(mean) = sum((x - mean)^2) / (n (n + 1)) (method.md section 7)."""
    outcomes = of_joint([[60, 14, 6, 20], [10, 9, 12, 169]])
    asked = question("accuracy", model="bootstrap", draws=200_000)
    found = model_of("bootstrap", ["units"]).fit(Classes(outcomes), asked)
    for place, right in enumerate((60 + 14 + 12 + 169, 60 + 6 + 9 + 169)):
        n = 300
        share = right / n
        expected = math.sqrt(share * (1 - share) / (n + 1))
        assert found.values["accuracy"][:, place].std() == pytest.approx(expected, rel=0.01)
        assert found.values["accuracy"][:, place].mean() == pytest.approx(share, abs=5 * expected / math.sqrt(200_000))


def test_jaccard_is_beta() -> None:
    """Bayesian bootstrap: J = F1 / (2 - F1) ~ Beta(TP, FP + FN) exactly (method.md section 7); KS at 1e-4."""
    outcomes = of_joint([[60, 14, 6, 20], [10, 9, 12, 169]])
    label = of_label(measures.get("jaccard"), outcomes.labels.index(1))
    model = Weighted(units_of(Classes(outcomes), outcomes.systems), outcomes.systems, 50_000, 3)
    drawn = model.values([label])["jaccard"][:, 0]
    tp, fp, fn = 74, 19, 26
    assert stats.kstest(drawn, stats.beta(tp, fp + fn).cdf).pvalue > 1e-4


# --- point estimates ------------------------------------------------------------------------------------------------


@given(st.integers(2, 50), st.integers(0, 10_000))
def test_point_estimates_are_scikit_learns(classes: int, seed: int) -> None:
    """Every average, 2 to 50 classes, some absent from the truth and some from the predictions."""
    rng = np.random.default_rng(seed)
    truth, said = rng.integers(0, classes, 80), rng.integers(1, classes + 2, 80)
    outcomes = oc.Outcomes.of_rows(("A",), list(zip(truth, said, strict=True)), [1] * 80)
    model = Weighted(units_of(Classes(outcomes), ("A",)), ("A",), 1, 0)
    found = {name: values[0] for name, values in model.observed(list(AVERAGES.values())).items()}
    for average in ("micro", "macro", "weighted"):
        # A label has no precision where it is never said, no recall where it is never true: left out, here as there.
        for place, kind in enumerate(("precision", "recall")):
            each = metrics.precision_recall_fscore_support(truth, said, average=None, zero_division=np.nan)[place]
            support = metrics.precision_recall_fscore_support(truth, said, average=None, zero_division=0)[3]
            known = np.isfinite(each)
            weights = support[known] if average == "weighted" else None
            if average == "micro":
                expected = metrics.accuracy_score(truth, said)
            elif weights is not None and weights.sum() == 0:
                continue
            else:
                expected = np.average(each[known], weights=weights)
            assert found[f"{average}_{kind}"] == pytest.approx(expected), (average, kind)
        f1 = metrics.f1_score(truth, said, average=average, zero_division=0)
        assert found[f"{average}_f1"] == pytest.approx(f1)
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(truth, said))
    assert found["micro_f1"] == pytest.approx(found["accuracy"])
    assert found["mcc"] == pytest.approx(metrics.matthews_corrcoef(truth, said))
    assert found["kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, said), nan_ok=True)
    recalls = [np.mean(said[truth == label] == label) for label in np.unique(truth)]
    assert found["balanced_accuracy"] == pytest.approx(np.mean(recalls))


def test_f_beta_of_many_labels() -> None:
    rng = np.random.default_rng(1)
    truth, said = rng.integers(0, 5, 200), rng.integers(0, 5, 200)
    outcomes = oc.Outcomes.of_rows(("A",), list(zip(truth, said, strict=True)), [1] * 200)
    model = Weighted(units_of(Classes(outcomes), ("A",)), ("A",), 1, 0)
    measure = find("macro-fbeta:2")
    assert measure is not None
    expected = metrics.fbeta_score(truth, said, beta=2, average="macro")
    assert model.observed([measure])[measure.name][0] == pytest.approx(expected)


# --- priors ---------------------------------------------------------------------------------------------------------


def noisy(classes: int, items: int, seed: int = 0, systems: int = 2) -> oc.Outcomes:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    said = [
        np.where(rng.random(items) < 0.2 + 0.05 * place, rng.integers(0, classes, items), truth)
        for place in range(systems)
    ]
    names = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:systems])
    return oc.Outcomes.of_rows(names, list(zip(truth, *said, strict=True)), [1] * items)


@pytest.mark.parametrize("classes", [20, 200])
def test_the_default_prior_does_not_swamp(classes: int) -> None:
    """At 20 and 200 classes the prior shifts the result by less than a tenth of its std, or a finding would say so."""
    answer = oc.compare(noisy(classes, 3000), measure="macro_f1")
    assert abs(answer.difference.mean - answer.only.observed) < 0.5 * answer.difference.std
    assert "OC207" not in {each.code for each in answer.findings}
    assert answer.only.prior == "matched prior (2.67 pseudo-items)"
    heavy = oc.compare(noisy(classes, 3000), measure="macro_f1", prior=200)
    assert "OC207" in {each.code for each in heavy.findings}


def test_unpaired_is_wider() -> None:
    outcomes = oc.outcomes(oc.datasets.path("20news"), truth="truth", systems=["nb_mult", "svm_l2"])
    paired, unpaired = (oc.compare(outcomes, measure="macro_f1", model=model) for model in ("paired", "unpaired"))
    assert unpaired.difference.std > 1.2 * paired.difference.std
    assert unpaired.difference.mean == pytest.approx(paired.difference.mean, abs=3e-3)


# --- many labels, groups --------------------------------------------------------------------------------------------


def test_documents_are_the_units() -> None:
    """Ten copies of every label are no more evidence than one; the decision-level model thinks so, and says so."""
    rng = np.random.default_rng(0)
    truth = [["x"] if rng.random() < 0.5 else ["y"] for _ in range(150)]
    said = [[labels if rng.random() < right else [] for labels in truth] for right in (0.9, 0.7)]
    copied = [
        [[f"{each}{copy}" for each in labels for copy in range(10)] for labels in lists] for lists in (truth, *said)
    ]
    once = from_lists(truth, {"A": said[0], "B": said[1]})
    often = from_lists(copied[0], {"A": copied[1], "B": copied[2]})
    widths = [oc.compare(data, measure="micro_f1").difference.hdi.width for data in (once, often)]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)
    pooled = oc.compare(often, measure="micro_f1", model="decisions")
    assert pooled.difference.hdi.width < 0.5 * widths[1]
    assert "OC401" in {each.code for each in pooled.findings}


def test_groups(tmp_path: Path) -> None:
    """Each item four times over in a group: twice as wide an interval, and the finding says so."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 300)
    frame = pd.DataFrame({"doc": range(300), "gold": truth})
    for name, wrong in (("A", 0.2), ("B", 0.3)):
        frame[name] = np.where(rng.random(300) < wrong, rng.integers(0, 3, 300), truth)
    often = pd.concat([frame] * 4)
    grouped = oc.compare(often, truth="gold", systems=["A", "B"], group="doc", measure="accuracy")
    naive = oc.compare(often[["gold", "A", "B"]], truth="gold", measure="accuracy")
    assert grouped.difference.std == pytest.approx(2 * naive.difference.std, rel=0.05)
    (told,) = [each.message for each in grouped.findings if each.code == "OC114"]
    assert "300 groups (effective number 300.0)" in told
    assert "2.0" in told.partition("makes the interval ")[2]
    often.to_csv(tmp_path / "often.csv", index=False)
    of_file = oc.compare(tmp_path / "often.csv", truth="gold", systems=["A", "B"], group="doc", measure="accuracy")
    assert of_file.difference == grouped.difference
    with pytest.raises(InputError, match="no column"):
        oc.compare(often, truth="gold", group="docs")


# --- the hierarchy --------------------------------------------------------------------------------------------------

# Tarone 1982, as in Gelman et al., Bayesian Data Analysis, section 5.3: tumours of 71 groups of rats.
RATS = (
    [(0, 20)] * 7 + [(0, 19)] * 4 + [(0, 18)] * 2 + [(0, 17)] + [(1, 20)] * 4 + [(1, 19)] * 2 + [(1, 18)] * 2
    + [(2, 25), (2, 24), (2, 23)] + [(2, 20)] * 6 + [(1, 10), (5, 49), (2, 19), (5, 46), (3, 27), (2, 17)]
    + [(7, 49), (7, 47)] + [(3, 20)] * 2 + [(2, 13), (9, 48), (10, 50)] + [(4, 20)] * 7 + [(10, 48)] + [(4, 19)] * 3
    + [(5, 22), (11, 46), (12, 49)] + [(5, 20)] * 2 + [(6, 23), (5, 19), (6, 22)] + [(6, 20)] * 3
    + [(16, 52), (15, 46), (15, 47), (9, 24), (4, 14)]
)  # fmt: skip


def test_rat_tumours() -> None:
    """The book prints E(alpha | y) = 2.4 and E(beta | y) = 14.3, hyper-prior (alpha + beta)^(-5/2)."""
    assert len(RATS) == 71
    y, n = np.array(RATS).T

    def of_the_book(eta: np.ndarray, log_kappa: np.ndarray) -> np.ndarray:
        # p(alpha, beta) ~ kappa^(-5/2); in (eta, log kappa) the Jacobian is kappa^2.
        return -0.5 * log_kappa + 0 * eta

    level = Level.fit(y, n, of_the_book, reach=(0.0, 8.0))
    assert level.mean_of(lambda eta, kappa: eta * kappa) == pytest.approx(2.4, abs=0.05)
    assert level.mean_of(lambda eta, kappa: (1 - eta) * kappa) == pytest.approx(14.3, abs=0.3)
    # Shrinkage: the raw rates of 0 and of .375 are drawn towards the level of about .14.
    assert level.means[0] == pytest.approx(0.063, abs=0.005)
    assert 0.15 < level.means[-2] < 9 / 24


def test_limits_of_the_hierarchy() -> None:
    """Kappa to infinity pools the classes, kappa to zero separates them."""
    y, n = np.array([2.0, 30.0, 9.0]), np.array([10.0, 50.0, 10.0])
    pooled = Level.fit(y, n, lambda eta, log_kappa: np.where(log_kappa > 13, 0.0, -1e9))
    assert pooled.means == pytest.approx(np.full(3, 41 / 70), abs=0.01)
    separate = Level.fit(y, n, lambda eta, log_kappa: np.where(log_kappa < -3, 0.0, -1e9))
    assert separate.means == pytest.approx(y / n, abs=0.01)
    drawn = Level.fit(y, n).sample(200_000, np.random.default_rng(0))
    assert drawn.mean(axis=0) == pytest.approx(Level.fit(y, n).means, abs=3e-3)


def test_shared_outcomes_against_a_chain() -> None:
    """The paired hierarchy's importance sampling against a plain random-walk Metropolis on the same posterior."""
    counts = np.array([[30, 5, 2, 10], [8, 1, 3, 4], [50, 9, 9, 30], [3, 0, 1, 2], [14, 6, 1, 9]], dtype=float)
    rng = np.random.default_rng(5)
    found, worth = SharedOutcomes(counts).sample(60_000, rng)
    assert worth > 5_000

    def log(point: np.ndarray) -> float:
        shares = special.softmax(np.append(point[:3], 0.0))
        alphas = shares * math.exp(point[3])
        # The Dirichlet-multinomial, but for what does not depend on the alphas.
        whole = special.gammaln(alphas.sum()) - special.gammaln(alphas.sum() + counts.sum(axis=1))
        fit = whole + (special.gammaln(alphas + counts) - special.gammaln(alphas)).sum(axis=1)
        return float(fit.sum() + np.log(shares).sum() - 0.5 * ((point[3] - 2) / 1.5) ** 2)

    point, here = np.array([1.0, -1.0, -1.5, 2.0]), -np.inf
    kept = []
    for step in range(24_000):
        proposal = point + rng.normal(size=4) * [0.25, 0.4, 0.45, 0.8]
        there = log(proposal)
        if math.log(rng.random()) < there - here:
            point, here = proposal, there
        if step > 2_000 and step % 2 == 0:
            alphas = special.softmax(np.append(point[:3], 0.0)) * math.exp(point[3])
            kept.append((alphas + counts) / (alphas.sum() + counts.sum(axis=1, keepdims=True)))
    chain = np.mean(kept, axis=0)
    assert found.mean(axis=0) == pytest.approx(chain, abs=0.012)


def test_hierarchical_comparison() -> None:
    """Shrinks, says whose hyper-priors they are, and agrees with the paired model where data are plenty."""
    outcomes = noisy(8, 4000)
    plain, shrunk = (oc.compare(outcomes, measure="macro_f1", model=model) for model in ("paired", "hierarchical"))
    assert shrunk.difference.mean == pytest.approx(plain.difference.mean, abs=plain.difference.std)
    assert "our hyper-priors" in shrunk.only.prior
    rows = oc.compare(noisy(8, 100), model="hierarchical", by="label")
    assert [row.label for row in rows.rows] == [str(label) for label in range(8)]
    # With a dozen items a class, a class's own difference is drawn towards what the classes have in common.
    raw, pulled = (np.array([getattr(row, name) for row in rows.rows]) for name in ("observed", "posterior"))
    assert np.std([law.mean for law in pulled]) < 0.8 * np.std(raw)
    with pytest.raises(InputError, match="supports only macro_f1"):
        oc.compare(outcomes, measure="micro_f1", model="hierarchical")


# --- ranking --------------------------------------------------------------------------------------------------------


def test_ties_share() -> None:
    """Two systems that say the same are best with probability one half each, and share their ranks."""
    outcomes = noisy(4, 500)
    rows = [
        (outcomes.labels[t], outcomes.labels[a], outcomes.labels[a], outcomes.labels[b])
        for t, a, b in outcomes.patterns
    ]
    same = oc.Outcomes.of_rows(("one", "two", "other"), rows, outcomes.counts)
    ranking = oc.rank(same, measure="accuracy")
    one, two = (next(each for each in ranking.systems if each.system.name == name) for name in ("one", "two"))
    # Two pseudo-items may tell them apart: in 20,000 draws the error is .004.
    assert one.best == pytest.approx(two.best, abs=0.02)
    assert one.expected_rank == pytest.approx(two.expected_rank, abs=0.04)
    assert one.ranks == pytest.approx(two.ranks, abs=0.02)
    assert ranking.verdict("one", "two").value == "~="
    for each in ranking.systems:
        assert sum(each.ranks) == pytest.approx(1)
    assert sum(each.best for each in ranking.systems) == pytest.approx(1)


@given(st.integers(0, 1000), st.integers(2, 7))
def test_ranks(seed: int, systems: int) -> None:
    """Mid-ranks are SciPy's; P(rank) has the expected rank as its mean."""
    values = np.random.default_rng(seed).integers(0, 4, (50, systems)).astype(float)
    ranks = Ranks(values)
    assert ranks.ranks == pytest.approx(stats.rankdata(-values, axis=1))
    assert ranks.table @ np.arange(1, systems + 1) == pytest.approx(ranks.expected)
    assert ranks.table.sum(axis=0) == pytest.approx(np.ones(systems))


def test_simultaneous_intervals_hold_all_at_once() -> None:
    values = np.random.default_rng(0).normal(size=(20_000, 6))
    ends = simultaneous(values, 0.9)
    inside = np.all([(values[:, k] >= e.low) & (values[:, k] <= e.high) for k, e in enumerate(ends)], axis=0)
    assert inside.mean() == pytest.approx(0.9, abs=0.001)


def test_tiers() -> None:
    """Runs of neighbours of which no two are told apart: overlapping groups, as in a letter display."""
    apart = {(0, 2), (0, 3), (1, 3)}
    assert tiers([0, 1, 2, 3], lambda a, b: (a, b) in apart) == [[0, 1], [1, 2], [2, 3]]
    assert tiers([0, 1, 2], lambda a, b: False) == [[0, 1, 2]]


def test_twenty_newsgroups() -> None:
    """Four classifiers, six pairs, macro and micro; the ranking of the demo data."""
    answer = oc.compare(oc.datasets.path("20news"), truth="truth")
    assert len(answer) == 12
    ranking = oc.rank(oc.datasets.path("20news"), truth="truth")
    assert ranking.names == ("nb_mult", "svm_l2", "svm_l1", "nb_bern")
    assert ranking.systems[0].best > 0.99
    plain = json.loads(ranking.to_json())
    assert {"ranking", "verdicts", "measure", "rope", "words"} <= set(plain)
    for text in (ranking.to_csv(), ranking.to_markdown(), ranking.to_latex(), str(ranking)):
        assert "nb_mult" in text.replace("\\", "")


def test_many_classes_and_many_systems_fit_in_memory() -> None:
    """1,000 classes; 20 systems on 12,000 items: sparse patterns, no table of all confusions."""
    assert oc.compare(noisy(1000, 4000), measure="macro_f1", draws=1_000).difference.std > 0
    ranking = oc.rank(noisy(10, 12_000, systems=20), measure="accuracy", draws=1_000)
    assert len(ranking.systems) == 20


def test_what_cannot_be_is_refused() -> None:
    outcomes = noisy(4, 200)
    data = from_lists([["x"], ["y"]] * 20, {"A": [["x"], ["y"]] * 20, "B": [["y"], ["y"]] * 20})
    for call in (
        lambda: oc.compare(outcomes, measure="f1"),
        lambda: oc.compare(outcomes, measure="macro_f1", prior="normal"),
        lambda: oc.compare(outcomes, measure="macro_f1", undefined="2"),
        lambda: oc.compare(outcomes, measure="macro_f1", model="goutte"),
        lambda: oc.compare(data, measure="accuracy"),
        lambda: oc.compare(data, measure="f1"),
        lambda: oc.compare(data, model="decisions", measure="macro_f1"),
        lambda: oc.rank(outcomes, measure=["macro_f1", "micro_f1"]),
    ):
        with pytest.raises(InputError):
            call()
