"""The fit of partly labelled items: what is known grows with labels, not with items."""

from dataclasses import dataclass
from typing import Any

from outclass.models.draws_fit import DrawsFit


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedFit(DrawsFit):
    """Draws of every measure of every system, from labels within strata."""

    @property
    def adds_by_items(self) -> bool:
        """More labels tell more; how many is said with the labels (`rows/labelling`)."""
        return False

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Return None: how many items other test sets would need says nothing of labels."""
        return None
