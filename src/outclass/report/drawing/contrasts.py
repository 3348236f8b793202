"""What charts of comparisons need of their rows: the one that is meant, its distributions, its name."""

from collections.abc import Sequence
from typing import Any, Final

from outclass.errors import InputError
from outclass.inference.chains import Chains
from outclass.inference.distribution import Distribution
from outclass.report import captions
from outclass.report.curves import quick
from outclass.report.drawing.marks import Sides, directions
from outclass.report.drawing.theme import short
from outclass.report.tiles import IN_A_LABEL
from outclass.rows.types import Contrast

IN_A_PAIR: Final = 20  # characters of a name


def only_contrast(answer: Any, kind: str) -> Contrast:
    """Return the one comparison that an answer holds."""
    rows: Sequence[Contrast] = answer.rows
    if len(rows) != 1:
        raise InputError(
            f"a {kind} chart shows one comparison, and there are {len(rows)}: choose one measure, one label and two "
            "systems (in Python also answer[0]), or use a forest chart."
        )
    return rows[0]


def posterior_of(row: Contrast) -> Distribution:
    """Return the posterior of the difference, quick to draw."""
    if row.posterior is None:
        raise InputError("an answer loaded from JSON has no posterior; run it again to draw this chart.")
    return quick(row.posterior, roughly=True)


def prior_of(row: Contrast) -> Distribution:
    """Return the prior distribution of the difference."""
    if row.before is None:
        raise InputError("this difference has no prior distribution to draw.")
    return row.before  # not on a table: its density may have no bounds


def chains_of(row: Contrast, kind: str) -> Chains:
    """Return the chains that an answer was made with."""
    if not isinstance(row.posterior, Chains):
        raise InputError(f"a {kind} chart needs MCMC chains; this answer has none (use ⟨method=mcmc⟩).")
    return row.posterior


def difference_title(row: Contrast) -> str:
    """Say what the axis of a difference is of."""
    a, b = (short(system.name) for system in row.systems)
    return f"{short(row.measure.title)} of {a} minus {b}"


def pair_of(row: Contrast) -> Sides:
    """Return the names of both systems, as short as the sides of an axis need them."""
    a, b = (short(system.name, IN_A_LABEL) for system in row.systems)
    return Sides(a, b)


def sides_of(row: Contrast) -> list[Any]:
    """Say below the axis of a difference who is better on which side."""
    return directions(row.measure, pair_of(row))


def row_names(rows: Sequence[Contrast]) -> list[str]:
    """Name rows by what differs between them, each its own."""
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    found: list[str] = []
    for row in rows:
        parts = []
        if len(pairs) > 1:
            parts.append(" - ".join(short(system.name, IN_A_PAIR) for system in row.systems))
        if len({each.part for each in rows}) > 1:
            parts.append(short(row.part))
        if len({each.measure.name for each in rows}) > 1:
            parts.append(short(row.measure.title))
        if len({each.prior for each in rows}) > 1:
            parts.append(short(row.prior))
        name = ", ".join(parts) or short(captions.row_name(row))
        found.append(name if name not in found else f"{name} ({len(found) + 1})")
    return found
