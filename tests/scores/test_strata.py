"""Groups as fixed strata: a suite that averages its tasks, without a claim about other tasks."""

import math
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.errors import InputError

SIZES = (60, 25, 12, 8)


def _table(seed: int = 5, sizes: tuple[int, ...] = SIZES) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    task = [f"t{at}" for at, size in enumerate(sizes) for _ in range(size)]
    base = np.concatenate([rng.normal(at, 1, size) for at, size in enumerate(sizes)])
    one = base + rng.normal(0.3, 1, len(base))
    return {"item": list(range(len(task))), "task": task, "a": one.tolist(), "b": base.tolist()}


def _asked(**more: Any) -> dict[str, Any]:
    return {"scores": True, "item": "item", "group": "task", "model": "strata", **more}


def _by_hand(table: dict[str, list[Any]], weights: list[float]) -> tuple[float, float, float]:
    """Return the weighted mean of the tasks' differences, its variance and the degrees of freedom (Satterthwaite)."""
    differences = np.array(table["a"]) - np.array(table["b"])
    own = [differences[np.array(table["task"]) == name] for name in dict.fromkeys(table["task"])]
    variances = [weight**2 * each.var(ddof=1) / len(each) for weight, each in zip(weights, own, strict=True)]
    freedom = sum(variances) ** 2 / sum(v**2 / (len(each) - 1) for v, each in zip(variances, own, strict=True))
    return sum(w * each.mean() for w, each in zip(weights, own, strict=True)), sum(variances), freedom


@pytest.mark.parametrize("average", ["groups", "items"])
def test_a_mean_over_strata(average: str) -> None:
    """SE² is the sum of w² s² / n; nothing is added for how much the tasks differ."""
    table = _table()
    total = sum(SIZES)
    weights = [1 / len(SIZES)] * len(SIZES) if average == "groups" else [size / total for size in SIZES]
    mean, variance, freedom = _by_hand(table, weights)

    row = oc.compare(table, **_asked(average=average)).only

    assert row.model_key == "grouped_values.strata"
    assert row.observed == pytest.approx(mean)
    assert row.difference.mean == pytest.approx(mean)
    assert row.difference.std == pytest.approx(math.sqrt(variance * freedom / (freedom - 2)))
    assert row.tests == ()


def test_one_stratum_is_the_t_test() -> None:
    """Of one task it is what the items by themselves are."""
    table = _table(sizes=(40,))

    strata = oc.compare(table, **_asked()).only
    plain = oc.compare({**table}, scores=True, item="item", systems=["a", "b"], model="t").only

    assert strata.difference.mean == pytest.approx(plain.difference.mean)
    assert strata.difference.std == pytest.approx(plain.difference.std)


def test_a_ranking_over_strata() -> None:
    """Draws of all systems together have the means and the spread of the pair."""
    table = _table()

    first = oc.rank(table, **_asked(average="groups", draws=20_000)).systems[0]
    row = oc.compare(table, **_asked(average="groups")).only

    assert first.system.name == "a"
    assert first.system.mean == pytest.approx(row.systems[0].mean, abs=0.02)
    assert first.best == pytest.approx(1 - row.posterior.cdf(0), abs=0.01)


def test_ties_within_a_stratum_are_no_certainty() -> None:
    """A task on which both always agree is not known exactly."""
    table = {"item": list(range(24)), "task": ["x"] * 12 + ["y"] * 12, "a": [1.0] * 24, "b": [1.0] * 24}

    row = oc.compare(table, **_asked(average="groups")).only

    assert row.difference.hdi.width > 0.1


def test_a_small_stratum_with_full_weight_is_told() -> None:
    """Eight items with a quarter of the weight are few; weighted by their number they are not."""
    codes = {
        average: {each.code for each in oc.compare(_table(), **_asked(average=average)).findings}
        for average in ("groups", "items")
    }

    assert "OC107" in codes["groups"]
    assert "OC107" not in codes["items"]


def test_a_stratum_of_one_item_is_refused() -> None:
    """One item says nothing about how items vary."""
    with pytest.raises(InputError, match=r"at least 2 items per group; 't1' has one. Leave such groups out"):
        oc.compare(_table(sizes=(20, 1)), **_asked())


@pytest.mark.parametrize("average", ["groups", "items"])
@pytest.mark.parametrize("sizes", [(60, 25, 12, 8), (3,) * 20])
def test_the_interval_covers(sizes: tuple[int, ...], average: str) -> None:
    """Of 300 sets from the same tasks the 95% interval has the difference of these tasks in 91.2 to 98.8%.

    That is three standard errors; the tasks differ by far more than the items of one, which must not count.
    """
    rng = np.random.default_rng(8)
    gaps = rng.normal(0.0, 2.0, len(sizes))
    task = np.repeat(np.arange(len(sizes)), sizes)
    weights = np.full(len(sizes), 1 / len(sizes)) if average == "groups" else np.array(sizes) / sum(sizes)
    held = 0
    for _ in range(300):
        base = rng.normal(size=len(task))
        table = {"item": list(range(len(task))), "task": task, "a": base + gaps[task] + rng.normal(size=len(task))}
        hdi = oc.compare({**table, "b": base}, **_asked(average=average)).difference.hdi
        held += hdi.low <= weights @ gaps <= hdi.high

    assert abs(held / 300 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 300)
