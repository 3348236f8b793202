"""How many labels of a partly labelled set would have to be wrong: each stands for many items of its stratum."""

from dataclasses import replace
from typing import Any

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.models.strata import Estimated, Strata
from outclass.models.weighed import features
from outclass.planning.labels import slopes, values_of
from outclass.rows.tipping import Disputed, Moves


def of_strata(data: Estimated, names: tuple[str, str], measure: Any, undefined: str) -> Disputed | None:
    """See the labelled items: a wrong label is what the other system said, and moves the truth of its stratum."""
    strata = data.strata
    stratum, label = strata.units
    labels = np.concatenate([each.ravel() for each in strata.gold])
    total = np.bincount(stratum, weights=labels, minlength=len(strata.sizes))
    # Weighted labels count for more or less than one; how many there are is known by stratum.
    worth = np.divide(total, strata.labelled, out=np.ones(len(total)), where=strata.labelled > 0)[stratum]
    own = [data.of_strata(name)[stratum] for name in names]
    if measure.matrix and min(int(each.min(initial=0)) for each in own) < 0:
        return None
    matrices = [features(data, name, matrix=measure.matrix) for name in names]
    items = float(strata.sizes.sum())

    def difference(cells: Floats) -> float:
        """Return the expected difference, the truth of strata learnt again from other labels."""
        expected = _relabelled(strata, cells * worth).expected / items
        found = [values_of(measure, np.asarray(each @ expected)[None], np.ones(1), undefined) for each in matrices]
        return float(found[0][0] - found[1][0])

    # What one label changes, to first order: its share of the labels of a stratum of this size.
    lever = (strata.sizes / items / (total + 1))[stratum] * worth
    by_a, by_b = (slopes(data, name, measure, undefined) * lever for name in names)
    return Disputed(
        cells=labels / worth,
        difference=difference,
        slopes=lambda cells: (by_a, by_b),
        moves=_moves(stratum, label, own),
        of=data.data.labelled,
        paired=True,
        cheap=False,
    )


def _moves(stratum: Counts, label: Counts, said: list[Counts]) -> Moves:
    """Return what could be wrong: where the systems differ, every label but what the other system said."""
    place = {key: at for at, key in enumerate(zip(stratum.tolist(), label.tolist(), strict=True))}
    source, target, favours = [], [], []
    for which, other in enumerate(said):
        for at in np.flatnonzero((said[0] != said[1]) & (label != other) & (other >= 0)).tolist():
            to = place.get((int(stratum[at]), int(other[at])))
            if to is not None:
                source.append(at)
                target.append(to)
                favours.append(which)
    return Moves(*(np.array(each, dtype=np.int64) for each in (source, target, favours)))


def _relabelled(strata: Strata, gold: Floats) -> Strata:
    ends = np.cumsum([each.size for each in strata.gold])[:-1]
    parts = [own.reshape(each.shape) for own, each in zip(np.split(gold, ends), strata.gold, strict=True)]
    return replace(strata, gold=tuple(parts))
