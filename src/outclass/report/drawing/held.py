"""The data of a chart, which Altair takes as they are: it would copy and look at every number at every step."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from outclass.report.drawing.theme import altair


class Held:
    """Rows of numbers and words, plain ones only, that are written out as a list of objects."""

    _schema: ClassVar[dict[str, str]] = {"type": "array"}  # by which Altair knows what writes itself out

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._rows = tuple(rows)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the rows as a specification has them."""
        return [dict(row) for row in self._rows]


def held(rows: Iterable[Mapping[str, Any]], name: str = "") -> Any:
    """Return the data of a chart that has many; under a name, so that the page can put in others."""
    alt = altair()
    return alt.Data(values=Held(rows), **({"name": name} if name else {}))
