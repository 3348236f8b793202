"""Counting by columns, by pairs and by systems: the same numbers as by rows and label by label."""

import csv
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import outclass as oc
from outclass.data import distinct as module
from outclass.data.counting import WIDE
from outclass.data.outcomes import Outcomes


def rows_of(items: int, systems: int, labels: int, missing: float = 0.0, seed: int = 7) -> list[list[Any]]:
    """Return rows of labels, the truth first; some predictions are missing."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, labels, (items, systems + 1)).tolist()
    gone = rng.random((items, systems)) < missing
    both = zip(drawn, gone, strict=True)
    return [[row[0], *(None if out else said for said, out in zip(row[1:], lost, strict=True))] for row, lost in both]


def names_of(systems: int) -> tuple[str, ...]:
    return tuple(f"s{at}" for at in range(systems))


def write(path: Path, names: tuple[str, ...], rows: list[list[Any]]) -> Path:
    """Write a CSV file; a missing label is an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["truth", *names])
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return path


@pytest.mark.parametrize("systems", [2, WIDE + 20])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_a_file_is_counted_as_its_rows(tmp_path: Path, systems: int, missing: float) -> None:
    """A narrow table, which DuckDB groups, and a wide one, which it does not, give the outcomes of their rows."""
    rows, names = rows_of(300, systems, 3, missing), names_of(systems)

    found = oc.read(write(tmp_path / "t.csv", names, rows), truth="truth", missing="wrong")

    assert found == Outcomes.of_rows(names, rows, [1] * len(rows))


def test_columns_fetched_one_after_the_other_stay_in_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few cells are fetched at a time, the labels of an item stay together."""
    rows = rows_of(5_000, 6, 4)
    path = write(tmp_path / "t.csv", names_of(6), rows)
    monkeypatch.setattr("outclass.data.counting.FETCHED", 1)

    assert oc.read(path, truth="truth") == Outcomes.of_rows(names_of(6), rows, [1] * len(rows))


@pytest.mark.parametrize(
    "kind", ["BOOLEAN", "TINYINT", "BIGINT", "UBIGINT", "HUGEINT", "DOUBLE", "DECIMAL(4,1)", "VARCHAR"]
)
def test_every_type_of_parquet_is_counted_alike(tmp_path: Path, kind: str) -> None:
    """Types that NumPy holds exactly and those that it does not give the same counts; NULL is a missing label."""
    path = tmp_path / "t.parquet"
    values = "(1, 1, 0), (0, 0, 1), (1, NULL, 1), (0, 1, 0), (1, 1, 0)"
    columns = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name in ("truth", "a", "b"))
    duckdb.sql(f"COPY (SELECT {columns} FROM (VALUES {values}) t(truth, a, b)) TO '{path}' (FORMAT parquet)")

    found = oc.read(path, truth="truth", systems=["a", "b"], missing="drop")

    assert found.items == 4
    assert sorted(found.counts.tolist()) == [1, 1, 2]
    assert [finding.code for finding in found.findings] == ["OC101"]


@pytest.mark.parametrize("limit", [0, 1 << 20])
def test_distinct_rows_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """Rows counted in a table, or sorted as packed numbers, are the distinct rows in their order, with their sums."""
    monkeypatch.setattr(module, "MOST_CELLS", limit)
    rng = np.random.default_rng(3)
    for columns, labels in ((3, 4), (4, 70_000), (60, 3)):
        patterns = rng.integers(-1, labels, (2_000, columns))
        patterns[1_000:] = patterns[:1_000]
        counts = rng.integers(0, 4, 2_000)

        found = Outcomes._merged(names_of(columns - 1), tuple(range(labels)), patterns, counts, ())

        distinct, place = np.unique(patterns, axis=0, return_inverse=True)
        summed = np.bincount(place.ravel(), weights=counts).astype(int)
        assert np.array_equal(found.patterns, distinct[summed > 0])
        assert np.array_equal(found.counts, summed[summed > 0])


@pytest.mark.parametrize("labels", [1, 2, 3, 40])
def test_tables_of_all_labels_are_those_of_each(labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass over the patterns counts for every label what comparing item by item counts, missing ones as well."""
    monkeypatch.setattr(module, "FEW_ROWS", 50)  # so that a pair of three systems is selected first
    rows = rows_of(200, 3, labels, missing=0.2)
    outcomes = Outcomes.of_rows(("a", "b", "c"), rows, [1] * 200)

    for a, b in [*combinations(outcomes.systems, 2), ("c", "c")]:
        for label, joint in zip(outcomes.labels, outcomes.joints(a, b), strict=True):
            true, by_a = outcomes.said(a, label)
            _, by_b = outcomes.said(b, label)
            cell = np.where(true, 0, 4) + np.where(by_a, 0, 2) + np.where(by_b, 0, 1)
            expected = np.bincount(cell, weights=outcomes.counts, minlength=8).reshape(2, 4)
            assert np.array_equal(joint, expected)
            assert np.array_equal(outcomes.joint(a, b, label), expected)
            own = np.array([[expected[row, :2].sum(), expected[row, 2:].sum()] for row in (0, 1)])
            assert np.array_equal(outcomes.table(a, label), own)


def test_an_empty_table_has_no_outcomes() -> None:
    """No rows are no patterns, rather than an error of an index."""
    found = Outcomes.of_rows(("a",), [], [])

    assert found.items == 0
    assert found.patterns.shape == (0, 2)
