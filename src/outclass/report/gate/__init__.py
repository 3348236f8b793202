"""Takes a gate, gives it as text: one file an output, named as users ask for it.

Each file has `write(gate)`. Outputs are found by looking into this folder, and loaded when one is asked for.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

NAMES: Final = tuple(found.name for found in iter_modules(__path__))


def written(gate: Any, name: str) -> str:
    """Return a gate in one of the outputs."""
    text: str = import_module(f"{__name__}.{name}").write(gate)
    return text
