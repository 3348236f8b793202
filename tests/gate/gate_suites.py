"""Suites that gates are tested on."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

SHARED = Path(__file__).parents[3] / "shared" / "logs"


def gsm8k() -> dict[str, list[Any]]:
    """Right answers of two systems: 6b_verification and 175b_finetuning."""
    with (SHARED / "gsm8k_openai" / "example_model_solutions.jsonl").open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    found: dict[str, list[Any]] = {"id": [f"q{place}" for place in range(len(rows))]}
    for system in ("6b_verification", "175b_finetuning"):
        found[system] = [int(row[system]["is_correct"]) for row in rows]
    return found


def gpqa() -> dict[str, list[Any]]:
    """Five epochs of two systems: a long table."""
    with (SHARED / "gpqa_epochs" / "gpqa_diamond_scores.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in ("item_id", "model_id", "epoch")}
    found["score"] = [float(row["score"]) for row in rows]
    return found


def labels(items: int = 600, right: tuple[float, float] = (0.85, 0.84), seed: int = 1) -> dict[str, list[Any]]:
    """Labels of a baseline and a candidate, with ids."""
    rng = np.random.default_rng(seed)
    gold = rng.random(items) < 0.4
    words = np.array(["no", "yes"])
    found: dict[str, list[Any]] = {"id": [f"item {place}" for place in range(items)], "gold": list(words[gold * 1])}
    for name, share in zip(("old", "new"), right, strict=True):
        found[name] = list(words[np.where(rng.random(items) < share, gold, ~gold) * 1])
    return found


def write(path: Path, table: dict[str, list[Any]], *columns: str) -> str:
    """Write some columns of a table as CSV."""
    names = columns or tuple(table)
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(names)
        out.writerows(zip(*(table[name] for name in names), strict=True))
    return str(path)
