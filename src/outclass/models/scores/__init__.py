"""Models of classifier scores: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "bootstrap"
