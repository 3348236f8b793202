"""Files joined on an id are joined by what their ids and truths are, however each file spells them."""

from pathlib import Path
from typing import Any

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

    with pytest.raises(InputError, match=r"1 rows of 'a\.csv' have no id"):
        oc.read(a, truth="gold", id="id")


def test_truths_that_differ(tmp_path: Path) -> None:
    """Truths that are different labels are told, and those spelt otherwise are not."""
    a = _csv(tmp_path / "a.csv", "id,gold,a", "1,1,1", "2,0,1", "3,01,1")
    b = _csv(tmp_path / "b.csv", "id,gold,b", "1,1.0,1", "2,0,0", "3,1,1")

    with pytest.raises(InputError, match=r"of 1 items differs .*\n  id '3': '01' and '1'\n"):
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
        ({"model": ["old"] * 5}, "item '1' has several rows for system 'old'"),
        ({"gold": ["y", "n", "n", "n", "y"]}, "item '1' has different truths: 'y', 'n'"),
    ],
)
def test_a_long_table_that_contradicts_itself(changed: dict[str, Any], said: str) -> None:
    """Two predictions of one system, or two truths of one item, are an error that names it."""
    with pytest.raises(InputError, match=said):
        oc.read(pl.DataFrame(LONG | changed), missing="drop", **ROLES)
