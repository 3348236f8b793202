"""A search for slices in words: where the new system lost, what was searched, and how the list was made."""

from collections.abc import Sequence
from typing import Final

from outclass.inference.distribution import Interval
from outclass.models.slice_search import LEAST_ITEMS
from outclass.report.words.brief import points, region, scale
from outclass.report.words.numbers import probability, signed
from outclass.rows.slice_search import FoundSlice, Searched
from outclass.rows.types import MeasureInfo

LISTED: Final = "lost: listed; an expected 5% of the list at most are not worse by more than the ROPE."
LIKELY: Final = "likely: more likely than not, but not certain enough to be listed."
DRAWN: Final = "pooled: shrunk towards the other slices; it decides."
MOST_NAMED: Final = 3


def where_lost(
    old: str,
    new: str,
    measure: MeasureInfo,
    rope: Interval,
    rows: Sequence[FoundSlice],
    searched: Searched,
    whole: FoundSlice | None = None,
) -> str:
    """Say in how many slices the new system lost, and name the first; `whole` are all items, if they are lost."""
    limit = region(rope, measure)
    listed = searched.listed
    if not listed and whole is not None:
        return f"{new} is worse by {_lost(whole, measure)} over all items, and in no slice credibly worse than that."
    if not listed:
        return (
            f"No slice is credibly worse by more than the ROPE of {limit}; P({new} worse by more than the ROPE in some "
            f"slice of a single column) {probability(searched.p_any)}."
        )
    named = [row for row in rows if row.listed][:MOST_NAMED]
    told = "; ".join(f"{row.title} ({_size(row, measure)}, {share(row.share)} of items)" for row in named)
    more = f"; and {listed - len(named)} more" if listed > len(named) else ""
    many = "1 slice" if listed == 1 else f"{listed} slices"
    return f"{new} is worse than {old} by more than the ROPE of {limit} in {many}: {told}{more}."


def _size(row: FoundSlice, measure: MeasureInfo) -> str:
    assert row.pooled is not None
    unit = f" points of {measure.title}" if measure.in_points else f" in {measure.title}"
    return f"{points(row.pooled.mean, measure, row.pooled.std)}{unit}"


def share(value: float) -> str:
    """Write a share of the items."""
    percent = 100 * value
    return f"{percent:.0f}%" if percent >= 9.5 else f"{percent:.1f}%" if percent >= 0.05 else "<0.1%"


def everywhere(new: str, whole: FoundSlice, measure: MeasureInfo) -> str:
    """Say that all items are lost, and what is listed then."""
    return (
        f"{new} is worse by {_lost(whole, measure)} over all items (P(worse by more than the ROPE) "
        f"{probability(whole.probability)}), so a slice is listed only if it is worse than that by more than the ROPE."
    )


def _lost(whole: FoundSlice, measure: MeasureInfo) -> str:
    std = (whole.interval.high - whole.interval.low) / 4
    return f"{points(whole.loss, measure, std)}{' points' if measure.in_points else ''}"


def about_search(found: Searched) -> str:
    """Say what was searched."""
    columns = f"{len(found.columns)} column{'' if len(found.columns) == 1 else 's'}"
    told = f"Searched: {found.slices:,} slices of {columns}"
    if found.pairs or found.thin:
        told += f" and {found.pairs:,} of pairs of columns"
    if found.thin:
        told += f" ({found.thin:,} with fewer than {LEAST_ITEMS} items were left out)"
    return f"{told}."


def loss(value: float, measure: MeasureInfo, std: float) -> str:
    """Write a loss with its sign, in points of a rate or in the unit of the measure."""
    factor, digits = scale(measure, std)
    return signed(factor * value, digits)


def loss_interval(value: Interval, measure: MeasureInfo, std: float) -> str:
    """Write an interval of losses."""
    return f"[{loss(value.low, measure, std)}, {loss(value.high, measure, std)}]"
