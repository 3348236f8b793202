"""The chains' draws in their order (figure 4 of the 2016 paper)."""

from typing import Any, Final

from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import chains_of, difference_title, only_contrast
from outclass.report.drawing.held import held
from outclass.report.drawing.theme import altair, titled

TITLE: Final = "The chains"
MOST_POINTS: Final = 2_000


def draw(answer: Any) -> Any:
    """Draw the chains of one comparison."""
    alt, row = altair(), only_contrast(answer, "trace")
    values = chains_of(row, "trace").by_chain
    chains, draws = values.shape
    every = max(1, chains * draws // MOST_POINTS)
    data = [
        {"draw": int(at), "x": float(values[chain, at]), "chain": f"chain {chain + 1}"}
        for chain in range(chains)
        for at in range(0, draws, every)
    ]
    return titled(
        alt.Chart(held(data))
        .mark_line(strokeWidth=0.7, opacity=0.8)
        .encode(
            x=alt.X("draw:Q", title="draw"),
            y=alt.Y("x:Q", title=difference_title(row), scale=alt.Scale(zero=False)),
            color=alt.Color("chain:N", title=None),
        ),
        TITLE,
        words.chains(row),
        f"every {every}th draw" if every > 1 else "",
    )


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw, page_place=4)
