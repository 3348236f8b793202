"""Partly labelled lists: each label is a table of yes and no, however the lists are handed over."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from labelled_table import write_csv

import outclass as oc
from outclass.data.multilabel import MultiLabel
from outclass.data.partly_lists import PartlyLists
from outclass.errors import InputError

ROWS = 300
LABELS = ("bug", "docs", "not ui")
SYSTEMS = ["a", "b"]
ASKED: dict[str, Any] = {"truth": "gold", "systems": SYSTEMS, "judge": "llm"}


def _said(seed: int = 0) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What the truth, two systems and a judge say of every label, and which items have a truth."""
    rng = np.random.default_rng(seed)
    truth = rng.random((ROWS, len(LABELS))) < [0.4, 0.25, 0.1]
    rates = {"a": 0.8, "b": 0.88, "llm": 0.92}
    said = {name: np.where(rng.random(truth.shape) < rate, truth, ~truth) for name, rate in rates.items()}
    return {"gold": truth, **said}, rng.random(ROWS) < 0.35


def _lists() -> dict[str, list[Any]]:
    """The same as lists of labels; no truth is None, and no label an empty list."""
    said, known = _said()
    table: dict[str, list[Any]] = {
        name: [[label for label, there in zip(LABELS, row, strict=True) if there] for row in rows]
        for name, rows in said.items()
    }
    table["gold"] = [own if there else None for own, there in zip(table["gold"], known, strict=True)]
    rest = {
        "p": [0.25 if at % 2 else 0.5 for at in range(ROWS)],
        "lang": ["de" if at % 3 else "en" for at in range(ROWS)],
    }
    return table | rest


def _cells(separator: str = ";", nothing: str = "[]") -> dict[str, list[Any]]:
    """The same as text; `nothing` is a truth that is known to be no label."""
    table = _lists()
    cells = {name: [separator.join(own or []) for own in table[name]] for name in ("gold", *SYSTEMS, "llm")}
    cells["gold"] = [nothing if own == [] else cell for own, cell in zip(table["gold"], cells["gold"], strict=True)]
    return table | cells


def _by_hand(label: str) -> dict[str, list[Any]]:
    """One label as a table of one label per item."""
    said, known = _said()
    place, names = LABELS.index(label), (f"not {label}", label)
    table = {name: [names[int(each)] for each in rows[:, place]] for name, rows in said.items()}
    table["gold"] = [own if there else "" for own, there in zip(table["gold"], known, strict=True)]
    return {name: table.get(name, column) for name, column in _lists().items()}


@pytest.mark.parametrize("more", [{}, {"inclusion": "p"}, {"judge": None, "unlabelled": "use"}])
def test_a_label_is_the_table_made_by_hand(more: dict[str, Any]) -> None:
    """The data are equal, and so is every number of the answer, by the same seed."""
    asked = {**ASKED, **more}
    rows = oc.compare(_cells(), separator=";", by="label", rng=7, **asked).rows
    alone = oc.evaluate(_cells(), separator=";", by="label", rng=7, **asked).rows
    data = oc.read(_cells(), separator=";", **asked)

    assert isinstance(data, PartlyLists)
    assert [row.label for row in rows] == list(LABELS)
    for label, row in zip(LABELS, rows, strict=True):
        by_hand = oc.read(_by_hand(label), **asked)
        one = oc.compare(_cells(), separator=";", positive=label, rng=7, **asked).only
        other = oc.compare(by_hand, positive=label, rng=7).only

        assert data.of_label(label) == by_hand
        assert row.difference == one.difference == other.difference
        assert row.labelling == one.labelling == other.labelling
        assert row.verdict == one.verdict == other.verdict
        assert one.measure == other.measure
        assert [each.mean for each in row.systems] == [each.mean for each in other.systems]
        own = oc.evaluate(by_hand, positive=label, rng=7).rows
        assert [each.system for each in alone if each.label == label] == [each.system for each in own]


def test_a_label_is_ranked_and_sliced_as_by_hand() -> None:
    """A ranking and slices are of one label, too."""
    lists, by_hand = oc.read(_cells(), separator=";", **ASKED), oc.read(_by_hand("bug"), **ASKED)
    slices = oc.compare(_cells(), separator=";", by="lang", positive="bug", **ASKED)

    assert oc.rank(lists, positive="bug").systems == oc.rank(by_hand, positive="bug").systems
    assert [row.difference for row in slices.rows] == [
        row.difference for row in oc.compare(_by_hand("bug"), by="lang", positive="bug", **ASKED).rows
    ]


def test_every_source_reads_the_same(tmp_path: Path) -> None:
    """Text, lists, files, frames and arrays; no label may be written as an empty list or as the separator."""
    lists, cells = _lists(), _cells()
    several = {"separator": ";", **ASKED}
    first, second = ({name: cells[name] for name in ("gold", "llm", own)} for own in SYSTEMS)
    ids = {"id": [f"i{at}" for at in range(ROWS)]}
    found = [
        oc.read(lists, **ASKED),
        oc.read(lists["gold"], {name: lists[name] for name in SYSTEMS}, judge={"llm": lists["llm"]}),
        oc.read(_cells(nothing=";"), **several),
        oc.read(_cells("|"), **{**several, "separator": "|"}),
        oc.read(write_csv(cells, tmp_path / "t.csv"), **several),
        oc.read(pd.DataFrame(cells), **several),
        oc.read(pd.DataFrame(lists), **several),
        oc.read(pl.DataFrame(cells), **several),
        oc.read(pl.DataFrame(lists).lazy(), **several),
        oc.read([pd.DataFrame(ids | first), pd.DataFrame(ids | second)], id="id", **several),
    ]

    whole = oc.read(cells, **several)
    assert whole.labelled < whole.items == ROWS
    for each in found:
        assert (each.systems, each.labelled) == (("a", "b"), whole.labelled)
        assert [each.of_label(label) for label in LABELS] == [whole.of_label(label) for label in LABELS]


def test_blank_truths_are_dropped_refused_or_used() -> None:
    """Without an option an empty cell is no label, as ever; `drop` leaves lists whose truth is known."""
    cells = _cells()
    kept = {
        name: [each for each, gold in zip(column, cells["gold"], strict=True) if gold] for name, column in cells.items()
    }
    asked: dict[str, Any] = {"truth": "gold", "systems": SYSTEMS, "separator": ";"}

    known = oc.read(cells, unlabelled="drop", **asked)

    assert isinstance(known, MultiLabel)
    assert oc.compare(known).rows[0].difference == oc.compare(kept, **asked).rows[0].difference
    assert oc.read(cells, **asked).items == ROWS
    assert not isinstance(oc.read(cells, **asked), PartlyLists)
    with pytest.raises(InputError, match="have no true label"):
        oc.read(cells, unlabelled="error", **asked)


def test_blanks_that_may_mean_no_label_are_told() -> None:
    """If no labelled item is without a label, though systems leave some without, that is a finding."""
    asked: dict[str, Any] = {"separator": ";", "positive": "bug", **ASKED}

    told = [each.code for each in oc.compare(_cells(nothing=""), **asked).findings]

    assert "OC709" in told
    assert "OC709" not in [each.code for each in oc.compare(_cells(), **asked).findings]


def test_systems_that_are_left_out_still_make_strata() -> None:
    """Labels may have been chosen by what all systems say, so that no stratum is merged."""
    asked: dict[str, Any] = {"truth": "gold", "separator": ";"}
    data = oc.read(_cells(), systems=["a", "b", "llm"], unlabelled="use", **asked)

    two = data.selected(SYSTEMS)

    assert two.judges == ("llm",)
    assert two.of_label("bug") == oc.read(_cells(), separator=";", **ASKED).of_label("bug")


def test_labels_are_merged() -> None:
    """An item has the new label if it has any of the old ones."""
    merged = oc.read(_cells(), separator=";", merge={"text": ["bug", "docs"]}, **ASKED)
    table = _lists()
    new = {
        name: [
            own and [*(["text"] if {"bug", "docs"} & set(own) else []), *({"not ui"} & set(own))] for own in table[name]
        ]
        for name in ("gold", *SYSTEMS, "llm")
    }

    assert merged.of_label("text") == oc.read(table | new, **ASKED).of_label("text")


def test_no_truth_at_all() -> None:
    """Three judges are enough for the model that infers the truth."""
    cells = _cells() | {"gold": [""] * ROWS}
    judges = {"j2": _cells()["llm"][::-1], "j3": _cells()["b"]}
    asked: dict[str, Any] = {"truth": "gold", "systems": SYSTEMS, "separator": ";"}

    found = oc.compare(cells | judges, judge=["llm", *judges], model="dawid_skene", positive="bug", draws=800, **asked)

    assert "OC723" in [each.code for each in found.findings]
    assert "OC709" not in [each.code for each in found.findings]
    with pytest.raises(InputError, match="no item has a true label"):
        oc.compare(cells, judge="llm", by="label", **asked)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no label": ({}, "not available for partly labelled lists"),
    "an average": (
        {"measure": "macro_f1", "positive": "bug"},
        "not available for partly labelled lists",
    ),
    "averages by label": (
        {"measure": "micro_f1", "by": "label"},
        "not available for partly labelled lists",
    ),
    "some labels": ({"labels": ["bug"]}, "not available for partly labelled lists"),
    "both": ({"by": "label", "positive": "bug"}, "leave out positive"),
    "unknown label": ({"positive": "bgu"}, "no label 'bgu'. Did you mean 'bug'"),
    "no such judge": ({"judge": "lm", "positive": "bug"}, "no column 'lm'"),
    "bins": ({"judge": "llm:3", "positive": "bug"}, "cannot be cut into bins"),
    "judge is a system": ({"judge": "a", "positive": "bug"}, "is a system and cannot be a judge"),
    "judge is the truth": ({"judge": "gold", "positive": "bug"}, "is the truth and cannot be a judge"),
    "missing": ({"missing": "drop", "positive": "bug"}, "missing is not used with partly labelled lists"),
    "groups": ({"group": "lang", "positive": "bug"}, "group is not used with partly labelled lists"),
    "no separator": ({"separator": "", "positive": "bug"}, "must not be empty"),
    "no truth": ({"truth": None, "positive": "bug"}, "is the truth"),
    "inclusion": ({"inclusion": "lang", "positive": "bug"}, r"must lie in \(0, 1\]"),
    "judge and drop": ({"unlabelled": "drop", "positive": "bug"}, "not used"),
}


@pytest.mark.parametrize("ask", [oc.compare, oc.evaluate], ids=["compare", "evaluate"])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name: str, ask: Callable[..., Any]) -> None:
    """What cannot be asked of lists is told in one sentence."""
    asked, told = BAD[name]

    with pytest.raises(InputError, match=told) as error:
        ask(_cells(), **{**ASKED, "separator": ";", **asked})

    assert "\n" not in str(error.value)


def test_other_questions_say_why_not(tmp_path: Path) -> None:
    """An empty judge, a ranking by averages, what to label next, a search for slices, and a state."""
    cells, lists = _cells(), _lists()
    several: dict[str, Any] = {"separator": ";", **ASKED}

    with pytest.raises(InputError, match="says nothing of any item"):
        oc.compare(cells | {"llm": [""] * ROWS}, positive="bug", **several)
    with pytest.raises(InputError, match="not available for partly labelled lists"):
        oc.rank(cells, **several)
    with pytest.raises(InputError, match="chosen for one label at a time"):
        oc.label(lists, budget=10, truth="gold", systems=SYSTEMS, judge="llm")
    with pytest.raises(InputError, match="reads one label per item"):
        oc.slices(cells, **several)
    with pytest.raises(InputError, match="compare the whole table again"):
        oc.update(tmp_path / "state.json", cells, **several)
