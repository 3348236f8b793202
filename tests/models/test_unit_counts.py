"""Counts per item: the exact engine with one decision per item, and every question against something independent."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.ask.per_item import measures_of_counts
from outclass.data.unit_counts import GroupedCounts, UnitCounts, unit_counts
from outclass.errors import InputError
from outclass.models.label_clusters import of_labels
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted
from outclass.significance.swappable import of_decisions

PATTERNS = {"tp": "*_tp", "fp": "*_fp", "fn": "*_fn"}


def _simulated(items: int, seed: int, types: int = 2) -> dict[str, list[Any]]:
    """A long table of two systems and some types, with up to three things to find per item and type."""
    rng = np.random.default_rng(seed)
    rows = []
    for item, kind in product(range(items), range(types)):
        gold = int(rng.integers(0, 4))
        for system, rate in (("A", 0.6), ("B", 0.8)):
            found = int(rng.binomial(gold, rate))
            rows.append((f"i{item}", f"t{kind}", f"d{item % 7}", system, found, int(rng.integers(0, 2)), gold - found))
    names = ("item", "type", "doc", "system", "tp", "fp", "fn")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _counts(items: int = 30, seed: int = 1, **columns: Any) -> Any:
    table = _simulated(items, seed)
    how = {"tp": "tp", "fp": "fp", "fn": "fn", "item": "item", "system_column": "system", "label": "type"}
    return oc.read(table, **how, **columns)


def _observed(data: Any, system: str) -> np.ndarray:
    """Return TP, FN and FP of each label."""
    return data.tables(system).reshape(-1, 4)[:, :3].astype(float)


@pytest.mark.parametrize("measure", ["f1", "recall", "precision"])
@pytest.mark.parametrize(("items", "errors"), [(60, 0.1), (200, 0.02), (400, 0.2)])
def test_one_decision_per_item_is_the_exact_engine(items: int, errors: float, measure: str) -> None:
    """With a label per item that is there or not, the difference is that of two classes, within its error."""
    rng = np.random.default_rng(items)
    truth = rng.random(items) < 0.4
    shared = rng.random(items) < errors / 2
    said = [truth ^ (shared | (rng.random(items) < errors)) for _ in range(2)]
    table = {
        f"{name}_{kind}": own.astype(int).tolist()
        for name, yes in zip("AB", said, strict=True)
        for kind, own in (("tp", truth & yes), ("fp", ~truth & yes), ("fn", truth & ~yes))
    }

    exact = oc.compare(truth, *said, positive=True, measure=measure).only
    counts = oc.compare(table, **PATTERNS, measure=measure, draws=100_000).only

    assert counts.observed == pytest.approx(exact.observed, abs=1e-12)
    assert counts.difference.mean == pytest.approx(exact.difference.mean, abs=5 * exact.difference.std / 100_000**0.5)
    assert counts.difference.std == pytest.approx(exact.difference.std, rel=0.015)
    for ours, theirs in zip(counts.difference.hdi, exact.difference.hdi, strict=True):
        assert ours == pytest.approx(theirs, abs=0.15 * exact.difference.std)


def test_items_kept_once_have_the_same_posterior() -> None:
    """A Gamma(n) weight is the sum of n exponential ones: what is alike may be counted."""
    data = _counts(40)
    rng = np.random.default_rng(5)
    places = rng.integers(0, len(data.times), 150)
    taken = replace(data, times=np.bincount(places, minlength=len(data.times)) + 1)
    unit = np.concatenate([np.repeat(np.arange(len(data.times)), taken.times)])
    listed = _listed(taken, unit)
    measure = measures_of_counts(data, ["micro_f1", "macro_f1"], None)

    drawn = [
        Weighted(units_of(each, each.systems), each.systems, 20_000, 3).values(measure) for each in (taken, listed)
    ]
    for name in ("micro_f1", "macro_f1"):
        first, second = (each[name][:, 0] - each[name][:, 1] for each in drawn)
        assert first.mean() == pytest.approx(second.mean(), abs=5 * first.std() / 100)
        assert first.std() == pytest.approx(second.std(), rel=0.03)


def _listed(data: UnitCounts, unit: np.ndarray) -> UnitCounts:
    """Return items one by one, as they are before they are counted."""
    rows = [np.flatnonzero(data.unit == each) for each in unit]
    taken = np.concatenate(rows)
    return replace(
        data,
        times=np.ones(len(unit), dtype=np.int64),
        unit=np.repeat(np.arange(len(unit)), [len(each) for each in rows]),
        label=data.label[taken],
        cells=data.cells[taken],
    )


def test_averages_by_hand() -> None:
    """Micro, macro and weighted averages are those of the summed counts."""
    data = _counts()
    wanted = ["micro_f1", "micro_precision", "micro_recall", "macro_f1", "weighted_f1", "micro_fbeta:2", "jaccard"]

    rows = oc.evaluate(data, measure=wanted, draws=1_000).rows
    found = {(row.system.name, row.measure.name): row.system.observed for row in rows}

    for name in ("A", "B"):
        tp, fn, fp = _observed(data, name).T
        f1 = 2 * tp / (2 * tp + fn + fp)
        assert found[name, "micro_f1"] == pytest.approx(2 * tp.sum() / (2 * tp + fn + fp).sum())
        assert found[name, "micro_precision"] == pytest.approx(tp.sum() / (tp + fp).sum())
        assert found[name, "micro_recall"] == pytest.approx(tp.sum() / (tp + fn).sum())
        assert found[name, "macro_f1"] == pytest.approx(f1.mean())
        assert found[name, "weighted_f1"] == pytest.approx(np.average(f1, weights=tp + fn))
        assert found[name, "micro_fbeta:2"] == pytest.approx(5 * tp.sum() / (5 * tp + 4 * fn + fp).sum())
        assert found[name, "micro_jaccard"] == pytest.approx(tp.sum() / (tp + fn + fp).sum())


def test_a_row_for_every_label() -> None:
    """`by=label` has the F1 of each type, which `positive` has for one."""
    data = _counts()

    rows = oc.compare(data, by="label", draws=2_000).rows
    one = oc.compare(data, positive="t1", measure=["f1", "recall"], draws=2_000).rows

    assert [(row.label, row.measure.title) for row in rows] == [("t0", "F1"), ("t1", "F1")]
    assert rows[1].observed == one[0].observed
    assert one[0].label == "t1"
    tp, fn, fp = _observed(data, "A")[1]
    assert rows[1].systems[0].observed == pytest.approx(2 * tp / (2 * tp + fn + fp))


def test_the_permutation_test_by_brute_force() -> None:
    """Every way to swap whole items is counted."""
    data = _counts(8, seed=3)
    (measure,) = measures_of_counts(data, "micro_f1", None)
    found = oc.test(data, tests="permutation_exact", measure="micro_f1")
    assert isinstance(data, UnitCounts)
    assert len(data.times) == data.items == 8

    cells = np.zeros((8, 2, 3))
    np.add.at(cells, data.unit, data.cells)

    def difference(swapped: tuple[bool, ...]) -> float:
        own = np.where(np.array(swapped)[:, None, None], cells[:, ::-1], cells).sum(axis=0)
        a, b = (2 * tp / (2 * tp + fp + fn) for tp, fp, fn in own)
        return float(a - b)

    every = np.array([difference(each) for each in product([False, True], repeat=8)])
    seen = every[0]
    assert found[0].p_value == pytest.approx(np.mean(np.abs(every) >= abs(seen) - 1e-12), abs=1e-9)
    swaps = of_decisions(data, ("A", "B"), measure, "drop")
    assert float(swaps.statistic(swaps.seen[None].astype(float))[0]) == pytest.approx(seen)


def test_the_jackknife_by_leaving_groups_out() -> None:
    """Values without each group are those of the other groups' counts, and items' influence is their derivative."""
    data = _counts(35, group="doc")
    assert isinstance(data, GroupedCounts)
    for name in ("micro_f1", "macro_f1"):
        (measure,) = measures_of_counts(data, name, None)
        found = of_labels(data, data.systems, measure, "drop")
        for place in range(7):
            kept = np.flatnonzero(data.group != place)
            rest = _listed(data.counts, kept)
            for at, system in enumerate(data.systems):
                tp, fn, fp = _observed(rest, system).T
                f1 = (
                    2 * tp.sum() / (2 * tp + fn + fp).sum()
                    if name == "micro_f1"
                    else (2 * tp / (2 * tp + fn + fp)).mean()
                )
                assert found.left_out[place, at] == pytest.approx(f1)
        assert found.influence is not None
        assert found.influence.sum(axis=0) == pytest.approx(0, abs=1e-6)


def test_groups_widen_the_interval_and_say_so() -> None:
    """Few documents get a t distribution and its findings."""
    row = oc.compare(_counts(35, group="doc"), measure="micro_f1").only

    assert row.model == "paired (cluster jackknife)"
    assert {"OC114", "OC121"} <= {each.code for each in row.findings}


def test_pseudo_items_are_as_large_as_differences() -> None:
    """Of one decision per item one; of long items what systems differ by, and a whole item where they never do."""

    def made(rows: list[list[int]]) -> Any:
        table = {
            name: list(column)
            for name, column in zip(("a_tp", "a_fn", "b_tp", "b_fn"), zip(*rows, strict=True), strict=True)
        }
        return oc.read({**table, "a_fp": [0] * len(rows), "b_fp": [0] * len(rows)}, **PATTERNS)

    one = made([[1, 0, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0]])
    same = made([[20, 0, 20, 0]] * 30)
    few = made([[20, 0, 20, 0]] * 27 + [[20, 0, 19, 1]] * 3)

    assert one.difference_size(("a", "b")) == 1
    assert same.difference_size(("a", "b")) == pytest.approx(20)
    assert few.difference_size(("a", "b")) == pytest.approx(20**0.25)
    assert few.difference_size(("a",)) == pytest.approx(20)


def test_agreement_is_no_certainty() -> None:
    """Two systems that agree on everything may still differ, and three items are not a proof."""
    table = {f"{name}_{kind}": [20 * (kind == "tp")] * 100 for name in "AB" for kind in ("tp", "fp", "fn")}
    same = oc.compare(table, **PATTERNS).only
    table["B_tp"], table["B_fn"] = [19] * 3 + [20] * 97, [1] * 3 + [0] * 97
    few = oc.compare(table, **PATTERNS).only

    assert same.difference.std > 0
    assert "OC105" in {each.code for each in same.findings}
    assert 0.8 < few.difference.above < 0.999
    assert "OC104" in {each.code for each in few.findings}


def test_states_add_up(tmp_path: Path) -> None:
    """Two batches are the same as one run on both, with groups and without."""
    for group in ({}, {"group": "doc"}):
        path = tmp_path / f"{len(group)}.json"
        one, two = (_counts(20, seed=seed, **group) for seed in (1, 2))
        oc.update(path, one)
        whole = oc.update(path, two)

        assert whole.items == 40
        assert type(oc.read(path)) is type(whole)
        expected = _observed(one, "A") + _observed(two, "A")
        assert np.array_equal(_observed(oc.read(path), "A"), expected)


def test_slices_go_together_with_counts() -> None:
    """A column of languages gives one row for each, and one for all."""
    table = _simulated(60, 4)
    table["lang"] = [("de", "en", "fr")[int(item[1:]) % 3] for item in table["item"]]
    how: dict[str, Any] = {
        "tp": "tp",
        "fp": "fp",
        "fn": "fn",
        "item": "item",
        "system_column": "system",
        "label": "type",
    }

    rows = oc.compare(table, **how, by="lang", measure="micro_f1", draws=1_000).rows
    alone = [at for at, lang in enumerate(table["lang"]) if lang == "en"]
    english = oc.read({name: [column[at] for at in alone] for name, column in table.items()}, **how)

    assert len(rows) == 4
    assert rows[2].observed == oc.compare(english, measure="micro_f1", draws=1_000).only.observed
    assert rows[2].items == 20


def test_a_plan_from_a_pilot() -> None:
    """More items decide more often; a label may be planned by itself."""
    pilot = _counts(60)

    few, many = oc.plan(pilot=pilot, measure="micro_f1", n=[20, 2_000], goal="width:0.08", sets=60).powers
    label = oc.plan(pilot=pilot, positive="t0", n=[50], sets=20)

    assert few.probability < many.probability
    assert str(label)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "accuracy": ({"measure": "accuracy"}, "depends on true negatives"),
    "mcc": ({"measure": "mcc"}, "depends on true negatives"),
    "unknown": ({"measure": "macro_f7x"}, "unknown measure"),
    "all": ({"measure": "all"}, "unknown measure of counts per item 'all'"),
    "an average of one label": ({"measure": "macro_f1", "positive": "t0"}, "is an average over all labels"),
    "no such label": ({"positive": "t7"}, "no label 't7'"),
    "hierarchical": ({"model": "hierarchical"}, "requires items with many labels"),
    "decisions": ({"model": "decisions"}, "requires items with many labels"),
    "exact": ({"method": "exact"}, "can only be sampled"),
    "two at once": ({"by": "label", "positive": "t0"}, "leave out positive"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense(name: str) -> None:
    """Measures that need true negatives, and models that need decisions, say so."""
    how, told = REFUSED[name]

    with pytest.raises(InputError) as error:
        oc.compare(_counts(), **how)
    assert told in str(error.value)


def test_counts_without_labels_have_no_average_over_them() -> None:
    """Macro averages and rows per label need labels."""
    data = oc.read({f"{name}_{kind}": [1, 0, 2] for name in "AB" for kind in ("tp", "fp", "fn")}, **PATTERNS)

    with pytest.raises(InputError, match="averages over labels, and these counts have none"):
        oc.compare(data, measure="macro_f1")
    with pytest.raises(InputError, match="needs labels, and these counts have none"):
        oc.compare(data, by="label")
    with pytest.raises(InputError, match="These counts have no labels"):
        oc.compare(data, positive="x")


def test_an_own_function_of_the_counts() -> None:
    """A function of (tp, fp, fn, tn) that does not look at tn is a measure."""
    data = _counts()

    def threat(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return tp / (tp + fp + 2 * fn)

    row = oc.compare(data, measure=threat, draws=1_000).only
    tp, fn, fp = _observed(data, "A").sum(axis=0)
    assert row.systems[0].observed == pytest.approx(tp / (tp + fp + 2 * fn))


@pytest.mark.parametrize("world", ["ordinary", "long units, strong agreement"])
def test_coverage(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The 95% interval of micro-F1 covers about as often as it says: 150 sets, within four standard errors."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "calibration"))
    import span_worlds

    cell = span_worlds.Cell("paired", "micro_f1", world, 200)
    held = [each[0] for each in span_worlds.of_sentences(cell, 150, np.random.default_rng(8))]
    assert abs(np.mean(held) - 0.95) < 4 * (0.95 * 0.05 / 150) ** 0.5


def test_counts_add_within_an_item() -> None:
    """Rows of one item and label are summed, and rows of zeros are dropped."""
    unit, label = np.array([0, 0, 1]), np.array([0, 0, 0])
    cells = np.array([[[1, 0, 0]], [[0, 2, 0]], [[0, 0, 0]]])

    found = unit_counts(("A",), ("all",), 3, unit, label, cells)
    assert isinstance(found, UnitCounts)
    assert found.cells.tolist() == [[[1, 2, 0]]]
    assert sorted(found.times.tolist()) == [1, 2]


def test_slices_of_one_table_per_system(tmp_path: Path) -> None:
    """Files of systems are sliced as the long table that they are together."""
    import pandas as pd

    frame = pd.DataFrame(_simulated(30, 4, types=1))
    frame["lang"] = ["de" if int(item[1:]) % 2 else "en" for item in frame["item"]]
    paths = []
    for name, part in frame.groupby("system"):
        paths.append(tmp_path / f"{name}.csv")
        part.drop(columns="system").to_csv(paths[-1], index=False)
    how: dict[str, Any] = {"tp": "tp", "fp": "fp", "fn": "fn", "by": "lang", "draws": 1_000}

    files = oc.compare(paths, **how, id="item").rows
    long = oc.compare(frame, **how, item="item", system_column="system").rows
    assert [row.observed for row in files] == [row.observed for row in long]
    assert len(files) == 3
