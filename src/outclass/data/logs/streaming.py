"""JSON values one by one out of files larger than memory: records in lines, in an array, or inside objects."""

import codecs
import json
from collections.abc import Iterator
from typing import IO, Any, Final

from outclass.errors import FileError, quoted

CHUNK: Final = 1 << 20  # bytes that are read at once
MOST: Final = 1 << 29  # letters of a single value
NEAR_THE_END: Final = 16  # letters before the end within which a mistake may be a value that was cut
SPACE: Final = " \t\n\r"
Step = tuple[str, Any, Any]  # the path of a container, a key or a place in it, and the value


class Stream:
    """The JSON text of a file, of which no more is held than the value that is being read."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name
        self._letters = codecs.getincrementaldecoder("utf-8-sig")()
        self._decode = json.JSONDecoder().raw_decode
        self._text, self._at, self._bytes = "", 0, 0
        self._ended = False

    def records(self) -> Iterator[Any]:
        """Return the values of a file of JSON lines, or of one array."""
        if self._next() == "[":
            yield from self._elements()
            self._finished()
            return
        while self._next():
            yield self._value()

    def walk(self, *inside: str) -> Iterator[Step]:
        """Return the values of one object or array, and of the containers at some paths their elements one by one.

        A path is made of keys with dots between them; '' is the whole. What is not inside of these comes whole, with
        the key None.
        """
        yield from self._walk("", frozenset(inside))
        self._finished()

    def _walk(self, path: str, inside: frozenset[str]) -> Iterator[Step]:
        sign, below = self._next(), f"{path}." if path else ""
        deeper = any(each != path and each.startswith(below) for each in inside)
        if sign == "{" and deeper:
            for key in self._keys():
                yield from self._walk(f"{below}{key}", inside)
        elif sign == "{" and path in inside:
            for key in self._keys():
                yield path, key, self._value()
        elif sign == "[" and path in inside:
            for place, value in enumerate(self._elements()):
                yield path, place, value
        else:
            yield path, None, self._value()

    def _keys(self) -> Iterator[str]:
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return
        while True:
            if self._next() != '"':
                raise self._broken("a key is missing")
            key = self._value()
            if self._next() != ":":
                raise self._broken("a colon is missing")
            self._at += 1
            yield key
            if self._goes_on("}"):
                return

    def _elements(self) -> Iterator[Any]:
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return
        while True:
            yield self._value()
            if self._goes_on("]"):
                return

    def _goes_on(self, end: str) -> bool:
        """Step over a comma, or over the end of a container, and return whether it was the end."""
        sign = self._next()
        if sign not in (",", end) or not sign:
            raise self._broken("a comma is missing")
        self._at += 1
        return sign == end

    def _next(self) -> str:
        """Return the next letter that is no space; '' at the end."""
        while True:
            text, at, size = self._text, self._at, len(self._text)
            while at < size and text[at] in SPACE:
                at += 1
            self._at = at
            if at < size:
                return text[at]
            if not self._more():
                return ""

    def _value(self) -> Any:
        """Decode one value; of one that was cut, read more of the file first."""
        if not self._next():
            raise self._broken("the value is missing")
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except RecursionError:
                raise FileError(f"{quoted([self._name])} is nested too deeply to be a log.") from None
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - NEAR_THE_END
                if not cut or not self._more():
                    raise self._broken(error.msg, error.pos, cut=cut) from None
            except ValueError:  # Python reads no number of more than some thousand digits
                raise self._broken("a number is too long") from None
            else:
                # A number at the end of what was read may go on.
                if end < len(self._text) or not self._more():
                    self._at = end
                    return value

    def _more(self) -> bool:
        """Read on, as much again as is held, and return whether there was anything."""
        if self._ended:
            return False
        rest = self._text[self._at :]
        if len(rest) > MOST:
            raise FileError(f"{quoted([self._name])} holds a value of more than {MOST:,} letters, which is no log.")
        raw = self._file.read(max(CHUNK, len(rest)))
        self._bytes += len(raw)
        self._ended = not raw
        try:
            text = self._letters.decode(raw, final=self._ended)
        except UnicodeDecodeError:
            raise FileError(f"{quoted([self._name])} is not UTF-8 near byte {self._bytes:,}.") from None
        self._text, self._at = rest + text, 0
        return bool(raw)

    def _finished(self) -> None:
        if self._next():
            raise self._broken("there is more after its end")

    def _broken(self, why: str, at: int | None = None, *, cut: bool = False) -> FileError:
        place = self._at if at is None else at
        where = self._bytes - len(self._text[place:].encode())
        if cut or not self._next():
            return FileError(
                f"{quoted([self._name])} is cut off: it ends at byte {self._bytes:,} in the middle of JSON."
            )
        return FileError(f"{quoted([self._name])} is not valid JSON at byte {where:,}: {why[:1].lower()}{why[1:]}.")


def beginning(text: str, at: int = 0, depth: int = 8) -> Any:
    """Return what the beginning of a JSON value says: of what is cut off, the part that is there; None of nothing."""
    return _beginning(text, at, depth)[0]


def _beginning(text: str, at: int, depth: int) -> tuple[Any, int | None]:
    """Return a value and where it ends, if it ends."""
    at = _after_space(text, at)
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        pass
    if depth == 0 or text[at : at + 1] not in ("{", "["):
        return None, None
    if text[at] == "[":
        return [_beginning(text, at + 1, depth - 1)[0]], None
    found: dict[str, Any] = {}
    while True:
        at = _after_space(text, at + 1)
        key, end = _beginning(text, at, 0)
        if end is None or not isinstance(key, str):
            return found, None
        at = _after_space(text, end)
        if text[at : at + 1] != ":":
            return found, None
        found[key], end = _beginning(text, at + 1, depth - 1)
        if end is None:
            return found, None
        at = _after_space(text, end)
        if text[at : at + 1] != ",":
            return found, None


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at
