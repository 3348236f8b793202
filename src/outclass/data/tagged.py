"""Tagged sequences: tokens with the tags of a gold standard and of systems, into the entities each system found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.spans import (
    PREFIXES,
    UNTYPED,
    Entities,
    Tags,
    check_letters,
    detected,
    entities,
    malformed,
    parts_of,
)
from outclass.data.unit_counts import ALL, PerItem, unit_counts
from outclass.errors import InputError, printable, quoted
from outclass.findings import Finding, finding

UNITS: Final = ("sentence", "document")


@dataclass(kw_only=True)
class Column:
    """The tags of one column: their codes, what these stand for, and where they are."""

    file: str
    shown: str  # what a sentence about it calls it
    codes: Counts
    tags: list[str]
    lines: Counts


@dataclass(kw_only=True)
class Tokens:
    """The tokens of a file, the sentence of each, the document of each sentence, and columns of tags."""

    name: str
    tokens: list[str]
    lines: Counts
    sentence: Counts
    document: Counts
    documents: int
    columns: list[Column] = field(default_factory=list)


def check_same(gold: Tokens, other: Tokens) -> None:
    """Refuse a file with other tokens or other sentences than the gold standard, and show the first difference."""
    same = min(len(gold.tokens), len(other.tokens))
    here, there = quoted([gold.name]), quoted([other.name])
    if gold.tokens != other.tokens:
        at = next((at for at in range(same) if gold.tokens[at] != other.tokens[at]), same)
        if at < same:
            told = (
                f"line {gold.lines[at]} of {here} has the token {quoted([gold.tokens[at]])}, line {other.lines[at]} of "
            )
            raise InputError(f"{told}{there} has {quoted([other.tokens[at]])}. All files must have the same tokens.")
        longer, shorter = (gold, other) if len(gold.tokens) > same else (other, gold)
        raise InputError(
            f"{quoted([shorter.name])} ends after {same:,} tokens, but line {longer.lines[same]} of "
            f"{quoted([longer.name])} has the token {quoted([longer.tokens[same]])}. All files must have the same "
            "tokens."
        )
    apart = np.flatnonzero(gold.sentence != other.sentence)
    if len(apart):
        at = int(apart[0])
        ends, goes_on = (gold, other) if gold.sentence[at] > other.sentence[at] else (other, gold)
        raise InputError(
            f"a sentence ends before line {ends.lines[at]} of {quoted([ends.name])} (token "
            f"{quoted([ends.tokens[at]])}), but not before line {goes_on.lines[at]} of {quoted([goes_on.name])}. All "
            "files must have the same sentences."
        )


def counted(gold: Tokens, systems: dict[str, Column], scheme: str | None, *, strict: bool, unit: str) -> PerItem:
    """Count what each system found in every sentence."""
    if unit == UNITS[1] and not gold.documents:
        raise InputError(
            f"{quoted([gold.name])} has no -DOCSTART- lines, so its documents are unknown: leave out ⟨unit⟩."
        )
    columns = [gold.columns[0], *systems.values()]
    types = sorted({parts_of(tag)[1] for own in columns for tag in own.tags if tag != "O"})
    sentences = int(gold.sentence[-1]) + 1
    # With an O after each sentence no entity goes from one to the next.
    place = np.arange(len(gold.tokens)) + gold.sentence
    tags = [_flat(own, types, place, len(place) + sentences) for own in columns]
    letters = {tag[0] for own in columns for tag in own.tags if tag != "O"}
    scheme = detected(letters, tags[0]) if scheme is None else scheme
    check_letters(sorted(letters), scheme, lambda letter: _first(columns, letter))
    found = [entities(own, scheme, strict=strict) for own in tags]
    findings = _malformed(columns, tags, scheme, place, strict=strict)
    if not any(len(own.start) for own in found):
        raise InputError("there are no entities: all tags are O, or (⟨strict⟩) none follow the scheme.")
    untyped = types == [UNTYPED]
    of_place = np.zeros(len(place) + sentences, dtype=np.int64)
    of_place[place] = gold.sentence
    unit_of, label, cells = _matched(found, len(types), of_place)
    names = tuple(f"document {number + 1}" for number in range(gold.documents))
    return unit_counts(
        *(tuple(systems), (ALL,) if untyped else types, sentences),
        unit_of,
        label,
        cells,
        group=(names, gold.document) if unit == UNITS[1] else None,
        findings=findings,
    )


def _flat(column: Column, types: Sequence[str], place: Counts, size: int) -> Tags:
    """Return the prefix and type of each tag, with an O after each sentence."""
    known = {name: code for code, name in enumerate(types)}
    split = [(0, -1) if tag == "O" else (PREFIXES[tag[0]], known[parts_of(tag)[1]]) for tag in column.tags]
    prefix, kind = np.zeros(size, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    both = np.array(split, dtype=np.int64)[column.codes]
    prefix[place], kind[place] = both[:, 0], both[:, 1]
    return Tags(prefix, kind)


def _first(columns: Sequence[Column], letter: str) -> str:
    """Say where a letter occurs first."""
    for column in columns:
        codes = [code for code, tag in enumerate(column.tags) if tag != "O" and tag[0] == letter]
        at = np.flatnonzero(np.isin(column.codes, codes))
        if len(at):
            return (
                f"{quoted([column.tags[column.codes[at[0]]]])} (line {column.lines[at[0]]} of {quoted([column.file])})"
            )
    return quoted([letter])


def _matched(found: Sequence[Entities], types: int, sentence: Counts) -> tuple[Counts, Counts, Counts]:
    """Return the sentence, type and counts of every kind of entity in a sentence."""
    longest = max(int((own.end - own.start).max(initial=0)) for own in found) + 1
    keys = [(own.start * longest + own.end - own.start) * types + own.type for own in found]
    rows = [sentence[own.start] * types + own.type for own in found]
    every = np.unique(np.concatenate(rows))
    cells = np.zeros((len(every), len(found) - 1, 3), dtype=np.int64)
    for place, (own, row) in enumerate(zip(keys[1:], rows[1:], strict=True)):
        right, hit = np.isin(own, keys[0]), np.isin(keys[0], own)
        for kind, where in enumerate((row[right], row[~right], rows[0][~hit])):
            cells[:, place, kind] = np.bincount(np.searchsorted(every, where), minlength=len(every))
    unit, label = np.divmod(every, types)
    return unit, label, cells


def _malformed(
    columns: Sequence[Column], tags: Sequence[Tags], scheme: str, place: Counts, *, strict: bool
) -> tuple[Finding, ...]:
    """Say how many tags are not as the scheme has them, and what became of them."""
    told = []
    for column, own in zip(columns, tags, strict=True):
        wrong = malformed(own, scheme)
        if len(wrong):
            at = int(np.searchsorted(place, wrong[0]))
            tag, before = column.tags[column.codes[at]], "O"
            if at and place[at] == place[at - 1] + 1:
                before = column.tags[column.codes[at - 1]]
            first = f"line {column.lines[at]}, {printable(tag)} after {printable(before)}"
            told.append(f"{len(wrong):,} in {printable(column.shown)} (first: {first})")
    if not told:
        return ()
    became = (
        "They are not part of an entity"
        if strict
        else "They were read as part of an entity, as conlleval does; to leave them out, use ⟨strict=True⟩"
    )
    return (finding("OC620", f"some tags are not as the scheme {scheme} has them: {'; '.join(told)}. {became}."),)
