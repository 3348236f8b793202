"""Draws that an answer keeps: whole in this process, and in less than two bytes each where it is sent or stored."""

import zlib
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.inference.distribution import Interval
from outclass.inference.draws import BATCHES, Draws
from outclass.inference.lazy import LazyDistribution

CODES: Final = np.iinfo(np.uint16).max  # the last of them is for a draw that is undefined
FINEST: Final = 1e-3  # of a standard deviation, up to which draws may be rounded: a tenth of the error of 10,000 draws


class SentDraws:
    """Draws of one number or of several, by columns, whose order within a batch says nothing.

    A pickle holds each column's draws as the nearest of 65,534 steps between its least and its largest, wherever a step
    is at most a thousandth of their standard deviation; what is far wider than its bulk is kept to the last digit.
    Equal draws stay equal, and the least and the largest are exact. Within each batch, rows are sorted by their first
    number, of which little is left to tell then.
    """

    def __init__(self, values: Floats, batches: int = BATCHES) -> None:
        self.values, self._batches = values, batches

    def __getstate__(self) -> dict[str, Any]:
        """Return what is sent."""
        whole = {"values": self.values, "batches": self._batches}
        known = np.isfinite(self.values)
        if len(self.values) % self._batches or not known.any(axis=0).all():
            return whole
        kept = np.where(known, self.values, np.nan)
        low, high = np.nanmin(kept, axis=0), np.nanmax(kept, axis=0)
        step = (high - low) / (CODES - 1)
        if not np.all(step <= FINEST * np.nanstd(kept, axis=0)):
            return whole
        places = np.rint((kept - low) / np.where(step > 0, step, 1.0))
        by_batch = np.where(known, places, CODES).astype(np.uint16).reshape(self._batches, -1, self.values.shape[1])
        order = np.argsort(by_batch[:, :, 0], axis=1, kind="stable")
        codes = np.take_along_axis(by_batch, order[:, :, None], axis=1).reshape(self.values.shape)
        steps = np.diff(codes[:, 0], prepend=np.uint16(0))  # modulo all codes
        sent = [zlib.compress(part.astype(np.uint8).tobytes()) for part in (steps >> 8, steps & 255)]
        return {"first": sent, "others": codes[:, 1:], "low": low, "high": high, "batches": self._batches}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was sent."""
        self._batches = state["batches"]
        if "values" in state:
            self.values = state["values"]
            return
        upper, lower = (np.frombuffer(zlib.decompress(each), dtype=np.uint8) for each in state["first"])
        steps = (upper.astype(np.uint16) << 8) + lower
        codes = np.column_stack([np.cumsum(steps, dtype=np.uint16), state["others"]])
        share = codes / (CODES - 1)
        # As a mean of both ends, which are met exactly.
        self.values = np.where(codes == CODES, np.nan, state["low"] * (1 - share) + state["high"] * share)


def kept_draws(law: Draws) -> LazyDistribution:
    """Return a law that is nothing but its draws, to be sent as such."""
    batches = len(law.in_order)
    return LazyDistribution(
        law, partial(_again, SentDraws(law.in_order.reshape(-1, 1), batches), batches, law.support, law.method)
    )


def _again(sent: SentDraws, batches: int, support: Interval, method: str) -> Draws:
    return Draws(sent.values.reshape(batches, -1), support, method)
