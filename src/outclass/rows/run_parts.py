"""Runs of a system in a row: what each run scored, how far they spread, and what runs and items do to a difference."""

from dataclasses import dataclass

from outclass.inference.distribution import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRuns:
    """The runs of one system.

    Parameters
    ----------
    name
        The system.
    runs, values
        The names of its runs, and the observed value of each.
    spread, spread_interval
        The standard deviation between runs that items do not explain: posterior median and equal-tailed interval; nan
        if no system has two runs.
    """

    name: str
    runs: tuple[str, ...]
    values: tuple[float, ...]
    spread: float
    spread_interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPart:
    """What runs and items do to the difference of two systems.

    Parameters
    ----------
    systems
        The runs of both.
    paired
        Whether runs at the same place share their seed or split.
    from_items, from_runs, rest
        Shares of the variance: of items, whatever the run; of runs, whatever the items; and of both together.
    narrower_by_run, narrower_by_items
        By how much the interval would narrow with one more run of each system, or with `more_items` more items (0.1 is
        10%).
    more_items
        1,000.
    new_run
        The probability that a single new run of the first system is better than one of the second, on any number of
        items.
    best
        The difference of the best runs.
    wider
        How many times as wide the interval is as one for these runs alone.
    overturning_spread
        With one run per system: the standard deviation between runs that would leave the decision open; nan if it is
        open, or if there are more runs.
    """

    systems: tuple[SystemRuns, SystemRuns]
    paired: bool
    from_items: float
    from_runs: float
    rest: float
    narrower_by_run: float
    narrower_by_items: float
    more_items: int
    new_run: float
    best: float
    wider: float
    overturning_spread: float
