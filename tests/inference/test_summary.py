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
    """Ten draws, one of them exactly zero, which counts for half on either side; errors of the two batches by hand."""
    batches = [[-0.25, 0.0, 0.1, 0.32, 0.53], [-0.1, -0.02, 0.2, 0.4, 0.6]]
    found = summarise(Draws(np.array(batches), Interval(-1, 1)), Interval(-0.1, 0.2), 0.5)
    one = stats.t(1).ppf(0.99) / 2  # times the distance of two numbers: the error of their mean

    assert found.mean == pytest.approx(0.178)
    assert found.std == pytest.approx(float(np.std(batches)))
    assert found.hdi == pytest.approx((-0.1, 0.2))  # five of ten
    assert found.below == pytest.approx(0.35)
    assert found.above == pytest.approx(0.65)
    assert found.rope == pytest.approx(0.5)
    assert found.errors.mean == pytest.approx(one * (0.216 - 0.14))
    assert found.errors.std == pytest.approx(one * abs(np.std(batches[1]) - np.std(batches[0])))
    assert found.errors.hdi == pytest.approx((one * 0.1, one * 0.12))  # of 0.0..0.32 and -0.1..0.2, three of five
    assert found.errors.below == pytest.approx(one * 0.1)  # 1.5 of 5, and 2
    assert found.errors.above == pytest.approx(one * 0.1)
    assert found.errors.rope == pytest.approx(one * 0.2)  # 2 of 5, and 3


def test_summary_of_a_closed_form() -> None:
    """The numbers of a law of the difference are SciPy's, each in its place."""
    law = BetaLaw(4, 3, 2, -1)
    theirs = stats.beta(4, 3, loc=-1, scale=2)
    found = summarise(law, Interval(-0.1, 0.3), 0.9)

    assert (found.mean, found.std) == pytest.approx((theirs.mean(), theirs.std()))
    assert (found.below, found.above) == pytest.approx((theirs.cdf(0), theirs.sf(0)))
    assert found.rope == pytest.approx(theirs.cdf(0.3) - theirs.cdf(-0.1))
    assert found.hdi == law.hdi(0.9)
