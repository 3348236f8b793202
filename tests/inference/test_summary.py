"""Wishes about computation, and the numbers that a report shows."""

import math

import numpy as np
import pytest
from scipy import stats

from outclass.errors import InputError
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise


@pytest.mark.parametrize(
    "wishes",
    [
        {"method": "exact"},
        {"chains": 1},
        {"chains": 1_000},
        {"draws": 100},
        {"draws": 100_000_000},
        {"tolerance": 1e-8},
        {"tolerance": 0.0999},
        {"sampler": "metropolis", "form": "original"},
    ],
)
def test_settings_within_bounds(wishes: dict[str, object]) -> None:
    """The bounds belong to what is allowed."""
    settings = Settings(**wishes)  # type: ignore[arg-type]

    assert {name: getattr(settings, name) for name in wishes} == wishes


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"method": "exat"}, "'exact'"),
        ({"sampler": "nut"}, "'nuts'"),
        ({"form": "orignal"}, "'original'"),
        ({"chains": 0}, "between 1 and 1,000"),
        ({"chains": 1_001}, "between 1 and 1,000"),
        ({"draws": 99}, "between 100 and"),
        ({"draws": 100_000_001}, "between 100 and"),
        ({"tolerance": 9e-9}, "tolerance"),
        ({"tolerance": 0.1}, "tolerance"),
        ({"tolerance": math.nan}, "tolerance"),
        ({"tolerance": math.inf}, "tolerance"),
    ],
)
def test_settings_beyond_bounds(wishes: dict[str, object], words: str) -> None:
    """Beyond them there is a sentence."""
    with pytest.raises(InputError, match=words):
        Settings(**wishes)  # type: ignore[arg-type]


def test_usual_settings() -> None:
    """What the documentation says that is usual; and two settings are the same whoever watches their progress."""
    usual = Settings()

    assert (usual.method, usual.draws, usual.tolerance, usual.seed) == ("auto", 50_000, 1e-4, 0)
    assert (usual.sampler, usual.form, usual.chains, usual.progress) == ("nuts", "compact", None, None)
    assert Settings(progress=print) == usual
    assert "progress" not in repr(Settings(progress=print))


def test_summary_of_draws() -> None:
    """Ten draws, two of them exactly zero, which count for half on either side; errors of the two batches by hand."""
    law = Draws(np.array([[-0.25, 0.0, 0.1, 0.32, 0.53], [-0.1, 0.0, 0.2, 0.4, 0.6]]), Interval(-1, 1))
    found = summarise(law, Interval(-0.1, 0.1), 0.5)
    one = stats.t(1).ppf(0.99)  # times half the distance of two numbers: the error of their mean

    assert found.mean == pytest.approx(0.18)
    assert found.std == pytest.approx(float(np.std([-0.25, 0.0, 0.1, 0.32, 0.53, -0.1, 0.0, 0.2, 0.4, 0.6])))
    assert found.hdi == pytest.approx((-0.1, 0.2))  # five of ten
    assert found.below == pytest.approx(0.3)
    assert found.above == pytest.approx(0.7)
    assert found.rope == pytest.approx(0.4)
    assert found.errors.mean == pytest.approx(one * (0.22 - 0.14) / 2)
    spreads = [np.std(part) for part in ([-0.25, 0.0, 0.1, 0.32, 0.53], [-0.1, 0.0, 0.2, 0.4, 0.6])]
    assert found.errors.std == pytest.approx(one * abs(spreads[1] - spreads[0]) / 2)
    # Three of five: 0.0..0.32 of the first batch, -0.1..0.2 of the second.
    assert found.errors.hdi == pytest.approx((one * 0.1 / 2, one * 0.12 / 2))
    assert found.errors.below == pytest.approx(0.0, abs=1e-12)  # 1.5 of 5 in either
    assert found.errors.above == pytest.approx(0.0, abs=1e-12)
    assert found.errors.rope == pytest.approx(0.0, abs=1e-12)  # 2 of 5 in either


def test_summary_of_a_closed_form() -> None:
    """The numbers of a law of the difference are SciPy's, each in its place."""
    law = BetaLaw(4, 3, 2, -1)
    theirs = stats.beta(4, 3, loc=-1, scale=2)
    found = summarise(law, Interval(-0.1, 0.3), 0.9)

    assert (found.mean, found.std) == pytest.approx((theirs.mean(), theirs.std()))
    assert (found.below, found.above) == pytest.approx((theirs.cdf(0), theirs.sf(0)))
    assert found.rope == pytest.approx(theirs.cdf(0.3) - theirs.cdf(-0.1))
    assert found.hdi == law.hdi(0.9)
