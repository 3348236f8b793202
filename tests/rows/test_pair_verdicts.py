"""Verdicts on all pairs at once are those of each pair's shortest interval, whichever short cut is taken."""

import numpy as np
import pytest

from outclass.inference.distribution import Interval
from outclass.rows import pair_verdicts
from outclass.rows.pair_verdicts import verdicts_of
from outclass.verdict.rope import Verdict, decide, decided


def _one_by_one(values: np.ndarray, rope: Interval, mass: float) -> list[list[str]]:
    """Sort everything, and decide each pair for itself."""
    draws, systems = values.shape
    inside = min(max(int(np.ceil(mass * draws)), 1), draws)
    found = [["" for _ in range(systems)] for _ in range(systems)]
    for a in range(systems):
        for b in range(a + 1, systems):
            both = np.sort(values[:, a] - values[:, b])
            start = int(np.argmin(both[inside - 1 :] - both[: draws - inside + 1]))
            found[a][b] = decide(Interval(both[start], both[start + inside - 1]), rope).value
    return found


@pytest.mark.parametrize("block", [pair_verdicts.BLOCK, 1_000])
@pytest.mark.parametrize("mass", [0.01, 0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize("rope", [(-0.05, 0.05), (0.0, 0.0), (-0.2, 0.2), (-0.05, np.inf), (-0.02, 0.05)])
def test_short_cuts_change_no_verdict(
    rope: tuple[float, float], mass: float, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Systems far apart and alike, spread wide and narrow, that tie, that always agree, and that touch the region."""
    monkeypatch.setattr(pair_verdicts, "BLOCK", block)
    rng = np.random.default_rng(7)
    region = Interval(*rope)
    for draws in (1, 2, 3, 10, 300):
        for spread in (0.0, 0.001, 0.02, 0.1):
            values = rng.normal(0.5, spread, (draws, 9)) + np.array([-0.2, -0.1, -0.05, -0.05, 0, 0, 0.02, 0.05, 0.3])
            for each in (values, np.round(values, 2)):
                each[:, 3] = each[:, 2]

                found, known = verdicts_of(each, region, mass), _one_by_one(each, region, mass)

                assert all(found[a][b] == known[a][b] for a in range(9) for b in range(a + 1, 9))
                assert all(found[a][a] == "" for a in range(9))


def test_many_intervals_are_decided_as_one_is() -> None:
    """Ends that touch the region, an even interval, and one that is not known, as `decide` has them."""
    ends = [-0.2, -0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1, 0.2]
    low, high = (np.array(each) for each in zip(*[(a, b) for a in ends for b in ends if a <= b], strict=True))
    low, high = np.append(low, np.nan), np.append(high, 0.1)
    ropes = [(-0.05, 0.05), (0.0, 0.0), (-0.05, np.inf), (-np.inf, 0.02), (-0.02, 0.05), (0.02, 0.1)]

    for rope in (Interval(*each) for each in ropes):
        known = [decide(Interval(a, b), rope) for a, b in zip(low.tolist(), high.tolist(), strict=True)]

        assert decided(low, high, rope) == known
    assert {*known} > {Verdict.MUCH_LESS, Verdict.MUCH_GREATER}
