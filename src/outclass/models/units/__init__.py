"""Models of items with many classes or labels, by weights on them: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "paired"
