"""Runs of a system are read from patterns, a column of runs, a file or an array each; what is wrong is one sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from run_worlds import SYSTEMS, files, long, names_of, wide

import outclass as oc
from outclass.data.runs import Runs
from outclass.errors import InputError

TABLE = wide()


def _sizes(runs: Any) -> dict[str, int]:
    assert isinstance(runs, Runs)
    return {name: len(own) for name, own in runs.of.items()}


def _difference(data: Any, *more: Any, **columns: Any) -> tuple[float, ...]:
    row = oc.compare(data, *more, measure="accuracy", draws=2_000, **columns).only
    return (round(row.observed, 12), *(value for each in row.runs.systems for value in sorted(each.values)))


def test_every_form_says_the_same(tmp_path: Path) -> None:
    """Patterns, lists, a column of runs, files and arrays give the same runs and the same values."""
    own = {"bert": ["bert_s1", "bert_s2", "bert_s3", "bert_s4"], "roberta": "roberta_s1,roberta_s2,roberta_s3"}
    arrays = {name: np.array([TABLE[run] for run in names_of(TABLE, name)]) for name in SYSTEMS}
    lists = {name: [TABLE[run] for run in names_of(TABLE, name)] for name in SYSTEMS}
    ways = [
        _difference(TABLE, truth="gold", systems=SYSTEMS),
        _difference(pd.DataFrame(TABLE), truth="gold", systems=own),
        _difference(TABLE, truth="gold", systems=["bert=bert_s*", "roberta=roberta_s*"]),
        _difference(long(TABLE), truth="gold", item="id", system_column="system", runs="seed", label="label"),
        _difference(files(TABLE, tmp_path), truth="gold", id="id"),
        _difference(TABLE["gold"], arrays),
        _difference(TABLE["gold"], lists),
        _difference(TABLE["gold"], {name: TABLE[name] for name in TABLE if "_s" in name}, systems=SYSTEMS),
        _difference(oc.read(TABLE, truth="gold"), systems=SYSTEMS),
    ]

    assert len(ways[0]) == 8
    assert all(way == ways[0] for way in ways)


def test_a_wide_table_with_a_column_of_runs() -> None:
    """One row per item and seed, with a column per system: the same seeds for both."""
    rows = [
        {"id": key, "seed": seed, "gold": gold, **{name: TABLE[f"{name}_s{seed}"][at] for name in SYSTEMS}}
        for seed in (1, 2, 3)
        for at, (key, gold) in enumerate(zip(TABLE["id"], TABLE["gold"], strict=True))
    ]
    found = oc.read(pd.DataFrame(rows), truth="gold", item="id", runs="seed", paired_runs=True)

    assert _sizes(found) == {"bert": 3, "roberta": 3}
    assert found.paired
    assert found.items == 300


def test_other_kinds_of_data() -> None:
    """Numbers, scores and counts per item have runs as well."""
    rng = np.random.default_rng(2)
    rows = [
        (item, system, seed, rng.normal(), rng.integers(0, 4), 1, 1, item % 2)
        for item in range(20)
        for system in "ab"
        for seed in range(3)
    ]
    table = pd.DataFrame(rows, columns=["q", "sys", "seed", "loss", "tp", "fp", "fn", "gold"])
    columns = {"item": "q", "system_column": "sys", "runs": "seed"}
    numbers = oc.read(table, score="loss", lower_is_better=True, **columns)
    scores = oc.read(table, score="loss", truth="gold", **columns)
    counts = oc.read(table, tp="tp", fp="fp", fn="fn", **columns)

    assert [each.base.kind for each in (numbers, scores, counts)] == ["results", "scores", "counts per item"]
    assert [_sizes(each) for each in (numbers, scores, counts)] == [{"a": 3, "b": 3}] * 3
    assert numbers.base.name == "loss"
    assert not numbers.base.higher_is_better


def test_columns_with_an_equals_sign_stay_columns() -> None:
    """`lr=0.1` is a column where there is one, and no pattern."""
    table = {"gold": TABLE["gold"], "lr=0.1": TABLE["bert_s1"], "lr=0.2": TABLE["bert_s2"]}

    found = oc.read(table, truth="gold", systems=["lr=0.1", "lr=0.2"])
    assert found.systems == ("lr=0.1", "lr=0.2")
    assert not isinstance(found, Runs)


def test_copies_are_found() -> None:
    """A cache gives the same answer in every run, of any kind of data."""
    table = {**TABLE, "bert_s2": TABLE["bert_s1"]}
    numbers = {name: [float(value) for value in table[name]] for name in table if "_s" in name}
    found = oc.read(table, truth="gold", systems=SYSTEMS).findings
    cached = dict.fromkeys(names_of(TABLE, "bert"), TABLE["bert_s1"])
    every = oc.read({**TABLE, **cached}, truth="gold", systems=SYSTEMS).findings

    assert [each.code for each in found] == ["OC652"]
    assert "bert_s1 and bert_s2 gave" in found[0].message
    assert "all 4 runs of bert gave" in every[0].message
    assert "OC652" in [each.code for each in oc.read(numbers, scores=True, systems=SYSTEMS).findings]
    assert not oc.read(TABLE, truth="gold", systems=SYSTEMS).findings


def test_runs_that_hardly_err_are_no_copies() -> None:
    """Two runs of which one in a hundred answers is wrong agree by chance; with a hundred wrong answers they do not."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 100)

    def runs(wrong: int) -> list[np.ndarray]:
        found = np.tile(gold, (3, 1))
        for at in (0, 2):
            found[at, rng.permutation(100)[:wrong]] ^= 1
        found[1] = found[0]
        return list(found)

    few, many = (oc.compare(gold, {"a": runs(n), "b": runs(n)}, measure="accuracy").only for n in (1, 20))
    perfect = oc.compare(gold, {"a": [gold] * 3, "b": runs(20)}, measure="accuracy").only

    assert "OC652" not in [each.code for each in few.findings]
    (said,) = [each.message for each in many.findings if each.code == "OC652"]
    assert "a/1 and a/2, b/1 and b/2 gave the same answer" in said
    (said,) = [each.message for each in perfect.findings if each.code == "OC652"]
    assert "other: b/1 and b/2 gave the same answer" in said


def test_copies_between_systems() -> None:
    """A run of one system with the answers of another's, be they labels, many labels, counts or numbers."""
    rng = np.random.default_rng(2)
    table = {**TABLE, "roberta_s3": TABLE["bert_s2"]}
    columns = [name for name in table if "_s" in name]
    several = {name: ["x y" if value else "y" for value in table[name]] for name in ("gold", *columns)}
    numbers = {name: rng.normal(size=300) for name in columns}
    numbers["roberta_s3"] = numbers["bert_s2"]
    counts = [
        {"doc": at, "system": name, "tp": int(table[name][at]), "fp": at % 3, "fn": 1 - int(table[name][at])}
        for name in columns
        for at in range(300)
    ]
    cells = {"item": "doc", "system_column": "system", "tp": "tp", "fp": "fp", "fn": "fn", "systems": SYSTEMS}
    found = (
        oc.read(table, truth="gold", systems=SYSTEMS),
        oc.read({**table, "doc": [at // 10 for at in range(300)]}, truth="gold", systems=SYSTEMS, group="doc"),
        oc.read(several, truth="gold", systems=SYSTEMS, separator=" "),
        oc.read(numbers, scores=True, systems=SYSTEMS),
        oc.read(pd.DataFrame(counts), **cells),
    )

    for data in found:
        (said,) = [each.message for each in data.findings if each.code == "OC652"]
        assert "bert_s2 and roberta_s3 gave the same answer" in said


def test_names_with_an_equals_sign() -> None:
    """A system's name may hold the sign, as `lr=0.1` does: of columns, and in a column of systems."""
    table = {
        name.replace("bert_s", "lr=0.1 s") if name.startswith("bert") else name: own for name, own in TABLE.items()
    }
    named = oc.read(table, truth="gold", systems=["lr=0.1=lr=0.1 s*", "b=roberta_s1,roberta_s2"])
    rows = long(TABLE).replace({"system": {"bert": "lr=0.1"}})
    asked = {"truth": "gold", "item": "id", "system_column": "system", "runs": "seed", "label": "label"}

    assert {name: len(runs) for name, runs in named.of.items()} == {"lr=0.1": 4, "b": 2}
    assert oc.read(rows, systems=["roberta", "lr=0.1"], **asked).systems == ("roberta", "lr=0.1")
    with pytest.raises(InputError, match=r"no system 'robert' \(systems\)\. Did you mean 'roberta'"):
        oc.read(rows, systems=["robert", "lr=0.1"], **asked)
    with pytest.raises(InputError, match=r"use one of them\.$"):
        oc.read(rows, systems=["a=roberta", "lr=0.1"], **asked)


def test_a_file_is_a_run_of_one_system(tmp_path: Path) -> None:
    """Two patterns of a system may match a file, which is one run; as a run of two systems it is an error."""
    globs = files(TABLE, tmp_path)
    first = str(tmp_path / "bert" / "bert_s1.csv")
    data = oc.read({"bert": [globs["bert"], first], "roberta": globs["roberta"]}, truth="gold", id="id")

    assert [len(runs) for runs in data.of.values()] == [4, 3]
    with pytest.raises(InputError, match=r"bert_s1\.csv' is named as a run of both 'bert' and 'roberta': a run"):
        oc.read({"bert": globs["bert"], "roberta": [globs["roberta"], first]}, truth="gold", id="id")


SHORT = long(TABLE).iloc[:-3]
WRONG: list[tuple[dict[str, Any], Any, str]] = [
    (
        {"systems": {"bert": "brt_s*", "roberta": "roberta_s*"}},
        TABLE,
        r"nothing matches 'brt_s\*', the runs of 'bert' \(systems\)\. Did you mean 'bert_s",
    ),
    (
        {"systems": {"bert": "bert_s*", "roberta": ["roberta_s1", "bert_s1"]}},
        TABLE,
        r"'bert_s1' is named as a run of both 'bert' and 'roberta' \(systems\): a run belongs to one system\.$",
    ),
    (
        {"item": "id", "system_column": "system", "runs": "seed", "label": "label"},
        SHORT,
        r"^run 'roberta/3' lacks 3 of 300 items: 'q297', 'q298', 'q299'\. Runs share their items",
    ),
    ({"systems": SYSTEMS, "paired_runs": True}, TABLE, r"equal numbers, but 'bert' has 4, 'roberta' has 3"),
    ({"paired_runs": True}, TABLE, r"paired_runs applies to several runs of each system"),
    (
        {"system_column": "system", "runs": "seed", "label": "label"},
        SHORT,
        r"needs the column of items, which they share: item=",
    ),
    (
        {"item": "id", "system_column": "system", "runs": "seed"},
        SHORT,
        r"predictions \(label='COL'\) or of numbers \(score='COL'\)",
    ),
    ({"item": "id", "runs": "seeed", "system_column": "system"}, SHORT, r"no column 'seeed'.*Did you mean 'seed'"),
    ({"runs": "seed", "systems": SYSTEMS}, TABLE, r"use one of them\.$"),
    ({"systems": {"bert": "bert_s*", "roberta": []}}, TABLE, r"system 'roberta' has no runs"),
    ({"id": "id"}, {"bert": "nowhere/*.csv", "roberta": "there/*.csv"}, r"no file matches 'nowhere/\*\.csv'"),
]


@pytest.mark.parametrize(("columns", "data", "told"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(columns: dict[str, Any], data: Any, told: str) -> None:
    """Runs that lack items, belong to two systems, or are not there: what was seen, and what to do."""
    with pytest.raises(InputError, match=told):
        oc.read(data, truth="gold", **columns)


def test_missing_rows_can_be_dropped() -> None:
    """Items that one run lacks are left out of all of them, or count as wrong."""
    columns: dict[str, Any] = {
        "truth": "gold",
        "item": "id",
        "system_column": "system",
        "runs": "seed",
        "label": "label",
    }

    assert oc.read(SHORT, missing="drop", **columns).items == 297
    assert oc.read(SHORT, missing="wrong", **columns).items == 300


def test_repeats_within_runs() -> None:
    """Several answers of each run to an item: long or wide, numbers or labels; the item of a run is their average."""
    rng = np.random.default_rng(5)
    rows = [
        (f"q{item}", trial, seed, system, int(rng.random() < quality))
        for item in range(40)
        for trial in range(2 if item % 2 else 3)
        for seed in range(3)
        for system, quality in (("a", 0.6), ("b", 0.7))
    ]
    table = pd.DataFrame(rows, columns=["item", "trial", "seed", "system", "score"])
    labels = table.assign(gold="yes", said=np.where(table["score"] == 1, "yes", "no"))
    by_system = table.pivot(index=["item", "trial", "seed"], columns="system", values="score").reset_index()
    columns = table.assign(run=table["system"] + table["seed"].astype(str))
    by_run = columns.pivot(index=["item", "trial"], columns="run", values="score").reset_index()
    own = {"item": "item", "repeat": "trial"}
    long_ = {**own, "system_column": "system", "runs": "seed"}
    ways: list[tuple[Any, dict[str, Any]]] = [
        (table, {**long_, "score": "score"}),
        (labels, {**long_, "label": "said", "truth": "gold"}),
        (by_system, {**own, "runs": "seed", "scores": True}),
        (by_run, {**own, "scores": True, "systems": {"a": "a*", "b": "b*"}}),
    ]
    items = table.groupby(["system", "seed", "item"])["score"]
    means = items.mean().groupby(["system", "seed"]).mean()
    share = items.apply(lambda own: 1 - (1 - own).prod() if len(own) == 2 else _one_of_two(own))
    pass_2 = share.groupby(["system", "seed"]).mean()

    for data, how in ways:
        row = oc.compare(data, draws=1_000, **how).only
        assert [value for each in row.runs.systems for value in each.values] == pytest.approx(means.tolist())
        named = oc.compare(data, draws=1_000, measure=["pass@2", "mean"], **how).rows
        found = [value for each in named[0].runs.systems for value in each.values]
        assert found == pytest.approx(pass_2.tolist())
        assert named[1].observed == pytest.approx(row.observed)


def _one_of_two(own: Any) -> float:
    """Return how many of the three pairs of answers hold a right one."""
    return 1 - float({0: 3, 1: 1}.get(int(own.sum()), 0)) / 3


def test_shapes_of_arrays() -> None:
    """Runs are rows: a matrix the other way round is told from class probabilities, and lengths must agree."""
    gold = TABLE["gold"]
    columns = np.array([TABLE["bert_s1"], TABLE["bert_s2"], TABLE["bert_s3"]]).T

    with pytest.raises(InputError, match="transpose"):
        oc.read(gold, {"a": columns, "b": columns})
    with pytest.raises(InputError, match="a run of 'a' has 299 items, and the truth has 300"):
        oc.read(gold, {"a": [gold[1:], gold[1:]], "b": [gold, gold]})


def test_folds_are_another_design() -> None:
    """Results of folds have a model of their own, which the sentence names."""
    table = {"fold": list(range(6)), "a1": [0.1] * 6, "a2": [0.2] * 6, "b1": [0.3] * 6}

    with pytest.raises(InputError, match="folds or of data sets"):
        oc.read(table, scores=True, fold="fold", systems={"a": "a*", "b": "b*"})


def test_runs_paired_by_name() -> None:
    """With paired runs, every system needs the same seeds, in any order of rows."""
    table = long(wide(runs=(3, 3)))
    columns: dict[str, Any] = {
        "truth": "gold",
        "item": "id",
        "system_column": "system",
        "runs": "seed",
        "label": "label",
    }
    mixed = table.sample(frac=1, random_state=1)
    found = oc.read(mixed, paired_runs=True, **columns)
    other = table.assign(seed=np.where((table.system == "bert") & (table.seed == "3"), "4", table.seed))

    seeds = [[run.rpartition("/")[2] for run in runs] for runs in found.of.values()]
    assert seeds[0] == seeds[1]
    with pytest.raises(InputError, match=r"run '[34]' does not occur for every system"):
        oc.read(other, paired_runs=True, **columns)


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        (["a_s2", "a_s1"], ["b-seed1", "b-seed2"], [("a_s2", "b-seed2"), ("a_s1", "b-seed1")]),
        (["a_s10", "a_s11"], ["b_s11", "b_s10"], [("a_s10", "b_s10"), ("a_s11", "b_s11")]),
        (["x/a_s1", "x/a_s2"], ["y/b_s2", "y/b_s1"], [("x/a_s1", "y/b_s1"), ("x/a_s2", "y/b_s2")]),
        (["one", "two"], ["drei", "vier"], [("one", "drei"), ("two", "vier")]),
        (["a_s1", "a_s2"], ["b_s2", "b_s3"], None),
        (["a_s10", "a_s11"], ["b_s9", "b_s10"], None),
    ],
)
def test_runs_paired_by_what_tells_columns_apart(
    a: list[str], b: list[str], pairs: list[tuple[str, str]] | None
) -> None:
    """By the names without what they share; in the order given if nothing agrees, and an error if one is missing."""
    rng = np.random.default_rng(1)
    table = {"gold": rng.integers(0, 2, 30), **{name: rng.integers(0, 2, 30) for name in (*a, *b)}}
    asked: dict[str, Any] = {"truth": "gold", "systems": {"a": a, "b": b}, "paired_runs": True}

    if pairs is None:
        with pytest.raises(InputError, match="does not occur for every system, so runs cannot be paired"):
            oc.read(table, **asked)
    else:
        assert list(zip(*oc.read(table, **asked).of.values(), strict=True)) == pairs


def test_merged_labels_and_chosen_systems() -> None:
    """Labels are merged in all runs that were read before, and systems chosen by name; slices need single runs."""
    table = {
        name: ["x" if value else "y" if at % 2 else "z" for at, value in enumerate(own)]
        if name not in ("id", "lang")
        else own
        for name, own in TABLE.items()
    }
    runs = oc.read(table, truth="gold", systems=SYSTEMS)
    merged = oc.read(runs, merge={"no": ["y", "z"]})
    chosen = oc.read(runs, systems=["roberta"])

    assert merged.base.labels == ("no", "x")
    assert _sizes(merged) == {"bert": 4, "roberta": 3}
    assert _sizes(chosen) == {"roberta": 3}
    assert oc.read(table, truth="gold", systems=SYSTEMS, merge={"no": ["y", "z"]}).base.labels == ("no", "x")
    with pytest.raises(InputError, match="one run of each system"):
        oc.slices(table, truth="gold", systems=SYSTEMS)
