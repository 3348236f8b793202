"""Repeats of items: how much of the variance is generation noise, and whether all items of a repeat move together."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from outclass.data.repeats import OneSystem, RepeatedScores
from outclass.findings import Finding, declare, finding
from outclass.models.fit import Fit
from outclass.models.generation import noise_of, seen_noise, together
from outclass.rows.checks import Case
from outclass.significance.run_effect import run_effect

declare(
    OC512="all items of one repeat move together",
    OC521="a part of the variance is generation noise",
    OC522="the interval is for these items alone",
)

ALPHA: Final = 0.05  # of a run effect, in each system
MOST_SHOWN: Final = 10  # repeats whose sums are named
LARGE: Final = 0.999  # share of the variance, beyond which more items are no remedy


def check(case: Case) -> Iterator[Finding]:
    """Look at the repeats of two systems, or of one."""
    scores: Any = case.fit.data
    if not isinstance(scores, RepeatedScores):
        return
    names = case.names
    for name in names:
        yield from _run_effects(scores, name)
    if case.row is not None and case.measure.name == "mean":
        yield from _shares(scores, names, case.fit, case)


def _run_effects(scores: RepeatedScores, name: str) -> Iterator[Finding]:
    kinds, own = scores.repeats.right_wrong, scores.repeats.distinct.systems[name]
    right = None if kinds is None else kinds[1] if scores.higher_is_better else kinds[0]
    found = run_effect(own.by_run(), right)
    if found is None or not found.p_value < ALPHA:
        return
    what = "right answers" if right is not None else f"mean {scores.name}"
    shown = ", ".join(f"{each:.4g}" for each in found.totals[:MOST_SHOWN])
    more = ", ..." if len(found.totals) > MOST_SHOWN else ""
    p = f"{found.p_value:.3f}".lstrip("0") if found.p_value >= 0.001 else f"{found.p_value:.1g}"
    test = f"{found.name} = {found.statistic:.2f}, p = {p}"
    yield finding(
        "OC512",
        f"all items of {name} move together from one repeat to the next: {what} by repeat {shown}{more} ({test}). "
        "Did the model, prompt or server change? Intervals take repeats as alike.",
    )


def _shares(scores: RepeatedScores, names: Sequence[str], fit: Fit, case: Case) -> Iterator[Finding]:
    """Say how much of the variance of a mean is generation noise, and what would lessen it."""
    own = seen_noise(scores, names)
    noise = together([noise_of(each) for each in own]).variance
    whole = _variance(scores, names, fit, case)
    if math.isnan(noise) or whole is None or not whole > 0:
        return
    se = math.sqrt(whole)
    if fit.model.startswith("fixed_items."):
        told = f"the interval is for these {len(scores):,} items, answered again. "
        if whole <= noise:
            told += "Items differ no more than their answers do: for items like these the SE is about the same."
        else:
            told += f"For items like these, the SE is {_short(se)} instead of {_short(math.sqrt(noise))} "
            told += "(⟨population=like-these⟩)."
        yield finding("OC522", told)
        return
    share = noise / whole
    of = "the difference" if len(names) > 1 else "the mean"
    told = f"{_how_many(own)} per item: "
    if share > LARGE:
        yield finding(
            "OC521", f"{told}nearly 100% of the variance of {of} is generation noise: more repeats are the remedy."
        )
        return
    rest, twice = math.sqrt(whole - noise), math.sqrt(whole / 2)
    yield finding(
        "OC521",
        f"{told}{share:.1%} of the variance of {of} is generation noise. Its SE of {_short(se)} would be "
        f"{_short(rest)} with any number of repeats, {_short(twice)} with {2 * len(scores):,} items.",
    )


def _variance(scores: RepeatedScores, names: Sequence[str], fit: Any, case: Case) -> float | None:
    """Return the variance of a mean over items, or over items in groups; None where groups count alike."""
    if scores.group is not None and not fit.model.startswith("fixed_items."):
        known = getattr(fit, "jackknives", {}).get(case.measure.name)
        if known is None or fit.question.average != "items":
            return None
        return float(known.variance(case.a, case.b))
    values = scores.values[names[0]] if len(names) == 1 else scores.difference(names[0], names[-1])
    return float(values.var(ddof=1)) / len(values)


def _how_many(own: Sequence[OneSystem]) -> str:
    fewest, most = min(int(each.sizes.min()) for each in own), max(int(each.sizes.max()) for each in own)
    if fewest == most:
        return f"{most} repeat{'' if most == 1 else 's'}"
    return f"{fewest} to {most} repeats"


def _short(value: float) -> str:
    """Write a standard error without the leading zero."""
    return f"{value:#.3g}".replace("0.", ".", 1) if value < 1 else f"{value:.4g}"
