"""Whether a file begins with one that was counted, as a log does that has grown since; and what is new in it.

Text is compared byte by byte, unpacked and plain (`_Plain`), by the digest of its beginning, in one pass and in bounded
memory. So is its head, to notice a shorter or an edited copy. Parquet files and JSON arrays are written anew when they
grow: their rows are compared, the first and the last hundred of what was counted, whatever the bytes.
"""

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from outclass.data.compressed import opened
from outclass.data.ledger import Entry
from outclass.errors import InputError, quoted

BLOCK: Final = 1 << 20
NEWLINE: Final = b"\n"
MARK: Final = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a file
EDGE: Final = 100  # rows at the beginning and the end of a table that tell it from others
FEWEST: Final = 20  # lines, beside the most frequent one, that two files hardly have in common by chance
WITH_HEADER: Final = (".csv", ".tsv", ".txt")
LINES: Final = (*WITH_HEADER, ".jsonl", ".ndjson", ".json")
ROWS: Final = (".parquet", ".pq")
# DuckDB fetches nothing from a network.
OFFLINE: Final[Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """The part of a file that was counted before.

    Parameters
    ----------
    file
        The name of the file.
    entry
        What its beginning was counted from.
    told
        How much that is, in words: '51 lines'.
    obstacle
        Why the rest cannot be counted by itself; empty if it can.
    """

    file: str
    entry: Entry
    told: str
    obstacle: str = ""

    def __str__(self) -> str:
        source = "" if self.file == self.entry.name else f", as {quoted([self.entry.name])}"
        return f"the first {self.told} of {quoted([self.file])} have already been counted{source}"

    def error(self, obstacle: str) -> InputError:
        """Build the error for a file of which only a part is new, and that cannot be split."""
        return InputError(
            f"{self}, {obstacle}. Nothing was added. To add only the new rows, put them in a separate file; to count "
            "the whole file again, use ⟨again=True⟩."
        )


def counted(file: Path, known: Iterable[Entry] = ()) -> tuple[Entry, Beginning | None]:
    """Return the entry of a file, and the longest of the known ones that it begins with."""
    kind = _kind(file)
    if kind in LINES and not (kind == ".json" and _is_array(file)):
        return _of_text(file, known)
    if kind in (*ROWS, ".json"):
        return _of_rows(file, kind, known)
    return Entry(name=file.name, digest=file_digest(file)), None


def check_name(entry: Entry, known: Iterable[Entry]) -> None:
    """Refuse a file that has the name of one that was counted, and not its content: it may hold the same rows.

    A program that saves a file anew may change every line of it: other quotes, one more column, new rows on top.
    """
    if not (same := of_same_name(entry, known)):
        return
    most = max(same, key=lambda each: (each.rows, each.lines))
    told = f" with {most.rows:,} rows" if most.rows else f" with {most.lines:,} lines" if most.lines else ""
    raise InputError(
        f"a file named {quoted([most.name])}{told} has already been counted, and the content of {quoted([entry.name])} "
        "is different: it may include the same rows. Nothing was added. To add only the new rows, put them in a file "
        "with another name; to count all rows of this file, use ⟨again=True⟩."
    )


def of_same_name(entry: Entry, known: Iterable[Entry]) -> list[Entry]:
    """Return the files that were counted under a file's name, in whichever format."""
    return [
        each
        for each in known
        if each.name == entry.name or ((each.size or each.rows) and _stem(each.name) == _stem(entry.name))
    ]


def _stem(name: str) -> str:
    return name.lower().removesuffix(".gz").rpartition(".")[0] or name.lower()


def file_digest(path: Path) -> str:
    """Return the digest of a file's content, whatever its name, and whether it is compressed or not."""
    return _passed(path).digest


def _kind(file: Path) -> str:
    name = file.name.lower().removesuffix(".gz")
    return next((kind for kind in (*LINES, *ROWS) if name.endswith(kind)), "")


# --- text ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mark:
    """What was passed on the way to a place in a file."""

    digest: str
    lines: int
    ends_line: bool


def _of_text(file: Path, known: Iterable[Entry]) -> tuple[Entry, Beginning | None]:
    candidates = [entry for entry in known if entry.size]
    passed = _passed(file, sorted({entry.size for entry in candidates}), plain=True)
    telling = _telling(passed.start)
    head = hashlib.sha256(passed.start[:telling]).hexdigest() if telling else ""
    text = "" if passed.digest == passed.content else passed.digest
    entry = Entry(name=file.name, digest=passed.content, text=text, size=passed.size, lines=passed.lines, head=head)
    begins = [
        each for each in candidates if each.size < entry.size and passed.marks[each.size].digest == each.digests[-1]
    ]
    if begins:
        longest = max(begins, key=lambda each: each.size)
        mark, obstacle = passed.marks[longest.size], ""
        if not telling or longest.size < telling:
            obstacle = "which may be a coincidence"
        elif not mark.ends_line:
            obstacle = "and its last line has changed since"
        return entry, Beginning(file=file.name, entry=longest, told=f"{mark.lines:,} lines", obstacle=obstacle)
    alike = [each for each in candidates if head and each.head == head and each.digests[-1] != passed.digest]
    if alike:
        told = f"{passed.start.count(NEWLINE, 0, telling):,} lines"
        return entry, Beginning(file=file.name, entry=alike[0], told=told, obstacle="and the rest may have been")
    return entry, None


def _telling(start: bytes) -> int:
    """Return how many bytes tell a file from others: whole lines, not counting the first and the most frequent one."""
    seen: Counter[bytes] = Counter()
    place = start.find(NEWLINE) + 1
    most = 0
    while (end := start.find(NEWLINE, place) + 1) and place:
        line, place = start[place:end], end
        seen[line] += 1
        most = max(most, seen[line])
        if seen.total() - most >= FEWEST:
            return place
    return 0


@dataclass(frozen=True, slots=True)
class _Passed:
    """A file that was read once: its digest, size and lines, its first bytes, and what was passed at some places.

    All are of its plain text if that was asked for, but for `content`, the digest of its bytes.
    """

    content: str
    digest: str
    size: int
    lines: int
    start: bytes
    marks: dict[int, _Mark]


def _passed(file: Path, places: Sequence[int] = (), *, plain: bool = False) -> _Passed:
    """Read a file once; places are in ascending order."""
    digest, size, lines = hashlib.sha256(), 0, 0
    marks: dict[int, _Mark] = {}
    left = [place for place in places if place > 0]
    start, end = bytearray(), NEWLINE
    with opened(file) as packed:
        text = _Plain(packed)
        stream = io.BufferedReader(text, BLOCK) if plain else packed
        while block := stream.read(min(BLOCK, left[0] - size) if left else BLOCK):
            if size in marks and not marks[size].ends_line and block[:1] in b"\r\n":
                marks[size] = _Mark(marks[size].digest, marks[size].lines + 1, True)
            digest.update(block)
            start += block[: BLOCK - len(start)]
            size, lines, end = size + len(block), lines + block.count(NEWLINE), block[-1:]
            if left and size == left[0]:
                marks[size] = _Mark(digest.hexdigest(), lines, block[-1:] in b"\r\n")
                del left[0]
    content = text.content if plain else digest.hexdigest()
    return _Passed(content, digest.hexdigest(), size, lines + (end != NEWLINE), bytes(start), marks)


class _Plain(io.RawIOBase):
    """Text as it is on any system: without the mark of UTF-8, and with lines that end in LF alone."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._content = hashlib.sha256()
        self._ready = self._held = b""
        self._begun = False

    @property
    def content(self) -> str:
        """The digest of the bytes that were read."""
        return self._content.hexdigest()

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any, /) -> int:
        if not self._ready:
            self._fill()
        size = min(len(target), len(self._ready))
        target[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _fill(self) -> None:
        while block := self._stream.read(BLOCK):
            self._content.update(block)
            text = self._held + (block if self._begun else block.removeprefix(MARK))
            # The second half of a line's end may come with the next block.
            self._begun, self._held = True, b"\r" if text.endswith(b"\r") else b""
            self._ready = text.removesuffix(self._held).replace(b"\r\n", NEWLINE)
            if self._ready:
                return
        self._ready, self._held = self._held, b""


def rest_of(file: Path, beginning: Beginning, size: int, folder: Path) -> Path:
    """Copy what is new in a file, below its header, under its own name."""
    kind = _kind(file)
    target = folder / (file.name[:-3] if file.name.lower().endswith(".gz") else file.name)
    blank = True
    with opened(file) as packed, target.open("wb") as copy:
        stream = io.BufferedReader(_Plain(packed), BLOCK)
        header = _header(stream, beginning) if kind in WITH_HEADER else b""
        copy.write(header)
        _skip(stream, beginning.entry.size - len(header))
        for block in _blocks(stream, size - beginning.entry.size):
            blank = blank and not block.strip()
            copy.write(block)
    if blank:
        raise InputError(
            f"{quoted([file.name])} has already been counted and has no new rows. Nothing was added; use ⟨again=True⟩ "
            "to count it again."
        )
    return target


def _header(stream: IO[bytes], beginning: Beginning) -> bytes:
    line = stream.readline(beginning.entry.size)
    if line.count(b'"') % 2:
        raise beginning.error("and its header spans more than one line")
    return line


def _skip(stream: IO[bytes], size: int) -> None:
    for _ in _blocks(stream, size):
        pass


def _blocks(stream: IO[bytes], size: int) -> Iterable[bytes]:
    while size > 0 and (block := stream.read(min(BLOCK, size))):
        size -= len(block)
        yield block


# --- tables that are written anew ------------------------------------------------------------------------------------


def _is_array(file: Path) -> bool:
    with opened(file) as stream:
        return stream.read(BLOCK).removeprefix(MARK).lstrip()[:1] == b"["


def _of_rows(file: Path, kind: str, known: Iterable[Entry]) -> tuple[Entry, Beginning | None]:
    import duckdb  # loaded for these files alone

    digest = file_digest(file)
    with duckdb.connect(":memory:", config=OFFLINE) as connection:
        try:
            reader: Callable[[str], Any] = connection.read_parquet if kind in ROWS else connection.read_json
            table = reader(_exactly(file))
            rows = int(table.count("*").fetchall()[0][0])
            edge = _Edges(table)
            first, last = edge.first(rows), edge.last(rows)
            entry = Entry(name=file.name, digest=digest, head=edge.head, rows=rows, first=first, last=last)
            begins = [each for each in known if each.digest != digest and edge.is_shared(each, entry)]
        except (duckdb.Error, RuntimeError):
            return Entry(name=file.name, digest=digest), None  # whoever reads it says what is wrong with it
    if not begins:
        return entry, None
    longest = max(begins, key=lambda each: each.rows)
    obstacle = "and it has no other rows"
    if longest.rows < rows:
        obstacle = "and the rest of such a file is not read by itself"
    told = f"{min(rows, longest.rows):,} rows"
    return entry, Beginning(file=file.name, entry=longest, told=told, obstacle=obstacle)


def _exactly(file: Path) -> str:
    """Return a path that DuckDB does not take for a glob."""
    return "".join(f"[{sign}]" if sign in "[*?" else sign for sign in str(file.absolute()))


class _Edges:
    """The digests of the first and of the last rows of the beginning of a table."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._known: dict[tuple[int, int], str] = {}

    @property
    def head(self) -> str:
        """The digest of as many rows as tell a table from others; empty if there are not so many."""
        start = b"".join(NEWLINE + repr(row).encode() for row in self._table.limit(EDGE).fetchall()) + NEWLINE
        telling = _telling(start)
        return hashlib.sha256(start[:telling]).hexdigest() if telling else ""

    def is_shared(self, old: Entry, new: Entry) -> bool:
        """Return whether this table begins with one that was counted, or is the beginning of that."""
        if old.rows > new.rows:
            return bool(new.head) and new.head == old.head
        return old.rows > 0 and old.first == self.first(old.rows) and old.last == self.last(old.rows)

    def first(self, rows: int) -> str:
        return self._digest(0, min(rows, EDGE))

    def last(self, rows: int) -> str:
        return self._digest(max(0, rows - EDGE), min(rows, EDGE))

    def _digest(self, start: int, size: int) -> str:
        if (start, size) not in self._known:
            listed = self._table.limit(size, start).fetchall()
            self._known[start, size] = hashlib.sha256(repr(listed).encode()).hexdigest()
        return self._known[start, size]
