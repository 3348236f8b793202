"""How much memory reading may take, and what a file costs that holds far more than its size says."""

import os
import warnings
from pathlib import Path
from typing import Final

from outclass.data.compressed import opened
from outclass.dialects import in_arguments
from outclass.errors import InputError, shown

GIGABYTE: Final = 1 << 30
USUAL: Final = 2 * GIGABYTE  # of memory, for rows that are held one by one
SHARE: Final = 0.7  # of the memory that is there, for an engine that puts aside on disk what does not fit
LOOKED_AT: Final = 1 << 26  # bytes of a compressed file that tell how large it is as a whole
BEST_RATIO: Final = 1032  # of gzip
BYTES_PER_SECOND: Final = 30e6  # of text that one core counts
ROWS_PER_SECOND: Final = 2e7  # of Parquet
WORTH_SAYING: Final = 20.0  # seconds


class CostWarning(UserWarning):
    """Work that takes long or much memory, said before it begins; `told` is the sentence with its arguments marked."""

    def __init__(self, told: str) -> None:
        super().__init__(in_arguments(told))
        self.told = told


class Room:
    """The memory that is left for rows that must be held one by one: OUTCLASS_MEMORY gigabytes, 2 by default."""

    def __init__(self) -> None:
        given = os.environ.get("OUTCLASS_MEMORY", "").strip()
        try:
            self._most = int(float(given) * GIGABYTE) if given else USUAL
        except (ValueError, OverflowError):
            self._most = 0
        if self._most <= 0:
            raise InputError(f"OUTCLASS_MEMORY must be a number of gigabytes, such as 8, got {shown(given)}.")
        self._left = self._most

    def rows(self, each: int) -> int:
        """Return how many rows fit that take so many bytes each."""
        return self._left // max(each, 1)

    def take(self, size: int, rows: int, place: str) -> None:
        """Take so many bytes, or say that the rows of a table do not fit."""
        self._left -= size
        if self._left < 0:
            raise InputError(
                f"{place} has more than {rows:,} rows. Scores, groups and multi-label items are kept row by row, "
                f"which would need more than the {self._most / GIGABYTE:g} GB allowed. Read a sample, aggregate "
                "equal rows first (labels in groups: ⟨count⟩), or raise the limit with OUTCLASS_MEMORY, in gigabytes."
            )


def available() -> int | None:
    """Return how many bytes of memory this process can expect to get; None where that is not known."""
    found = []
    for path, key in (("/proc/meminfo", "MemAvailable:"), ("/sys/fs/cgroup/memory.max", "")):
        try:
            words = Path(path).read_text(encoding="ascii").partition(key)[2].split()
            found.append(int(words[0]) * (1024 if key else 1))
        except (OSError, ValueError, IndexError):
            continue  # another system, or no limit
    return min(found, default=None)


def unpacked_size(file: Path) -> int:
    """Estimate how many bytes of text a file holds: of a compressed one, by the ratio of its beginning."""
    size = file.stat().st_size
    if file.suffix.lower() != ".gz" or size * BEST_RATIO < LOOKED_AT:
        return size
    with opened(file) as stream:
        read = 0
        while read < LOOKED_AT and (part := stream.read(1 << 20)):
            read += len(part)
        packed = stream.fileobj.tell() if hasattr(stream, "fileobj") else size
    return read if read < LOOKED_AT else max(read, round(read * size / max(packed, 1)))


def say_cost(files: list[Path], place: str, rows: int | None = None) -> None:
    """Say in advance how long files take to be read that are much larger than they look; `rows` is of Parquet."""
    if rows is None:
        if not any(file.suffix.lower() == ".gz" for file in files):
            return  # its size is plain to see
        size = sum(map(unpacked_size, files))
        seconds, what = size / BYTES_PER_SECOND, f"about {size / 1e9:.1f} GB of text"
    else:
        seconds, what = rows / ROWS_PER_SECOND, f"{rows:,} rows"
    if seconds > WORTH_SAYING:
        told = f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"
        warnings.warn(f"{place} contains {what}; reading it will take about {told}.", CostWarning, stacklevel=2)
