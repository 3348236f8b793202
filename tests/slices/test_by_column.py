"""`by` names columns: a row for all items, one for each slice, and what the slices of a column come to."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sliced_tables import COLUMNS, LANGS, read_by, rows_where, same_slices, table_of

import outclass as oc
from outclass.answers.comparison import Comparison
from outclass.errors import InputError


def _written(table: dict[str, list[Any]], path: Path) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(table), *zip(*table.values(), strict=True)])
    return str(path)


def _parquet(table: dict[str, list[Any]], path: Path) -> str:
    pd.DataFrame(table).to_parquet(path)
    return str(path)


def _relation(table: dict[str, list[Any]], path: Path) -> Any:
    return duckdb.from_df(pd.DataFrame(table))


HOLDERS: dict[str, Callable[[dict[str, list[Any]], Path], Any]] = {
    "mapping": lambda table, path: table,
    "csv": _written,
    "parquet": _parquet,
    "pandas": lambda table, path: pd.DataFrame(table),
    "polars": lambda table, path: pl.DataFrame(table),
    "polars, lazy": lambda table, path: pl.LazyFrame(table),
    "duckdb": _relation,
}


@pytest.fixture(scope="module")
def table() -> dict[str, list[Any]]:
    return table_of()


@pytest.fixture(scope="module")
def by_lang() -> Comparison:
    return oc.compare(table_of(), by="lang", rope=0.05, **COLUMNS)


def test_a_slice_by_itself_is_what_its_items_give(by_lang: Comparison, table: dict[str, list[Any]]) -> None:
    """The raw numbers of a slice are those of a comparison of its items alone, and the whole is that of all."""
    alone = {lang: oc.compare(rows_where(table, "lang", lang), rope=0.05, **COLUMNS).only for lang in LANGS}
    alone["all items"] = oc.compare(table, rope=0.05, **COLUMNS).only

    for row in by_lang.rows:
        assert row.slice is not None
        expected = alone[row.slice.name]
        assert row.items == row.slice.items == expected.items
        assert row.observed == pytest.approx(expected.observed)
        assert row.difference.mean == pytest.approx(expected.difference.mean, abs=2e-3)
        assert row.difference.std == pytest.approx(expected.difference.std, rel=0.02)
    assert [row.slice and row.slice.name for row in by_lang.rows] == ["all items", *LANGS]


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_holder_of_a_table_counts_alike(holder: str, table: dict[str, list[Any]], tmp_path: Path) -> None:
    """Files, frames and engines give the same counts of slices, of names, of bins and of months."""
    data = HOLDERS[holder](table, tmp_path / ("table." + ("parquet" if holder == "parquet" else "csv")))
    found, expected = (read_by(each, ["lang", "length:3", "day"]) for each in (data, table))

    assert same_slices(found, expected)
    for part in found.parts[: len(LANGS)]:
        assert part.data == oc.outcomes(rows_where(table, "lang", part.name), **COLUMNS)


def test_bins_months_and_missing_values() -> None:
    """Numbers are cut at quantiles, dates into months; what is missing is a slice of its own, the last."""
    table = table_of(600)
    table["length"] = [None if place % 50 == 0 else value for place, value in enumerate(table["length"])]
    found = read_by(table, ["length:3", "day"])
    names = [part.name for part in found.parts]
    lengths = np.array([value for value in table["length"] if value is not None])
    low, high = (int(np.quantile(lengths, part, method="inverted_cdf")) for part in (1 / 3, 2 / 3))

    assert names[:4] == [f"≤ {low}", f"{low} to {high}", f"> {high}", "(missing)"]
    assert names[4:] == sorted({day[:7] for day in table["day"]})
    assert [part.items for part in found.parts[:4]] == [
        int((lengths <= low).sum()),
        int(((low < lengths) & (lengths <= high)).sum()),
        int((lengths > high).sum()),
        12,
    ]


def test_what_the_slices_come_to(by_lang: Comparison) -> None:
    """The slice that regressed is listed, and no other; its pooled estimate lies between its own and the others'."""
    (family,) = by_lang.families
    rows = {row.slice.name: row for row in by_lang.rows if row.slice is not None}
    french, swahili = rows["fr"], rows["sw"]

    assert family.b_worse.listed == ("fr",)
    assert family.a_worse.listed == ()
    assert family.b_worse.any > 0.99
    assert 0.9 < family.b_worse.expected < 2
    assert 0.02 < family.spread < 0.4
    assert family.spread_interval.low < family.spread < family.spread_interval.high
    assert 0 < french.pooled.difference.mean < french.difference.mean
    assert french.pooled.verdict.value == ">>"
    assert swahili.pooled.difference.std < swahili.difference.std
    assert "OC601" in [each.code for each in swahili.findings]  # it has few items


def _simpson() -> dict[str, list[Any]]:
    """Make items on which one system is better in both slices and worse overall; easy items are mostly its rival's.

    The systems are tested on the same items, so the paradox needs a measure that slices do not average: precision.
    """
    cells = {  # truth, a, b: how often in each slice
        "easy": {(1, 1, 1): 20, (1, 0, 1): 380, (0, 0, 1): 60, (0, 1, 1): 2, (0, 0, 0): 40},
        "hard": {(1, 1, 1): 20, (1, 1, 0): 180, (0, 1, 0): 150, (0, 1, 1): 20, (0, 0, 0): 100},
    }
    rows = [(*labels, name) for name, own in cells.items() for labels, many in own.items() for _ in range(many)]
    gold, a, b, kind = zip(*rows, strict=True)
    return {"gold": list(gold), "a": list(a), "b": list(b), "kind": list(kind)}


def test_simpsons_paradox_is_a_finding() -> None:
    """Where every slice points the other way than the whole, the answer says so."""
    found = oc.compare(_simpson(), truth="gold", by="kind", measure="precision")
    whole, *slices = found.rows

    assert whole.observed < 0 < min(row.observed for row in slices)
    assert "Simpson" in next(each.told for each in whole.findings if each.code == "OC603")
    assert "Simpson" in found.to_text()


def test_systems_are_judged_on_all_items(table: dict[str, list[Any]]) -> None:
    """The sentence about systems by themselves is of all items, not of the slice that happens to be highest."""
    told = oc.evaluate(table, by="lang", measure="accuracy", **COLUMNS)
    system = next(row.system for row in told.rows if row.system.name == COLUMNS["systems"][0] and row.is_whole)
    alone = oc.evaluate(table, by="lang", measure="accuracy", **{**COLUMNS, "systems": [system.name]}).to_text()

    assert "has the highest accuracy over all items: " in told.to_text()
    assert f"accuracy of {system.name} over all items: {system.mean:.3f}" in " ".join(alone.split())


def test_intervals_are_of_possible_differences() -> None:
    """A system that is always right where the other is always wrong is better by one at most, in the search, too."""
    gold, where = [0, 1] * 60, ["x"] * 30 + ["y"] * 30 + ["z"] * 30 + ["v"] * 30
    table = {"gold": gold, "a": gold, "b": [*gold[:60], *([1, 0] * 30)], "where": where}
    answer = oc.compare(table, truth="gold", by="where", measure="accuracy")
    found = oc.slices(table, truth="gold", systems=["a", "b"], measure="accuracy")

    pooled = [row.slice.pooled for row in answer.rows if row.slice is not None and row.slice.pooled is not None]
    assert max(each.difference.hdi.high for each in pooled) == 1.0
    assert max(each.law.hdi(0.5).high for each in pooled if each.law is not None) <= 1.0
    assert max(row.pooled.interval.high for row in found.rows if row.pooled is not None) == 1.0


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("id", "looks like an id"),
        ("langs", "Did you mean 'lang'"),
        (["lang", "lang"], "twice"),
        ("lang:4", "is not a number"),
        ("length:1", "2 to 100 bins"),
        (["label", "lang"], "not both"),
        (4, "must be 'label', or name"),
        ([], "must be 'label', or name"),
        ("same", "same value"),
        ("nothing", "no values"),
    ],
)
def test_what_cannot_be_slices(by: Any, said: str, table: dict[str, list[Any]]) -> None:
    """Each is one sentence that says what to do."""
    wrong = {**table, "same": ["x"] * len(table["gold"]), "nothing": [None] * len(table["gold"])}

    with pytest.raises(InputError, match=said):
        oc.compare(wrong, by=by, **COLUMNS)


def test_arrays_take_a_mapping(table: dict[str, list[Any]], by_lang: Comparison) -> None:
    """With arrays, `by` maps names to arrays of one value per item."""
    arrays = table["gold"], table["old"], table["new"]
    found = oc.compare(*arrays, names=("old", "new"), measure="accuracy", by={"lang": table["lang"]})

    assert [row.part for row in found.rows] == [row.part for row in by_lang.rows]
    assert [row.items for row in found.rows] == [row.items for row in by_lang.rows]
    with pytest.raises(InputError, match="maps names to arrays"):
        oc.compare(*arrays, by="lang")
    with pytest.raises(InputError, match="differ in length"):
        oc.compare(*arrays, by={"lang": table["lang"][:-1]})


def _other_kinds() -> dict[str, tuple[dict[str, list[Any]], dict[str, Any]]]:
    """Return a table of every kind of data that has items, and how it is read."""
    rng = np.random.default_rng(8)
    n = 240
    kind = rng.choice(["x", "y", "z"], n)
    classes = rng.choice(["p", "q", "r"], n)
    said = [np.where(rng.random(n) < right, classes, rng.choice(["p", "q", "r"], n)) for right in (0.8, 0.6)]
    flags = rng.random(n) < 0.4
    sets = [[";".join(sorted({label, *(["w"] if other else [])})) for label, other in zip(each, flags, strict=True)]
            for each in (classes, *said)]  # fmt: skip
    numbers = [flags + rng.normal(0, 1, n), flags + rng.normal(0, 2, n)]
    beside = {"kind": kind.tolist(), "doc": rng.integers(0, 60, n).tolist()}
    labels = {"gold": classes.tolist(), "a": said[0].tolist(), "b": said[1].tolist(), **beside}
    scores = {"gold": flags.astype(int).tolist(), "a": numbers[0].tolist(), "b": numbers[1].tolist(), **beside}
    sets_of = dict(zip(("gold", "a", "b"), sets, strict=True))
    of = {"truth": "gold", "systems": ["a", "b"]}
    return {
        "averages": (labels, {**of, "measure": "macro_f1", "draws": 2_000}),
        "groups": (labels, {**of, "measure": "accuracy", "group": "doc"}),
        "many labels": (
            sets_of | beside,
            {**of, "separator": ";", "draws": 2_000},
        ),
        "scores": (scores, {**of, "scores": True, "measure": "auc", "draws": 2_000}),
        "results": (scores, {"systems": ["a", "b"], "scores": True}),
        "results in groups": (scores, {"systems": ["a", "b"], "scores": True, "group": "doc"}),
    }


KINDS = _other_kinds()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_data_with_items_has_slices(kind: str) -> None:
    """Averages, groups, many labels, scores and results: a slice is what its rows give by themselves."""
    table, asked = KINDS[kind]
    found = oc.compare(table, by="kind", **asked)
    whole = oc.compare(table, **{**asked, "systems": ["a", "b"]})
    alone = oc.compare(rows_where(table, "kind", "y"), **asked)
    rows = [row for row in found.rows if row.slice is not None and row.slice.name == "y"]

    assert [row.observed for row in found.rows if row.is_whole] == pytest.approx([row.observed for row in whole.rows])
    assert [row.observed for row in rows] == pytest.approx([row.observed for row in alone.rows])
    assert [row.difference.std for row in rows] == pytest.approx([row.difference.std for row in alone.rows], rel=0.1)
    assert all(row.slice is not None and row.slice.pooled is not None for row in rows)
    assert len(found.families) == len(alone.rows)
    evaluated = oc.evaluate(table, by="kind", **asked)
    assert {row.part for row in evaluated.rows} == {"all items", "kind: x", "kind: y", "kind: z"}


def test_a_slice_without_an_answer_says_why() -> None:
    """A slice of one class, which AUC needs two of, is shown as unknown with the reason, and the others stay."""
    table, asked = KINDS["scores"]
    table = {**table, "kind": ["w" if gold and row < 60 else own for row, (gold, own) in
                               enumerate(zip(table["gold"], table["kind"], strict=True))]}  # fmt: skip
    found = oc.compare(table, by="kind", **asked)
    row = next(row for row in found.rows if row.slice is not None and row.slice.name == "w")

    assert np.isnan(row.difference.mean)
    assert [each.code for each in row.findings] == ["OC602"]
    assert "undefined" in found.to_text() or "w" in found.to_text()
    assert found.to_html()


def test_answers_survive_json_and_tables(by_lang: Comparison) -> None:
    """JSON holds slices, raw and pooled, and what they come to; CSV has them as columns; text fits in 80 letters."""
    again = Comparison.from_json(by_lang.to_json())
    plain = json.loads(by_lang.to_json())["comparisons"][3]["slice"]
    lines = list(csv.DictReader(by_lang.to_csv().splitlines()))

    assert again.rows == by_lang.rows
    assert again.families == by_lang.families
    assert set(plain["pooled"]) == {"difference", "below_rope", "above_rope", "verdict"}
    assert [line["slice"] for line in lines] == ["all items", *LANGS]
    assert float(lines[3]["pooled_mean"]) == by_lang.rows[3].pooled.difference.mean
    assert max(map(len, by_lang.to_text().splitlines())) <= 80
    assert "Δ pooled" in by_lang.to_markdown()
    assert "pooled" in by_lang.to_latex()


def test_sensitivity_by_slices(table: dict[str, list[Any]]) -> None:
    """Every slice is answered under every prior."""
    found = oc.sensitivity(table, by="lang", measure="accuracy", priors=["matched", "uniform"], **COLUMNS)

    assert [row.part for row in found.rows[::2]] == ["all items", *(f"lang: {lang}" for lang in LANGS)]
    assert {row.prior for row in found.rows} == {"matched", "uniform"}


def test_what_has_no_columns_has_no_slices() -> None:
    """Counts, and data that were read before, are one sentence."""
    known = oc.outcomes(table_of(50), **COLUMNS)

    with pytest.raises(InputError, match="have none"):
        oc.compare(known, by="lang")
    with pytest.raises(InputError, match="counts"):
        oc.compare(counts=[{"tp": 3, "fp": 1, "fn": 2}] * 2, by="lang")
    with pytest.raises(InputError, match="only be 'frequency' or 'label'"):
        oc.test(table_of(50), by="lang", **COLUMNS)


def test_columns_with_many_values_are_cut_where_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of values, DuckDB finds the same edges and months that the values give, and knows an id."""
    table = table_of(800)
    table["share"] = [place % 397 / 397 for place in range(800)]
    path = _written(table, tmp_path / "many.csv")
    by = ["share", "length:3", "day"]
    expected = read_by(path, by)
    monkeypatch.setattr("outclass.data.column_looks.MOST_FETCHED", 20)

    assert same_slices(read_by(path, by), expected)
    with pytest.raises(InputError, match="looks like an id"):
        read_by(path, ["id"])
    with pytest.raises(InputError, match="not all of its values are numbers"):
        read_by(path, ["id:3"])


def test_lazy_columns_with_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that is counted elsewhere sends no more than so many values, and otherwise a sentence."""
    monkeypatch.setattr("outclass.data.frames.MOST_VALUES", 20)

    with pytest.raises(InputError, match="cut it into bins in the table itself"):
        read_by(pl.LazyFrame(table_of(100)), ["length:3"])


def test_months_of_moments_are_those_of_utc() -> None:
    """Moments with a time zone fall into the month that they have in UTC."""
    table = table_of(60)
    local = pd.date_range("2024-01-31 20:00", periods=60, freq="7h", tz="America/New_York")
    frame = pd.DataFrame({**table, "when": local})
    expected = read_by({**table, "when": [each.to_pydatetime() for each in local]}, ["when"])

    assert expected.parts[0].name == "2024-02"
    assert same_slices(read_by(pl.from_pandas(frame), ["when"]), expected)
    assert same_slices(read_by(pl.from_pandas(frame).lazy(), ["when"]), expected)


@pytest.mark.parametrize("library", [pl.DataFrame, pl.LazyFrame])
def test_nan_is_in_no_bin(library: Callable[[Any], Any]) -> None:
    """A library in which NaN is above all numbers counts it as missing, as in memory, and not into the last bin."""
    table = table_of(400)
    table["weight"] = [float("nan") if place % 5 == 0 else place / 7 for place in range(400)]
    found = read_by(library(table), ["weight"])

    assert same_slices(found, read_by(table, ["weight"]))
    assert found.parts[-1].name == "(missing)"
