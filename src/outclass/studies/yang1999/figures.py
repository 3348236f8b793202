"""The paper's figures 4 and 5."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from outclass.report.drawing.theme import altair, titled
from outclass.rows.types import Category


def curves(categories: Sequence[Category], systems: Sequence[str], most: int | None, title: str) -> Any:
    """Draw F1 against how many documents a category is trained on, as the paper does.

    The axis is cut into ten parts of the same width, and F1 of a part's categories averaged.
    """
    alt = altair()
    kept = [each for each in categories if most is None or each.frequency <= most]
    end = most or max((each.frequency for each in kept), default=1)
    edges = np.linspace(0, end, 11)
    data = []
    for low, high in pairwise(edges):
        part = [each for each in kept if low < each.frequency <= high]
        for place, system in enumerate(systems):
            if part:
                data.append(
                    {
                        "frequency": float((low + high) / 2),
                        "f1": float(np.mean([each.f1[place] for each in part])),
                        "system": system,
                        "categories": len(part),
                    }
                )
    chart = (
        alt.Chart(alt.Data(values=data))
        .mark_line(point=True)
        .encode(
            x=alt.X("frequency:Q", title="training documents of the category"),
            y=alt.Y("f1:Q", title="F1, mean of the categories", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("system:N", title=None, sort=list(systems)),
        )
    )
    return titled(chart, title, f"{len(kept)} categories, ten parts of the same width")
