"""Models of runs crossed with items: `MODEL` of each file is a `FitModel`, whose `fit` takes a `RunsToFit`."""

from typing import Final

USUAL: Final = "crossed"
