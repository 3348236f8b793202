"""CoNLL files: a token and its tags per line, an empty line after each sentence, into the entities each system found.

Either one file with a column of tags per system, or the gold standard and one file per system. Lines that begin with
-DOCSTART- separate documents, as do CoNLL-U's comments `# newdoc`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from outclass.data.compressed import opened
from outclass.data.names import selection, stem_of
from outclass.data.spans import is_tag, parts_of, scheme_of
from outclass.data.tagged import UNITS, Column, Tokens, check_same, counted
from outclass.data.unit_counts import PerItem
from outclass.errors import FileError, InputError, did_you_mean, quoted

OPTIONS: Final = ("truth", "systems", "names", "label", "scheme", "strict", "unit")  # of `read`
SUFFIXES: Final = (".conll", ".bio", ".iob", ".iob2", ".bioes")
START: Final = "-DOCSTART-"
NEW_DOCUMENT: Final = re.compile(r"#\s*newdoc\b")
MALFORMED: Final = re.compile(r"[^\W\d_]-.+|\d+")  # X-PER, b-per, 0: meant as tags, and none
NAMED: Final = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
MANY_WORDS: Final = re.compile(r"\d+[-.]\d+")  # ids of CoNLL-U that are no token of their own
LOOKED_AT: Final = 500  # lines, to see what the columns are
MANY_TAGS: Final = 10  # of two columns, which by chance would have a type in common
TOKEN_NAMES: Final = ("form", "token", "word")


def recognises(path: Path) -> bool:
    """Return whether a file is named as such files are."""
    name = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return name.suffix.lower() in SUFFIXES


def read(path: Path) -> PerItem:
    """Read a file with a column of tags for the gold standard and one for each system."""
    return read_files([path])


def read_files(
    paths: Sequence[Path],
    *,
    truth: str | int | None = None,
    systems: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    label: str | int | None = None,
    scheme: str | None = None,
    strict: bool = False,
    unit: str | None = None,
) -> PerItem:
    """Read one file with several columns of tags, or the gold standard and one file per system.

    Columns are numbered from 1, or named by a header; by default they are the last, or those that hold tags.
    """
    unit = unit or UNITS[0]
    if unit not in UNITS:
        raise InputError(f"⟨unit⟩ must be one of {quoted(UNITS)}, got {quoted([unit])}.")
    wanted = None if scheme is None else scheme_of(str(scheme))
    if len(paths) == 1:
        if label is not None:
            raise InputError("⟨label⟩ names the column of tags in one file per system; in one file, use ⟨systems⟩.")
        gold, tagged = _of_one(_File.read(paths[0]), truth, systems)
    else:
        gold, tagged = _of_several(paths, truth, label)
    found = _renamed(tagged, names)
    if systems is not None and len(paths) > 1:
        found = {name: found[name] for name in selection(systems, found)}
    return counted(gold, found, wanted, strict=bool(strict), unit=unit)


# --- columns ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _File:
    """A file as text, and what its columns are."""

    name: str
    lines: list[str]
    by_tabs: bool
    width: int
    header: tuple[str, ...]  # what the columns are called, if they are
    header_line: int  # 0 if there is none
    tagged: tuple[int, ...]  # the columns that hold tags
    token: int
    numbered: bool  # whether the first column numbers the tokens of a sentence

    @classmethod
    def read(cls, path: Path) -> "_File":
        """Read the text, and look at the first lines."""
        with opened(path) as stream:
            raw = stream.read()
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise FileError(f"line {line} of {quoted([path.name])} is not UTF-8. Convert the file first.") from None
        lines = text.split("\n")
        by_tabs = any("\t" in line for line in lines[:LOOKED_AT])
        head = list(islice(_token_lines(lines, by_tabs), LOOKED_AT))
        if not head:
            raise FileError(f"{quoted([path.name])} has no tokens.")
        header: tuple[str, ...] = ()
        named = next((match for line in lines[:LOOKED_AT] if (match := NAMED.match(line))), None)
        if named is not None:
            header = tuple(named[1].split())
        at, first = head[0]
        has_header = len(head) > 1 and _names_a_column(first[-1]) and is_tag(head[1][1][-1])
        if has_header:
            header, head = tuple(first), head[1:]
        width = len(head[0][1])
        rows = [fields for _, fields in head if len(fields) == width]
        ids = [fields[0] for fields in rows]
        numbered = width > 2 and ids[0] == "1" and all(each.isdecimal() or MANY_WORDS.fullmatch(each) for each in ids)
        columns = list(zip(*(row for row in rows if not (numbered and MANY_WORDS.fullmatch(row[0]))), strict=True))
        named_token = next((place for place, name in enumerate(header) if name.lower() in TOKEN_NAMES), None)
        return cls(
            name=path.name,
            lines=lines,
            by_tabs=by_tabs,
            width=width,
            header=header,
            header_line=at if has_header else 0,
            tagged=tuple(place for place, own in enumerate(columns) if place and all(map(is_tag, own))),
            token=int(numbered) if named_token is None else named_token,
            numbered=numbered,
        )

    def place(self, column: object, role: str) -> int:
        """Return the place of a column, by its number from 1 on or by its name."""
        text = str(column).strip()
        if text in self.header:
            return self.header.index(text)
        if text.isdecimal() and 1 <= int(text) <= self.width:
            return int(text) - 1
        known = f"columns 1 to {self.width}"
        hint = f" {did_you_mean(text, self.header)}" if self.header else ""
        raise InputError(f"{quoted([self.name])} has {known}, and no column {quoted([text])} (⟨{role}⟩).{hint}")

    def called(self, place: int) -> str:
        """Return what a column is called."""
        return self.header[place] if place < len(self.header) else str(place + 1)


def _names_a_column(text: str) -> bool:
    """Return whether the last field of a first line is a name: a token must not be lost for a malformed tag."""
    return not is_tag(text) and MALFORMED.fullmatch(text) is None


def _token_lines(lines: Iterable[str], by_tabs: bool) -> Iterable[tuple[int, list[str]]]:
    """Return the lines that are no comment, no boundary and not empty, with their numbers, in fields."""
    for number, line in enumerate(lines, start=1):
        fields = _fields(line, by_tabs)
        if fields and not line.startswith(START) and not _is_comment(line, fields):
            yield number, fields


def _fields(line: str, by_tabs: bool) -> list[str]:
    if not by_tabs:
        return [each for each in line.rstrip("\r").split(" ") if each]
    stripped = line.strip("\r ")
    return [each.strip(" ") for each in stripped.split("\t")] if stripped.strip("\t") else []


def _is_comment(line: str, fields: Sequence[str]) -> bool:
    """Return whether a line is a comment: it begins with a hash that is no token, having no tag at its end."""
    return line.startswith("#") and (len(fields) < 2 or not is_tag(fields[-1]) or "=" in fields)


def _tokens(file: _File, places: Sequence[int], options: str) -> Tokens:
    """Read all lines of a file, and the tags of some columns, which the user chooses by some options."""
    codes: list[dict[str, int]] = [{} for _ in places]
    coded: list[list[int]] = [[] for _ in places]
    tokens: list[str] = []
    numbers: list[int] = []
    sentences: list[int] = []
    documents: list[int] = []
    document, inside, marked = 0, False, 0
    pairs = list(zip(places, codes, coded, strict=True))
    for number, line in enumerate(file.lines, start=1):
        fields = _fields(line, file.by_tabs)
        if not fields:
            inside = False
            continue
        if number == file.header_line:
            continue
        if line.startswith(START) or _is_comment(line, fields):
            if line.startswith(START) or NEW_DOCUMENT.match(line):
                document, marked, inside = len(documents), marked + 1, False
            continue
        if file.numbered and MANY_WORDS.fullmatch(fields[0]):
            continue
        if not inside:
            documents.append(document)
            inside = True
        tokens.append(fields[file.token] if file.token < len(fields) else "")
        numbers.append(number)
        sentences.append(len(documents) - 1)
        for place, known, own in pairs:
            tag = fields[place] if place < len(fields) else ""
            code = known.get(tag)
            if code is None:
                code = known[tag] = _checked(tag, len(known), number, place, file, options)
            own.append(code)
    lines = np.array(numbers, dtype=np.int64)
    names, found = np.unique(np.array(documents, dtype=np.int64), return_inverse=True)
    return Tokens(
        name=file.name,
        tokens=tokens,
        lines=lines,
        sentence=np.array(sentences, dtype=np.int64),
        document=found,
        documents=len(names) if marked else 0,
        columns=[
            Column(
                file=file.name,
                shown=f"column {place + 1}" if len(places) > 1 else file.name,
                codes=np.array(own, dtype=np.int64),
                tags=list(known),
                lines=lines,
            )
            for place, known, own in pairs
        ],
    )


def _checked(tag: str, code: int, line: int, place: int, file: _File, options: str) -> int:
    """Return the code of a new tag, if it is one."""
    if not is_tag(tag):
        seen = f"{quoted([tag])} in column {place + 1}" if tag else f"nothing in column {place + 1}"
        raise FileError(
            f"line {line} of {quoted([file.name])} has {seen}, which is not a tag such as O, B-PER or I-PER. Choose "
            f"the columns of tags by their numbers ({options})."
        )
    return code


def _of_one(file: _File, truth: str | int | None, systems: Sequence[str] | None) -> tuple[Tokens, dict[str, Column]]:
    """Take the gold standard and the systems from one file."""
    gold = file.place(truth, "truth") if truth is not None else file.tagged[0] if file.tagged else None
    chosen = (
        [file.place(each, "systems") for each in systems]
        if systems is not None
        else [place for place in file.tagged if place != gold]
    )
    if gold is None or not chosen:
        some = ", ".join(str(place + 1) for place in file.tagged) or "none"
        raise InputError(
            f"{quoted([file.name])} needs a column of tags for the truth and one for each system; columns that hold "
            f"tags: {some}. Name them (⟨truth⟩, ⟨systems⟩), or give one file per system after the gold standard."
        )
    if gold in chosen or len(set(chosen)) < len(chosen):
        raise InputError("a column is named twice (⟨truth⟩, ⟨systems⟩); each is the truth or one system.")
    found = _tokens(file, [gold, *chosen], "⟨truth⟩, ⟨systems⟩")
    if truth is None or systems is None:
        _check_types(file, gold, chosen, found.columns)
    return found, dict(zip(map(file.called, chosen), found.columns[1:], strict=True))


def _check_types(file: _File, gold: int, chosen: Sequence[int], columns: Sequence[Column]) -> None:
    """Refuse to take for truth and system, unasked, columns without a common type: chunks and entities, for example."""
    types = [sorted({parts_of(tag)[1] for tag in own.tags if tag != "O"}) for own in columns]
    tagged = [int(np.array([tag != "O" for tag in own.tags])[own.codes].sum()) for own in columns]
    for place, own, tags in zip(chosen, types[1:], tagged[1:], strict=True):
        if min(tags, tagged[0]) >= MANY_TAGS and not set(own) & set(types[0]):
            raise InputError(
                f"column {gold + 1} of {quoted([file.name])} has tags of the types {quoted(types[0], most=3)}, column "
                f"{place + 1} of {quoted(own, most=3)}: which is the truth, and which are systems? Name both "
                "(⟨truth⟩, ⟨systems⟩)."
            )


def _of_several(
    paths: Sequence[Path], truth: str | int | None, label: str | int | None
) -> tuple[Tokens, dict[str, Column]]:
    """Take the gold standard from the first file, and a system from each of the others."""
    first = _File.read(paths[0])
    gold = _tokens(first, [first.width - 1 if truth is None else first.place(truth, "truth")], "⟨truth⟩")
    stems = [stem_of(path) for path in paths[1:]]
    found: dict[str, Column] = {}
    for path, stem in zip(paths[1:], stems, strict=True):
        name = stem if stems.count(stem) == 1 else str(path)
        if name in found:
            raise InputError(f"{quoted([path])} is given twice; each file is one system.")
        file = _File.read(path)
        own = _tokens(file, [file.width - 1 if label is None else file.place(label, "label")], "⟨label⟩")
        check_same(gold, own)
        found[name] = own.columns[0]
    return gold, found


def _renamed(found: dict[str, Column], names: Sequence[str] | None) -> dict[str, Column]:
    if names is None:
        return found
    if len(names) != len(found):
        raise InputError(f"{len(names)} names (⟨names⟩) were given for {len(found)} systems.")
    return dict(zip(names, found.values(), strict=True))
