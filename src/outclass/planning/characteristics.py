"""How a rule behaves: how often it is right, wrong or undecided, over a range of true differences."""

from dataclasses import dataclass

import numpy as np

from outclass.planning.intervals import Rule, intervals, verdicts
from outclass.planning.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristic:
    """At one true difference: the shares of right, wrong and undecided verdicts."""

    difference: float
    right: float
    wrong: float
    undecided: float


def shifted(scenario: Scenario, by: float) -> Scenario:
    """Return the scenario with some of B's lone successes on the positives given to A (or the other way round)."""
    both, a, b, neither = scenario.positives
    moved = float(np.clip(by, -a, b))
    return Scenario(scenario.prevalence, (both, a + moved, b - moved, neither), scenario.negatives)


def characteristics(
    scenario: Scenario, model: str, rule: Rule, items: int, sets: int, seed: int, points: int = 9
) -> list[Characteristic]:
    """Judge the rule over scenarios from B's lead to A's, as far as the disagreements on the positives allow."""
    _, a, b, _ = scenario.positives
    found = []
    for number, by in enumerate(np.linspace(-a, b, points)):
        world = shifted(scenario, float(by))
        rng = np.random.Generator(np.random.SFC64([seed, number]))
        difference = world.difference(rule.measure)
        decided = verdicts(intervals(world.simulate(items, sets, rng), model, rule, rng), rule.rope)
        truth = "<<" if difference < rule.rope.low else ">>" if difference > rule.rope.high else "~="
        right, open_ = float((decided == truth).mean()), float((decided == "").mean())
        found.append(
            Characteristic(difference=difference, right=right, wrong=max(0.0, 1 - right - open_), undecided=open_)
        )
    return found
