"""Models of numbers on many data sets: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "signed_rank"
