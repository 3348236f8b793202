"""Models of repeats on a fixed suite of items: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "repeats"
