"""Takes the cells of a 2x2 table (tp, fp, fn, tn), gives a number.

May import NumPy; must not know data, models, or how a number is shown. One file per family: a module here with a tuple
`MEASURES` (and `PARSERS`, for families with parameters) is discovered automatically.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

import numpy as np

from outclass.errors import InputError, quoted
from outclass.measures.averages import AVERAGES
from outclass.measures.measure import Cell, Measure
from outclass.measures.names import spelt, unknown_measure
from outclass.measures.scored import NAMES, is_of_scores

# Modules here that hold no family.
_OTHERS = ("measure", "averages", "confusion", "local", "names", "ranked", "repeated", "results", "scored")
# In the order of their RANK: what most people look at comes first.
_FAMILIES = sorted(
    (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__) if module.name not in _OTHERS),
    key=lambda family: family.RANK,
)
MEASURES: dict[str, Measure] = {measure.name: measure for family in _FAMILIES for measure in family.MEASURES}
_PARSERS: dict[str, Callable[[str], Measure]] = {
    name: parser for family in _FAMILIES for name, parser in getattr(family, "PARSERS", {}).items()
}


def known() -> list[str]:
    """Return the names that `get` accepts."""
    return [*MEASURES, *(f"{name}:…" for name in _PARSERS)]


@dataclass(frozen=True)
class _Guarded:
    """A user's function, with its errors reported as such."""

    function: Callable[[Cell, Cell, Cell, Cell], Cell]
    name: str

    def __call__(self, tp: Cell, fp: Cell, fn: Cell, tn: Cell) -> Cell:
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(self.function(tp, fp, fn, tn), dtype=float)
            return np.broadcast_to(value, np.shape(tp)).copy()[()]
        except Exception as error:  # whatever a user's function may raise
            raise InputError(
                f"the measure {self.name!r} failed: {error}. It is called with arrays tp, fp, fn, tn and must return "
                "an array of the same length; use NumPy functions (np.maximum, np.where) instead of max and if."
            ) from None


def get(spec: str | Measure | Callable[[Cell, Cell, Cell, Cell], Cell]) -> Measure:
    """Return a measure by name, or from a function of the cells.

    Parameters follow a colon: `fbeta:0.5`, `utility:tp=2,fp=-1`; `f2` and `f0.5` are short for `fbeta:2` and
    `fbeta:0.5`. scikit-learn's names are accepted for the same quantities.
    """
    if isinstance(spec, Measure):
        return spec
    if callable(spec):
        name = getattr(spec, "__name__", "own measure")
        return Measure(
            name=name,
            title=name,
            low=float("-inf"),
            high=float("inf"),
            undefined="its function gives nan",
            function=_Guarded(spec, name),
        )
    if not isinstance(spec, str):
        raise InputError(f"a measure is a name or a function of (tp, fp, fn, tn), got {type(spec).__name__}.")
    name = spelt(spec)
    if name in MEASURES:
        return MEASURES[name]
    family, _, argument = name.partition(":")
    if family in _PARSERS:
        return _PARSERS[family](argument.replace("_", "-"))
    if short := re.fullmatch(r"f(\d(?:\.\d+)?)", name):
        return _PARSERS["fbeta"](short[1])
    if is_of_scores(spec):
        raise InputError(
            f"{quoted([spec])} is a measure of scores, and these are labels. Give a score per item, such as "
            "predict_proba(X)[:, 1], and say so (⟨scores=True⟩)."
        )
    raise unknown_measure("measure", spec, known(), (*AVERAGES, *NAMES))
