"""Simulation-based calibration in small; `make calibrate` runs it in full."""

import re
from pathlib import Path

import numpy as np
import pytest
from sbc import MODELS, histogram, p_value

pytest.importorskip("pymc")
pytestmark = pytest.mark.slow


# As many as take seconds; a few simulations of chains would show nothing that tests/models/test_mcmc.py does not.
SIMULATIONS = {"paired, exact": 60, "hierarchical, importance sampling": 30}


@pytest.mark.parametrize(
    "name", [name if name in SIMULATIONS else pytest.param(name, marks=pytest.mark.full) for name in MODELS]
)
def test_ranks_are_uniform(name: str, full: bool) -> None:
    """Fails by chance one time in a thousand, of other seeds; the seed is fixed."""
    simulations = 200 if full else SIMULATIONS[name]
    assert p_value(histogram(name, simulations, seed=7)) > 1e-3


def test_the_test_can_fail() -> None:
    """Ranks of a posterior half as wide as it should be pile up at the ends."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=300)
    draws = truth[:, None] + rng.normal(size=(300, 1)) + 0.5 * rng.normal(size=(300, 99))
    ranks = (draws < truth[:, None]).sum(axis=1)
    assert p_value(np.bincount(ranks * 10 // 100, minlength=10)) < 1e-4


def test_the_page_says_what_was_found() -> None:
    """Every model is on the page, with at least 200 simulations, and none is refused at one in a thousand."""
    page = (Path(__file__).parents[2] / "docs" / "ranks.md").read_text()
    for name in MODELS:
        line = next(line for line in page.splitlines() if line.startswith(f"| {name} |"))
        *counts, p = (float(number) for number in re.findall(r"[\d.]+", line.removeprefix(f"| {name} |")))
        assert sum(counts) >= 200
        assert p > 1e-3
        assert p == pytest.approx(p_value(np.array(counts)), abs=6e-4)
