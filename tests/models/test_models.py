"""The models' exact answers against long runs of independent draws, and at the edges of what counts can be."""

import math

import numpy as np
import pytest
from scipy import integrate, special

from outclass import measures
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.models import model_of, models_of
from outclass.models.evidence import Evidence
from outclass.models.null_density import sides_used, vanishing_power
from outclass.models.one.single import Single
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired
from outclass.models.table.unpaired import Unpaired

ROPE = Interval(-0.05, 0.05)
TABLES = {
    "ordinary": [[40, 9, 4, 12], [8, 6, 3, 118]],
    "rare positives": [[6, 3, 1, 2], [20, 8, 11, 4000]],
    "one-sided": [[500, 0, 15, 85], [180, 17, 0, 1203]],
    "tiny": [[3, 0, 1, 0], [0, 1, 0, 5]],
}
LONG = 2_000_000  # standard errors: 3.5e-4 of a probability, 7e-4 std of a mean


def _long_run(table: list[list[int]], prior: float) -> list[tuple[np.ndarray, ...]]:
    """Draw from the paired posterior as the paper defines it, with NumPy's own samplers: both systems' cells."""
    rng = np.random.default_rng(8)
    positives, negatives = np.array(table)
    mu = rng.beta(prior + positives.sum(), prior + negatives.sum(), LONG)
    p = rng.dirichlet(prior + positives, LONG).T
    q = rng.dirichlet(prior + negatives, LONG).T
    rates = [(p[0] + p[only], q[0] + q[only]) for only in (1, 2)]
    return [(mu * r, (1 - mu) * f, mu * (1 - r), (1 - mu) * (1 - f)) for r, f in rates]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("prior", [1.0, pytest.param(0.5, marks=pytest.mark.full)])
def test_paired_against_a_long_run(name: str, prior: float, full: bool) -> None:
    """Probabilities, mean, std and interval agree with two million draws (five standard errors)."""
    # Of few items the commands ask for no more either: the density has steps. In the full form it is asked for.
    settings = Settings(tolerance=5e-4 if name == "tiny" and not full else 1e-4)
    model = Paired.fit(Evidence.of_joint(np.array(TABLES[name])), prior_of(prior), settings)
    a, b = _long_run(TABLES[name], prior)
    for measure in ("f1", "precision", "accuracy", "recall", "kappa", "npv", "mcc"):
        asked = measures.get(measure)
        draws = asked(*a) - asked(*b)
        found = summarise(model.difference(asked), ROPE, 0.95)
        slack = 10 if measure == "mcc" else 1  # plain Sobol points: an error of 1e-3, and said so

        assert found.above == pytest.approx(float(np.mean(draws > 0)), abs=1.8e-3 + slack * 2e-4), measure
        assert found.rope == pytest.approx(float(np.mean(np.abs(draws) < 0.05)), abs=1.8e-3 + slack * 2e-4), measure
        assert found.mean == pytest.approx(draws.mean(), abs=4e-3 * draws.std()), measure
        assert found.std == pytest.approx(draws.std(), rel=6e-3), measure
        inside = np.mean((draws > found.hdi.low) & (draws < found.hdi.high))
        assert inside == pytest.approx(0.95, abs=1.5e-3 * slack), measure


def test_unpaired_against_a_long_run() -> None:
    """Two systems with their own mu's: agreement with two million draws (five standard errors)."""
    evidence = Evidence.of_joint(np.array(TABLES["ordinary"]))
    model = Unpaired.fit(evidence, prior_of("uniform"), Settings())
    rng = np.random.default_rng(8)
    cells = []
    for (tp, fn), (fp, tn) in evidence.systems:
        mu = rng.beta(1 + tp + fn, 1 + fp + tn, LONG)
        recall, fallout = rng.beta(1 + tp, 1 + fn, LONG), rng.beta(1 + fp, 1 + tn, LONG)
        cells.append((mu * recall, (1 - mu) * fallout, mu * (1 - recall), (1 - mu) * (1 - fallout)))
    for measure in ("f1", "accuracy", "specificity", "fbeta:2", "gmean"):
        asked = measures.get(measure)
        draws = asked(*cells[0]) - asked(*cells[1])
        found = summarise(model.difference(asked), ROPE, 0.95)
        slack = 6 if measure == "gmean" else 1

        assert found.above == pytest.approx(float(np.mean(draws > 0)), abs=1.8e-3 * slack), measure
        assert found.std == pytest.approx(draws.std(), rel=6e-3 * slack), measure
        inside = np.mean((draws > found.hdi.low) & (draws < found.hdi.high))
        assert inside == pytest.approx(0.95, abs=2e-3 * slack), measure


def test_single_against_a_long_run() -> None:
    """One system's posterior agrees with two million draws (five standard errors), for every measure."""
    model = Single.fit(np.array([[25, 6], [11, 80]]), prior_of("uniform"), Settings())
    rng = np.random.default_rng(9)
    mu, recall, fallout = rng.beta(32, 92, LONG), rng.beta(26, 7, LONG), rng.beta(12, 81, LONG)
    cells = (mu * recall, (1 - mu) * fallout, mu * (1 - recall), (1 - mu) * (1 - fallout))
    for measure in measures.MEASURES:
        asked = measures.get(measure)
        law, draws = model.law(asked), asked(*cells)
        low, high = law.hdi(0.9)

        assert law.mean == pytest.approx(draws.mean(), abs=4e-3 * draws.std()), measure
        assert law.std == pytest.approx(draws.std(), rel=6e-3), measure
        assert np.mean((draws > low) & (draws < high)) == pytest.approx(0.9, abs=4e-3), measure


@pytest.mark.parametrize("recall", [(0.5, 10.5), (50.5, 0.5), (20.0, 12.0), (1.0, 2.0), (12.4, 878.4)])
@pytest.mark.parametrize("fallout", [(0.5, 190.5), (0.5, 3.5), (200.0, 1.0), (12.0, 0.5), (0.5, 20.5)])
def test_single_with_empty_cells(recall: tuple[float, float], fallout: tuple[float, float]) -> None:
    """Balanced accuracy, half of two independent Betas' sum: against an integral, to ten times the tolerance.

    At quantiles of draws, wherever the law is; and its own quantiles and its interval hold what they say.
    """
    model = Single((3.0, 5.0), recall, fallout, Settings())
    measure = measures.get("balanced_accuracy")
    law = model.law(measure)

    def below(at: float) -> float:
        # Recall below 2 * at - 1 + fallout, the fallout at its quantile.
        found, _ = integrate.quad(
            lambda u: special.betainc(*recall, np.clip(2 * at - 1 + special.betaincinv(*fallout, u), 0.0, 1.0)),
            *(0, 1),
            limit=400,
            epsabs=1e-7,
        )
        return float(found)

    draws = measure(*model.cells(20_000, np.random.default_rng(1)))
    for at in np.quantile(draws, np.linspace(0.02, 0.98, 9)):
        assert float(law.cdf(at)) == pytest.approx(below(at), abs=1e-3)
    wanted = [0.025, 0.3, 0.5, 0.975]
    assert [below(float(at)) for at in law.quantile(wanted)] == pytest.approx(wanted, abs=1.5e-3)
    low, high = law.hdi(0.95)
    assert below(high) - below(low) == pytest.approx(0.95, abs=2e-3)
    # No shorter one holds as much, by more than a hundredth: of draws the shortest is short by chance.
    widths = np.sort(draws)[19_000:] - np.sort(draws)[:-19_000]
    assert high - low < 1.03 * widths.min()


@pytest.mark.parametrize(
    ("name", "table", "prior"),
    [
        ("kappa", [[20, 0], [0, 0]], 0.3),
        ("npv", [[1_667_375, 0], [3_683, 0]], 0.5),
        ("npv", [[5, 0], [0, 0]], 0.5),
        ("npv", [[923_146_677, 0], [0, 0]], 0.3),
    ],
)
def test_single_with_nothing_to_divide_by(name: str, table: list[list[int]], prior: float) -> None:
    """One class alone: nodes at which top and bottom nearly vanish. 200,000 draws; five standard errors."""
    model = Single.fit(np.array(table), prior_of(prior), Settings())
    measure = measures.get(name)
    law, draws = model.law(measure), measure(*model.cells(200_000, np.random.default_rng(2)))
    draws = draws[np.isfinite(draws)]  # 0/0, of draws below the smallest number
    assert law.mean == pytest.approx(draws.mean(), abs=5 * draws.std() / math.sqrt(200_000))
    assert law.std == pytest.approx(draws.std(), rel=0.01)


def test_single_where_the_share_matters_most() -> None:
    """Few items, well known rates: the grid over the share of positives would give a staircase, ten times as far off.

    Two million draws; five standard errors and six times the tolerance.
    """
    model = Single((2.5, 1.5), (200.0, 150.0), (20.0, 300.0), Settings())
    for name in ("precision", "npv", "accuracy", "kappa", "f1"):
        measure = measures.get(name)
        draws = measure(*model.cells(LONG, np.random.default_rng(3)))
        at = np.quantile(draws, np.linspace(0.02, 0.98, 25))
        assert model.law(measure).cdf(at) == pytest.approx(
            np.linspace(0.02, 0.98, 25), abs=5 * 0.5 / np.sqrt(LONG) + 6e-4
        )


# Each model with the measures it knows.
KNOWN = {
    "paired": ["f1", "recall", "precision", "accuracy"],
    "unpaired": ["f1", "recall", "precision", "accuracy"],
    "goutte": ["f1", "recall", "precision", "fbeta:2"],
    "sign": ["accuracy", "error"],
}


def test_no_model_is_forgotten() -> None:
    assert set(KNOWN) == set(models_of("table"))


# F-beta of the goutte model takes seconds where a law has corners: of these, one below.
@pytest.mark.parametrize(
    ("model", "measure"),
    [(model, each) for model, known in KNOWN.items() for each in known if (model, each) != ("goutte", "fbeta:2")],
)
@pytest.mark.parametrize(
    "table",
    [
        [[1, 0, 0, 0], [0, 0, 0, 1]],
        [[0, 0, 0, 1], [1, 0, 0, 0]],
        [[10**11, 10**9, 10**9 + 10**5, 10**10], [10**10, 10**8, 10**8, 10**12]],
        [[1, 1, 10**12, 0], [0, 0, 0, 10**12]],
        [[0, 0, 0, 0], [0, 0, 0, 0]],
    ],
    ids=["two items", "all wrong", "1e12 items", "lopsided", "nothing"],
)
@pytest.mark.parametrize("prior", [1.0, 0.01, 1e6], ids=["uniform", "0.01", "1e6"])
def test_extremes(model: str, measure: str, table: list[list[int]], prior: float) -> None:
    """From no item to 1e12 items, pseudo-counts from 0.01 to 1e6: finite numbers that make sense."""
    evidence = Evidence.of_joint(np.array(table, dtype=np.int64))
    settings = Settings(tolerance=1e-2)  # the numbers are looked at, not their last digits
    law = model_of(model).posterior.fit(evidence, prior_of(prior), settings).difference(measures.get(measure))
    found = summarise(law, ROPE, 0.95)

    assert all(math.isfinite(number) for number in (found.mean, found.std, *found.hdi))
    assert -1 <= found.hdi.low <= found.hdi.high <= 1
    assert found.below + found.above == pytest.approx(1, abs=1e-6)
    assert 0 <= found.rope <= 1 + 1e-9
    assert found.hdi.low - 1e-9 <= found.mean + 3 * found.std


@pytest.mark.parametrize(
    ("table", "prior"), [([[1, 0, 0, 0], [0, 0, 0, 1]], 1.0), ([[1, 1, 10**12, 0], [0, 0, 0, 10**12]], 0.01)]
)
def test_extremes_of_f_beta(table: list[list[int]], prior: float) -> None:
    test_extremes("goutte", "fbeta:2", table, prior)


@pytest.mark.parametrize("mass", [0.5, 0.9, 0.9999])
def test_wide_and_narrow_intervals(mass: float) -> None:
    """The interval of any mass holds it."""
    law = Paired.fit(Evidence.of_joint(np.array(TABLES["ordinary"])), prior_of("uniform"), Settings()).difference(
        measures.get("f1")
    )

    assert law.probability(*law.hdi(mass)) == pytest.approx(mass, abs=1e-6)


@pytest.mark.parametrize("measure", ["f1", "accuracy", "npv", "kappa"])
def test_swapping_mirrors(measure: str) -> None:
    """Exchanging A and B turns the posterior round, within its error."""
    asked = measures.get(measure)
    table = np.array(TABLES["ordinary"])
    laws = [
        Paired.fit(Evidence.of_joint(each), prior_of("uniform"), Settings()).difference(asked)
        for each in (table, table[:, [0, 2, 1, 3]])
    ]
    first, second = (summarise(law, ROPE, 0.95) for law in laws)

    assert first.mean == pytest.approx(-second.mean, abs=1e-5)
    assert first.above == pytest.approx(second.below, abs=2e-4)
    assert first.hdi.low == pytest.approx(-second.hdi.high, abs=2e-4)


@pytest.mark.parametrize(
    ("measure", "positives", "negatives"),
    [("f1", 1, 0), ("precision", 1, 1), ("recall", 0, 0), ("accuracy", 0, 0), ("mcc", 0.5, 0.5), ("kappa", 1, 1)],
)
def test_vanishing_power(measure: str, positives: float, negatives: float) -> None:
    """How fast two systems' measures run together as one class disappears."""
    asked = measures.get(measure)

    assert vanishing_power(asked, no_positives=True) == pytest.approx(positives, abs=0.01)
    assert vanishing_power(asked, no_positives=False) == pytest.approx(negatives, abs=0.01)


def test_sides_used() -> None:
    """Recall looks at the positives, specificity at the negatives, F1 at both."""
    assert sides_used(measures.get("recall")) == (True, False)
    assert sides_used(measures.get("specificity")) == (False, True)
    assert sides_used(measures.get("f1")) == (True, True)


def test_density_at_zero_needs_disagreement() -> None:
    """Under Jeffreys' prior E[1/s] is infinite on one class alone, finite on two together."""
    nothing = Evidence.of_joint(np.zeros((2, 4), dtype=np.int64))
    prior = Paired.fit(nothing, prior_of("jeffreys"), Settings())

    assert math.isnan(prior.density_at_zero(measures.get("recall"), share_known=True))
    assert prior.density_at_zero(measures.get("f1"), share_known=True) > 0


def test_updating_is_adding() -> None:
    """The posterior of one test is the prior of the next."""
    first, second = np.array(TABLES["ordinary"]), np.array(TABLES["rare positives"])
    whole = Paired.fit(Evidence.of_joint(first + second), prior_of("uniform"), Settings())
    after = Paired.fit(Evidence.of_joint(first), prior_of("uniform"), Settings())
    prior = prior_of({"mu": after.mu, "positives": after.positives, "negatives": after.negatives})

    assert Paired.fit(Evidence.of_joint(second), prior, Settings()) == whole


@pytest.mark.parametrize(
    ("spec", "mu", "outcomes"),
    [
        ("uniform", (1, 1), (1, 1, 1, 1)),
        ("jeffreys", (0.5, 0.5), (0.5,) * 4),
        ("0.25", (0.25, 0.25), (0.25,) * 4),
        ("mu=2,3;positives=1,2,3,4", (2, 3), (1, 2, 3, 4)),
    ],
)
def test_priors(spec: str, mu: tuple[float, float], outcomes: tuple[float, ...]) -> None:
    """A prior is named, one number, or spelt out."""
    prior = prior_of(spec)

    assert prior.mu == mu
    assert prior.outcomes("positives", 4) == outcomes


@pytest.mark.parametrize(
    ("spec", "hint"),
    [("unifrom", "'uniform'"), ("0", "positive"), ("-1", "positive"), ("mu=1,x", "numbers"), ("nu=1", "'mu'")]
    + [("mu=1,2,3", "two"), ({"positives": [1, 2, 3]}, "4")],
)
def test_wrong_priors(spec: object, hint: str) -> None:
    """A wrong prior gets a sentence."""
    with pytest.raises(InputError, match=hint):
        prior_of(spec).outcomes("positives", 4)  # type: ignore[arg-type]


@pytest.mark.parametrize(("prior", "variance"), [("uniform", 1 / 15), ("jeffreys", 1 / 8)])
def test_spread_of_a_prior(prior: str, variance: float) -> None:
    """Before any item the variance of the difference in accuracy is a closed form.

    E[mu^2 + (1 - mu)^2] of Beta(c, c) is (c + 1) / (2 c + 1); Var(x_a - x_b) of Dirichlet(c, c, c, c) is
    2 c / (4 c (4 c + 1)): 2/3 times 1/10 for c = 1, and 3/4 times 1/6 for c = 1/2.
    """
    before = Paired.fit(Evidence.of_joint(np.zeros((2, 4), dtype=np.int64)), prior_of(prior), Settings())

    assert before.difference(measures.get("accuracy")).std == pytest.approx(math.sqrt(variance), rel=2e-4)
