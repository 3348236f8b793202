"""Measures near given weights: values and derivatives against the measures themselves."""

import numpy as np
import pytest

from outclass.measures import scored

SMOOTH = [name for name, measure in scored.MEASURES.items() if measure.derive is not None]


@pytest.mark.parametrize("digits", [None, 1], ids=["distinct", "tied"])
@pytest.mark.parametrize("name", SMOOTH)
def test_slopes_and_bends_are_those_of_the_measure(name: str, digits: int | None) -> None:
    """Central differences of the weighted measure, of which a step of 1e-4 tells the second to about 1e-7."""
    rng = np.random.default_rng(0)
    truth, scores, weights = rng.random(40) < 0.4, rng.uniform(0.05, 0.95, 40), rng.gamma(2.0, size=40)
    scores = scores if digits is None else np.round(scores, digits)
    measure = scored.MEASURES[name]
    assert measure.derive is not None
    weigh, steps = measure.prepare(truth, scores), 1e-4 * np.eye(40)

    found = measure.derive(truth, scores)(weights)

    up, down = weigh(weights + steps), weigh(weights - steps)
    assert found.value == pytest.approx(float(weigh(weights[None])[0]), abs=1e-13)
    assert found.slopes == pytest.approx((up - down) / 2e-4, abs=1e-9)
    assert found.bends == pytest.approx((up + down - 2 * found.value) / 1e-8, abs=3e-7)


def test_all_smooth_measures_are_there() -> None:
    """ECE, and measures that look at one place of the ranking, jump: they have no derivatives."""
    assert SMOOTH == ["auc", "average_precision", "log_loss", "brier"]
    assert scored.get("recall_at_precision:0.9").derive is None
