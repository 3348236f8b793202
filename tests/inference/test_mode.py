"""Where densities are highest, by search."""

import math

import numpy as np
import pytest

from outclass.inference.closed import BetaLaw, LogOddsLaw
from outclass.inference.derived import NoLaw
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.grid import StudentLaw
from outclass.inference.mode import mode_of


class _Without:
    """A law whose own mode is hidden."""

    def __init__(self, law: Distribution) -> None:
        self.quantile, self.pdf, self.support = law.quantile, law.pdf, law.support


@pytest.mark.parametrize(
    ("law", "mode"),
    [(BetaLaw(3, 7), 0.25), (BetaLaw(1, 5), 0.0), (BetaLaw(5, 1), 1.0), (LogOddsLaw(3, 7), math.log(3 / 7))]
    + [(StudentLaw(5, 0.3, 0.1), 0.3)],
)
def test_modes_by_search(law: Distribution, mode: float) -> None:
    """The search finds what the closed form says, ends of the range included."""
    assert mode_of(_Without(law)) == pytest.approx(mode, abs=2e-3)  # type: ignore[arg-type]


def test_modes_of_their_own() -> None:
    """A law that knows its mode is believed; a single number is its own mode; without a law there is none."""
    assert mode_of(BetaLaw(3, 7)) == 0.25
    assert mode_of(Draws(np.full((2, 5), 0.25), Interval(0, 1))) == 0.25
    assert mode_of(StudentLaw(2, 1e16, 0.0)) == 1e16
    assert math.isnan(mode_of(NoLaw(Interval(0, 1))))
