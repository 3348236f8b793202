"""The errors a user can meet: each says what, what was seen and what to do.

Every error the package raises on purpose inherits from `OutclassError`, so that a caller (and the command line)
can tell a mistake in the input from a fault in the program, and from the built-in a caller would expect.
"""

import difflib
from collections.abc import Iterable


class OutclassError(Exception):
    """A mistake in what was asked or given, told in one sentence."""


class InputError(OutclassError, ValueError):
    """A value, label or table that cannot be used as it is."""


class FileError(OutclassError, OSError):
    """A file that cannot be read or written."""


class RoughLawError(ArithmeticError):
    """A law that is not smooth enough to be tabulated; whoever asked for it samples instead."""


class MissingExtraError(OutclassError, ImportError):
    """An optional part of outclass that is not installed."""

    @classmethod
    def named(cls, extra: str, job: str) -> "MissingExtraError":
        """Say which extra brings what the job needs."""
        return cls(f'{job} needs an optional part: pip install "outclass[{extra}]"')


def quoted(names: Iterable[object], most: int = 8) -> str:
    """List names for a sentence, at most `most` of them.

    Names come from files, so they are shown escaped: a control character in a class name must not reach the terminal.
    """
    listed = [ascii(str(name))[:62] if not str(name).isprintable() else repr(str(name))[:62] for name in names]
    shown = ", ".join(listed[:most])
    return shown + (f" and {len(listed) - most} more" if len(listed) > most else "")


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or else all of them."""
    words = list(dict.fromkeys(known))
    near = difflib.get_close_matches(str(wrong).casefold(), [word.casefold() for word in words], n=1, cutoff=0.6)
    if near:
        return f"Did you mean {next(repr(word) for word in words if word.casefold() == near[0])}?"
    return f"Known: {quoted(words, most=24)}." if words else ""


def unknown(kind: str, wrong: str, known: Iterable[str]) -> InputError:
    """Build the error for a name that is not in a registry."""
    return InputError(f"unknown {kind} {quoted([wrong])}. {did_you_mean(wrong, known)}")
