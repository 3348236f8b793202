"""Each label's own table of one system: from a table of confusions, or label by label, and of all systems in turn."""

import numpy as np
import pytest

import outclass as oc
from outclass.data import outcomes as module
from outclass.data.outcomes import Outcomes


def _rows(labels: int, *, missing: bool) -> Outcomes:
    rng = np.random.default_rng(labels)
    rows = [[f"l{code}" for code in row] for row in rng.integers(0, labels, (300, 4)).tolist()]
    for at in range(0, 300, 7) if missing else ():
        rows[at][1 + at % 3] = None
    return oc.Outcomes.of_rows(["a", "b", "c"], rows, rng.integers(1, 5, 300).tolist())


@pytest.mark.parametrize("labels", [2, 3, 40])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(("confused", "exact"), [(256, 1 << 53), (0, 1 << 53), (0, 1)])
def test_tables_are_those_of_each_label_against_the_rest(
    labels: int, missing: bool, confused: int, exact: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever way they are counted, they are the sums of the joint tables of the system with itself."""
    monkeypatch.setattr(module, "MOST_CONFUSED", confused)
    monkeypatch.setattr(module, "EXACT", exact)
    data = _rows(labels, missing=missing)

    found = [data.tables(system).tolist() for system in data.systems]

    assert found == [each.tolist() for each in data.all_tables()]
    for system, tables in zip(data.systems, found, strict=True):
        both, only, _, neither = np.moveaxis(data.joints(system, system), 2, 0)
        assert tables == np.stack([both + only, neither], axis=2).tolist()


def test_selecting_most_of_many_systems_is_selecting_them() -> None:
    """Narrow codes are as good as wide ones, missing predictions and the order of the systems included."""
    data = _rows(3, missing=True)

    turned = data.selected(["c", "a", "b"])

    assert turned.patterns.dtype == np.int64
    assert turned.selected(["a", "b", "c"]) == data
    assert turned.selected(["b"]) == data.selected(["b"])
