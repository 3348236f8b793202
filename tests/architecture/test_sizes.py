"""Modules, functions and public calls stay small enough to be read in one go."""

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

import outclass

SOURCE: Final = Path(outclass.__file__).parent
MODULE, FUNCTION, PARAMETERS = 400, 60, 16  # lines, lines without the docstring, named parameters

# What is larger still, and how large it may be: numbers go down, and an entry goes when its thing is small enough.
LARGE_MODULES: Final[dict[str, int]] = {}
LARGE_FUNCTIONS: Final[dict[str, int]] = {}
LONG_CALLS: Final[dict[str, int]] = {}


def modules() -> Iterator[tuple[str, int]]:
    """Yield every file and its lines."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), len(path.read_text(encoding="utf-8").splitlines())


def functions() -> Iterator[tuple[str, int]]:
    """Yield every function and its lines; documentation may be as long as it needs to be."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                doc = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
                documented = doc.end_lineno - doc.lineno + 1 if doc is not None and doc.end_lineno is not None else 0
                name = f"{path.relative_to(SOURCE).as_posix()}::{node.name}"
                yield name, node.end_lineno - node.lineno + 1 - documented


def calls() -> Iterator[tuple[str, int]]:
    """Yield every public call and its named parameters."""
    for name in outclass.__all__:
        found = getattr(outclass, name)
        if callable(found):
            several = inspect.signature(found).parameters.values()
            yield name, sum(each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in several)


@pytest.mark.parametrize(
    ("sizes", "most", "known"),
    [(modules, MODULE, LARGE_MODULES), (functions, FUNCTION, LARGE_FUNCTIONS), (calls, PARAMETERS, LONG_CALLS)],
    ids=["lines of modules", "lines of functions", "parameters of public calls"],
)
def test_sizes(sizes: Callable[[], Iterator[tuple[str, int]]], most: int, known: dict[str, int]) -> None:
    """Nothing is larger than it may be, and nothing is excepted that no longer has to be."""
    found: dict[str, int] = {}
    for name, size in sizes():
        found[name] = max(size, found.get(name, 0))

    assert found
    too_large = {name: size for name, size in found.items() if size > known.get(name, most)}
    assert not too_large, f"split these: the limit is {most}, or what is known of them"
    assert not [name for name in known if found.get(name, 0) <= most], "take these out of the list: they are small now"
