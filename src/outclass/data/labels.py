"""Labels as users write them, made comparable: bool, whole numbers or text."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from outclass.errors import InputError, quoted

Label = bool | int | str

# As a program writes whole numbers; "01" is a code, and not the number 1.
_WHOLE: Final = re.compile(r"-?(0|[1-9]\d{0,17})(\.0*)?")
_FRACTION: Final = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?|[+-]?\d+[eE]-\d+")
_BOOLS: Final = {"true": True, "false": False}
# Pairs of labels whose positive is plain, lower case: (negative, positive).
_PLAIN_PAIRS: Final = (
    (False, True),
    (0, 1),
    (-1, 1),
    ("no", "yes"),
    ("n", "y"),
    ("f", "t"),
    ("neg", "pos"),
    ("negative", "positive"),
    ("-", "+"),
    ("ham", "spam"),
    ("incorrect", "correct"),
    ("wrong", "right"),
    ("fail", "pass"),
    ("irrelevant", "relevant"),
)


def is_missing(value: Any) -> bool:
    """Return whether a value stands for no label: None, nan, NA, or empty text."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return True
    if isinstance(value, bool | int | str):
        return False
    # NaN, NaT and pandas.NA have in common that they do not equal themselves (NA answers neither yes nor no).
    try:
        return not bool(value == value)  # noqa: PLR0124  that is the question
    except (TypeError, ValueError, ArithmeticError):  # the last of a Decimal that is a signalling NaN
        return True


def canonical(value: Any, *, column: str) -> Label:
    """Turn one value that is not missing into a label."""
    if isinstance(value, list | set | tuple | frozenset | dict):
        raise InputError(
            f"column {quoted([column])} holds {quoted([value])}: many labels an item. Use test, compare or rank with "
            "separator=';' (--separator) on a table, or outclass.data.multilabel.from_lists."
        )
    if isinstance(value, bytes):
        value = value.decode("utf-8", errors="replace")
    if isinstance(value, bool | str):
        return value.strip() if isinstance(value, str) else value
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
        if isinstance(value, bool):
            return value
    if isinstance(value, int):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)
    if math.isfinite(number) and number == int(number):
        return int(number)
    raise _score(column, value)


def _score(column: str, value: object) -> InputError:
    return InputError(
        f"column {quoted([column])} holds {quoted([value])}, which looks like a score, not a label. "
        "Turn scores into labels with a threshold first (for instance score > 0.5), or test them as they are "
        "(outclass test --scores)."
    )


def refuse_scores(name: str, column: Sequence[Label | None], truth: Sequence[Label | None]) -> None:
    """Refuse predictions that are fractions in text, unless such labels are true of some item."""
    true = set(truth)
    for label in column:
        if isinstance(label, str) and label not in true and _FRACTION.fullmatch(label) and float(label) % 1:
            raise _score(name, label)


def harmonised(columns: Sequence[Sequence[Label | None]]) -> tuple[list[list[Label | None]], bool]:
    """Bring the labels of all columns to one type; return them, and whether types had to be mixed as text.

    Text that is all whole numbers (as in a CSV file) becomes numbers, so that 1, "1" and "1.0" are one label.
    """
    present = {(type(label), label) for column in columns for label in column if label is not None}
    kinds = {kind for kind, _ in present}
    if kinds <= {int} or kinds <= {bool}:
        return [list(column) for column in columns], False
    if kinds <= {int, bool}:
        return [_mapped(column, int) for column in columns], False
    words = {_as_text(label) for _, label in present}
    if all(_WHOLE.fullmatch(word) for word in words):
        return [_mapped(column, lambda label: int(_as_text(label).partition(".")[0])) for column in columns], False
    if all(word.lower() in _BOOLS for word in words):
        return [_mapped(column, lambda label: _BOOLS[_as_text(label).lower()]) for column in columns], False
    if all(word.lower() in _BOOLS or word in ("0", "1") for word in words):
        return [_mapped(column, _zero_or_one) for column in columns], False
    return [_mapped(column, _as_text) for column in columns], len(kinds) > 1


def _mapped(column: Sequence[Label | None], to: Any) -> list[Label | None]:
    return [None if label is None else to(label) for label in column]


def _as_text(label: Label) -> str:
    return label if isinstance(label, str) else str(label)


def _zero_or_one(label: Label) -> int:
    word = _as_text(label).lower()
    return int(_BOOLS.get(word, word == "1"))


def ordered(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sort distinct labels of one type."""
    return tuple(sorted(set(labels), key=lambda label: (isinstance(label, str), label)))


def word(value: Any) -> str:
    """Return a value as the word by which labels of different types are compared: 1, "1.0" and True are one."""
    text = str(value).strip().casefold()
    if text in _BOOLS:
        return str(int(_BOOLS[text]))
    return str(int(text.partition(".")[0])) if _WHOLE.fullmatch(text) else text


def find(wanted: Any, labels: Sequence[Label]) -> Label:
    """Find the label a user names, whether as a value or as text."""
    for label in labels:
        if type(label) is type(wanted) and label == wanted:
            return label
    text = str(wanted).strip()
    exact = [label for label in labels if str(label) == text]
    for matches in (exact, [label for label in labels if str(label).casefold() == text.casefold()]):
        if len(matches) == 1:
            return matches[0]
    if isinstance(wanted, bool) or text.lower() in _BOOLS:
        number = int(_BOOLS.get(text.lower(), bool(wanted)))
        if set(labels) <= {0, 1} and number in labels:
            return number
    raise InputError(
        f"positive label {quoted([text])} does not occur. The labels are {quoted(labels)}; "
        "pick one of them as the positive (--positive)."
    )


def positive_of(labels: Sequence[Label]) -> Label | None:
    """Return the label that is plainly the positive one of two, or None if that is for the user to say."""
    lowered = {label.lower() if isinstance(label, str) else label: label for label in labels}
    for negative, positive in _PLAIN_PAIRS:
        same_type = all(isinstance(label, str) == isinstance(positive, str) for label in labels)
        if same_type and positive in lowered and set(lowered) <= {negative, positive}:
            return lowered[positive]
    return None
