"""Every measure, model and preset on tables where something is zero: an answer, never a crash, never a false number."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special

import outclass as oc
from outclass import measures
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired
from outclass.models.table.unpaired import Unpaired

CELLS = [(1, 1), (1, 0), (0, 1), (0, 0)]


def outcomes(positives: list[int], negatives: list[int]) -> oc.Outcomes:
    """Make outcomes of joint counts (both say positive, only A, only B, neither)."""
    rows = [(truth, *said) for truth, said in [*((1, c) for c in CELLS), *((0, c) for c in CELLS)]]
    return oc.Outcomes.of_rows(["A", "B"], rows, positives + negatives)


TABLES = {
    "perfect": ([50, 0, 0, 0], [0, 0, 0, 50]),
    "perfect, one negative": ([97, 0, 0, 0], [0, 0, 0, 1]),
    "all wrong": ([0, 0, 0, 40], [40, 0, 0, 0]),
    "few negatives": ([64763, 1794, 2818, 23131], [0, 1, 0, 88]),
    "few positives": ([0, 0, 0, 1], [0, 13, 1, 8]),
    "many of one kind": ([1509, 0, 0, 0], [0, 0, 0, 13768]),
    "always positive": ([20, 0, 0, 0], [30, 0, 0, 0]),
}
SOME = ("perfect", "few positives", "always positive", "few negatives")


def _some(model: str, prior: str, *names: str) -> list[Any]:
    """Return a model and a prior with every table, of which all but these are left to the full form."""
    return [pytest.param(model, prior, name, marks=[] if name in names else pytest.mark.full) for name in TABLES]


@pytest.mark.parametrize(
    ("model", "prior", "name"),
    [
        *(("paired", "uniform", name) for name in TABLES),
        *_some("paired", "0.05", "all wrong", "few negatives"),
        *_some("unpaired", "jeffreys", "few positives", "always positive"),
        *_some("unpaired", "0.3"),
    ],
)
def test_every_measure_answers(model: str, prior: str, name: str) -> None:
    """All measures at once: finite posteriors of the difference."""
    data = outcomes(*TABLES[name])
    compared = oc.compare(data, measure=["all", "fbeta:2", "cost:fp=1,fn=3"], prior=prior, model=model, tolerance=0.01)
    for row in compared.rows:
        assert math.isfinite(row.difference.mean)
        assert row.difference.hdi.low <= row.difference.hdi.high
        assert row.difference.below + row.difference.above == pytest.approx(1, abs=1e-5)
        factors = {factor.name: factor.value for factor in row.bayes_factors}
        # Nothing seen speaks for a difference that matters here as strongly as a factor of zero would.
        assert factors["interval_null"] != 0


@pytest.mark.parametrize(
    "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.full) for name in TABLES]
)
@pytest.mark.parametrize(
    "prior",
    ["jeffreys", *(pytest.param(each, marks=pytest.mark.full) for each in ("uniform", "0.05", "0.3"))],
)
def test_every_measure_of_one_system_stays_in_its_bounds(name: str, prior: str, full: bool) -> None:
    # What bounds depend on is where the nodes are, not how many; in the full form as many as users get.
    tolerance = None if full else 1e-3
    for part in oc.evaluate(outcomes(*TABLES[name]), measure="all", prior=prior, tolerance=tolerance).rows:
        measure = measures.MEASURES[part.measure.name]
        assert measure.low <= part.system.hdi.low <= part.system.hdi.high <= measure.high
        assert measure.low <= part.system.mean <= measure.high
        assert part.system.std <= (measure.high - measure.low) / 2


@pytest.mark.parametrize("n", [5, 23, 200])
def test_unpaired_recall_piled_up_at_one(n: int) -> None:
    """Two perfect recalls, each Beta(n + 1, 1): the law is symmetric, and P(|A - B| < .05) is a known integral."""
    evidence = Evidence.of_joint(np.array([[n, 0, 0, 0], [0, 0, 0, 30]]))
    law = Unpaired.fit(evidence, prior_of("uniform"), Settings()).difference(measures.get("recall"))
    k = n + 1.0
    inside, _ = integrate.quad(
        lambda x: k * x ** (k - 1) * (min(x + 0.05, 1) ** k - max(x - 0.05, 0) ** k), 0, 1, points=[0.05, 0.95]
    )
    found = summarise(law, Interval(-0.05, 0.05), 0.95)
    low, high = found.hdi

    assert found.rope == pytest.approx(inside, abs=1e-4)
    assert abs(low + high) <= 2 * sum(found.errors.hdi) + 1e-4
    assert law.probability(low, high) == pytest.approx(0.95, abs=1e-4)


@pytest.mark.parametrize("table", [(500, 0, 15, 85), (7, 0, 272, 17686), (40, 9, 4, 12), (1, 1, 100000, 5)])
@pytest.mark.parametrize("prior", [1.0, 0.5])
def test_paired_recall_against_an_integral(table: tuple[int, int, int, int], prior: float) -> None:
    """P(recall difference <= d), by adaptive quadrature over only A's share, to 1e-6."""
    both, only_a, only_b, neither = (count + prior for count in table)
    evidence = Evidence.of_joint(np.array([table, (3, 1, 1, 20)]))
    law = Paired.fit(evidence, prior_of(prior), Settings()).difference(measures.get("recall"))
    rest = both + neither

    def below(d: float) -> float:
        def inner(u: float) -> float:
            # only A's share at its quantile u; only B's share must be at least that minus d
            x = special.betaincinv(only_a, only_b + rest, u)
            y = np.clip((x - d) / (1 - x), 0, 1)
            return float(special.betaincc(only_b, rest, y))

        return float(integrate.quad(inner, 0, 1, limit=400, epsabs=1e-9)[0])

    for d in law.mean + law.std * np.array([-2.0, -0.5, 0.0, 1.0, 2.0]):
        assert float(law.cdf(d)) == pytest.approx(below(float(d)), abs=2e-6)


def test_nan_is_not_evidence() -> None:
    """A prior under which a number cannot be computed gives no Bayes factor of zero."""
    data = outcomes([255, 22, 24, 95], [62, 38, 35, 7001])
    for measure, prior in (("precision", 0.3), ("informedness", 0.3), ("balanced_accuracy", 0.25)):
        value = oc.compare(data, measure=measure, prior=prior).bayes_factors["interval_null"].value
        assert math.isnan(value) or value > 1


def test_density_is_infinite_when_both_say_nothing() -> None:
    """With little mass on anyone saying positive, both F1 vanish together: no density at zero, no Bayes factor."""
    prior = {"mu": (5, 5), "positives": (0.2, 0.2, 0.2, 1), "negatives": 1}
    answer = oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), prior=prior)

    assert math.isnan(answer.bayes_factors["savage_dickey"].value)
    assert "infinite" in answer.bayes_factors["savage_dickey"].words


def test_zero_density_is_not_called_infinite() -> None:
    """A prior that rules equality out has a density of zero there, and nothing speaks of infinity."""
    prior = {"positives": (1, 100000, 1, 1)}
    answer = oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), prior=prior, measure="recall")

    assert "infinite" not in answer.bayes_factors["savage_dickey"].words


def test_exact_refuses_what_it_cannot_do() -> None:
    """`method="exact"` does not pass sampling off as integration."""
    with pytest.raises(InputError, match="cannot be integrated exactly"):
        oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), measure="mcc", method="exact")


def test_winner_with_a_region_away_from_zero() -> None:
    """With a ROPE of .1 to .2 a difference of +.03 is below the region; nobody is called the better by that."""
    answer = oc.compare(outcomes([300, 20, 4, 9], [4, 6, 8, 300]), rope=(0.1, 0.2))

    assert answer.verdict.value == "<<"
    assert answer.words.startswith("the difference A - B in F1 is below the region")


def test_region_that_holds_everything() -> None:
    """A ROPE wider than any possible difference is refused."""
    with pytest.raises(InputError, match="contains every possible difference"):
        oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), rope=5)


def test_two_functions_of_one_name() -> None:
    """Two lambdas are two measures."""
    answer = oc.compare(
        outcomes([30, 5, 4, 9], [4, 6, 3, 80]),
        measure=[lambda tp, fp, fn, tn: tp / (tp + fn), lambda tp, fp, fn, tn: tn / (tn + fp)],
    )

    assert len(answer) == 2
    assert answer[0].systems[0].observed != answer[1].systems[0].observed


@pytest.mark.parametrize("rope", [0, 1e-12, 1e-5])
def test_too_narrow_a_region_has_no_odds(rope: float) -> None:
    """With an infinite prior density at zero, a ROPE that is a point in all but name gets no Bayes factor."""
    factor = oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), rope=rope).bayes_factors["interval_null"]

    assert math.isnan(factor.value)
    assert "too narrow" in factor.words


def test_hair_only_where_the_verdict_would_turn() -> None:
    """An interval that ends near an edge is a finding only if the verdict depends on it."""
    answer = oc.compare(outcomes([255, 22, 24, 95], [62, 38, 35, 7001]))
    low, high = answer.difference.hdi
    across = oc.compare(outcomes([255, 22, 24, 95], [62, 38, 35, 7001]), rope=(-0.02, high + 1e-4))
    on_edge = oc.compare(outcomes([255, 22, 24, 95], [62, 38, 35, 7001]), rope=(low + 1e-4, 0.1))

    assert "OC301" not in [finding.code for finding in across.findings]
    assert "OC301" in [finding.code for finding in on_edge.findings]


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda tp, fp, fn, tn: max(tp, fp), "arrays"),
        (lambda tp, fp, fn, tn: tp * math.nan, "undefined for every draw"),
    ],
)
def test_wrong_functions(function: object, hint: str) -> None:
    """A user's function that cannot be a measure is told what one is."""
    with pytest.raises(InputError, match=hint):
        oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), measure=function)  # type: ignore[arg-type]


def test_constant_function() -> None:
    """A measure that is always the same makes an exact tie."""
    answer = oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80]), measure=lambda tp, fp, fn, tn: 1.0)

    assert answer.difference.mean == 0
    assert answer.verdict.value == "~="


@pytest.mark.parametrize("mass", [0, 1.0, 95])
def test_wrong_mass_of_an_interval(mass: float) -> None:
    """A posterior refuses a mass that no interval holds."""
    with pytest.raises(InputError, match=r"\(0, 1\)"):
        oc.compare(outcomes([30, 5, 4, 9], [4, 6, 3, 80])).posterior.hdi(mass)
