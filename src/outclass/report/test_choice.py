"""Which tests answer the question, which are shown beside them, and which are left out because a finding says why."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from outclass.significance.result import TestResult

ALL: Final = "all"  # asked for by name, or with every test
# The first of these that was made answers the question that was asked; the others stand beside it.
RECOMMENDED: Final = ("permutation_exact", "permutation", "cluster_t", "delong", "sign_exact", "paired_t", "friedman")
EXACT: Final = ("permutation_exact", "permutation")  # which hold with few items, and only have little power
# What speaks against a p-value, by the code of the finding; the first that applies is told.
CAUTIONS: Final = {
    "OC401": "decisions not independent",
    "OC405": "categories not independent",
    "OC406": "ignores the pairing",
    "OC402": "too few data",
    "OC403": "side chosen after seeing",
}


def caution_code(row: TestResult) -> str:
    """Return the code of what speaks against a p-value, if anything does."""
    codes = {each.code for each in row.findings}
    if row.name in EXACT:
        codes.discard("OC402")
    return next((code for code in CAUTIONS if code in codes), "")


def caution(row: TestResult) -> str:
    """Say in a few words what speaks against a p-value."""
    code = caution_code(row)
    return CAUTIONS[code] if code else ""


def shown(rows: Sequence[TestResult], asked: Sequence[str] = ()) -> list[TestResult]:
    """Return the tests that nothing contradicts or that were asked for, the recommended first; all if there are none.

    `asked` holds measures that were named, or `ALL` if tests were named or all were to be run.
    """
    if not rows:
        return []
    kept = [row for row in rows if ALL in asked or row.measure in asked or not caution_code(row)] or list(rows)
    order = {name: place for place, name in enumerate(RECOMMENDED)}
    pairs = {systems: place for place, systems in enumerate(dict.fromkeys(row.systems for row in kept))}

    def place(row: TestResult) -> tuple[bool, int]:
        """A test that a finding contradicts answers the question only if no other does."""
        return bool(caution_code(row)), order.get(row.name, len(order))

    named = [measure for measure in asked if measure != ALL]
    # The measure that the best test was made of for most pairs: not one that happens to be summed for a few.
    best = min(map(place, kept))
    most = Counter(row.measure for row in kept if place(row) == best).most_common(1)
    first = [*named, most[0][0]]
    rank = {measure: at for at, measure in reversed(list(enumerate(first)))}
    return sorted(
        kept,
        key=lambda row: (pairs[row.systems], rank.get(row.measure, len(first)), row.measure, *place(row)),
    )


def recommended(rows: Sequence[TestResult], asked: Sequence[str] = ()) -> list[TestResult]:
    """Return the recommended test of each pair of systems, and of each measure that was named.

    Where there are no pairs, of all systems at once.
    """
    kept = shown(rows, asked)
    named = set(asked) & {row.measure for row in kept}
    found: dict[tuple[object, ...], TestResult] = {}
    for row in kept:
        if row.measure in named or not named:
            found.setdefault((row.systems, row.measure if named else ""), row)
    return [row for row in found.values() if len(row.systems) == 2] or list(found.values())


def left_out(rows: Sequence[TestResult], asked: Sequence[str]) -> Counter[str]:
    """Count the tests that are not shown, by the code of what speaks against them."""
    kept = {id(row) for row in shown(rows, asked)}
    return Counter(caution_code(row) for row in rows if id(row) not in kept)


def is_by_pair(rows: Sequence[TestResult], asked: Sequence[str]) -> bool:
    """Return whether a short answer has one row for each of several pairs, and no others."""
    return ALL not in asked and len({row.systems for row in rows if len(row.systems) == 2}) > 1


def over_all(rows: Sequence[TestResult], asked: Sequence[str]) -> TestResult | None:
    """Return the first test of all systems at once that nothing contradicts."""
    return next((row for row in shown(rows, asked) if len(row.systems) > 2 and not caution_code(row)), None)
