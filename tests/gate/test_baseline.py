"""Baselines: the same content is the same bytes, what was edited is told, and other items are not comparable."""

import gzip
import json
from pathlib import Path

import pytest
from gate_suites import SHARED, gpqa, gsm8k, labels, write

import outclass as oc
from outclass.data.baseline import read_baseline
from outclass.errors import InputError

OF_LABELS = {"truth": "gold", "id": "id"}


def test_same_decision_as_the_tables(tmp_path: Path) -> None:
    """A saved baseline of labels gives the very answer that the two tables give, for F1 and for accuracy."""
    table = labels()
    old, new = (
        write(tmp_path / "old.csv", table, "id", "gold", "old"),
        write(tmp_path / "new.csv", table, "id", "gold", "new"),
    )
    oc.bless(old, tmp_path / "b.oc", why="first", keep_labels=True, **OF_LABELS)
    oc.bless(old, tmp_path / "c.oc", why="first", **OF_LABELS)

    for measure in ("f1", "accuracy"):
        direct = oc.gate(old, new, margin=0.05, measure=measure, positive="yes", **OF_LABELS).only
        saved = oc.gate(tmp_path / "b.oc", new, margin=0.05, measure=measure, positive="yes", **OF_LABELS).only
        assert saved.chances == direct.chances
        assert saved.flips.worse == direct.flips.worse
    light = oc.gate(tmp_path / "c.oc", new, margin=0.05, **OF_LABELS).only
    assert light.chances.below_margin == pytest.approx(direct.chances.below_margin, abs=0.01)


def test_repeats_survive() -> None:
    """A baseline of five epochs keeps sums and squares: the fixed suite has the standard error of the raw epochs."""
    rows = gpqa()
    sides = {}
    for name in dict.fromkeys(rows["model_id"]):
        kept = [place for place, model in enumerate(rows["model_id"]) if model == name]
        sides[name] = {column: [values[place] for place in kept] for column, values in rows.items()}
    how = {"item": "item_id", "system_column": "model_id", "score": "score", "repeat": "epoch"}
    base, cand = sides.values()
    saved = oc.bless(base, why="first", **how)

    found = oc.gate(saved, cand, margin=0.02, population="these", **how).only
    direct = oc.gate(rows, margin=0.02, population="these", **how).only

    assert found.error == pytest.approx(direct.error, rel=1e-6)
    assert found.difference == pytest.approx(direct.difference)


def test_same_bytes_in_any_order(tmp_path: Path) -> None:
    """The file depends on the scores alone: not on the order of rows. It is small, and holds no labels unless kept."""
    table = gsm8k()
    turned = {name: values[::-1] for name, values in table.items()}
    how = {"scores": True, "item": "id", "systems": ["6b_verification"], "why": "x"}

    first, second = oc.bless(table, **how).to_bytes(), oc.bless(turned, **how).to_bytes()
    plain = oc.bless(labels(), why="x", systems=["old"], **OF_LABELS).to_bytes()

    assert first == second
    assert len(first) < 40_000
    assert b'"yes"' not in gzip.decompress(plain)
    assert b'"gold"' not in gzip.decompress(plain)


def test_size_of_ten_thousand_items() -> None:
    """Ten thousand items take less than 400 kB."""
    table = {"id": [f"task/{place}" for place in range(10_000)], "a": [place % 7 / 7 for place in range(10_000)]}

    assert len(oc.bless(table, scores=True, item="id", why="x").to_bytes()) < 400_000


def test_tampered(tmp_path: Path) -> None:
    """Whatever is changed in the file is told: a score, the reason, a line less; and what is no baseline."""
    path = tmp_path / "b.oc"
    oc.bless(gsm8k(), path, scores=True, item="id", systems=["6b_verification"], why="first")
    content = gzip.decompress(path.read_bytes())
    assert read_baseline(path).reason == "first"

    for old, new in (
        (b'"sum":0.0', b'"sum":1.0'),
        (b'"first"', b'"other"'),
        (content[content.rindex(b'{"item"') :], b""),
    ):
        path.write_bytes(gzip.compress(content.replace(old, new, 1)))
        with pytest.raises(InputError, match="was changed after it was written"):
            read_baseline(path)
    for broken in (b"", b"hello", gzip.compress(b"{}\n"), gzip.compress(b"[" * 100_000), gzip.compress(content)[:-20]):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"not a baseline|cut short"):
            read_baseline(path)


def test_other_items() -> None:
    """Other items, fewer items, and other gold answers are not comparable; items in common are, if asked for."""
    table = labels()
    saved = oc.bless(table, why="x", systems=["old"], **OF_LABELS)
    new = {name: table[name] for name in ("id", "gold", "new")}
    half = {name: values[:300] for name, values in new.items()}
    cases = {
        "0 in both": {**new, "id": [f"other {place}" for place in range(600)]},
        "300 items only in the baseline": half,
        "gold answer or question of 600": {**new, "gold": ["yes" if gold == "no" else "no" for gold in new["gold"]]},
    }

    for told, candidate in cases.items():
        with pytest.raises(oc.NotComparable, match=told) as found:
            oc.gate(saved, candidate, margin=0.1, **OF_LABELS)
        assert found.value.status == 4
        assert found.value.ids
    assert oc.gate(saved, half, margin=0.1, missing="drop", **OF_LABELS).only.items == 300


def test_bless_needs_a_reason_and_one_system(tmp_path: Path) -> None:
    """A baseline is of one system, has ids, a reason, and the ending of baselines."""
    table = labels()
    one = {"systems": ["old"], **OF_LABELS}

    with pytest.raises(InputError, match="say why"):
        oc.bless(table, why=" ", **one)
    with pytest.raises(InputError, match="of one system"):
        oc.bless(table, why="x", **OF_LABELS)
    with pytest.raises(InputError, match="name the column of their ids"):
        oc.bless(table, why="x", truth="gold", systems=["old"])
    with pytest.raises(InputError, match=r"ends in \.oc"):
        oc.bless(table, tmp_path / "b.txt", why="x", **one)
    with pytest.raises(InputError, match="holds no labels"):
        oc.gate(oc.bless(table, why="x", **one), table, margin=0.1, measure="f1", **{**one, "systems": ["new"]})


def test_anchor() -> None:
    """A second baseline that does not move is checked as well, and decides with the first."""
    table = labels(2_000, (0.85, 0.85))
    good = labels(2_000, (0.95, 0.85))
    main = oc.bless(table, why="x", systems=["old"], **OF_LABELS)
    anchor = oc.bless(good, why="release", systems=["old"], **OF_LABELS)
    new = {name: table[name] for name in ("id", "gold", "new")}

    found = oc.gate(main, new, margin=0.05, anchor=anchor, **OF_LABELS)

    assert [row.name for row in found.checks] == ["accuracy", "accuracy (anchor)"]
    assert found.checks[0].decision.passes
    assert found.checks[1].decision.value == "regressed"
    assert found.exit == 1


def test_schema_of_the_file(tmp_path: Path) -> None:
    """The file is gzip of JSON lines, sorted by item: a head, then n, sum and squares of each."""
    saved = oc.bless({"id": ["b", "a"], "x": [0.5, 1.0]}, scores=True, item="id", why="x", commit="abc")

    head, *rows = [json.loads(line) for line in gzip.decompress(saved.to_bytes()).decode().splitlines()]

    assert (head["format"], head["version"], head["reason"], head["commit"]) == ("outclass baseline", 1, "x", "abc")
    assert rows == [
        {"item": "a", "n": 1, "sum": 1.0, "squares": 1.0},
        {"item": "b", "n": 1, "sum": 0.5, "squares": 0.25},
    ]


def test_anchor_of_one_table_with_both() -> None:
    """Where one table holds both systems, it is the candidate that the anchor is compared with."""
    table = labels(2_000, (0.85, 0.85))
    good = labels(2_000, (0.95, 0.85))
    anchor = oc.bless(good, why="release", systems=["old"], keep_labels=True, **OF_LABELS)

    found = oc.gate(table, margin=0.05, measure="accuracy", positive="yes", anchor=anchor, **OF_LABELS)

    assert [row.decision.value for row in found.checks][1] == "regressed"
    assert found.checks[1].candidate == found.checks[0].candidate


def test_a_baseline_holds_items_alone(tmp_path: Path) -> None:
    """Groups, labels of logs and several annotators are not kept: the option that asks for them is named."""
    table = {**labels(60), "doc": ["a", "b"] * 30}
    logs = SHARED / "lm_eval" / "pyfade_gsm8k"
    saved = oc.bless(labels(60), why="x", systems=["old"], **OF_LABELS)
    one = {"why": "x", "systems": ["old"]}

    with pytest.raises(InputError, match="group is not used with a baseline, which holds items alone"):
        oc.bless(table, **one, **OF_LABELS, group="doc")
    with pytest.raises(InputError, match="one true label per item"):
        oc.bless(table, why="x", truth=["gold", "new"], systems=["old"], id="id")
    with pytest.raises(InputError, match="Leave out separator"):
        oc.bless(table, **one, **OF_LABELS, separator="|")
    with pytest.raises(InputError, match="keep_labels is not used with evaluation logs"):
        oc.bless(next(logs.rglob("samples_*")), why="x", keep_labels=True)
    with pytest.raises(InputError, match="group is not used with a saved baseline"):
        oc.gate(saved, table, margin=0.1, group="doc", **{**OF_LABELS, "systems": ["new"]})
