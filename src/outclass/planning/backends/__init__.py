"""Takes the names of an array library and a device, gives what runs array code there.

May import `errors`; must not know what is computed. One file per library, with the class `Backend`, found by looking
into this folder and loaded when it is asked for. Array code is written once, in operators (`@` among them) and the few
functions of `Library`, which every library has.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, Final, Protocol

from outclass.arrays import Floats
from outclass.errors import InputError, shown, unknown

NAMES: Final = tuple(sorted((each.name for each in iter_modules(__path__)), key=lambda name: (name != "numpy", name)))
USUAL: Final = "numpy"
AUTO: Final = "auto"
# In the order in which 'auto' looks for a device, and what they are called.
TITLES: Final = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX", "numpy": "NumPy"}


class Library(Protocol):
    """The functions that array code calls by name; all else are operators, indexing, `mean`, `sum` and `T`."""

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        """Return `yes` where the condition holds, and `no` elsewhere."""

    def sort(self, values: Any) -> Any:
        """Sort along the last axis."""

    def cumsum(self, values: Any) -> Any:
        """Sum up to each place of the last axis."""


Kernel = Callable[[Library, Any, Sequence[Any], Sequence[Any]], tuple[Any, ...]]


class Runner(Protocol):
    """A library on a device.

    Parameters
    ----------
    elements
        How many numbers an array may hold in single precision, and half as many in double, so that all arrays of a
        kernel fit into the memory (or the cache).
    compiles
        Whether every kernel and what it is asked are compiled, so that few different questions are quicker.
    """

    elements: int
    compiles: bool

    def run(self, kernel: Kernel, asked: Any, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Floats, ...]:
        """Call a kernel with this library's arrays, and return what it finds as NumPy's.

        Parameters
        ----------
        kernel, asked
            The function, and what it is asked: hashable, for libraries that compile it.
        rows, shared
            Arrays with a row for each set, and others. Every array that a kernel returns has a row for each set.
        """


@cache
def backend_of(name: str, device: str | None = None) -> Runner:
    """Return the back end of a name, on a device; an error if the library or the device is not there."""
    if name == AUTO:
        return _best(device)
    if name not in NAMES:
        raise unknown("back end", name, (*NAMES, AUTO))
    if find_spec(name) is None:
        raise InputError(f"⟨backend={name}⟩ needs {TITLES.get(name, name)}, which is not installed.")
    try:
        found: Runner = import_module(f"{__name__}.{name}").Backend(device)
    except ImportError as error:  # a library without its drivers, for example
        raise InputError(f"⟨backend={name}⟩: {TITLES.get(name, name)} cannot be loaded: {error}.") from None
    return found


def installed() -> list[str]:
    """Return the names of the back ends whose library is installed."""
    return [name for name in NAMES if find_spec(name) is not None]


def no_device(name: str, device: str, there: Sequence[str]) -> InputError:
    """Build the error for a device that a library does not find."""
    return InputError(f"{TITLES[name]} finds no device {shown(device)} (⟨device⟩); it finds {', '.join(there)}.")


def _best(device: str | None) -> Runner:
    """Return the first library with an accelerator, or NumPy."""
    if device is not None:
        raise InputError("⟨backend=auto⟩ chooses the device itself: leave out ⟨device⟩, or name the back end.")
    for name in TITLES:
        if name in installed():
            with_device: bool = import_module(f"{__name__}.{name}").has_accelerator()
            if with_device:
                return backend_of(name)
    return backend_of(USUAL)
