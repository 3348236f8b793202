"""Columns that nobody named: what cannot be a system is left out and named, the same from every source."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import outclass as oc
from outclass.data.grouped import read_grouped
from outclass.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # of pandas, used by Ibis
ROWS = 40
RNG = np.random.default_rng(5)
GOLD = RNG.integers(0, 2, ROWS)
A, B = (np.where(RNG.random(ROWS) < share, GOLD, 1 - GOLD) for share in (0.9, 0.7))
ODD = {
    "row": list(range(1, ROWS + 1)),
    "key": [f"doc-{place}" for place in range(ROWS)],
    "text": [f"words of item {place}" for place in range(ROWS)],
    "day": [f"2024-01-{1 + place % 28:02d}" for place in range(ROWS)],
    "source": ["web", "mail"] * (ROWS // 2),
    "share": np.round(np.linspace(0.01, 0.99, ROWS), 3).tolist(),
    "user": [7 + place % 9 for place in range(ROWS)],
}
TABLE = pd.DataFrame({**ODD, "gold": GOLD, "a": A, "b": B})


def _csv(table: pd.DataFrame, folder: Path) -> Any:
    table.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def _semicolons(table: pd.DataFrame, folder: Path) -> Any:
    table.to_csv(folder / "t.csv", index=False, sep=";", encoding="utf-8-sig")
    return folder / "t.csv"


def _parquet(table: pd.DataFrame, folder: Path) -> Any:
    table.assign(day=pd.to_datetime(table["day"])).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def _database(table: pd.DataFrame, folder: Path) -> Any:
    with sqlite3.connect(folder / "t.db") as base:
        table.to_sql("t", base, index=False)
    base.close()
    return f"sqlite:///{folder / 't.db'}#t"


SOURCES: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "csv": _csv,
    "semicolons and a byte-order mark": _semicolons,
    "parquet": _parquet,
    "database": _database,
    "pandas": lambda table, _: table,
    "polars lazy": lambda table, _: pl.from_pandas(table).lazy(),
    "mapping": lambda table, _: {name: table[name].tolist() for name in table},
    "mapping of arrays": lambda table, _: {name: table[name].to_numpy() for name in table},
}


@pytest.mark.parametrize("source", SOURCES)
def test_what_cannot_be_a_system_is_left_out(source: str, tmp_path: Path) -> None:
    """Ids, texts, dates, scores and other categories are no systems, and one finding names them in their order."""
    found = oc.outcomes(SOURCES[source](TABLE, tmp_path), truth="gold")

    assert found.systems == ("a", "b")
    (told,) = found.findings
    assert told.code == "OC100"
    assert told.message == f"columns left out (not systems): {', '.join(map(repr, ODD))}."


@pytest.mark.parametrize("source", SOURCES)
def test_an_answer_is_that_of_the_named_systems(source: str, tmp_path: Path) -> None:
    """Leaving columns out changes nothing but the finding, which every rendering has."""
    data = SOURCES[source](TABLE, tmp_path)
    named, plain = oc.compare(data, truth="gold", systems=["a", "b"]), oc.compare(data, truth="gold")

    assert plain.difference == named.difference
    assert {each.code for each in plain.findings} - {each.code for each in named.findings} == {"OC100"}
    assert "'text'" in str(plain)
    assert '"OC100"' in plain.to_json()


NO_LABELS = ("key", "text", "day", "source", "share", "user")  # each an error of its labels, if it is named


@pytest.mark.parametrize("name", NO_LABELS)
def test_a_named_system_is_not_left_out(name: str) -> None:
    """What the user says is a system is one: if its labels make no sense, that is an error that names it."""
    data = {"gold": TABLE["gold"].tolist(), "a": TABLE["a"].tolist(), name: ODD[name]}

    with pytest.raises(InputError, match=rf"'{name}'"):
        oc.outcomes(data, truth="gold", systems=["a", name])


def test_a_named_system_always_wins() -> None:
    """Numbers some of which are labels can be named as a system."""
    data = {"gold": TABLE["gold"].tolist(), "a": TABLE["a"].tolist(), "row": ODD["row"]}
    found = oc.outcomes(data, truth="gold", systems=["a", "row"])

    assert found.systems == ("a", "row")
    assert found.findings == ()


@pytest.mark.parametrize("rows", [3, 4, 6, 8, 30])
@pytest.mark.parametrize("first", [0, 1, 100])
def test_numeric_ids_of_small_tables(rows: int, first: int) -> None:
    """Different whole numbers are ids beside 0 and 1, however few rows there are."""
    data = {"gold": [0, 1, 1] * rows, "a": [0, 1, 0] * rows, "b": [0, 0, 1] * rows}
    table = {name: column[:rows] for name, column in data.items()} | {"nr": list(range(first, first + rows))}

    assert oc.outcomes(table, truth="gold").systems == ("a", "b")


def test_numeric_ids_beside_many_classes() -> None:
    """Ids below the number of classes look like labels, but no system predicts a different class for each item."""
    gold = [place % 50 for place in range(60)]
    table = {"gold": gold, "a": gold, "b": gold[::-1], "nr": list(range(60))}

    assert oc.outcomes(table, truth="gold").systems == ("a", "b")


def test_a_system_may_predict_a_few_other_labels() -> None:
    """Labels that are never true do not make a column something else."""
    table = {"gold": ["x", "y"] * 10, "a": ["x", "z"] * 10, "b": ["x", "y", "u", "v"] * 5}

    assert oc.outcomes(table, truth="gold").systems == ("a", "b")


def test_names_say_what_a_column_is() -> None:
    """A column called id or group is left out, whatever it holds."""
    table = {"gold": [0, 1] * 10, "id": [0, 1] * 10, "Group": [1, 0] * 10, "a": [0, 1] * 10, "b": [1, 1] * 10}

    assert oc.outcomes(table, truth="gold").systems == ("a", "b")


@pytest.mark.parametrize("name", ["items", "count", "n", "Weight"])
def test_counts_are_not_left_out(name: str) -> None:
    """To leave out how many items a row stands for would change the answer: it is asked for."""
    table = {"gold": ["x", "x", "y", "y"], "a": ["x", "y", "y", "x"], "b": ["x", "x", "y", "x"], name: [9, 3, 8, 9]}

    with pytest.raises(InputError, match=rf"say count='{name}'"):
        oc.outcomes(table, truth="gold")
    assert oc.outcomes(table, truth="gold", count=name).items == 29


def test_a_system_is_not_taken_for_a_count() -> None:
    """A system may be called N."""
    table = {"gold": [0, 1, 2] * 5, "N": [0, 1, 1] * 5, "M": [0, 2, 2] * 5}

    assert oc.outcomes(table, truth="gold").systems == ("N", "M")


def test_a_system_that_talks_is_not_left_out() -> None:
    """A text column with the labels among other answers is an error that shows them, and can be named."""
    said = ["spam", "ham", *(f"I think it is {word} ({place})" for place, word in enumerate(["spam", "ham"] * 9))]
    table = {"gold": ["spam", "ham"] * 10, "a": ["spam", "ham"] * 10, "llm": said}

    with pytest.raises(InputError, match=r"'llm' holds labels of 'gold' and 18 other values \('I think"):
        oc.outcomes(table, truth="gold")
    assert oc.outcomes(table, truth="gold", systems=["a", "llm"]).systems == ("a", "llm")


def test_nothing_left_is_an_error() -> None:
    """With no column that can be a system there is nothing to compare; scores get the sentence about scores."""
    with pytest.raises(InputError, match=r"no column can be a system.*'key'"):
        oc.outcomes({"gold": GOLD.tolist(), "key": ODD["key"]}, truth="gold")
    with pytest.raises(InputError, match="looks like a score"):
        oc.outcomes({"gold": GOLD.tolist(), "share": ODD["share"]}, truth="gold")


def test_one_system_and_what_was_left_out() -> None:
    """If a single system is left, the error names the other columns: one of them may be meant."""
    with pytest.raises(InputError, match=r"only one system, 'a'.*Column left out \(not a system\): 'key'"):
        oc.compare({"gold": GOLD.tolist(), "a": A.tolist(), "key": ODD["key"]}, truth="gold")


def test_groups_and_scores_leave_out_as_well() -> None:
    """Items in groups, and numbers instead of labels."""
    grouped = read_grouped(TABLE, "source", truth="gold")
    scored = oc.read(TABLE[["row", "text", "gold", "share", "a"]], truth="gold", scores=True)

    assert grouped.systems == ("a", "b")
    assert "'text'" in grouped.findings[0].message
    assert scored.systems == ("share", "a")
    assert [each.message for each in scored.findings] == ["columns left out (not systems): 'row', 'text'."]
