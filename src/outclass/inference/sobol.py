"""Scrambled Sobol points, as normal scores.

`scipy.stats.qmc` makes the same points, but importing `scipy.stats` takes longer than a whole comparison does;
a test holds the unscrambled points equal to SciPy's.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Floats, frozen

BITS: Final = 30
# Joe & Kuo's "new-joe-kuo-6" numbers for dimensions 2 to 12: (degree, coefficients, first direction numbers).
_PRIMITIVE: Final = (
    (1, 0, (1,)),
    (2, 1, (1, 3)),
    (3, 1, (1, 3, 1)),
    (3, 2, (1, 1, 1)),
    (4, 1, (1, 1, 3, 3)),
    (4, 4, (1, 3, 5, 13)),
    (5, 2, (1, 1, 5, 5, 17)),
    (5, 4, (1, 1, 5, 5, 5)),
    (5, 7, (1, 1, 7, 11, 19)),
    (5, 11, (1, 1, 5, 1, 1)),
    (5, 13, (1, 1, 1, 3, 11)),
)
DIMENSIONS: Final = 8  # that posteriors are integrated over
MOST_DIMENSIONS: Final = 1 + len(_PRIMITIVE)


def directions(dimensions: int = DIMENSIONS) -> np.ndarray:
    """Return the direction numbers, one row a dimension, one column a bit of the point's index."""
    table = np.zeros((dimensions, BITS), dtype=np.uint32)
    table[0] = 1 << np.arange(BITS - 1, -1, -1)
    for row, (degree, coefficients, first) in enumerate(_PRIMITIVE[: dimensions - 1], start=1):
        numbers = list(first)
        for bit in range(degree, BITS):
            number = numbers[bit - degree] ^ (numbers[bit - degree] << degree)
            for back in range(1, degree):
                if coefficients >> (degree - 1 - back) & 1:
                    number ^= numbers[bit - back] << back
            numbers.append(number)
        table[row] = [number << (BITS - 1 - bit) for bit, number in enumerate(numbers)]
    return table


def _points(table: np.ndarray, power: int) -> np.ndarray:
    """Return the first 2**power points of a table of direction numbers, as integers of `BITS` bits."""
    points = np.zeros((table.shape[0], 1 << power), dtype=np.uint32)
    for bit in range(power):
        half = 1 << bit
        points[:, half : 2 * half] = points[:, :half] ^ table[:, bit, None]
    return points


def _scramble(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Multiply every direction number by a random lower-triangular bit matrix (Matoušek's scramble)."""
    bits = np.arange(BITS)
    # Digit `bit` (counted from the most significant) keeps itself and mixes in a random choice of those above it.
    above = rng.integers(0, 1 << bits, (table.shape[0], BITS)) << (BITS - bits)
    masks = (above | 1 << (BITS - 1 - bits)).astype(np.uint32)
    parity = np.bitwise_count(table[:, None, :] & masks[:, :, None]).astype(np.uint32) & 1
    return np.asarray(np.bitwise_or.reduce(parity << (BITS - 1 - bits).astype(np.uint32)[:, None], axis=1))


def uniform(power: int, dimensions: int = DIMENSIONS) -> Floats:
    """Return the unscrambled points in [0, 1), shape (dimensions, 2**power)."""
    return np.asarray(_points(directions(dimensions), power) / float(1 << BITS))


@lru_cache(maxsize=12)
def scrambles(replicates: int, seed: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return independent scrambles, each its direction numbers and its digital shift."""
    plain = directions()
    made = []
    for child in np.random.SeedSequence(seed).spawn(replicates):
        rng = np.random.default_rng(child)
        made.append((_scramble(plain, rng), rng.integers(0, 1 << BITS, DIMENSIONS).astype(np.uint32)))
    return tuple(made)


def orders(power: int, dimensions: int, seed: int) -> np.ndarray:
    """Return scrambled points as whole numbers: each row holds each of 0 to 2**power - 1 once."""
    rng = np.random.default_rng(seed)
    table = _scramble(directions(dimensions), rng)
    shift = rng.integers(0, 1 << BITS, dimensions).astype(np.uint32)
    return np.asarray((_points(table, power) ^ shift[:, None]) >> np.uint32(BITS - power)).astype(np.int64)


@lru_cache(maxsize=12)
def normal_scores(power: int, replicates: int, seed: int) -> Floats:
    """Return independently scrambled points as normal scores, shape (dimensions, replicates, 2**power).

    Independent scrambles of one point set are unbiased and independent of each other, so their spread is
    an honest measure of the integration error.
    """
    scores = np.empty((DIMENSIONS, replicates, 1 << power))
    for replicate, (table, shift) in enumerate(scrambles(replicates, seed)):
        points = _points(table, power) ^ shift[:, None]
        scores[:, replicate] = special.ndtri((points + 0.5) / (1 << BITS))
    return frozen(scores)
