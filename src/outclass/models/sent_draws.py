"""Draws that an answer keeps: whole in this process, and in less than two bytes each where it is sent or stored."""

import zlib
from functools import cached_property, partial
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

    Each column's draws are the nearest of 65,534 steps between its least and its largest, wherever a step is at most a
    thousandth of their standard deviation; what is far wider than its bulk is kept to the last digit. Equal draws stay
    equal, and the least and the largest are exact. Within each batch, rows are sorted by their first number, of which
    little is left to tell then. A copy that was sent is the same to the last digit: draws are rounded here, too, before
    anybody sees them.
    """

    def __init__(self, values: Floats, batches: int = BATCHES) -> None:
        self._raw: Floats | None = values
        self._batches = batches

    @cached_property
    def values(self) -> Floats:
        """The draws."""
        return _unpacked(self._packed)

    @cached_property
    def _packed(self) -> dict[str, Any]:
        assert self._raw is not None
        found = _packed(self._raw, self._batches)
        self._raw = None  # others may need them; this does no more
        return found

    def __getstate__(self) -> tuple[dict[str, Any], int]:
        """Return what is sent."""
        return self._packed, self._batches

    def __setstate__(self, state: tuple[dict[str, Any], int]) -> None:
        self._raw = None
        packed, self._batches = state
        self.__dict__["_packed"] = packed


def _packed(values: Floats, batches: int) -> dict[str, Any]:
    known = np.isfinite(values)
    if len(values) % batches or not known.any(axis=0).all():
        return {"values": values}
    kept = np.where(known, values, np.nan)
    low, high = np.nanmin(kept, axis=0), np.nanmax(kept, axis=0)
    step = (high - low) / (CODES - 1)
    if not np.all(step <= FINEST * np.nanstd(kept, axis=0)):
        return {"values": values}
    places = np.rint((kept - low) / np.where(step > 0, step, 1.0))
    by_batch = np.where(known, places, CODES).astype(np.uint16).reshape(batches, -1, values.shape[1])
    order = np.argsort(by_batch[:, :, 0], axis=1, kind="stable")
    codes = np.take_along_axis(by_batch, order[:, :, None], axis=1).reshape(values.shape)
    steps = np.diff(codes[:, 0], prepend=np.uint16(0))  # modulo all codes
    sent = [zlib.compress(part.astype(np.uint8).tobytes()) for part in (steps >> 8, steps & 255)]
    return {"first": sent, "others": codes[:, 1:].copy(), "low": low, "high": high}


def _unpacked(packed: dict[str, Any]) -> Floats:
    if "values" in packed:
        return np.asarray(packed["values"])
    upper, lower = (np.frombuffer(zlib.decompress(each), dtype=np.uint8) for each in packed["first"])
    steps = (upper.astype(np.uint16) << 8) + lower
    codes = np.column_stack([np.cumsum(steps, dtype=np.uint16), packed["others"]])
    share = codes / (CODES - 1)
    # As a mean of both ends, which are met exactly.
    return np.where(codes == CODES, np.nan, packed["low"] * (1 - share) + packed["high"] * share)


def kept_draws(law: Draws) -> LazyDistribution:
    """Return a law that is nothing but its draws, to be sent as such."""
    batches = len(law.in_order)
    return LazyDistribution(
        None, partial(_again, SentDraws(law.in_order.reshape(-1, 1), batches), batches, law.support, law.method)
    )


def _again(sent: SentDraws, batches: int, support: Interval, method: str) -> Draws:
    return Draws(sent.values.reshape(batches, -1), support, method)
