"""A state of any batches, in any order, is the state of all their rows: for odd labels and every kind of data."""

import csv
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import outclass as oc
from outclass.ask.read import read
from outclass.data import saved

# Each pool holds labels that are read otherwise, or shown otherwise, beside one another.
POOLS: tuple[tuple[Any, ...], ...] = (
    (1.0, 0.0, "maybe"),
    (True, False, "unknown"),
    ("true", "FALSE", "True", False),
    (1, 2, "other", 2.0, "2"),
    ("01", "1", 1.0, "1.0", "1.", 7),
    (True, 1, "1", "no"),
    (True, False, 0, 1, 2),
    (date(2024, 1, 2), datetime(2024, 1, 2), "2024-01-02", "2024-01-03", 3),
    (10**16, "10000000000000000", "1e+16", 10**40),
    (" x", "x ", "x", "ÄÖ", "nan", "None"),
)
EMPTY: tuple[Any, ...] = (None, float("nan"), "", "  ")


def column(rng: random.Random, pool: Sequence[Any], size: int, empty: float = 0.0) -> list[Any]:
    """Return random values of a pool after its first."""
    return [pool[0], *(rng.choice(EMPTY) if rng.random() < empty else rng.choice(pool) for _ in range(size))]


def labels(rng: random.Random, size: int, pools: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    pool = rng.choice(pools)
    return {name: column(rng, pool, size, 0.1 * (name != "gold")) for name in ("gold", "a", "b")}


def groups(rng: random.Random, size: int, pools: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    return labels(rng, size, pools) | {"doc": column(rng, rng.choice(pools), size)}


def documents(rng: random.Random, size: int, pools: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    pool = rng.choice(pools)
    return {
        name: [[pool[0]], *(rng.sample(pool, rng.randint(0, 2)) for _ in range(size))] for name in ("gold", "a", "b")
    }


def scores(rng: random.Random, size: int, pools: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    truth = rng.choice([(1, 0), ("1", "0"), (1.0, 0.0), (True, False), ("true", 0), ("1.0", False)])
    return {"gold": [*truth, *column(rng, truth, size)]} | {
        name: [round(rng.random(), 2) for _ in range(size + 3)] for name in "ab"
    }


NAMED: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"]}
KINDS: dict[str, tuple[Callable[..., dict[str, list[Any]]], dict[str, Any]]] = {
    "labels": (labels, NAMED | {"missing": "wrong"}),
    "groups": (groups, NAMED | {"group": "doc", "missing": "drop"}),
    "documents": (documents, NAMED),
    "scores": (scores, NAMED | {"scores": True, "positive": 1}),
}


def union(batches: Sequence[Mapping[str, list[Any]]]) -> dict[str, list[Any]]:
    return {name: [value for batch in batches for value in batch[name]] for name in batches[0]}


@pytest.mark.parametrize("kind", KINDS)
def test_any_batches_are_their_union(kind: str) -> None:
    """150 random sequences of batches, each saved and read back between: the bytes are those of all rows at once."""
    made, how = KINDS[kind]
    rng = random.Random(11)
    for _ in range(150):
        pools = rng.sample(POOLS, rng.randint(1, 3))
        batches = [made(rng, rng.randint(1, 8), pools) for _ in range(rng.randint(2, 5))]
        whole = saved.to_json(saved.added(None, read(union(batches), **how), new_labels=False))
        rng.shuffle(batches)
        state = None
        for batch in batches:
            state = saved.from_json(saved.to_json(saved.added(state, read(batch, **how), new_labels=kind != "scores")))

        assert saved.to_json(state) == whole, batches


SEQUENCES: tuple[tuple[Sequence[Any], ...], ...] = (
    ((1.0, 0.0), (1.0, "maybe")),
    ((True, False), ("unknown", True)),
    ((1, 2), ("other", 1)),
    (("01", "1"), (1.0, 7)),
    ((True, 1), (False, "x")),
    ((date(2024, 1, 2), "2024-01-03"), ("2024-01-02", 3)),
)


@pytest.mark.parametrize("pools", SEQUENCES)
def test_files_and_their_union(pools: Sequence[Sequence[Any]], tmp_path: Path) -> None:
    """Through CSV and `update`, in both orders: the bytes of the state, and every number of the comparison."""
    rng = random.Random(3)
    for at, pool in enumerate(pools):
        columns = {name: [*pool, *(rng.choice(pool) for _ in range(20))] for name in ("gold", "a", "b")}
        with (tmp_path / f"{at}.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows([columns, *zip(*columns.values(), strict=True)])
    rows = [(tmp_path / f"{at}.csv").read_text().splitlines(keepends=True) for at in range(len(pools))]
    (tmp_path / "all.csv").write_text("".join([rows[0][0], *(line for own in rows for line in own[1:])]))
    oc.update(tmp_path / "whole.json", tmp_path / "all.csv", truth="gold")
    for order in ((0, 1), (1, 0)):
        state = tmp_path / f"{order[0]}.json"
        for at in order:
            oc.update(state, tmp_path / f"{at}.csv", truth="gold", new_labels=True)

        assert state.read_bytes() == (tmp_path / "whole.json").read_bytes()
    found = oc.compare(tmp_path / "0.json", model="sign")
    whole = oc.compare(tmp_path / "all.csv", truth="gold", model="sign")
    assert found.to_json() == whole.to_json()
