"""The array types that the numerical rooms speak in."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def frozen(array: Floats) -> Floats:
    """Make an array read-only and return it, so that it can be shared and cached."""
    array.setflags(write=False)
    return array


def means_by(units: Counts, values: Floats) -> Floats:
    """Return the mean of the values of each unit, numbered from 0."""
    return np.asarray(np.bincount(units, weights=values) / np.bincount(units))
