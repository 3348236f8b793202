"""Tables of runs with known systems, in every form that runs are given in."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

SYSTEMS = {"bert": "bert_s*", "roberta": "roberta_s*"}


def wide(items: int = 300, runs: tuple[int, int] = (4, 3), spread: float = 0.3, seed: int = 1) -> dict[str, list[Any]]:
    """Return one row per item: id, gold, lang, and the label that each run predicts."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 2, items)
    hard = rng.standard_normal(items)
    table: dict[str, list[Any]] = {
        "id": [f"q{at}" for at in range(items)],
        "gold": gold.tolist(),
        "lang": np.where(rng.random(items) < 0.4, "de", "en").tolist(),
    }
    for name, many, quality in (("bert", runs[0], 1.2), ("roberta", runs[1], 1.5)):
        for at in range(many):
            right = quality + rng.normal(0, spread) + hard + 0.7 * rng.standard_normal(items) > 0
            table[f"{name}_s{at + 1}"] = np.where(right, gold, 1 - gold).tolist()
    return table


def names_of(table: dict[str, list[Any]], system: str) -> list[str]:
    """Return the columns of a system's runs."""
    return [name for name in table if name.startswith(f"{system}_s")]


def long(table: dict[str, list[Any]]) -> pd.DataFrame:
    """Return one row per item, system and run."""
    rows = [
        (key, gold, lang, system, name.partition("_s")[2], value)
        for system in SYSTEMS
        for name in names_of(table, system)
        for key, gold, lang, value in zip(table["id"], table["gold"], table["lang"], table[name], strict=True)
    ]
    return pd.DataFrame(rows, columns=["id", "gold", "lang", "system", "seed", "label"])


def files(table: dict[str, list[Any]], folder: Path) -> dict[str, str]:
    """Write one file per run, and return the globs of each system's."""
    for system in SYSTEMS:
        (folder / system).mkdir(parents=True)
        for name in names_of(table, system):
            own = pd.DataFrame({"id": table["id"], "gold": table["gold"], "label": table[name]})
            own.sample(frac=1, random_state=len(name)).to_csv(folder / system / f"{name}.csv", index=False)
    return {system: str(folder / system / "*.csv") for system in SYSTEMS}
