"""The rows of a ranking, against small tables that were worked out by hand."""

from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.hdi import shortest_of_sorted
from outclass.rows.pair_verdicts import MIRROR, verdicts_of
from outclass.rows.ranking import ENOUGH_DRAWS, Ranks, simultaneous, tiers
from outclass.verdict.rope import decide

# Three systems in four worlds; the first two tie in the second world, all of them in the last.
TIED = np.array([[0.9, 0.8, 0.7], [0.8, 0.8, 0.7], [0.6, 0.7, 0.8], [0.5, 0.5, 0.5]])


def test_ranks_of_ties_are_shared() -> None:
    """A tie takes the mean of its ranks, its probability of each rank is spread over them, and so is that of best."""
    ranks = Ranks(TIED)

    assert ranks.ranks.tolist() == [[1, 2, 3], [1.5, 1.5, 3], [3, 2, 1], [2, 2, 2]]
    assert ranks.expected == pytest.approx([7.5 / 4, 7.5 / 4, 9 / 4])
    third, half = 1 / 3, 1 / 2
    assert ranks.best * 4 == pytest.approx([1 + half + third, half + third, 1 + third])
    assert ranks.table * 4 == pytest.approx(
        np.array(
            [
                [1 + half + third, half + third, 1 + third],
                [half + third, 2 + half + third, third],
                [1 + third, third, 2 + third],
            ]
        )
    )


def test_ranks_without_ties() -> None:
    """Without ties the ranks are 1, 2, ... and those with ties elsewhere agree."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 4))

    found = Ranks(values)

    assert found.ranks.tolist() == [[1 + sum(other > own for other in row) for own in row] for row in values]
    assert Ranks(np.vstack([values, np.zeros(4)])).ranks[:-1].tolist() == found.ranks.tolist()
    assert Ranks(np.vstack([values, np.zeros(4)])).ranks[-1].tolist() == [2.5] * 4
    assert found.table.sum(axis=0) == pytest.approx([1] * 4)
    assert found.table[:, 0] == pytest.approx(found.best)
    assert found.table @ np.arange(1, 5) == pytest.approx(found.expected)


def test_ranks_between_which_a_system_lies() -> None:
    """A system that all others are surely below has the first rank alone; those that cannot be told apart share."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(4_000, 4)) + np.array([30.0, 0.0, 0.1, -30.0])

    assert Ranks(values).intervals(0.95) == [Interval(1, 1), Interval(2, 3), Interval(2, 3), Interval(4, 4)]


@pytest.mark.parametrize(("lead", "apart"), [(3.45, False), (3.8, True)])
def test_ranks_hold_for_all_pairs_at_once(lead: float, apart: bool) -> None:
    """Of four independent normal systems one is told apart beyond the studentised range, 3.633 standard deviations.

    That is SciPy's quantile for four systems and 0.95; 4,000 draws know it within 2%.
    """
    rng = np.random.default_rng(2)
    values = rng.normal(size=(ENOUGH_DRAWS, 4))
    values = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    values[:, 0] += lead

    assert (Ranks(values).intervals(0.95)[0] == Interval(1, 1)) is apart


def test_identical_systems_share_all_ranks() -> None:
    """Where nothing moves apart there is no lead, and no division by nothing."""
    same = np.repeat(np.random.default_rng(3).normal(size=(500, 1)), 3, axis=1)

    assert Ranks(same).intervals(0.95) == [Interval(1, 3)] * 3


def test_intervals_hold_together() -> None:
    """The share of draws in which all systems are inside is the mass; a constant is its own interval."""
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.normal(size=(1_001, 3)) * [1, 2, 3], np.full(1_001, 0.5)])

    found = simultaneous(values, 0.9)

    inside = np.all(
        [(values[:, at] >= each.low) & (values[:, at] <= each.high) for at, each in enumerate(found)], axis=0
    )
    assert inside.mean() == pytest.approx(0.9, abs=0.002)
    assert tuple(found[3]) == (0.5, 0.5)
    assert found[1].middle == pytest.approx(values[:, 1].mean())
    assert found[2].width / found[0].width == pytest.approx(values[:, 2].std() / values[:, 0].std())


def test_tiers_may_overlap() -> None:
    """Best first, a tier ends before a system that is told apart from any of its members; tiers inside others go."""
    order = [3, 1, 0, 2]
    apart = {(3, 0), (3, 2), (1, 2)}

    assert tiers(order, lambda a, b: (a, b) in apart) == [[3, 1], [1, 0], [0, 2]]
    assert tiers(order, lambda a, b: False) == [[3, 1, 0, 2]]
    assert tiers(order, lambda a, b: True) == [[3], [1], [0], [2]]
    assert tiers([0, 1, 2], lambda a, b: (a, b) == (0, 2)) == [[0, 1], [1, 2]]
    # What is told apart from a member ends the tier, even if a later one is not.
    assert tiers([0, 1, 2], lambda a, b: (a, b) == (0, 1)) == [[0], [1, 2]]


def test_verdicts_are_those_of_the_shortest_intervals() -> None:
    """Every pair is decided by the shortest interval of its differences, and the other way round by its mirror."""
    rng = np.random.default_rng(5)
    values = rng.gamma(2.0, size=(401, 4)) * 0.1 + np.array([0.0, 0.05, 0.4, 0.9])
    rope = Interval(-0.1, 0.1)

    found = verdicts_of(values, rope, 0.8)

    for a in range(4):
        assert found[a][a] == ""
        for b in range(a + 1, 4):
            hdi = shortest_of_sorted(np.sort(values[:, a] - values[:, b]), 0.8)
            assert found[a][b] == decide(hdi, rope).value
            assert found[b][a] == MIRROR.get(found[a][b], found[a][b])
    assert {found[0][2], found[2][0], found[0][3]} == {"<<", ">>"}


def _table(**rates: float) -> dict[str, Any]:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, 200)
    return {"gold": truth} | {name: np.where(rng.random(200) < rate, 1 - truth, truth) for name, rate in rates.items()}


def test_a_loss_is_ranked_from_below() -> None:
    """Of a measure that is better when lower the system with the lowest comes first; verdicts stay A minus B."""
    table = _table(poor=0.4, good=0.05)

    by_error, by_accuracy = (
        oc.rank(table, truth="gold", measure=measure, draws=2_000) for measure in ("error", "accuracy")
    )

    assert [each.system.name for each in by_error.systems] == ["good", "poor"]
    assert [each.system.name for each in by_accuracy.systems] == ["good", "poor"]
    assert by_error.systems[0].best == by_error.systems[0].ranks[0] == 1
    assert by_error.verdicts[0][1] == "<<"
    assert by_accuracy.verdicts[0][1] == ">>"


def test_ranked_intervals_stay_in_bounds() -> None:
    """A simultaneous interval does not leave the values that the measure can take."""
    found = oc.rank(_table(perfect=0.0, awful=1.0, poor=0.4), truth="gold", measure="accuracy", draws=2_000, prior=0)

    by_name = {each.system.name: each.simultaneous for each in found.systems}
    assert by_name["perfect"].high <= 1
    assert by_name["awful"].low >= 0
    assert 0.45 < by_name["poor"].low < by_name["poor"].high < 0.75


def test_findings_of_a_ranking() -> None:
    """What is odd about a pair is said once, and the default ROPE as in a comparison."""
    table = _table(a=0.2, b=0.2) | {"c": _table(a=0.2)["a"]}
    codes = [each.code for each in oc.rank(table, truth="gold", measure="accuracy", draws=2_000).findings]

    assert "OC105" in codes
    assert codes.count("OC304") + codes.count("OC305") == 1
    assert (
        len(set(codes))
        <= len(codes)
        == len(set(oc.rank(table, truth="gold", measure="accuracy", draws=2_000).findings))
    )


def test_draws_of_a_ranking_that_are_left_out() -> None:
    """Where a system's measure is undefined in some draws, those are left out of all systems, and the share is told."""

    def low_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        share = (tp + tn) / (tp + fp + fn + tn)
        return np.where(share > 0.8, np.nan, share)

    table = _table(a=0.2, b=0.4)
    found = oc.rank(table, truth="gold", positive=1, measure=low_accuracy, draws=2_000)

    (said,) = [each.message for each in found.findings if each.code == "OC206"]
    assert 5 < float(said.partition("undefined for ")[2].partition("%")[0]) < 95
    assert max(each.system.hdi.high for each in found.systems) <= 0.8
    whole = oc.rank(table, truth="gold", positive=1, measure="accuracy", draws=2_000)
    assert "OC206" not in [each.code for each in whole.findings]
    with pytest.raises(InputError, match="is undefined for every draw"):
        oc.rank(_table(a=0.01, b=0.4), truth="gold", positive=1, measure=low_accuracy, draws=500)


@pytest.mark.parametrize("rope", [(-0.1, 0.2), (-0.2, 0.1), (0.0, 0.1)])
def test_a_ranking_takes_no_lopsided_rope(rope: tuple[float, float]) -> None:
    """No system comes first in a pair, so the region must be the same on both sides."""
    with pytest.raises(InputError, match="symmetric rope"):
        oc.rank(_table(a=0.1, b=0.2), truth="gold", rope=rope)
