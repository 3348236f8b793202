"""Prior against posterior density of the difference at zero: what a Bayes factor compares (figure 6b)."""

from typing import Any

import numpy as np

from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast, pair_of, posterior_of, prior_of, sides_of
from outclass.report.drawing.held import held
from outclass.report.drawing.marks import before_and_after, difference_axis, zero_line
from outclass.report.drawing.theme import altair, titled
from outclass.rows.types import Contrast


def draw(answer: Any) -> Any:
    """Draw one comparison."""
    alt, row = altair(), only_contrast(answer, "factor")
    law, before = posterior_of(row), prior_of(row)
    reach = max(abs(law.mean) + 4 * law.std, 3 * law.std)
    x = np.linspace(-reach, reach, 201)
    data, dots = [], []
    for name, each in (("prior", before), ("posterior", law)):
        with np.errstate(all="ignore"):
            densities = np.asarray(each.pdf(x), dtype=float)
            at_zero = float(each.pdf(0.0))
        data += [
            {"x": float(at), "density": float(y), "of": name}
            for at, y in zip(x, densities, strict=True)
            if np.isfinite(y)
        ]
        if np.isfinite(at_zero):
            dots.append({"x": 0.0, "density": at_zero, "of": name, "label": f"{at_zero:.3g}"})
    told = _told(row)
    if any(each.name == "savage_dickey" and np.isnan(each.value) for each in row.bayes_factors):
        told = "The prior density at zero is infinite, so the ratio is undefined."
        dots = [dot for dot in dots if dot["of"] == "posterior"]
    lines = (
        alt.Chart(held(data))
        .mark_line()
        .encode(
            x=alt.X("x:Q", axis=difference_axis([row.measure], sides=pair_of(row))),
            y=alt.Y("density:Q", title="density"),
            **before_and_after(),
        )
    )
    marked = alt.Chart(alt.Data(values=dots)).encode(x=alt.X("x:Q"), y=alt.Y("density:Q"))
    points = marked.mark_point(filled=True, size=90).encode(color=before_and_after()["color"])
    labels = marked.mark_text(align="left", dx=8).encode(text=alt.Text("label:N"))
    return titled(
        alt.layer(lines, zero_line(), points, labels, *sides_of(row)), "Prior and posterior density at zero", told
    )


def _told(row: Contrast) -> str:
    """Say the Bayes factor that the paper would have given, or the first there is."""
    factors = {each.name: each for each in row.bayes_factors}
    known = factors.get("paper_kde") or (row.bayes_factors[0] if row.bayes_factors else None)
    return "" if known is None else f"Bayes factor {words.factor(known.value)}: {known.words}"


CHART = Chart(title="Prior and posterior at zero", answers=("Comparison",), draw=draw, page_place=2)
