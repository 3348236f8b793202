"""Every reader of outclass as a function of bytes, which gives a value or raises an OutclassError.

What else a reader is asked (columns, policies) is drawn from the bytes themselves, so that an input is one file.
"""

import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb
import fields
import numpy as np
import pandas as pd
import polars as pl

from outclass import measures
from outclass.answers.comparison import Comparison
from outclass.answers.evaluation import Evaluation
from outclass.answers.plan import Plan
from outclass.answers.ranking import Ranking
from outclass.answers.test_report import TestReport
from outclass.ask.logs import logs
from outclass.ask.plan import _sizes
from outclass.ask.question import Wishes, hdi_mass_of, seed_of
from outclass.ask.read import read
from outclass.ask.sliced import read_sliced
from outclass.ask.slices import slices
from outclass.cli.options import prior_text
from outclass.data import (
    arrays,
    attempts,
    baseline,
    candidates,
    count_tables,
    counted,
    databases,
    files,
    labels,
    multilabel,
    saved,
    score_tables,
    scores,
    state,
    tally,
    trec,
    unit_counts,
)
from outclass.data.given_counts import confusion_counts_of, counts_of, wins_of
from outclass.data.label_tables import read_labels
from outclass.data.merging import merge_of, merged
from outclass.data.outcomes import Outcomes
from outclass.data.readers import conll
from outclass.errors import OutclassError
from outclass.locations import Location, masked, scheme_of
from outclass.measures import averages, scored
from outclass.models.prior import prior_of
from outclass.planning.power import goal_of
from outclass.planning.scenario import share_of, shares_of
from outclass.planning.study import Store
from outclass.studies import study
from outclass.verdict.rope import rope_of

HERE: Final = Path(__file__).parent
CORPUS: Final = HERE / "corpus"
SPLIT: Final = b"\n%%%%\n"  # between the files of an input that is more than one


@dataclass(frozen=True)
class Reader:
    """Something that reads what others wrote.

    Parameters
    ----------
    read
        Takes the input and a folder to write it to.
    modules
        The modules it is the gate of.
    tokens
        What the mutator should know of its language.
    share
        How much of a long run is its.
    """

    read: Callable[[bytes, Path], Any]
    modules: tuple[str, ...]
    tokens: tuple[bytes, ...] = ()
    share: float = 1.0
    most: int = 20_000


READERS: dict[str, Reader] = {}


def reader(*modules: str, tokens: Sequence[bytes] = (), share: float = 1.0, most: int = 20_000) -> Any:
    """Register a reader under the name of its function."""

    def register(function: Callable[[bytes, Path], Any]) -> Callable[[bytes, Path], Any]:
        name = function.__name__.removeprefix("read_")
        READERS[name] = Reader(function, modules, tuple(tokens), share, most)
        return function

    return register


def seeds(name: str) -> list[bytes]:
    """Return the kept inputs of a reader: good ones, and those that once broke it."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def drawn(data: bytes, *options: Any) -> Any:
    """Pick an option by the input itself."""
    return options[zlib.crc32(data) % len(options)]


def text_of(data: bytes) -> str:
    """Return the input as an argument of a command, which may hold anything but NUL."""
    return data.decode("utf-8", "surrogateescape").replace("\0", "")


def whole(found: Outcomes) -> Outcomes:
    """Check that outcomes are sound: what was read can be saved, and is the same when it is read back."""
    assert found.items == sum(found.counts.tolist())
    assert Outcomes.from_json(found.to_json()) == found
    return found


# --- tables, through DuckDB -------------------------------------------------------------------------------------------

_SHARED: list[duckdb.DuckDBPyConnection] = []


@contextmanager
def one_connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Stand in for the connection that each call opens for itself: the same settings, opened once."""
    if not _SHARED:
        own = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false", "threads": 1}
        _SHARED.append(duckdb.connect(":memory:", config=own))  # type: ignore[arg-type]
    yield _SHARED[0]


def one_connection_drops_views() -> None:
    """Forget what the input before this left behind, which a connection of its own would not know."""
    if _SHARED:
        _SHARED[0].execute("DROP VIEW IF EXISTS joined")


_ROLES: Final = (
    {"truth": "gold"},
    {"truth": "gold", "systems": ["a", "b"]},
    {"truth": "gold", "systems": ["a", "b"], "missing": "drop"},
    {"truth": "gold", "systems": ["a", "b"], "missing": "wrong"},
    {"truth": "gold", "systems": ["a", "b"], "count": "n"},
    {"truth": "gold", "systems": ["a", "b"], "id": "id"},
    {"truth": "gold", "id": "id", "missing": "drop"},
)


def _table(data: bytes, folder: Path, name: str) -> Outcomes:
    path = folder / name
    path.write_bytes(data)
    return whole(read_labels(path, **drawn(data, *_ROLES)))


_OF_CSV: Final = (b'"a\nb"', b'"x""y"', b",,,", b"gold,a,b\n", b"\n\n\n", b'"', b"1,0,1\n", b"# comment\n", b"sep=;\n")
_OF_JSONL: Final = (b'{"gold":', b'"a":', b'{"gold":1,"a":1,"b":0}\n', b"\\u0000", b'"\\ud800"', b"[1]", b'{"":1}')
_FILES: Final = (
    *("label_tables", "files", "tables", "existing", "columns", "sql", "tally", "outcomes", "distinct", "labels"),
)


@reader(*_FILES, tokens=_OF_CSV)
def read_text(data: bytes, folder: Path) -> Any:
    return _table(data, folder, "t.tsv" if b"\t" in data else drawn(data, "t.csv", "t.txt"))


@reader(*_FILES, tokens=_OF_JSONL)
def read_jsonl(data: bytes, folder: Path) -> Any:
    return _table(data, folder, drawn(data, "t.jsonl", "t.json", "t.ndjson"))


@reader(*_FILES, tokens=(b"PAR1", b"gold", b"\x15\x04", b"\xff\xff\xff\xff\x0f"))
def read_parquet(data: bytes, folder: Path) -> Any:
    return _table(data, folder, "t.parquet")


@reader(*_FILES, "compressed", tokens=(b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"))
def read_compressed(data: bytes, folder: Path) -> Any:
    # Half of them are broken before they are compressed, half after.
    packed = gzip.compress(data, 1, mtime=0) if drawn(data[:8], True, False) and data[:2] != b"\x1f\x8b" else data
    return _table(packed, folder, drawn(data, "t.csv.gz", "t.tsv.gz", "t.jsonl.gz"))


@reader("files", "tables", "joining", "in_memory", tokens=(*_OF_CSV, b"id,gold,p\n", SPLIT))
def read_several(data: bytes, folder: Path) -> Any:
    """One file a system, joined; or the parts of one table."""
    first, _, second = data.partition(SPLIT)
    (folder / "x.csv").write_bytes(first)
    (folder / "y.csv").write_bytes(second)
    one_connection_drops_views()
    if first.startswith(b"gold"):
        return whole(read_labels(str(folder / "[xy].csv"), truth="gold", systems=["a", "b"]))
    wanted = drawn(data, *({"missing": missing} for missing in counted.MISSING), {"systems": ["x", "y"]})
    paths = [folder / "x.csv", folder / "y.csv"]
    if drawn(data[::-1], True, False):
        found = multilabel.read_multilabel(paths, truth="gold", id="id", separator=";", **wanted)
        assert found.joints(*found.systems[:2]).sum() == found.decisions if len(found.systems) > 1 else True
        return found
    return whole(read_labels(paths, truth="gold", id="id", **wanted))


_BY: Final = (["lang"], ["n:3"], ["n"], ["day", "lang"], ["gold"], ["id"], ["lang:4"])
_SEARCHED: Final = ({}, {"depth": 1}, {"columns": ["lang", "n"]}, {"id": "id"}, {"missing": "drop"}, {"positive": "1"})


@reader(
    *("slicing", "sliced_labels", "column_looks", "slice_files", "slice_table", "slice_tables", "slice_codes"),
    *("slice_frames", "frame_looks"),
    tokens=(*_OF_CSV, b"2024-05-01", b"2024-13-99", b"1e999", b"nan", b"-0.0", b"lang", b"id,gold,a,b,lang,n,day\n"),
)
def read_slices(data: bytes, folder: Path) -> Any:
    """By named columns, or searched for: the items of a column's slices are all items."""
    path = folder / "s.csv"
    path.write_bytes(data)
    way = drawn(data[::-1], "file", "by", "frame", "by")
    if way != "by":
        table: Any = path
        if way == "frame":
            try:
                table = pl.read_csv(path, infer_schema=False).lazy()
            except (Exception, pl.exceptions.PanicException):  # nobody can give us a frame of these
                table = path
        return slices(table, truth="gold", systems=["a", "b"], top=2, **drawn(data, *_SEARCHED)).to_json()
    by = drawn(data, *_BY)
    found = read_sliced(path, [], Wishes(by=by), {"truth": "gold", "systems": ["a", "b"]})
    for column in {part.column for part in found.parts}:
        assert sum(part.items for part in found.parts if part.column == column) == found.items
    return found


@reader("merging", tokens=(b"=", b"|", b"old,new\n", b"x=y|z", b'"', b",", b"w=x|x", b"x=x"), share=2)
def read_merge(data: bytes, folder: Path) -> Any:
    """A sentence of labels, or a file of a scheme, and what it makes of data."""
    known = Outcomes.of_rows(["a", "b"], [("x", "x", "y"), ("y", "z", "y"), ("z", "w", "w")], [3, 2, 1])
    if b"," not in data:
        return whole(merged(known, merge_of(data.decode("utf-8", "replace"))))
    path = folder / "merge.csv"
    path.write_bytes(data)
    return whole(merged(known, merge_of(path)))


@reader(
    "multilabel",
    "bits",
    "grouped",
    "in_memory",
    "tally",
    tokens=(b'["x","y"]', b'"[""x"", 1]"', b"[[", b"x;y;z", b"[" * 3000, b"yes", b"no", b"item,label,"),
)
def read_many_labels(data: bytes, folder: Path) -> Any:
    """Lists in cells, long tables, items in groups, and how common labels are."""
    path = folder / "m.csv"
    path.write_bytes(data)
    if data.startswith(b"label"):
        return multilabel.frequencies_of(path)
    if data.startswith(b"doc"):
        policy = drawn(data, *counted.MISSING)
        grouped = multilabel.read_grouped(path, "doc", truth="gold", systems=["a", "b"], missing=policy)
        assert grouped.sizes.sum() == grouped.items
        return grouped
    wanted: dict[str, Any] = {"item": "item", "label": "label", "separator": None}
    if not data.startswith(b"item"):
        wanted = {"item": None, "label": None, "separator": drawn(data, ";", ",", "|", " ")}
    wanted["missing"] = drawn(data[::-1], *counted.MISSING)
    found = multilabel.read_multilabel(path, truth="gold", systems=["a", "b"], **wanted)
    assert found.joints("a", "b").sum() == found.decisions
    return found


@reader(
    "scores",
    "score_tables",
    "in_memory",
    tokens=(b"0.5", b"1e-300", b"-0.0", b"1e999", b"item,system,score\n", b"fold", b"repeat"),
)
def read_scores(data: bytes, folder: Path) -> Any:
    """A column a system, or a row an item and system."""
    path = folder / "s.csv"
    path.write_bytes(data)
    if data.startswith(b"item"):
        wanted = drawn(
            data,
            {"item": "item"},
            {"fold": "item"},
            {"data_set": "item"},
            {"item": "item", "missing": "drop"},
            {"item": "item", "group": "score"},
            {"fold": "item", "test_share": 0.1},
        )
        return _finite(score_tables.read_table(path, system="system", score="score", **wanted))
    wanted = drawn(
        data,
        {"truth": "gold", "systems": ["a", "b"]},
        {"truth": "gold", "systems": ["a", "b"], "positive": "1", "missing": "drop"},
        {"systems": ["a", "b"], "missing": "wrong"},
        {"systems": ["a", "b"], "item": "id"},
        {"systems": ["a", "b"], "group": "id", "lower_is_better": True},
    )
    return _finite(score_tables.read_table(path, **wanted))


def _finite(found: scores.Scores) -> scores.Scores:
    assert all(np.isfinite(column).all() and len(column) == len(found) for column in found.values.values())
    return found


# --- several labels, runs and repeats of an item ------------------------------------------------------------------


@reader(
    *("annotated", "partly_labelled", "partly_tables", "partly_lists"),
    tokens=(b"id,gold,gold2,a,b,llm,p\n", b",,", b"0.5", b"1e-300", b"-1", b"2", b"[]", b"x;y"),
)
def read_judged(data: bytes, folder: Path) -> Any:
    """Truths that are partly blank, with judges and chances of being labelled; or several columns of truths."""
    path = folder / "j.csv"
    path.write_bytes(data)
    wanted = drawn(
        data,
        {"truth": "gold", "judge": "llm"},
        {"truth": "gold", "judge": ["llm", "p:3"], "systems": ["a", "b"]},
        {"truth": "gold", "unlabelled": "use"},
        {"truth": "gold", "unlabelled": "drop", "missing": "drop"},
        {"truth": "gold", "inclusion": "p", "systems": ["a", "b"], "missing": "drop"},
        {"judge": ["llm", "gold", "gold2"], "systems": ["a", "b"]},
        {"truth": ["gold", "gold2"], "systems": ["a", "b"]},
        {"truth": ["gold", "gold2"], "systems": ["a", "b"], "annotators": "majority", "missing": "drop"},
        {"truth": ["gold", "gold2"], "systems": ["a", "b"], "missing": "wrong"},
        {"truth": "gold", "judge": "llm", "systems": ["a", "b"], "separator": ";"},
        {"truth": "gold", "unlabelled": "use", "inclusion": "p", "separator": ";", "id": "id"},
    )
    found: Any = read(str(path), **wanted)
    if "separator" in wanted:
        assert all(found.of_label(label).labelled == found.labelled for label in found.labels)
        return found
    assert found.items == found.counts.sum() > 0
    return found


@reader(
    *("runs", "run_tables", "repeats", "repeat_tables"),
    tokens=(b"item,seed,gold,a,b\n", b"item,system,seed,gold,said\n", b"item,system,epoch,score\n", b"0.5", b",,"),
)
def read_runs_and_repeats(data: bytes, folder: Path) -> Any:
    """Columns that are runs of a system, columns of runs and of repeats; labels and numbers."""
    path = folder / "r.csv"
    path.write_bytes(data)
    if data.startswith(b"item,system,epoch"):
        policy = drawn(data, *counted.MISSING)
        more = drawn(data[::-1], {}, {"group": "epoch"}, {"lower_is_better": True})
        asked: Any = {"item": "item", "system_column": "system", "score": "score", "repeat": "epoch", **more}
        own: Any = read(str(path), missing=policy, **asked)
        assert all(np.isfinite(column).all() for column in own.values.values())
        return own
    if data.startswith(b"item,system"):
        wanted = {"system_column": "system", "label": "said", "runs": "seed"}
    else:
        wanted = drawn(data, {"runs": "seed"}, {"systems": ["x=a", "y=b"]}, {"systems": ["x=a*"]})
    found: Any = read(str(path), truth="gold", item="item", missing=drawn(data[::-1], "error", "drop"), **wanted)
    assert sum(map(len, found.of.values())) == len(found.base.systems)
    return found


# --- what a gate keeps ---------------------------------------------------------------------------------------------


@reader("baseline", tokens=(b'"n"', b'"sum"', b"NaN", b"1e999", b'"item"', b"\n{", b"\x1f\x8b"), share=2)
def read_baseline(data: bytes, folder: Path) -> Any:
    """A frozen baseline; one that is not packed gets a digest of its own, so that what lies behind it is read."""
    path = folder / "b.oc"
    path.write_bytes(data if data[:2] == b"\x1f\x8b" else gzip.compress(_signed(data)))
    found = baseline.read_baseline(path)
    path.write_bytes(found.to_bytes())
    assert baseline.read_baseline(path) == found
    return found


def _signed(data: bytes) -> bytes:
    head, *rows = data.decode("utf-8", "replace").removesuffix("\n").split("\n")
    try:
        told = {name: value for name, value in json.loads(head).items() if name != "sha256"}
        told["sha256"] = baseline._sha([baseline._line(told), *rows])
        return "\n".join([baseline._line(told), *rows]).encode("utf-8", "surrogatepass")
    except (ValueError, AttributeError, RecursionError):
        return data


@reader("attempts", tokens=(b'"checks"', b"null", b"1e999", b'"commit"', b"\n{"), share=2)
def read_attempts(data: bytes, folder: Path) -> Any:
    """A ledger of attempts, to which one more is added."""
    path = folder / "l.jsonl"
    path.write_bytes(data)
    found = attempts.read(path)
    more = attempts.Attempt(gate="g", commit="c", time="t", decision="undecided", checks=())
    with attempts.opened(path) as own:
        own.add(more)
    assert attempts.read(path).attempts == (*found.attempts, more)
    return found


# --- counts per item --------------------------------------------------------------------------------------------------

_PATTERNS: Final = {"tp": "*_tp", "fp": "*_fp", "fn": "*_fn"}
_COLUMNS: Final = {"tp": "tp", "fp": "fp", "fn": "fn", "item": "item", "system_column": "system"}


def _counted(found: unit_counts.PerItem) -> unit_counts.PerItem:
    """Check that counts are sound: what was read can be saved, and is the same when it is read back."""
    counts = unit_counts.by_item(found)
    assert (counts.cells >= 0).all()
    assert (counts.times > 0).all()
    assert saved.to_json(saved.from_json(saved.to_json(found))) == saved.to_json(found)
    return found


@reader(
    *("count_tables", "unit_counts", "in_memory"),
    tokens=(b"a_tp,a_fp,a_fn,b_tp,b_fp,b_fn\n", b"item,system,type,tp,fp,fn\n", b"1.0", b"1e13", b"-1", b"0.5"),
)
def read_unit_counts(data: bytes, folder: Path) -> Any:
    """Columns for each system, or a row for each item and system."""
    path = folder / "u.csv"
    path.write_bytes(data)
    policy = drawn(data, *counted.MISSING)
    if data.startswith(b"item"):
        wanted = drawn(data[::-1], {}, {"label": "type"}, {"group": "type"}, {"systems": ["a", "b"]})
        return _counted(count_tables.read_counts(path, **_COLUMNS, **wanted, missing=policy))
    wanted = drawn(data[::-1], {}, {"item": "id"}, {"group": "id"}, {"count": "id"})
    return _counted(count_tables.read_counts(path, **_PATTERNS, **wanted, missing=policy))


@reader(
    *("readers.conll", "tagged", "spans"),
    tokens=(b"-DOCSTART- O\n", b"w O O\n", b"\tB-PER", b" I-LOC", b"S-X", b"U-", b"# newdoc\n", b"\n\n", SPLIT),
    share=2,
)
def read_conll(data: bytes, folder: Path) -> Any:
    """One file with several columns of tags, or one per system."""
    parts = data.split(SPLIT)[:3]
    paths = [folder / f"{name}.conll" for name in "gab"[: len(parts)]]
    for path, part in zip(paths, parts, strict=True):
        path.write_bytes(part)
    wanted = drawn(
        data,
        {},
        {"strict": True},
        {"scheme": "bio"},
        {"scheme": "bioes", "strict": True},
        {"unit": "document"},
        {"truth": "2"},
    )
    return _counted(conll.read_files(paths, **wanted))


# --- search results ---------------------------------------------------------------------------------------------------

_OF_TREC: Final = (b"q1 0 d1 1\n", b"q1 Q0 d1 1 0.5 run\n", b" ", b"inf", b"-0", b"1e39")


@reader("trec", tokens=_OF_TREC, share=2)
def read_qrels(data: bytes, folder: Path) -> Any:
    path = folder / ("q.gz" if data[:2] == b"\x1f\x8b" else "q.txt")
    path.write_bytes(data)
    return trec.read_qrels(path)


@reader("trec", tokens=_OF_TREC, share=2)
def read_run(data: bytes, folder: Path) -> Any:
    path = folder / ("r.gz" if data[:2] == b"\x1f\x8b" else "r.txt")
    path.write_bytes(data)
    return trec.read_run(path, "r")


@reader("trec", tokens=(*_OF_TREC, SPLIT))
def read_trec(data: bytes, folder: Path) -> Any:
    parts = [*data.split(SPLIT), b"", b""][:3]
    for name, part in zip("qrs", parts, strict=True):
        (folder / name).write_bytes(part)
    measure = drawn(data, "nDCG@10", "AP", "RR", "P@5", "ERR@20", "Bpref")
    return _finite(
        trec.read_trec(folder / "q", [folder / "r", folder / "s"], measure, missing=drawn(data, *counted.MISSING))
    )


_QRELS, _RUN = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n", b"q1 Q0 d1 1 0.5 r\nq1 Q0 d2 2 0.4 r\nq2 Q0 d1 1 0.1 r\n"


@reader("trec", tokens=(b"@", b"(rel=", b"nDCG", b"cutoff", b"(", b")", b"dcg='exp-log2'", b"judged_only=True"))
def read_trec_measure(data: bytes, folder: Path) -> Any:
    if not (folder / "qrels").exists():
        (folder / "qrels").write_bytes(_QRELS)
        for name in ("one", "two"):
            (folder / name).write_bytes(_RUN)
    return trec.read_trec(folder / "qrels", [folder / "one", folder / "two"], text_of(data))


# --- what outclass wrote itself ---------------------------------------------------------------------------------------

_OF_STATE: Final = (
    b'"version": 1',
    b'"outcomes": [',
    b"[0, 0, 1, 5]",
    b'"kind": "outclass outcomes"',
    b'"labels": [',
    b"-1",
    b'"kind": "outclass multi-label outcomes"',
    b'"kind": "outclass grouped outcomes"',
    b'"kind": "outclass item scores"',
    b'"kind": "outclass counts per item"',
    b'"kind": "outclass grouped counts"',
    b'"columns": ["id", "group", "data_set", "truth"]',
    b"[[0], [], [1]]",
)


@reader("state", "outcomes", tokens=_OF_STATE, share=3)
def read_state(data: bytes, folder: Path) -> Any:
    """States of all kinds of data: what is read is the same when it is written and read again."""
    path = folder / "state.json"
    path.write_bytes(data)
    found = state.read_state(path)
    text = saved.to_json(found)
    assert saved.to_json(saved.from_json(text)) == text
    return whole(found) if isinstance(found, Outcomes) else found


@reader("state", tokens=(*_OF_STATE, b'"sha256": "', b'"findings": [["OC101", "x"]]', b'"state": "', SPLIT))
def read_state_and_list(data: bytes, folder: Path) -> Any:
    book, _, listed = data.partition(SPLIT)
    path = folder / "state.json"
    path.write_bytes(book)
    # The list names the state by its digest: of a broken state it is put right, so that the rest of it is looked at.
    own = state._digest(book.decode("utf-8", "replace")).encode()
    path.with_name("state.json.seen").write_bytes(listed.replace(b"DIGEST", own))
    found = state.State.open(path)
    state.is_state(path)
    state.file_digest(path)
    new = Outcomes.of_rows(("a", "b"), [("x", "x", "y"), ("y", "y", "y")], [1, 2])
    grown = found.plus(new, [path.with_name("new")] if (folder / "new").exists() else [], again=True, new_labels=True)
    return grown.evidence


@reader("state", share=0.5, tokens=(b"\x1f\x8b\x08\0\0\0\0\0\0\x03",))
def read_digest(data: bytes, folder: Path) -> Any:
    path = folder / "d.csv.gz"
    path.write_bytes(data)
    state.is_state(path)
    return len(state.file_digest(path))


_OF_JSON: Final = (b"null", b"NaN", b"-1", b'""', b"{}", b"[]", b'{"a":1}', b"1e999", b'"\\ud800"', b"[1,2]")


@reader("answers", tokens=_OF_JSON, share=1)
def read_comparison(data: bytes, folder: Path) -> Any:
    return _shown(Comparison.from_json(data))


@reader("answers", tokens=_OF_JSON, share=1)
def read_evaluation(data: bytes, folder: Path) -> Any:
    return _shown(Evaluation.from_json(data))


@reader("answers", tokens=(*_OF_JSON, b'"p_rank"', b'"~="', b'"tiers": [0]'), share=1)
def read_ranking(data: bytes, folder: Path) -> Any:
    return _shown(Ranking.from_json(data))


@reader("answers", tokens=(*_OF_JSON, b'"smallest_n"', b'"characteristics"', b'"n": null'), share=1)
def read_plan(data: bytes, folder: Path) -> Any:
    return _shown(Plan.from_json(data))


@reader("answers", tokens=(*_OF_JSON, b'"systems"', b'"f1"', b'"by_frequency"'), share=1)
def read_battery(data: bytes, folder: Path) -> Any:
    return _shown(TestReport.from_json(data))


@reader("study", tokens=_OF_JSON, share=2)
def read_study(data: bytes, folder: Path) -> Any:
    found = study.Results.from_json(data.decode("utf-8", "replace"))
    assert study.Results.from_json(found.to_json()) == found
    return found


@reader("plans", tokens=(*_OF_JSON, b'"probability": 0.5', b'"about": "', b'"key": "'), share=2)
def read_resume(data: bytes, folder: Path) -> Any:
    path = folder / "plan.jsonl"
    path.write_bytes(data)
    return Store(path, "fuzz").get("k")


def _shown(found: Any) -> Any:
    """What was read back must be shown as any other answer."""
    again = type(found).from_json(found.to_json())
    assert again.to_json() == found.to_json()
    for text in (str(found), found.to_csv(), found.to_markdown(), found.to_latex()):
        assert isinstance(text, str)
    return found


# --- words of the command line ----------------------------------------------------------------------------------------


@reader(
    *("published", "given_counts", "recovered"),
    tokens=(
        *(b"tp=", b"fp=1", b"fn=", b"tn=3", b"name=x", b",", b"=", b"n=90", b"positives=30", b"negatives=60"),
        *(b"precision=.9", b"recall=85%", b"f1=.5", b"accuracy=.91", b"error=0", b"specificity=1.0", b"e-9", b"%%%%"),
    ),
    share=4,
)
def read_counts(data: bytes, folder: Path) -> Any:
    first, _, second = text_of(data).partition("%%%%")
    own = confusion_counts_of(first, "A")
    assert own.table.sum() >= 0
    if not second:
        return own.findings, [each.table.sum() for each in own.alternatives()]
    return counts_of([first, second]).items, counts_of([first, second], same_items=True).pairs()


@reader("published", "given_counts", tokens=(b"17,4", b","), share=4)
def read_wins(data: bytes, folder: Path) -> Any:
    wins, _, items = text_of(data).partition("%%%%")
    return wins_of(wins, items or None)


@reader(
    "measures", tokens=(b"fbeta:", b"utility:tp=", b"cost:", b"f0.5", b"macro_", b"weighted_fbeta:", b"_score"), share=4
)
def read_measure(data: bytes, folder: Path) -> Any:
    text = text_of(data)
    average = averages.find(text)
    if average is not None:
        return average.name
    found = measures.get(text)
    assert np.isfinite([found.low, found.high]).all()
    return found.name


@reader("measures", tokens=(b"recall_at_precision:", b"partial_auc:", b"auc", b":0.9"), share=3)
def read_score_measure(data: bytes, folder: Path) -> Any:
    return scored.get(text_of(data)).name


@reader("verdict", tokens=(b"0.05", b"-0.02,0.05", b","), share=3)
def read_rope(data: bytes, folder: Path) -> Any:
    found = rope_of(text_of(data)).interval
    assert found.low <= found.high
    assert np.isfinite(found.low) or np.isfinite(found.high)
    return found.low == found.high


@reader(
    "prior",
    tokens=(
        b"mu=1,1",
        b";positives=2,1,1,2",
        b"recall=0.6..0.9",
        b"..",
        b"base=",
        b"fpr=Beta(1,2)",
        b"(mu=0.8)",
        b"lambda:",
    ),
    share=3,
)
def read_prior(data: bytes, folder: Path) -> Any:
    return prior_of(text_of(data)).named


@reader("prior", tokens=(b"0.6..0.9", b"..", b"0..1"), share=3)
def read_ranges(data: bytes, folder: Path) -> Any:
    parts = [*text_of(data).split("%%%%"), "", "", ""][:4]
    text = prior_text(*(part or None for part in parts))
    return None if text is None else prior_of(text).named


@reader("planning", tokens=(b"100,200", b"width:0.1", b"significant:", b"~=", b"0.25,0.25,0.25,0.25"), share=3)
def read_plan_words(data: bytes, folder: Path) -> Any:
    text = text_of(data)
    return drawn(data, goal_of, _sizes, lambda t: shares_of(t, "cells"), lambda t: share_of(t, "p"), hdi_mass_of)(text)


# --- tables in databases ----------------------------------------------------------------------------------------------


@reader(
    "databases",
    tokens=(
        b"postgresql://",
        b"sqlite:///",
        b"duckdb:///",
        b"s3://",
        b"user:pass@",
        b"#t",
        b"?password=x",
        b"%2e%2e",
        b"://",
    ),
    share=3,
)
def read_url(data: bytes, folder: Path) -> Any:
    text = text_of(data)
    place, kind = Location(text), scheme_of(text)
    databases.is_database(text), masked(text), databases._said(ValueError(text), place)
    if kind in ("sqlite", "duckdb"):
        databases._file_of(place)
    if place.table:
        return databases._table(_small_database(folder), place, place.table) is not None
    return kind in databases.REMOTE


def _small_database(folder: Path) -> Any:
    """Return a database that is open: to open one takes longer than to look for a table."""
    path = folder / "d.duckdb"
    if not path.exists():
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE t(gold INT, a INT, b INT)")
            connection.execute('CREATE SCHEMA "s.x"; CREATE TABLE "s.x"."t ""q"""(gold INT, a INT, b INT)')
        _DATABASES[str(path)] = databases._DuckDb(path)
    return _DATABASES[str(path)]


_DATABASES: dict[str, Any] = {}


@reader("databases", tokens=(b"SQLite format 3\0", b"CREATE TABLE t", b"\x0d\0\0\0"), share=0.4, most=40_000)
def read_sqlite_file(data: bytes, folder: Path) -> Any:
    path = folder / "d.sqlite"
    path.write_bytes(data)
    return whole(read_labels(f"sqlite:///{path}#t", truth="gold", systems=["a", "b"]))


# --- evaluation logs --------------------------------------------------------------------------------------------------

_TIME: Final = "2026-01-02T03-04-05.678"
_LOGS: Final = (
    *(f"samples_gsm8k_{_TIME}.jsonl", "m.eval", "m.json", "per_instance_stats.json", "out.json", "m_eval_results.json"),
    *("leaderboards.json", "annotations.json", "ground_truth_judgment.jsonl", "m.jsonl", "test_run_1.json"),
    *("eval_results_table.json", "T0.json", f"details_x_{_TIME}.parquet", f"samples_arc_{_TIME}.json"),
)
_SWE: Final = ("a.run1.json", "results.json", "per_instance_details.json")  # never drawn, only named
_BESIDE: Final = {"per_instance_stats.json": ("run_spec.json", "scenario_state.json"), "results.json": _SWE[:1]}
_OF_LOGS: Final = (
    *(b'"C"', b'"N"', b'"scores": {', b'"value": NaN', b'"error": "x"', b'"epoch": 2', b'"id": "1"', b'"metrics": ["'),
    *(b'"filter": "b"', b"[0, 1]", b'"doc_id": 1', b'"samples": [', b'"success": true', b'"status": "error"', SPLIT),
)


@reader("logs", tokens=_OF_LOGS, share=5)
def read_logs(data: bytes, folder: Path) -> Any:
    """A log by the name in its first line; what lies beside it follows."""
    first, _, content = data.partition(b"\n")
    return _of_log(text_of(first), content, folder, data)


@reader("logs", tokens=(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"\x5d\x00", *_OF_LOGS), share=2)
def read_log_archives(data: bytes, folder: Path) -> Any:
    return _of_log("m.eval", data, folder, data)


@cache
def _minimal() -> list[tuple[str, list[Any]]]:
    """Minimal logs of every format; of Inspect and lighteval as they are packed, too."""
    found = fields.bases((*_LOGS, *_SWE), seeds("logs"), SPLIT)
    inspect = [parts for name, parts in found if name == "m.json" and "eval" in parts[0][0]]
    rows = [
        {
            "doc": {"id": str(at), "query": f"q{at}", "choices": ["a", "b"], "gold_index": [at % 2]},
            "metric": {"em": 0.5},
        }
        for at in range(3)
    ]
    return [*found, *(("m.eval", parts) for parts in inspect), (f"details_x_{_TIME}.parquet", [[rows]])]


@reader("logs", share=5, most=41)
def read_log_fields(data: bytes, folder: Path) -> Any:
    """A log in sound JSON, whose fields are replaced, dropped, repeated or moved as the bytes say."""
    logs_there = _minimal()
    name, parts = logs_there[(data[0] if data else 0) % len(logs_there)]
    own = fields.changed(parts, data[1:])
    if name == "m.eval":
        content = fields.archive(own[0][0])
    elif name.endswith(".parquet"):
        content = fields.parquet(own[0][0]) or b"PAR1"
    else:
        content = fields.written(own, SPLIT)
    return _of_log(name, content, folder, data)


def _of_log(name: str, content: bytes, folder: Path, data: bytes) -> Any:
    own = name if name in (*_LOGS, *_SWE) else drawn(data, *_LOGS)
    place = folder / "logs"
    place.mkdir(exist_ok=True)
    for path in place.iterdir():
        path.unlink()
    parts = content.split(SPLIT) if not own.endswith((".eval", ".parquet")) else [content]
    for beside, part in zip((own, *_BESIDE.get(own, (f"results_{_TIME}.json",))), parts, strict=False):
        (place / beside).write_bytes(part)
    found = logs(
        place,
        missing=drawn(data, None, "drop", "wrong"),
        log_runs="all",
        duplicates="first" if own.startswith("ground") else None,
        unfinished=drawn(data, False, True) and own in ("m.eval", "m.json"),
    )
    assert str(found).isprintable() or "\n" in str(found)
    found.to_json()
    metric = found.metrics[0]
    own_metric = replace(found, choice=replace(found.choice, metric=metric))
    values = read(own_metric, measure=drawn(data, None, None, "accuracy"))
    assert values.items > 0
    return values


# --- values in memory -------------------------------------------------------------------------------------------------

_ODD: Final[tuple[Any, ...]] = (
    *(
        0,
        1,
        2,
        -1,
        True,
        False,
        0.0,
        1.0,
        -0.0,
        0.5,
        float("nan"),
        float("inf"),
        1e300,
        2**63,
        -(2**63),
        2**64,
        10**400,
    ),
    *("0", "1", "1.0", "01", "", " ", "x", "X", " x ", "true", "False", "yes", "no", "nan", "None", "0.5", "1e5", "٣"),
    *("a\0", "a", "\ud800", "\u202e", "e\u0301", "é", "\n", "x" * 300, b"x", b"\xff", None, (), (1,), [1], {"a": 1}),
    *(
        Decimal("1"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("1e999"),
        Fraction(1, 3),
        1j,
        np.int8(1),
        np.float32("nan"),
    ),
    *(
        np.datetime64("NaT"),
        np.datetime64("2020-01-01"),
        np.str_("x"),
        np.array([1, 2]),
        object,
        range(3),
        frozenset({1}),
    ),
)


def _values(rng: random.Random, size: int) -> list[Any]:
    few = rng.choices(_ODD, k=rng.choice((1, 2, 2, 3, 4)))
    return [rng.choice(few) if rng.random() < 0.95 else rng.choice(_ODD) for _ in range(size)]


@reader("labels", "counted", "outcomes", "columns", "tally", share=3)
def read_values(data: bytes, folder: Path) -> Any:
    rng = random.Random(data)
    names = ("gold", "a", "b")
    rows = list(zip(*(_values(rng, rng.choice((1, 3, 8))) for _ in names), strict=False))
    counts = (
        tally.whole_counts([(rng.choice((1, 1, 1, 1, 1, "2", *_ODD)),) for _ in rows], "n")
        if data[:1] < b"@"
        else [1] * len(rows)
    )
    candidates.in_memory({name: [row[at] for row in rows] for at, name in enumerate(("gold", "a"))}, "gold", ["a"])
    missing = rng.choice(counted.MISSING)
    found = counted.counted_outcomes(
        ("a", "b"), [(*row, count) for row, count in zip(rows, counts, strict=True)], missing
    )
    labels.find(rng.choice(_ODD), found.labels)
    return whole(found)


@reader("arrays", "coding", share=2)
def read_arrays(data: bytes, folder: Path) -> Any:
    rng = random.Random(data)
    size = rng.choice((0, 1, 3, 9))
    made = {name: _column(rng, size if rng.random() < 0.98 else size + 1) for name in ("gold", "a", "b")}
    return whole(
        arrays.from_arrays(made["gold"], {"a": made["a"], "b": made["b"]}, missing=rng.choice(counted.MISSING))
    )


def _column(rng: random.Random, size: int) -> Any:
    values = _values(rng, size)
    kind = rng.choice((list, tuple, "object", "str", "int", "float", "bool", "bytes", "masked"))
    if kind in (list, tuple):
        return kind(values)  # type: ignore[operator]
    plain = [value if isinstance(value, int | float | str) else 0 for value in values]
    if kind == "object":
        made = np.empty(size, dtype=object)
        made[:] = plain
        return made
    if kind in ("str", "bytes"):
        return np.array([ascii(value) for value in plain], dtype="U" if kind == "str" else "S")
    numbers = [
        int(value) if isinstance(value, int) and abs(value) < 2**62 else hash(str(value)[:2] == "1") for value in plain
    ]
    made = np.array(numbers, dtype={"int": np.int64, "float": float, "bool": bool, "masked": np.int64}[kind])
    return np.ma.masked_array(made, mask=[rng.random() < 0.2 for _ in range(size)]) if kind == "masked" else made


# What the libraries of frames themselves can hold and group by; other objects are faults of theirs.
_IN_FRAMES: Final = (bool, int, float, str, bytes, np.generic)


@reader("frames", "frame_joining", share=0.5)
def read_frames(data: bytes, folder: Path) -> Any:
    rng = random.Random(data)
    size = rng.choice((0, 1, 4, 9))

    def frame() -> Any:
        names = ["gold", "a", "b", rng.choice(("id", "n", "", "A", "a\nb", 'q"', "truth "))]
        simple = {name: [v if isinstance(v, _IN_FRAMES) else None for v in _values(rng, size)] for name in names}
        simple["id"] = [str(place) if rng.random() < 0.99 else rng.choice(_ODD) for place in range(size)]
        library = rng.choice(("pandas", "polars", "arrow"))
        try:
            if library == "pandas":
                return pd.DataFrame(
                    {
                        name: pd.Series(column, dtype=rng.choice((object, object, None)))
                        for name, column in simple.items()
                    }
                )
            if library == "polars":
                made = pl.DataFrame(simple, strict=False)
                return made.lazy() if rng.random() < 0.3 else made
            return pl.DataFrame(simple, strict=False).to_arrow()  # pa.table itself dies of some values
        except (Exception, pl.exceptions.PanicException):  # no frame can be made of these: nobody can give us one
            return None

    frames = [each for each in (frame(), frame()) if each is not None]
    wanted = rng.choice(
        (
            {},
            {"systems": ["a", "b"]},
            {"count": "n", "systems": ["a", "b"]},
            {"id": "id"},
            {"id": "id", "systems": ["a", "b"]},
        )
    )
    if not frames:
        return None
    if rng.random() < 0.3:
        own = [
            each[["id", "gold", name]] if hasattr(each, "iloc") else each.select(["id", "gold", name])
            for each, name in zip(frames, "ab", strict=False)
        ]
        return whole(read_labels(own, truth="gold", id="id", missing=rng.choice(counted.MISSING)))
    return whole(read_labels(frames[0], truth="gold", missing=rng.choice(counted.MISSING), **wanted))


@reader("columns", share=2)
def read_mapping(data: bytes, folder: Path) -> Any:
    rng = random.Random(data)
    names: list[Any] = ["gold", "a", "b", rng.choice(("A", "", 3, None, "c"))]
    size = rng.choice((1, 4, 9))
    made = {name: _column(rng, size) for name in rng.sample(names, rng.randint(1, 4))}
    named = rng.choice(({}, {}, {"id": "b"}, {"count": "b"}))
    return whole(read_labels(made, truth="gold", missing=rng.choice(counted.MISSING), **named))


@reader("scores", "multilabel", share=2)
def read_lists(data: bytes, folder: Path) -> Any:
    rng = random.Random(data)
    size = rng.choice((1, 3, 6))
    if rng.random() < 0.5:
        made = {name: _values(rng, size) for name in ("gold", "a", "b")}
        return _finite(
            score_tables.read_table(
                made, truth=rng.choice((None, "gold")), systems=["a", "b"], missing=rng.choice(counted.MISSING[:2])
            )
        )
    lists = [[_values(rng, 3) for _ in range(size)] for _ in range(3)]
    found = multilabel.from_lists(lists[0], {"a": lists[1], "b": lists[2]})
    assert found.joints("a", "b").sum() == found.decisions
    return found


@reader("asking")
def read_seed(data: bytes, folder: Path) -> Any:
    return seed_of(random.Random(data).choice(_ODD)) >= 0  # type: ignore[arg-type]


# Modules of data/ that read nothing that a user wrote, each with the reason.
NO_READER: Final[Mapping[str, str]] = {
    "candidates": "columns of tables that others opened",
    "classes": "a view of outcomes that were read elsewhere",
    "counting": "counts tables that `tables` opened",
    "growth": "compares digests of bytes, whatever they mean",
    "ledger": "the list beside a state, which the reader of states opens",
    "limits": "sizes and estimates",
    "long_labels": "columns of tables that `tables` opened",
    "names": "what files and systems are called",
    "pair": "pairs outcomes that were read elsewhere",
    "run_copies": "looks at runs that were read elsewhere",
    "whole": "columns of tables that `tables` opened",
}


@contextmanager
def sharing() -> Iterator[None]:
    """Let the readers of files share a connection: opening one takes longer than reading a small file."""
    own = files._connection
    files._connection = one_connection
    try:
        yield
    finally:
        files._connection = own


__all__ = ["CORPUS", "NO_READER", "READERS", "OutclassError", "Reader", "seeds", "sharing"]
