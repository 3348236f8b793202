"""Laws that are made again."""

import pickle
from functools import partial

from outclass.inference import lazy
from outclass.inference.closed import BetaLaw
from outclass.inference.lazy import LazyDistribution


class _Recipe:
    """Counts how often it is followed."""

    made = 0

    def __call__(self) -> BetaLaw:
        _Recipe.made += 1
        return BetaLaw(2, 3)


def test_lazy_distributions() -> None:
    """A law is held until it is forgotten, then made once and remembered; sent elsewhere, it is its recipe alone."""
    first = BetaLaw(2, 3)
    law = LazyDistribution(first, _Recipe())
    _Recipe.made = 0

    assert law() is first
    assert _Recipe.made == 0
    law.forget()
    again = law()
    assert again == first
    assert again is not first
    assert law() is again
    assert _Recipe.made == 1
    sent = LazyDistribution.__new__(LazyDistribution)
    sent.__setstate__(law.__getstate__())
    assert sent() == first
    assert _Recipe.made == 2
    assert lazy._LATEST[-1] is sent()
    assert pickle.loads(pickle.dumps(LazyDistribution(first, partial(BetaLaw, 4, 5))))() == BetaLaw(4, 5)
