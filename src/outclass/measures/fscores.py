"""Precision and recall in one number: F1, F-beta, and Jaccard, which orders systems as F1 does."""

import math
from collections.abc import Callable
from typing import Final

from outclass.errors import InputError, shown
from outclass.measures.measure import PSEUDO_COUNT, Cells, Measure, constant

_UNDEFINED = "no item is positive and nothing is predicted positive"

# Beyond these F-beta is recall or precision, and the cell that is left out vanishes in rounding.
SMALLEST_BETA: Final = 1e-6
LARGEST_BETA: Final = 1e6


def checked_beta(beta: float) -> float:
    """Return the beta of F-beta, if it can be used."""
    if not (math.isfinite(beta) and beta > 0):
        raise InputError(f"beta of F-beta must be a positive number, got {beta}. Use fbeta:2 to favour recall.")
    if not SMALLEST_BETA <= beta <= LARGEST_BETA:
        limit = "recall" if beta > 1 else "precision"
        raise InputError(
            f"beta of F-beta must lie between {SMALLEST_BETA:g} and {LARGEST_BETA:g}, got {beta:g}. Such an F-beta is "
            f"{limit}: use {limit}."
        )
    return beta


def fbeta(beta: float) -> Measure:
    """Return F-beta: recall counts `beta` times as much as precision."""
    square = checked_beta(beta) ** 2
    short = f"{beta:g}"
    return Measure(
        name="f1" if beta == 1 else f"fbeta:{short}",
        title=f"F{short}",
        undefined=_UNDEFINED,
        ratio=constant(Cells(1 + square, 0, 0, 0), Cells(1 + square, 1, square, 0)),
        pseudo_count=3 / 8 if beta > 1 else PSEUDO_COUNT,  # with recall, the positives weigh most
    )


def _parse(argument: str) -> Measure:
    try:
        beta = float(argument.removeprefix("beta="))
    except ValueError:
        raise InputError(f"fbeta needs its beta, as in fbeta:2 or fbeta:0.5, got {shown(argument)}.") from None
    return fbeta(beta)


RANK = 1
MEASURES = (
    fbeta(1),
    Measure(
        name="jaccard",
        title="Jaccard index",
        undefined=_UNDEFINED,
        ratio=constant(Cells(1, 0, 0, 0), Cells(1, 1, 1, 0)),
    ),
)
PARSERS: dict[str, Callable[[str], Measure]] = {"fbeta": _parse}
