"""Run one rival in its own process: `python protocol.py RIVAL.py DATA.npz OUT.json`.

It needs the standard library, NumPy and the rival. Arrays of the data have the test sets as their first axis.

Without options, the first set is the first answer, import included; the others are asked one by one for the warm
time, each of them new to the rival, so that nobody gains by remembering. With `--all` the names of the arrays are
CELL/NAME, every set of every cell is answered, and OUT.json, which grows, says for each whether there was an alarm.
"""

import argparse
import contextlib
import importlib.metadata
import importlib.util
import io
import json
import os
import re
import resource
import sys
import time
import warnings
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import numpy as np

WARM_SECONDS = 3.0  # no further warm calls after that
SAVE_SECONDS = 5.0
FEW_SETS = 25  # who cannot answer that many sets in every cell answers the core cells only
SEED = 20_260


def load(path: Path) -> ModuleType:
    """Import the file of a rival."""
    spec = importlib.util.spec_from_file_location("rival", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asked(rival: ModuleType, data: dict[str, Any], seed: int) -> dict[str, Any]:
    """Get one answer in plain numbers; what the rival prints is not shown, as writing to a terminal takes time."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        found = rival.answer(data, seed)
    return {name: bool(value) if name == "alarm" else float(value) for name, value in found.items()}


def in_words(error: BaseException) -> str:
    """Name an error in one short line, without any paths."""
    text = re.sub(r"(/[\w.~-]+)+/", "", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text}"[:160]


def once(path: Path, sets: dict[str, np.ndarray], started: float) -> dict[str, Any]:
    """Answer the first set from nothing, then the others warm."""
    number = len(next(iter(sets.values())))
    each = [{name: values[place] for name, values in sets.items()} for place in range(number)]
    begin = time.perf_counter()
    rival = load(path)
    imported = time.perf_counter()
    answer = asked(rival, each[0], SEED)
    first = time.perf_counter() - begin
    whole = time.time() - started
    seconds: list[float] = []
    for place, data in enumerate(each[1:], start=1):
        begin_warm = time.perf_counter()
        asked(rival, data, SEED + place)
        seconds.append(time.perf_counter() - begin_warm)
        if sum(seconds) > WARM_SECONDS:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "version": version(rival),
        "whole": whole,
        "first": first,
        "import": imported - begin,
        "warm": median(seconds),
        "megabytes": peak / (1024**2 if sys.platform == "darwin" else 1024),
        "answer": answer,
    }


def version(rival: ModuleType) -> str:
    """Look up the version of the first requirement."""
    return importlib.metadata.version(re.split(r"[^\w.-]", rival.REQUIRES[0])[0])


def every(path: Path, sets: dict[str, np.ndarray], core: list[str], out: Path, seconds: float) -> None:
    """Answer every set of every cell within the seconds, from where the file ends.

    One character a set: 1 an alarm, 0 none, e an error. Time is shared evenly among the cells that are not done.
    """
    done = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    cells = list(dict.fromkeys(name.split("/")[0] for name in sets))
    alarms: dict[str, str] = {cell: done.get("alarms", {}).get(cell, "") for cell in cells}
    errors: dict[str, int] = done.get("errors", {})
    end = time.perf_counter() + seconds
    rival = load(path)
    saved = time.perf_counter()

    def left(cell: str) -> int:
        return len(sets[f"{cell}/truth"]) - len(alarms[cell])

    def save() -> None:
        parts = {"version": version(rival), "alarms": alarms, "errors": errors}
        whole = out.with_suffix(".part")
        whole.write_text(json.dumps(parts, indent=1), encoding="utf-8")
        os.replace(whole, out)

    def answer(cell: str) -> None:
        nonlocal saved
        place = len(alarms[cell])
        data = {name: sets[f"{cell}/{name}"][place] for name in ("truth", "a", "b")}
        try:
            alarms[cell] += str(int(asked(rival, data, SEED + place)["alarm"]))
        except Exception as error:  # whatever a rival may raise is its answer
            alarms[cell] += "e"
            errors[in_words(error)] = errors.get(in_words(error), 0) + 1
        if time.perf_counter() - saved > SAVE_SECONDS:
            save()
            saved = time.perf_counter()

    # One set of every core cell says what all would cost.
    begin = time.perf_counter()
    open_cells = [cell for cell in cells if left(cell)]
    probed = [cell for cell in open_cells if cell in core]
    for cell in probed:
        answer(cell)
    spent = time.perf_counter() - begin
    if probed and spent / len(probed) * len(cells) * min(FEW_SETS, max(map(left, open_cells))) > seconds:
        open_cells = probed
    open_cells = [cell for cell in open_cells if left(cell)]
    while open_cells and (rest := end - time.perf_counter()) > 0:
        for cell in open_cells:
            until = time.perf_counter() + rest / len(open_cells)
            while left(cell) and time.perf_counter() < until:
                answer(cell)
        open_cells = [cell for cell in open_cells if left(cell)]
    save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rival", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--started", type=float, help="when the process was started, in seconds of time.time()")
    parser.add_argument("--all", action="store_true", help="answer every set of every cell")
    parser.add_argument("--core", default="", help="the cells that slow rivals are held to, with commas")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    given = parser.parse_args()
    started = time.time() if given.started is None else given.started
    warnings.simplefilter("ignore")
    with np.load(given.data) as file:
        sets = {name: file[name] for name in file.files}
    if given.all:
        every(given.rival, sets, given.core.split(","), given.out, given.seconds)
        return
    try:
        found = once(given.rival, sets, started)
    except Exception as error:  # whatever a rival may raise is its answer
        found = {"error": in_words(error)}
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
