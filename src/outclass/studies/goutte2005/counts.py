"""The counts behind the printed figures, and what they make probable."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from outclass.ask.compare import compare
from outclass.studies.goutte2005.paper import DOCUMENTS, MICRO, NAMES, POSITIVES, SYSTEMS
from outclass.studies.study import printed


@dataclass(frozen=True, slots=True)
class Counts:
    """One system's counts in one category."""

    tp: int
    fp: int
    fn: int

    @property
    def plain(self) -> dict[str, int]:
        """As `compare` takes them."""
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn}


def f1_of(counts: Counts) -> float:
    """Return F1 in percent."""
    return 200 * counts.tp / max(2 * counts.tp + counts.fp + counts.fn, 1)


def candidates(f1: float, positives: int) -> list[Counts]:
    """Return all counts of a category with so many positives whose F1, in percent, rounds to the one printed."""
    found = []
    for tp in range(1, positives + 1):
        # 100 * 2 TP / (2 TP + errors) lies within half a hundredth of what is printed.
        least = 2 * tp * (100 / (f1 + 0.005) - 1)
        most = 2 * tp * (100 / (f1 - 0.005) - 1)
        missed = positives - tp
        several = range(max(missed, int(np.ceil(least - 1e-9))), int(np.floor(most + 1e-9)) + 1)
        found += [Counts(tp, errors - missed, missed) for errors in several]
    return found


def recovered(category: str) -> list[dict[str, Counts]]:
    """Return all counts of the four systems that agree with what the paper prints of a category.

    F1 of each, how often only one of two systems is right, and how many documents have the category: a win is a
    document fewer among the errors, and of the positives one system cannot win more than it wins in all.
    """
    name = NAMES.get(category, category)
    f1: dict[str, float] = {}
    for row in _rows("goutte2005_table1", category):
        f1[row["system_a"]], f1[row["system_b"]] = float(row["f1_a"]), float(row["f1_b"])
    wins = {
        (row["system_a"], row["system_b"]): (int(row["wins_a"]), int(row["wins_b"]))
        for row in _rows("goutte2005_table2", category)
    }
    possible = {system: candidates(f1[system], POSITIVES[name]) for system in SYSTEMS}
    return list(_consistent(possible, wins))


def _consistent(
    possible: Mapping[str, Sequence[Counts]], wins: Mapping[tuple[str, str], tuple[int, int]]
) -> Iterator[dict[str, Counts]]:
    ltc, nnn, quadratic_nnn, quadratic_ltc = SYSTEMS
    for base in possible[ltc]:
        plain = [each for each in possible[nnn] if _agree(base, each, wins[ltc, nnn])]
        squared = [each for each in possible[quadratic_ltc] if _agree(base, each, wins[ltc, quadratic_ltc])]
        for linear, weighted in product(plain, squared):
            for last in possible[quadratic_nnn]:
                if _agree(linear, last, wins[nnn, quadratic_nnn]):
                    yield {ltc: base, nnn: linear, quadratic_nnn: last, quadratic_ltc: weighted}


def _agree(a: Counts, b: Counts, wins: tuple[int, int]) -> bool:
    errors = (b.fp + b.fn) - (a.fp + a.fn)
    return errors == wins[0] - wins[1] and -wins[1] <= a.tp - b.tp <= wins[0]


def narrowed(found: Mapping[str, list[dict[str, Counts]]]) -> dict[str, list[dict[str, Counts]]]:
    """Return what is left of several solutions when all categories must also add up to the printed micro-averages."""
    open_ones = [category for category, solutions in found.items() if len(solutions) > 1]
    fixed = [solutions[0] for solutions in found.values() if len(solutions) == 1]
    micro: dict[str, float] = {}
    for row in _rows("goutte2005_table1", MICRO):
        micro[row["system_a"]], micro[row["system_b"]] = float(row["f1_a"]), float(row["f1_b"])
    left: dict[str, list[dict[str, Counts]]] = {category: [] for category in open_ones}
    for chosen in product(*(found[category] for category in open_ones)):
        sums = summed([*fixed, *chosen])
        # Half a hundredth, as printed.
        if all(abs(f1_of(sums[system]) - micro[system]) <= 0.005 + 1e-9 for system in SYSTEMS):
            for category, solution in zip(open_ones, chosen, strict=True):
                if solution not in left[category]:
                    left[category].append(solution)
    return {category: left.get(category, solutions) for category, solutions in found.items()}


def summed(solutions: Sequence[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Add the counts of categories."""
    return {
        system: Counts(*(sum(getattr(each[system], cell) for each in solutions) for cell in ("tp", "fp", "fn")))
        for system in SYSTEMS
    }


def _rows(name: str, category: str) -> list[dict[str, str]]:
    return [row for row in printed(name) if row["category"] == category]


def better(a: Counts, b: Counts) -> float:
    """Return how probable it is that A has the higher F1, in percent, as the paper asks: independent, Jeffreys."""
    return 100 * compare(counts=[a.plain, b.plain], measure="f1").only.difference.above


def ahead(wins_a: int, wins_b: int) -> float:
    """Return how probable it is that A is right alone more often than B, in percent."""
    return 100 * compare(wins=(wins_a, wins_b), items=DOCUMENTS).only.difference.above


def categories() -> list[str]:
    """Return the categories in the paper's order."""
    return list(dict.fromkeys(row["category"] for row in printed("goutte2005_table2")))
