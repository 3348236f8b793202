"""Takes heads and lines, gives a dataframe of whichever library is installed, through Narwhals."""

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

import narwhals as nw

from outclass.errors import MissingExtraError, unknown

BACKENDS: Final = ("pandas", "polars", "pyarrow")


def frame(heads: Sequence[str], lines: Sequence[Sequence[object]], backend: str | None = None) -> Any:
    """Return a native dataframe, one row per line.

    Parameters
    ----------
    heads, lines
        The names of the columns, and the rows.
    backend
        'pandas', 'polars' or 'pyarrow'; by default the first that is installed.
    """
    if backend is not None and backend not in BACKENDS:
        raise unknown("backend", str(backend), BACKENDS)
    installed = [name for name in BACKENDS if find_spec(name)]
    if backend is None and not installed:
        raise MissingExtraError("a dataframe needs pandas, polars or pyarrow: pip install pandas")
    if backend is not None and backend not in installed:
        raise MissingExtraError(f"a dataframe of {backend} needs {backend}: pip install {backend}")
    columns = {name: _column([line[place] for line in lines]) for place, name in enumerate(heads)}
    chosen: Any = backend or installed[0]
    return nw.from_dict(columns, backend=chosen).to_native()


def _column(values: list[Any]) -> list[Any]:
    """Return values of one type, as columns have: what differs becomes text, and unknown text is missing."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and len(kinds) == 2:
        return [None if value is None else float(value) for value in values]
    if float in kinds:
        return [math.nan if value is None else value for value in values] if kinds == {float} else _as_text(values)
    return values if len(kinds) <= 1 else _as_text(values)


def _as_text(values: list[Any]) -> list[Any]:
    return [None if value is None else str(value) for value in values]
