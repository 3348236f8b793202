"""The answer of `calibrate_gate`: the noise of a suite, and the margins that it can support."""

import json
from dataclasses import dataclass
from typing import Any

from outclass.report.text import plain
from outclass.rows.plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """How many ordered pairs of runs of the same system a threshold gate would fail."""

    drop: float
    failed: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCalibration:
    """The noise of a suite.

    Parameters
    ----------
    runs, title, items, means
        The runs, what is measured, on how many items, and the mean of each.
    error
        The standard error of a difference between two runs.
    spread
        The std of the observed differences between runs, which is generation noise alone.
    margin
        The margin at which a candidate as good as the baseline passes four times in five.
    confidence
        The level of the gate's decisions.
    thresholds, any_item
        What threshold gates do with these runs; and the share of pairs in which some item is worse.
    apart
        Whether whole runs differ by more than their items explain; the margin is then of the differences between runs.
    """

    runs: tuple[str, ...]
    title: str
    items: int
    means: tuple[float, ...]
    error: float
    spread: float
    margin: float
    confidence: float
    thresholds: tuple[Threshold, ...]
    any_item: float
    apart: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        plain_data: dict[str, Any] = to_plain(self)
        return {"schema": 1, **plain_data}

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"

    def to_text(self) -> str:
        """Return what a terminal shows."""
        means = ", ".join(f"{mean:.3f}" for mean in self.means[:8])
        more = f" and {len(self.means) - 8} more" if len(self.means) > 8 else ""
        failed = ", ".join(f"{each.drop * 100:g} points: {each.failed} of {each.of}" for each in self.thresholds)
        lines = [
            f"{len(self.runs)} runs of the same system, {self.items:,} items, {plain(self.title)}: {means}{more}",
            f"standard error of a difference: {self.error:.4f}; observed between runs: {self.spread:.4f}",
            f"a fixed threshold fails a system against itself, at {failed};",
            f"  'no item may be worse' fails {self.any_item:.0%} of the pairs",
            f"honest margin: {self.margin:.3f} (a candidate as good as the baseline then passes 4 times in 5)",
        ]
        if self.apart:
            lines.append("the runs differ by more than their items explain: did the model, prompt or server change?")
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")
