"""Evaluation logs against bare JSON: comparing two logs of 12,000 items, a gate of five checks on them, and a gigabyte.

`python benchmarks/logs.py` prints both; `--gigabyte` writes and reads the large one.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ITEMS, ROUNDS, CHECKS = 12_032, 5, 5
LETTERS = 6_000  # of a prompt: five examples with their reasoning
LINE = 'Question: what is "the answer"?\nOptions: A. \u03b1 \u2192 \u03b2, B. none\n'
LARGE_ITEMS, LARGE_LETTERS = 120_000, 9_000
TIME = "2026-01-02T03-04-05.678"
CACHED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
BARE = (
    "import json, sys\nfor path in sys.argv[1:]:\n    for line in open(path, encoding='utf-8'):\n        "
    "json.loads(line)"
)


def write(folder: Path, model: str, items: int, letters: int, shift: int) -> Path:
    """Write a log of lm-evaluation-harness."""
    folder.mkdir(parents=True)
    path = folder / f"samples_mmlu_pro_{TIME}.jsonl"
    prompt, said = LINE * (letters // len(LINE)), 'Let us "think" step by step.\n' * 40
    with path.open("w", encoding="utf-8") as stream:
        for at in range(items):
            right = float((at * 7919 + shift * (at % 13 == 0)) % 10 < 6)
            record = {"doc_id": at, "doc": {"question": f"question {at}", "category": f"c{at % 14}"}, "target": "A"}
            record |= {"arguments": {"gen_args_0": {"arg_0": f"{prompt}{at}"}}, "resps": [[f"{said}{at}"]]}
            record |= {"filtered_resps": ["A"], "filter": "custom-extract", "metrics": ["exact_match"]}
            record |= {"doc_hash": f"d{at}", "prompt_hash": f"p{at}", "target_hash": f"t{at}", "exact_match": right}
            stream.write(json.dumps(record) + "\n")
    results = {"results": {"mmlu_pro": {}}, "model_name": model, "n-samples": {"mmlu_pro": {"effective": items}}}
    (folder / f"results_{TIME}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def seconds(command: list[str]) -> float:
    """Return the processor time of a command in a process of its own: the machine may be busy."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=CACHED)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabyte", action="store_true", help="also a log of a gigabyte")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [write(folder / model, model, ITEMS, LETTERS, at) for at, model in enumerate(("old", "new"))]
        size = sum(path.stat().st_size for path in paths) / 1e6
        bare = [sys.executable, "-c", BARE, *map(str, paths)]
        config = folder / "outclass.toml"
        margins = "".join(f'[[gate.check]]\nname = "{at}"\nmargin = 0.0{at}\n' for at in range(1, 1 + CHECKS))
        config.write_text(f"[gate]\n{margins}", encoding="utf-8")
        folders = [str(path.parent) for path in paths]
        asked = {
            "compare two logs": ["compare", *folders],
            f"gate with {CHECKS} checks": ["gate", *folders, "--config", str(config), "--undecided", "pass"],
        }
        for what, command in asked.items():
            ours = [sys.executable, "-m", "outclass", *command]
            times = [(seconds(bare), seconds(ours)) for _ in range(ROUNDS)]
            one, other = (median(each) for each in zip(*times, strict=True))
            told = f"{what} of {ITEMS:,} items ({size:.0f} MB): {other:.2f} s"
            print(f"{told}; bare JSON {one:.2f} s; ratio {other / one:.2f}")
    if given.gigabyte:
        with tempfile.TemporaryDirectory() as name:
            path = write(Path(name) / "large", "large", LARGE_ITEMS, LARGE_LETTERS, 0)
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "outclass", "logs", str(path.parent)], check=True, capture_output=True
            )
            spent, most = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(f"a log of {path.stat().st_size / 1e9:.2f} GB: {spent:.0f} s, {most:.0f} MB of memory")


if __name__ == "__main__":
    main()
