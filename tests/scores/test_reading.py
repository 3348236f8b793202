"""Scores from tables, wide and long; TREC files and their traps, against ir_measures."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import outclass as oc
from outclass.errors import FileError, InputError

WIDE = pd.DataFrame({"query": ["q1", "q2", "q3"], "bm25": [0.1, 0.4, 0.3], "dense": [0.2, 0.5, 0.1]})
LONG = WIDE.melt("query", var_name="system", value_name="ndcg")


@pytest.mark.parametrize("make", [lambda frame: frame, pl.from_pandas])
def test_wide_and_long_are_the_same(make: object, tmp_path: Path) -> None:
    """Pandas, Polars, CSV; rows in any order."""
    wide = oc.scores(make(WIDE), item="query")
    long = oc.scores(make(LONG.sample(frac=1, random_state=1)), item="query", system="system", score="ndcg")
    LONG.to_csv(tmp_path / "long.csv", index=False)
    file = oc.scores(tmp_path / "long.csv", item="query", system="system", score="ndcg", systems=["dense", "bm25"])

    assert sorted(wide.difference("dense", "bm25")) == pytest.approx([-0.2, 0.1, 0.1])
    assert sorted(long.difference("dense", "bm25")) == pytest.approx([-0.2, 0.1, 0.1])
    assert file.systems == ("dense", "bm25")
    assert (wide.name, long.name) == ("score", "ndcg")


def test_missing_scores() -> None:
    """Told with how many; dropped, or counted as nothing."""
    frame = LONG.drop(index=1)
    long = {"item": "query", "system": "system", "score": "ndcg"}
    with pytest.raises(InputError, match="bm25 1"):
        oc.scores(frame, **long)
    dropped, zero = (oc.scores(frame, **long, missing=policy) for policy in ("drop", "wrong"))

    assert len(dropped) == 2
    assert [note.code for note in dropped.findings] == ["OC101"]
    assert len(zero) == 3
    assert sorted(zero.values["bm25"]) == [0.0, 0.1, 0.3]
    assert [note.code for note in zero.findings] == ["OC102"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"item": "nope"}, "no column 'nope'"),
        ({"item": "query", "system": "system"}, r"scores \(score\)"),
        ({"system": "system", "score": "ndcg"}, "item=.COL"),
        ({"item": "query", "test_share": 0.2}, r"\(fold\)"),
        ({"item": "query", "missing": "ignore"}, "missing must be"),
        ({"truth": "query", "fold": "fold"}, "is not used with classifier scores"),
    ],
)
def test_refused(given: dict[str, object], told: str) -> None:
    frame = LONG if "system" in given else WIDE.assign(fold=1) if "fold" in given else WIDE
    with pytest.raises(InputError, match=told):
        oc.scores(frame, **given)


def test_text_and_repeated_rows_are_refused() -> None:
    """Text is no score if it is named as a system, and left out if it is not; an item has one score of a system."""
    text = WIDE.assign(dense=["a", "b", "c"])

    assert "dense" not in oc.scores(text, item="query").systems
    with pytest.raises(InputError, match="not a score"):
        oc.scores(text, item="query", systems=["dense"])
    with pytest.raises(InputError, match="two scores"):
        oc.scores(pd.concat([LONG, LONG]), item="query", system="system", score="ndcg")


def test_folds() -> None:
    """The share is one over the folds of a repeat; folds that occur twice need their repeats named."""
    frame = pd.DataFrame({"fold": [1, 2, 3] * 2, "rep": [1] * 3 + [2] * 3, "a": np.arange(6.0), "b": np.ones(6)})

    assert oc.scores(frame, fold="fold", repeat="rep").fold_share == pytest.approx(1 / 3)
    assert oc.scores(frame, fold="fold", repeat="rep", test_share=0.2).fold_share == 0.2
    with pytest.raises(InputError, match="occur twice"):
        oc.scores(frame[["fold", "a", "b"]], fold="fold")
    with pytest.raises(InputError, match="must lie in"):
        oc.scores(frame, fold="fold", repeat="rep", test_share=1.5)


def test_folds_that_are_numbered_through() -> None:
    """They are counted within each repeat; unequal numbers need the share."""
    frame = pd.DataFrame({"fold": range(20), "rep": np.repeat([1, 2], 10), "a": np.arange(20.0), "b": np.ones(20)})

    assert oc.scores(frame, fold="fold", repeat="rep").fold_share == pytest.approx(0.1)
    with pytest.raises(InputError, match="different numbers of folds"):
        oc.scores(frame[:17], fold="fold", repeat="rep")


def test_several_rows_of_an_item_hang_together() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2, 2], "a": [1.0, 2, 3, 4], "b": [1.0, 1, 1, 1]})
    found = oc.scores(frame, item="item")

    assert found.group is not None
    assert found.group.tolist() == [0, 0, 1, 1]


# --- TREC ----------------------------------------------------------------------------------------------------------

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 x 1\n2 0 y 1\n3 0 z 1\n"
RUN_A = "1 Q0 a 1 9.0 A\n1 Q0 b 2 8.0 A\n1 Q0 c 3 7.0 A\n2 Q0 x 1 3 A\n2 Q0 q 2 2 A\n3 Q0 z 1 1 A\n"
RUN_B = "1 Q0 c 0 9.0 B\n1 Q0 a 1 9.0 B\n2 Q0 q 0 3 B\n2 Q0 y 1 2 B\n3 Q0 w 0 1 B\n3 Q0 z 1 0.5 B\n"


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    """A small collection: ranks from 1 in A, from 0 in B, where two documents are tied."""
    for name, text in (("qrels", QRELS), ("a.run", RUN_A), ("b.run", RUN_B)):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "P@2", "R@1", "nDCG@1", "AP(rel=2)"])
def test_trec_is_ir_measures(trec: Path, measure: str) -> None:
    """Every topic of every run, as ir_measures reads the same files itself."""
    import ir_measures

    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"], measure=measure)
    wanted = ir_measures.parse_measure(measure)

    assert found.systems == ("a", "b")
    for name in ("a", "b"):
        qrels = list(ir_measures.read_trec_qrels(str(trec / "qrels")))
        run = list(ir_measures.read_trec_run(str(trec / f"{name}.run")))
        theirs = {each.query_id: each.value for each in ir_measures.iter_calc([wanted], qrels, run)}
        assert found.values[name].tolist() == [theirs[topic] for topic in ("1", "2", "3")]


def test_ties_fall_as_in_trec_eval(trec: Path) -> None:
    """Of equal scores the later name comes first: c before a, whatever the order in the file."""
    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"], measure="nDCG@1")
    turned = "\n".join([RUN_B.splitlines()[1], RUN_B.splitlines()[0], *RUN_B.splitlines()[2:]])
    (trec / "b.run").write_text(turned)
    again = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"], measure="nDCG@1")

    assert found.values["b"][0] == again.values["b"][0] == 1.0  # c, of relevance 2, is first


@pytest.mark.parametrize("measure", ["AP", "RR", "RR@10", "nDCG@10", "P@1", "ERR@20", "Judged@10"])
def test_ties_are_the_same_for_every_measure(trec: Path, measure: str) -> None:
    """All scores the same, or the same in single precision: as if the scores fell in trec_eval's order."""
    (trec / "q").write_text("1 0 b 1\n1 0 a 0\n1 0 z 0\n1 0 y 0\n")
    told = {"tied": "1 1 1 1", "near": "1 1.0000000001 1.0000000002 1", "apart": "4 3 2 1"}
    found = {}
    for name, text in told.items():
        # By name downwards: z, y, b, a.
        lines = [f"1 Q0 {document} 1 {score} t" for document, score in zip("zyba", text.split(), strict=True)]
        (trec / f"{name}.run").write_text("\n".join(lines))
        data = oc.scores(
            qrels=trec / "q", runs=[trec / f"{name}.run", trec / f"{name}.run"], systems=["x", "y"], measure=measure
        )
        found[name] = float(data.values["x"][0])

    assert found["tied"] == found["near"] == found["apart"]


def test_zipped_runs(trec: Path) -> None:
    import gzip

    (trec / "a.run.gz").write_bytes(gzip.compress(RUN_A.encode()))
    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run.gz", trec / "b.run"])
    assert found.systems == ("a", "b")
    (trec / "a.run.gz").write_bytes(b"no gzip")
    with pytest.raises(FileError, match="cannot be unpacked"):
        oc.scores(qrels=trec / "qrels", runs=[trec / "a.run.gz", trec / "b.run"])


def test_ranks_from_zero_or_one(trec: Path) -> None:
    """Ranks are not looked at, unless they go against the scores; then it is told."""
    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])
    assert not found.findings
    (trec / "a.run").write_text(RUN_A.replace("a 1 9.0", "a 3 9.0").replace("c 3 7.0", "c 1 7.0"))
    odd = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])

    assert odd.values["a"].tolist() == found.values["a"].tolist()
    assert [note.code for note in odd.findings] == ["OC118"]
    assert "'1'" in odd.findings[0].message


def test_constant_scores_are_told(trec: Path) -> None:
    (trec / "a.run").write_text("1 Q0 a 1 1 A\n1 Q0 c 2 1 A\n1 Q0 b 3 1 A\n2 Q0 x 1 1 A\n3 Q0 z 1 1 A\n")
    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])
    assert any("same score" in note.message for note in found.findings)


def test_missing_topics(trec: Path) -> None:
    """Named and counted; an error, a zero, or left out everywhere."""
    (trec / "a.run").write_text("".join(line + "\n" for line in RUN_A.splitlines() if not line.startswith("2")))
    files = {"qrels": trec / "qrels", "runs": [trec / "a.run", trec / "b.run"]}
    with pytest.raises(InputError, match=r"a lacks 1: '2'.*trec_eval -c"):
        oc.scores(**files)
    zero, dropped = (oc.scores(**files, missing=policy) for policy in ("wrong", "drop"))

    assert len(zero) == 3
    assert zero.values["a"][1] == 0
    assert "'2'" in zero.findings[0].message
    assert len(dropped) == 2
    assert [note.code for note in dropped.findings] == ["OC101"]


def test_topics_without_judgements(trec: Path) -> None:
    (trec / "a.run").write_text(RUN_A + "99 Q0 a 1 1 A\n")
    found = oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])
    assert [note.code for note in found.findings] == ["OC119"]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("a.run", RUN_A + "1 Q0 a 4 1.0 A\n", "retrieved twice"),
        ("a.run", "1 Q0 a 1 9.0\n", "5 columns"),
        ("a.run", "1 Q0 a 1 high A\n", "must be numbers"),
        ("a.run", "1 Q0 a 1 nan A\n", "not a number"),
        ("a.run", "", "has no documents"),
        ("a.run", "7 Q0 a 1 1 A\n", "no judged topics"),
        ("qrels", QRELS + "1 0 a 2\n", "judged twice"),
        ("qrels", "1 0 a yes\n", "integer"),
        ("qrels", "", "no judgements"),
    ],
)
def test_broken_files(trec: Path, file: str, text: str, told: str) -> None:
    (trec / file).write_text(text)
    with pytest.raises(InputError, match=told):
        oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])


def test_files_that_are_not_there(trec: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        oc.scores(qrels=trec / "nope", runs=[trec / "a.run", trec / "b.run"])
    (trec / "a.run").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="is not text"):
        oc.scores(qrels=trec / "qrels", runs=[trec / "a.run", trec / "b.run"])
    with pytest.raises(InputError, match="ir_measures has no measure"):
        oc.scores(qrels=trec / "qrels", runs=[trec / "b.run", trec / "b.run"], measure="__import__('os')")
    with pytest.raises(InputError, match="two runs"):
        oc.scores(qrels=trec / "qrels", runs=[trec / "b.run"])
