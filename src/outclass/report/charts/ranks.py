"""How the draws of each chain rank among all: flat, if the chains tell the same."""

from typing import Any, Final

import numpy as np

from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import chains_of, only_contrast
from outclass.report.drawing.theme import HEIGHT, WIDTH, altair

TITLE: Final = "Ranks of the chains' draws"
BINS: Final = 20


def draw(answer: Any) -> Any:
    """Draw the chains of one comparison."""
    alt, row = altair(), only_contrast(answer, "ranks")
    values = chains_of(row, "ranks").by_chain
    order = np.argsort(np.argsort(values, axis=None)).reshape(values.shape)
    data = []
    for chain, own in enumerate(order):
        counts = np.bincount(own * BINS // values.size, minlength=BINS)
        data += [
            {"rank": (at + 0.5) / BINS, "count": int(count), "chain": f"chain {chain + 1}"}
            for at, count in enumerate(counts)
        ]
    bars = (
        alt.Chart(alt.Data(values=data))
        .mark_bar(width=WIDTH / 2 / BINS * 0.9)
        .encode(x=alt.X("rank:Q", title="rank among all draws"), y=alt.Y("count:Q", title="draws"))
        .properties(width=WIDTH / 2, height=HEIGHT / 3)
    )
    return bars.facet(facet=alt.Facet("chain:N", title=None), columns=2).properties(
        title=alt.TitleParams(TITLE, subtitle=[words.chains(row)], anchor="start")
    )


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw)
