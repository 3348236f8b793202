"""Measures of repeats: pass@k, pass^k and maj@k of each item, unbiased for k repeats out of any larger number.

pass@k is the chance that at least one of k answers is right, pass^k that all are, maj@k that the majority of them is:
the share of the subsets of k repeats in which it happens.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from outclass.errors import InputError, quoted

_SPELT: Final = re.compile(r"(pass@|pass\^|maj@)([0-9]{1,9})")
_LIKE: Final = re.compile(r"(pass|maj(ority)?)\s*[@^_]")
EXAMPLES: Final = ("pass@3", "pass^3", "maj@3")


class RepeatMeasure(NamedTuple):
    """A measure of k repeats: 'pass@', 'pass^' or 'maj@', and k."""

    kind: str
    k: int

    @property
    def name(self) -> str:
        """Its name, as in 'pass@3'."""
        return f"{self.kind}{self.k}"


def repeat_measure(spec: object) -> RepeatMeasure | None:
    """Read the name of a measure of repeats; None of any other."""
    if not isinstance(spec, str):
        return None
    name = spec.strip().lower()
    found = _SPELT.fullmatch(name)
    if found is None:
        if _LIKE.match(name):
            raise InputError(f"unknown measure {quoted([spec])}: measures of repeats are {quoted(EXAMPLES)}.")
        return None
    if int(found[2]) < 1:
        raise InputError(f"{quoted([spec])} needs at least one repeat, as in {quoted(EXAMPLES)}.")
    return RepeatMeasure(found[1], int(found[2]))


@lru_cache(maxsize=100_000)
def at_least_one(n: int, right: int, k: int) -> float:
    """Return the share of subsets of k out of n answers in which at least one is right."""
    return 1 - comb(n - right, k) / comb(n, k)


@lru_cache(maxsize=100_000)
def all_of(n: int, right: int, k: int) -> float:
    """Return the share of subsets of k out of n answers in which all are right."""
    return comb(right, k) / comb(n, k)


@lru_cache(maxsize=100_000)
def most_of(n: int, right: int, k: int) -> float:
    """Return the share of subsets of k out of n answers in which more than half are right; half counts half."""
    ways = sum(comb(right, many) * comb(n - right, k - many) * _won(2 * many - k) for many in range(k + 1))
    return ways / 2 / comb(n, k)


def _won(lead: int) -> int:
    """Return twice what a vote with this lead counts."""
    return 2 if lead > 0 else int(lead == 0)


@lru_cache(maxsize=100_000)
def plurality(right: int, wrong: Sequence[int], k: int) -> float:
    """Return the share of subsets of k answers in which the right answer has most votes; ties are shared.

    `wrong` are the numbers of answers of every wrong kind.
    """
    total = 0.0
    for votes in range(1, min(right, k) + 1):
        # Ways to draw the others: by how many are drawn, and by how many wrong answers have as many votes.
        ways = {(0, 0): 1}
        for many in wrong:
            grown: dict[tuple[int, int], int] = {}
            for (drawn, ties), count in ways.items():
                for own in range(min(many, votes, k - votes - drawn) + 1):
                    key = (drawn + own, ties + (own == votes))
                    grown[key] = grown.get(key, 0) + count * comb(many, own)
            ways = grown
        won = sum(count / (ties + 1) for (drawn, ties), count in ways.items() if drawn == k - votes)
        total += comb(right, votes) * won
    return total / comb(right + sum(wrong), k)
