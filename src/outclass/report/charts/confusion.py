"""What each system says of positives and of negatives."""

from typing import Any, Final

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast
from outclass.report.drawing.marks import count_cells, heatmap
from outclass.report.drawing.theme import HEIGHT, WIDTH, altair, numbered, short

TITLE: Final = "Confusion"
TRUE: Final = ["positive", "negative"]
SAID: Final = numbered(TRUE)


def draw(answer: Any) -> Any:
    """Draw both systems of one comparison."""
    alt, row = altair(), only_contrast(answer, "confusion")
    if row.evidence is None or row.evidence.systems is None or len(row.evidence.systems[0]) == 1:
        raise InputError("there are no two-class tables to draw.")
    parts = []
    for system, table in zip(row.systems, row.evidence.systems, strict=True):
        data = count_cells(zip(TRUE, table, strict=True), SAID)
        if not row.evidence.negatives_known:
            # Published counts without true negatives: they are not zero, but unknown, and so are shares of them.
            data[2] |= {"share": 0.0}
            data[3] |= {"share": 0.0, "label": "unknown"}
        # More than the bare name: a title called "toString" would leave the chart blank.
        drawn = heatmap(data, f"{short(system.name)} predicts", "is", (SAID, TRUE))
        parts.append(drawn.properties(width=WIDTH / 2 - 40, height=HEIGHT / 2))
    return alt.hconcat(*parts).properties(title=alt.TitleParams(TITLE, anchor="start"))


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw)
