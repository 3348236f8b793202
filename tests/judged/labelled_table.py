"""A table of partly labelled items."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

ROWS = 400


def table(rows: int = ROWS, *, labelled: float = 0.25, seed: int = 0) -> dict[str, list[Any]]:
    """Two systems and a judge on items of which some are labelled."""
    rng = np.random.default_rng(seed)
    truth = rng.random(rows) < 0.4
    said = [np.where(rng.random(rows) < right, truth, ~truth) for right in (0.75, 0.85, 0.9)]
    known = rng.random(rows) < labelled
    word = np.array(["no", "yes"])
    return {
        "gold": [word[int(each)] if there else "" for each, there in zip(truth, known, strict=True)],
        **{name: word[each.astype(int)].tolist() for name, each in zip(("a", "b", "llm"), said, strict=True)},
        "conf": rng.random(rows).round(4).tolist(),
        "p": [0.25] * rows,
        "lang": rng.choice(["de", "en"], rows).tolist(),
    }


def write_csv(columns: dict[str, list[Any]], path: Path) -> Path:
    """Write columns as a file, and return its path."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path
