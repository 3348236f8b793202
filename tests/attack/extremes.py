"""Extreme scores and counts, asked in this process: a sentence, or numbers; what is not a number has a finding."""

import itertools
import math
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from judging import wrong_json, wrong_words

SIZES: Final = (1, 2, 3, 12, 40)
TINY: Final = 5e-324
MOST: Final = 1.7976931348623157e308
Values = Callable[[np.random.Generator, int], "np.ndarray[Any, Any]"]


def _scaled(scale: float) -> Values:
    return lambda rng, n: rng.normal(size=n) * scale


def _offset(offset: float, spread: float) -> Values:
    return lambda rng, n: offset + spread * rng.normal(size=n)


def _with(value: float, *, share: float = 0.0) -> Values:
    """Normal numbers, of which the first or a share are something else."""

    def made(rng: np.random.Generator, n: int) -> "np.ndarray[Any, Any]":
        found = rng.normal(size=n)
        found[: max(1, int(share * n))] = value
        return found

    return made


def _of(*values: float) -> Values:
    return lambda rng, n: np.resize(np.array(values), n)


def _unit(rng: np.random.Generator, n: int) -> "np.ndarray[Any, Any]":
    return rng.random(n)


PATTERNS: Final[dict[str, Values]] = {
    **{
        f"scale-1e{power}": _scaled(10.0**power)
        for power in (-300, -200, -150, -100, -30, -10, 0, 10, 30, 100, 150, 155, 200, 300)
    },
    "denormal": lambda rng, n: rng.integers(1, 9, n) * TINY,
    "the-largest": lambda rng, n: rng.choice([-MOST, MOST], n),
    "infinite-once": _with(math.inf),
    "infinite-half": _with(-math.inf, share=0.5),
    "infinite-all": _of(math.inf),
    "nan-once": _with(math.nan),
    "nan-half": _with(math.nan, share=0.5),
    "nan-all": _of(math.nan),
    "zero": _of(0.0),
    "minus-zero": _of(0.0, -0.0),
    "constant-1e300": _of(1e300),
    "constant-tiny": _of(TINY),
    "zero-and-tiny": _of(0.0, TINY),
    "zero-and-1e300": _of(0.0, 1e300),
    "outlier-1e308": _with(1e308),
    "outlier-1e150": _with(1e150),
    "offset-1e8": _offset(1e8, 1e-3),
    "offset-1e15": _offset(1e15, 1.0),
    "offset-1e300": _offset(1e300, 1.0),
    "unit": _unit,
    "unit-ends": lambda rng, n: rng.choice([0.0, 1.0, TINY, 1 - 2**-53], n),
    "unit-nearly-one": lambda rng, n: 1 - rng.random(n) * 1e-15,
    "two-values": _of(0.0, 1.0),
    "whole-2**53": lambda rng, n: rng.integers(2**53 - 9, 2**53 + 9, n).astype(float),
    "all-powers": lambda rng, n: 10.0 ** np.linspace(-300, 300, n),
}
# What the numbers are, beside them.
KINDS: Final[dict[str, Callable[[np.random.Generator, int], dict[str, Any]]]] = {
    "results": lambda rng, n: {},
    "losses": lambda rng, n: {"lower_is_better": True},
    "truth": lambda rng, n: {"truth": np.arange(n) % 2},
    "groups": lambda rng, n: {"group": np.arange(n) // 3},
    "folds": lambda rng, n: {"fold": np.arange(n)},
    "data-sets": lambda rng, n: {"data_set": np.arange(n)},
}
QUESTIONS: Final = ("compare", "evaluate", "rank", "test")
COUNTS: Final = (0, 1, 2, 10**3, 10**6, 10**9, 10**12, 10**15, 10**18, 2**63 - 1, 10**30)
COUNTED: Final = ("outcomes", "wins", "published", "classes")
MEASURES: Final = ("f1", "accuracy", "mcc", "utility:tp=1e200,fp=-1e200", "fbeta:1e8")
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "hdi-mass-near-1": {"hdi_mass": 1 - 1e-10},
    "hdi-mass-tiny": {"hdi_mass": 1e-12},
    "rope-0": {"rope": 0.0},
    "rope-1e300": {"rope": 1e300},
    "rope-tiny": {"rope": 1e-300},
    "rope-one-sided": {"rope": (-0.02, math.inf)},
    "prior-1e300": {"prior": "1e300"},
    "prior-1e-300": {"prior": "1e-300"},
    "draws-1": {"method": "draws", "draws": 1},
    "draws-2": {"method": "draws", "draws": 2},
    "tolerance-1e-300": {"tolerance": 1e-300},
    "tolerance-1e300": {"tolerance": 1e300},
    "rng-2**63": {"rng": 2**63},
}


@cache
def cases() -> tuple[str, ...]:
    """Return the names of all cases: what the numbers look like, what they are, how many, and what is asked."""
    scores = [
        f"scores/{pattern}/{kind}/{size}/{question}"
        for pattern, kind, size, question in itertools.product(PATTERNS, KINDS, SIZES, QUESTIONS)
        if size in (2, 12) or question != "evaluate"  # which looks at one system, of which little depends on the size
    ]
    counts = [
        f"counts/{kind}/{one}/{other}/{question}"
        for kind, one, other, question in itertools.product(COUNTED, COUNTS, COUNTS[1::3], QUESTIONS)
        if kind in ("outcomes", "classes") or question in ("compare", "test")
    ]
    measures = [
        f"measures/{measure}/{count}/{question}"
        for measure, count, question in itertools.product(MEASURES, COUNTS[1:8], QUESTIONS)
    ]
    options = [f"options/{option}/{count}/compare" for option, count in itertools.product(OPTIONS, (1, 40, 10**9))]
    return (*scores, *counts, *measures, *options)


def asked(name: str) -> Any:
    """Ask the question of a case, and return the answer."""
    import outclass as oc

    kind, *rest = name.split("/")
    rng = np.random.default_rng(sum(map(ord, name)))
    question: Any = getattr(oc, rest[-1])
    quick = {"rank": {"draws": 400}, "test": {"draws": 200}}.get(rest[-1], {})
    if kind == "scores":
        pattern, what, size = rest[0], rest[1], int(rest[2])
        columns = {"a": PATTERNS[pattern](rng, size), "b": PATTERNS[pattern](rng, size)}
        beside = KINDS[what](rng, size)
        arrays = {key: each for key, each in beside.items() if isinstance(each, np.ndarray)}
        options = {key: key if key in arrays else each for key, each in beside.items()}
        few = {"draws": 400} if what == "truth" else quick
        return question(oc.scores({**columns, **arrays}, **options), **few)
    if kind == "counts":
        return _counted(rest[0], int(rest[1]), int(rest[2]), question, quick)
    if kind == "measures":
        return question(_table(int(rest[1]), 3), measure=rest[0], **({"positive": 1} | quick))
    return question(_table(int(rest[1]), 3), positive=1, **OPTIONS[rest[0]])


def _table(one: int, other: int) -> Any:
    return _outcomes([[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]], [one, other, one, other, one])


def _outcomes(rows: list[list[Any]], sizes: list[int]) -> Any:
    import outclass as oc

    columns = dict(zip(("gold", "a", "b"), map(list, zip(*rows, strict=True)), strict=True))
    return oc.outcomes({**columns, "n": sizes}, truth="gold", count="n")


def _counted(kind: str, one: int, other: int, question: Any, quick: dict[str, Any]) -> Any:
    if kind == "wins":
        return question(wins=(one, other), items=one + other + 5)
    if kind == "published":
        counts = [{"tp": one, "fp": other, "fn": 3}, {"tp": other, "fp": one, "fn": 3}]
        return question(counts=counts)
    if kind == "classes":
        rows = [[truth, said, other_said] for truth in "xyz" for said in "xyz" for other_said in "xyz"]
        sizes = [one if row[0] == row[1] else other for row in rows]
        return question(_outcomes(rows, sizes), **({"draws": 400} | quick))
    return question(_table(one, other), positive=1, **quick)


def tried(name: str) -> dict[str, Any]:
    """Ask a question, and judge what comes of it."""
    from outclass.errors import OutclassError

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a user would see it and wonder
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            answer = asked(name)
            outcome, text = "answer", str(answer)
            wrong = wrong_json(answer.to_json()) or ("" if text.strip() else "shows nothing")
        except OutclassError as error:
            outcome, wrong = "sentence", wrong_words(str(error))
        except MemoryError:
            outcome, wrong = "failed", f"takes more than 4 GB ({_place(sys.exception())})"
        except Exception as error:
            outcome, wrong = "failed", f"{type(error).__name__}: {str(error)[:80]} ({_place(error)})"
    return {"outcome": "failed" if wrong else outcome, "fault": wrong}


def _place(error: BaseException | None) -> str:
    """Return where in outclass an error was raised."""
    told, trace = "outside", error and error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "outclass" in Path(code.co_filename).parts:
            told = f"{_where(code.co_filename)}:{code.co_name}"
        trace = trace.tb_next
    return told


def _where(file: str) -> str:
    return file.rpartition("outclass/")[2] or Path(file).name
