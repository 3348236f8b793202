"""What must hold of every measure, model and answer, over the registries, whatever the data."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outclass as oc
from outclass import measures
from outclass.data.outcomes import Outcomes
from outclass.measures import MEASURES
from outclass.models import models_of
from outclass.models.prior import prior_of
from outclass.verdict.rope import Verdict

PARAMETERS = {"fbeta": "fbeta:2", "utility": "utility:tp=2,fp=-1", "cost": "cost:fp=1,fn=5"}
EVERY = [*MEASURES, *PARAMETERS.values()]
# Of each model, a measure of every kind it knows; the others are their neighbours in the same code.
ASKED = {
    "paired": EVERY,
    "unpaired": EVERY,
    "goutte": ["f1", "precision", "recall", "jaccard"],
    "sign": ["accuracy"],
}
CASES = [(model, measure) for model, known in ASKED.items() for measure in known]
TOLERANCE = 5e-4
# Both answers carry an error, told as a 98% half-width: two of them, and then some.
NEAR = 6 * TOLERANCE
MIRROR = {">>": "<<", ">": "<", "~=": "~=", "?": "?", "<": ">", "<<": ">>"}
CELLS = st.tuples(*[st.integers(1, 60)] * 8)


def _items(cells: tuple[int, ...]) -> list[np.ndarray]:
    """Return truth, A and B of a (2, 4) table."""
    kinds = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    return [np.repeat([kind[place] for kind in kinds], cells) for place in range(3)]


def _compare(*items: np.ndarray, **asked: Any) -> oc.Comparison:
    # Closed forms have no tolerance.
    how = {} if asked.get("model") in ("goutte", "sign") else {"tolerance": TOLERANCE}
    return oc.compare(*items, **how, **asked)


def test_nothing_was_forgotten() -> None:
    """Every model and every kind of measure there is stands above."""
    assert set(ASKED) == set(models_of("table"))
    families = {name.partition(":")[0] for name in measures.known() if ":" in name}
    assert families == set(PARAMETERS)


@pytest.mark.parametrize(("model", "measure"), CASES)
def test_swapping_mirrors_everything(model: str, measure: str) -> None:
    """B against A is A against B with the other sign: numbers, verdicts, tests, Bayes factors."""
    truth, a, b = _items((40, 9, 3, 12, 6, 4, 8, 90))
    there, back = (_compare(*each, model=model, measure=measure).only for each in ((truth, a, b), (truth, b, a)))

    assert there.observed == pytest.approx(-back.observed, nan_ok=True)
    assert there.difference.mean == pytest.approx(-back.difference.mean, abs=NEAR * _unit(measure))
    assert there.difference.std == pytest.approx(back.difference.std, rel=0.01)
    assert there.difference.hdi.low == pytest.approx(-back.difference.hdi.high, abs=NEAR * _unit(measure))
    assert there.difference.hdi.high == pytest.approx(-back.difference.hdi.low, abs=NEAR * _unit(measure))
    assert there.difference.below == pytest.approx(back.difference.above, abs=NEAR)
    assert there.difference.rope == pytest.approx(back.difference.rope, abs=NEAR)
    assert MIRROR[there.verdict.value] == back.verdict.value
    for mine, theirs in zip(there.tests, back.tests, strict=True):
        assert mine.p_value == pytest.approx(theirs.p_value, abs=1e-9)
    for mine, theirs in zip(there.bayes_factors, back.bayes_factors, strict=True):
        assert mine.value == pytest.approx(theirs.value, rel=0.05, nan_ok=True), mine.name


def _unit(measure: str) -> float:
    found = measures.get(measure)
    return found.high - found.low if math.isfinite(found.high - found.low) else 10.0


@pytest.mark.parametrize(("model", "measure"), CASES)
def test_a_system_against_itself_is_a_tie(model: str, measure: str) -> None:
    """A copy differs by nothing: the middle is zero, neither side is more probable, no test is significant."""
    truth, a, _ = _items((40, 9, 3, 12, 6, 4, 8, 90))
    row = _compare(truth, a, a.copy(), model=model, measure=measure).only

    assert row.observed == 0
    assert row.difference.mean == pytest.approx(0, abs=NEAR * _unit(measure))
    assert row.difference.below == pytest.approx(row.difference.above, abs=2 * NEAR)
    assert row.verdict not in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS)
    assert all(test.p_value > 0.9 or math.isnan(test.p_value) for test in row.tests)


@pytest.mark.parametrize(("model", "measure"), CASES)
def test_more_of_the_same_is_narrower(model: str, measure: str) -> None:
    """Ten times the counts: an interval about a third as wide."""
    cells = (40, 9, 3, 12, 6, 4, 8, 90)
    few, many = (
        _compare(*_items(tuple(times * cell for cell in cells)), model=model, measure=measure).only for times in (1, 10)
    )

    assert 0.2 < many.difference.hdi.width / few.difference.hdi.width < 0.5
    assert many.observed == pytest.approx(few.observed, nan_ok=True)


@pytest.mark.parametrize("measure", EVERY)
@settings(max_examples=40)
@given(cells=st.tuples(*[st.integers(0, 1000)] * 4))
def test_measures_stay_in_their_bounds(measure: str, cells: tuple[int, ...]) -> None:
    """A measure lies between its bounds, or is not a number; scaling a table changes nothing."""
    found = measures.get(measure)
    value = float(found(*cells))

    assert math.isnan(value) or found.low - 1e-9 <= value <= found.high + 1e-9
    if measure.partition(":")[0] not in ("utility", "cost"):
        assert float(found(*(7 * cell for cell in cells))) == pytest.approx(value, nan_ok=True)


@settings(max_examples=15)
@given(cells=CELLS, random=st.randoms())
def test_items_may_come_in_any_order(cells: tuple[int, ...], random: Any) -> None:
    """A permutation of the items is the same data, and so is the answer, byte for byte."""
    items = np.array(_items(cells))
    order = list(range(items.shape[1]))
    random.shuffle(order)

    assert _compare(*items[:, order]).to_json() == _compare(*items).to_json()


@settings(max_examples=15)
@given(cells=CELLS)
def test_labels_may_have_any_name(cells: tuple[int, ...]) -> None:
    """Other names for the labels change the label that is named, and nothing else."""
    truth, a, b = _items(cells)
    renamed = [np.where(column == 1, "yes <&>", "no\\_%") for column in (truth, a, b)]
    plain, other = _compare(truth, a, b).only, _compare(*renamed, positive="yes <&>").only

    assert other.label == "yes <&>"
    assert other.difference == plain.difference
    assert other.systems[0].hdi == plain.systems[0].hdi


@settings(max_examples=15)
@given(first=CELLS, second=CELLS)
def test_evidence_adds(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """Two tests added are one test of all items."""

    def outcomes(cells: tuple[int, ...]) -> Outcomes:
        truth, a, b = _items(cells)
        return oc.outcomes({"truth": truth, "a": a, "b": b}, truth="truth")

    together = outcomes(tuple(x + y for x, y in zip(first, second, strict=True)))

    assert outcomes(first) + outcomes(second) == together
    assert Outcomes.from_json(together.to_json()) == together


@pytest.mark.parametrize(("model", "measure"), CASES)
def test_json_there_and_back(model: str, measure: str) -> None:
    """What is written is read back as it was, and written again as before."""
    answer = _compare(*_items((40, 9, 3, 12, 6, 4, 8, 90)), model=model, measure=measure)
    text = answer.to_json()

    assert oc.Comparison.from_json(text).to_json() == text


@settings(max_examples=40)
@given(cells=CELLS, pseudo=st.floats(0.3, 5))
def test_posteriors_stay_in_their_bounds(cells: tuple[int, ...], pseudo: float) -> None:
    """Probabilities are probabilities, intervals lie in the support, and hold what they say."""
    row = _compare(*_items(cells), measure="f1", prior=pseudo).only
    law, found = row.posterior, row.difference

    assert law is not None
    assert prior_of(pseudo).mu == (pseudo, pseudo)
    assert -1 <= found.hdi.low < found.mean < found.hdi.high <= 1
    assert found.below + found.above == pytest.approx(1, abs=NEAR)
    assert 0 <= found.rope <= 1
    assert law.probability(*found.hdi) == pytest.approx(0.95, abs=NEAR)
    at = np.linspace(-1, 1, 41)
    assert np.all(np.diff(law.cdf(at)) >= -1e-12)
