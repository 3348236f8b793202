"""CuPy, on a GPU."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

from outclass.arrays import Floats
from outclass.planning.backends import Kernel, no_device

ELEMENTS: Final = 1 << 22  # an array of them takes 16 MB or 32 MB; a kernel holds about thirty


def _devices() -> int:
    cuda = import_module("cupy").cuda.runtime
    try:
        return int(cuda.getDeviceCount())
    except cuda.CUDARuntimeError:
        return 0


def has_accelerator() -> bool:
    """Return whether there is a device other than the processor."""
    return _devices() > 0


class Backend:
    """CuPy's arrays."""

    elements = ELEMENTS
    compiles = False

    def __init__(self, device: str | None) -> None:
        self._cupy = import_module("cupy")
        there = [f"cuda:{place}" for place in range(_devices())]
        found = "cuda:0" if device in (None, "cuda") else str(device)
        if found not in there:
            raise no_device("cupy", found, there or ["none"])
        self._place = int(found.partition(":")[2])
        self.where, self.sort = self._cupy.where, self._cupy.sort
        self.cumsum = partial(self._cupy.cumsum, axis=-1)

    def run(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Floats, ...]:
        """Call a kernel on the device."""
        with self._cupy.cuda.Device(self._place):
            sent = [[self._cupy.asarray(each) for each in group] for group in (rows, shared)]
            return tuple(self._cupy.asnumpy(each) for each in kernel(self, asked, *sent))
