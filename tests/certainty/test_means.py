"""Means of numbers per item: the mean is the question, ties and constants are no certainty."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import outclass as oc
from outclass.cli.main import app
from outclass.inference.derived import Truncated
from outclass.inference.distribution import Interval
from outclass.inference.grid import StudentLaw
from outclass.models.means import extra_squares, mean_draws, mean_law


def _preferences(items: int = 805) -> dict[str, np.ndarray]:
    """Preferences of a judge: 60% ties, and more for A than for B; the mean is far from the commonest value."""
    rng = np.random.default_rng(1)
    gaps = rng.choice([0.0, 0.5, 1.0, -0.5, -1.0], items, p=[0.6, 0.12, 0.13, 0.08, 0.07])
    gaps += np.where(gaps != 0, rng.normal(0, 0.02, items), 0)
    return {"A": 0.5 + gaps / 2, "B": 0.5 - gaps / 2}


def test_the_default_is_about_the_mean() -> None:
    """805 preferences with many ties: the estimate is the mean difference and its error the standard error."""
    table = _preferences()
    gaps = table["A"] - table["B"]
    row = oc.compare(oc.scores(table)).only

    assert row.model == "t"
    assert row.difference.mean == pytest.approx(gaps.mean(), rel=1e-6)
    assert row.difference.std == pytest.approx(stats.sem(gaps), rel=0.01)
    assert row.difference.hdi.low < gaps.mean() < row.difference.hdi.high


def test_student_is_named_for_what_it_is() -> None:
    """Kruschke's t answers only when asked for, and its title says that it is a robust centre."""
    row = oc.compare(oc.scores(_preferences()), model="student").only

    assert "robust centre" in row.measure.title
    assert "robust centre" in row.model


def test_numbers_without_ties_are_the_t_test() -> None:
    """Nothing is added where no differences are tied: the tail is the one-sided p-value."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.3, 1, 20), rng.normal(0, 1, 20)
    row = oc.compare(oc.scores({"A": a, "B": b}), rope=0.1).only

    assert extra_squares([a, b]).tolist() == [0, 0]
    assert row.difference.below == pytest.approx(stats.ttest_rel(a, b, alternative="greater").pvalue, rel=1e-9)


@pytest.mark.parametrize("other", [0.5, 0.0, 1.0])
def test_a_constant_system_gets_an_answer(other: float, tmp_path: Path) -> None:
    """One system has the same number for every item: the command answers, and its own interval is no point."""
    rng = np.random.default_rng(3)
    rows = [f"{value},{other}" for value in rng.random(30)]
    (tmp_path / "c.csv").write_text("a,b\n" + "\n".join(rows) + "\n")
    result = CliRunner().invoke(app, ["compare", str(tmp_path / "c.csv"), "--scores", "--format", "json"])
    assert result.exit_code == 0, result.output
    row = json.loads(result.output)["comparisons"][0]

    low, high = row["systems"][1]["hdi"]
    assert 0 <= low < high <= 1
    assert row["difference"]["hdi"][0] < row["difference"]["hdi"][1]


@pytest.mark.parametrize("value", [0.5, 3.0, -2.0])
def test_equal_constants_are_no_certainty(value: float) -> None:
    """Two systems with one and the same number: an interval around zero, and a finding."""
    both = {"A": np.full(20, value), "B": np.full(20, value)}
    row = oc.compare(oc.scores(both)).only

    assert row.difference.hdi.low < 0 < row.difference.hdi.high
    assert "OC105" in {note.code for note in row.findings}


@pytest.mark.parametrize("model", ["t", "bootstrap"])
@pytest.mark.parametrize("differing", [0, 1, 3])
def test_few_differences_are_no_certainty(model: str, differing: int) -> None:
    """Equal numbers but for a few items: P(A <= B) stays well above zero, and the answer says why."""
    rng = np.random.default_rng(4)
    base = rng.integers(1, 6, 100).astype(float)
    better = base + (np.arange(100) < differing)
    row = oc.compare(oc.scores({"A": better, "B": base}), model=model, rope=0.1, rng=1).only

    assert row.difference.below > 0.01
    assert {"OC104", "OC105"} & {note.code for note in row.findings}


def test_bounded_numbers_keep_their_range() -> None:
    """Shares near 1 on few items: intervals stay within [0, 1], differences within [-1, 1]."""
    a = np.array([1.0, 1.0, 1.0, 0.9, 0.2])
    b = np.array([0.0, 0.1, 0.0, 0.3, 0.0])
    row = oc.compare(oc.scores({"A": a, "B": b}), model="t").only

    for system in row.systems:
        assert 0 <= system.hdi.low < system.hdi.high <= 1
    assert -1 <= row.difference.hdi.low < row.difference.hdi.high <= 1
    assert mean_law(a).hdi().high > 1


def test_a_truncated_law_is_scipys() -> None:
    """Cut to a range: density, distribution and quantiles are those of scipy's t, divided by the mass inside."""
    law, theirs = Truncated(StudentLaw(5, 0.9, 0.1), Interval(0.0, 1.0)), stats.t(5, 0.9, 0.1)
    inside = theirs.cdf(1) - theirs.cdf(0)
    x = np.linspace(0.1, 0.99, 12)

    assert law.cdf(x) == pytest.approx((theirs.cdf(x) - theirs.cdf(0)) / inside)
    assert law.pdf(x) == pytest.approx(theirs.pdf(x) / inside)
    assert law.cdf(law.quantile([0.1, 0.5, 0.9])) == pytest.approx([0.1, 0.5, 0.9])
    assert law.mean == pytest.approx(theirs.expect(lb=0, ub=1) / inside, abs=1e-4)
    assert law.probability(0.8, 2.0) == pytest.approx((theirs.cdf(1) - theirs.cdf(0.8)) / inside)


def test_means_of_all_systems_have_the_law_of_every_pair() -> None:
    """The multivariate t of three systems: each difference has the quantiles of the paired t."""
    rng = np.random.default_rng(5)
    base = rng.normal(0, 1, 12)
    columns = [base + rng.normal(0.1 * place, 0.5, 12) for place in range(3)]
    draws = mean_draws(columns, 200_000, np.random.default_rng(6))

    for a, b in ((0, 1), (0, 2), (1, 2)):
        law = mean_law(columns[a] - columns[b])
        assert law.cdf(np.quantile(draws[:, a] - draws[:, b], [0.025, 0.5, 0.975])) == pytest.approx(
            [0.025, 0.5, 0.975], abs=0.004
        )


@pytest.mark.parametrize("kind", ["numbers", "ties", "right or wrong"])
def test_rank_of_two_agrees_with_compare(kind: str) -> None:
    """P(A > B) is the same whichever command is asked, within the error of 40,000 draws."""
    rng = np.random.default_rng(7)
    a, b = rng.normal(0.2, 1, 25), rng.normal(0, 1, 25)
    if kind == "ties":
        b = np.where(np.arange(25) < 20, a, b)
    elif kind == "right or wrong":
        a, b = (a > -1).astype(float), (b > 0).astype(float)
    data = oc.scores({"A": a, "B": b})
    ranking = oc.rank(data, rope=0.1, draws=40_000)
    best = {each.system.name: each.best for each in ranking.systems}

    assert best["A"] == pytest.approx(oc.compare(data, rope=0.1).difference.above, abs=0.01)


def test_swapping_mirrors_the_draws_of_means() -> None:
    """B against A is exactly A against B, turned, although it is sampled."""
    rng = np.random.default_rng(8)
    data = oc.scores({"A": rng.normal(0.2, 1, 40), "B": rng.normal(0, 1, 40)})
    first, second = (
        oc.compare(data, systems=names, model="bootstrap", draws=2_000).difference for names in (["A", "B"], ["B", "A"])
    )

    assert first.hdi.low == pytest.approx(-second.hdi.high, abs=1e-12)
    assert first.mean == pytest.approx(-second.mean, abs=1e-12)


def test_the_median_does_not_change_the_mean() -> None:
    """A second measure leaves the answer to the first as it is."""
    rng = np.random.default_rng(0)
    data = oc.scores({"A": rng.lognormal(0, 1, 80), "B": rng.lognormal(0.1, 1, 80)})
    alone, both = oc.compare(data, measure="mean"), oc.compare(data, measure=["mean", "median"])
    assert both.rows[0].difference == alone.only.difference
    assert [row.measure.name for row in both.rows] == ["mean", "median"]


def test_outliers_do_not_set_the_rope() -> None:
    """A tenth of the spread of most numbers: two outliers of 120 change it little."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(20, 2, 120), rng.normal(22, 2, 120)
    wild = a.copy()
    wild[:2] = 50_000
    plain, odd = (oc.compare(oc.scores({"A": x, "B": b})).only.rope.high for x in (a, wild))
    assert odd == pytest.approx(plain, rel=0.1)


def test_other_systems_do_not_thin_the_prior() -> None:
    """A and B differ on one item: P(A > B) in a ranking of ten is what it is between the two."""
    rng = np.random.default_rng(2)
    a = rng.normal(100, 10, 300)
    b = a.copy()
    b[0] += 5
    others = {f"s{place}": rng.normal(100, 10, 300) for place in range(8)}
    pair = oc.compare(oc.scores({"A": a, "B": b}), rope=1).only.difference.above
    laws = {
        each.system.name: each.system.posterior.in_order.ravel()  # type: ignore[union-attr]
        for each in oc.rank(oc.scores({"A": a, "B": b, **others}), rope=1).systems
    }
    assert float((laws["A"] > laws["B"]).mean()) == pytest.approx(pair, abs=0.02)


def test_right_and_wrong_have_their_tests() -> None:
    """Results that are 0 and 1: who alone is right, not a t-test of tied numbers."""
    rng = np.random.default_rng(3)
    data = oc.scores({"A": (rng.random(60) < 0.9).astype(float), "B": (rng.random(60) < 0.7).astype(float)})
    assert {row.name for row in oc.test(data).rows} == {"sign_exact", "mcnemar_midp"}
