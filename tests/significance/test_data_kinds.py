"""`test` on data of every kind that `read` knows, and options that nothing uses."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score
from statsmodels.stats.proportion import proportions_ztest

import outclass as oc
from outclass.errors import InputError
from outclass.significance.intervals import bonett_price, newcombe_paired

RNG = np.random.default_rng(7)
TRUTH = RNG.integers(0, 2, 200)
A, B, C = (np.where(RNG.random(200) < wrong, 1 - TRUTH, TRUTH) for wrong in (0.1, 0.2, 0.3))


def test_a_long_table_of_decisions(tmp_path: Path) -> None:
    """One row per item and label is what lists of labels in a cell are."""
    rng = np.random.default_rng(1)
    rows = [
        {
            "doc": doc,
            "topic": topic,
            "gold": int(gold),
            "x": int(gold ^ (rng.random() < 0.1)),
            "y": int(rng.random() < 0.5),
        }
        for doc in range(40)
        for topic, gold in zip("abc", rng.random(3) < 0.5, strict=True)
    ]
    long = pd.DataFrame(rows)
    lists = long.groupby("doc")[["gold", "x", "y"]].agg(lambda marks: ";".join(np.array(list("abc"))[marks == 1]))
    long.to_csv(tmp_path / "long.csv", index=False)
    found = oc.test(tmp_path / "long.csv", truth="gold", item="doc", label="topic", undefined="0")
    expected = oc.test(lists.reset_index(drop=True), truth="gold", separator=";", undefined="0")

    assert [row.p_value for row in found] == [row.p_value for row in expected]
    assert {"macro_t", "micro_sign", "bootstrap"} <= {row.name for row in found}
    assert found.items == 40


def test_groups_in_a_file(tmp_path: Path) -> None:
    """A column of groups: whole groups are swapped, as they are for a dataframe."""
    frame = pd.DataFrame({"gold": TRUTH, "x": A, "y": B, "doc": np.arange(200) // 20})
    frame.to_csv(tmp_path / "groups.csv", index=False)
    found = oc.test(tmp_path / "groups.csv", truth="gold", group="doc", measure="accuracy")

    assert [row.name for row in found] == ["permutation_exact", "cluster_t"]
    assert found[0].effect == pytest.approx((A == TRUTH).mean() - (B == TRUTH).mean())
    assert found.rows == oc.test(frame, truth="gold", group="doc", measure="accuracy").rows


def test_a_measure_of_scores_in_groups() -> None:
    """Average precision of all 32 swaps of five groups' ranks, by scikit-learn; groups left out lower no precision."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"gold": TRUTH, "x": TRUTH + rng.normal(size=200), "y": TRUTH / 2 + rng.normal(size=200)})
    frame["doc"] = np.arange(200) // 40
    ranks = [stats.rankdata(frame[name]) for name in "xy"]
    differences = []
    for swap in product([False, True], repeat=5):
        at = np.array(swap)[frame["doc"]]
        one, other = np.where(at, ranks[1], ranks[0]), np.where(at, ranks[0], ranks[1])
        differences.append(average_precision_score(TRUTH, one) - average_precision_score(TRUTH, other))
    found = oc.test(frame, truth="gold", group="doc", scores=True, measure="average_precision")

    assert [row.name for row in found] == ["permutation_exact", "cluster_t"]
    assert found[1].effect == pytest.approx(differences[0])
    assert 0 < found[1].p_value < 1
    assert found[0].p_value == pytest.approx(np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12))


def test_trec_runs(tmp_path: Path) -> None:
    """Judgements and runs are tested topic by topic, in the measure that was named."""
    rng = np.random.default_rng(3)
    (tmp_path / "qrels").write_text(
        "".join(f"{topic} 0 d{doc} {int(doc < 3)}\n" for topic in range(12) for doc in range(8))
    )
    for name, noise in (("bm25", 3.0), ("dense", 6.0)):
        lines = []
        for topic in range(12):
            scores = -np.arange(8) + rng.normal(0, noise, 8)
            for rank, doc in enumerate(np.argsort(-scores)):
                lines.append(f"{topic} Q0 d{doc} {rank} {scores[doc]:.4f} {name}\n")
        (tmp_path / f"{name}.run").write_text("".join(lines))
    files = {"qrels": tmp_path / "qrels", "runs": [tmp_path / "bm25.run", tmp_path / "dense.run"]}
    found = oc.test(**files, measure="AP")
    read = oc.scores(**files, measure="AP")

    assert [row.name for row in found] == ["wilcoxon", "paired_t"]
    expected = stats.ttest_rel(*(read.values[name] for name in read.systems)).pvalue
    assert found.named("paired_t")[0].p_value == pytest.approx(expected)


def test_folds_and_data_sets() -> None:
    """Folds get Nadeau & Bengio's variance; of data sets with folds, the means are tested."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"fold": np.tile(np.arange(5), 4), "again": np.repeat(np.arange(4), 5)})
    frame["x"], frame["y"] = rng.normal(0.1, 0.1, 20), rng.normal(0, 0.1, 20)
    difference = frame["x"] - frame["y"]
    t = difference.mean() / (difference.std() * np.sqrt(1 / 20 + 0.2 / 0.8))
    (folds,) = oc.test(frame, fold="fold", repeat="again")
    sets = oc.test(frame, fold="fold", data_set="again")
    means = frame.groupby("again")[["x", "y"]].mean()

    assert folds.p_value == pytest.approx(2 * stats.t.sf(abs(t), 19))
    assert sets.named("paired_t")[0].p_value == pytest.approx(stats.ttest_rel(means["x"], means["y"]).pvalue)


def test_wins() -> None:
    """Wins alone have their sign test, with the difference in accuracy and its interval."""
    found = oc.test(wins=(30, 12), items=400, names=["x", "y"])
    row = found.named("sign_exact")[0]

    assert row.p_value == pytest.approx(stats.binomtest(30, 42).pvalue)
    assert row.systems == ("x", "y")
    assert row.effect == pytest.approx(18 / 400)
    assert list(row.interval) == pytest.approx(list(bonett_price(30, 12, 400)))
    assert "OC104" in {each.code for each in oc.test(wins=(8, 3), items=400).findings}


def test_the_interval_of_wins() -> None:
    """By hand for 9 and 2 of 40; near Newcombe's, which knows who is right, and mirrored when swapped."""
    low, high = bonett_price(9, 2, 40)
    p, q = 10 / 42, 3 / 42
    reach = 1.959964 * np.sqrt((p + q - (p - q) ** 2) / 42)
    back = bonett_price(2, 9, 40)

    assert [low, high] == pytest.approx([p - q - reach, p - q + reach], abs=1e-6)
    assert [-back.high, -back.low] == pytest.approx([low, high])
    assert list(bonett_price(300, 210, 4_000)) == pytest.approx(list(newcombe_paired(2_900, 300, 210, 590)), abs=1e-3)


def test_two_test_sets(tmp_path: Path) -> None:
    """Unpaired tests, of two files as of outcomes that were read; nothing is said of a pairing that is not there."""
    files = []
    for name, predictions, rows in (("x", A, slice(0, 120)), ("y", C, slice(120, 200))):
        files.append(tmp_path / f"{name}.csv")
        pd.DataFrame({"gold": TRUTH[rows], name: predictions[rows]}).to_csv(files[-1], index=False)
    first, second = (oc.outcomes(file, truth="gold") for file in files)
    found = oc.test(first, second, positive=1)
    right = [(A == TRUTH)[:120].astype(float), (C == TRUTH)[120:].astype(float)]
    recall = [(A == TRUTH)[:120][TRUTH[:120] == 1], (C == TRUTH)[120:][TRUTH[120:] == 1]]

    assert found.named("welch_t")[0].p_value == pytest.approx(stats.ttest_ind(*right, equal_var=False).pvalue)
    shares = {row.measure: row for row in found.named("proportion")}
    expected = proportions_ztest([each.sum() for each in recall], [len(each) for each in recall])[1]
    assert shares["recall"].p_value == pytest.approx(expected)
    assert shares["recall"].alternative == "two-sided"
    assert "OC406" not in {each.code for each in found.findings}
    again = oc.test(files, truth="gold", positive=1, tests=["proportion", "welch_t"])
    assert [row.p_value for row in again] == [row.p_value for row in found]


def test_two_test_sets_of_many_labels() -> None:
    """With more than two labels and none named, accuracy is what two test sets have."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, 150)
    sets = [
        oc.outcomes(pd.DataFrame({"gold": gold, name: np.where(rng.random(150) < wrong, 0, gold)}), truth="gold")
        for name, wrong in (("x", 0.2), ("y", 0.5))
    ]
    found = oc.test(*sets)

    assert [(row.name, row.measure) for row in found] == [("proportion", "accuracy"), ("welch_t", "accuracy")]
    with pytest.raises(
        InputError, match=r"requires one label per item; or how often each won .* These data are two test sets"
    ):
        oc.test(*sets, tests="sign_exact")


def test_published_counts() -> None:
    """Without true negatives precision and recall are tested; with them, accuracy too; whose items is left open."""
    counts: list[dict[str, int]] = [{"tp": 40, "fp": 9, "fn": 14}, {"tp": 50, "fp": 7, "fn": 11}]
    found = oc.test(counts=counts)
    full = oc.test(counts=[each | {"tn": 80} for each in counts])

    assert {row.measure for row in found} == {"precision", "recall"}
    assert found[0].p_value == pytest.approx(proportions_ztest([40, 50], [54, 61])[1])
    assert {row.name for row in full} == {"proportion", "welch_t"}
    assert "OC120" in {each.code for each in found.findings}
    with pytest.raises(InputError, match=r"welch_t requires .* counts with tn. These data are published counts"):
        oc.test(counts=counts, tests="welch_t")


def test_any_number_of_arrays() -> None:
    """Three arrays are three pairs, and one Cochran's Q; the first two may be named."""
    found = oc.test(TRUTH, A, B, C, tests=["sign_exact", "cochran_q"])

    assert [row.systems for row in found] == [("A", "B"), ("A", "C"), ("B", "C"), ("A", "B", "C")]
    assert oc.test(TRUTH, a=A, b=B, tests="sign_exact")[0].p_value == found[0].p_value


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("rope", {"tests": "sign_exact", "rope": 0.1}),
        ("undefined", {"undefined": "0"}),
        ("average", {"average": "groups"}),
        ("draws", {"tests": "tost", "draws": 500}),
        ("measure", {"tests": "mcnemar_midp", "measure": "f1"}),
        ("alternative", {"tests": "tost", "alternative": "less"}),
    ],
)
def test_an_option_that_nothing_uses(option: str, given: dict[str, Any]) -> None:
    """It is an error that names the option, rather than ignored."""
    with pytest.raises(InputError, match=rf"^{option} is not used by"):
        oc.test(TRUTH, A, B, **given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"wins": (9, 2), "items": 40, "positive": 1}, "needs labels"),
        ({"wins": (9, 2), "items": 40, "measure": "f1"}, "measure is not used by"),
        ({"data": {"x": A, "y": B}, "scores": True, "undefined": "0"}, "undefined is not used by"),
        ({"data": {"x": A, "y": B}, "scores": True, "positive": 1}, "positive applies to labels"),
        (
            {"data": {"t": TRUTH, "x": A, "y": B}, "scores": True, "truth": "t", "measure": "brier"},
            "delong test applies to the AUC",
        ),
        ({"counts": [{"tp": 4, "fp": 1, "fn": 2}]}, "only one system"),
        ({"data": {"t": TRUTH, "x": A, "y": B}, "truth": "t", "fold": "f"}, "f"),
    ],
)
def test_what_other_data_do_not_use(given: dict[str, Any], told: str) -> None:
    """Data without labels, categories or a choice of measure say so."""
    with pytest.raises(InputError, match=told):
        oc.test(given.pop("data", None), **given)
