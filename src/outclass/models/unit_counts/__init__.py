"""Models of counts per item, by weights on items: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "paired"
