"""Models of numbers beside a truth, whose items come in groups: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "clusters"
