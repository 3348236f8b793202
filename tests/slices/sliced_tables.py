"""Tables with slices: a system that lost in one language, and one that only seems to have won."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
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


def columns_to_search(items: int = 2_000, seed: int = 5) -> dict[str, list[Any]]:
    """Make predictions to search for slices: the new system loses German web pages; columns of every type."""
    rng = np.random.default_rng(seed)
    lang, genre = rng.choice(["en", "de", "fr"], items), rng.choice(["web", "news", "mail"], items)
    gold = rng.random(items) < 0.4
    old = np.where(rng.random(items) < 0.12, ~gold, gold)
    new = np.where(rng.random(items) < 0.10, ~gold, gold)
    new = np.where((lang == "de") & (genre == "web") & (rng.random(items) < 0.5), ~gold, new)
    words = [np.where(each, "yes", "no").tolist() for each in (gold, old, new)]
    words[2][3], words[1][8], words[0][9] = None, "  ", None
    seconds = rng.integers(0, 300 * 86_400, items).tolist()
    return {
        "id": [f"item {place:06d}" for place in range(items)],
        "many": rng.integers(0, 3, items).tolist(),
        **dict(zip(("gold", "old", "new"), words, strict=True)),
        "lang": lang.tolist(),
        "length": [None if each % 41 == 0 else each for each in rng.integers(3, 400, items).tolist()],
        "score": [float("nan") if each < 0.01 else each for each in rng.random(items).tolist()],
        "price": [Decimal(each) / 8 for each in rng.integers(0, 900, items).tolist()],
        'the "genre"': genre.tolist(),
        "day": [date(2024, 1, 1) + timedelta(days=each) for each in rng.integers(0, 250, items).tolist()],
        "at": [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=each) for each in seconds],
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
