"""Laws of measures of scores without draws: against closed forms, and against a weight for every item."""

import numpy as np
import pytest
from scipy import stats

import outclass as oc
from outclass.data.scores import Scores
from outclass.inference.distribution import Distribution, Interval
from outclass.measures import scored
from outclass.models.pseudo_items import Weighable, with_pseudo_items
from outclass.models.score_laws import ScoreLaws

LEVELS = np.array([0.005, 0.025, 0.16, 0.5, 0.84, 0.975, 0.995])
DRAWS = 8_000
SYSTEMATIC = 0.003  # in probability, of laws that are given, beside the error of the draws


def _world(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    items, prevalence, shift, own = {
        "usual": (3_000, 0.2, 1.2, 0.6),
        "just beyond a thousand": (1_001, 0.3, 1.2, 0.6),
        "tied": (2_000, 0.3, 1.0, 0.6),
        "strongly agreeing": (3_000, 0.2, 1.2, 0.05),
        "rare class": (3_000, 10 / 3_000, 1.5, 0.5),
        "nearly perfect": (2_500, 0.1, 4.5, 0.2),
    }[kind]
    truth, common = rng.random(items) < prevalence, rng.normal(size=items)
    a, b = (1 / (1 + np.exp(1 - common - more * shift * truth - own * rng.normal(size=items))) for more in (1, 1.05))
    if kind == "tied":
        a, b = np.round(a, 1), np.round(b, 1)
    return truth, a, b


def _laws(items: Weighable, name: str) -> ScoreLaws:
    return ScoreLaws(items, scored.MEASURES[name], np.random.default_rng(0))


def _known(law: Distribution | None) -> Distribution:
    assert law is not None
    return law


@pytest.mark.parametrize("name", ["auc", "average_precision", "brier", "log_loss"])
@pytest.mark.parametrize("kind", ["usual", "just beyond a thousand", "tied", "strongly agreeing"])
def test_laws_are_those_of_weights_on_items(kind: str, name: str) -> None:
    """Below quantiles of 8,000 draws lies their share of the law: within four standard errors, and .003."""
    truth, a, b = _world(kind)
    items = with_pseudo_items(Scores(values={"a": a, "b": b}, truth=truth), np.random.default_rng(1))
    laws, measure, rng = _laws(items, name), scored.MEASURES[name], np.random.default_rng(3)
    weighings = [measure.prepare(items.truth, own) for own in items.values]
    weights = [items.weights(500, rng) for _ in range(DRAWS // 500)]
    drawn = np.concatenate([np.column_stack([weigh(each) for weigh in weighings]) for each in weights])
    wide = Interval(-40.0, 40.0) if name == "log_loss" else Interval(-1.0, 1.0)

    for signs in ([1.0, -1.0], [1.0, 0.0]):
        law, slow = _known(laws.law(signs, wide)), drawn @ signs
        errors = np.abs(law.cdf(np.quantile(slow, LEVELS)) - LEVELS)
        assert (errors < 4 * np.sqrt(LEVELS * (1 - LEVELS) / DRAWS) + SYSTEMATIC).all()
        assert law.mean == pytest.approx(slow.mean(), abs=4 * slow.std() / np.sqrt(DRAWS))
        assert law.std == pytest.approx(slow.std(), rel=0.035)
        assert float(law.probability(-1.0, 0.0)) == pytest.approx((slow < 0).mean(), abs=0.025)


def test_a_mean_of_right_and_wrong_is_a_beta() -> None:
    """Probabilities of 0 and 1 have losses of 0 and 1, whose weighted mean is Beta(wrong, right)."""
    truth = np.arange(2_000) < 600
    sure = truth.astype(float)
    sure[550:700] = 1 - sure[550:700]
    exact = stats.beta(150, 1_850)

    law = _known(_laws(Weighable((sure,), truth, np.ones(2_000)), "brier").law([1.0], Interval(0.0, 1.0)))

    assert law.mean == pytest.approx(exact.mean(), abs=0.01 * exact.std())
    assert law.std == pytest.approx(exact.std(), rel=2e-3)
    at = exact.ppf([0.001, 0.025, 0.5, 0.975, 0.999])
    assert law.cdf(at) == pytest.approx(exact.cdf(at), abs=5e-4)


@pytest.mark.parametrize("kind", ["usual", "tied", "strongly agreeing"])
def test_moments_of_auc_have_a_closed_form(kind: str) -> None:
    """Without pseudo-items: the mean to a hundredth of a std, the std within .5%."""
    truth, a, b = _world(kind)
    mean, variance = scored.auc_moments(truth, a, b)

    law = _known(_laws(Weighable((a, b), truth, np.ones(len(a))), "auc").law([1.0, -1.0], Interval(-1.0, 1.0)))

    assert law.mean == pytest.approx(mean, abs=0.01 * np.sqrt(variance))
    assert law.std == pytest.approx(np.sqrt(variance), rel=5e-3)


@pytest.mark.parametrize(
    ("kind", "name"), [("rare class", "auc"), ("rare class", "average_precision"), ("nearly perfect", "auc")]
)
def test_where_few_weights_decide_there_is_no_law(kind: str, name: str) -> None:
    """The answer then comes from draws, and says so."""
    truth, a, b = _world(kind)
    items = with_pseudo_items(Scores(values={"a": a, "b": b}, truth=truth), np.random.default_rng(1))

    assert _laws(items, name).law([1.0, -1.0], Interval(-1.0, 1.0)) is None
    assert oc.compare(truth.astype(int), a, b, measure=name, draws=1_000).only.method == "draws"


def test_answers_say_how_they_were_computed() -> None:
    """Laws are inverted; who names a number of draws gets so many, of the same posterior; so does a ranking."""
    truth, a, b = _world("usual")
    table = {"truth": truth.astype(int), "A": a, "B": b}
    exact = oc.compare(table, truth="truth", scores=True, measure="average_precision").only
    drawn = oc.compare(table, truth="truth", scores=True, measure="average_precision", draws=20_000).only

    assert (exact.method, drawn.method) == ("inversion", "draws")
    assert exact.observed == pytest.approx(drawn.observed, abs=1e-12)
    assert exact.difference.mean == pytest.approx(drawn.difference.mean, abs=drawn.difference.std / 30)
    assert exact.difference.hdi == pytest.approx(drawn.difference.hdi, abs=drawn.difference.std / 6)
    assert 0 < exact.difference.errors.above < 0.02
    ranked = oc.rank(table, truth="truth", scores=True, measure="average_precision", draws=4_000)
    assert {each.system.name for each in ranked.systems} == {"A", "B"}


def test_swapping_mirrors_the_law_and_evaluating_gives_the_same() -> None:
    """B against A is A against B, turned; a system by itself is what it is beside another."""
    truth, a, b = _world("usual")
    table = {"truth": truth.astype(int), "A": a, "B": b}
    forth, back = (
        oc.compare(table, truth="truth", scores=True, systems=names).only for names in (["A", "B"], ["B", "A"])
    )

    assert forth.method == "inversion"
    assert forth.difference.mean == pytest.approx(-back.difference.mean, abs=1e-12)
    assert forth.difference.hdi == pytest.approx((-back.difference.hdi[1], -back.difference.hdi[0]), abs=1e-9)
    alone = {row.system.name: row.system for row in oc.evaluate(table, truth="truth", scores=True)}
    assert alone["A"].mean == pytest.approx(forth.systems[0].mean, abs=1e-12)
    assert alone["A"].hdi == pytest.approx(forth.systems[0].hdi, abs=1e-9)


def test_many_systems_share_draws() -> None:
    """The pairs of six systems are read off draws that they share, rather than off fifteen laws."""
    truth, a, _ = _world("just beyond a thousand")
    rng = np.random.default_rng(5)
    table = {"truth": truth.astype(int)} | {f"s{place}": a + 0.1 * rng.normal(size=len(a)) for place in range(6)}

    found = oc.compare(table, truth="truth", scores=True)

    assert len(found) == 15
    assert {each.only.method for each in found} == {"draws"}
