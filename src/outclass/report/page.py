"""One page that a colleague can open, understand and play with: a single file that asks nobody for anything.

An answer's sheet becomes typed, plain data; an autoescaped template lays it out; the script on the page moves the
region and the interval's mass, with numbers that were read off the laws here. Its sentences are those of `words`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.report import captions, text, words
from outclass.report.curves import Steps, curve_of, quick, round_step, steps_of
from outclass.report.drawing.contrasts import difference_title, row_names
from outclass.report.drawing.files import POLICY, bundle, safe_json
from outclass.report.drawing.theme import COLOURS
from outclass.report.other_methods import OtherMethod
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.types import Contrast
from outclass.verdict.rope import Verdict

MASSES: Final = (0.5, 0.8, 0.85, 0.89, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
CURVE_POINTS: Final = 61
MANY: Final = 40  # comparisons, from which on their tables are rougher
MOST_MOVED: Final = 200  # comparisons whose ROPE can be moved on the page; more are listed and charted as they are
DIGITS: Final = 6
MILLION: Final = 1_000_000
MOST_APART: Final = 40.0  # times the least spread
DRAWN: Final = 4  # digits of what is only drawn
# What a reader looks for first, in a table that may be wider than the screen.
FIRST: Final = ("verdict", "mean", "hdi", "rope", "below", "above", "std", "bf")
FAR: Final = Interval(1e300, 2e300)  # a region away from zero, wherever it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A chart on a page."""

    kind: str
    heading: str
    chart: Any


@dataclass(frozen=True)
class Extras:
    """What a page says beyond its answer."""

    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    others: Sequence[OtherMethod] = ()  # what other methods would have said
    missing: Sequence[tuple[str, str]] = ()  # checks that could not be run, and what to supply for them
    notes: Sequence[str] = ()  # what the page leaves out
    charts: Sequence[Drawn] = ()


def render(sheet: Sheet, extras: Extras) -> str:
    """Lay out a page."""
    import jinja2  # loaded for pages alone

    rows = [row for row in sheet.rows if isinstance(row, Contrast)]
    live = _can_move(rows)
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(_file("page.html.j2"))
    version = extras.versions.get("outclass", "")
    methods, references = words.methods(rows, version) if rows else ("", [])
    data = _data(rows) if live else None
    elsewhere = captions.what_now(rows)  # in a section of its own
    return template.render(
        title=text.plain(sheet.title),
        headlines=[text.plain(sentence) for sentence in _headlines(sheet, rows)],
        tables=[_table(caption, columns, rows) for caption, columns in sheet.tables],
        remarks=[text.plain(remark) for remark in (*extras.notes, *sheet.remarks) if remark not in elsewhere],
        findings=[(code, text.plain(message), many) for code, message, many in sheet.findings],
        what_now=[text.plain(words.what_now(row)) for row in rows[:1] if len(rows) == 1 and words.what_now(row)],
        pairing=[
            text.plain(words.pairing(row.pairing, row.items)) for row in rows[:1] if len(rows) == 1 and row.pairing
        ],
        parting=[text.plain(words.disagreement(row)) for row in rows[:1] if len(rows) == 1 and words.disagreement(row)],
        decided=len(rows) == 1 and rows[0].verdict.is_decided,
        factor_prior=rows[0].factor_prior if len(rows) == 1 and rows[0].factor_prior != rows[0].prior else "",
        factors=[(words.factor(each.value), each.words) for each in rows[0].bayes_factors] if len(rows) == 1 else [],
        others=extras.others,
        methods=text.plain(methods),
        references=references,
        missing=extras.missing,
        command=text.plain(extras.command),
        versions=dict(extras.versions),
        charts=[{"id": each.kind, "heading": each.heading} for each in extras.charts],
        first=2 if len(rows) > 1 else 1,
        live=live,
        policy=POLICY,
        data=safe_json({"answer": data, "charts": {each.kind: _bare(each.chart) for each in extras.charts}}),
        css=_file("page.css"),
        js=_file("page.js"),
        vega=bundle() if live or extras.charts else "",
    )


def _can_move(rows: Sequence[Contrast]) -> bool:
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
    same = len({(row.rope, row.hdi_mass) for row in rows}) == 1
    return same and max(spreads) <= MOST_APART * min(spreads)


def _file(name: str) -> str:
    return (resources.files("outclass.report") / "templates" / name).read_text(encoding="utf-8")


def _bare(chart: Any) -> Any:
    """Return a chart's definition without its title, which the page says itself, and as wide as the page."""
    spec = json.loads(json.dumps(chart.to_dict(), default=float))
    spec.pop("title", None)
    if "layer" in spec or "mark" in spec:
        spec["width"] = "container"
    spec.pop("config", None)
    return _finite(spec)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list) else value


def _headlines(sheet: Sheet, rows: Sequence[Contrast]) -> list[str]:
    if sheet.sentences:
        return list(sheet.sentences)
    if rows:
        return [words.counted(rows)]
    return [sheet.title]


def _table(caption: str, columns: Sequence[Column], rows: Sequence[Contrast]) -> dict[str, Any]:
    size = len(columns[0].cells) if columns else 0
    is_live = size == len(rows) and size > 0
    if is_live:
        place = {key: number for number, key in enumerate(FIRST)}
        columns = sorted(columns, key=lambda column: -1 if column.is_name else place.get(column.key, len(FIRST)))
    return {
        "caption": text.plain(caption),
        "heads": [
            {"title": text.plain(column.title), "key": column.key, "is_name": column.is_name} for column in columns
        ],
        "rows": [
            [{"text": text.plain(column.cells[at]), "key": column.key, "is_name": column.is_name} for column in columns]
            for at in range(size)
        ],
        "live": is_live,
    }


def _data(rows: Sequence[Contrast]) -> dict[str, Any]:
    """Read off the laws all that the page needs to move the region and the mass."""
    masses = tuple(sorted({*MASSES, *(row.hdi_mass for row in rows)}))
    # Each law is asked for once: those of many rows were let go, and are made again here.
    laws = [quick(law, roughly=len(rows) > MANY) for row in rows if (law := row.posterior) is not None]
    # A law too rough for a table is slow to read, so that its steps are fewer.
    rough = any(isinstance(law, Mixture) for law in laws)
    step = round_step(6 * max(row.difference.std for row in rows), coarse=rough or len(rows) > MANY)
    named = zip(row_names(rows), rows, laws, strict=True)
    found = [{"name": name, **_row(row, law, masses, step, is_only=len(rows) == 1)} for name, row, law in named]
    return {
        "rows": found,
        "masses": list(masses),
        "step": step,
        "mass": rows[0].hdi_mass,
        "rope": list(rows[0].rope),
        "colours": COLOURS,
        "counted": words.COUNTED,
        "signs": {verdict.value: verdict.sign for verdict in Verdict},
        "highest": _highest(rows, step),
    }


def _highest(rows: Sequence[Contrast], step: float) -> float:
    """How far the slider goes: beyond every interval, and at least twice the region."""
    reach = max(max(abs(end) for end in row.difference.hdi) for row in rows)
    wanted = max(1.5 * reach, 2 * max(abs(end) for end in rows[0].rope), 10 * step)
    return math.ceil(wanted / step) * step


def _row(row: Contrast, law: Distribution, masses: Sequence[float], step: float, *, is_only: bool) -> dict[str, Any]:
    d, digits = row.difference, words.decimals(row.difference.std)
    hdis = [row.difference.hdi if mass == row.hdi_mass else law.hdi(mass) for mass in masses]
    steps = steps_of(law, step)
    curve = curve_of(law, CURVE_POINTS)
    a, b = (replace(system, name=text.plain(system.name)) for system in row.systems)
    row = replace(row, systems=(a, b))
    near = replace(row, rope=Interval(-1.0, 1.0))
    spoken = list(Verdict) if is_only else []
    return {
        "axis": difference_title(row),
        "mean": _short(d.mean),
        "digits": digits,
        "rope": d.rope,
        "hdis": [list(hdi) for hdi in hdis],
        **_counted(law, steps),
        "x": [_short(x, DRAWN) for x in curve.x],
        "density": [_short(y, DRAWN) for y in curve.density],
        # Every sentence there can be, with blanks for what moves.
        "told": {each.value: words.sentence(replace(near, verdict=each), words.BLANKS) for each in spoken},
        "away": {each.value: words.sentence(replace(row, rope=FAR, verdict=each), words.BLANKS) for each in spoken},
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


def _knows_groups(row: Contrast) -> bool:
    """Whether groups of items were given."""
    return row.model_key.startswith("group")


def checks_missing(rows: Sequence[Contrast]) -> list[tuple[str, str]]:
    """Name checks that these data do not allow, and what to supply for them."""
    if not rows:
        return []
    first = rows[0]
    found = []
    if first.evidence is not None and first.evidence.joint is None:
        found.append(
            (
                "Pairing: whether the systems err on the same items.",
                "The predictions of both systems on the same items; then the interval is likely to be much narrower.",
            )
        )
    if not _knows_groups(first):
        found.append(
            (
                "Whether items are clustered (sentences of a document, questions of a user).",
                "A column of groups (--group COL).",
            )
        )
    found.append(
        (
            "How well the systems rank, and how well their scores are calibrated.",
            "Scores instead of labels (outclass test --scores).",
        )
    )
    found.append(
        (
            "How far reruns of one system differ (another seed, another training set).",
            "The measure of three reruns or more; oc.rope_from_reruns turns their spread into a ROPE.",
        )
    )
    found.append(("How many of the true labels are wrong.", "A second annotation of a sample of the items."))
    return found
