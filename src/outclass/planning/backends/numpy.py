"""NumPy, on the processor."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, shown
from outclass.planning.backends import Kernel

ELEMENTS: Final = 1 << 14  # arrays of 64 kB stay in a core's cache, and memory for larger ones is asked of the system


def has_accelerator() -> bool:
    """Return whether there is a device other than the processor."""
    return False


class Backend:
    """NumPy's arrays."""

    elements = ELEMENTS
    compiles = False
    where = staticmethod(np.where)
    sort = staticmethod(np.sort)
    cumsum = staticmethod(partial(np.cumsum, axis=-1))

    def __init__(self, device: str | None) -> None:
        if device not in (None, "cpu"):
            raise InputError(
                f"⟨device⟩ {shown(device)}: NumPy computes on the processor only. Name another back end, as in "
                "⟨backend=torch⟩."
            )

    def run(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Floats, ...]:
        """Call a kernel."""
        with np.errstate(all="ignore"):
            return kernel(self, asked, rows, shared)
