"""Takes the rows of a comparison, gives what a page needs to move the ROPE and the interval's mass, as plain data.

Numbers are read off the posteriors here; sentences come from `words`, with blanks for what moves.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from outclass.inference.derived import Scaled
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.report import text, tiles, words
from outclass.report.charts.forest import DECISIONS
from outclass.report.curves import Steps, curve_of, intervals_of, quick, round_step, steps_of
from outclass.report.drawing.contrasts import row_names
from outclass.report.drawing.marks import reach
from outclass.report.drawing.theme import COLOURS, short
from outclass.rows.types import Contrast
from outclass.verdict.rope import Verdict

MASSES: Final = (0.5, 0.8, 0.85, 0.89, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
CURVE_POINTS: Final = 61
MANY: Final = 40  # comparisons, from which on the steps of the ROPE are fewer
MOST_MOVED: Final = 200  # comparisons whose ROPE can be moved on the page; more are listed and charted as they are
DIGITS: Final = 6
MILLION: Final = 1_000_000
MOST_APART: Final = 40.0  # times the least spread
DRAWN: Final = 4  # digits of what is only drawn
FAR: Final = Interval(1e300, 2e300)  # a region away from zero, wherever it is
STEPS: Final = 40  # of the slider and of a drag, at least: each is a round number
HINT: Final = "Drag its edges in the chart to change it."
FEW: Final = 3  # rows of one pair, each of which is put in words


def can_move(rows: Sequence[Contrast]) -> bool:
    """Whether one region and one mass can be moved for all rows: they have laws, and all the same scale."""
    if not 0 < len(rows) <= MOST_MOVED:
        return False
    if any(row.law is None or not 0 < row.difference.std < math.inf for row in rows):
        return False
    if any(math.isinf(end) for row in rows for end in row.rope):
        return False  # a margin of non-inferiority has one end
    if any(words.is_over_data_sets(row) for row in rows):
        return False  # whose decision is not by the interval
    spreads = [row.difference.std for row in rows]
    same = len({(row.rope, row.hdi_mass, row.measure.in_points) for row in rows}) == 1
    return same and max(spreads) <= MOST_APART * min(spreads)


def readable(row: Contrast) -> Contrast:
    """Return a row whose names can be put into sentences: nothing in them is obeyed or hidden, and none is endless."""
    a, b = (replace(system, name=short(system.name)) for system in row.systems)
    label = short(row.label) if isinstance(row.label, str) else row.label
    measure = replace(row.measure, title=short(row.measure.title))
    part = row.slice and replace(row.slice, column=short(row.slice.column), name=short(row.slice.name))
    return replace(row, systems=(a, b), label=label, slice=part, measure=measure, prior=text.plain(row.prior))


def headlines(rows: Sequence[Contrast], *, live: bool) -> list[str]:
    """Say the answer, then the decision against the ROPE and how to set another."""
    rows = [readable(row) for row in rows]
    if len(rows) == 1:
        told = words.decision(rows[0], hint=HINT) if live else words.decision(rows[0])
        return [words.lead(rows[0]), *([told] if told else [])]
    named = words.regions(rows, hint="drag its edges in the chart to change it") if live else words.regions(rows)
    same = len({tuple(system.name for system in row.systems) for row in rows}) == len({row.part for row in rows}) == 1
    # The interval of a sentence stands for one mass, which a page may move.
    leads = [words.lead(row) for row in rows] if same and len(rows) <= FEW and not live else []
    return [words.summary(rows), *leads, *(f"All items, {words.in_short(row)}" for row in rows if row.is_whole), named]


def signs(rows: Sequence[Contrast]) -> str:
    """Say what the signs of the page's first table mean."""
    pairs = {tuple(system.name for system in readable(row).systems) for row in rows}
    return words.signs(rows, *next(iter(pairs))) if len(pairs) == 1 else words.signs(rows)


def first_chosen(rows: Sequence[Contrast]) -> int:
    """Return the row that a page opens with: the first of several measures, otherwise the largest difference."""
    if len({row.measure.name for row in rows}) == len(rows):
        return 0
    sizes = [-1.0 if math.isnan(row.difference.mean) else abs(row.difference.mean) for row in rows]
    return int(np.argmax(sizes))


def data_of(rows: Sequence[Contrast]) -> dict[str, Any]:
    """Read off the laws all that the page needs to move the region and the mass."""
    masses = tuple(sorted({*MASSES, *(row.hdi_mass for row in rows)}))
    # Each law is asked for once: those of many rows were let go, and are made again here.
    laws = [quick(law, roughly=len(rows) > 1) for row in rows if (law := row.posterior) is not None]
    # A law too rough for a table is slow to read, so that its steps are fewer.
    rough = any(isinstance(law.law if isinstance(law, Scaled) else law, Mixture) for law in laws)
    step = round_step(6 * max(row.difference.std for row in rows), coarse=rough or len(rows) > MANY)
    named = zip(row_names(rows), rows, laws, strict=True)
    found = [{"name": name, **_row(row, law, masses, step, is_only=len(rows) == 1)} for name, row, law in named]
    highest = _highest(rows, step)
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    return {
        "rows": found,
        "masses": list(masses),
        "step": step,
        "drag": drag_step(highest, step),
        "mass": rows[0].hdi_mass,
        "rope": list(rows[0].rope),
        "in_points": rows[0].measure.in_points,
        "colours": COLOURS,
        "regions": [
            headlines(rows, live=True)[-1],
            words.regions([replace(row, findings=()) for row in rows], words.BLANKS),
        ],
        "summary": words.summary_parts(rows)._asdict(),
        "one_pair": len(pairs) == 1,
        "signs": {verdict.value: verdict.sign for verdict in Verdict},
        "legend": {verdict.value: DECISIONS.get(verdict.sign, DECISIONS[""])[0] for verdict in Verdict},
        "highest": highest,
        "chosen": first_chosen(rows),
    }


def drag_step(highest: float, step: float) -> float:
    """Return the step of the slider: a round number of steps of the table, a few dozen of which reach the end."""
    power = 10.0 ** math.floor(math.log10(highest / STEPS))
    wanted = max(each * power for each in (1, 2, 5, 10) if each * power <= highest / STEPS * (1 + 1e-9))
    return max(step, round(wanted / step) * step)


def _highest(rows: Sequence[Contrast], step: float) -> float:
    """How far the slider goes: beyond every interval, and at least twice the region."""
    farthest = max(max(abs(end) for end in row.difference.hdi) for row in rows)
    wanted = max(1.5 * farthest, 2 * max(abs(end) for end in rows[0].rope), 10 * step)
    return math.ceil(wanted / step) * step


def _row(row: Contrast, law: Distribution, masses: Sequence[float], step: float, *, is_only: bool) -> dict[str, Any]:
    d = row.difference
    hdis = [d.hdi if mass == row.hdi_mass else hdi for mass, hdi in zip(masses, intervals_of(law, masses), strict=True)]
    curve = curve_of(law, CURVE_POINTS)
    top = max(float(curve.density.max()), 1e-300)
    row = readable(row)
    factor, digits = words.scale(row.measure, d.std)
    a, b = (short(system.name, tiles.IN_A_LABEL) for system in row.systems)
    sides = (f"← {b} better", f"{a} better →") if row.measure.higher_is_better else (f"← {a} better", f"{b} better →")
    return {
        "axis": f"difference in {row.measure.title}" + (" (points)" if row.measure.in_points else ""),
        "sides": sides,
        "mean": _short(d.mean),
        "digits": words.decimals(d.std),
        "scale": [factor, digits],
        "rope": d.rope,
        "hdis": [list(hdi) for hdi in hdis],
        **_counted(law, steps_of(law, step)),
        "x": [_short(x, DRAWN) for x in curve.x],
        "height": [_short(y / top, DRAWN) for y in curve.density],
        "domain": reach(Interval(float(curve.x[0]), float(curve.x[-1])), [row.rope]),
        "is_whole": row.is_whole,
        "leader": words.leader(row),
        "lean": words.leaning(row),
        "lean_named": words.leaning(row, named=True),
        "tiles": {each.key: [each.label, each.value, each.detail] for each in tiles.of_contrast(row)},
        "decided": {each.value: words.decided(replace(row, verdict=each)) for each in Verdict},
        **(_sentences(row, masses, hdis) if is_only else {}),
    }


def _sentences(row: Contrast, masses: Sequence[float], hdis: Sequence[Interval]) -> dict[str, Any]:
    """Write every sentence there can be: of each mass who leads, of each verdict the decision, with blanks."""
    moved = replace(row, findings=())  # nobody's default any more
    near, away = replace(moved, rope=Interval(-1.0, 1.0)), replace(moved, rope=FAR)
    return {
        "leads": [
            words.lead(replace(row, hdi_mass=mass, difference=replace(row.difference, hdi=hdi)))
            for mass, hdi in zip(masses, hdis, strict=True)
        ],
        "first_told": headlines([row], live=True)[-1],
        "told": {each.value: words.decision(replace(near, verdict=each), words.BLANKS) for each in Verdict},
        "away": {each.value: words.decision(replace(away, verdict=each), words.BLANKS) for each in Verdict},
    }


def _counted(law: Distribution, steps: Steps) -> dict[str, Any]:
    """Write a cdf as whole numbers: of draws, how many; otherwise in millionths. Where it is 0 or 1 it is left out."""
    whole = law.values.size if isinstance(law, Draws) else MILLION
    below, up_to = (np.rint(values * whole).astype(int) for values in (steps.below, steps.up_to))
    seen = np.flatnonzero((up_to > 0) & (below < whole))
    part = slice(seen[0], seen[-1] + 1) if len(seen) else slice(0, 1)
    return {
        "first": steps.first + part.start,
        "whole": whole,
        "below": below[part].tolist(),
        "up_to": up_to[part].tolist() if isinstance(law, Draws) else None,
    }


def _short(value: float, digits: int = DIGITS) -> float | None:
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None
