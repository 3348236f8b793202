"""Items with many labels: reading, micro and macro averages, and the tests on them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

import outclass as oc
from outclass.data.multilabel import Classes, from_lists, from_long
from outclass.errors import InputError
from outclass.testing.categories import f1_of, system_scores

SETS = st.lists(st.tuples(*[st.sets(st.sampled_from("abcdef"), max_size=4)] * 3), min_size=1, max_size=30)


@given(SETS)
def test_averages_are_those_of_scikit_learn(rows: list[tuple[set[str], set[str], set[str]]]) -> None:
    """Micro and macro precision, recall and F1, zero for what is undefined, over the labels that occur."""
    truth, a, b = zip(*rows, strict=True)
    if len(set().union(*(labels for row in rows for labels in row))) < 2:
        return  # scikit-learn takes one column of labels for two classes
    data = from_lists(truth, {"A": a, "B": b})
    binarise = MultiLabelBinarizer(classes=list(data.labels)).fit([data.labels])
    y = binarise.transform(truth)
    for each, said in zip(system_scores(data, "0"), (a, b), strict=True):
        x = binarise.transform(said)
        for average in ("micro", "macro"):
            expected = metrics.precision_recall_fscore_support(y, x, average=average, zero_division=0)[:3]
            found = [getattr(each, f"{average}_{name}") for name in ("precision", "recall", "f1")]
            assert np.nan_to_num(found) == pytest.approx(expected)
        assert each.error == pytest.approx(metrics.hamming_loss(y, x))


@given(st.integers(2, 50), st.integers(0, 1000))
def test_macro_f1_of_single_labels_is_that_of_scikit_learn(classes: int, seed: int) -> None:
    """2 to 50 classes, some of which only a system names, or nobody does."""
    rng = np.random.default_rng(seed)
    truth, a = rng.integers(0, classes, 60), rng.integers(0, classes + 2, 60)
    outcomes = oc.Outcomes.of_rows(("A", "B"), list(zip(truth, a, truth, strict=True)), [1] * 60)
    found = system_scores(Classes(outcomes), "drop")[0]
    assert found.macro_f1 == pytest.approx(metrics.f1_score(truth, a, average="macro", zero_division=0))
    assert found.micro_f1 == pytest.approx(metrics.accuracy_score(truth, a))


def test_the_same_in_every_form(tmp_path: Path) -> None:
    """Lists in a CSV, lists in a frame, JSON lines and a long table are one data set."""
    truth = [["x"], ["x", "y"], [], ["z"], ["y"]]
    a, b = [["x"], ["y"], ["x"], ["z"], ["y", "z"]], [["x", "y"], ["x"], [], ["z"], []]
    lists = from_lists(truth, {"a": a, "b": b})
    (tmp_path / "lists.csv").write_text(
        "gold,a,b\n"
        + "\n".join(",".join(";".join(cell) for cell in row) for row in zip(truth, a, b, strict=True))
        + "\n"
    )
    frame = pd.DataFrame({"gold": truth, "a": a, "b": b})
    frame.to_json(tmp_path / "lists.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "lists.parquet")
    long = [
        (item, label, *(int(label in column[item]) for column in (truth, a, b))) for item in range(5) for label in "xyz"
    ]
    pd.DataFrame(long, columns=["doc", "topic", "gold", "a", "b"]).to_csv(tmp_path / "long.csv", index=False)
    expected = oc.test(lists, every=True, draws=200)
    for found in (
        oc.test(tmp_path / "lists.csv", truth="gold", separator=";", every=True, draws=200),
        oc.test(tmp_path / "lists.jsonl", truth="gold", separator=";", every=True, draws=200),
        oc.test(tmp_path / "lists.parquet", truth="gold", separator=";", every=True, draws=200),
        oc.test(frame, truth="gold", separator=";", every=True, draws=200),
        oc.test(tmp_path / "long.csv", truth="gold", item="doc", label="topic", every=True, draws=200),
    ):
        assert found.rows == expected.rows
        assert found.scores == expected.scores
        assert found.categories == expected.categories


def test_bad_long_tables() -> None:
    with pytest.raises(InputError, match="twice"):
        from_long(["1", "1"], ["x", "x"], {"gold": [1, 1], "a": [1, 1], "b": [0, 0]})
    with pytest.raises(InputError, match="1 or 0"):
        from_long(["1", "2"], ["x", "x"], {"gold": [1, 1], "a": [1, 0.3], "b": [0, 0]})
    with pytest.raises(InputError, match=r"missing label(.|\n)*missing='drop'"):
        from_long(["1", "2"], ["x", "x"], {"gold": [1, None], "a": [1, 1], "b": [0, 0]})
    with pytest.raises(InputError, match="both its items"):
        oc.test(pd.DataFrame({"i": [1], "gold": [1], "a": [1]}), truth="gold", item="i")


def test_policies_of_an_undefined_f1() -> None:
    """A label that only B names has no F1 for A: left out, 0 or 1, and said."""
    assert f1_of(np.array(0.0), np.array(0.0), np.array(0.0), "1") == 1.0
    data = from_lists([["x"], ["y"], ["y"]], {"A": [["x"], ["y"], []], "B": [["x"], ["y"], ["z"]]})
    for policy, macro in (("drop", (1 + 2 / 3) / 2), ("0", (1 + 2 / 3) / 3), ("1", (2 + 2 / 3) / 3)):
        found = oc.test(data, undefined=policy, draws=200)
        assert found.scores[0].macro_f1 == pytest.approx(macro)
        assert ("OC404" in {each.code for each in found.findings}) == (policy == "drop")
        assert found.to_dict()["undefined"]["policy"] == policy


def test_by_frequency(tmp_path: Path) -> None:
    """Bands of categories about as common, by the truth or by counts of the training set."""
    truth = [["x"]] * 5 + [["y"]] * 2 + [["z"]]
    data = from_lists(truth, {"A": truth, "B": [[] for _ in truth]})
    found = oc.test(data, by="frequency", draws=200)
    assert [(band.low, band.high, band.categories) for band in found.bands] == [(1, 1, 1), (2, 3, 1), (4, 7, 1)]
    assert all(band.macro_f1 == (1.0, 0.0) for band in found.bands)
    (tmp_path / "train.csv").write_text("label,count\nx,100\ny,100\nz,0\n")
    trained = oc.test(data, by="frequency", frequencies=tmp_path / "train.csv", draws=200)
    assert [(band.low, band.categories) for band in trained.bands] == [(0, 1), (64, 2)]
    with pytest.raises(InputError, match="are missing the categories"):
        oc.test(data, by="frequency", frequencies={"x": 1}, draws=200)


def test_the_bootstrap_draws_documents() -> None:
    """Ten copies of every decision on one document are no more evidence than one: the interval must not shrink."""
    rng = np.random.default_rng(0)
    truth = [["x"] if rng.random() < 0.5 else [] for _ in range(80)]
    a = [labels if rng.random() < 0.9 else [] for labels in truth]
    b = [labels if rng.random() < 0.7 else [] for labels in truth]
    copied = [
        [[f"{label}{copy}" for label in labels for copy in range(10)] for labels in lists] for lists in (truth, a, b)
    ]
    once = oc.test(from_lists(truth, {"A": a, "B": b}), tests="bootstrap").rows[0].interval
    often = oc.test(from_lists(copied[0], {"A": copied[1], "B": copied[2]}), tests=["bootstrap", "micro_sign"])
    assert often.rows[0].interval.width == pytest.approx(once.width, rel=0.05)
    assert "OC401" in {each.code for each in often.named("micro_sign")[0].findings}


def test_label_by_label() -> None:
    """One label of many is a comparison of two classes: as if its yes and no had been given by hand."""
    rng = np.random.default_rng(8)
    truth, a, b = ([[c for c in "xyz" if rng.random() < 0.4] for _ in range(120)] for _ in range(3))
    data = from_lists(truth, {"a": a, "b": b, "c": a})

    rows = oc.compare(data, systems=["a", "b"], by="label").rows
    assert [row.label for row in rows] == ["x", "y", "z"]
    for row in rows:
        yes = [[int(row.label in labels) for labels in lists] for lists in (truth, a, b)]
        alone = oc.compare(*yes, names=("a", "b"), positive=1).only
        assert row.difference == alone.difference
        assert row.verdict == alone.verdict
        assert [test.p_value for test in row.tests] == [test.p_value for test in alone.tests]
        one = oc.compare(data, systems=["a", "b"], positive=row.label).only
        assert one.difference == row.difference
    assert len(oc.compare(data, by="label", method="draws", draws=200)) == 9
    with pytest.raises(InputError, match="no label 'w'"):
        oc.compare(data, positive="w")


def test_selected_systems() -> None:
    """Some of the systems, in the order asked for, everywhere."""
    data = from_lists([["x"], ["y"]] * 20, {"a": [["x"], ["x"]] * 20, "b": [["y"], ["y"]] * 20, "c": [["x"], []] * 20})

    assert data.selected(["c", "a"]).systems == ("c", "a")
    assert data.selected(["c", "a"]).joints("c", "a").tolist() == data.joints("c", "a").tolist()
    assert set(oc.rank(data, systems=["b", "c"], draws=200).names) == {"b", "c"}
    assert oc.test(data, systems=["b", "c"], tests="micro_sign")[0].systems == ("b", "c")
    with pytest.raises(InputError, match="no system 'd'"):
        oc.compare(data, systems=["a", "d"])


def test_one_label_of_many_everywhere() -> None:
    """`rank` and `test` take one label too, or refuse one that there is not; what goes with other data is refused."""
    data = from_lists([["x"], ["y"], []] * 20, {"a": [["x"], ["x"], []] * 20, "b": [["y"], ["y"], ["x"]] * 20})

    assert oc.rank(data, positive="y", draws=500).names[0] == "b"
    assert oc.rank(data, positive="x", draws=500).names[0] == "a"
    assert oc.test(data, positive="x", tests="sign_exact")[0].p_value < 0.05
    for call in (oc.rank, oc.test, oc.compare):
        with pytest.raises(InputError, match="no label"):
            call(data, positive="w")
    with pytest.raises(InputError, match="not several"):
        oc.compare(data, wins=(3, 4))
    with pytest.raises(InputError, match="twice"):
        oc.compare(data, systems=["a", "a"])
    with pytest.raises(InputError, match="nothing to evaluate"):
        oc.compare(from_lists([[], []], {"a": [["x"], []], "b": [[], []]}), by="label")
    strange = from_lists([["x"], []] * 20, {"a": [["x"], ["z"]] * 20, "b": [["x"], []] * 20})
    assert any("'z'" in note.message for note in oc.compare(strange, by="label").findings)
