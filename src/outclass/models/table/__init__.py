"""Models of two systems and two classes, by counts: `MODEL` of each file is a `TableModel`."""

from dataclasses import dataclass
from typing import Any, Final

USUAL: Final = "paired"


@dataclass(frozen=True, kw_only=True)
class TableModel:
    """What a model of counts is: its posterior, and what it supports.

    Parameters
    ----------
    posterior
        The class whose `fit` takes evidence, a prior and settings.
    prior, parts
        The name of its usual prior, and the parts that a prior may name.
    measure, measures
        What is measured by default, and all that 'all' stands for where it does not know every measure.
    apart
        Whether the systems may have seen different items.
    chains, integrates
        Whether chains can be run for it; and whether it integrates numerically, so that a tolerance can be named.
    """

    posterior: Any
    prior: str = "matched"
    parts: tuple[str, ...] = ("mu", "positives", "negatives")
    measure: str = "f1"
    measures: tuple[str, ...] | None = None
    apart: bool = False
    chains: bool = True
    integrates: bool = True
