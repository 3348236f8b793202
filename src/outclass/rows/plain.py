"""Typed values as plain data, which is what JSON holds, and back: driven by the types of their fields.

A dataclass or a NamedTuple is a mapping of its fields, a tuple a list, an enumeration its value; nan is null and
infinity a word, for which JSON has no numbers. Fields that take no part in a comparison (posteriors, evidence) are not
written. Where users see another shape than the fields have, `SHAPES` says which. Keys that a type does not know are
ignored: what was derived (words, marks) is derived again, and a later release may add keys.
"""

import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.planning.anytime import Anytime
from outclass.rows.types import Appraisal, Contrast, Ranked
from outclass.significance.result import TestResult

T = TypeVar("T")
LARGEST: Final = 2**63  # what an item, a seed or a draw is counted to
# What plain data of another shape than ours raise when they are taken apart.
FAULTS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
NOUNS: Final = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How users see a type, where that is not field by field.

    Parameters
    ----------
    keys
        The key of a field, where it is not the field's name.
    old
        The key that the last release wrote instead.
    write
        Takes the value and its plain fields by key, gives what is written.
    read
        Takes what was written, gives the plain fields by key.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    old: Mapping[str, str] = field(default_factory=dict)
    write: Callable[[Any, dict[str, Any]], Any] = lambda value, plain: plain
    read: Callable[[Any], Any] = lambda plain: plain


def write_measure(row: Any, plain: dict[str, Any]) -> dict[str, Any]:
    """Write the measure as its name, and what else is known of it beside that."""
    info = dict(plain["measure"])
    return plain | {"measure": info.pop("name"), "measure_info": info}


def read_measure(plain: Any) -> Any:
    """Put the measure's name back to the rest of it."""
    return plain | {"measure": {**plain["measure_info"], "name": plain["measure"]}}


def _write_contrast(row: Contrast, plain: dict[str, Any]) -> dict[str, Any]:
    factors = {each.pop("name"): each for each in plain["bayes_factors"]}
    return write_measure(row, plain) | {"verdict": {"symbol": plain["verdict"]}, "bayes_factors": factors}


def _read_contrast(plain: Any) -> Any:
    factors = [{**factor, "name": name} for name, factor in plain["bayes_factors"].items()]
    return read_measure(plain) | {"verdict": plain["verdict"]["symbol"], "bayes_factors": factors}


# An answer adds its own shape, below its class.
SHAPES: Final[dict[type, Shape]] = {
    Interval: Shape(
        write=lambda value, plain: list(plain.values()),
        read=lambda plain: dict(zip(Interval._fields, plain, strict=True)),
    ),
    Finding: Shape(keys={"told": "message"}, write=lambda value, plain: plain | {"message": value.message}),
    TestResult: Shape(write=lambda row, plain: plain | {"mark": row.mark}),
    Anytime: Shape(write=lambda seen, plain: {"measure": seen.measure, **plain, "refuses_equality": seen.refuses}),
    Appraisal: Shape(write=write_measure, read=read_measure),
    Contrast: Shape(
        old={"additional_items": "further", "anytime": "watched", "rope_probabilities": "practical"},
        write=_write_contrast,
        read=_read_contrast,
    ),
    # A system's own numbers stand beside its ranks, which are whole.
    Ranked: Shape(
        keys={"best": "p_best", "ranks": "p_rank"},
        write=lambda row, plain: plain.pop("system") | plain | {"rank_interval": list(map(int, row.rank_interval))},
        read=lambda plain: plain | {"system": plain},
    ),
}


def to_plain(value: Any) -> Any:
    """Return a typed value as what JSON can hold."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return ("inf" if value > 0 else "-inf") if math.isinf(value) else None if math.isnan(value) else value
    kind: Any = type(value)
    if _has_fields(kind):
        shape = SHAPES.get(kind, Shape())
        plain = {shape.keys.get(name, name): to_plain(getattr(value, name)) for name in _kinds(kind)}
        return shape.write(value, plain)
    if isinstance(value, Mapping):
        return {name: to_plain(each) for name, each in value.items()}
    return [to_plain(each) for each in value] if isinstance(value, tuple | list) else value


def from_plain(kind: type[T], plain: Any, what: str) -> T:
    """Read a typed value back; every field of it then holds what its type says.

    Parameters
    ----------
    kind
        The type.
    plain
        What `to_plain` wrote, or anything else.
    what
        Its name in an error: 'a comparison'.
    """
    try:
        found: T = _read(kind, plain, "it")
    except FAULTS as error:
        told = str(error) if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        raise InputError(f"this is not {what} written by outclass: {told.rstrip('.')}.") from None
    return found


def loads(text: str | bytes) -> Any:
    """Read JSON as outclass writes it: what JSON has no numbers for, outclass writes as words."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}.") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a valid JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number in it is too large")
    return number


def _has_fields(kind: Any) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    """Return the types of the fields that are written, by name."""
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind) if each.compare] if is_dataclass(kind) else kind._fields
    return {name: hints[name] for name in names}


@cache
def _required(kind: Any) -> frozenset[str]:
    parameters = inspect.signature(kind).parameters.values()
    return frozenset(each.name for each in parameters if each.default is each.empty)


def _read(kind: Any, plain: Any, where: str) -> Any:
    origin, options = get_origin(kind), get_args(kind)
    if isinstance(kind, UnionType) or origin is Union:
        return _read_one_of(options, plain, where)
    if origin is tuple:
        parts = _checked(list, plain, where)
        kinds = [options[0]] * len(parts) if options[-1] is ... else options
        if len(kinds) != len(parts):
            raise ValueError(f"{where} has {len(parts)} elements instead of {len(kinds)}")
        return tuple(
            _read(own, each, f"{where}[{at}]") for at, (own, each) in enumerate(zip(kinds, parts, strict=True))
        )
    if origin is not None and issubclass(origin, Mapping):
        return {
            name: _read(options[1], each, f"{where}.{shown(name)}")
            for name, each in _checked(dict, plain, where).items()
        }
    if kind is Any:
        return plain
    if kind is float:
        return _number(plain, where)
    if issubclass(kind, Enum):
        return kind(plain)
    return _read_fields(kind, plain, where) if _has_fields(kind) else _checked(kind, plain, where)


def _read_one_of(kinds: Iterable[Any], plain: Any, where: str) -> Any:
    """Read what may be of several types: the first that fits."""
    kinds = list(kinds)
    if plain is None and NoneType in kinds:
        return None
    *others, last = [kind for kind in kinds if kind is not NoneType]
    for kind in others:
        try:
            return _read(kind, plain, where)
        except FAULTS:
            continue
    return _read(last, plain, where)


def _read_fields(kind: Any, plain: Any, where: str) -> Any:
    shape = SHAPES.get(kind, Shape())
    plain = _checked(dict, shape.read(plain), where)
    given = {}
    for name, own in _kinds(kind).items():
        key = shape.keys.get(name, name)
        key = key if key in plain else shape.old.get(name, key)
        if key in plain:
            given[name] = _read(own, plain[key], key if where == "it" else f"{where}.{key}")
        elif name in _required(kind):
            raise ValueError(f"{where} has no {quoted([key])}")
    return kind(**given)


def _number(plain: Any, where: str) -> float:
    if plain is None:
        return math.nan
    if plain in ("inf", "-inf") or (isinstance(plain, int | float) and not isinstance(plain, bool)):
        return float(plain)
    raise ValueError(f"{where} is not a number")


def _checked(kind: type[T], plain: Any, where: str) -> T:
    # True is a whole number to Python, and not to us.
    if type(plain) is not kind or (isinstance(plain, int) and abs(plain) > LARGEST):
        raise ValueError(f"{where} is not {NOUNS.get(kind, kind.__name__)}")
    return plain
