"""Settings of the computation: what is usual, what is allowed at most, and what goes to another process."""

import math
import pickle
from typing import Any

import pytest

from outclass.errors import InputError
from outclass.inference.settings import CHAINS, FORMS, METHODS, Settings


def test_what_is_usual() -> None:
    """The documented defaults; the papers' Metropolis sampler runs one chain, NUTS four."""
    usual = Settings()

    assert (usual.method, usual.draws, usual.tolerance, usual.seed) == ("auto", 50_000, 1e-4, 0)
    assert (usual.sampler, usual.form, usual.chains, usual.progress) == ("nuts", "compact", None, None)
    assert CHAINS == {"nuts": 4, "metropolis": 1, "pymc": 4, "numpyro": 4}
    assert METHODS == ("auto", "exact", "draws", "mcmc")
    assert FORMS == ("compact", "original")


@pytest.mark.parametrize(
    "given",
    [{"chains": 1}, {"chains": 1_000}, {"draws": 100}, {"draws": 100_000_000}, {"tolerance": 1e-8}]
    + [{"tolerance": 0.0999}, {"method": "mcmc", "sampler": "metropolis", "form": "original"}],
)
def test_the_limits_are_allowed(given: dict[str, Any]) -> None:
    """The first and the last value that are allowed are kept."""
    made = Settings(**given)

    assert {name: getattr(made, name) for name in given} == given


@pytest.mark.parametrize(
    ("given", "about"),
    [({"chains": 0}, "chains"), ({"chains": 1_001}, "chains"), ({"draws": 99}, "draws"), ({"draws": 0}, "draws")]
    + [({"draws": 100_000_001}, "draws"), ({"tolerance": 0.1}, "tolerance"), ({"tolerance": 9e-9}, "tolerance")]
    + [({"tolerance": math.nan}, "tolerance"), ({"tolerance": math.inf}, "tolerance")]
    + [({"method": "magic"}, "method"), ({"sampler": "gibbs"}, "sampler"), ({"form": "long"}, "form")],
)
def test_beyond_the_limits(given: dict[str, Any], about: str) -> None:
    """One more, or less, is an error that names what was wrong."""
    with pytest.raises(InputError, match=about):
        Settings(**given)


def test_progress_stays_here() -> None:
    """What shows progress makes no difference between settings, and does not travel; all else does."""
    shown = Settings(draws=200, seed=7, progress=lambda done, total: None)
    sent = pickle.loads(pickle.dumps(shown))

    assert shown == Settings(draws=200, seed=7)
    assert sent == shown
    assert sent.progress is None
    assert (sent.draws, sent.seed) == (200, 7)
