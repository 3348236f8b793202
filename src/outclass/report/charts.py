"""Pictures of answers: one Altair definition each, for the page, a notebook, and PNG, SVG or PDF.

A chart is a function of the answer. Its data are few numbers, read off the laws by `curves`; what it says stands in
its title and subtitle, which come from `words` like every other sentence.
"""

import json
import math
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.errors import FileError, InputError, MissingExtraError, quoted, unknown
from outclass.inference.chains import Chains
from outclass.inference.distribution import Distribution, Interval
from outclass.report import captions, text, words
from outclass.report.curves import curve_of, quick
from outclass.rows.types import Contrast

WIDTH, HEIGHT = 560, 240
LINE: Final = 95  # characters of a title
IN_A_PAIR: Final = 20
MOST_NAMES: Final = 60  # characters of a name that a chart shows
MOST_POINTS: Final = 2_000  # of a trace
RANK_BINS: Final = 20
# Colours that are told apart in print, in the dark, and by people who do not see red and green.
COLOURS: Final = {
    "≫": "#2f7ebc",
    ">": "#b8860b",
    "≈": "#6b7a85",
    "≥": "#2f7ebc",
    "≤": "#c4532d",
    "?": "#b8860b",
    "<": "#b8860b",
    "≪": "#c4532d",
}
SYSTEMS: Final = ("#2f7ebc", "#c4532d")
SUFFIXES: Final = (".png", ".svg", ".pdf", ".html", ".json")


def _band(rope: Interval, low: float, high: float) -> dict[str, float]:
    """Return the ends of a region to draw; an open end goes as far as the chart."""
    return {
        "low": min(low, rope.high) if math.isinf(rope.low) else rope.low,
        "high": max(high, rope.low) if math.isinf(rope.high) else rope.high,
    }


def altair() -> Any:
    """Load Altair, or say where it comes from."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError.named("report", "a chart") from None
    return alt


def short(name: object, most: int = MOST_NAMES) -> str:
    """Write a name so that a chart has room for it; names that begin alike may end unlike."""
    told = text.plain(name)
    half = most // 2
    return told if len(told) <= most else f"{told[: half - 1]}…{told[-half:]}"


def _law(row: Contrast) -> Distribution:
    if row.posterior is None:
        raise InputError("an answer read back from JSON holds numbers only; run it again for its picture.")
    return quick(row.posterior)


def _one(answer: Any, kind: str) -> Contrast:
    rows: Sequence[Any] = getattr(answer, "rows", ())
    if len(rows) != 1 or not isinstance(rows[0], Contrast):
        raise InputError(
            f"a {kind} chart is of one comparison, and there are {len(rows)}: name one measure, one label and two "
            "systems (in Python also answer[0]), or take a forest of all."
        )
    return rows[0]


def _points(law: Distribution, **more: Any) -> list[dict[str, Any]]:
    curve = curve_of(law)
    return [{"x": float(x), "density": float(y), **more} for x, y in zip(curve.x, curve.density, strict=True)]


def titled(chart: Any, title: str, *subtitle: str) -> Any:
    """Give a chart its title, what is to be said below it, and its size."""
    alt = altair()
    told = [part for line in subtitle for part in textwrap.wrap(text.plain(line), LINE)]
    title = "\n".join(textwrap.wrap(text.plain(title), LINE - 10))
    return chart.properties(
        title=alt.TitleParams(title.split("\n"), subtitle=told, anchor="start"), width=WIDTH, height=HEIGHT
    )


def difference_title(row: Contrast) -> str:
    """Say what the axis of a difference is of."""
    a, b = (short(system.name) for system in row.systems)
    return f"{row.measure.title} of {a} minus {b}"


def posterior(answer: Any) -> Any:
    """The posterior of the difference, with its HDI, the ROPE, the mean and percentages (figure 6a of the paper)."""
    alt, row = altair(), _one(answer, "posterior")
    d, digits = row.difference, words.decimals(row.difference.std)
    own = COLOURS[row.verdict.sign]
    data = _points(_law(row), colour=own)
    top = max(point["density"] for point in data)
    x = alt.X("x:Q", title=difference_title(row), scale=alt.Scale(zero=False, nice=False))
    colour = alt.Color("colour:N", scale=None)
    # Each layer's data has a name, so that the page can put in others.
    band = (
        alt.Chart(alt.Data(values=[_band(row.rope, data[0]["x"], data[-1]["x"])], name="rope"))
        .mark_rect(opacity=0.18, color="#8a8f94", clip=True)
        .encode(x=alt.X("low:Q", title=difference_title(row)), x2="high:Q")
    )
    curve = alt.Chart(alt.Data(values=data, name="curve")).encode(
        x=x, y=alt.Y("density:Q", title="density"), color=colour
    )
    interval = (
        alt.Chart(alt.Data(values=[{"low": d.hdi.low, "high": d.hdi.high, "y": 0, "colour": own}], name="hdi"))
        .mark_rule(strokeWidth=5)
        .encode(x="low:Q", x2="high:Q", y=alt.Y("y:Q", title="density"), color=colour)
    )
    mean = alt.Chart(alt.Data(values=[{"mean": d.mean}], name="mean")).mark_rule(strokeDash=[4, 3]).encode(x="mean:Q")
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x="zero:Q")
    ends = [(d.hdi.low, "left", "low"), (d.hdi.high, "right", "high")]
    labels = [
        alt.Chart(alt.Data(values=[{"x": end, "y": top * 0.06, "label": words.signed(end, digits)}], name=name))
        .mark_text(align=align, dx=4 if align == "left" else -4)
        .encode(x="x:Q", y="y:Q", text="label:N")
        for end, align, name in ends
    ]
    area = curve.mark_area(opacity=0.35)
    line = curve.mark_line()
    told = f"{words.percent(d.below)} below zero, {words.percent(d.above)} above, {words.percent(d.rope)} in the ROPE"
    return titled(
        alt.layer(band, area, line, zero, mean, interval, *labels),
        f"{words.verdict(row)}",
        f"mean {words.signed(d.mean, digits)}, {100 * row.hdi_mass:g}% HDI {words.interval(d.hdi, digits)}, "
        f"ROPE {words.rope(row.rope)}",
        told,
    )


def factor(answer: Any) -> Any:
    """Prior against posterior density of the difference at zero: what a Bayes factor compares (figure 6b)."""
    alt, row = altair(), _one(answer, "factor")
    law, before = _law(row), _before(row)
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
    factors = {each.name: each for each in row.bayes_factors}
    known = factors.get("paper_kde") or (row.bayes_factors[0] if row.bayes_factors else None)
    line = "" if known is None else f"Bayes factor {words.factor(known.value)}: {known.words}"
    if any(each.name == "savage_dickey" and np.isnan(each.value) for each in row.bayes_factors):
        line = "The prior's density at zero is infinite, so that their ratio there is no number."
        dots = [dot for dot in dots if dot["of"] == "posterior"]
    colour = alt.Color("of:N", title=None, scale=alt.Scale(domain=["prior", "posterior"], range=list(SYSTEMS[::-1])))
    lines = (
        alt.Chart(alt.Data(values=data))
        .mark_line()
        .encode(x=alt.X("x:Q", title=difference_title(row)), y=alt.Y("density:Q", title="density"), color=colour)
    )
    points = (
        alt.Chart(alt.Data(values=dots)).mark_point(filled=True, size=90).encode(x="x:Q", y="density:Q", color=colour)
    )
    told = alt.Chart(alt.Data(values=dots)).mark_text(align="left", dx=8).encode(x="x:Q", y="density:Q", text="label:N")
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x="zero:Q")
    return titled(alt.layer(lines, zero, points, told), "Density at no difference, before and after the test", line)


def _before(row: Contrast) -> Distribution:
    if row.before is None:
        raise InputError("there is no prior law of this difference to draw.")
    return row.before  # not on a table: its density may have no bounds


def prior(answer: Any) -> Any:
    """The prior's law of the difference and the posterior's, each scaled to its highest point."""
    alt, row = altair(), _one(answer, "prior")
    data = []
    for name, law in (("prior", _before(row)), ("posterior", _law(row))):
        points = _points(law, of=name)
        top = max(point["density"] for point in points) or 1.0
        data += [{**point, "density": point["density"] / top} for point in points]
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_area(opacity=0.35, line=True)
        .encode(
            x=alt.X("x:Q", title=difference_title(row)),
            y=alt.Y("density:Q", title="density, of its highest", stack=None),
            color=alt.Color(
                "of:N", title=None, scale=alt.Scale(range=list(SYSTEMS[::-1]), domain=["prior", "posterior"])
            ),
        ),
        "Before and after the test",
        f"{row.prior} prior" + (f": {row.prior_words}" if row.prior_words else ""),
    )


def systems(answer: Any) -> Any:
    """Both systems' own posteriors."""
    alt, row = altair(), _one(answer, "systems")
    data = []
    for system in row.systems:
        if system.posterior is None:
            raise InputError("this model knows the difference only, not each system by itself.")
        data += _points(quick(system.posterior), system=short(system.name))
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_area(opacity=0.35, line=True)
        .encode(
            x=alt.X("x:Q", title=row.measure.title, scale=alt.Scale(zero=False)),
            y=alt.Y("density:Q", stack=None),
            color=alt.Color(
                "system:N",
                title=None,
                scale=alt.Scale(domain=[short(each.name) for each in row.systems], range=list(SYSTEMS)),
            ),
        ),
        f"{row.measure.title} of each system",
        "They overlap more than the difference is unsure, where both saw the same items." if row.pairing else "",
    )


def _chains(answer: Any, kind: str) -> tuple[Contrast, Chains]:
    row = _one(answer, kind)
    if not isinstance(row.posterior, Chains):
        raise InputError(f"a {kind} chart is of chains; this answer was made without any (--method mcmc makes some).")
    return row, row.posterior


def trace(answer: Any) -> Any:
    """The chains' draws in their order (figure 4 of the paper)."""
    alt = altair()
    row, law = _chains(answer, "trace")
    chains, draws = law.by_chain.shape
    every = max(1, chains * draws // MOST_POINTS)
    data = [
        {"draw": int(at), "x": float(law.by_chain[chain, at]), "chain": f"chain {chain + 1}"}
        for chain in range(chains)
        for at in range(0, draws, every)
    ]
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_line(strokeWidth=0.7, opacity=0.8)
        .encode(
            x=alt.X("draw:Q", title="draw"),
            y=alt.Y("x:Q", title=difference_title(row), scale=alt.Scale(zero=False)),
            color=alt.Color("chain:N", title=None),
        ),
        "The chains",
        words.chains(row),
        f"every {every}th draw" if every > 1 else "",
    )


def ranks(answer: Any) -> Any:
    """How the draws of each chain rank among all: flat, if the chains tell the same."""
    alt = altair()
    row, law = _chains(answer, "ranks")
    values = law.by_chain
    order = np.argsort(np.argsort(values, axis=None)).reshape(values.shape)
    data = []
    for chain, own in enumerate(order):
        counts = np.bincount(own * RANK_BINS // values.size, minlength=RANK_BINS)
        data += [
            {"rank": (at + 0.5) / RANK_BINS, "count": int(count), "chain": f"chain {chain + 1}"}
            for at, count in enumerate(counts)
        ]
    bars = (
        alt.Chart(alt.Data(values=data))
        .mark_bar(width=WIDTH / 2 / RANK_BINS * 0.9)
        .encode(x=alt.X("rank:Q", title="rank among all draws"), y=alt.Y("count:Q", title="draws"))
        .properties(width=WIDTH / 2, height=HEIGHT / 3)
    )
    return bars.facet(facet=alt.Facet("chain:N", title=None), columns=2).properties(
        title=alt.TitleParams("Ranks of the chains' draws", subtitle=[words.chains(row)], anchor="start")
    )


def forest(answer: Any) -> Any:
    """Many comparisons, one line each: the interval and its mean, coloured by the verdict, sorted by the mean."""
    alt = altair()
    rows = [row for row in getattr(answer, "rows", ()) if isinstance(row, Contrast)]
    if not rows:
        raise InputError("a forest chart is of comparisons.")
    names = row_names(rows)
    data = [
        {
            "name": name,
            "mean": row.difference.mean,
            "low": row.difference.hdi.low,
            "high": row.difference.hdi.high,
            "verdict": row.verdict.sign,
            "in ROPE": words.percent(row.difference.rope),
        }
        for name, row in zip(names, rows, strict=True)
    ]
    means = [row.difference.mean for row in rows]
    order = [names[place] for place in np.argsort([-mean for mean in means], kind="stable")]
    colour = alt.Color(
        "verdict:N", title="decision", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    )
    y = alt.Y("name:N", title=None, sort=order, axis=alt.Axis(labelLimit=340))
    base = alt.Chart(alt.Data(values=data, name="rows"))
    ropes = {row.rope for row in rows}
    ends = min(row.difference.hdi.low for row in rows), max(row.difference.hdi.high for row in rows)
    band = (
        alt.Chart(alt.Data(values=[_band(rope, *ends) for rope in ropes], name="rope"))
        .mark_rect(opacity=0.18, color="#8a8f94")
        .encode(x=alt.X("low:Q", title="difference"), x2="high:Q")
    )
    tips = ["name:N", "mean:Q", "low:Q", "high:Q", "verdict:N", "in ROPE:N"]
    bars = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y, color=colour, tooltip=tips)
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(x="mean:Q", y=y, color=colour, tooltip=tips)
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x="zero:Q")
    return titled(
        alt.layer(band, zero, bars, dots),
        captions.title(rows),
        f"{100 * rows[0].hdi_mass:g}% HDI; ROPE {words.rope(rows[0].rope)}" if len(ropes) == 1 else "",
    ).properties(height=max(HEIGHT / 3, 17 * len(rows)))


def row_names(rows: Sequence[Contrast]) -> list[str]:
    """Name rows by what differs between them, each its own."""
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    found: list[str] = []
    for row in rows:
        parts = []
        if len(pairs) > 1:
            parts.append(" - ".join(short(system.name, IN_A_PAIR) for system in row.systems))
        if len({each.label for each in rows}) > 1:
            parts.append(short(row.label))
        if len({each.measure.name for each in rows}) > 1:
            parts.append(row.measure.title)
        if len({each.prior for each in rows}) > 1:
            parts.append(short(row.prior))
        name = ", ".join(parts) or captions.row_name(row)
        found.append(name if name not in found else f"{name} ({len(found) + 1})")
    return found


def _heatmap(data: list[dict[str, Any]], x: str, y: str, orders: tuple[list[str], list[str]]) -> Any:
    alt = altair()
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("x:N", title=x, sort=orders[0], axis=alt.Axis(labelAngle=0, labelLimit=160)),
        y=alt.Y("y:N", title=y, sort=orders[1], axis=alt.Axis(labelLimit=160)),
    )
    cells = base.mark_rect().encode(
        color=alt.Color("share:Q", title="share of its row", scale=alt.Scale(scheme="blues"))
    )
    numbers = base.mark_text().encode(
        text="label:N", color=alt.condition("datum.share > 0.55", alt.value("white"), alt.value("black"))
    )
    return alt.layer(cells, numbers)


def confusion(answer: Any) -> Any:
    """What each system says of positives and of negatives."""
    alt, row = altair(), _one(answer, "confusion")
    if row.evidence is None or row.evidence.systems is None:
        raise InputError("there are no tables of two classes here to draw.")
    parts = []
    for system, table in zip(row.systems, row.evidence.systems, strict=True):
        data = [
            {"x": said, "y": true, "share": float(n / max(line.sum(), 1)), "label": f"{int(n):,}"}
            for true, line in zip(("positive", "negative"), table, strict=True)
            for said, n in zip(("says positive", "says negative"), line, strict=True)
        ]
        if not row.evidence.negatives_known:
            # Published counts without true negatives: they are not zero, but unknown, and so are shares of them.
            data[2] |= {"share": 0.0}
            data[3] |= {"share": 0.0, "label": "unknown"}
        orders = ["says positive", "says negative"], ["positive", "negative"]
        parts.append(
            _heatmap(data, short(system.name), "is", orders).properties(width=WIDTH / 2 - 40, height=HEIGHT / 2)
        )
    return alt.hconcat(*parts).properties(title=alt.TitleParams("Confusion", anchor="start"))


def joint(answer: Any) -> Any:
    """What both systems say of the same items: the counts that the paired model is made of."""
    row = _one(answer, "joint")
    if row.evidence is None or row.evidence.joint is None:
        raise InputError("the systems did not see the same items, so there is no joint table to draw.")
    a, b = (short(system.name) for system in row.systems)
    columns = ["both", f"only {a}", f"only {b}", "neither"]
    data = [
        {"x": said, "y": true, "share": float(n / max(line.sum(), 1)), "label": f"{int(n):,}"}
        for true, line in zip(("positive", "negative"), row.evidence.joint, strict=True)
        for said, n in zip(columns, line, strict=True)
    ]
    return titled(
        _heatmap(data, "says positive", "is", (columns, ["positive", "negative"])), "What both say of the same items"
    )


def ranking(answer: Any) -> Any:
    """The probability of every rank, for every system."""
    alt = altair()
    listed = getattr(answer, "systems", ())
    if not listed or not hasattr(listed[0], "ranks"):
        raise InputError("a ranking chart is of what `rank` answers.")
    names = [short(each.system.name) for each in listed]
    data = [
        {"system": name, "rank": place + 1, "p": float(p), "label": words.percent(float(p)) if p >= 0.005 else ""}
        for name, each in zip(names, listed, strict=True)
        for place, p in enumerate(each.ranks)
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("rank:O", title="rank", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("system:N", sort=names, title=None, axis=alt.Axis(labelLimit=220)),
    )
    cells = base.mark_rect().encode(
        color=alt.Color("p:Q", title="probability", scale=alt.Scale(scheme="blues", domain=[0, 1]))
    )
    layers = [cells]
    if len(names) <= 12:
        layers.append(
            base.mark_text().encode(
                text="label:N", color=alt.condition("datum.p > 0.55", alt.value("white"), alt.value("black"))
            )
        )
    return titled(alt.layer(*layers), answer.words).properties(height=max(60, 26 * len(names)))


def power(answer: Any) -> Any:
    """The probability of reaching a goal over the number of items, with the number chosen (figure 5 of the paper)."""
    alt = altair()
    cells = getattr(answer, "powers", ())
    if not cells:
        raise InputError("a power chart is of a plan over numbers of items (--n 400,800,1600).")
    data = [
        {
            "n": cell.n,
            "probability": cell.probability,
            "low": max(0.0, cell.probability - 1.96 * cell.error),
            "high": min(1.0, cell.probability + 1.96 * cell.error),
            "of": f"{cell.goal}, {cell.model}",
        }
        for cell in cells
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("n:Q", title="items", scale=alt.Scale(zero=False)), color=alt.Color("of:N", title=None)
    )
    y = alt.Y("probability:Q", scale=alt.Scale(domain=[0, 1]), title="probability")
    layers = [
        base.mark_line(point=True).encode(y=y),
        base.mark_rule().encode(y=alt.Y("low:Q", title="probability"), y2="high:Q"),
    ]
    chosen = [{"n": each.n} for each in answer.smallest if each.n is not None]
    if chosen:
        layers.append(
            alt.Chart(alt.Data(values=chosen)).mark_rule(strokeDash=[4, 3]).encode(x=alt.X("n:Q", title="items"))
        )
    return titled(alt.layer(*layers), answer.title, answer.words)


def rule(answer: Any) -> Any:
    """How often a rule is right, wrong or undecided, over true differences."""
    alt = altair()
    found = getattr(answer, "characteristics", ())
    if not found:
        raise InputError("a rule chart is of a plan with --characteristics.")
    data = [
        {"difference": each.difference, "share": getattr(each, kind), "verdict": kind}
        for each in found
        for kind in ("right", "wrong", "undecided")
    ]
    kinds = alt.Scale(domain=["right", "wrong", "undecided"], range=[COLOURS["≫"], COLOURS["≪"], COLOURS["≈"]])
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_line(point=True)
        .encode(
            x=alt.X("difference:Q", title="true difference"),
            y=alt.Y("share:Q", title="share of test sets", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("verdict:N", title=None, scale=kinds),
        ),
        "How the rule behaves",
    )


def frequency(answer: Any) -> Any:
    """Performance against how common a category is (figures 4 and 5 of Yang & Liu 1999): running macro-F1."""
    alt = altair()
    categories = list(getattr(answer, "categories", ()))
    if not categories:
        raise InputError("a frequency chart is of a test over categories (outclass test, more than two labels).")
    ordered = sorted((each for each in categories if each.frequency > 0), key=lambda each: each.frequency)
    near = max(3, len(ordered) // 8)
    data = []
    for place, name in enumerate(answer.systems):
        f1 = np.array([each.f1[place] for each in ordered], dtype=float)
        for at in range(len(ordered)):
            part = f1[max(0, at - near // 2) : at + near // 2 + 1]
            if np.isfinite(part).any():
                data.append({"frequency": ordered[at].frequency, "f1": float(np.nanmean(part)), "system": short(name)})
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_line(point=True)
        .encode(
            x=alt.X("frequency:Q", scale=alt.Scale(type="log"), title="items of the category"),
            y=alt.Y("f1:Q", title="F1, mean over neighbours"),
            color=alt.Color("system:N", title=None, sort=[short(name) for name in answer.systems]),
        ),
        "Performance against category frequency",
        f"running mean over {near} categories",
    )


CHARTS: Final[dict[str, Callable[[Any], Any]]] = {
    "posterior": posterior,
    "forest": forest,
    "systems": systems,
    "factor": factor,
    "prior": prior,
    "confusion": confusion,
    "joint": joint,
    "trace": trace,
    "ranks": ranks,
    "ranking": ranking,
    "power": power,
    "rule": rule,
    "frequency": frequency,
}


def usual_kind(answer: Any) -> str:
    """Return the chart that says most of an answer."""
    if hasattr(answer, "powers"):
        return "power" if answer.powers else "rule"
    if hasattr(answer, "verdicts"):
        return "ranking"
    if getattr(answer, "categories", ()):
        return "frequency"
    rows: Sequence[Any] = getattr(answer, "rows", ())
    if not rows or not isinstance(rows[0], Contrast):
        raise InputError(f"there is no chart of {type(answer).__name__.lower()}s yet.")
    return "posterior" if len(rows) == 1 else "forest"


def plot(answer: Any, kind: str | None = None) -> Any:
    """Return a chart of an answer, as Altair has it: show it in a notebook, or `.save()` it as PNG, SVG, PDF or HTML.

    Kinds: posterior, forest, systems, factor, prior, confusion, joint, trace, ranks (of `compare`); ranking (of
    `rank`); power, rule (of `plan`); frequency (of `test`). Without one, the chart that says most.
    """
    chosen = usual_kind(answer) if kind is None else kind
    if chosen not in CHARTS:
        raise unknown("chart", str(chosen), CHARTS)
    return CHARTS[chosen](answer)


def page_of_chart(chart: Any) -> str:
    """Return a chart as a page that needs nothing else, and that no name can break out of."""
    spec = safe_json(chart.to_dict())
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>outclass</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><div id="chart"></div>'
        f'<script type="application/json" id="spec">{spec}</script><script>{bundle()}</script>'
        "<script>vegaEmbed('#chart', JSON.parse(document.getElementById('spec').textContent))</script></html>\n"
    )


POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; "
    "font-src 'none'; connect-src 'none'"
)


@lru_cache(maxsize=1)
def bundle() -> str:
    """Return Vega as one script."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError.named("report", "a page") from None
    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]  # its stubs forget the default


def safe_json(value: Any) -> str:
    """Write data into a script element, which nothing in it can end."""
    told = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=float)
    return told.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def picture(answer: Any, kind: str | None, suffix: str) -> bytes:
    """Return a chart of an answer as the bytes of a file."""
    return file_of(plot(answer, kind), suffix)


def file_of(chart: Any, suffix: str) -> bytes:
    """Return a chart as the bytes of a file."""
    if suffix == ".json":
        return f"{chart.to_json()}\n".encode()
    if suffix == ".html":
        # Altair's own page would run what a name says.
        return page_of_chart(chart).encode()
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError.named("report", "a picture") from None
    spec = chart.to_dict()
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=2))
    if suffix == ".svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    if suffix == ".pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    raise FileError(f"a picture's file ends in {quoted(SUFFIXES)}; got {quoted([Path(suffix).name])}.")
