"""Takes an answer, gives it as text: one file a format, named as users ask for it.

Each file has `write(answer)`, and `SUFFIX`: how a file's name asks for it, if any does. Formats are found by looking
into this folder, and loaded when one is asked for.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

NAMES: Final = tuple(found.name for found in iter_modules(__path__))


def written(answer: Any, name: str) -> str:
    """Return an answer in one of the formats."""
    text: str = import_module(f"{__name__}.{name}").write(answer)
    return text


def of_suffix(suffix: str) -> str | None:
    """Return the format that a file's name asks for, if it asks for one."""
    return next((name for name in NAMES if suffix and suffix == import_module(f"{__name__}.{name}").SUFFIX), None)
