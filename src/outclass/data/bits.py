"""Cells of a table of decisions: yes or no, in the ways that people write them."""

from typing import Any, Final

from outclass.data.labels import is_missing
from outclass.errors import InputError, quoted

YES: Final = frozenset({"1", "true", "yes", "y", "t", "1.0", "+", "pos", "positive"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "0.0", "-", "neg", "negative", "-1"})


def bit_of(value: Any, column: str) -> bool:
    """Return whether a cell says yes; an empty one says no."""
    if is_missing(value):
        return False
    text = str(value).strip().lower()
    if text not in YES and text not in NO:
        raise InputError(
            f"column {quoted([column])} holds {quoted([value])}; in a table of decisions (⟨item⟩, ⟨label⟩) every cell "
            "is 1 or 0."
        )
    return text in YES
