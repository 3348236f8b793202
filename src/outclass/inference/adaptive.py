"""As many nodes as it takes: mixtures on more and more Sobol points, until their error meets a tolerance."""

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from outclass.inference.mixture import Mixture

FIRST_POWER: Final = 10  # of two, the Sobol points in each replicate
LAST_POWER: Final = 14
MORE_POWERS: Final = 2  # where the density has steps
MARGIN: Final = 1.1  # the distribution is probed at three values, and may be a little worse between them


def enough(tries: Iterable[Mixture], tolerance: float, *, stepped: bool = False) -> Mixture | None:
    """Return the first of some tries whose error meets the tolerance; None if none does."""
    return next((law for law in tries if excess(law, tolerance, stepped=stepped) <= 1), None)


def adaptive(
    of_power: Callable[[int], Mixture], tolerance: float, *, stepped: bool = False, first: Iterable[Mixture] = ()
) -> Mixture:
    """Add Sobol points until the reported error of probabilities and interval ends meets the tolerance.

    The laws in `first` are tried beforehand, one after another. A `stepped` distribution is a mixture of densities with
    steps, as few items give: its density, and with it the ends of its interval, converge more slowly than its cdf, so
    they are asked too and may take more points.
    """
    if (found := enough(first, tolerance, stepped=stepped)) is not None:
        return found
    last = LAST_POWER - int(np.clip(np.log2(tolerance / 1e-4), 0, 3))
    if stepped and tolerance <= 1e-4:
        last += MORE_POWERS
    power = FIRST_POWER
    while True:
        law = of_power(power)
        wanted = excess(law, tolerance, stepped=stepped)
        if wanted <= 1 or power >= last:
            return law
        # The error falls about as 1/points, so jump to where it should be small enough.
        power = min(last, power + max(1, int(np.ceil(np.log2(wanted) - 0.3))))


def excess(law: Mixture, tolerance: float, *, stepped: bool = False) -> float:
    """Return how many times the tolerance the error is."""
    found = MARGIN * law.worst_error() / tolerance
    if stepped and found <= 1:
        found = float(law.nodes.spread(np.array(law.moved(0.95))).max()) / tolerance
    return found
