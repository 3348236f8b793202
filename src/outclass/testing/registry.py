"""Finds the tests: every file in `tests/` is one, and its name is the test's key."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from outclass.errors import unknown
from outclass.testing import tests

if TYPE_CHECKING:
    from outclass.testing.declaration import SignificanceTest  # what a test needs is loaded with the first of them


@cache
def names() -> tuple[str, ...]:
    """Return the keys of all tests, without loading them."""
    return tuple(module.name for module in iter_modules(tests.__path__))


def find(name: str) -> "SignificanceTest":
    """Load one test."""
    if name not in names():
        raise unknown("test", str(name), names())
    found: SignificanceTest = import_module(f"{tests.__name__}.{name}").TEST
    return found


@cache
def all_tests() -> "dict[str, SignificanceTest]":
    """Load all tests, in the order in which they are shown."""
    found = {name: find(name) for name in names()}
    return dict(sorted(found.items(), key=lambda each: (each[1].order, each[0])))


def title_of(name: str) -> str:
    """Return what a test is called in a table."""
    return find(name).title if name in names() else name
