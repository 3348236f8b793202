"""Sentences written once and shown in the caller's dialect: a Python caller reads arguments, the command line options.

Takes text with marks, gives text without: `⟨rope⟩` and `⟨truth=COL⟩` are arguments, `⟨rope=…⟩` is one whose value the
reader chooses, `⟨rank()⟩` and `⟨test(scores=True)⟩` are questions. Must not know the options: `outclass.cli` does.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# An argument in a sentence, alone or with a value: ⟨rope⟩, ⟨truth=COL⟩, ⟨scores=True⟩.
MARKED: Final = re.compile(r"⟨(\w+)(?:=([^⟨⟩]*))?⟩")
# A question, alone or with one argument: ⟨rank()⟩, ⟨test(scores=True)⟩.
ASKED: Final = re.compile(r"⟨(\w+)\(([^⟨⟩]*)\)⟩")
ANY: Final = "…"  # a value that the reader chooses
_MANY: Final = ("systems", "names", "runs", "tests")
_AS_IT_IS: Final = re.compile(r"True|N|[\d.]+")
# Options of the command line that Python has methods for, or data of another kind.
_METHODS: Final = {
    "verbose": "to_text(verbose=True)",
    "format=markdown": "to_markdown()",
    "engine=spark": "a Spark dataframe",
}


def in_arguments(told: str) -> str:
    """Write the arguments in a sentence as Python has them: rope, truth='COL', scores=True, `oc.rank(…)`."""

    def written(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if (method := _METHODS.get(found[0][1:-1])) is not None:
            return method
        if value is None:
            return name
        if value == ANY:
            return f"`{name}={ANY}`"  # in quotes, since a sentence may end here
        if name in ("n", "wins"):
            return f"{name}=({value.replace(',', ', ')})"
        own = value if _AS_IT_IS.fullmatch(value) else repr(value)
        return f"{name}=[{own}, ...]" if name in _MANY else f"{name}={own}"

    def asked(found: re.Match[str]) -> str:
        return f"`oc.{found[1]}({ANY}{f', {found[2]}' if found[2] else ''})`"

    return MARKED.sub(written, ASKED.sub(asked, told))


_DIALECT: Final[ContextVar[Callable[[str], str]]] = ContextVar("dialect", default=in_arguments)


def spoken(told: str) -> str:
    """Return a sentence in the dialect of whoever reads it."""
    return _DIALECT.get()(told) if "⟨" in told else told


@contextmanager
def speaking(dialect: Callable[[str], str]) -> Iterator[None]:
    """Show sentences in a dialect: the command line does all its work inside of this."""
    before = _DIALECT.set(dialect)
    try:
        yield
    finally:
        _DIALECT.reset(before)
