"""ZIP archives of JSON: members are read in memory, never unpacked, and none may be larger than it says."""

import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self, cast

from outclass.data.logs.streaming import CHUNK, Stream
from outclass.errors import FileError, MissingExtraError, quoted

ZSTANDARD: Final = 93  # the method of compression, as ZIP numbers it
LARGEST: Final = 1 << 32  # bytes of a member
RATIO: Final = 400  # how many times larger than its compressed bytes a large member may be
SMALL: Final = 1 << 25  # bytes below which the ratio does not matter
MOST_MEMBERS: Final = 2_000_000
_HEADER: Final = struct.Struct("<4s5H3L2H")  # of a member in the file itself


class Archive:
    """A ZIP archive whose members are JSON."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        self._zip: zipfile.ZipFile | None = None

    def __enter__(self) -> Self:
        try:
            self._file = open(self.path, "rb")  # closed on leaving
            self._zip = zipfile.ZipFile(self._file)
            names = self._zip.namelist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error, EOFError) as error:
            self._close()
            strange = getattr(error, "strerror", None) or "it is cut off or damaged"
            raise FileError(f"{quoted([self.path.name])} cannot be read as a ZIP archive: {strange}.") from None
        if len(names) > MOST_MEMBERS:
            self._close()
            raise FileError(f"{quoted([self.path.name])} has {len(names):,} members, which is no log.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for each in (self._zip, self._file):
            if each is not None:
                each.close()

    @property
    def names(self) -> list[str]:
        """The names of the members; of two with one name the last counts."""
        assert self._zip is not None
        return list(dict.fromkeys(self._zip.namelist()))

    def stream(self, name: str) -> Stream:
        """Return the JSON of a member."""
        return Stream(cast("IO[bytes]", self._opened(name)), f"{self.path.name}:{name}")

    def json(self, name: str) -> Any:
        """Return the one JSON value of a member."""
        for _, _, value in self.stream(name).walk():
            return value
        return None

    def holds(self, name: str, word: bytes) -> bool:
        """Return whether a few bytes occur in a member, which is much faster than to read its JSON."""
        member, before = self._opened(name), b""
        while chunk := member.read(CHUNK):
            if word in before + chunk:
                return True
            before = chunk[-len(word) :]
        return False

    def _opened(self, name: str) -> "_Member":
        assert self._zip is not None
        member = self._zip.getinfo(name)
        where = f"member {quoted([name])} of {quoted([self.path.name])}"
        if member.flag_bits & 1:
            raise FileError(f"{where} is encrypted.")
        if member.file_size > LARGEST or (
            member.file_size > SMALL and member.file_size > RATIO * max(member.compress_size, 1)
        ):
            raise FileError(
                f"{where} would unpack from {member.compress_size:,} to {member.file_size:,} bytes, which is no log "
                "but a ZIP bomb."
            )
        try:
            if member.compress_type == ZSTANDARD:
                return _Member(_unpacked(self._raw(member), self.path.name), member, where)
            return _Member(self._zip.open(member), member, where)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, struct.error) as error:
            raise FileError(f"{where} cannot be unpacked: {str(error)[:80] or 'it is damaged'}.") from None

    def _raw(self, member: zipfile.ZipInfo) -> "_Window":
        """Return the compressed bytes of a member, which follow its own header."""
        assert self._file is not None
        self._file.seek(member.header_offset)
        raw = self._file.read(_HEADER.size)
        if len(raw) < _HEADER.size or not raw.startswith(b"PK\x03\x04"):
            raise zipfile.BadZipFile("it is damaged")
        *_, name, extra = _HEADER.unpack(raw)
        return _Window(self._file, member.header_offset + _HEADER.size + name + extra, member.compress_size)


class _Window:
    """A part of a file, from one place on and of a given length."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file, self._at, self._end = file, start, start + size

    def read(self, size: int = -1) -> bytes:
        """Read some bytes of the part."""
        self._file.seek(self._at)
        left = self._end - self._at
        raw = self._file.read(left if size < 0 else min(size, left))
        self._at += len(raw)
        return raw


class _Member:
    """The bytes of a member, checked against what the archive says of them."""

    def __init__(self, file: Any, member: zipfile.ZipInfo, where: str) -> None:
        self._file, self._left, self._where = file, member.file_size, where
        self._sum, self._stated = 0, member.CRC

    def read(self, size: int = -1) -> bytes:
        """Read some bytes; more than were announced are an error, as are damaged ones."""
        try:
            raw: bytes = self._file.read(size)
        except Exception as error:  # each library of compression has errors of its own
            if isinstance(error, MemoryError):
                raise
            raise FileError(f"{self._where} cannot be unpacked: it is cut off or damaged.") from None
        self._left -= len(raw)
        self._sum = zlib.crc32(raw, self._sum)
        if self._left < 0:
            raise FileError(f"{self._where} unpacks to more bytes than it says, which is no log but a ZIP bomb.")
        if not raw and (self._left or self._sum != self._stated):
            raise FileError(f"{self._where} cannot be unpacked: it is cut off or damaged.")
        return raw


def _unpacked(raw: _Window, name: str) -> Any:
    """Return what Zstandard compressed, from the standard library where it has it."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # Python 3.14

        return zstd.ZstdFile(raw)
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError.named("logs", f"{quoted([name])} is compressed with Zstandard and") from None
    return zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
        cast("IO[bytes]", raw), read_across_frames=True
    )
