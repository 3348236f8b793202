"""Files joined on an id are joined by what their ids and truths are, however each file spells them."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import outclass as oc
from outclass.errors import InputError

# By DuckDB, and item by item in Python.
WAYS: list[dict[str, Any]] = [{}, {"group": "g"}]


def _csv(path: Path, *rows: str) -> str:
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize("how", WAYS)
def test_text_however_spelt(how: dict[str, Any], tmp_path: Path) -> None:
    """Text files may spell ids and truths in ways of their own."""
    a = _csv(tmp_path / "a.csv", "id,gold,g,a", "1,1,p,1", "2,0,q,1", "x,true,p,0", "2024-01-01,0,q,0", "01,1,q,1")
    rows = ("1.0, 1.0,p,1", "2.,0.0,q,0", " x ,TRUE,p,0", "2024-01-01 00:00:00,0,q,0", "01,1,q,1")
    b = _csv(tmp_path / "b.csv", "id,gold,g,b", *rows)
    found = oc.read([a, b], truth="gold", id="id", **how)

    assert (found.items, found.systems) == (5, ("a", "b"))


@pytest.mark.parametrize("how", WAYS)
def test_types_of_ids(how: dict[str, Any], tmp_path: Path) -> None:
    """Ids that are text here and floats there are the same."""
    a = _csv(tmp_path / "a.csv", "id,gold,g,a", "1,1,p,1", "2,0,q,1")
    pq.write_table(
        pa.table({"id": [1.0, 2.0], "gold": [1.0, 0.0], "g": ["p", "q"], "b": [1, 1]}), tmp_path / "b.parquet"
    )

    assert oc.read([a, str(tmp_path / "b.parquet")], truth="gold", id="id", **how).items == 2


@pytest.mark.parametrize("how", WAYS)
def test_one_id_in_three_spellings(how: dict[str, Any], tmp_path: Path) -> None:
    """An id that a file spells in three ways occurs three times, and is refused."""
    rows = ("1,1,p,1", "1.0,0,q,1", " 1,1,p,0")
    a, b = (_csv(tmp_path / f"{name}.csv", f"id,gold,g,{name}", *rows) for name in "ab")

    for source in (a, [a, b]):
        with pytest.raises(InputError, match=r"1 id of .* occur more than once: '1'"):
            oc.read(source, truth="gold", id="id", **how)


def test_blank_ids(tmp_path: Path) -> None:
    """An id of nothing but spaces is none."""
    a = _csv(tmp_path / "a.csv", "id,gold,a", "1,1,1", "  ,0,1")

    with pytest.raises(InputError, match=r"1 row of 'a\.csv' has no id"):
        oc.read(a, truth="gold", id="id")


def test_truths_that_differ(tmp_path: Path) -> None:
    """Truths that are different labels are told, and those spelt otherwise are not."""
    a = _csv(tmp_path / "a.csv", "id,gold,a", "1,1,1", "2,0,1", "3,01,1")
    b = _csv(tmp_path / "b.csv", "id,gold,b", "1,1.0,1", "2,0,0", "3,1,1")

    with pytest.raises(InputError, match=r"of 1 item differs .*\n  id '3': '01' and '1'\n"):
        oc.read([a, b], truth="gold", id="id")


def _three(tmp_path: Path) -> list[str]:
    """A file of truths, and two of predictions: A lacks an item, B another and has one too many."""
    return [
        _csv(tmp_path / "gold.csv", "id,gold", "1,y", "2,n", "3,y", "4,n"),
        _csv(tmp_path / "a.csv", "id,prediction", "1,y", "2,n", "3,y"),
        _csv(tmp_path / "b.csv", "id,prediction", "1,y", "2,y", "4,n", "9,n"),
    ]


@pytest.mark.parametrize("as_frames", [False, True])
@pytest.mark.parametrize(("missing", "items", "right"), [("drop", 2, 2), ("wrong", 4, 3)])
def test_items_that_a_system_lacks(missing: str, items: int, right: int, as_frames: bool, tmp_path: Path) -> None:
    """Items that a file lacks are dropped or wrong as asked, and both directions are told."""
    paths = _three(tmp_path)
    frames = {Path(path).stem: pl.read_csv(path, infer_schema=False) for path in paths}
    found = oc.read(frames if as_frames else paths, truth="gold", id="id", missing=missing)
    told = " ".join(each.message for each in found.findings)

    assert (found.items, found.systems) == (items, ("a", "b"))
    assert int(found.table("a", "y").trace()) == right
    assert "2 of 4 items have a missing label" in told
    assert "1 id has no truth and was dropped." in told
    assert "missing ids: 1 in 'gold" in told


KINDS = ["files", "polars", "pandas", "pandas with pyarrow"]


def _as(kind: str, tables: dict[str, pd.DataFrame], folder: Path) -> Any:
    """The same tables as one kind of data, by name."""
    if kind == "polars":
        return {name: pl.from_pandas(table) for name, table in tables.items()}
    if kind == "pandas with pyarrow":
        return {name: table.convert_dtypes(dtype_backend="pyarrow") for name, table in tables.items()}
    if kind == "files":
        for name, table in tables.items():
            table.to_csv(folder / f"{name}.csv", index=False)
        return [str(folder / f"{name}.csv") for name in tables]
    return tables


@pytest.mark.parametrize("truth_in", ["every table", "its own table"])
@pytest.mark.parametrize("missing", ["drop", "wrong"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_library_joins_as_pandas_does_by_hand(kind: str, missing: str, truth_in: str, tmp_path: Path) -> None:
    """Whatever a library puts where a table lacks an item, outcomes and findings are those of a join by hand."""
    gold = pd.DataFrame({"id": range(40), "y": [0, 1] * 20})
    a = pd.DataFrame({"id": range(3, 42), "a": [0, 1, 1] * 13})
    b = pd.DataFrame({"id": range(38), "b": [1, 1] * 18 + [0, 0]})
    together = gold.merge(a, on="id", how="left").merge(b, on="id", how="left")
    kept = together.dropna() if missing == "drop" else together
    own = truth_in == "its own table"
    tables = {"gold": gold, "a": a, "b": b} if own else {"a": a.merge(gold, on="id"), "b": b.merge(gold, on="id")}
    found = oc.outcomes(_as(kind, tables, tmp_path), truth="y", id="id", missing=missing)
    told = [each.message.replace(".csv", "") for each in found.findings]

    assert found.items == len(kept)
    assert found.rights("a", "b").tolist() == [
        [int((((kept.a == kept.y) == one) & ((kept.b == kept.y) == other)).sum()) for other in (True, False)]
        for one in (True, False)
    ]
    assert found.with_findings(()) == oc.outcomes(kept, truth="y", systems=["a", "b"], missing=missing).with_findings(
        ()
    )
    assert told[0].startswith("5 of 40 items have a missing label;")
    assert told[1:] == (
        ["missing ids: 2 in 'gold', 3 in 'a', 4 in 'b'.", "2 ids have no truth and were dropped."]
        if own
        else ["missing ids: 3 in 'a', 2 in 'b'."]
    )


@pytest.mark.parametrize("missing", ["drop", "wrong"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_id_in_common(kind: str, missing: str, tmp_path: Path) -> None:
    """Tables without a common id are an error that shows the first ids of each."""
    a = pd.DataFrame({"id": ["p1", "p2", "p3"], "y": [0, 1, 0], "a": [0, 1, 1]})
    b = pd.DataFrame({"id": ["q1", "q2", "q3"], "y": [0, 1, 0], "b": [0, 1, 1]})
    said = (
        r"no id occurs in all of the tables: those of 'a.*' start with 'p1', 'p2', 'p3'; those of 'b.*' start with 'q1'"
    )

    with pytest.raises(InputError, match=said):
        oc.outcomes(_as(kind, {"a": a, "b": b}, tmp_path), truth="y", id="id", missing=missing)


@pytest.mark.parametrize("kind", KINDS)
def test_no_item_left(kind: str, tmp_path: Path) -> None:
    """Dropping every item is an error that says so."""
    a = pd.DataFrame({"id": [1, 2], "y": ["n", "y"], "a": ["n", None]})
    b = pd.DataFrame({"id": [1, 2], "b": [None, "y"]})

    with pytest.raises(InputError, match="no items are left: every item of the tables has a missing label"):
        oc.outcomes(_as(kind, {"a": a, "b": b}, tmp_path), truth="y", id="id", systems=["a", "b"], missing="drop")


@pytest.mark.parametrize("missing", ["error", "drop", "wrong"])
@pytest.mark.parametrize("how", WAYS)
def test_a_truth_that_one_file_lacks(how: dict[str, Any], missing: str, tmp_path: Path) -> None:
    """The truth of an item is that of whichever file has it; two that differ are told, wherever they are."""
    gaps = _csv(tmp_path / "a.csv", "id,gold,g,a", "1,,p,y", "2,n,q,y", "3,y,q,n")
    full = _csv(tmp_path / "b.csv", "id,gold,g,b", "1,y,p,y", "2,,q,n", "3,y,q,n")
    other = _csv(tmp_path / "c.csv", "id,gold,g,c", "1,n,p,y", "2,n,q,n", "3,y,q,n")
    found = oc.read([gaps, full], truth="gold", id="id", missing=missing, **how)

    assert found.items == 3
    assert not any("missing" in each.message for each in found.findings)
    with pytest.raises(InputError, match="of 1 item differs between"):
        oc.read([gaps, full, other], truth="gold", id="id", missing=missing, **how)


def test_items_that_a_system_lacks_are_an_error_by_default(tmp_path: Path) -> None:
    """Without a policy, the error says how many items are missing where, and names the option."""
    with pytest.raises(InputError, match=r"1 id occurs in 'gold.csv' but not in 'a.csv': '4'.*missing='drop'"):
        oc.read(_three(tmp_path), truth="gold", id="id")


LONG = {
    "item": ["1", "1", "2", "2", "3"],
    "model": ["old", "new", "new", "old", "old"],
    "answer": ["y", "y", "n", "y", "y"],
    "gold": ["y", "y", "n", "n", "y"],
}
ROLES: dict[str, Any] = {"item": "item", "system_column": "model", "label": "answer", "truth": "gold"}


@pytest.mark.parametrize("as_file", [False, True])
def test_a_long_table_of_labels(as_file: bool, tmp_path: Path) -> None:
    """One row per item and system becomes one column per system; a row that is not there is a missing prediction."""
    frame = pl.DataFrame(LONG)
    frame.write_csv(tmp_path / "long.csv")
    data = str(tmp_path / "long.csv") if as_file else frame
    found = oc.read(data, missing="wrong", **ROLES)

    assert (found.systems, found.items) == (("old", "new"), 3)
    assert (found.rights("old", "new") == [[1, 1], [1, 0]]).all()
    with pytest.raises(InputError, match="1 of 3 items has a missing label"):
        oc.read(data, **ROLES)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model": ["old"] * 5}, r"item '1' \(item\) has several rows for system 'old'"),
        ({"gold": ["y", "n", "n", "n", "y"]}, "item '1' has different truths: 'y', 'n'"),
    ],
)
def test_a_long_table_that_contradicts_itself(changed: dict[str, Any], said: str) -> None:
    """Two predictions of one system, or two truths of one item, are an error that names it."""
    with pytest.raises(InputError, match=said):
        oc.read(pl.DataFrame(LONG | changed), missing="drop", **ROLES)


def test_a_long_table_names_items_by_their_ids() -> None:
    """A missing prediction is told with the id of its item, not its position."""
    changed = {"item": ["p", "p", "q", "q", "r"]}

    with pytest.raises(InputError, match=r"1 of 3 items has a missing label:\n  item 'r': no label in 'new'"):
        oc.read(pl.DataFrame(LONG | changed), **ROLES)


def test_a_long_table_without_the_system_that_is_asked_for() -> None:
    """An unknown system is told as such, with the column that names systems; one named twice is refused."""
    with pytest.raises(
        InputError, match=r"^there is no system 'zz' in column 'model' \(systems\)\. Known: 'old', 'new'\.$"
    ):
        oc.read(pl.DataFrame(LONG), systems=["old", "zz"], missing="drop", **ROLES)
    with pytest.raises(InputError, match="systems has one name twice"):
        oc.read(pl.DataFrame(LONG), systems=["old", "old"], missing="drop", **ROLES)


@pytest.mark.parametrize("gold", [["y", None, None, "n", "y"], [None, "y", "n", None, "y"]])
def test_a_long_table_with_the_truth_in_some_rows(gold: list[str | None]) -> None:
    """The truth of an item is that of whichever of its rows has it."""
    whole, gaps = (
        oc.read(pl.DataFrame(LONG | {"gold": each}), missing="drop", **ROLES) for each in (LONG["gold"], gold)
    )

    assert gaps == whole


def test_one_row_without_an_item() -> None:
    """One row is not 'rows'."""
    with pytest.raises(InputError, match="1 row has no value in 'item' or 'model'"):
        oc.read(pl.DataFrame(LONG | {"item": ["1", "1", "2", None, "3"]}), **ROLES)
