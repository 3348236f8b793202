"""Files joined on an id are joined by what their ids and truths are, however each file spells them."""

from pathlib import Path
from typing import Any

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
