"""Other nodes beside those of a mixture: better far out, or by a rule that tells what its replicates share."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from outclass.inference.replicates import At

if TYPE_CHECKING:
    from outclass.inference.mixture import Mixture

FAR: Final = 3.5  # stds from the mean
SEAM: Final = 0.02  # of the density there
PROBE: Final = 2.0
LEAST: Final = 3e-6


@dataclass
class Beside:
    """Two other versions of one mixture, made when they are asked for.

    Parameters
    ----------
    make_tails
        Makes the same on nodes that are better far out.
    make_check
        Makes the same by another rule: what all replicates are off together is its distance. None where that is known
        to be no more than `LEAST`.
    """

    make_tails: "Callable[[], Mixture]"
    make_check: "Callable[[], Mixture] | None"
    _agree: bool | None = None

    @cached_property
    def tails(self) -> "Mixture":
        """The same on nodes that are better far out."""
        return self.make_tails()

    def is_far(self, law: "Mixture", value: float) -> bool:
        """Whether a value lies so far out that the other nodes are better."""
        return abs(value - law.mean) > FAR * law.std and self.has_tails(law)

    def has_tails(self, law: "Mixture") -> bool:
        """Whether the other nodes agree with a law's where they begin; with few items these are better there, too."""
        if self._agree is None:
            seams = (law.mean + law.std * np.array([-FAR, FAR])).tolist()
            own, others = ([each.near(seam).density.mean() for seam in seams] for each in (law, self.tails))
            self._agree = all(abs(other - each) <= SEAM * each for each, other in zip(own, others, strict=True))
        return self._agree

    def far(self, value: float, near: At) -> At:
        """Return the distribution far out; its replicates are spread as they are on the usual nodes."""
        return self.tails.near(value).like(near)

    def distance(self, law: "Mixture") -> float:
        """Return how far another rule is from a law, in probability, at the middle and two stds to either side."""
        if self.make_check is None:
            return LEAST
        values = law.mean + law.std * np.array([-PROBE, 0.0, PROBE])
        return float(np.abs(law.cdf(values) - self.make_check().cdf(values)).max())
