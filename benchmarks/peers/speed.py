"""How long each rival takes from a fresh process to its answer, and warm: `make bench-peers`.

Rivals take turns, round by round, so that a busy minute hits them all; only the ratios mean anything.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import page
from rivals_of import HERE, RESULTS, Rival, environment, machine, rivals
from worlds import data_sets, folds, one_test_set, search

ROUNDS, SETS = 5, 6
LIMIT = 120  # seconds for a process
SLOW, SLOW_ROUNDS = 10.0, 2  # seconds of a process from which a rival takes part in the first rounds only


def material(folder: Path) -> dict[str, Path]:
    """Write what is asked about, question by question."""
    labels = one_test_set(SETS)
    found = dict.fromkeys(("f1_posterior", "accuracy_test", "resampled_test", "auc_test"), labels)
    found |= {"cross_validation": folds(SETS), "data_sets": data_sets(SETS), "search": search(SETS, folder)}
    paths = {}
    for question, sets in found.items():
        paths[question] = folder / f"{question}.npz"
        np.savez(paths[question], **sets)
    return paths


def timed(rival: Rival, data: Path, out: Path, limit: float) -> dict[str, Any]:
    """Ask one rival in a fresh process."""
    out.unlink(missing_ok=True)
    try:
        python = environment(rival)
        command = [python, HERE / "protocol.py", rival.path, data, out, "--started", time.time()]
        done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"error": f"stopped after {limit:g} s"}
    except RuntimeError as error:
        return {"error": str(error)}
    if not out.exists():
        return {"error": ((done.stderr.strip().splitlines() or ["it died without a word"])[-1])[:120]}
    return json.loads(out.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one process")
    parser.add_argument("--only", nargs="*", help="names of files of rivals, without .py")
    parser.add_argument("--question", help="all rivals of one question; what was measured of the others is kept")
    parser.add_argument("--page", action="store_true", help="only write the page, from the stored results")
    given = parser.parse_args()
    if given.page:
        page.write()
        return
    asked = [rival for rival in rivals() if not given.only or rival.key in given.only]
    asked = [rival for rival in asked if given.question in (None, rival.question)]
    runs: dict[str, dict[str, Any]] = {rival.key: {**rival.declared(), "runs": []} for rival in asked}
    took: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = material(folder)
        # Round 0 makes environments and compiles what is kept on disk; it does not count.
        for turn in range(given.rounds + 1):
            for rival in asked:
                kept = runs[rival.key]
                if "error" in kept or (turn > SLOW_ROUNDS and took[rival.key] > SLOW):
                    continue
                begin = time.perf_counter()
                found = timed(rival, paths[rival.question], folder / "out.json", given.limit)
                took[rival.key] = time.perf_counter() - begin
                if "error" in found:
                    kept["error"] = found["error"]
                else:
                    kept["version"] = found.pop("version")
                    kept["answer"] = found.pop("answer")
                    if turn:
                        kept["runs"].append({key: round(value, 5) for key, value in found.items()})
                print(f"round {turn}: {rival.key} {took[rival.key]:.1f} s {kept.get('error', '')}", flush=True)
    RESULTS.mkdir(exist_ok=True)
    results: dict[str, Any] = {"machine": machine(), "rivals": runs}
    if given.question:
        results = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))
        results["rivals"] |= runs
        results.setdefault("again", {})[given.question] = machine()
    text = json.dumps(results, indent=1)
    (RESULTS / "speed.json").write_text(text + "\n", encoding="utf-8")
    page.write()


if __name__ == "__main__":
    main()
