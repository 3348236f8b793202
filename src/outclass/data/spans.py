"""Entities of tagged sequences: where each begins and ends, and of which type, by the scheme of the tags.

A tag is O, or a prefix and a type: B-PER begins an entity, I-PER continues one; in BIOES E-PER ends one and S-PER is
one by itself (L and U in BILOU). What begins, continues and ends depends on a tag and the one before it alone.
Leniently, as conlleval and seqeval by default have it, every tag but O is part of an entity: what cannot continue one
begins one. Strictly, an entity counts only if all of its tags are as the scheme says.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Counts
from outclass.errors import InputError, unknown

O, B, I, E, S = range(5)  # noqa: E741  # the names of the prefixes are what they are
PREFIXES: Final = {"B": B, "I": I, "E": E, "S": S, "L": E, "U": S}
UNTYPED: Final = "_"  # the type of tags that have none
# Under which names schemes go, and the letters of their tags.
SCHEMES: Final = {"bio": "BI", "iob1": "BI", "bioes": "BIES", "bilou": "BILU"}
ALIASES: Final = {"iob2": "bio", "iob": "bio", "iobes": "bioes", "bilou": "bilou", "biluo": "bilou"}
Pairs = Callable[
    [Counts, Counts, np.ndarray], np.ndarray
]  # the prefix before, the prefix, whether the type is the same


class Tags(NamedTuple):
    """Tags as numbers, of all sentences one after the other with an O after each: prefixes and types."""

    prefix: Counts
    type: Counts


class Entities(NamedTuple):
    """Entities: the places of their first tag and of the first after them, and their types."""

    start: Counts
    end: Counts
    type: Counts


def scheme_of(name: str) -> str:
    """Read the name of a scheme."""
    spelt = name.strip().lower()
    spelt = ALIASES.get(spelt, spelt)
    if spelt not in SCHEMES:
        raise unknown("scheme", name, [*SCHEMES, *ALIASES])
    return spelt


def is_tag(text: str) -> bool:
    """Return whether a text is a tag: O, or a known prefix alone or before a hyphen."""
    return text == "O" or (text[:1] in PREFIXES and (len(text) == 1 or (text[1] == "-" and len(text) > 2)))


def parts_of(tag: str) -> tuple[str, str]:
    """Return the letter and the type of a tag other than O."""
    return tag[0], tag[2:] or UNTYPED


def detected(letters: set[str], gold: Tags) -> str:
    """Return the scheme of some tags by their letters; of B and I, by how the gold standard begins its entities."""
    if letters & set("LU"):
        if letters & set("ES"):
            raise InputError("the tags mix two schemes: E or S is of BIOES, L or U of BILOU. Name it (⟨scheme=…⟩).")
        return "bilou"
    if letters & set("ES"):
        return "bioes"
    before, here, same = _pairs(gold)
    inside = np.isin(before, (B, I)) & same
    begins_with_i = ((here == I) & ~inside).any()
    only_between = not ((here == B) & ~inside).any()
    return "iob1" if begins_with_i and only_between else "bio"


def check_letters(letters: Sequence[str], scheme: str, where: Callable[[str], str]) -> None:
    """Refuse tags that a scheme does not have; `where` says where a letter occurs first."""
    for letter in letters:
        if letter not in SCHEMES[scheme]:
            known = ", ".join(f"{each}-" for each in SCHEMES[scheme])
            raise InputError(
                f"{where(letter)} is not a tag of the scheme {scheme} ({known}, O). Name another (⟨scheme⟩)."
            )


def entities(tags: Tags, scheme: str, *, strict: bool) -> Entities:
    """Find the entities."""
    before, here, same = _pairs(tags)
    begins, continues, ends = (rule(before, here, same) for rule in (RULES[scheme] if strict else LENIENT))
    # Tags that continue what is before them lie together; the first of them that can begin an entity begins it.
    stretch = np.cumsum(~continues)
    starts = np.flatnonzero(begins)
    _, first = np.unique(stretch[starts], return_index=True)
    starts = starts[first]
    breaks = np.flatnonzero(~continues)
    after = breaks[np.searchsorted(breaks, starts, side="right")] if len(starts) else starts
    whole = ends[after]
    return Entities(starts[whole], after[whole], tags.type[starts[whole]])


def malformed(tags: Tags, scheme: str) -> Counts:
    """Return the places of tags that the scheme does not allow where they are."""
    before, here, same = _pairs(tags)
    inside = np.isin(before, (B, I)) & same
    if scheme == "bio":
        return np.flatnonzero((here == I) & ~inside)
    if scheme == "iob1":
        return np.flatnonzero((here == B) & ~inside)
    joined = inside & np.isin(here, (I, E))
    loose = np.isin(here, (I, E)) & ~joined
    unfinished = np.isin(before, (B, I)) & ~joined
    return np.union1d(np.flatnonzero(loose), np.flatnonzero(unfinished) - 1)


def _pairs(tags: Tags) -> tuple[Counts, Counts, np.ndarray]:
    """Return the prefix before every tag, the tag's own, and whether their types are the same."""
    before = np.concatenate([[O], tags.prefix[:-1]])
    kinds = np.concatenate([[-1], tags.type[:-1]])
    return before, tags.prefix, kinds == tags.type


# --- rules: what begins an entity, what continues one, and before what one ends --------------------------------------


def _lenient_start(before: Counts, here: Counts, same: np.ndarray) -> np.ndarray:
    return np.asarray((here != O) & (np.isin(here, (B, S)) | np.isin(before, (O, E, S)) | ~same))


LENIENT: Final[tuple[Pairs, Pairs, Pairs]] = (
    _lenient_start,
    lambda before, here, same: (here != O) & ~_lenient_start(before, here, same),
    lambda before, here, same: np.ones(len(here), dtype=bool),
)
_WITH_I: Final[Pairs] = lambda before, here, same: (here == I) & np.isin(before, (B, I)) & same  # noqa: E731
_WITH_E: Final[Pairs] = lambda before, here, same: np.isin(here, (I, E)) & np.isin(before, (B, I)) & same  # noqa: E731
_CLOSED: Final[tuple[Pairs, Pairs, Pairs]] = (
    lambda before, here, same: np.isin(here, (B, S)),
    _WITH_E,
    lambda before, here, same: np.isin(before, (E, S)),
)
RULES: Final[dict[str, tuple[Pairs, Pairs, Pairs]]] = {
    "bio": (
        lambda before, here, same: here == B,
        _WITH_I,
        lambda before, here, same: np.ones(len(here), dtype=bool),
    ),
    # B only separates an entity from one of the same type before it.
    "iob1": (
        lambda before, here, same: (
            ((here == I) & (np.isin(before, (O, B)) | ~same)) | ((here == B) & np.isin(before, (B, I)) & same)
        ),
        _WITH_I,
        lambda before, here, same: ~((before == B) & (here == B) & ~same),
    ),
    "bioes": _CLOSED,
    "bilou": _CLOSED,
}
