"""What a decision is worth, or costs, to the user: a number for each cell, averaged over the items.

The TREC filtering utilities are of this kind: `utility:tp=2,fp=-1` is T9U a document.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

from outclass.errors import InputError, shown
from outclass.measures.measure import Cells, Measure, constant

# Fourth powers, as in the error of a variance, must neither overflow nor vanish.
LARGEST: Final = 1e50
SMALLEST: Final = 1e-50


def _of(values: Mapping[str, float], *, kind: str) -> Measure:
    cells = Cells(*(float(values.get(cell, 0.0)) for cell in Cells._fields))
    if not all(math.isfinite(value) for value in cells) or len(set(cells)) == 1:
        raise InputError(
            f"a {kind} needs finite numbers that are not all equal, got {dict(values)}. "
            f"Write it as {kind}:tp=2,fp=-1; cells that are not named count as 0."
        )
    if not SMALLEST <= max(map(abs, cells)) <= LARGEST:
        raise InputError(
            f"the largest number of a {kind} must lie between {SMALLEST:g} and {LARGEST:g}, got {dict(values)}. Use "
            "another unit."
        )
    spelt = ",".join(f"{cell}={value:g}" for cell, value in zip(Cells._fields, cells, strict=True) if value)
    return Measure(
        name=f"{kind}:{spelt}",
        title=f"{kind} per item ({spelt})",
        low=min(cells),
        high=max(cells),
        higher_is_better=kind == "utility",
        undefined="there are no items",
        ratio=constant(cells, Cells(1, 1, 1, 1)),
    )


def utility(*, tp: float = 0.0, fp: float = 0.0, fn: float = 0.0, tn: float = 0.0) -> Measure:
    """Return the mean worth of a decision."""
    return _of({"tp": tp, "fp": fp, "fn": fn, "tn": tn}, kind="utility")


def cost(*, tp: float = 0.0, fp: float = 0.0, fn: float = 0.0, tn: float = 0.0) -> Measure:
    """Return the mean cost of a decision; less is better."""
    return _of({"tp": tp, "fp": fp, "fn": fn, "tn": tn}, kind="cost")


def _parser(kind: str) -> Callable[[str], Measure]:
    def parse(argument: str) -> Measure:
        values: dict[str, float] = {}
        for part in argument.split(","):
            cell, number = (each.strip() for each in part.partition("=")[::2])
            if cell in values:
                raise InputError(f"{cell} is given twice in {shown(f'{kind}:{argument}')}: give each cell once.")
            try:
                values[cell] = float(number)
            except ValueError:
                values[cell] = math.nan
        if not set(values) <= set(Cells._fields) or any(math.isnan(value) for value in values.values()):
            raise InputError(f"a {kind} is written as {kind}:tp=2,fp=-1 (cells tp, fp, fn, tn), got {shown(argument)}.")
        return _of(values, kind=kind)

    return parse


RANK = 5
MEASURES: tuple[Measure, ...] = ()
PARSERS = {"utility": _parser("utility"), "cost": _parser("cost")}
