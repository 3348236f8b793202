"""What is weighted, and what it adds to every system's counts: of each label, or of all labels together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.classes import Parts
from outclass.data.multilabel import Classes, Decisions, Grouped
from outclass.data.unit_counts import PerItem, UnitCounts
from outclass.measures.averages import Average
from outclass.models.pooled_weights import PooledUnits, is_pooled, pooled_units
from outclass.models.strata import Estimated

COUNTS: Final = 3  # of a label: TP, FP, FN
FEW_NUMBERS: Final = 1 << 16  # of units, systems and labels, beyond which sums over labels are drawn as such


@dataclass(frozen=True)
class Units:
    """What is weighted: how often each occurs, and what it adds to the labels' counts."""

    counts: Floats
    items: Floats  # how many items a unit of weight stands for
    features: dict[str, Any]  # of each system, sparse: 3 x labels (TP, FP, FN) by units
    labels: int
    true: Counts  # the places of labels that are true of some item
    confusions: dict[str, Any] | None = None  # of each system, sparse: labels x labels (truth, prediction) by units
    size: Callable[[int | None], float] | None = None  # of counts per item: decisions of a pseudo-item about a label
    draw: Callable[[np.random.Generator, int], Floats] | None = None  # of partly labelled items: the weights, drawn
    pooled: Mapping[int | None, PooledUnits] = field(default_factory=dict)  # by label, what measures of sums look at


def units_of(
    decisions: Decisions, systems: Sequence[str], *, matrix: bool = False, measures: Iterable[Average] = ()
) -> Units:
    """Return the units of some systems; with `matrix` also what each adds to the tables of confusions.

    For `measures`, if they are named, what they look at and nothing else: of sums over labels, no label's own counts.
    """
    if isinstance(decisions, Classes):
        decisions = decisions.selected(systems)
    counts = decisions.units.astype(float)
    sizes = getattr(decisions, "sizes", None)
    true = np.flatnonzero(decisions.frequencies)
    ever = set(true.tolist())
    # A small table is drawn label by label just as quickly.
    large = len(counts) * len(systems) * len(decisions.labels) > FEW_NUMBERS
    asked = list(measures) if large else []
    summed = bool(asked) and all(is_pooled(decisions, measure, ever) for measure in asked)
    return Units(
        counts=counts,
        items=np.ones_like(counts) if sizes is None else np.asarray(sizes, dtype=float),
        features={} if summed else {system: features(decisions, system) for system in systems},
        labels=len(decisions.labels),
        true=true,
        confusions={system: features(decisions, system, matrix=True) for system in systems} if matrix else None,
        size=partial(decisions.difference_size, systems) if isinstance(decisions, UnitCounts) else None,
        draw=decisions.strata.draw if isinstance(decisions, Estimated) else None,
        pooled=pooled_units(decisions, systems, asked, ever),
    )


def features(decisions: Decisions, system: str, *, matrix: bool = False) -> Any:
    """Return what each unit adds to a system's counts: sparse, 3 x labels (TP, FP, FN) by units.

    With `matrix`, it is what they add to the table of confusions, labels x labels by units.
    """
    from scipy import sparse  # loaded for many labels alone

    labels = len(decisions.labels)
    if matrix:
        assert isinstance(decisions, Classes | Grouped)
        unit, cell = decisions.confusions(system)
        amounts = decisions.confusion_amounts() if isinstance(decisions, Parts) else np.ones(len(unit))
    else:
        unit, label, kind = decisions.contributions(system)
        cell = COUNTS * label + kind
        amounts = decisions.amounts(system) if isinstance(decisions, PerItem | Parts) else np.ones(len(unit))
    shape = ((labels if matrix else COUNTS) * labels, len(decisions.units))
    return sparse.csr_matrix((amounts, (cell, unit)), shape=shape, dtype=float)
