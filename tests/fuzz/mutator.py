"""Broken inputs, made from good ones: what editors, networks, disks and attackers do to a file."""

import random
from collections.abc import Sequence
from typing import Final

# What breaks parsers: numbers at the ends of types, things that are none, signs that mean something to somebody.
TOKENS: Final[tuple[bytes, ...]] = (
    *(b"0", b"1", b"-1", b"1.0", b"00", b"01", b"+1", b"1_0", b"1e5", b"1e308", b"1e309", b"-1e400", b"1e-400", b".5"),
    *(b"nan", b"NaN", b"inf", b"-Infinity", b"Infinity", b"null", b"None", b"NA", b"true", b"True", b"FALSE", b"0x10"),
    *(b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616", b"4294967296"),
    *(b"170141183460469231731687303715884105728", b"1" * 400, b"9" * 5000, b"0" * 5000 + b"1", b"0." + b"3" * 400),
    *("٣".encode(), "²".encode(), "½".encode(), "１".encode(), "−1".encode(), "1\u00a0000".encode()),
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1a", b"\x1b[31m", b"\x07", b"\x7f", b"\x85"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\x80"),
    *(
        "\u2028".encode(),
        "\u202e".encode(),
        "\u0085".encode(),
        "\ufeff".encode(),
        "\u0000".encode(),
        "e\u0301".encode(),
    ),
    *(b'"', b"'", b'""', b'"""', b"\\", b"\\u0000", b"\\ud800", b"\\ud83d\\ude00", b"`", b",", b";", b"|", b":", b"="),
    *(b"{", b"}", b"[", b"]", b"{}", b"[]", b"()", b"[[", b"}}", b'{"a":', b"[" * 2000, b'{"a":' * 2000, b"(" * 300),
    *(b"..", b"../", b"/", b"//", b"#", b"?", b"&", b"%", b"%00", b"%s", b"{0}", b"*", b"~", b"@", b"-", b"--", b"$x"),
    *(b"SELECT", b"; DROP TABLE t0; --", b"' OR 1=1", b"</script>", b"=1+1", b"{0.__class__}", b"%n", b"\\input{x}"),
    *(
        b"truth ",
        b"k",
        b"t0",
        b"joined",
        b"column0",
        b"rowid",
        b"gold",
        b"a",
        b"b",
        b"A",
        b"id",
        b"n",
        b"label",
        b"x" * 70,
    ),
)


class Mutator:
    """Makes inputs of those in a pool; the same seed makes the same ones of the same pool."""

    def __init__(self, seed: int | str, tokens: Sequence[bytes] = ()) -> None:
        self.random = random.Random(seed)
        self.tokens = (*TOKENS, *tokens, *tokens, *tokens)

    def one(self, pool: Sequence[bytes], most: int) -> bytes:
        """Return a broken input, of `most` bytes at most."""
        data = bytearray(self.random.choice(pool))
        # Mostly little is broken: what is all broken is refused at the door.
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 5, 9))):
            data = self.random.choice(_WAYS)(self.random, data, pool, self.tokens)
        return bytes(data[:most])


def _span(rng: random.Random, data: bytearray) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((0, 1, 1, 2, 4, 8, 16, 64)))


def _flip(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _byte(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    if data:
        data[rng.randrange(len(data))] = rng.choice(
            (0, 9, 10, 13, 27, 34, 39, 44, 48, 127, 128, 255, rng.randrange(256))
        )
    return data


def _token(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    start, end = _span(rng, data)
    data[start : rng.choice((start, end))] = rng.choice(tokens)
    return data


def _word(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    """Put a token in the place of a whole cell or number."""
    stops = b',;\t|\n\r {}[]":='
    start = rng.randint(0, len(data))
    end = start
    while start > 0 and data[start - 1] not in stops:
        start -= 1
    while end < len(data) and data[end] not in stops:
        end += 1
    data[start:end] = rng.choice(tokens)
    return data


def _cut(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    start, end = _span(rng, data)
    del data[start : rng.choice((end, end, end, len(data)))]
    return data


def _again(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    start, end = _span(rng, data)
    data[end:end] = data[start:end] * rng.choice((1, 1, 2, 7, 40))
    return data


def _splice(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    other = rng.choice(pool)
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _line(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    """Repeat, drop, swap or join lines."""
    lines = bytes(data).split(b"\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(4)
    if way == 0:
        lines.insert(other, lines[place])
    elif way == 1:
        del lines[place]
    elif way == 2:
        lines[place], lines[other] = lines[other], lines[place]
    else:
        lines[place] += lines[other]
    return bytearray(b"\n".join(lines))


def _field(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    """Repeat, drop or move a field of a line: ragged rows, headers with one name twice."""
    lines = bytes(data).split(b"\n")
    place = rng.choice((0, rng.randrange(len(lines))))
    sign = max((b",", b"\t", b" ", b";"), key=lines[place].count)
    fields = lines[place].split(sign)
    at, to = rng.randrange(len(fields)), rng.randrange(len(fields))
    if rng.random() < 0.4:
        fields.insert(to, fields[at])
    elif rng.random() < 0.5:
        del fields[at]
    else:
        fields[at] = fields[to]
    lines[place] = sign.join(fields)
    return bytearray(b"\n".join(lines))


def _encode(rng: random.Random, data: bytearray, pool: Sequence[bytes], tokens: Sequence[bytes]) -> bytearray:
    """Write it in another encoding, rarely: nothing else is left to look at afterwards."""
    if rng.random() < 0.8:
        return _token(rng, data, pool, tokens)
    text = bytes(data).decode("utf-8", "replace")
    return bytearray(
        text.encode(rng.choice(("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "cp1252", "utf-7")), "replace")
    )


_WAYS: Final = (_flip, _byte, _token, _token, _word, _word, _word, _cut, _again, _splice, _line, _field, _encode)
