"""The files that a path or glob stands for, or why there are none; needs neither NumPy nor DuckDB."""

import os
from pathlib import Path
from typing import Final

from outclass.data.compressed import check_packing
from outclass.data.databases import REMOTE
from outclass.errors import FileError, did_you_mean, quoted
from outclass.locations import scheme_of

TEXT: Final = (".csv", ".tsv", ".txt")
JSON: Final = (".jsonl", ".ndjson", ".json")
PARQUET: Final = (".parquet", ".pq")


def existing(path: str) -> list[Path]:
    """Return the files that a path or glob stands for."""
    if (scheme := scheme_of(path)) in REMOTE:
        raise FileError(
            f"{quoted([path])} is remote, and remote files are read by Spark only: use ⟨engine=spark⟩"
            f"{' (with s3a://)' if scheme == 's3' else ''}, or copy it here first."
        )
    plain = Path(path)
    # Not `Path.is_dir`, which raises an error for a name that is too long to exist.
    if os.path.isdir(path):
        raise FileError(
            f"{quoted([path])} is a directory. Give a file, or a glob such as '{path.rstrip('/')}/*.parquet'."
        )
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileError(f"{quoted([path])} is a pipe or device and cannot be read twice. Save it to a file first.")
    if os.path.isfile(path):
        files = [plain]
    else:
        anchor = Path(plain.anchor) if plain.is_absolute() else Path()
        pattern = str(plain.relative_to(plain.anchor)) if plain.is_absolute() else path
        has_glob = any(sign in path for sign in "*?[")
        try:
            files = sorted(file for file in anchor.glob(pattern) if file.is_file()) if has_glob else []
        except ValueError as error:
            raise FileError(f"{quoted([path])} is not a glob: {str(error).lower()}.") from None
        if not files:
            folder = plain.parent if os.path.isdir(plain.parent) else Path()
            near = [file.name for file in folder.iterdir() if file.is_file()] if not has_glob else []
            hint = did_you_mean(plain.name, near)
            raise FileError(f"there is no file {quoted([path])}. {hint if 'Did you' in hint else ''}".rstrip())
    for file in files:
        _check(file)
    kinds = {_kind(file) for file in files}
    if len(kinds) > 1:
        raise FileError(f"{quoted([path])} matches files of different formats. All files must have the same format.")
    return files


def suffix_of(file: Path) -> str:
    """Return the extension that says what a file is, in lower case and without that of a packed one."""
    suffixes = [suffix.lower() for suffix in file.suffixes]
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == ".gz" else (suffixes or [""])[-1]


def _kind(file: Path) -> int:
    return next(place for place, kinds in enumerate((TEXT, JSON, PARQUET)) if suffix_of(file) in kinds)


def _check(file: Path) -> None:
    """Raise an error for what cannot be a table, before DuckDB guesses at it."""
    name = quoted([file.name])
    check_packing(file)
    if suffix_of(file) not in (*TEXT, *JSON, *PARQUET):
        raise FileError(
            f"{name} has an unknown extension. Tables are read from {', '.join((*TEXT, *JSON, *PARQUET))} (also .gz)."
        )
    try:
        with file.open("rb") as stream:
            start = stream.read(8192)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror}.") from None
    if not start:
        raise FileError(f"{name} is empty.")
    if suffix_of(file) in PARQUET:
        if start[:4] != b"PAR1":
            raise FileError(f"{name} is not a Parquet file, whatever its name says.")
    elif start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(f"{name} is UTF-16 text. Convert it first, for instance: iconv -f utf-16 -t utf-8.")
    elif b"\0" in start and start[:2] != b"\x1f\x8b":
        raise FileError(f"{name} is a binary file, not a table of text.")
