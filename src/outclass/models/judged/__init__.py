"""Models of partly labelled items, with or without judges: `MODEL` of each file is a `FitModel`."""

from typing import Final

USUAL: Final = "poststratified"
