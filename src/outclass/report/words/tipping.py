"""How many true labels would have to be wrong to overturn a decision, in words."""

from outclass.rows.label_parts import TippingPoint
from outclass.rows.types import Contrast


def tipping(row: Contrast) -> str:
    """Say how many true labels would have to be wrong to overturn a decision."""
    point = row.tipping_point
    if point is None:
        return ""
    if point.labels is None:
        return "No errors in the labels on which they disagree would overturn it."
    wrong = f"{point.labels:,} of {point.of:,} {point.unit} ({labels_share(point)})"
    return f"Holds unless {wrong} are wrong, all against {point.favours}."


def labels_share(point: TippingPoint) -> str:
    """Write a share of labels with two digits."""
    share = 100 * point.share
    return f"{share:.0f}%" if share >= 10 else f"{share:.1f}%" if share >= 0.1 else f"{share:.2g}%"
