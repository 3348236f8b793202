"""Several runs of each system in words: what varies, what would help, and whether a single run says the same."""

import math

from outclass.report.words.brief import scale
from outclass.report.words.numbers import probability
from outclass.rows.run_parts import RunsPart
from outclass.rows.types import Contrast

ALIKE = 0.02  # of the width, by which two remedies are told apart
_FOLDS = ("folds", "data_sets", "runs")


def counted_runs(part: RunsPart) -> str:
    """Say how many runs each system has."""
    first, second = (len(each.runs) for each in part.systems)
    paired = "paired " if part.paired else ""
    if first == second == 1:
        return "one run each"
    return f"{first} {paired}runs each" if first == second else f"{first} and {second} runs"


def variation(row: Contrast) -> str:
    """Say what the uncertainty comes from, in one line; '' where each system is one run."""
    part = row.runs
    if part is None:
        return ""
    told = f"{row.items:,} items, {counted_runs(part)}"
    if math.isnan(part.new_run) or math.isnan(part.from_runs):
        return f"{told}."
    shares = (("runs", part.from_runs), ("items", part.from_items), ("rest", part.rest))
    return f"{told}; variance: {', '.join(f'{name} {100 * share:.0f}%' for name, share in shares)}."


def new_run(row: Contrast) -> str:
    """Say how often one new run of the better system beats one of the other."""
    part = row.runs
    if part is None or math.isnan(part.new_run):
        return ""
    a, b = (system.name for system in row.systems)
    first, second, chance = (a, b, part.new_run) if part.new_run >= 0.5 else (b, a, 1 - part.new_run)
    seed = " with the same seed" if part.paired else ""
    return f"P(a new run of {first} beats one of {second}{seed}) {probability(chance)}."


def remedy(row: Contrast) -> str:
    """Say what one more run or more items would buy."""
    part = row.runs
    if part is None or math.isnan(part.narrower_by_run):
        return ""
    by_run, by_items = (max(value, 0.0) for value in (part.narrower_by_run, part.narrower_by_items))
    told = (
        f"Next: 1 more run each narrows the HDI {100 * by_run:.0f}%, {part.more_items:,} more items "
        f"{100 * by_items:.0f}%"
    )
    if abs(by_run - by_items) < ALIKE:
        return f"{told}."
    return f"{told}: add {'runs' if by_run > by_items else 'items'}."


def spreads(row: Contrast) -> str:
    """Say how far the runs of each system spread, and who has the best run."""
    part = row.runs
    if part is None or math.isnan(part.new_run):
        return ""
    size, digits = scale(row.measure, row.difference.std)
    unit = " points" if row.measure.in_points else ""
    found = [
        f"{each.name} {size * each.spread:.{digits}f} ({size * each.spread_interval.low:.{digits}f} to "
        f"{size * each.spread_interval.high:.{digits}f})"
        for each in part.systems
    ]
    return (
        f"SD between runs{' in' + unit if unit else ''}: {', '.join(found)}. The interval is {part.wider:.1f} times as "
        f"wide as for these runs alone. The best runs differ by {size * part.best:+.{digits}f}{unit}."
    )


def overturned(row: Contrast, spread: float) -> str:
    """Say how large the spread between runs would have to be to leave a decided comparison of single runs open."""
    single = row.runs is None or len(row.runs.systems[0].runs) == len(row.runs.systems[1].runs) == 1
    if math.isnan(spread) or not single or (row.model_key.partition(".")[0] in _FOLDS and row.runs is None):
        return ""
    size, digits = scale(row.measure, row.difference.std)
    unit = " points" if row.measure.in_points else ""
    return (
        f"If each system is one run: an SD between runs above {size * spread:.{digits}f}{unit} would leave this "
        "undecided."
    )
