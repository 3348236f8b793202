"""Scores: a number for every item and system, beside the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outclass.arrays import Floats
from outclass.data.columns import roles_of
from outclass.data.labels import canonical, find, is_missing, ordered, positive_of
from outclass.errors import InputError, quoted


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Which items are positive, and how every system scores each of them: the higher, the likelier positive."""

    truth: np.ndarray
    values: Mapping[str, Floats]


def scores_of(truth: Sequence[Any], values: Mapping[str, Sequence[Any]], positive: Any = None) -> Scores:
    """Take the truth and the scores of some systems, item by item."""
    if any(is_missing(label) for label in truth):
        raise InputError("the truth has missing labels; scores need the truth of every item.")
    labels = [canonical(label, column="truth") for label in truth]
    kinds = ordered(labels)
    chosen = find(positive, kinds) if positive is not None else positive_of(kinds)
    if chosen is None:
        raise InputError(f"which label is the positive one? The labels are {quoted(kinds)}; say --positive LABEL.")
    found = {}
    for name, column in values.items():
        if len(column) != len(labels):
            raise InputError(f"{quoted([name])} has {len(column):,} scores, the truth {len(labels):,} labels.")
        found[name] = np.array([_number(value, name) for value in column], dtype=float)
    return Scores(truth=np.array([label == chosen for label in labels]), values=found)


def read_scores(data: Any, *, truth: str | None, systems: Sequence[str] | None, positive: Any) -> Scores:
    """Read scores from a file or frame."""
    if isinstance(data, str | Path):
        from outclass.data.files import read_columns  # DuckDB is loaded for files only

        columns = read_columns(data)
    else:
        from outclass.data.frames import columns_of, is_frame  # Narwhals is loaded for frames only

        if not is_frame(data):
            raise InputError(f"cannot read scores from {type(data).__name__}; give a path or a dataframe.")
        columns = columns_of(data)
    roles = roles_of(list(columns), truth=truth, systems=systems, count=None, other=[], place="the table")
    kinds = [int(label) if str(label).strip() in ("0", "1") else label for label in columns[roles.truth]]
    return scores_of(kinds, {name: columns[name] for name in roles.systems}, positive)


def _number(value: Any, column: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if np.isnan(number):
        raise InputError(f"column {quoted([column])} holds {quoted([value])}, which is no score; scores are numbers.")
    return number
