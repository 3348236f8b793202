"""Runs crossed with items agree with a mixed model that statsmodels fits by REML, on three simulated data sets."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest

import outclass as oc

ITEMS, RUNS = 40, 8


def _simulated(seed: int, of_runs: float, of_items: float) -> pd.DataFrame:
    """One row per item, system and run: two systems a point apart, with crossed effects of items and runs."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1.5, ITEMS)
    rows = []
    for system, centre in (("a", 0.0), ("b", 1.0)):
        own = rng.normal(0, of_items, ITEMS)
        for run in range(RUNS):
            values = centre + rng.normal(0, of_runs) + hard + own + rng.normal(0, 1, ITEMS)
            rows += [(item, system, f"{system}{run}", value) for item, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["item", "system", "run", "score"])


@pytest.mark.parametrize(("seed", "of_runs", "of_items"), [(1, 0.2, 1.0), (2, 0.8, 0.5), (3, 1.5, 0.2)])
def test_mixed_model(seed: int, of_runs: float, of_items: float) -> None:
    """The difference within a tenth of its standard error, that error within a sixth, and the spread within a third.

    The posterior has a prior on the spread, whose uncertainty is part of its standard deviation; REML has neither.
    """
    import statsmodels.formula.api as smf

    table = _simulated(seed, of_runs, of_items)
    table["at"] = table["system"] + table["item"].astype(str)
    table["whole"] = 1
    effects = {"item": "0 + C(item)", "own": "0 + C(at)", "run": "0 + C(run)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of effects that may be nothing
        mixed = smf.mixedlm("score ~ system", table, groups="whole", vc_formula=effects).fit(reml=True)
    spread = math.sqrt(dict(zip(mixed.model.exog_vc.names, mixed.vcomp, strict=True))["run"])
    row = oc.compare(table, item="item", system_column="system", runs="run", score="score", draws=20_000).only
    parts = row.runs.systems
    pooled = math.sqrt(sum(each.spread**2 for each in parts) / 2)

    assert -row.difference.mean == pytest.approx(mixed.params["system[T.b]"], abs=0.1 * mixed.bse["system[T.b]"])
    assert row.difference.std == pytest.approx(mixed.bse["system[T.b]"], rel=1 / 6)
    assert pooled == pytest.approx(spread, rel=1 / 3)
