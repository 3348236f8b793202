"""Models of one system and two classes, by counts: `MODEL` of each file is a `TableModel`."""

from typing import Final

USUAL: Final = "single"
