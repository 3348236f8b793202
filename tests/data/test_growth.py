"""Files that have grown since they were counted: only what is new is added, or the update stops and says so."""

import gzip
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import duckdb
import pytest

import outclass as oc
from outclass.ask import update as updates
from outclass.data import growth
from outclass.errors import BusyError, InputError

HEADER = "id,gold,old,new\n"


def lines(count: int, seed: int = 3) -> list[str]:
    """Return rows of a log; those of a longer one begin with those of a shorter."""
    rng = random.Random(seed)
    return [f"{seed}-{at},{rng.choice('xy')},{rng.choice('xy')},{rng.choice('xy')}\n" for at in range(count)]


def log(path: Path, count: int) -> Path:
    """Write a log of that many rows, in the format that its name says."""
    rows = [line.rstrip("\n").split(",") for line in lines(count)]
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        text = "".join(json.dumps(dict(zip(("id", "gold", "old", "new"), row, strict=True))) + "\n" for row in rows)
    else:
        sign = "\t" if name.endswith(".tsv") else ","
        text = "".join(sign.join(row) + "\n" for row in [HEADER.strip().split(","), *rows])
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


HOW: dict[str, Any] = {"truth": "gold", "id": "id"}


@pytest.mark.parametrize("name", ["log.csv", "log.tsv", "log.jsonl", "log.csv.gz", "log.jsonl.gz"])
def test_a_log_that_grows(name: str, tmp_path: Path) -> None:
    """50 rows, then 101, then 140: the state is that of 140 rows; counted again, it is an error."""
    state = tmp_path / "s.json"
    for count in (50, 101, 140):
        grown = oc.update(state, log(tmp_path / name, count), **HOW)
        assert grown.items == count
    oc.update(tmp_path / "whole.json", tmp_path / name, **HOW)

    assert state.read_bytes() == (tmp_path / "whole.json").read_bytes()
    for count in (101, 140):
        with pytest.raises(InputError, match="already been counted"):
            oc.update(state, log(tmp_path / name, count), **HOW)
    assert oc.update(state, tmp_path / name, again=True, **HOW).items == 280


def test_both_in_one_call_or_under_another_name(tmp_path: Path) -> None:
    """It is the content that counts, not the name, nor whether it is compressed."""
    state = tmp_path / "s.json"
    short, long = log(tmp_path / "monday.csv", 50), log(tmp_path / "tuesday.csv.gz", 80)

    assert oc.update(state, [short, long], truth="gold", systems=["old", "new"]).items == 80


def test_another_file_of_the_same_name(tmp_path: Path) -> None:
    """New data under a name that was counted stop: a file of another name, or --again, adds them."""
    state, path = tmp_path / "s.json", tmp_path / "log.csv"
    oc.update(state, log(path, 50), **HOW)
    path.write_text("".join([HEADER, *lines(15), *lines(20, seed=4)]))
    with pytest.raises(InputError, match=r"a file named 'log.csv' with 51 lines has .* another name; .* again=True"):
        oc.update(state, path, **HOW)
    assert oc.update(state, path, again=True, **HOW).items == 50 + 35
    path.write_text("".join([HEADER, *lines(30, seed=5)]))
    assert oc.update(state, path.rename(tmp_path / "tuesday.csv"), **HOW).items == 50 + 35 + 30


def resaved(how: str, path: Path) -> Path:
    """Write a log anew, as some program does; return where it is then."""
    header, *rows = path.read_text().splitlines()
    if how in ("parquet", "jsonl"):
        target = path.with_suffix(f".{how}")
        kind = "PARQUET" if how == "parquet" else "JSON"
        duckdb.sql(f"COPY (SELECT * FROM read_csv('{path}')) TO '{target}' (FORMAT {kind})")
        return target
    changed = {
        "quoted": ['"' + line.replace(",", '","') + '"' for line in (header, *rows)],
        "blanks": [f"{line} " for line in (header, *rows)],
        "on top": [header, *reversed(rows)],
        "a column": [f"{header},note", *(f"{row},n" for row in rows)],
    }
    path.write_text("\n".join(changed[how]) + "\n")
    return path


@pytest.mark.parametrize("how", ["quoted", "blanks", "on top", "a column", "parquet", "jsonl"])
def test_a_log_that_has_grown_and_was_saved_anew(how: str, tmp_path: Path) -> None:
    """Every line of it may have changed: nothing but its name tells that its first rows were counted, and it stops."""
    state = tmp_path / "s.json"
    columns = HOW | {"systems": ["old", "new"]}
    oc.update(state, log(tmp_path / "log.csv", 50), **columns)
    path = resaved(how, log(tmp_path / "log.csv", 101))
    before = state.read_bytes()
    with pytest.raises(InputError, match=r"a file named 'log.csv' with 51 lines has already been counted"):
        oc.update(state, path, **columns)

    assert state.read_bytes() == before
    assert oc.update(state, path, again=True, **columns).items == 151


@pytest.mark.parametrize("first", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", [(b"\n", b"\r\n"), (b"\r\n", b"\n"), (b"\r\n", b"\r\n")])
def test_line_ends_and_the_mark_of_utf8(ends: tuple[bytes, bytes], first: bytes, tmp_path: Path) -> None:
    """A log that has grown on another system, with other line ends or a mark, has grown; its copy has been counted."""
    state = tmp_path / "s.json"
    short, long = (log(tmp_path / f"{count}.csv", count) for count in (50, 101))
    short.write_bytes(short.read_bytes().replace(b"\n", ends[0]))
    oc.update(state, short, **HOW)
    copy = tmp_path / "copy.csv"
    for path in (short, long):
        copy.write_bytes(first + path.read_bytes().replace(ends[0] if path is short else b"\n", ends[1]))
        if path is short:
            with pytest.raises(InputError, match=r"'copy.csv' has already been counted, with the content of '50.csv'"):
                oc.update(state, copy, **HOW)
    grown = oc.update(state, copy, **HOW)
    oc.update(tmp_path / "whole.json", long, **HOW)

    assert grown.items == 101
    assert state.read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_plain_text_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line's end that lies on the border of two blocks is one, and a carriage return by itself stays."""
    path = tmp_path / "log.csv"
    path.write_bytes(b"a,b\r\n\r\r\n1,\r2\r\n\r")
    for size in (3, 4, 5, 6, 7, 99):
        monkeypatch.setattr(growth, "BLOCK", size)
        entry, _ = growth.counted(path)

        assert entry.text == hashlib.sha256(b"a,b\n\r\n1,\r2\n\r").hexdigest()
        assert entry.digest == hashlib.sha256(path.read_bytes()).hexdigest()


def test_files_of_one_name_in_one_call(tmp_path: Path) -> None:
    """Two files of one name are two files if they are given together; so is one whose items have ids."""
    for day in ("monday", "tuesday"):
        (tmp_path / day).mkdir()
        (tmp_path / day / "log.csv").write_text("".join([HEADER, *lines(30, seed=len(day))]))
    both = [tmp_path / "monday" / "log.csv", tmp_path / "tuesday" / "log.csv"]
    assert oc.update(tmp_path / "s.json", both, truth="gold", systems=["old", "new"]).items == 60

    for first in (0, 30):
        rows = [f"q{at},{at % 7},{at % 5}\n" for at in range(first, first + 30)]
        (tmp_path / "n.csv").write_text("".join(["id,old,new\n", *rows]))
        found = oc.update(tmp_path / "n.json", tmp_path / "n.csv", id="id", scores=True)
    assert found.items == 60


def test_alike_but_shorter_or_edited(tmp_path: Path) -> None:
    """A copy from before, or one that goes on otherwise, has rows that were counted: it stops, unless told --again."""
    state = tmp_path / "s.json"
    oc.update(state, log(tmp_path / "log.csv", 101), **HOW)
    (tmp_path / "edited.csv").write_text("".join([HEADER, *lines(60), *lines(60, seed=4)]))
    for path in (log(tmp_path / "old.csv", 50), log(tmp_path / "old.csv.gz", 50), tmp_path / "edited.csv"):
        with pytest.raises(InputError, match=f"first 22 lines of '{path.name}' .* as 'log.csv', and the rest may"):
            oc.update(state, path, **HOW)
    assert oc.update(state, tmp_path / "edited.csv", again=True, **HOW).items == 101 + 120


def test_rows_without_ids_that_are_nearly_all_alike(tmp_path: Path) -> None:
    """Sorted tables of labels begin alike without being the same: they are not taken for one that has grown."""
    first, second = ("gold,old,new\n" + "x,x,x\n" * 40 + "y,y,x\n" * many for many in (5, 30))
    assert "may be a coincidence" in stops(tmp_path, first.encode(), (first + second[13:]).encode(), truth="gold")
    (tmp_path / "other.csv").write_text(second.replace("y,y,x", "y,x,y"))
    assert oc.update(tmp_path / "s.json", tmp_path / "other.csv", truth="gold").items == 45 + 70


def test_states_that_hold_the_same_log(tmp_path: Path) -> None:
    """One state counted a log earlier than the other: together they would hold its first rows twice."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    oc.update(first, log(tmp_path / "log.csv", 50), **HOW)
    oc.update(second, log(tmp_path / "log.csv", 80), **HOW)
    with pytest.raises(InputError, match=r"holds 'log.csv', which begins like 'log.csv' in 'first.json'"):
        oc.update(first, second)
    assert oc.update(first, second, again=True).items == 130


def test_one_file_per_system(tmp_path: Path) -> None:
    """Files joined on their ids that have all grown are joined on the new ones."""
    state = tmp_path / "s.json"
    for count in (30, 45):
        for name, place in (("old", 2), ("new", 3)):
            rows = [line.rstrip("\n").split(",") for line in lines(count)]
            text = "".join(f"{row[0]},{row[1]},{row[place]}\n" for row in rows)
            (tmp_path / f"{name}.csv").write_text("id,gold,said\n" + text)
        found = oc.update(state, [tmp_path / "old.csv", tmp_path / "new.csv"], **HOW)

    assert found.items == 45
    assert found == oc.outcomes([tmp_path / "old.csv", tmp_path / "new.csv"], **HOW)


def stops(tmp_path: Path, first: bytes, second: bytes, name: str = "log.csv", **how: Any) -> str:
    """Count a file, then a longer one; return how the second is refused, and check that nothing has changed."""
    state = tmp_path / "s.json"
    (tmp_path / name).write_bytes(first)
    oc.update(state, tmp_path / name, **(how or HOW))
    before = [path.read_bytes() for path in (state, tmp_path / "s.json.seen")]
    (tmp_path / name).write_bytes(second)
    with pytest.raises(InputError, match="have already been counted, ") as caught:
        oc.update(state, tmp_path / name, **(how or HOW))

    assert [path.read_bytes() for path in (state, tmp_path / "s.json.seen")] == before
    assert "again=True" in str(caught.value)
    return str(caught.value)


def test_a_last_line_that_has_changed(tmp_path: Path) -> None:
    """The last line was counted half-written: what it has become is not added to it."""
    text = "".join([HEADER, *lines(40)]).encode()
    assert "last line has changed" in stops(
        tmp_path, text[:-1], text[:-1] + b"z\n" + b"".join(map(str.encode, lines(5, 9)))
    )


def test_a_last_line_without_an_end(tmp_path: Path) -> None:
    """A log whose last line has no line break yet grows at a line's end all the same."""
    text = "".join([HEADER, *lines(60)])
    (tmp_path / "log.csv").write_text("".join([HEADER, *lines(40)]).removesuffix("\n"))
    oc.update(tmp_path / "s.json", tmp_path / "log.csv", **HOW)
    (tmp_path / "log.csv").write_text(text)

    assert oc.update(tmp_path / "s.json", tmp_path / "log.csv", **HOW).items == 60


def test_few_lines_may_be_chance(tmp_path: Path) -> None:
    """A few rows of labels alone may begin another file by chance: the user says which it is."""
    rows = "gold,old,new\nx,x,y\ny,y,y\n"
    assert "the first 3 lines" in stops(tmp_path, rows.encode(), (rows + "x,y,x\n" * 9).encode(), truth="gold")


def test_rows_that_are_not_items(tmp_path: Path) -> None:
    """Of a long table an item may have rows in both parts."""
    rows = [
        f"{item},{label},{int((item + place) % 3 == 0)},{item % 2},1\n"
        for item in range(9)
        for place, label in enumerate("xyz")
    ]
    text = "item,label,gold,old,new\n" + "".join(rows)
    how = {"truth": "gold", "item": "item", "label": "label"}
    assert "rows of one item" in stops(tmp_path, text.encode(), (text + "8,w,1,0,1\n").encode(), **how)


def test_parts_of_a_glob(tmp_path: Path) -> None:
    """A glob is one table: which of its files has grown is said."""
    log(tmp_path / "a.csv", 50)
    oc.update(tmp_path / "s.json", tmp_path / "a.csv", **HOW)
    log(tmp_path / "a.csv", 60)
    (tmp_path / "b.csv").write_text("".join([HEADER, *lines(30, seed=5)]))
    with pytest.raises(InputError, match=r"first 51 lines of 'a.csv' .* pass it on its own"):
        oc.update(tmp_path / "s.json", str(tmp_path / "*.csv"), **HOW)


def test_only_blank_lines_are_new(tmp_path: Path) -> None:
    """A file with no new rows has been counted already."""
    path = log(tmp_path / "log.csv", 50)
    oc.update(tmp_path / "s.json", path, **HOW)
    path.write_text(path.read_text() + "\n\n")
    with pytest.raises(InputError, match="no new rows"):
        oc.update(tmp_path / "s.json", path, **HOW)


@pytest.mark.parametrize("name", ["log.parquet", "log.json"])
def test_tables_that_are_written_anew(name: str, tmp_path: Path) -> None:
    """A Parquet file or a JSON array with more rows stops with what was counted; one with other rows is new."""
    table = tmp_path / name
    kind = "PARQUET" if name.endswith("parquet") else "JSON, ARRAY true"

    def write(count: int, add: int) -> Path:
        said = f"(i * 7 + {add}) % 3 AS old, (i * 5 + {add}) % 2 AS new"
        duckdb.sql(
            f"COPY (SELECT i AS id, i % 3 AS gold, {said} FROM range({count}) t(i)) TO '{table}' (FORMAT {kind})"
        )
        return table

    oc.update(tmp_path / "s.json", write(250, 0), **HOW)
    with pytest.raises(InputError, match=f"first 250 rows of '{name}' have already been counted"):
        oc.update(tmp_path / "s.json", write(300, 0), **HOW)
    other = write(300, 1).rename(tmp_path / f"other{table.suffix}")
    assert oc.update(tmp_path / "s.json", other, **HOW).items == 550
    assert oc.update(tmp_path / "s.json", write(300, 0), again=True, **HOW).items == 850


@pytest.mark.parametrize("count", [250, 120, 30])
def test_a_table_that_is_saved_anew(count: int, tmp_path: Path) -> None:
    """The same rows in other bytes, a Parquet file compressed otherwise, have been counted; so have the first of them.

    The same holds of a JSON array that is indented otherwise.
    """
    rows = [{"id": at, "gold": at % 3, "old": at * 7 % 3, "new": at * 5 % 2} for at in range(250)]
    table, array = tmp_path / "log.parquet", tmp_path / "log.json"

    def write(count: int, codec: str, indent: int) -> None:
        select = f"SELECT i AS id, i % 3 AS gold, i * 7 % 3 AS old, i * 5 % 2 AS new FROM range({count}) t(i)"
        duckdb.sql(f"COPY ({select}) TO '{tmp_path / 'copy.parquet'}' (FORMAT PARQUET, COMPRESSION {codec})")
        (tmp_path / "copy.json").write_text(json.dumps(rows[:count], indent=indent))

    write(250, "SNAPPY", 1)
    for file in (table, array):
        (tmp_path / "copy").with_suffix(file.suffix).rename(file)
        oc.update(tmp_path / f"s{file.suffix}.state", file, **HOW)
    write(count, "ZSTD", 4)
    for file in (table, array):
        copy = (tmp_path / "copy").with_suffix(file.suffix)
        with pytest.raises(InputError, match=f"first {count} rows of '{copy.name}' .*counted, as '{file.name}'"):
            oc.update(tmp_path / f"s{file.suffix}.state", copy, **HOW)
    other = [row | {"gold": (row["gold"] + 1) % 3} for row in rows]
    (tmp_path / "copy.json").write_text(json.dumps(other))
    assert oc.update(tmp_path / "s.json.state", tmp_path / "copy.json", **HOW).items == 500


def test_overtaken_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a log is read, another process counts its beginning, or a longer version: nothing is counted twice."""
    state, path = tmp_path / "s.json", tmp_path / "log.csv"
    oc.update(state, log(tmp_path / "first.csv", 25), **HOW)
    own, meanwhile = updates._evidence, [60, 90]

    def slow(data: Any, how: Any) -> Any:
        found = own(data, how)
        if meanwhile and "log" in str(data):
            count = meanwhile.pop(0)
            other = log(tmp_path / "other.csv", count)
            monkeypatch.setattr(updates, "_evidence", own)
            oc.update(state, other, **HOW)
            monkeypatch.setattr(updates, "_evidence", slow)
        return found

    monkeypatch.setattr(updates, "_evidence", slow)
    found = oc.update(state, log(path, 100), **HOW)

    assert not meanwhile
    assert found.items == 100


def test_changed_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read must be what is remembered: a file that changes meanwhile is not added."""
    own = updates._evidence

    def slow(data: Any, how: Any) -> Any:
        found = own(data, how)
        with (tmp_path / "log.csv").open("a") as stream:
            stream.writelines(lines(1, seed=8))
        return found

    monkeypatch.setattr(updates, "_evidence", slow)
    with pytest.raises(BusyError, match="changed while being read"):
        oc.update(tmp_path / "s.json", log(tmp_path / "log.csv", 50), **HOW)
    assert not (tmp_path / "s.json").exists()


def test_lists_of_the_first_format(tmp_path: Path) -> None:
    """A list that does not say how long the files were is still read; a file in it is known."""
    state, seen = tmp_path / "s.json", tmp_path / "s.json.seen"
    oc.update(state, log(tmp_path / "log.csv", 50), **HOW)
    plain = json.loads(seen.read_text())
    del plain["bytes"]
    seen.write_text(json.dumps(plain) + "\n")
    with pytest.raises(InputError, match="already been counted"):
        oc.update(state, tmp_path / "log.csv", **HOW)
    (tmp_path / "more.csv").write_text("".join([HEADER, *lines(30, seed=5)]))

    assert oc.update(state, tmp_path / "more.csv", **HOW).items == 80
