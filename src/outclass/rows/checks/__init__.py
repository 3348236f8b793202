"""Takes a row and the fit it was made from, gives findings: every condition, threshold and sentence in one place.

A file is a check: its `check` looks at a `Case`, a pair of systems or (with `b` None) one system, and says what a
reader should know. It is discovered automatically.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from outclass.findings import Finding
from outclass.inference.chains import ChainWarning
from outclass.models.fit import Fit


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a check looks at.

    Parameters
    ----------
    fit, measure
        The fit, and the measure that is asked about.
    a, b
        The places of two systems; of one, `b` is None.
    row
        The row that was made; None in a ranking, where pairs have none.
    """

    fit: Fit
    measure: Any
    a: int
    b: int | None = None
    row: Any = None

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names."""
        places = (self.a,) if self.b is None else (self.a, self.b)
        return tuple(self.fit.systems[place] for place in places)


@cache
def load() -> tuple[Any, ...]:
    """Return all checks; they declare their codes as they are loaded."""
    return tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))


def findings_of(case: Case) -> tuple[Finding, ...]:
    """Return everything that should be said with a row."""
    found = [*case.fit.findings, *case.fit.question.notes]
    for module in load():
        found += module.check(case)
    return tuple(dict.fromkeys(found))


def warn_of_chains(findings: Iterable[Finding]) -> None:
    """Tell whoever listens to warnings, too; in the thread that asked."""
    for each in dict.fromkeys(findings):
        if each.code == "OC210":
            warnings.warn(each.message, ChainWarning, stacklevel=3)
