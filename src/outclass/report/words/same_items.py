"""Published results on the same items in words: what the unknown agreement between the systems leaves open."""

import math

from outclass.rows.types import Contrast


def unknown_agreement(row: Contrast) -> str:
    """Say, beside the widest interval, under which agreements the comparison is decided; '' for other data."""
    known = row.unknown_agreement
    if known is None:
        return ""
    told = "Agreement unknown, so the widest interval is shown;"
    if known.verdict is None:
        return f"{told} no possible agreement decides."
    if known.decided == 1:
        return f"{told} every possible agreement decides alike."
    a, b = (system.name for system in row.systems)
    at = f"; all do from {known.needed:.1%} agreement on" if not math.isnan(known.needed) else ""
    return f"{told} {share(known.decided)} of the possible pairings decide ({a} {known.verdict.sign} {b}){at}."


def share(of_all: float) -> str:
    """Write a share; of nothing and of all in words."""
    if of_all in (0.0, 1.0):
        return "all" if of_all else "none"
    return "under 1%" if of_all < 0.01 else "over 99%" if of_all > 0.99 else f"{of_all:.0%}"
