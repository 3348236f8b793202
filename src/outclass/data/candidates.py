"""Which columns that nobody named can be systems: not ids, texts, dates, scores or counts."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.data.columns import FIRST_ROWS
from outclass.data.labels import is_fraction, is_missing, looks_like_a_score, normal, word
from outclass.errors import InputError, quoted
from outclass.findings import Finding, finding

# What a column may be called that is no system.
ASIDE: Final = frozenset(("id", "item", "group", "fold", "repeat", "data_set", "dataset", "to_label"))
# And what one of whole numbers may be called that says how many items a row stands for: to leave it out would be wrong.
SIZES: Final = frozenset(("count", "counts", "items", "n", "freq", "frequency", "weight", "weights"))
FEW: Final = 5  # labels that are never true, which any system may predict
FEW_BEYOND_BINARY: Final = 2  # the same, as numbers beside 0 and 1
LEAST_IDS: Final = 3  # rows in which different numbers are taken for ids
SHOWN: Final = 2  # values of a column that was left out
LONGEST: Final = 24  # letters of each

Values = Callable[[str, int], Sequence[object]]  # distinct values of a column, from so many of its rows


class Candidates(NamedTuple):
    """The columns that can be systems, and what is to be said of the others."""

    systems: tuple[str, ...]
    findings: tuple[Finding, ...]


def candidates(values: Values, rows: int, truth: str, columns: Sequence[str]) -> Candidates:
    """Leave out the columns that cannot be systems; an error if none is left.

    Parameters
    ----------
    values
        Returns distinct values of a column, from so many of its rows.
    rows
        How many rows there are; of a long table, how many are looked at.
    truth, columns
        The column of the truth, and those that nobody named.
    """
    named = [name for name in columns if _called(name) in ASIDE]
    seen = {name: _present(values(name, FIRST_ROWS)) for name in columns if name not in named}
    labels = _present(values(truth, FIRST_ROWS))
    odd = _odd(seen, labels, rows)
    if odd:
        # In a table that is sorted by class the first rows hold one class alone.
        labels = _present(values(truth, 1 << 30))
        odd = _odd(seen, labels, rows)
    sound = tuple(name for name in columns if name in seen and name not in odd)
    _check_sizes(seen, odd)
    _check_mixed(seen, odd, labels, truth)
    if not sound:
        raise _none_left(odd, named, truth, labels)
    return _chosen(sound, columns)


def in_memory(columns: Mapping[str, Sequence[Any]], truth: str, names: Sequence[str]) -> Candidates:
    """Do the same for columns that are held whole."""
    listed = {name: _listed(columns[name]) for name in (truth, *names)}
    rows = min(len(listed[truth]), FIRST_ROWS)
    return candidates(lambda name, most: _distinct(listed[name][:most]), rows, truth, names)


def _distinct(values: Sequence[Any]) -> list[Any]:
    """Return each value once; what cannot be a label, such as a dict in a cell, as its text."""
    try:
        return list(dict.fromkeys(values))
    except TypeError:
        return list(dict.fromkeys(map(str, values)))


def numeric(columns: Mapping[str, Sequence[Any]], names: Sequence[str]) -> Candidates:
    """Leave out, of columns that should hold scores, those called like something else, texts, and numbers of rows."""
    named = [name for name in names if _called(name) in ASIDE]
    for name in names:
        if _called(name) in ("count", "counts"):
            raise InputError(f"column {quoted([name])} looks like counts; name the systems (⟨systems=COL⟩).")
    odd = [name for name in names if name in named or not _has_number(columns[name]) or _is_index(columns[name])]
    sound = tuple(name for name in names if name not in odd)
    if not sound and (texts := [name for name in odd if name not in named]):
        return Candidates(tuple(texts), ())  # whoever reads them says what is wrong
    if not sound:
        raise InputError(f"no column can be a system: there is {quoted(names)}. Name the systems (⟨systems=COL⟩).")
    return _chosen(sound, names)


def _chosen(sound: tuple[str, ...], columns: Sequence[str]) -> Candidates:
    left = [name for name in columns if name not in sound]
    if not left:
        return Candidates(sound, ())
    told = "column left out (not a system)" if len(left) == 1 else "columns left out (not systems)"
    return Candidates(sound, (finding("OC100", f"{told}: {quoted(left)}."),))


def _listed(column: Any) -> list[Any]:
    moments = getattr(getattr(column, "dtype", None), "kind", "") == "M"  # of which NumPy would make numbers
    return column.tolist() if hasattr(column, "tolist") and not moments else list(column)


def _called(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")


def _present(values: Sequence[object]) -> list[object]:
    return [value for value in values if not is_missing(value)]


def _has_number(column: Sequence[Any]) -> bool:
    """Return whether one of the first values is a number, or none is there that could tell."""
    present = [value for value in column[:FIRST_ROWS] if not is_missing(value)]
    for value in present:
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            continue
        return True
    return not present


def _is_index(column: Sequence[Any]) -> bool:
    """Return whether a column counts the rows."""
    first = list(column[:FIRST_ROWS])
    if len(first) < LEAST_IDS or any(map(is_missing, first)):
        return False
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # of infinite and of the largest numbers
            steps = np.diff(np.asarray(first, dtype=float))
    except (TypeError, ValueError, OverflowError):
        return False
    return bool((steps == 1).all()) and float(first[0]) in (0.0, 1.0)


def _odd(seen: Mapping[str, Sequence[object]], labels: Sequence[object], rows: int) -> dict[str, list[object]]:
    """Return the columns that hold something else than labels, with what they hold.

    A system may predict a few labels that are never true; an id or a text does little else.
    """
    known = {word(label) for label in labels}
    repeats = len(labels) < rows
    found = {}
    for name, values in seen.items():
        if not known or not values or (len(known) == 1 and len(values) <= 2):
            continue  # a small batch of one class tells nothing about its columns
        strange = [value for value in values if word(value) not in known]
        whole = all(type(normal(value)) is int for value in values)
        ids = whole and repeats and len(values) == rows >= LEAST_IDS and len(values) > len(known)
        few = FEW_BEYOND_BINARY if whole and known <= {"0", "1"} else max(2 * len(known), FEW)
        scores = any(is_fraction(normal(value)) for value in strange)
        if ids or scores or len(strange) == len(values) or len(strange) > few:
            found[name] = strange or list(values)
    return found


def _check_sizes(seen: Mapping[str, Sequence[object]], odd: Mapping[str, Sequence[object]]) -> None:
    """Refuse to leave out what may say how many items a row stands for."""
    for name, values in seen.items():
        called = _called(name)
        whole = bool(values) and all(type(normal(value)) is int for value in values)
        if whole and (called in ("count", "counts") or (called in SIZES and name in odd)):
            raise InputError(
                f"does column {quoted([name])} say how many items a row stands for? If so, say ⟨count={name}⟩; if not, "
                "name the systems (⟨systems=COL⟩)."
            )


def _check_mixed(
    seen: Mapping[str, Sequence[object]], odd: Mapping[str, Sequence[object]], labels: Sequence[object], truth: str
) -> None:
    """Refuse to leave out a text column that holds most labels: it is a system that also says other things."""
    known = {word(label) for label in labels}
    for name, strange in odd.items():
        own = {word(value) for value in seen[name]} & known
        text = any(isinstance(normal(value), str) and not is_fraction(normal(value)) for value in strange)
        if text and 2 * len(own) >= len(known):
            raise InputError(
                f"column {quoted([name])} holds labels of {quoted([truth])} and {len(strange):,} other values "
                f"({quoted(map(_short, strange), most=3)}). Clean it; or name the systems (⟨systems=COL⟩), and other "
                "values count as wrong."
            )


def _none_left(
    odd: Mapping[str, Sequence[object]], named: Sequence[str], truth: str, labels: Sequence[object]
) -> InputError:
    for name, strange in odd.items():
        if fractions := [value for value in strange if is_fraction(normal(value))]:
            return looks_like_a_score(name, min(fractions, key=str))
    if comma := next((name for name, strange in odd.items() if any(map(_has_a_comma, strange))), None):
        return InputError(
            f"column {quoted([comma])} holds numbers with a decimal comma ({quoted(odd[comma], most=2)}). Write them "
            "with a point; to compare scores rather than labels, add ⟨scores=True⟩."
        )
    told = ", ".join([*(_told(name, strange) for name, strange in odd.items()), *map(repr, named)][:8])
    return InputError(
        f"no column can be a system: none holds the labels of {quoted([truth])} ({quoted(labels, most=3)}). The "
        f"other columns are {told}. Name the systems (⟨systems=COL⟩), or another truth."
    )


def _has_a_comma(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d+,\d+\s*", value) is not None


def _told(name: str, values: Sequence[object]) -> str:
    """Name a column with some of its values."""
    shown = quoted(list(dict.fromkeys(map(_short, values[:100])))[:SHOWN])
    return f"{quoted([name])} ({shown}{', …' if len(values) > SHOWN else ''})"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
