"""Rankings of many systems: quicker ways to the same numbers."""

import numpy as np
import pytest

import outclass as oc
from outclass.ask import dispatch
from outclass.inference.distribution import Interval
from outclass.rows.pair_verdicts import verdicts_of
from outclass.rows.ranking import Ranks
from outclass.verdict.rope import decide


@pytest.mark.parametrize(("systems", "levels"), [(2, 2), (5, 3), (7, 1_000), (3, 1)])
def test_the_table_of_ranks_counts_draws(systems: int, levels: int) -> None:
    """P(rank) is the share of draws in which so many are above, a tie being spread over the ranks it takes."""
    values = np.random.default_rng(5).integers(0, levels, (300, systems)).astype(float)
    expected = np.zeros((systems, systems))
    for row in values:
        for which, own in enumerate(row):
            above, equal = int((row > own).sum()), int((row == own).sum())
            expected[which, above : above + equal] += 1 / equal

    assert np.allclose(Ranks(values).table, expected / 300, rtol=0, atol=1e-12)


@pytest.mark.parametrize("mass", [0.01, 0.5, 0.51, 0.95, 0.999])
@pytest.mark.parametrize("draws", [1, 2, 3, 200])
def test_verdicts_are_by_the_shortest_interval(draws: int, mass: float) -> None:
    """Sorting the tails alone finds the interval that sorting everything finds."""
    values = np.random.default_rng(6).random((draws, 5)) * 0.3 + np.linspace(0, 0.3, 5)
    rope = Interval(-0.05, 0.05)
    inside = min(max(int(np.ceil(mass * draws)), 1), draws)

    found = verdicts_of(values, rope, mass)

    for a in range(5):
        for b in range(a + 1, 5):
            both = np.sort(values[:, a] - values[:, b])
            start = int(np.argmin(both[inside - 1 :] - both[: draws - inside + 1]))
            assert found[a][b] == decide(Interval(both[start], both[start + inside - 1]), rope).value


def test_systems_drawn_apart_have_the_same_posterior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many distinct rows each system, or pair, is drawn from its own counts: the same but for chance."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 4, 400)
    shares = {"a": 0.6, "b": 0.7, "c": 0.8}
    said = {name: np.where(rng.random(400) < own, truth, rng.integers(0, 4, 400)) for name, own in shares.items()}
    together = oc.compare(oc.read(truth, said)), oc.evaluate(oc.read(truth, said))
    monkeypatch.setattr(dispatch, "MOST_WEIGHTS", 0)

    apart = oc.compare(oc.read(truth, said)), oc.evaluate(oc.read(truth, said))

    for old, new in zip(together[0].rows, apart[0].rows, strict=True):
        assert [each.name for each in old.systems] == [each.name for each in new.systems]
        assert old.observed == pytest.approx(new.observed)
        assert old.difference.mean == pytest.approx(new.difference.mean, abs=0.002)
        assert old.difference.std == pytest.approx(new.difference.std, rel=0.05)
    for first, second in zip(together[1].rows, apart[1].rows, strict=True):
        assert first.model == second.model
        assert first.system.mean == pytest.approx(second.system.mean, abs=0.002)
        assert first.system.std == pytest.approx(second.system.std, rel=0.05)


def test_rows_of_many_pairs_make_their_posteriors_again() -> None:
    """More rows than are kept whole hold recipes, from which each posterior is made as it was."""
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 3, 60)
    said = {f"s{at}": np.where(rng.random(60) < 0.5 + at / 20, truth, rng.integers(0, 3, 60)) for at in range(8)}

    answer = oc.compare(oc.read(truth, said), draws=500)

    assert len(answer.rows) == 56
    for row in (answer.rows[0], answer.rows[-1]):
        assert row.law is not None
        assert row.law._law is None  # type: ignore[union-attr]  # let go
        assert row.posterior is not None
        # What is made again is rounded as what is sent (`SentDraws`): each draw by less than a thousandth of their std.
        assert row.posterior.mean == pytest.approx(row.difference.mean, abs=1e-4 * row.difference.std)
        assert row.posterior.hdi(0.95) == pytest.approx(row.difference.hdi, abs=1e-3 * row.difference.std)
