"""How often a goal is reached at a number of items, and the smallest number that reaches it often enough."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Counts
from outclass.errors import InputError, shown
from outclass.models.evidence import rights
from outclass.planning.intervals import DRAWS, MORE_DRAWS, VERDICTS, Rule, intervals, verdicts
from outclass.planning.scenario import Pilot, Scenario
from outclass.significance.permutation import permutation_exact
from outclass.significance.sign import mcnemar_midp, signed

MOST: Final = 10_000_000  # items that a search looks at
TESTS: Final = {"sign_exact": signed, "mcnemar_midp": mcnemar_midp}


@dataclass(frozen=True)
class Goal:
    """What a test set is to achieve: a verdict, any decision, an interval narrower than a width, or a p-value."""

    name: str
    verdict: str = ""
    width: float = math.nan
    test: str = ""


def goal_of(text: str) -> Goal:
    """Read a goal: '>>', '<<', '~=', 'decided', 'width:0.1', 'significant' or 'significant:sign_exact'."""
    name = str(text).strip()
    name = {"≫": ">>", "≪": "<<", "≈": "~="}.get(name, name)
    if name in VERDICTS:
        return Goal(name, verdict=name)
    if name == "decided":
        return Goal(name, verdict="any")
    kind, _, argument = name.partition(":")
    if kind == "width":
        try:
            width = float(argument)
        except ValueError:
            width = math.nan
        if width > 0:
            return Goal(name, width=width)
    if kind == "significant" and (not argument or argument in (*TESTS, "permutation_exact")):
        return Goal(name, test=argument or "permutation_exact")
    raise InputError(
        f"unknown goal {shown(text)}. Goals are >>, <<, ~=, decided, width:0.1, significant, significant:sign_exact or "
        "significant:mcnemar_midp."
    )


def reached(joints: Counts, goal: Goal, model: str, rule: Rule, rng: np.random.Generator) -> np.ndarray:
    """Return which sets reach the goal."""
    if goal.test:
        p_values = []
        for joint in joints:
            if goal.test == "permutation_exact":
                p_values.append(permutation_exact(rule.measure, joint, most_cells=200_000).p_value)
            else:
                p_values.append(TESTS[goal.test](rights(joint)).p_value)
        return np.asarray(np.array(p_values) <= 0.05)
    ends = intervals(joints, model, rule, rng, MORE_DRAWS if goal.width > 0 else DRAWS)
    if goal.width > 0:
        return np.asarray(ends[:, 1] - ends[:, 0] <= goal.width)
    decided = verdicts(ends, rule.rope)
    return np.asarray(decided != "" if goal.verdict == "any" else decided == goal.verdict)


def probability(
    world: Scenario | Pilot, items: int, goal: Goal, model: str, rule: Rule, sets: int, seed: Sequence[int]
) -> float:
    """Return the share of simulated sets that reach the goal."""
    rng = np.random.Generator(np.random.SFC64(list(seed)))
    joints = world.simulate(items, sets, rng)
    return float(reached(joints, goal, model, rule, rng).mean())


def share(hits: float, sets: int) -> tuple[float, float]:
    """Return a simulated probability and its error: the standard error, and never zero."""
    smoothed = (hits * sets + 1) / (sets + 2)
    return hits, math.sqrt(smoothed * (1 - smoothed) / sets)


def smallest(
    at: Callable[[int, bool], float], wanted: float, sets: int, start: int = 100, most: int = MOST
) -> tuple[int | None, float | None, dict[int, float]]:
    """Search for the smallest number of items that reaches the goal with the wanted probability.

    The probability is looked at on a grid that closes in; the answer is looked at again with other numbers, and raised
    until what these show is not below the wanted probability by more than its simulation error. None if even `most` do
    not reach it. Returns the number, what the second look at it showed, and the first looks.
    """
    seen: dict[int, float] = {}

    def look(items: int) -> float:
        if items not in seen:
            seen[items] = at(items, False)
        return seen[items]

    low, high = 0, start
    while look(high) < wanted:
        low, high = high, 2 * high
        if high > most:
            return None, None, seen
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        if look(middle) >= wanted:
            high = middle
        else:
            low = middle
    answer = high
    error = share(wanted, sets)[1]
    while (reached := at(answer, True)) < wanted - error:
        answer = math.ceil(answer * 1.02) + 1
        if answer > most:
            return None, None, seen
    return answer, reached, seen
