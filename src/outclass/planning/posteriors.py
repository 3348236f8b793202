"""What a set's posterior is made of: gamma variates, and the difference in a measure that they make.

Written in operators alone, so that it runs on any library's arrays (`planning.backends`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.measures.measure import Measure
from outclass.models.prior import Prior


@dataclass(frozen=True)
class Drawn:
    """A model whose posterior is a function of independent gamma variates.

    Parameters
    ----------
    shapes
        From the counts of sets, (sets, 2, 4), and a prior to the shapes of the variates, (sets, variates).
    difference
        From the variates to A's measure minus B's.
    """

    shapes: Callable[[Floats, Prior], Floats]
    difference: Callable[[Sequence[Any], Measure], Any]


def _paired_shapes(counts: Floats, prior: Prior) -> Floats:
    parts = [np.array(prior.mu) + counts.sum(axis=2)]
    parts += [np.array(prior.outcomes(part, 4)) + counts[:, row] for row, part in enumerate(("positives", "negatives"))]
    return np.concatenate(parts, axis=1)


def _paired(gammas: Sequence[Any], measure: Measure) -> Any:
    classes = gammas[:2]
    (both, a, b, neither), (both_no, a_no, b_no, neither_no) = gammas[2:6], gammas[6:]
    return _measured(measure, classes, (both + a, b + neither), (both_no + a_no, b_no + neither_no)) - _measured(
        measure, classes, (both + b, a + neither), (both_no + b_no, a_no + neither_no)
    )


def _unpaired_shapes(counts: Floats, prior: Prior) -> Floats:
    totals, parts = counts.sum(axis=2), []
    for place in (1, 2):
        parts.append(np.array(prior.mu) + totals)
        for row, part in enumerate(("positives", "negatives")):
            yes = counts[:, row, 0] + counts[:, row, place]
            parts.append(np.array(prior.outcomes(part, 2)) + np.stack([yes, totals[:, row] - yes], axis=1))
    return np.concatenate(parts, axis=1)


def _unpaired(gammas: Sequence[Any], measure: Measure) -> Any:
    a, b = (_measured(measure, own[:2], own[2:4], own[4:]) for own in (gammas[:6], gammas[6:]))
    return a - b


def _goutte_shapes(counts: Floats, prior: Prior) -> Floats:
    cells = []
    for place, other in ((1, 2), (2, 1)):
        cells += [counts[:, row, 0] + counts[:, row, place] for row in (0, 1)]
        cells.append(counts[:, 0, other] + counts[:, 0, 3])
    return np.stack(cells, axis=1) + prior.cells


def _goutte(gammas: Sequence[Any], measure: Measure) -> Any:
    a, b = (_measured(measure, (tp + fn, fp), (tp, fn), (fp, 0.0)) for tp, fp, fn in (gammas[:3], gammas[3:]))
    return a - b


def _sign_shapes(counts: Floats, prior: Prior) -> Floats:
    only_a, only_b = counts[:, 0, 1] + counts[:, 1, 2], counts[:, 0, 2] + counts[:, 1, 1]
    wins = np.stack([only_a, only_b, counts.sum(axis=(1, 2)) - only_a - only_b], axis=1)
    return np.asarray(wins + np.array(prior.outcomes("wins", 3)))


def _sign(gammas: Sequence[Any], measure: Measure) -> Any:
    only_a, only_b, neither = gammas
    ahead = (only_a - only_b) / (only_a + only_b + neither)
    return ahead if measure.higher_is_better else -ahead


DRAWN: Final[dict[str, Drawn]] = {
    "paired": Drawn(_paired_shapes, _paired),
    "unpaired": Drawn(_unpaired_shapes, _unpaired),
    "goutte": Drawn(_goutte_shapes, _goutte),
    "sign": Drawn(_sign_shapes, _sign),
}


def _measured(measure: Measure, classes: Sequence[Any], positives: Sequence[Any], negatives: Sequence[Any]) -> Any:
    """Return a measure from gamma variates.

    Parameters
    ----------
    measure
        The measure; not finite where it is undefined.
    classes
        Of positive and negative items.
    positives, negatives
        Of what the system predicts on items of that class: positive, negative.
    """
    (yes, no), (yes_too, no_too) = positives, negatives
    total = classes[0] + classes[1]
    positive, negative = classes[0] / total, classes[1] / total
    # Each class's variates are shares once they are divided by their sum.
    weight, other = positive / (yes + no), negative / (yes_too + no_too)
    if measure.ratio is None:
        assert measure.function is not None
        return measure.function(weight * yes, other * yes_too, weight * no, other * no_too)
    top, bottom = (
        _sum(_sum(form.tp, yes, form.fn, no), weight, _sum(form.fp, yes_too, form.tn, no_too), other)
        for form in measure.ratio(positive, negative)
    )
    return top / bottom


def _sum(first: Any, one: Any, second: Any, other: Any) -> Any:
    """Return first * one + second * other; most coefficients are 0 or 1, and an array saved is time saved."""
    return _times(first, one) + _times(second, other)


def _times(coefficient: Any, values: Any) -> Any:
    if isinstance(coefficient, int | float) and coefficient in (0, 1):
        return values if coefficient == 1 else 0.0
    return coefficient * values
