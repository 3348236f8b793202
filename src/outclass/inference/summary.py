"""The numbers a report shows of one distribution, each with its numerical error."""

from collections.abc import Sequence
from dataclasses import dataclass

from outclass.inference.distribution import Distribution, Interval, numerical_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """The numerical error (98% half-width) of each number of a `Summary`."""

    mean: float
    std: float
    hdi: Interval
    below: float
    above: float
    rope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is said of a distribution: centre, spread, interval, and where its probability lies."""

    mean: float
    std: float
    hdi: Interval
    below: float
    above: float
    rope: float
    errors: Errors


def summarise(law: Distribution, rope: Interval, hdi_mass: float) -> Summary:
    """Read off the numbers of a difference: the probabilities are below zero, above zero, and inside the ROPE."""
    low_end, high_end = max(rope.low, law.support.low), min(rope.high, law.support.high)

    def numbers(part: Distribution) -> Sequence[float]:
        # Draws can be exactly zero, and count for half on either side.
        tie = part.probability(0.0, 0.0) / 2
        below = part.probability(part.support.low, 0.0) - tie
        above = part.probability(0.0, part.support.high) - tie
        return (part.mean, part.std, *part.hdi(hdi_mass), below, above, part.probability(low_end, high_end))

    own = numbers(law)
    mean, std, low, high, below, above, inside = own
    errors = numerical_error(law, numbers, own).tolist()
    return Summary(
        mean=mean,
        std=std,
        hdi=Interval(low, high),
        below=below,
        above=above,
        rope=inside,
        errors=Errors(
            mean=errors[0],
            std=errors[1],
            hdi=Interval(errors[2], errors[3]),
            below=errors[4],
            above=errors[5],
            rope=errors[6],
        ),
    )
