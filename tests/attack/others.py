"""The attacks of other modules: kills, concurrent updates, limits and scale, each a function that returns a dict.

A dict may hold numbers, which are shown by their names, and:

* `count`: how many cases there were (or `tries`, `kills`, `updates`, `runs`, `cases`);
* `failures`: texts, pairs of a case and its symptom, or a dict of them; each fails the attack;
* `lost`, `doubled`, `damaged`, `failed`, `hung`, `tracebacks`: counts that fail it unless they are zero;
* `busy`: how many were told to try again, at most one in a hundred;
* `slowest` (or `worst_seconds`) and `largest` (or `megabytes`): numbers, or pairs of them with the case.
"""

import inspect
import numbers
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

# Where a function is looked for, and how many cases a full run asks of it.
WHERE: Final = {
    "kills": (("kills",), 1_000),
    "concurrent": (("kills",), 2_000),
    "limits": (("scale_cases",), 60),
    "scale": (("scale_cases",), 30),
}
COUNTS: Final = ("count", "tries", "cases", "runs", "kills", "updates")
FATAL: Final = ("lost", "doubled", "damaged", "failed", "hung", "tracebacks", "wrong")
MOST_BUSY: Final = 0.01

# What is counted, in the words of the page.
SHOWN: Final = {
    "tries": "attempts",
    "kept": "saved before the kill",
    "doubled": "counted twice",
    "busy": "gave up waiting",
    "refused": "rejected as duplicates",
    "files": "files used",
    "litter": "leftover temporary files",
}


@dataclass
class Told:
    """What another attack told, in the words of this one."""

    cases: int = 0
    busy: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    slowest: str = ""
    megabytes: int = 0
    largest: str = ""
    note: str = ""


def called(title: str, *, share: float, seed: str, seconds: float) -> Told:
    """Call the function of a section, with those arguments that it takes; say so if there is none."""
    places, full = WHERE[title]
    function = _found(title, places)
    if function is None:
        return Told(note=f"not run: no tests/attack/{places[0]}.py")
    number = max(1, round(full * share))
    given = {"count": number, "seed": _whole(seed), "seconds": seconds, "share": share, "quick": share < 1}
    try:
        takes = inspect.signature(function).parameters
        return told(function(**{name: value for name, value in given.items() if name in takes}))
    except Exception as error:  # it must not end the others
        return Told(cases=1, failures={"it": f"{type(error).__name__}: {str(error)[:160]}"})


def _whole(seed: str) -> int:
    return int(seed) if seed.isdigit() else sum(map(ord, seed))


def _found(title: str, places: tuple[str, ...]) -> Callable[..., Any] | None:
    for place in places:
        try:
            return getattr(import_module(place), title)  # type: ignore[no-any-return]
        except ModuleNotFoundError as error:
            if error.name != place:
                raise
        except AttributeError:
            continue
    return None


def told(found: dict[str, Any]) -> Told:
    """Read what a function returned."""
    result = Told(busy=int(found.get("busy", 0)))
    result.cases = next((int(found[key]) for key in COUNTS if isinstance(found.get(key), numbers.Real)), 0)
    result.failures = dict(_failures(found.get("failures") or ()))
    listed = bool(result.failures)  # then a count of them says the same once more
    for key in FATAL:
        value = found.get(key) or 0
        if not isinstance(value, numbers.Real):
            result.failures |= dict(_failures(value, key))
        elif value and not listed:
            result.failures[key] = f"{value} {key}"
    if result.cases and result.busy > MOST_BUSY * result.cases:
        result.failures["busy"] = f"{result.busy} of {result.cases} were told to try again"
    result.seconds, result.slowest = _worst(found, "slowest", "worst_seconds")
    megabytes, result.largest = _worst(found, "largest", "megabytes")
    result.megabytes = int(megabytes)
    result.cases = max(result.cases, result.busy + len(result.failures))
    shown = [(key, value) for key, value in found.items() if isinstance(value, int) and key not in ("seed",)]
    result.note = ", ".join(f"{SHOWN.get(key, key)} {value:,}" for key, value in shown)
    return result


def _failures(found: Any, name: str = "case") -> Iterator[tuple[str, str]]:
    if isinstance(found, dict):
        yield from ((str(key), str(value)[:200]) for key, value in found.items())
        return
    for at, each in enumerate(found):
        if isinstance(each, tuple | list) and len(each) == 2:
            yield str(each[0]), str(each[1])[:200]
        else:
            yield f"{name}-{at}", str(each)[:200]


def _worst(found: dict[str, Any], *names: str) -> tuple[float, str]:
    for name in names:
        value = found.get(name)
        if isinstance(value, numbers.Real):
            return float(value), ""
        if isinstance(value, tuple | list) and len(value) == 2:
            number, case = value if isinstance(value[0], numbers.Real) else value[::-1]
            if isinstance(number, numbers.Real):
                return float(number), str(case)
    return 0.0, ""
