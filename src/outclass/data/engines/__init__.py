"""Takes paths, gives what counts them: an engine is one file, whose `tables` returns what `read` takes for data.

`CLUSTER` says whether an engine runs elsewhere, at the place that --master names.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from outclass.errors import InputError, unknown

ENGINES: Final = tuple(sorted(found.name for found in iter_modules(__path__)))  # none of them is loaded


def tables_by(engine: str, paths: list[str], master: str | None) -> Any:
    """Return the tables that some paths name, as an engine has them."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    module = import_module(f"{__name__}.{engine}")
    if master is not None and not module.CLUSTER:
        raise InputError(
            f"--master applies to --engine spark only; {engine} runs locally. Use --engine spark, or "
            "leave --master out."
        )
    return module.tables(paths, master)
