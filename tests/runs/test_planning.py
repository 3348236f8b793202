"""Plans for runs: the width they promise is the one that data of that size have."""

from typing import Any

import numpy as np
import pytest
from run_worlds import SYSTEMS, wide

import outclass as oc
from outclass.ask.pilots import PlanQuestion, of_pilot
from outclass.errors import InputError

COLUMNS: dict[str, Any] = {"truth": "gold", "systems": SYSTEMS, "measure": "accuracy"}


def _planned(data: Any, more: Any) -> Any:
    asked = PlanQuestion(
        goals=(), models=("paired",), measure="accuracy", rope=0.01, hdi_mass=0.95, prior=None, positive=None
    )
    return of_pilot(data, PlanQuestion(**{**vars(asked), "more_runs": more})).world


def test_widths_are_those_of_larger_data() -> None:
    """From six pilots to data with three times the items and runs: the median widths agree within a fifth."""
    promised, found = [], []
    for seed in range(6):
        table = wide(items=600, runs=(12, 12), spread=0.25, seed=100 + seed)
        few = {name: own[:200] for name, own in table.items() if "_s" not in name or int(name.partition("_s")[2]) <= 4}
        world = _planned(oc.read(few, truth="gold", systems=SYSTEMS), 8)
        ends = world.intervals(400, "8 new runs each", 400, 0, np.random.default_rng(seed))
        promised.append(np.median(ends[:, 1] - ends[:, 0]))
        found.append(oc.compare(table, draws=2_000, **COLUMNS).only.difference.hdi.width)

    assert np.median(promised) == pytest.approx(np.median(found), rel=0.2)


def test_more_of_either_is_better() -> None:
    """With more runs and items a narrow interval is likelier; without new runs, items alone do not reach it."""
    plan = oc.plan(
        pilot=wide(), n=[10, 100_000], goal="width:0.1", more_runs=[0, 20], rope=0.01, sets=400, rng=1, **COLUMNS
    )
    found = {(each.n, each.model): each.probability for each in plan.powers}

    assert found[100_000, "no new runs"] < 0.3
    assert found[100_000, "20 new runs each"] > 0.6
    assert found[10, "20 new runs each"] < found[100_000, "20 new runs each"] + 0.05
    assert "20 new runs each model" not in str(plan)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"more_runs": "x"}, "numbers of runs from 0 to 1,000, as in 0,2,5; got 'x'"),
        ({"goal": "significant"}, "not for runs"),
        ({"model": "unpaired"}, "crossed model"),
        ({"prior": "uniform"}, "matched prior"),
        ({"systems": {"bert": ["bert_s1"], "roberta": ["roberta_s1"]}}, "a single run, which says nothing"),
        ({"systems": ["bert_s1", "roberta_s1"], "more_runs": 2}, "more_runs is not used with labels"),
    ],
)
def test_what_cannot_be_planned(asked: dict[str, Any], told: str) -> None:
    """What a plan of runs does not have is an error that says so."""
    with pytest.raises(InputError, match=told):
        oc.plan(**{"pilot": wide(), "n": 100, "sets": 20, **COLUMNS, **asked})
