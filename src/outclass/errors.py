"""The errors a user can meet: each says what, what was seen and what to do.

Every error the package raises on purpose inherits from `OutclassError`, so that a caller (and the command line)
can tell a mistake in the input from a fault in the program, and from the built-in a caller would expect.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from outclass.dialects import in_arguments
from outclass.locations import disguised, masked

LONGEST_NAME: Final = 200  # letters of a name or path
LONGEST: Final = 62  # letters of a name in a sentence
LONGEST_SENTENCE: Final = 4_000
SEARCHED: Final = 2_000  # names among which a misspelt one is looked for


def printable(text: str) -> str:
    """Write out what a terminal would obey, reorder or hide: control, bidirectional and zero-width characters."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


class OutclassError(Exception):
    """A mistake in what was asked or given, told in one sentence.

    A sentence is written once, with its arguments marked (`⟨rope⟩`, `⟨truth=COL⟩`): Python shows them as arguments, the
    command line puts its own `wording` in, which shows them as options.

    Names, values and what other programs say find their way into a sentence: passwords in URLs are masked, whatever a
    terminal would obey is written out, and what would fill it is cut. `status` is the exit status of the command.
    """

    status = 2
    wording: Callable[[str], str] = staticmethod(in_arguments)

    def __str__(self) -> str:
        told = masked(self.wording(super().__str__()))
        told = told if len(told) <= LONGEST_SENTENCE else told[:LONGEST_SENTENCE] + " ..."
        return "\n".join(map(printable, told.split("\n")))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class InputError(OutclassError, ValueError):
    """A value, label or table that cannot be used as it is."""


class NoAttributeError(InputError, AttributeError):
    """An attribute that this object lacks, though others of its class have it: `hasattr` says no."""


class FileError(OutclassError, OSError):
    """A file that cannot be read or written."""


class BusyError(FileError):
    """A file that another process is using; the same call may succeed later."""

    status = 75  # what the command exits with: EX_TEMPFAIL of sysexits.h


class NotComparable(OutclassError, ValueError):  # noqa: N818  # what is wrong is a fact about the data, not a mistake
    """Systems whose numbers must not be compared: other items, other gold answers, another grader.

    Parameters
    ----------
    counts
        How many of what differ.
    ids
        Some of the items.
    """

    status = 4

    def __init__(self, told: str, *, counts: Mapping[str, int] | None = None, ids: tuple[str, ...] = ()) -> None:
        super().__init__(told)
        self.counts = dict(counts or {})
        self.ids = ids


class RoughLawError(ArithmeticError):
    """A distribution that is not smooth enough to be tabulated; whoever asked for it samples instead."""


class CrashError(OutclassError, RuntimeError):
    """A process that did part of the work and crashed."""

    status = 70


class MissingExtraError(OutclassError, ImportError):
    """An optional part of outclass that is not installed."""

    @classmethod
    def named(cls, extra: str, job: str) -> "MissingExtraError":
        """Say which extra brings what the job needs."""
        return cls(f'{job} needs an optional dependency: pip install ".[{extra}]" in the outclass folder')


def shown(value: object) -> str:
    """Return a value as it was given, for a sentence: cut short, and with nothing in it that a terminal would obey."""
    try:
        told = repr(disguised(value)[:LONGEST]) if isinstance(value, str) else masked(repr(value))
    except ValueError:  # Python writes no number of more than some thousand digits
        told = f"a number of type {type(value).__name__} that is too long to show"
    return _unmarked(told if told.isprintable() else ascii(told)[1:-1])[:LONGEST]


def quoted(names: Iterable[object], most: int = 8) -> str:
    """List names for a sentence, at most `most` of them.

    Names come from files, so they are shown escaped: a control character in a class name must not reach the terminal.
    """
    listed = list(names)
    return ", ".join(_quoted(name) for name in listed[:most]) + (
        f" and {len(listed) - most} more" if len(listed) > most else ""
    )


def _quoted(name: object) -> str:
    try:
        text = disguised(str(name))
    except ValueError:
        return shown(name)
    text = text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"
    return _unmarked(repr(text) if text.isprintable() else ascii(text))


def _unmarked(told: str) -> str:
    """Write out the marks of arguments in what a user gave: they are not ours."""
    return told.replace("⟨", "\\u27e8").replace("⟩", "\\u27e9")


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or else all of them."""
    words = list(dict.fromkeys(known))
    # To compare long words, or very many, would take longer than to look them up.
    most = str(wrong)[:LONGEST].casefold()
    near = difflib.get_close_matches(most, [word[:LONGEST].casefold() for word in words[:SEARCHED]], n=1, cutoff=0.6)
    if near:
        return f"Did you mean {quoted([next(word for word in words if word[:LONGEST].casefold() == near[0])])}?"
    return f"Known: {quoted(words, most=24)}." if words else ""


def no_column(name: str, columns: Iterable[str]) -> InputError:
    """Build the error for a column that a table does not have."""
    return InputError(f"there is no column {quoted([name])}. {did_you_mean(name, columns)}")


def without_id(rows: int, place: str, keys: Iterable[str]) -> InputError:
    """Build the error for rows whose id is missing."""
    noun, verb = ("row", "has") if rows == 1 else ("rows", "have")
    return InputError(f"{rows:,} {noun} of {place} {verb} no id in column {quoted(keys)}.")


def unknown(kind: str, wrong: str, known: Iterable[str]) -> InputError:
    """Build the error for a name that is not in a registry."""
    return InputError(f"unknown {kind} {quoted([wrong])}. {did_you_mean(wrong, known)}")
