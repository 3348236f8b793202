"""The one door: every option is used or refused by name, whatever the data; files keep their names."""

import gzip
import inspect
import sqlite3
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from outclass.ask.columns import USED, Columns
from outclass.ask.read import Data, read
from outclass.data.count_tables import read_counts
from outclass.data.engines import spark
from outclass.data.grouped import Grouped, read_grouped
from outclass.data.label_tables import read_labels
from outclass.data.multilabel import MultiLabel, read_multilabel
from outclass.data.names import stem_of
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.published import PublishedCounts
from outclass.data.score_tables import read_table
from outclass.data.scores import Scores
from outclass.errors import FileError, InputError, OutclassError

LABELS = pd.DataFrame(
    {
        "id": ["i1", "i2", "i3", "i4"],
        "gold": ["yes", "no", "yes", "no"],
        "a": ["yes", "no", "no", "no"],
        "b": ["no", "no", "yes", "yes"],
        "n": [1, 2, 3, 4],
        "doc": ["d1", "d1", "d2", "d2"],
    }
)
NUMBERS = pd.DataFrame(
    {"id": ["i1", "i2", "i3", "i4"], "gold": [1, 0, 1, 0], "a": [0.9, 0.2, 0.4, 0.6], "b": [0.8, 0.1, 0.7, 0.3]}
)
LISTS = pd.DataFrame({"id": [1, 2, 3], "gold": ["x;y", "x", "z"], "a": ["x", "x;z", "z"], "b": ["y", "x", None]})
LONG = pd.DataFrame(
    {
        "doc": ["d1", "d1", "d2", "d2"],
        "topic": ["x", "y", "x", "y"],
        "gold": [1, 0, 1, 1],
        "a": [1, 0, None, 1],
        "b": [0, 0, 1, 1],
    }
)
TABLE = {"truth": "gold", "systems": ["a", "b"]}


def _written(folder: Path, frame: pd.DataFrame, *names: str) -> list[Path]:
    """Write one file per system: `claude-2.0.csv` with the predictions of a, `claude-2.1.csv` with those of b."""
    paths = []
    for name, system in zip(names, "ab", strict=True):
        paths.append(folder / name)
        own = frame[[column for column in frame.columns if column in ("id", "gold", "doc")]]
        own.assign(said=frame[system]).to_csv(paths[-1], index=False)
    return paths


# --- what files are called --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/claude-2.0.csv", "claude-2.0"),
        ("claude-2.1.csv.gz", "claude-2.1"),
        ("a.JSONL", "a"),
        ("folder.parquet/", "folder"),
        ("input.bm25", "input.bm25"),
        (".csv", ".csv"),
        ("postgresql://host/db#gpt-4.1", "gpt-4.1"),
    ],
)
def test_a_name_loses_its_extensions_alone(path: str, name: str) -> None:
    """A version number is no extension."""
    assert stem_of(path) == name


@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (LABELS.drop(columns=["doc", "n"]), {"truth": "gold"}),
        (LABELS.drop(columns="n"), {"truth": "gold", "group": "doc"}),
        (LISTS, {"truth": "gold", "separator": ";"}),
        (NUMBERS, {"truth": "gold", "scores": True}),
        (NUMBERS.drop(columns="gold"), {"scores": True}),
        (NUMBERS.drop(columns="gold"), {"score": "said", "title": "latency"}),
    ],
    ids=["labels", "groups", "many labels", "scores", "results", "score"],
)
def test_versions_of_a_system_are_two_systems(
    tmp_path: Path, frame: pd.DataFrame, options: dict[str, Any], ending: str
) -> None:
    """Whatever is joined on the ids, a system is called as its file up to its extensions; the order is of no matter."""
    paths = _written(tmp_path, frame, "claude-2.0.csv", "claude-2.1.csv")
    shuffled = pd.read_csv(paths[1], dtype=str).iloc[::-1]
    shuffled.to_csv(paths[1], index=False)
    if ending == ".csv.gz":
        for path in paths:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    found = read([path.with_name(path.stem + ending) for path in paths], id="id", **options)
    alone = read(
        frame.rename(columns={"a": "claude-2.0", "b": "claude-2.1"}),
        id="id",
        **{name: value for name, value in options.items() if name != "score"},
    )

    assert found.systems == alone.systems == ("claude-2.0", "claude-2.1")
    assert (found.kind, found.items) == (alone.kind, alone.items)
    assert _content(found) == _content(alone)


def _content(data: Any) -> Any:
    """Return what was observed, in a form that can be compared."""
    if isinstance(data, Scores):
        truth = None if data.truth is None else data.truth.tolist()
        return data.name, truth, [column.tolist() for column in data.values.values()]
    if isinstance(data, MultiLabel):
        return data.joints(*data.systems).tolist()
    if isinstance(data, Grouped):
        return data.codes.tolist(), data.group.tolist()
    return data.to_json()


def test_two_test_sets_are_called_as_their_files(tmp_path: Path) -> None:
    """Two files without an id, asked for apart: each system is called as its file."""
    paths = _written(tmp_path, LABELS[["gold", "a", "b"]], "claude-2.0.csv", "claude-2.1.csv")
    found = read(paths, truth="gold", apart=True)
    frames = read({path.stem: pd.read_csv(path) for path in paths}, truth="gold", apart=True)

    assert isinstance(found, TwoSets)
    assert found.systems == frames.systems == ("claude-2.0", "claude-2.1")
    assert found.items == 8
    assert read([LABELS, LABELS], truth="gold", systems=["a"], apart=True).systems == ("a", "a (second set)")


def test_runs_are_called_as_their_files(tmp_path: Path) -> None:
    """Also where the last dot is of a version; and as `names` says."""
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n", encoding="utf-8")
    paths = [tmp_path / name for name in ("bm25-1.0.run", "bm25-1.1.run")]
    for path in paths:
        path.write_text("1 Q0 d1 1 0.5 r\n2 Q0 d1 1 0.1 r\n", encoding="utf-8")

    assert read(qrels=tmp_path / "qrels", runs=paths).systems == ("bm25-1.0", "bm25-1.1")
    assert read(qrels=tmp_path / "qrels", runs=paths, names=["x", "y"]).systems == ("x", "y")
    with pytest.raises(InputError, match=r"systems.*names"):
        read(qrels=tmp_path / "qrels", runs=paths, names=["x", "y"], systems=["x", "y"])


def test_tables_of_spark_are_called_as_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of parts too."""
    monkeypatch.setattr(spark, "_session", lambda master: None)
    monkeypatch.setattr(spark, "_read", lambda session, path: path)

    assert list(spark.tables(["s/claude-2.0.parquet/", "s/claude-2.1.csv.gz"], None)) == [
        "claude-2.0",
        "claude-2.1",
    ]


# --- arrays -----------------------------------------------------------------------------------------------------------


def test_any_number_of_arrays() -> None:
    """Named A, B, C, as `names` says, or by the mapping that holds them."""
    truth, a, b, c = [1, 0, 1], [1, 0, 0], [1, 1, 1], [0, 0, 1]

    assert read(truth, a, b, c).systems == ("A", "B", "C")
    assert read(truth, a, names="x") == read(truth, {"x": a})
    assert read(truth, {"x": a, "y": b}) == read({"t": truth, "x": a, "y": b}, truth="t")
    with pytest.raises(InputError, match="names"):
        read(truth, a, b, names=["x"])
    with pytest.raises(InputError, match="names"):
        read(truth, {"x": a}, names=["y"])
    with pytest.raises(InputError, match="names"):
        read({"t": truth, "x": a}, truth="t", names=["y"])


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_lists_of_labels_are_many_labels(kind: Callable[[Any], Any]) -> None:
    """As arrays, in a mapping of predictions, or in a mapping of columns; text stands for one label."""
    lists = {"gold": ["xy", "x", ""], "a": ["x", "xz", "z"], "b": ["y", "x", "z"]}
    cells = {name: [kind(each) for each in column] for name, column in lists.items()}
    found = read(cells["gold"], cells["a"], cells["b"], names=["a", "b"])

    assert found.kind == "many labels"
    assert found.labels == ("x", "y", "z")
    assert _content(found) == _content(read(cells["gold"], {"a": cells["a"], "b": cells["b"]}))
    assert _content(found) == _content(read(cells, truth="gold"))
    assert _content(read(cells["gold"], ["x", "x;y", "z"], cells["b"])) == _content(
        read(cells["gold"], [["x"], ["x;y"], ["z"]], cells["b"])
    )


def test_missing_lists_and_arrays_of_text() -> None:
    """`missing` and `separator` are used for arrays of many labels."""
    truth, a, b = [["x"], ["y"], ["x", "y"]], [["x"], None, ["y"]], [["x"], ["x"], []]

    assert read(truth, a, b, missing="drop").items == 2
    assert read(truth, a, b, missing="wrong").items == 3
    assert read(["x|y", "x"], ["x", "x"], ["y", "x"], separator="|").labels == ("x", "y")


@pytest.mark.parametrize("matrix", [[[0.3, 0.7], [0.9, 0.1]], [[1, 0], [0, 1]], [(True, False), (False, False)]])
def test_a_matrix_is_not_lists_of_labels(matrix: Any) -> None:
    """Class probabilities and indicator matrices hold a number for each class."""
    with pytest.raises(InputError, match=r"matrix.*labels"):
        read([[1], [0]], matrix)
    with pytest.raises(InputError, match=r"one-dimensional|indicator matrix"):
        read([1, 0], np.array(matrix))


def test_arrays_of_scores() -> None:
    """Beside a truth; items without a score are dropped if so asked."""
    found = read([1, 0, 1, 0], [0.9, None, 0.4, 0.1], [0.5, 0.4, 0.3, 0.2], scores=True, missing="drop")

    assert (found.kind, found.items, found.systems) == ("scores", 3, ("A", "B"))
    assert [note.code for note in found.findings] == ["OC101"]
    with pytest.raises(InputError, match="missing='drop'"):
        read([1, 0], [0.9, None], [0.1, 0.2], scores=True, missing="wrong")


# --- options that were lost -------------------------------------------------------------------------------------------


def test_missing_in_groups() -> None:
    """An error, items left out, or predictions that are wrong."""
    frame = LABELS.assign(a=["yes", None, "no", "no"])
    options = {**TABLE, "group": "doc"}
    with pytest.raises(InputError, match=r"row 2: no label in 'a'(.|\n)*missing='drop'"):
        read(frame, **options)
    dropped, wrong = (read(frame, **options, missing=policy) for policy in ("drop", "wrong"))

    assert dropped.items == 3
    assert dropped.sizes.tolist() == [1, 2]
    assert wrong.items == 4
    assert wrong.tables("a").sum() == 8
    assert wrong.codes[:, 1].tolist() == [1, 1, 0, 0]
    assert wrong.outcomes.rights("a", "b").tolist() == [[0, 2], [2, 0]]
    assert [each.findings[0].code for each in (dropped, wrong)] == ["OC101", "OC102"]


def test_missing_in_groups_of_more_than_two_labels_is_dropped_or_refused() -> None:
    """A prediction that is none of three labels has no place in groups."""
    frame = LABELS.assign(gold=["x", "y", "z", "x"], a=["x", None, "z", "y"], b=["x", "y", "z", "x"])
    with pytest.raises(InputError, match="missing='drop'"):
        read(frame, **TABLE, group="doc", missing="wrong")

    assert read(frame, **TABLE, group="doc", missing="drop").items == 3


def test_counts_in_groups() -> None:
    """A row stands for as many items of its group."""
    found = read(LABELS, truth="gold", systems=["a", "b"], group="doc", count="n")

    assert found.items == 10
    assert found.sizes.tolist() == [3, 7]
    assert found.outcomes == read(LABELS, truth="gold", systems=["a", "b"], count="n")
    with pytest.raises(InputError, match="supported with groups"):
        read(LABELS.assign(n=10**8), **TABLE, group="doc", count="n")


def test_missing_in_a_long_table() -> None:
    """The whole item is left out, or the missing decision is the wrong one."""
    options = {"truth": "gold", "item": "doc", "label": "topic"}
    with pytest.raises(InputError, match=r"item 'd2': nothing in 'a'(.|\n)*missing"):
        read(LONG, **options)
    dropped, wrong = (read(LONG, **options, missing=policy) for policy in ("drop", "wrong"))

    assert dropped.items == 1
    assert (wrong.items, wrong.tables("a")[0].tolist()) == (2, [[1, 1], [0, 0]])
    assert [each.findings[0].code for each in (dropped, wrong)] == ["OC101", "OC102"]
    with pytest.raises(InputError, match="in the truth, which cannot"):
        read(LONG.assign(gold=[1, 0, None, 1]), **options, missing="wrong")


def test_missing_in_lists() -> None:
    """An empty cell is no label; it can be dropped."""
    kept, dropped, wrong = (
        read(LISTS, **TABLE, separator=";", id="id", missing=policy) for policy in ("error", "drop", "wrong")
    )

    assert (kept.items, dropped.items, wrong.items) == (3, 2, 3)
    assert [each.findings[0].code for each in (kept, dropped, wrong)] == ["OC116", "OC101", "OC102"]


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (LABELS.drop(columns=["doc", "n"]), {}),
        (LABELS.drop(columns="n"), {"group": "doc"}),
        (LISTS, {"separator": ";"}),
    ],
    ids=["labels", "groups", "many labels"],
)
@pytest.mark.parametrize("make", [lambda frame: frame, pl.from_pandas, lambda frame: frame.to_dict("list")])
def test_an_id_is_no_system_and_occurs_once(
    frame: pd.DataFrame, options: dict[str, Any], make: Callable[[pd.DataFrame], Any]
) -> None:
    """Of every kind of data, in frames and mappings."""
    assert read(make(frame), truth="gold", id="id", **options).systems == ("a", "b")
    with pytest.raises(InputError, match="more than once"):
        read(make(frame.assign(id=1)), truth="gold", id="id", **options)
    with pytest.raises(InputError, match="no column 'key'"):
        read(make(frame), truth="gold", id="key", **options)


@pytest.mark.parametrize("role", ["id", "count", "group"])
@pytest.mark.parametrize("make", [lambda frame: frame, lambda frame: frame.to_dict("list")])
def test_a_named_column_is_never_a_system(role: str, make: Callable[[pd.DataFrame], Any]) -> None:
    """Not by itself, and not by a mistake in the systems' names."""
    column = {"id": "id", "count": "n", "group": "doc"}[role]
    frame = LABELS[["gold", "a", "b", column]]

    assert read(make(frame), truth="gold", **{role: column}).systems == ("a", "b")
    with pytest.raises(InputError):
        read(make(frame), truth="gold", systems=["a", column], **{role: column})


def test_named_columns_of_numbers_are_no_systems() -> None:
    """The items, groups, folds and data sets of results."""
    frame = NUMBERS.drop(columns="gold").assign(doc=[1, 1, 2, 2], fold=[1, 2, 1, 2], rep=[1, 1, 2, 2], set=[1, 1, 2, 2])

    assert read(frame.drop(columns=["fold", "rep", "set"]), scores=True, id="id", group="doc").systems == ("a", "b")
    assert read(frame.drop(columns=["doc", "set"]), item="id", fold="fold", repeat="rep").systems == ("a", "b")
    assert read(frame[["id", "set", "a", "b"]], item="id", data_set="set").systems == ("a", "b")
    with pytest.raises(InputError, match="system"):
        read(frame, scores=True, item="id", systems=["a", "doc"], group="doc")


def test_counts_count_in_a_mapping() -> None:
    """As in a frame."""
    mapping = LABELS[["gold", "a", "b", "n"]].to_dict("list")

    assert read(mapping, truth="gold", count="n") == read(pd.DataFrame(mapping), truth="gold", count="n")
    assert read(mapping, truth="gold", count="n").items == 10


@pytest.mark.parametrize(
    "option", sorted(set(Columns.__annotations__) - {"counts", "same_items", "wins", "items", "names"})
)
@pytest.mark.parametrize("instead", [{"counts": {"tp": 1, "fp": 2, "fn": 3}}, {"wins": (3, 1), "items": 10}])
def test_what_was_counted_has_no_columns(option: str, instead: dict[str, Any]) -> None:
    """Counts and wins have names, and nothing else."""
    value = {"qrels": "q", "runs": ["r"], "systems": ["a"]}.get(option, True)
    with pytest.raises(InputError, match=rf"\b{option}\b"):
        read(**{**instead, option: value})


def test_what_is_counted_goes_alone() -> None:
    """Without data, arrays, or each other; items go with wins."""
    wins, counts = {"wins": (3, 1), "items": 10}, {"counts": [{"tp": 1, "fp": 2, "fn": 3}] * 2}

    assert read(**wins, names=["x", "y"]).systems == ("x", "y")
    assert read(**counts, names=["x", "y"]).systems == ("x", "y")
    for more in ({**wins, **counts}, {**counts, "items": 3}, {"items": 3}):
        with pytest.raises(InputError, match=r"counts|wins"):
            read(**more)
    with pytest.raises(InputError, match="counts"):
        read(LABELS, **counts)
    with pytest.raises(InputError, match="wins"):
        read(None, [1, 0], **wins)


def test_what_was_read_before() -> None:
    """It gives some of its systems; nothing else can be said of it."""
    frame = LABELS.assign(c=LABELS["a"])
    many = [
        read(frame, truth="gold", systems=["a", "b", "c"]),
        read(frame, truth="gold", systems=["a", "b", "c"], group="doc"),
        read(LISTS.assign(c="x"), truth="gold", separator=";", id="id"),
        read(NUMBERS.assign(c=0.5), truth="gold", scores=True, id="id"),
        read(NUMBERS[["a", "b"]].assign(c=0.5), scores=True),
        PublishedCounts(read(counts=[{"tp": 1, "fp": 2, "fn": 3}] * 3, names=["a", "b", "c"]).results),
    ]
    for data in many:
        assert read(data) is data
        assert read(data, systems=["c", "a"]).systems == ("c", "a")
        assert read(data, systems=["c", "a"]).items == (data.items if data.kind != "counts" else 12)
        for wrong in (["a", "d"], ["a", "a"]):
            with pytest.raises(InputError):
                read(data, systems=wrong)
        for more in ({"missing": "drop"}, {"names": ["x"]}, {"scores": True}):
            with pytest.raises(InputError, match="is not used with data that were read before"):
                read(data, **more)
    for fixed in (read(wins=(3, 1), items=10), TwoSets(many[0].selected(["a"]), many[0].selected(["b"]))):
        with pytest.raises(InputError, match="system"):
            read(fixed, systems=["a"])


def test_two_sets_read_before() -> None:
    """Only where they may differ in their items."""
    first, second = (read(LABELS, truth="gold", systems=[name]) for name in "ab")

    assert read(first, second, apart=True).systems == ("a", "b")
    with pytest.raises(InputError, match="model='unpaired'"):
        read(first, second)
    with pytest.raises(InputError, match="missing is not used"):
        read(first, second, apart=True, missing="drop")


def test_every_kind_says_what_it_is() -> None:
    """In words, for messages and tables of what is possible."""
    found = {
        "labels": read(LABELS, **TABLE),
        "labels in groups": read(LABELS, **TABLE, group="doc"),
        "many labels": read(LISTS, **TABLE, separator=";"),
        "scores": read(NUMBERS, **TABLE, scores=True),
        "results": read(NUMBERS, systems=["a", "b"], scores=True),
        "two test sets": read([LABELS, LABELS], truth="gold", systems=["a"], apart=True),
        "counts": read(counts={"tp": 1, "fp": 2, "fn": 3}),
        "wins": read(wins="3,1", items=10),
    }

    assert {kind: data.kind for kind, data in found.items()} == {kind: kind for kind in found}
    assert all(isinstance(data, Data) and data.systems and data.items > 0 for data in found.values())
    assert all(isinstance(data.findings, tuple) for data in found.values())


# --- sources ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (LABELS.drop(columns="n"), {"truth": "gold", "id": "id", "group": "doc"}),
        (LISTS, {"truth": "gold", "id": "id", "separator": ";"}),
        (NUMBERS, {"truth": "gold", "id": "id", "scores": True}),
    ],
    ids=["groups", "many labels", "scores"],
)
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # of pandas, used by Ibis
def test_globs_databases_and_mappings(tmp_path: Path, frame: pd.DataFrame, options: dict[str, Any]) -> None:
    """What is needed item by item comes from wherever labels come from."""
    for place, part in enumerate((frame.iloc[:2], frame.iloc[2:])):
        part.to_csv(tmp_path / f"part{place}.csv", index=False)
    with sqlite3.connect(tmp_path / "t.db") as connection:
        frame.to_sql("items", connection, index=False)
    connection.close()
    sources = [str(tmp_path / "part*.csv"), f"sqlite:///{tmp_path / 't.db'}#items", frame.to_dict("list"), [frame]]
    found = [_content(read(source, **options)) for source in sources]

    assert found == [_content(read(frame, **options))] * len(sources)


def test_a_saved_state(tmp_path: Path) -> None:
    """It has systems and nothing else to name."""
    path = tmp_path / "state.json"
    path.write_text(read(LABELS, **TABLE).to_json(), encoding="utf-8")

    assert read(path) == read([str(path)]) == read(LABELS, **TABLE)
    assert read(path, systems=["b"]).systems == ("b",)
    for more in ({"group": "doc"}, {"scores": True}, {"separator": ";"}, {"truth": "gold"}):
        with pytest.raises(InputError, match="a file that names its own columns"):
            read(path, **more)


def test_parts_of_a_long_table_of_numbers(tmp_path: Path) -> None:
    """One file per system, each with its name in a column."""
    paths = []
    for name in "ab":
        paths.append(tmp_path / f"{name}.csv")
        NUMBERS[["id"]].assign(who=name, value=NUMBERS[name]).to_csv(paths[-1], index=False)
    found = read(paths, item="id", system_column="who", score="value")

    assert found.systems == ("a", "b")
    assert found.values["b"].tolist() == NUMBERS["b"].tolist()
    NUMBERS[["id"]].assign(who="b").to_csv(paths[1], index=False)
    with pytest.raises(InputError, match="same columns"):
        read(paths, item="id", system_column="who", score="value")


def test_folds_in_a_file_per_system(tmp_path: Path) -> None:
    """They are joined on the fold and its repeat."""
    folds = pd.DataFrame({"fold": [1, 2, 1, 2], "rep": [1, 1, 2, 2]})
    for name in "ab":
        folds.assign(accuracy=NUMBERS[name]).to_csv(tmp_path / f"{name}.csv", index=False)
    found = read([tmp_path / "a.csv", tmp_path / "b.csv"], fold="fold", repeat="rep", score="accuracy")

    assert (found.systems, found.name, found.fold_share) == (("a", "b"), "accuracy", 0.5)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda frame: frame.assign(id=["i1", "i2", "i3", "i5"]), "'i4'.*same items"),
        (lambda frame: frame.assign(id=["i1", "i2", "i3", "i3"]), "more than once"),
        (lambda frame: frame.assign(id=["i1", "i2", "i3", None]), "no id"),
        (lambda frame: frame.assign(gold=1), "'gold' of 2 items differs(.|\n)*'i2': '0' and '1'"),
        (lambda frame: frame.drop(columns="id"), "no column 'id'"),
        (lambda frame: frame.assign(said=["0.1", "0.2", "", "x"]), "missing='drop'"),
    ],
)
def test_files_of_scores_must_fit(tmp_path: Path, spoil: Callable[[pd.DataFrame], pd.DataFrame], told: str) -> None:
    """As files of labels: the same items, each once, with the same truth."""
    paths = _written(tmp_path, NUMBERS, "x.csv", "y.csv")
    spoil(pd.read_csv(paths[1])).to_csv(paths[1], index=False)
    with pytest.raises(InputError, match=told):
        read(paths, truth="gold", scores=True, id="id")


def test_missing_scores_in_a_file_per_system(tmp_path: Path) -> None:
    """The same policies as in one table."""
    paths = _written(tmp_path, NUMBERS.drop(columns="gold").assign(a=[0.1, None, 0.3, 0.4]), "x.csv", "y.csv")

    assert read(paths, scores=True, id="id", missing="drop").items == 3
    assert read(paths, scores=True, id="id", missing="wrong").values["x"].tolist() == [0.1, 0.0, 0.3, 0.4]
    with pytest.raises(InputError, match="id='COL'"):
        read(paths, scores=True)


# --- every option, in every company -----------------------------------------------------------------------------------

VALUES: dict[str, Any] = {
    "truth": "gold",
    "systems": ["a", "b"],
    "names": ["x", "y"],
    "count": "n",
    "id": "id",
    "missing": "drop",
    "merge": {"1": "yes"},
    "item": "id",
    "label": "doc",
    "separator": ";",
    "group": "doc",
    "scores": True,
    "score": "a",
    "system_column": "b",
    "lower_is_better": True,
    "title": "latency",
    "fold": "fold",
    "repeat": "doc",
    "test_share": 0.2,
    "data_set": "doc",
    "qrels": "no such file",
    "runs": ["no such file"],
    "paired_runs": True,
    "tp": "a",
    "fp": "b",
    "fn": "n",
    "source": "conll",
    "scheme": "bio",
    "strict": True,
    "unit": "document",
    "annotators": "majority",
    "unlabelled": "use",
    "judge": "doc",
    "inclusion": "p",
    "metric": "exact_match",
    "scorer": "choice",
    "filter": "strict-match",
    "split": "test",
    "log_runs": "latest",
    "drop_changed": True,
    "unfinished": True,
    "duplicates": "first",
    "board": "bash-only",
    "counts": [{"tp": 1, "fp": 2, "fn": 3}, {"tp": 3, "fp": 2, "fn": 1}],
    "same_items": True,
    "wins": (3, 1),
    "items": 10,
}
BITS = LABELS.assign(gold=[1, 0, 1, 0], a=[1, 0, 0, 0], b=[0, 0, 1, 1], fold=[1, 2, 1, 2], p=0.5)
OF_TABLES = {
    "labels": "labels",
    "labels in groups": "items in groups",
    "partly labelled": "partly labelled items",
    "partly labelled lists": "partly labelled lists",
    "many labels": "items with many labels",
    "counts per item": "counts per item",
    "counts per item in groups": "counts per item",
    "scores": "classifier scores",
    "results": "results",
}
OF_ARRAYS = {"labels": "arrays of labels", "many labels": "arrays of many labels", "scores": "arrays of scores"}
BEFORE = dict.fromkeys(("labels", "labels in groups", "results"), "data that were read before")
SOURCES: dict[str, tuple[tuple[Any, ...], dict[str, str]]] = {
    "a frame": ((BITS,), OF_TABLES),
    "a mapping": ((BITS.to_dict("list"),), OF_TABLES),
    "two frames": (([BITS[["id", "gold", "doc", "n", "fold", name]] for name in "ab"],), OF_TABLES),
    "arrays": ((BITS["gold"], BITS["a"], BITS["b"]), OF_ARRAYS),
    "lists": (([["x"], ["y"]], [["x"], ["x", "y"]], [["x"], []]), OF_ARRAYS),
    "outcomes": ((read(LABELS, **TABLE),), BEFORE),
    "groups": ((read(LABELS, **TABLE, group="doc"),), BEFORE),
    "scores": ((read(NUMBERS, systems=["a", "b"], scores=True),), BEFORE),
    "nothing": ((), {"counts": "counts", "wins": "wins"}),
}


def test_the_options_are_all_tried() -> None:
    """Every column has a value here, and some kind of data that uses it."""
    assert set(VALUES) == set(Columns.__annotations__) == {name for used in USED.values() for name in used}


def _near(what: str) -> st.SearchStrategy[set[str]]:
    """Draw options that a kind of data uses, and up to two that it may not."""
    own = st.sets(st.sampled_from(USED[what])) if USED[what] else st.just(set())
    return st.builds(set.union, own, st.sets(st.sampled_from(sorted(VALUES)), max_size=2))


@pytest.mark.parametrize("what", sorted(set(OF_TABLES.values())))
def test_options_go_together(what: str) -> None:
    """As many as a kind of data uses at once are accepted together; so the test below is not of errors alone."""
    alone = {
        "items with many labels": {"separator", "id", "merge"},
        "classifier scores": {"item", "score", "system_column"},
    }
    alone["counts per item"] = {"systems", "system_column", "id", "count"}
    apart = {"results": {"id", "score", "system_column", "group", "data_set"}, **alone}.get(what, set())
    given = {name: VALUES[name] for name in USED[what] if name not in apart}

    assert OF_TABLES[read(BITS, **given).kind] == what


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=150)
@drawn(names=st.sampled_from(sorted(USED)).flatmap(_near))
def test_an_option_is_used_or_refused_by_name(source: str, names: set[str]) -> None:
    """Data that use every option that was given, or an error that names an option."""
    positional, kinds = SOURCES[source]
    found, told = None, ""
    try:
        found = read(*positional, **{name: VALUES[name] for name in names})
    except OutclassError as error:
        told = error.args[0]

    assert "⟨" in told if found is None else names <= set(USED[kinds[found.kind]])


def test_a_reader_receives_what_it_uses() -> None:
    """No table of options promises what its reader cannot take."""
    spelt = {"id": "item", "system_column": "system", "title": "name"}
    readers: dict[str, Callable[..., Any]] = {
        "labels": read_labels,
        "items in groups": read_grouped,
        "items with many labels": read_multilabel,
        "counts per item": read_counts,
        "classifier scores": read_table,
        "results": read_table,
    }
    for what, reader in readers.items():
        taken = set(inspect.signature(reader).parameters)
        wanted = {spelt.get(name, name) if reader is read_table else name for name in USED[what]}

        assert wanted - {"scores", "merge"} <= taken  # labels are merged once they are read


def test_an_unknown_argument_is_a_type_error() -> None:
    """As of any function of Python."""
    with pytest.raises(TypeError, match="sytems"):
        read(LABELS, truth="gold", sytems=["a"])  # type: ignore[call-arg]
    assert isinstance(read(LABELS, truth="gold", systems="a"), Outcomes)


@pytest.mark.parametrize("ending", [".zst", ".bz2", ".xz"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.parquet"])
def test_compression_that_is_not_read(name: str, ending: str, tmp_path: Path) -> None:
    """A file packed otherwise than by gzip is one sentence before anything is read: DuckDB would read half a .zst."""
    path = tmp_path / f"{name}{ending}"
    path.write_bytes(b"whatever")

    with pytest.raises(
        FileError, match=rf"\{ending} compression is not supported, only .gz. Unpack the file first: \w+"
    ):
        read(path, truth="gold")


def test_wide_frames_are_quiet() -> None:
    """A pandas frame of hundreds of systems is counted without a warning, and as its columns are one by one."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 30)
    frame = pd.DataFrame({"gold": truth, **{f"s{at}": truth ^ (rng.random(30) < 0.3) for at in range(300)}})

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = read(frame, truth="gold")
    assert whole == read(frame["gold"], {name: frame[name] for name in frame.columns[1:]})


def test_pandas_groups_as_it_is_read() -> None:
    """Counts are summed, categories that do not occur are none, and an index called like a column is no matter."""
    frame = pd.DataFrame(
        {"gold": pd.Categorical(["x", "y", "x", "x"], categories=["x", "y", "z"]), "a": ["x", "y", None, "x"]},
        index=pd.Index([3, 3, 4, 5], name="gold"),
    )
    frame["n"] = [2, 3, 4, 5]
    found = read(frame, truth="gold", systems=["a"], count="n", missing="drop")

    assert (found.items, found.labels, found.counts.tolist()) == (10, ("x", "y"), [7, 3])


def test_a_table_without_rows(tmp_path: Path) -> None:
    """A Parquet file of whole numbers without a row is a sentence, as a CSV file is."""
    pl.DataFrame({"gold": [1], "a": [1], "b": [0]}).head(0).write_parquet(tmp_path / "none.parquet")

    with pytest.raises(InputError, match="has no rows"):
        read(tmp_path / "none.parquet", truth="gold")


def test_a_wide_table_of_numbers(tmp_path: Path) -> None:
    """Of 1,000 columns the empty cells are empty; one cell that is no number, far to the right, is named."""
    rows = [["i1", *["0.5"] * 1_000], ["i2", *["0.25", ""] * 500], ["i3", *["1"] * 999, " "]]
    header = ["id", *(f"s{at}" for at in range(1_000))]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(map(",".join, [header, *rows])))
    found = read(path, scores=True, item="id", systems=["s0", "s1"], missing="wrong")
    whole = read(path, scores=True, item="id", missing="drop")

    assert [found.values[name].tolist() for name in found.systems] == [[0.5, 0.25, 1.0], [0.5, 0.0, 1.0]]
    assert (len(whole.systems), len(whole)) == (1_000, 1)
    rows[0][900] = "half"
    path.write_text("\n".join(map(",".join, [header, *rows])))
    with pytest.raises(InputError, match="'half'"):
        read(path, scores=True, item="id", systems=["s899", "s0"], missing="drop")
    with pytest.raises(InputError, match="there is no column 's1000'"):
        read(path, scores=True, item="id", systems=["s1000", "s0"])
