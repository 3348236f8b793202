"""What a question costs, said before it is answered: how many rows, about how long, and the cheaper way to ask."""

import warnings
from typing import Final

from outclass.data.limits import CostWarning

WORTH_SAYING: Final = 30.0  # seconds
# Of one core, roughly: a posterior that is integrated, one of draws that all pairs share, the tests of a pair.
SECONDS: Final = {"table": 0.05, "draws": 0.015, "test": 0.015, "test of categories": 0.3}


def say_cost(rows: int, what: str, kind: str) -> None:
    """Warn if so many rows of a kind take long."""
    seconds = rows * SECONDS[kind]
    if seconds > WORTH_SAYING:
        told = f"{seconds / 3600:.1f} hours" if seconds >= 5400 else f"{max(seconds / 60, 1):.0f} minutes"
        warnings.warn(
            f"{rows:,} {what} take about {told}. `rank` orders all systems at once in far less time; or name fewer "
            "systems, labels or measures.",
            CostWarning,
            stacklevel=2,
        )
