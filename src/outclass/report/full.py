"""An answer as one page, with what other methods would have said beside it."""

import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass import measures
from outclass.atomic import write_whole
from outclass.errors import InputError
from outclass.inference.settings import Settings
from outclass.models import fitted
from outclass.models.prior import prior_of
from outclass.report import charts, words
from outclass.report.page import Extras, checks_missing, render
from outclass.rows.types import Contrast
from outclass.significance.bootstrap import bootstrap
from outclass.significance.sign import mcnemar_exact
from outclass.verdict.rope import decide

LIBRARIES: Final = ("outclass", "numpy", "scipy", "duckdb")
DRAWS: Final = 4_000  # of the bootstrap on the page


def report(answer: Any, path: str | Path | None = None, *, command: str = "") -> str:
    """Write an answer as one self-contained page, and return it; `pip install "outclass[report]"`.

    The page asks nobody for anything. On it the region of practical equivalence and the interval's mass can be moved,
    and every verdict follows.
    """
    sheet = answer.sheet
    rows = [row for row in sheet.rows if isinstance(row, Contrast)]
    extras = Extras(
        command=command,
        versions=versions(),
        others=_others(rows[0]) if len(rows) == 1 else (),
        missing=checks_missing(rows),
        charts=_charts(answer, rows),
    )
    page = render(sheet, extras)
    if path is not None:
        write_whole(Path(path), page)
    return page


def versions(libraries: Sequence[str] = LIBRARIES) -> dict[str, str]:
    """Return what an answer was made with: Python, and those of the libraries that are installed."""
    found = {"Python": platform.python_version()}
    for name in libraries:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {"outclass": found.pop("outclass", ""), **found}


def _charts(answer: Any, rows: list[Contrast]) -> list[tuple[str, str, Any]]:
    """Choose the charts that say something of this answer."""
    if not rows:
        try:
            kind = charts.usual_kind(answer)
            return [(kind, kind.capitalize(), charts.plot(answer, kind))]
        except InputError:
            return []  # this answer has none
    if any(row.posterior is None for row in rows):
        return []
    found = []
    if len(rows) > 1:
        found.append(("forest", "All comparisons", charts.forest(answer)))
    found.append(("posterior", "The difference", charts.posterior(answer[0] if len(rows) > 1 else answer)))
    if len(rows) == 1:
        wanted = {
            "systems": "Each system by itself",
            "factor": "Before and after the test, at no difference",
            "joint": "What both say of the same items",
            "trace": "The chains",
        }
        for kind, heading in wanted.items():
            try:
                found.append((kind, heading, charts.plot(answer, kind)))
            except InputError:
                continue  # this answer has none
    return found


def _others(row: Contrast) -> list[dict[str, str]]:
    """Say what McNemar's test, the t-test, the bootstrap and the unpaired model make of the same counts, and why."""
    evidence, measure = row.evidence, row.measure.name
    found: list[dict[str, str]] = []
    if evidence is None or evidence.joint is None or measure not in measures.MEASURES or row.model == "unpaired":
        return found
    own = measures.get(measure)
    right = np.array([[0, 0], [0, 0]])
    if evidence.wins is not None:
        right = np.array([[0, evidence.wins.a], [evidence.wins.b, evidence.wins.same]])
        p = mcnemar_exact(right).p_value
        found.append(
            {
                "method": "McNemar's test, exact",
                "says": f"p {words.p_value(p)}: {_significant(p)}",
                "why": f"It is about accuracy{'' if measure == 'accuracy' else f', not {row.measure.title}'}, and "
                "about a difference of exactly zero; it cannot show equivalence.",
            }
        )
    for test in row.tests:
        if test.name == "welch_t":
            found.append(
                {
                    "method": "t-test",
                    "says": f"p {words.p_value(test.p_value)}: {_significant(test.p_value)}",
                    "why": "It ignores that both systems saw the same items, and is about accuracy.",
                }
            )
        if test.name in ("permutation_exact", "permutation"):
            exact = ", exact" if test.name == "permutation_exact" else ""
            found.append(
                {
                    "method": f"permutation test of {row.measure.title}{exact}",
                    "says": f"p {words.p_value(test.p_value)}: {_significant(test.p_value)}",
                    "why": "It is about a difference of exactly zero, however small a one would matter.",
                }
            )
    drawn = bootstrap(own, evidence.joint, "two-sided", np.random.default_rng(row.seed), DRAWS)
    found.append(
        {
            "method": "bootstrap (BCa)",
            "says": f"95% interval {words.interval(drawn.interval, words.decimals(row.difference.std))}, "
            f"p {words.p_value(drawn.p_value)}",
            "why": "No prior; too narrow with few items, and an interval of its own procedure rather than of belief.",
        }
    )
    try:
        prior, told = prior_of(row.prior), ""
        law = fitted("unpaired", evidence, prior.of(own, "unpaired"), Settings(tolerance=1e-3)).difference(own)
    except InputError:
        # A prior of four outcomes, or one that needs chains, is not this model's.
        told = " Here with the uniform prior."
        law = fitted("unpaired", evidence, prior_of("uniform"), Settings(tolerance=1e-3)).difference(own)
    hdi = law.hdi(row.hdi_mass)
    found.append(
        {
            "method": "the unpaired model",
            "says": f"{100 * row.hdi_mass:g}% HDI {words.interval(hdi, words.decimals(law.std))}: "
            f"{decide(hdi, row.rope).sign}",
            "why": "It takes the systems as tested on different items, and so is blind to what they do with the same."
            + told,
        }
    )
    return found


def _significant(p: float) -> str:
    return "a difference of zero is refused at .05" if p <= words.SIGNIFICANT else "a difference of zero is not refused"
