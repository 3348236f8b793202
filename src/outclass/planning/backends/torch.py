"""PyTorch, on a GPU if there is one."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from outclass.arrays import Floats
from outclass.planning.backends import Kernel, no_device

# An array of them takes 16 MB or 32 MB; a kernel holds about thirty, and so does that of every core.
ELEMENTS: Final = 1 << 22
ON_PROCESSOR: Final = 1 << 16


def has_accelerator() -> bool:
    """Return whether there is a device other than the processor."""
    return bool(import_module("torch").cuda.is_available())


class Backend:
    """PyTorch's tensors."""

    compiles = False

    def __init__(self, device: str | None) -> None:
        self._torch = import_module("torch")
        there = ["cpu", *(f"cuda:{place}" for place in range(self._torch.cuda.device_count()))]
        found = ("cuda" if has_accelerator() else "cpu") if device is None else device
        if found not in there and not (found == "cuda" and len(there) > 1):
            raise no_device("torch", found, there)
        self._device = found
        self.elements = ON_PROCESSOR if found == "cpu" else ELEMENTS
        self.where = self._torch.where

    def sort(self, values: Any) -> Any:
        """Sort along the last axis."""
        return self._torch.sort(values).values

    def cumsum(self, values: Any) -> Any:
        """Sum up to each place of the last axis."""
        return self._torch.cumsum(values, -1)

    def run(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Floats, ...]:
        """Call a kernel on the device."""
        with self._torch.inference_mode():
            sent = [[self._torch.tensor(each, device=self._device) for each in group] for group in (rows, shared)]
            return tuple(each.cpu().numpy() for each in kernel(self, asked, *sent))
