"""A library whose arrays are no NumPy arrays, to find out what array code calls."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Strict:
    """An array with operators, indexing and a few methods: what calls a function of NumPy with it raises an error."""

    __array_ufunc__ = None

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a function of NumPy was called with another library's array")

    def mean(self, axis: int) -> "Strict":
        """Return the mean along an axis."""
        return Strict(self.values.mean(axis))

    def sum(self, axis: int) -> "Strict":
        """Return the sum along an axis."""
        return Strict(self.values.sum(axis))

    @property
    def T(self) -> "Strict":  # noqa: N802 -- as every library calls it
        """The array transposed."""
        return Strict(self.values.T)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self.values.shape)

    def __getitem__(self, key: Any) -> "Strict":
        return Strict(self.values[_bare(key)])

    def __abs__(self) -> "Strict":
        return Strict(abs(self.values))

    def __neg__(self) -> "Strict":
        return Strict(-self.values)

    def __len__(self) -> int:
        return len(self.values)


def _bare(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    return value.values if isinstance(value, Strict) else value


def _operator(name: str) -> Any:
    def applied(self: Strict, other: Any) -> Strict:
        assert isinstance(other, Strict | int | float)  # a scalar of NumPy would take over, and widen single precision
        assert not isinstance(other, np.generic)
        return Strict(getattr(self.values, name)(_bare(other)))

    return applied


for _name in ("add", "sub", "mul", "truediv", "pow", "matmul"):
    for _kind in (f"__{_name}__", f"__r{_name}__"):
        setattr(Strict, _kind, _operator(_kind))
for _name in ("ge", "gt", "le", "lt"):
    setattr(Strict, f"__{_name}__", _operator(f"__{_name}__"))


class StrictLibrary:
    """A library whose arrays are no NumPy arrays."""

    elements = 1 << 14
    compiles = False

    def where(self, condition: Strict, yes: Strict, no: Strict) -> Strict:
        """Choose element by element."""
        return Strict(np.where(condition.values, yes.values, no.values))

    def sort(self, values: Strict) -> Strict:
        """Sort along the last axis."""
        return Strict(np.sort(values.values))

    def cumsum(self, values: Strict) -> Strict:
        """Sum up to each place of the last axis."""
        return Strict(np.cumsum(values.values, axis=-1))

    def run(self, kernel: Any, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
        """Call a kernel."""
        with np.errstate(all="ignore"):
            found = kernel(self, asked, [Strict(each) for each in rows], [Strict(each) for each in shared])
        return tuple(each.values for each in found)
