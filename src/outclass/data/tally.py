"""Counts that a user gives: whole numbers, not negative."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from outclass.errors import InputError, quoted, shown

MOST_ITEMS: Final = 10**18


def whole_counts(rows: Iterable[Sequence[Any]], column: str) -> list[int]:
    """Check the last entry of each row as a count and return them."""
    found = []
    for row in rows:
        value = row[-1]
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not (0 <= number <= MOST_ITEMS and number == int(number)):
            raise InputError(
                f"column {quoted([column])} must contain non-negative integers, got {shown(value)}. It gives the "
                "number of items that each row represents."
            )
        found.append(int(value) if isinstance(value, int) else int(number))
    return found
