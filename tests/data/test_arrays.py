"""Counting arrays of every type, part by part, against a plain loop."""

import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outclass.data import arrays
from outclass.data.arrays import from_arrays
from outclass.data.coding import PART
from outclass.errors import InputError

TYPES = {
    "bool": lambda codes: codes % 2 == 0,
    "int8": lambda codes: (codes - 3).astype(np.int8),
    "uint8": lambda codes: codes.astype(np.uint8) + np.uint8(250),
    "int16, both ends": lambda codes: np.array([-32768, 32767, 0, 5, 7, 9])[codes].astype(np.int16),
    "int64, far apart": lambda codes: np.array([-(2**62), 0, 1, 7, 10**12, 2**62])[codes],
    "uint64, beyond int64": lambda codes: codes.astype(np.uint64) + np.uint64(2**64 - 10),
    "float": lambda codes: codes.astype(np.float32),
    "text": lambda codes: np.array(["ant", "bee", "cat", "dog ", "eel", "fox"])[codes],
    "bytes": lambda codes: np.array([b"a", b"bb", b"c", b"d", b"e", b"f"])[codes],
    "objects": lambda codes: np.array(["a", "bb", "c", "d", "e", "f"], dtype=object)[codes],
}


def _plain(columns: list[np.ndarray]) -> Counter[tuple[Any, ...]]:
    """Count by a loop, labels as they are compared: text without blanks at its ends, bytes as text."""

    def label(value: Any) -> Any:
        value = value.decode() if isinstance(value, bytes) else value
        return value.strip() if isinstance(value, str) else int(value)

    return Counter(tuple(label(value) for value in row) for row in zip(*(c.tolist() for c in columns), strict=True))


def _counted(columns: list[np.ndarray], **options: Any) -> Counter[tuple[Any, ...]]:
    found = from_arrays(columns[0], {f"s{place}": column for place, column in enumerate(columns[1:])}, **options)
    rows = [tuple(found.labels[code] for code in row) for row in found.patterns]
    return Counter(dict(zip(rows, found.counts.tolist(), strict=True)))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("systems", [2, 3])
def test_every_type(name: str, systems: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts are those of a plain loop, over many parts and with labels that turn up late."""
    monkeypatch.setattr(arrays, "PART", 7)
    rng = np.random.default_rng(systems)
    codes = np.minimum(rng.integers(0, 6, (1 + systems, 100)), np.arange(100) // 15)
    columns = [TYPES[name](column) for column in codes]

    assert _counted(columns) == _plain(columns)


@pytest.mark.parametrize("most", [0, 1 << 16])
def test_with_and_without_a_table_of_all_rows(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all rows there could be are too many for a table, distinct rows are sorted out instead."""
    monkeypatch.setattr(arrays, "MOST_CELLS", most)
    monkeypatch.setattr(arrays, "PART", 1 << 13)
    rng = np.random.default_rng(0)
    columns = list(rng.integers(0, 30, (4, 3 * (1 << 13) + 5)))

    assert _counted(columns) == _plain(columns)


def test_very_many_systems() -> None:
    """Rows whose packed number would not fit into 64 bits."""
    columns = list(np.random.default_rng(0).integers(0, 4, (40, 500)))

    assert _counted(columns) == _plain(columns)


@pytest.mark.parametrize(("labels", "systems"), [(60, 9), (100, 8), (1000, 5), (20, 12), (3, 39)])
@pytest.mark.parametrize("kind", ["U8", object, np.int64, np.float64])
def test_rows_packed_into_many_bits(labels: int, systems: int, kind: Any) -> None:
    """Between 2**53 and 2**63 possible rows, where floating-point numbers would no longer tell them apart."""
    codes = np.random.default_rng(1).integers(0, labels, (1 + systems, 2_000))
    columns = list(codes.astype(kind) if kind in (np.int64, np.float64) else (codes + 100).astype("U8").astype(kind))
    if kind == np.int64:
        columns = [column * 10**9 for column in columns]  # too far apart to be their own codes
    plain = Counter(tuple(map(int, row)) for row in zip(*columns, strict=True))

    assert _counted(columns) == plain


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", "", None, " b ", float("nan")])] * 3), min_size=1, max_size=40))
def test_missing_labels(rows: list[tuple[Any, ...]]) -> None:
    """None, NaN and blanks are no labels, in whatever order they come."""
    kept = [row for row in rows if all(isinstance(value, str) and value.strip() for value in row)]
    columns = [np.array(column, dtype=object) for column in zip(*rows, strict=True)]
    if kept:
        plain = Counter(tuple(value.strip() for value in row) for row in kept)

        assert _counted(columns, missing="drop") == plain
    if len(kept) < len(rows):
        first = next(at for at, row in enumerate(rows) if row not in kept)
        with pytest.raises(InputError, match=f"{len(rows) - len(kept)} of {len(rows)} items .*\\n  item {first}:"):
            _counted(columns)


def test_missing_numbers() -> None:
    """NaN among whole numbers is missing, and told by its place; fractions are scores."""
    truth, said = np.array([0.0, 1.0] * PART), np.array([0.0, 1.0] * PART)
    said[PART + 3] = np.nan

    with pytest.raises(InputError, match=rf"1 of 131,072 items .*\n  item {PART + 3}: no label in 'A'\n"):
        from_arrays(truth, {"A": said, "B": truth})
    with pytest.raises(InputError, match=r"0\.25.*looks like a score"):
        from_arrays(truth, {"A": truth / 4, "B": truth})


def test_memory() -> None:
    """What counting takes besides the arrays does not grow with them: a part's codes, whatever their number."""
    peaks = []
    for items in (1_000_000, 8_000_000):
        columns = [np.zeros(items, dtype=np.int64) for _ in range(3)]
        tracemalloc.start()
        from_arrays(columns[0], {"A": columns[1], "B": columns[2]})
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert max(peaks) < 4_000_000  # bytes; one array of codes of 8 million items would be 64 million
