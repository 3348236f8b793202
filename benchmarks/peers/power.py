"""False alarms and power of every method that compares two systems on one test set: `make bench-power`.

The same simulated sets go to all. A run gives each method the same seconds, and may be gone on with for some of them
(`--resume --only`); what is slow sees fewer sets, or only the core cells, and the tables say how many.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import page
from rivals_of import HERE, RESULTS, Rival, environment, machine, rivals
from worlds import World, study, worlds

ASKED = "f1_posterior", "accuracy_test", "resampled_test"
SETS, SECONDS = 400, 200
QUICK_CELLS, QUICK_SETS = 2, 5
GRACE = 120  # a process that is this many seconds late hangs in one answer


def answered(rival: Rival, data: Path, folder: Path, seconds: float, core: list[str], old: dict[str, Any]) -> dict:
    """Let one method answer what it can, in a process of its own."""
    found = rival.declared()
    if rival.left_out:
        return {**found, "left_out": rival.left_out}
    out = folder / f"{rival.key}.json"
    if old.get("alarms"):
        out.write_text(json.dumps({name: old[name] for name in ("alarms", "errors")}), encoding="utf-8")
    try:
        python = environment(rival)
        command = [python, HERE / "protocol.py", rival.path, data, out, "--all", "--core", ",".join(core)]
        done = subprocess.run(
            [*map(str, command), "--seconds", str(seconds)],
            check=False, capture_output=True, text=True, timeout=seconds + GRACE,
        )  # fmt: skip
        if done.returncode:
            found["failed"] = ((done.stderr.strip().splitlines() or ["no words"])[-1])[:120]
    except subprocess.TimeoutExpired:
        found["failed"] = f"stopped after {seconds + GRACE:.0f} s"
    except RuntimeError as error:
        found["failed"] = str(error)
    if out.exists():
        found |= json.loads(out.read_text(encoding="utf-8"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=SETS, help="at most, for each cell")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each method")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", nargs="*", help="names of files of rivals, without .py")
    parser.add_argument("--resume", action="store_true", help="go on from the stored results")
    parser.add_argument("--quick", action="store_true", help="ours only, two cells, five sets; stores nothing")
    parser.add_argument("--page", action="store_true", help="only write the page, from the stored results")
    given = parser.parse_args()
    if given.page:
        page.write()
        return
    chosen: list[World] = list(worlds())
    known = rivals()
    asked = [rival for rival in known if rival.question in ASKED and (not given.only or rival.key in given.only)]
    stored = RESULTS / "power.json"
    results: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    if given.quick:
        chosen = [world for world in chosen if world.core and world.items == min(w.items for w in chosen if w.core)]
        chosen = [world for world in chosen if world.correlation == "weak"][:QUICK_CELLS]
        asked, given.sets = [rival for rival in asked if rival.ours], QUICK_SETS
        results = {}
    methods = dict(results.get("methods", {}))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.savez(folder / "sets.npz", **study(given.sets, chosen))
        core = [world.name for world in chosen if world.core]

        def run(rival: Rival) -> None:
            old = methods.get(rival.key, {}) if given.resume else {}
            methods[rival.key] = answered(rival, folder / "sets.npz", folder, given.seconds, core, old)
            sets = sum(map(len, methods[rival.key].get("alarms", {}).values()))
            print(f"{rival.key}: {sets} sets {methods[rival.key].get('failed', '')}", flush=True)
            if not given.quick:
                ordered = {each.key: methods[each.key] for each in known if each.key in methods}
                about = {"machine": machine(), "sets": given.sets, "seconds": given.seconds}
                RESULTS.mkdir(exist_ok=True)
                stored.write_text(json.dumps({**about, "methods": ordered}, indent=1) + "\n", encoding="utf-8")

        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(run, asked))
    if given.quick:
        json.dump(methods, sys.stdout, indent=1)
    else:
        page.write()


if __name__ == "__main__":
    main()
