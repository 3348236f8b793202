"""Archives whose members are compressed with Zstandard, as Inspect writes them since 2026."""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

METHOD = 93


def zipped_by(zstandard: Any, source: Path, target: Path) -> Path:
    """Write the members of an archive again, compressed with Zstandard: `zipfile` itself does not know how."""
    body, entries = b"", []
    with zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            raw = archive.read(name)
            packed = zstandard.ZstdCompressor().compress(raw)
            facts = (METHOD, 0, 33, zlib.crc32(raw), len(packed), len(raw), len(name), 0)
            entries.append((name.encode(), facts, len(body)))
            body += struct.pack("<4s2H", b"PK\x03\x04", 63, 0) + struct.pack("<3H3L2H", *facts) + name.encode() + packed
    start = len(body)
    for name, facts, place in entries:
        head = struct.pack("<4s3H", b"PK\x01\x02", 63, 63, 0) + struct.pack("<3H3L2H", *facts)
        body += head + struct.pack("<3H2L", 0, 0, 0, 0, place) + name
    many = len(entries)
    body += struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, many, many, len(body) - start, start, 0)
    target.write_bytes(body)
    return target
