"""Models of classifier scores, whose items come in groups: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "clusters"
