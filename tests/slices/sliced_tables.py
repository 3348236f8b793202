"""Tables with slices: a system that lost in one language, and one that only seems to have won."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from outclass.ask.question import Wishes
from outclass.ask.sliced import read_sliced
from outclass.data.slicing import Sliced

COLUMNS: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"]}
LANGS = ("de", "en", "fr", "it", "sw")


def table_of(items: int = 1_500, seed: int = 3) -> dict[str, list[Any]]:
    """Make predictions of two systems, of which the new one loses in French."""
    rng = np.random.default_rng(seed)
    lang = rng.choice(LANGS, items, p=[0.3, 0.4, 0.2, 0.085, 0.015])
    truth = rng.random(items) < 0.35
    old = np.where(rng.random(items) < 0.85, truth, ~truth)
    new = np.where(rng.random(items) < np.where(lang == "fr", 0.62, 0.88), truth, ~truth)
    days = np.datetime64("2024-01-15") + rng.integers(0, 100, items)
    return {
        "id": [f"item {place}" for place in range(items)],
        "gold": truth.astype(int).tolist(),
        "old": old.astype(int).tolist(),
        "new": new.astype(int).tolist(),
        "lang": lang.tolist(),
        "length": rng.integers(3, 400, items).tolist(),
        "day": days.astype(str).tolist(),
    }


def rows_where(table: Mapping[str, list[Any]], column: str, value: Any) -> dict[str, list[Any]]:
    """Return the rows with one value of a column."""
    kept = [place for place, each in enumerate(table[column]) if each == value]
    return {name: [values[place] for place in kept] for name, values in table.items()}


def read_by(data: Any, by: list[str]) -> Sliced:
    """Count a table by slices."""
    return read_sliced(data, [], Wishes(by=by), COLUMNS)


def same_slices(found: Sliced, expected: Sliced) -> bool:
    """Return whether all items and every slice have the same counts, in the same order."""
    parts = [[(part.column, part.name, part.items) for part in each.parts] for each in (found, expected)]
    same = all(one.data == other.data for one, other in zip(found.parts, expected.parts, strict=True))
    return bool(found.whole == expected.whole and parts[0] == parts[1] and same)
