"""Partly labelled items: how they are read, kept, added and saved, and what is refused."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from labelled_table import ROWS, table, write_csv

import outclass as oc
from outclass.data.partly_labelled import PartlyLabelled
from outclass.errors import InputError


@pytest.mark.parametrize("judge", ["llm", ["llm", "conf:3"], "conf"])
def test_every_source_reads_the_same(judge: Any, tmp_path: Path) -> None:
    """A mapping, a CSV file, pandas, polars and a lazy frame give the same counts."""
    columns = table()
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": judge}
    whole = oc.read(columns, **asked)
    frame = pd.DataFrame(columns)

    others = [
        oc.read(write_csv(columns, tmp_path / "t.csv"), **asked),
        oc.read(frame, **asked),
        oc.read(pl.from_pandas(frame), **asked),
        oc.read(pl.from_pandas(frame).lazy(), **asked),
    ]

    assert isinstance(whole, PartlyLabelled)
    assert whole.items == ROWS
    assert whole.labelled == sum(each != "" for each in columns["gold"])
    assert all(other == whole for other in others)


def test_joined_files_and_counts_read_the_same(tmp_path: Path) -> None:
    """One file per system joined on an id, and a table of counted rows, hold the same items."""
    columns = table()
    ids = [f"i{at}" for at in range(ROWS)]
    whole = oc.read(columns, truth="gold", systems=["a", "b"], judge="llm")
    first = write_csv({"id": ids, **{name: columns[name] for name in ("gold", "llm", "a")}}, tmp_path / "1.csv")
    second = write_csv({"id": ids, "b": columns["b"]}, tmp_path / "2.csv")
    counted = pd.DataFrame(columns).groupby(["gold", "a", "b", "llm"]).size().reset_index(name="many")

    joined = oc.read([first, second], truth="gold", judge="llm", id="id")
    by_count = oc.read(counted, truth="gold", systems=["a", "b"], judge="llm", count="many")

    assert joined == whole
    assert by_count == whole


def test_arrays() -> None:
    """Arrays with None for no label, and judges by name."""
    columns = table()
    truth = [each or None for each in columns["gold"]]

    found = oc.read(truth, columns["a"], columns["b"], judge={"llm": columns["llm"]}, names=["a", "b"])

    assert found == oc.read(columns, truth="gold", systems=["a", "b"], judge="llm")


def test_unlabelled_items_are_used_dropped_or_refused() -> None:
    """`drop` leaves labels as they are read without the others; `error` and no option at all refuse."""
    columns = table()
    kept = {
        name: [v for v, gold in zip(column, columns["gold"], strict=True) if gold] for name, column in columns.items()
    }
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"]}

    assert oc.read(columns, unlabelled="drop", **asked) == oc.read(kept, **asked)
    assert oc.read(columns, unlabelled="use", **asked).items == ROWS
    with pytest.raises(InputError, match="have no true label"):
        oc.read(columns, unlabelled="error", **asked)
    with pytest.raises(InputError, match="unlabelled='use'"):
        oc.read(columns, **asked)


def test_a_state_keeps_and_adds(tmp_path: Path) -> None:
    """Two batches of other items are their union, in either order; a state reads back, and so does a pickle."""
    first, second = table(200, seed=1), table(150, seed=2)
    both = {name: first[name] + second[name] for name in first}
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "llm"}
    whole = oc.read(both, **asked)

    oc.update(tmp_path / "one.json", first, **asked)
    oc.update(tmp_path / "one.json", second, **asked)
    oc.update(tmp_path / "two.json", second, **asked)
    oc.update(tmp_path / "two.json", first, **asked)

    assert oc.read(tmp_path / "one.json") == whole
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_systems_that_are_left_out_still_make_strata() -> None:
    """Labels may have been chosen by what all systems say, so that no stratum is merged."""
    data = oc.read(table(), truth="gold", systems=["a", "b", "llm"], unlabelled="use")

    two = data.selected(["a", "b"])

    assert [each.name for each in two.judges] == ["llm"]
    assert two == oc.read(table(), truth="gold", systems=["a", "b"], judge="llm")


def test_inclusion_probabilities_weigh() -> None:
    """Equal probabilities change nothing; where positives were chosen too often, weights undo it."""
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "llm", "measure": "accuracy", "rng": 1}
    same = table()
    whole = table(20_000, labelled=2.0, seed=5)
    rng = np.random.default_rng(6)
    chance = np.where(np.array(whole["gold"]) == "yes", 0.4, 0.05)
    kept = rng.random(20_000) < chance
    part = whole | {
        "gold": [gold if there else "" for gold, there in zip(whole["gold"], kept, strict=True)],
        "p": chance.tolist(),
    }

    plain, equal = oc.compare(same, **asked), oc.compare(same, inclusion="p", **asked)
    precise = {**asked, "measure": "precision"}
    found = oc.compare(part, inclusion="p", **precise).systems[0]
    biased = oc.compare(part, **precise).systems[0]
    gold, said = (np.array(whole[name]) == "yes" for name in ("gold", "a"))
    true = (gold & said).sum() / said.sum()

    assert equal.difference.mean == pytest.approx(plain.difference.mean, abs=1e-9)
    assert found.hdi.low < true < found.hdi.high
    assert biased.hdi.low > true


def test_probabilities_of_labelled_items_alone_are_told() -> None:
    """They weigh, but make no strata, and the answer says what that costs; batches with other probabilities add."""
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "llm", "inclusion": "p"}
    columns = table()
    chances = [0.25 if gold else None for gold in columns["gold"]]

    found = oc.compare(columns | {"p": chances}, **asked)
    both = oc.read(columns, **asked) + oc.read(columns | {"p": [0.01] * ROWS}, **asked)

    assert "OC707" in [each.code for each in found.findings]
    assert "OC707" not in [each.code for each in oc.compare(columns, **asked).findings]
    assert both.judges[-1].name == "(inclusion)"
    assert len(found.only.labelling.judges) == 1


BAD: dict[str, tuple[Callable[[dict[str, list[Any]]], Any], dict[str, Any], str]] = {
    "no such judge": (lambda t: t, {"judge": "lm"}, "no column 'lm'"),
    "judge twice": (lambda t: t, {"judge": ["llm", "llm"]}, "twice"),
    "judge is a system": (lambda t: t, {"judge": "a"}, "is a system and cannot be a judge"),
    "judge is the truth": (lambda t: t, {"judge": "gold"}, "is the truth and cannot be a judge"),
    "judge is empty": (lambda t: t | {"llm": [""] * ROWS}, {"judge": "llm"}, "says nothing of any item"),
    "judge is text": (
        lambda t: t | {"llm": [f"t{i} x" for i in range(ROWS)] * 3},
        {"judge": "llm"},
        "differ in length",
    ),
    "bins of words": (lambda t: t, {"judge": "llm:3"}, r"cannot be cut into bins \(judge\)"),
    "one bin": (lambda t: t, {"judge": "conf:1"}, "takes 2 to 100 bins"),
    "inclusion of 0": (lambda t: t | {"p": [0.0] * ROWS}, {"inclusion": "p"}, r"must lie in \(0, 1\]"),
    "inclusion above 1": (lambda t: t | {"p": [1.5] * ROWS}, {"inclusion": "p"}, r"must lie in \(0, 1\]"),
    "no inclusion": (lambda t: t | {"p": [None] * ROWS}, {"inclusion": "p"}, "no value"),
    "no label at all": (lambda t: t | {"gold": [""] * ROWS}, {"judge": "llm"}, "no item has a true label"),
    "one class": (
        lambda t: t | {"gold": ["yes"] * 9 + [""] * (ROWS - 9), "a": ["yes"] * ROWS, "b": ["yes"] * ROWS},
        {"judge": "llm"},
        "At least two classes are required",
    ),
    "unknown policy": (lambda t: t, {"unlabelled": "keep"}, "must be one of"),
    "judge and drop": (lambda t: t, {"unlabelled": "drop", "judge": "llm"}, "not used"),
    "groups": (lambda t: t, {"judge": "llm", "group": "lang"}, "not used"),
    "decisions": (lambda t: t, {"judge": "llm", "item": "p", "label": "lang"}, "about decisions in a long table"),
    "numbers": (lambda t: t, {"judge": "llm", "scores": True}, "one label each"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name: str) -> None:
    """What cannot be read is told in one sentence."""
    change, asked, told = BAD[name]

    with pytest.raises(InputError, match=told) as error:
        oc.compare(change(table()), truth="gold", systems=["a", "b"], **asked)

    assert "\n" not in str(error.value)


def test_odd_judges_are_findings() -> None:
    """A judge that says the same of every item, or labels that nobody else uses, still work, with a finding."""
    columns = table()
    columns["llm"] = ["unsure" if at % 10 == 0 else each for at, each in enumerate(columns["llm"])]
    columns["same"] = ["yes"] * ROWS
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"]}

    strange = oc.compare(columns, judge="llm", **asked)
    constant = oc.compare(columns, judge="same", **asked)
    without = oc.compare(columns, unlabelled="use", **asked)

    assert "OC701" in [each.code for each in strange.findings]
    assert "OC702" in [each.code for each in constant.findings]
    assert constant.difference.hdi.width == pytest.approx(without.difference.hdi.width, rel=0.05)


def test_systems_that_never_differ_are_compared() -> None:
    """The difference is near zero, and no number of labels is said to narrow it."""
    columns = table()
    answer = oc.compare(columns | {"b": columns["a"]}, truth="gold", systems=["a", "b"], judge="llm")

    assert answer.only.observed == 0
    assert answer.difference.hdi.low < 0 < answer.difference.hdi.high
    assert answer.only.labelling.further == 0
