"""Published results on one test set: the reported interval covers the true difference, whatever the agreement was."""

import pytest
from same_items import WORLDS, World, covered

SETS = 80
NAMED = {world.name: world for world in WORLDS}


@pytest.mark.parametrize("world", [NAMED["ordinary"], NAMED["errors never shared"], NAMED["rare positives"]], ids=str)
def test_reported_interval_covers(world: World) -> None:
    """It covers at least as often as it says, within three standard errors, and is no narrower than with the items."""
    found = covered(world, SETS)

    assert found.reported >= 0.95 - 3 * (0.95 * 0.05 / SETS) ** 0.5
    assert found.reported >= found.from_items
    assert found.wider > 0.99
