"""JAX, on its default device: an accelerator if its installation has one."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.planning.backends import Kernel, no_device

# A compiled kernel keeps few arrays: one of them takes 16 MB or 32 MB.
ELEMENTS: Final = 1 << 22
ON_PROCESSOR: Final = 1 << 18
FEWEST: Final = 32  # rows


def has_accelerator() -> bool:
    """Return whether there is a device other than the processor."""
    return bool(import_module("jax").default_backend() != "cpu")


class Backend:
    """JAX's arrays, and compiled kernels."""

    compiles = True

    def __init__(self, device: str | None) -> None:
        self._jax = jax = import_module("jax")
        names = {f"{kind}:{each.id}": each for each in jax.devices() for kind in {each.platform, _kind(each)}}
        names |= {f"cpu:{each.id}": each for each in jax.devices("cpu")}
        wanted = _kind(jax.devices()[0]) if device is None else device
        found = names.get(wanted if ":" in wanted else f"{wanted}:0")
        if found is None:
            raise no_device("jax", wanted, sorted(names))
        self._device = found
        self.elements = ON_PROCESSOR if found.platform == "cpu" else ELEMENTS
        self.where = jax.numpy.where
        # JAX before 0.8 has it in another place.
        self._x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else import_module("jax.experimental").enable_x64
        # The library and what is asked are part of what is compiled.
        self._compiled = jax.jit(
            lambda kernel, asked, rows, shared: kernel(self, asked, rows, shared), static_argnums=(0, 1)
        )

    def _call(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
        return kernel(self, asked, rows, shared)

    def sort(self, values: Any) -> Any:
        """Sort along the last axis."""
        return self._jax.numpy.sort(values)

    def cumsum(self, values: Any) -> Any:
        """Sum up to each place of the last axis."""
        return self._jax.numpy.cumsum(values, axis=-1)

    def run(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Floats, ...]:
        """Call a compiled kernel on the device, with as many rows as the next power of two: each number is compiled."""
        sets = len(rows[0])
        padded = [_padded(each, max(FEWEST, 1 << (sets - 1).bit_length())) for each in rows]
        double = any(np.asarray(each).dtype == np.float64 for each in (*rows, *shared))
        with self._x64(double), self._jax.default_device(self._device):
            found = self._compiled(kernel, asked, padded, list(shared))
            return tuple(np.asarray(each)[:sets] for each in found)


def _kind(device: Any) -> str:
    """Return what users call a kind of device."""
    return "cuda" if device.platform == "gpu" else str(device.platform)


def _padded(values: Any, many: int) -> Any:
    return np.concatenate([values, np.repeat(values[-1:], many - len(values), axis=0)])
