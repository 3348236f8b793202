"""Models of numbers beside a truth: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "bootstrap"
