"""Prior beliefs: Beta for the share of positives, Dirichlet for what the systems do with each class."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from outclass.errors import InputError, unknown

PRESETS: Final = {"uniform": 1.0, "jeffreys": 0.5}
_PARTS: Final = ("mu", "positives", "negatives", "cells", "wins")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """Hyper-parameters, each a pseudo-count.

    Parameters
    ----------
    name
        What a report calls it.
    mu
        For (positive, negative) items.
    positives, negatives
        For what is predicted on items of that class: one number for every outcome, or one each: four in the paired
        model, in the order both say positive, only A, only B, neither; two for a single system, positive, negative.
    cells
        For each of TP, FP and FN (the lambda of Goutte & Gaussier's model).
    wins
        For items that only A, only B, or neither more than the other gets right: one number, or three.
    """

    name: str
    mu: tuple[float, float] = (1.0, 1.0)
    positives: float | tuple[float, ...] = 1.0
    negatives: float | tuple[float, ...] = 1.0
    cells: float = 0.5
    wins: float | tuple[float, ...] = 0.5
    named: tuple[str, ...] = ()  # the parts that the user named, if only some were

    def __post_init__(self) -> None:
        for part in _PARTS:
            value = getattr(self, part)
            for number in value if isinstance(value, tuple) else (value,):
                if not (math.isfinite(number) and 0 < number <= 1e12):
                    raise InputError(f"hyper-parameters of {part} must be positive numbers, got {number}.")

    def outcomes(self, part: str, size: int) -> tuple[float, ...]:
        """Return the pseudo-counts of `size` outcomes given a class."""
        value = getattr(self, part)
        if not isinstance(value, tuple):
            return (value,) * size
        if len(value) != size:
            raise InputError(
                f"this model needs {size} hyper-parameters for {part} (or one for all), got {len(value)}: "
                f"{', '.join(f'{number:g}' for number in value)}."
            )
        return value

    def for_pairs(self) -> "Prior":
        """Return the same beliefs for two systems on the same items, where they are of one system alone."""
        pairs: dict[str, Any] = {
            part: paired_of(*value)
            for part in ("positives", "negatives")
            if isinstance(value := getattr(self, part), tuple) and len(value) == 2
        }
        return replace(self, **pairs)


def paired_of(yes: float, no: float) -> tuple[float, float, float, float]:
    """Return the Dirichlet of two systems that makes each one's rate Beta(yes, no), and the two independent on average.

    Of Beta(2, 2) it is the uniform one.
    """
    apart = yes * no / (yes + no)
    return yes - apart, apart, apart, no - apart


def check_parts(prior: Prior, used: Sequence[str], model: str) -> None:
    """Refuse a prior that names parts the model has no use for: it would be ignored in silence."""
    idle = [part for part in prior.named if part not in used]
    if idle:
        raise InputError(
            f"the {model} model has no use for a prior of {', '.join(idle)}; its prior is of {', '.join(used)}."
        )


def prior_of(spec: "str | float | Mapping[str, Any] | Prior") -> Prior:
    """Make a prior of a preset's name, one pseudo-count for everything, or a mapping of its parts.

    As text, as on the command line: `uniform`, `jeffreys`, `0.5`, or `mu=1,1;positives=2,1,1,2;negatives=1`.
    """
    if isinstance(spec, Prior):
        return spec
    if isinstance(spec, int | float) and not isinstance(spec, bool):
        return _even(f"{spec:g}", float(spec))
    if isinstance(spec, Mapping):
        return _of_parts(spec)
    if not isinstance(spec, str):
        raise InputError(f"a prior is a name, a number or a mapping, got {type(spec).__name__}.")
    text = spec.strip().lower()
    if text in PRESETS:
        return _even(text, PRESETS[text])
    if "=" in text:
        parts = dict(part.partition("=")[::2] for part in text.replace(" ", "").split(";") if part)
        return _of_parts({name: _numbers(name, value) for name, value in parts.items()})
    try:
        return prior_of(float(text))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise unknown("prior", spec, PRESETS) from None


def _even(name: str, every: float) -> Prior:
    """Make a prior with one pseudo-count for everything."""
    return Prior(name=name, mu=(every, every), positives=every, negatives=every, cells=every, wins=every)


def _of_parts(parts: Mapping[str, Any]) -> Prior:
    for name in parts:
        if name not in _PARTS:
            raise unknown("part of a prior", str(name), _PARTS)
    clean: dict[str, Any] = {}
    for name, value in parts.items():
        numbers = tuple(float(number) for number in value) if isinstance(value, Iterable) else (float(value),)
        clean[name] = numbers[0] if len(numbers) == 1 else numbers
    if isinstance(clean.get("mu"), float):
        clean["mu"] = (clean["mu"],) * 2
    if len(clean.get("mu", (1, 1))) != 2:
        raise InputError(f"mu needs two hyper-parameters (positive, negative), got {len(clean['mu'])}.")
    if isinstance(clean.get("cells"), tuple):
        raise InputError(f"the prior of cells is one number for TP, FP and FN alike, got {len(clean['cells'])}.")
    spelt = ";".join(
        f"{name}={','.join(f'{number:g}' for number in ((value,) if isinstance(value, float) else value))}"
        for name, value in clean.items()
    )
    return Prior(name=spelt, named=tuple(clean), **clean)


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"hyper-parameters of {name} must be numbers, got {text!r}.") from None
