"""Models of numbers per item: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "t"
