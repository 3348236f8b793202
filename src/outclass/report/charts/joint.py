"""What both systems say of the same items: the counts that the paired model is made of."""

from typing import Any, Final

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast
from outclass.report.drawing.marks import count_cells, heatmap
from outclass.report.drawing.theme import numbered, short, titled

TITLE: Final = "Predictions on the same items"
TRUE: Final = ["positive", "negative"]


def draw(answer: Any) -> Any:
    """Draw one comparison."""
    row = only_contrast(answer, "joint")
    if row.evidence is None or row.evidence.joint is None:
        raise InputError("the systems did not see the same items, so there is no joint table to draw.")
    a, b = (short(system.name) for system in row.systems)
    columns = numbered(["both", f"only {a}", f"only {b}", "neither"])
    data = count_cells(zip(TRUE, row.evidence.joint, strict=True), columns)
    return titled(heatmap(data, "says positive", "is", (columns, TRUE)), TITLE)


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw, page_place=3)
