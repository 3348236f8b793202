"""What the paper says, and whether ours agrees."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.answers.comparison import Comparison
from outclass.answers.plan import Plan
from outclass.studies.study import Check, Table, farthest, printed
from outclass.studies.zhang2016.paper import SYSTEMS, THEIR_SETS, TOLERANCES
from outclass.studies.zhang2016.tables import pairs_of, power_of

# Ours and theirs, number by number, and the category.
Pair = tuple[tuple[Any, ...], tuple[Any, ...], str]
# Where each number stands in them.
PLACES: Final = {"mean": (2,), "std": (3,), "HDI end": (7, 8), "percentage below zero": (5,), "ROPE percentage": (6,)}
P_VALUES, FACTOR, HDI, DECISION = (0, 1), 4, (7, 8), 9


def checks_of(systems: Table, plans: Mapping[str, Plan], answers: Mapping[int, Comparison]) -> list[Check]:
    """Hold everything that the paper prints to ours."""
    pairs = {number: pairs_of(number, answer) for number, answer in answers.items()}
    return [
        _decisions(pairs),
        *_distances("Tables 4 and 6", [*pairs[4], *pairs[6]], judged=True),
        # Which depends on the solver's seed.
        *_distances("Table 5", pairs[5], judged=False),
        _factors(pairs),
        _scores(systems),
        *_power_checks(plans),
    ]


def _decisions(pairs: Mapping[int, Sequence[Pair]]) -> Check:
    count = sum(map(len, pairs.values()))
    other = [
        f"Table {number}, category {category} has a different decision ({ours[DECISION]}): its HDI is "
        f"[{ours[HDI[0]]:+.4f}, {ours[HDI[1]]:+.4f}], and the ROPE ends at ±0.05."
        for number, several in pairs.items()
        for ours, theirs, category in several
        if ours[DECISION] != theirs[DECISION]
    ]
    return Check(
        what="decisions of Tables 4 to 6",
        ours=f"{count - len(other)} of {count} the same",
        theirs="60 (at least 59 required)",
        agrees=count - len(other) >= 59,
        why=" ".join(other),
    )


def _distances(told: str, pairs: Sequence[Pair], *, judged: bool) -> Iterator[Check]:
    for name, places in PLACES.items():
        off = farthest((ours[place], theirs[place]) for ours, theirs, _ in pairs for place in places)
        yield Check(
            what=f"largest deviation, {name}, {told}",
            ours=f"{off:.4f}" if TOLERANCES[name] < 1 else f"{off:.1f} points",
            theirs=f"within {TOLERANCES[name]:g}",
            agrees=off <= TOLERANCES[name] if judged else None,
        )
    off = farthest((ours[place], theirs[place]) for ours, theirs, _ in pairs for place in P_VALUES)
    yield Check(
        what=f"largest deviation, p-value, {told}",
        ours=f"{off:.4f}",
        theirs="within 0.001, plus rounding",
        agrees=off <= 0.0015 if judged else None,
    )


def _factors(pairs: Mapping[int, Sequence[Pair]]) -> Check:
    said = [
        (number, ours[FACTOR], theirs[FACTOR], category)
        for number, several in pairs.items()
        for ours, theirs, category in several
        if theirs[FACTOR] >= 0.05 and ours[FACTOR] is not None
    ]
    beyond = [
        f"Table {number}, category {category}: ours {ours:.3f}, theirs {theirs:.3f}"
        for number, ours, theirs, category in said
        if abs(ours / theirs - 1) > 0.2
    ]
    far_out = (
        ". Zero lies far in the tail of these posteriors, where a chain with an effective sample size of 1,000 "
        "has one or "
        "two draws."
    )
    return Check(
        what="Bayes factors of Tables 4 to 6 (printed .05 or more)",
        ours=f"{len(said) - len(beyond)} of {len(said)} within 20%",
        theirs=f"{len(said)} within 20%",
        agrees=not beyond,
        why="; ".join(beyond) + (far_out if beyond else ""),
    )


def _scores(systems: Table) -> Check:
    printed_too = [[float(cell) for cell in row[1:] if cell is not None] for row in systems.rows if row[0] in SYSTEMS]
    off = farthest(pair for row in printed_too for pair in ((row[0], row[1]), (row[2], row[3])))
    return Check(
        what="largest deviation, micro- and macro-F1 of the four classifiers",
        ours=f"{off:.4f}",
        theirs="within .002",
        agrees=off <= 0.002,
    )


def _power_checks(plans: Mapping[str, Plan]) -> list[Check]:
    """Hold Table 3 to theirs as a whole: distances in the errors of their simulation, and what pairing is worth."""
    rows = printed("zhang2016_table3")
    squares, ours_gain, their_gain = [], [], []
    for row in rows:
        cells = [(power_of(plans, row, model), float(row[f"power_{model}"])) for model in ("unpaired", "paired")]
        for ours, theirs in cells:
            squares.append((ours - theirs) ** 2 / max(ours * (1 - ours) / THEIR_SETS, 0.005**2))
        ours_gain.append(cells[1][0] - cells[0][0])
        their_gain.append(cells[1][1] - cells[0][1])
    rms = float(np.sqrt(np.mean(squares)))
    gains = float(np.mean(ours_gain)), float(np.mean(their_gain))
    # Of 28 distances the root mean square is below 1.27 in 95 of 100 simulations like theirs, if each has 100 sets.
    return [
        Check(
            what="power, Table 3: deviation from theirs in standard errors of their simulation (rms of 28 cells)",
            ours=f"{rms:.2f}",
            theirs="below 1.27",
            agrees=rms < 1.27,
            why=f"their number of sets per design point, {THEIR_SETS}, is inferred from their results, which are whole "
            "hundredths.",
        ),
        Check(
            what="power, Table 3: mean gain from pairing",
            ours=f"{gains[0]:+.3f}",
            theirs=f"{gains[1]:+.3f} (within .03)",
            agrees=abs(gains[0] - gains[1]) <= 0.03,
        ),
    ]
