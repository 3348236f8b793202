"""The mean of a number per item: Student's t, for two systems or for all at once, and its prior for tied numbers.

Without ties the posterior of a mean difference is that of the paired t-test (normal errors, flat priors). Where most
differences are the same number, few items say how large differences can be, and none of them must look like certainty:
each system then gets pseudo-observations to either side of its mean. They leave the estimate alone and add
`extra_squares` to its sum of squares. Two systems together get the share of tied differences times the square of a
typical nonzero difference, so that nothing is added to numbers without ties and one pseudo-item to systems that always
agree.
"""

import math
from collections.abc import Sequence

import numpy as np

from outclass.arrays import Floats
from outclass.inference.grid import StudentLaw
from outclass.models.student import spread_of

NEIGHBOURS = 40
ROUNDING = 1e-10  # relative: what differs by less is the same number


def tied_share(differences: Floats) -> float:
    """Return the share of the commonest difference, beyond one item; what only rounding separates is the same."""
    scale = float(np.abs(differences).max()) or 1.0
    _, counts = np.unique(np.round(differences / scale, 10), return_counts=True)
    return float(counts.max() - 1) / len(differences)


def differing(a: Floats, b: Floats) -> np.ndarray:
    """Return on which items two systems have different numbers."""
    scale = max(float(np.abs(a).max()), float(np.abs(b).max()))
    return np.asarray(np.abs(a - b) > ROUNDING * scale)


def within_unit(columns: Sequence[Floats]) -> bool:
    """Say whether all numbers lie between 0 and 1."""
    return all(bool((each >= 0).all() and (each <= 1).all()) for each in columns)


def extra_squares(columns: Sequence[Floats], step: float | None = None) -> Floats:
    """Return what the pseudo-observations of each system add to its sum of squares.

    Half of what it needs beside the system with which it is tied most, so that two systems together have at least what
    they need, whatever others there are. A constant system gets the variance of all numbers, as its own say nothing.

    Of means of right and wrong answers an item can change by a whole `step`, however little the others did: the
    pseudo-item is then one on which just one system is right, and each system by itself gets half of one for what is
    tied among its own means.
    """
    count = len(columns)
    # Of very many systems each is looked at beside those that are next to it on average.
    near = np.argsort([each.mean() for each in columns], kind="stable")
    place = np.empty(count, dtype=int)
    place[near] = np.arange(count)
    found = np.array([0.0 if spread_of(each) > 0 else _typical(columns) for each in columns])
    if step is not None:
        found = np.maximum(found, [tied_share(each) * step**2 / 2 for each in columns])
    for a in range(count):
        for b in near[max(0, place[a] - NEIGHBOURS) : place[a]]:
            shared = _tied_squares(columns[a], columns[int(b)], columns, step) / 2
            found[[a, b]] = np.maximum(found[[a, b]], shared)
    return found


def own_squares(values: Floats, step: float) -> float:
    """Return what is added to the squares of one system by itself, of means of right and wrong answers.

    One item that is otherwise, in the share of items that are alike. Coverage chose it (docs/repeats-coverage.md).
    """
    return tied_share(values) * step**2


def _tied_squares(a: Floats, b: Floats, columns: Sequence[Floats], step: float | None) -> float:
    gaps = a - b
    apart = differing(a, b)
    ties = 1.0 if not apart.any() else tied_share(gaps)
    if ties == 0:
        return 0.0
    if step is not None:
        return ties * step**2
    size = float(np.mean(gaps[apart] ** 2)) if apart.any() else float(np.var(a) + np.var(b)) or _typical(columns)
    return ties * size


def _typical(columns: Sequence[Floats]) -> float:
    """Return a squared distance that these numbers may have; if all are the same, by the unit they are in."""
    found = float(np.var(np.concatenate(columns)))
    largest = max(float(np.abs(each).max()) for each in columns)
    if found > (ROUNDING * largest) ** 2:
        return found
    return 1.0 if within_unit(columns) else largest**2


def mean_law(values: Floats, extra: float = 0.0) -> StudentLaw:
    """Return the posterior of a mean: that of the t-test, its sum of squares raised by `extra`."""
    n = len(values)
    squares = (n - 1) * spread_of(values) ** 2 + extra
    return StudentLaw(max(n - 1, 1), float(np.mean(values)), math.sqrt(squares / (n * max(n - 1, 1))))


def mean_draws(
    columns: Sequence[Floats],
    draws: int,
    rng: np.random.Generator,
    step: float | None = None,
    places: Sequence[int] | None = None,
) -> Floats:
    """Return draws of all systems' means from one posterior, (draws, systems): a multivariate t.

    Normal weights on the items' deviations, the same for all systems, so that a difference of two has the distribution
    that `mean_law` gives it, or with ties a slightly wider one, however many systems there are. Of runs, `places` are
    those of their systems, which share what is added.
    """
    values = np.column_stack(columns)
    n, systems = values.shape
    places = range(systems) if places is None else places
    means = values.mean(axis=0)
    extra = np.sqrt(extra_squares(columns, step))
    rows = max(1, min(draws, 2_000_000 // n))
    parts = []
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        moved = rng.standard_normal((size, n)) @ (values - means)
        moved += rng.standard_normal((size, max(places) + 1))[:, places] * extra
        moved *= np.sqrt((n - 1) / rng.chisquare(n - 1, (size, 1))) / math.sqrt(n * (n - 1))
        parts.append(means + moved)
    return np.vstack(parts)
