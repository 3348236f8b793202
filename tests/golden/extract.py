"""The numbers of an answer, by the names of what a user holds."""

import math
from collections.abc import Iterable
from typing import Any


def numbers_of(answer: Any) -> dict[str, Any]:
    """Return every number, verdict and code of an answer, each under a name of its own."""
    kind = type(answer).__name__
    found: dict[str, Any] = {"findings": sorted({each.code for each in answer.findings})}
    if kind == "Comparison":
        for place, row in enumerate(answer.rows):
            found |= {f"{place} {name}": value for name, value in _contrast(row).items()}
    elif kind == "Evaluation":
        for place, row in enumerate(answer.rows):
            found |= {f"{place} {name}": value for name, value in _appraisal(row).items()}
    elif kind == "Ranking":
        for each in answer.systems:
            own = _system(each.system) | {
                "expected_rank": each.expected_rank,
                "best": each.best,
                "simultaneous": list(each.simultaneous),
                "rank_interval": list(each.rank_interval),
            }
            found |= {f"{each.system.name} {name}": value for name, value in own.items()}
        found["verdicts"] = [list(row) for row in answer.verdicts]
    elif kind == "Plan":
        for each in answer.powers:
            found[f"{each.n} {each.model} {each.goal}"] = each.probability
    else:
        for place, test in enumerate(answer.rows):
            found |= {f"{place} {name}": value for name, value in _test(test).items()}
    return found


def _system(system: Any) -> dict[str, Any]:
    return {
        "observed": system.observed,
        "mean": system.mean,
        "std": system.std,
        "hdi": list(system.hdi),
    }


def _test(test: Any) -> dict[str, Any]:
    return {
        "name": f"{test.name} {test.measure} {test.alternative} {'/'.join(test.systems)}",
        "p": test.p_value,
        "statistic": test.statistic,
        "effect": test.effect,
        "interval": list(test.interval),
    }


def _contrast(row: Any) -> dict[str, Any]:
    difference = row.difference
    found: dict[str, Any] = {
        "what": f"{row.measure.name} {row.label} {row.verdict.value}",
        "items": row.items,
        "observed": row.observed,
        "rope": list(row.rope),
        "mean": difference.mean,
        "std": difference.std,
        "below": difference.below,
        "above": difference.above,
        "inside": difference.rope,
        "hdi": list(difference.hdi),
        "error": max(difference.errors.below, difference.errors.rope),
        "pairing": None if row.pairing is None else row.pairing.narrower,
    }
    for place, system in enumerate(row.systems):
        found |= {f"system {place} {name}": value for name, value in _system(system).items()}
    for factor in row.bayes_factors:
        found[f"factor {factor.name}"] = factor.value
    for test in row.tests:
        found[f"p {test.name}"] = test.p_value
    return found


def _appraisal(row: Any) -> dict[str, Any]:
    return {
        "what": f"{row.system.name} {row.measure.name} {row.label}",
        "median": row.median,
        "mode": row.mode,
        "equal_tailed": list(row.equal_tailed),
        **_system(row.system),
    }


def plain(value: Any) -> Any:
    """Return what JSON can hold: nan and infinity are words."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def apart(now: Any, then: Any, tolerance: float) -> Iterable[str]:
    """Say where two plain values differ by more than the tolerance, relative to their size."""
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for one, other in zip(now, then, strict=True):
            yield from apart(one, other, tolerance)
    elif isinstance(then, int | float) and isinstance(now, int | float) and not isinstance(then, bool):
        if abs(now - then) > tolerance * max(1.0, abs(then)):
            yield f"{now} instead of {then}"
    elif now != then:
        yield f"{now} instead of {then}"
