"""Models of numbers per fold of a cross-validation: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "correlated"
