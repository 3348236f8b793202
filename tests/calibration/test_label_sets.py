"""Averages without a label: the interval covers as often as it says."""

import numpy as np
import pytest
from label_sets import WORLDS, World, covered

from outclass.measures.averages import AVERAGES

DEFAULT = {"micro_f1 without 0 0.250": "micro_f1", "macro_f1 without 0 0.333": "macro_f1"}


@pytest.mark.parametrize("world", [WORLDS[0], WORLDS[3]], ids=lambda world: world.name)
def test_coverage(world: World) -> None:
    """The default prior covers within four standard errors (0.07 of 150 sets) of the 95% that it promises."""
    found = covered(world, 300, 150)

    for name, base in DEFAULT.items():
        assert AVERAGES[base].pseudo_count == pytest.approx(float(name.split()[-1]), abs=1e-3)
        assert abs(found[name][0] - 0.95) < 0.07


def test_true_values_are_those_of_many_items() -> None:
    """The closed form of the true value agrees with a test set of a million items, within four standard errors of the rarest label."""
    from outclass.data.classes import Classes
    from outclass.models.weighed import units_of
    from outclass.models.weights import Weighted

    world = WORLDS[2]
    measure = AVERAGES["macro_f1"].over(range(1, len(world.shares)), "without 0")
    outcomes = world.simulate(1_000_000, np.random.default_rng(1))
    seen = Weighted(units_of(Classes(outcomes), ("A", "B")), ("A", "B"), 1, 1).observed([measure])

    assert seen[measure.name] == pytest.approx([world.value(measure, which) for which in (0, 1)], abs=0.008)
