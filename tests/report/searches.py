"""A search for slices that finds something, for tests of what an answer can do."""

import numpy as np

import outclass as oc


def searched() -> oc.SliceSearch:
    """Return a search in which a pair of columns lost, with ids."""
    rng = np.random.default_rng(0)
    gold, side, part = (rng.integers(0, 2, 900) for _ in range(3))
    new = np.where((rng.random(900) < 0.5) & (side == 1) & (part == 1), 1 - gold, gold)
    columns = {"item": np.arange(900), "gold": gold, "old": gold, "new": new, "side": side, "part": part}
    return oc.slices(columns, truth="gold", systems=["old", "new"], id="item")
