"""Prior beliefs: Beta for the share of positives, Dirichlet for what the systems do with each class; or any law.

A rate may be given as a range, which is turned into a Beta; or as a distribution of PyMC, for which chains are run.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from outclass.errors import InputError, shown, unknown
from outclass.measures.measure import Measure
from outclass.models.elicit import MASS, beta_between, range_of
from outclass.models.laws import Law, is_law, law_of, law_of_text

PRESETS: Final = {"uniform": 1.0, "jeffreys": 0.5}
MATCHED: Final = "matched"  # pseudo-counts by the measure, with which intervals hold what they promise
UNPAIRED: Final = 0.5
_PARTS: Final = ("mu", "positives", "negatives", "cells", "wins")
# What people call the rates, and the part that each is of.
RATES: Final = {"prevalence": "mu", "recall": "positives", "fpr": "negatives"}
_SAID: Final = {"positives": "positives (recall)", "negatives": "negatives (fpr)", "mu": "mu (prevalence)"}
_SEEN: Final = {"prevalence": "items", "recall": "positives", "fpr": "negatives"}


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
        model, in the order both say positive, only A, only B, neither; two for a single system, positive, negative. Two
        in the paired model are each system's own, as of Beta distributions.
    cells
        For each of TP, FP and FN (the lambda of Goutte & Gaussier's model).
    wins
        For items that only A, only B, or neither more than the other gets right: one number, or three.
    laws
        Priors that are not conjugate, by what they are of: mu, recall, fpr, positives, negatives.
    words
        Ranges and distributions, said back.
    matched
        Whether pseudo-counts are those of each measure (`of`); the numbers here are then not used for two classes.
    """

    name: str
    mu: tuple[float, float] = (1.0, 1.0)
    positives: float | tuple[float, ...] = 1.0
    negatives: float | tuple[float, ...] = 1.0
    cells: float = 0.5
    wins: float | tuple[float, ...] = 0.5
    named: tuple[str, ...] = ()  # the parts that the user named, if only some were
    laws: tuple[tuple[str, Law], ...] = ()
    words: str = ""
    matched: bool = False  # mu, positives and negatives are the measure's own

    def __post_init__(self) -> None:
        for part in _PARTS:
            value = getattr(self, part)
            for number in value if isinstance(value, tuple) else (value,):
                if not (math.isfinite(number) and 0 < number <= 1e12):
                    raise InputError(f"hyper-parameters of {part} must be positive numbers, got {number}.")

    def of(self, measure: Measure, model: str) -> "Prior":
        """Return the prior for one measure: the same for all, unless it is matched."""
        if not self.matched or model not in ("paired", "unpaired", "single"):
            return self
        return _matched(self, measure, model)

    def outcomes(self, part: str, size: int) -> tuple[float, ...]:
        """Return the pseudo-counts of `size` outcomes given a class."""
        value = getattr(self, part)
        if not isinstance(value, tuple):
            return (value,) * size
        if len(value) == 2 and size == 4:
            return paired_of(*value)
        if len(value) != size:
            raise InputError(
                f"this model needs {size} hyper-parameters for {part} (or one for all), got {len(value)}: "
                f"{', '.join(f'{number:g}' for number in value)}."
            )
        return value

    def law(self, part: str) -> Law | None:
        """Return the prior of a part that is not conjugate, if it has one."""
        return dict(self.laws).get(part)


@lru_cache(maxsize=256)  # asked for by every row
def _matched(prior: Prior, measure: Measure, model: str) -> Prior:
    # Of two test sets one number serves all measures (docs/matched.md).
    count = {"paired": measure.pseudo_count, "single": 1 / len(measure.errors)}.get(model, UNPAIRED)
    cells = 4 if model == "paired" else 2
    return replace(prior, mu=(cells * count, cells * count), positives=count, negatives=count)


def paired_of(yes: float, no: float) -> tuple[float, float, float, float]:
    """Return the Dirichlet of two systems that makes each one's rate Beta(yes, no), and the two independent on average.

    Of Beta(2, 2) it is the uniform one.
    """
    apart = yes * no / (yes + no)
    return yes - apart, apart, apart, no - apart


def check_parts(prior: Prior, used: Sequence[str], model: str) -> None:
    """Raise an error for a prior that names parts the model has no use for: it would be ignored in silence."""
    idle = [part for part in prior.named if part not in used]
    if idle:
        raise InputError(
            f"the {model} model does not use a prior (⟨prior⟩) on "
            f"{', '.join(_SAID.get(part, part) for part in idle)}; its prior is on {', '.join(used)}. (Priors on "
            "rates apply to the paired, unpaired and single models, which need tn in counts.)"
        )


def prior_of(spec: "str | float | Mapping[str, Any] | Prior") -> Prior:
    """Make a prior of a preset's name, one pseudo-count for everything, or a mapping of its parts.

    As text, as on the command line: `matched`, `uniform`, `jeffreys`, `0.5`, or `mu=1,1;positives=2,1,1,2;negatives=1`.
    """
    if isinstance(spec, Prior):
        return spec
    if isinstance(spec, int | float) and not isinstance(spec, bool):
        return _even(f"{spec:g}", float(spec))
    if isinstance(spec, Mapping):
        return _of_parts(spec)
    if not isinstance(spec, str):
        raise InputError(f"a prior must be a name, a number or a mapping, got {type(spec).__name__}.")
    text = spec.strip()
    if text.lower() == MATCHED:
        return Prior(name=MATCHED, matched=True)
    if text.lower() in PRESETS:
        return _even(text.lower(), PRESETS[text.lower()])
    if "=" in text:
        listed = [part.partition("=")[::2] for part in text.replace(" ", "").split(";") if part]
        for name, _ in listed:
            _check_part(name.lower())
        parts = {name.lower(): _read(name.lower(), value) for name, value in listed}
        if len(parts) < len(listed):
            raise InputError(f"a part of the prior {shown(text)} is named twice.")
        return _of_parts(parts)
    try:
        return prior_of(float(text))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise unknown("prior", spec, (MATCHED, *PRESETS)) from None


def _read(name: str, text: str) -> Any:
    """Read a part of a prior as it is written: numbers, a range or a distribution."""
    if name == "base" or ".." in text:
        return text
    if "(" in text:
        return law_of_text(text)
    return _numbers(name, text)


def _even(name: str, every: float) -> Prior:
    """Make a prior with one pseudo-count for everything."""
    return Prior(name=name, mu=(every, every), positives=every, negatives=every, cells=every, wins=every)


def _of_parts(parts: Mapping[str, Any]) -> Prior:
    clean: dict[str, Any] = {}
    spelt: list[str] = []
    told: list[str] = []
    laws: list[tuple[str, Law]] = []
    base = prior_of(parts["base"]) if "base" in parts else None
    if base is not None and (base.named or base.matched):
        raise InputError("the base of a prior must be 'uniform', 'jeffreys' or one number.")
    for name, value in parts.items():
        _check_part(name)
        if name == "base":
            continue
        part = RATES.get(name, name)
        if part in clean or part in [RATES.get(of, of) for of, _ in laws]:
            raise InputError(f"the prior on {part} is given twice.")
        if is_law(value):
            if part not in RATES.values():
                raise InputError(
                    f"the prior on {part} must be numbers; distributions are supported for {', '.join(RATES)}."
                )
            law = law_of(value)
            laws.append(("mu" if part == "mu" else name, law))
            spelt.append(f"{name}={law.name}")
            told.append(f"{name} ~ {law.name}")
            continue
        ends = range_of(value) if isinstance(value, str) else None
        if ends is not None:
            if name not in RATES:
                raise InputError(f"ranges are supported for {', '.join(RATES)}, not for {name}.")
            yes, no = beta_between(*ends)
            clean[part] = (yes, no)
            spelt.append(f"{name}={ends[0]:g}..{ends[1]:g}")
            told.append(
                f"{name} between {ends[0]:g} and {ends[1]:g} with probability {1 if ends == (0, 1) else MASS:g}: "
                f"Beta({yes:.3g}, {no:.3g}), equivalent to {yes + no:,.3g} {_SEEN[name]}"
            )
            continue
        clean[part] = _parameters(name, value)
        values = (clean[part],) if isinstance(clean[part], float) else clean[part]
        spelt.append(f"{name}={','.join(f'{number:g}' for number in values)}")
    name = ";".join([*([f"base={base.name}"] if base is not None else []), *spelt])
    named = (*clean, *(RATES.get(of, of) for of, _ in laws))
    about: dict[str, Any] = {"name": name, "named": named, "laws": tuple(laws), "words": "; ".join(told)}
    return Prior(**about, **clean) if base is None else replace(base, **about, **clean)


def _check_part(name: Any) -> None:
    known = (*_PARTS, *RATES, "base")
    if name not in known:
        raise unknown("part of a prior", str(name), known)


def _parameters(name: str, value: Any) -> Any:
    """Read hyper-parameters: one number, or as many as the part has."""
    if isinstance(value, str):
        value = _numbers(name, value)
    try:
        numbers = tuple(float(number) for number in value) if isinstance(value, Iterable) else (float(value),)
    except (TypeError, ValueError):
        raise InputError(f"hyper-parameters of {name} must be numbers, got {shown(value)}.") from None
    if name in RATES and len(numbers) == 2 and numbers[0] < numbers[1] <= 1:
        raise InputError(
            f"did you mean {name} between {numbers[0]:g} and {numbers[1]:g}? Then write "
            f"'{numbers[0]:g}..{numbers[1]:g}'. Beta parameters this small are given as {RATES[name]}."
        )
    if name in RATES and len(numbers) != 2:
        raise InputError(
            f"the prior on {name} must be a range (0.6..0.9) or the two parameters of a Beta, got {shown(value)}."
        )
    if name == "mu":
        numbers = numbers * 2 if len(numbers) == 1 else numbers
        if len(numbers) != 2:
            raise InputError(f"mu needs two hyper-parameters (positive, negative), got {len(numbers)}.")
    if name == "cells" and len(numbers) != 1:
        raise InputError(f"the prior on cells must be one number, shared by TP, FP and FN, got {len(numbers)}.")
    return numbers[0] if len(numbers) == 1 else numbers


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"hyper-parameters of {name} must be numbers, got {shown(text)}.") from None
