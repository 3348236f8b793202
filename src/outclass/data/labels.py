"""Labels as users write them, made comparable: bool, whole numbers or text."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any, Final

from outclass.errors import InputError, quoted

Label = bool | int | str

# As a program writes whole numbers; "01" is a code, and not the number 1.
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]{0,37})(\.0*)?")
_LARGEST: Final = 10**38
_MOST_DIGITS: Final = 4_000  # beyond them a number is not written out: a Decimal may have a million zeros
# How programs write numbers that are large or small: 1e16, 1e-7.
_POWER: Final = re.compile(r"-?[1-9](\.\d+)?[eE](\+?(1[6-9]|[2-9]\d|[12]\d\d)|-\d{1,2})")
_MIDNIGHT: Final = re.compile(r"(\d{4}-\d\d-\d\d)[ T]00:00:00(\.0+)?")
_ZONED: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)")
_FRACTION: Final = re.compile(r"[+-]?\d*\.\d*[1-9]\d*([eE][+-]?\d+)?|[+-]?\d+[eE]-\d+|[+-]?inf")
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


def normal(value: Any, *, column: str = "") -> Label:
    """Turn one value that is not missing into a label, whichever reader it comes from and whatever stands beside it.

    1, 1.0, "1" and "1.0" are one label, and so are True, "true" and "TRUE"; "01" is text. As in Python, True equals 1.
    Numbers that are not whole, or have more than 38 digits, are the text that a program writes; a Decimal is exact.
    """
    if isinstance(value, list | set | tuple | frozenset | dict):
        raise InputError(f"{_place(column)} holds {quoted([value])}: several labels per item. Use ⟨separator=;⟩.")
    if isinstance(value, bytes | bytearray):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{_place(column)} holds {value!r}, which is not UTF-8 text. Decode it first.") from None
    elif hasattr(value, "item") and not hasattr(value, "__len__"):
        value = _of_numpy(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _of_text(value.strip())
    if isinstance(value, int):
        return int(value) if abs(value) < _LARGEST else str(value)
    if isinstance(value, Decimal) and value.is_finite():
        return _of_decimal(value)
    if isinstance(value, datetime):
        return _of_moment(value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)
    return _of_float(number)


def _place(column: str) -> str:
    return f"column {quoted([column])}" if column else "a column of labels"


def _of_text(text: str) -> Label:
    if _WHOLE.fullmatch(text):
        return int(text.partition(".")[0])
    if _POWER.fullmatch(text):
        return _of_float(float(text))
    if day := _MIDNIGHT.fullmatch(text):
        return day[1]
    if _ZONED.fullmatch(text):
        try:
            return _of_moment(datetime.fromisoformat(text))
        except ValueError:  # the 32nd of a month
            return text
    return _BOOLS.get(text.lower(), text)


def _of_numpy(value: Any) -> Any:
    own = value.item()
    if not isinstance(own, int) or getattr(getattr(value, "dtype", None), "kind", "") != "M":
        return own
    # Python's moments have no nanoseconds, so that NumPy gives their number.
    shorter = value.astype("datetime64[us]")
    return shorter.item() if shorter == value else str(value).replace("T", " ")


def _of_moment(value: datetime) -> str:
    """Return a moment as text; in a time zone, as that in UTC: files do not keep the zone, but the moment."""
    if value.tzinfo is not None:
        try:
            return str(value.astimezone(UTC))
        except (OverflowError, ValueError):  # in the first or the last year
            return str(value)
    whole = value.time() == time.min and not getattr(value, "nanosecond", 0)  # which pandas has
    return str(value.date() if whole else value)  # a day is written without its first second


def _of_float(number: float) -> Label:
    return int(number) if abs(number) < _LARGEST and number == int(number) else repr(number)


def _of_decimal(value: Decimal) -> Label:
    """Return the label of an exact number; as a float, ids of more than 15 digits would be one."""
    if abs(value.adjusted()) > _MOST_DIGITS:
        return str(value)
    if value == value.to_integral_value():
        return normal(int(value))
    return f"{value:f}".rstrip("0")


def label_of(value: Any) -> Label | None:
    """Return the label of a value, or None if it is missing."""
    return None if is_missing(value) else normal(value)


def name_of(value: Any) -> str:
    """Return what an item, a group or one of many labels is called, whichever reader it comes from."""
    return str(normal(value))


def normalised(columns: Sequence[Sequence[Any]], names: Sequence[str]) -> list[list[Label | None]]:
    """Return columns of labels, the truth first, as they are shown; None is a missing one."""
    found = [
        [None if is_missing(value) else normal(value, column=name) for value in column]
        for name, column in zip(names, columns, strict=True)
    ]
    _refuse_scores(names, found)
    shown = shown_as(label for column in found for label in column if label is not None)
    return [[None if label is None else shown[label] for label in column] for column in found]


def shown_as(labels: Iterable[Label]) -> dict[Label, Label]:
    """Return how to show each label beside the others: all as numbers, all as true or false, or all as text.

    Which labels are the same does not depend on the others. Labels that were shown before, in a smaller table, are
    shown as if they had all been read together, once they are `normal` again.
    """
    found = list(labels)
    kinds = {type(label) for label in found}
    if str in kinds:
        # Beside a 1 or a 0, True and False are these.
        return {label: str(int(label) if int in kinds and isinstance(label, bool) else label) for label in found}
    return {label: label if kinds == {bool} else int(label) for label in found}


def relabelled(parts: Sequence[Sequence[Label]]) -> tuple[tuple[Label, ...], list[list[int]]]:
    """Return the labels of several tables as of one, and the code of each table's labels among them."""
    own = [[normal(label) for label in labels] for labels in parts]
    shown = shown_as(label for labels in own for label in labels)
    whole = ordered(shown.values())
    place = {label: code for code, label in enumerate(whole)}
    return whole, [[place[shown[label]] for label in labels] for labels in own]


def _refuse_scores(names: Sequence[str], columns: Sequence[Sequence[Label | None]]) -> None:
    """Refuse fractions, unless the truth and a system share some: labels such as 4.5 stars."""
    truth, *systems = [{label for label in column if is_fraction(label)} for column in columns]
    for name, said in zip(names[1:], systems, strict=True):
        if said - truth:
            raise looks_like_a_score(name, min(said - truth, key=str))
    if truth and systems and not truth & set().union(*systems):
        raise looks_like_a_score(names[0], min(truth, key=str))


def is_fraction(label: Label | None) -> bool:
    """Return whether a label is a number that is not whole."""
    return isinstance(label, str) and _FRACTION.fullmatch(label) is not None


def looks_like_a_score(column: str, value: object) -> InputError:
    """Build the error for a number where a label should be."""
    return InputError(
        f"column {quoted([column])} holds {quoted([value])}, which looks like a score, not a label. "
        "Apply a threshold first (for instance score > 0.5), or compare the scores themselves (⟨scores=True⟩)."
    )


def ordered(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sort distinct labels of one type."""
    return tuple(sorted(set(labels), key=lambda label: (isinstance(label, str), label)))


def word(value: Any) -> str:
    """Return a value as the word by which columns are told to hold the same labels, however these are spelt."""
    label = normal(value)
    return str(int(label) if isinstance(label, bool) else label).casefold()


def find(wanted: Any, labels: Sequence[Label]) -> Label:
    """Find the label a user names, whether as a value or as text."""
    text = str(wanted).strip()
    exact = [label for label in labels if normal(label) == normal(wanted)]
    for matches in (exact, [label for label in labels if str(label).casefold() == text.casefold()]):
        if len(matches) == 1:
            return matches[0]
    raise InputError(
        f"positive label {quoted([text])} does not occur. The labels are {quoted(labels)}; choose one of them as the "
        "positive label (⟨positive=LABEL⟩)."
    )


def positive_of(labels: Sequence[Label]) -> Label | None:
    """Return the label that is plainly the positive one of two, or None if that is for the user to say."""
    lowered = {label.lower() if isinstance(label, str) else label: label for label in labels}
    for negative, positive in _PLAIN_PAIRS:
        same_type = all(isinstance(label, str) == isinstance(positive, str) for label in labels)
        if same_type and positive in lowered and set(lowered) <= {negative, positive}:
            return lowered[positive]
    return None
