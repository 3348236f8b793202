"""False alarms among all alarms of a growing row of gates: e-LOND (Xu & Ramdas 2024).

Whatever depends on what, the expected share of false alarms among all of them is at most alpha, if an alarm is raised
where the evidence reaches one over the level of its turn.
"""

import math


def level(alpha: float, turn: int, alarms: int) -> float:
    """Return the level of a decision: which one it is, from 1, and how many alarms there were before it."""
    return alpha * 6 / (math.pi**2 * turn**2) * (alarms + 1)


def evidence(p_value: float) -> float:
    """Return evidence that a p-value can be exchanged for: it is 1 on average at most, if there is nothing."""
    return math.inf if p_value <= 0 else 0.5 / math.sqrt(p_value)


def is_alarm(p_value: float, alpha: float, turn: int, alarms: int) -> bool:
    """Return whether an alarm is raised."""
    return evidence(p_value) >= 1 / level(alpha, turn, alarms)
