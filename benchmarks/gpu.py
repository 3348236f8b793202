"""How many simulated test sets a second a plan judges, by library and device; prints a JSON line and rows of Markdown.

Two worlds are scenarios of two classes. The third is a pilot of 2,000 items with 20 labels, judged in macro-F1 by
weights on items; its test sets are drawn by NumPy, whatever judges them.

It needs NumPy and SciPy, and PyTorch, JAX or CuPy with a GPU: `PYTHONPATH=src python benchmarks/gpu.py`. `--processor`
measures the libraries that find no GPU as well, on the processor; `--sets` is the number of sets per design point.
`--keep FILE` measures nothing: it puts the JSON line of another run into benchmarks/gpu.json, from which
docs/make_pages.py writes the table of docs/planning.md.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from outclass import measures
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.measures import averages
from outclass.models.prior import prior_of
from outclass.parallel import cores
from outclass.planning import backends
from outclass.planning.intervals import Rule
from outclass.planning.many import ManyPilot
from outclass.planning.power import goal_of
from outclass.planning.scenario import Scenario, of_rates
from outclass.planning.study import World, powers

KEPT: Final = Path(__file__).with_name("gpu.json")
SIZES: Final = (1000, 1500, 2000, 2500)
MODELS: Final = ("paired", "unpaired")
WORLDS: Final = {
    "Table 3 (a)": Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    "no false alarms": Scenario(0.5, of_rates(0.99, 0.99, None, "positives"), (0.0, 0.0, 0.0, 1.0)),
}
ROUNDS: Final = 5
ON_ITEMS: Final = "weights on items"
LABELS, ITEMS = 20, 2_000
RULE: Final = Rule(
    measure=measures.get("f1"),
    priors=dict.fromkeys(MODELS, prior_of("uniform")),
    rope=Interval(-0.05, 0.05),
    hdi_mass=0.95,
)
BARE_DRAWS, BARE_VARIATES = 1_000, 10  # of a set, drawn one by one


def device_of(name: str) -> str:
    """Return what computes, in words."""
    library: Any = import_module(name)
    if name == "torch" and library.cuda.is_available():
        return str(library.cuda.get_device_name(0))
    if name == "jax" and library.default_backend() != "cpu":
        return str(library.devices()[0].device_kind)
    if name == "cupy":
        return str(library.cuda.runtime.getDeviceProperties(0)["name"].decode())
    return f"{platform.machine()} processor, {cores()} cores"


def pilot_of(labels: int, items: int) -> ManyPilot:
    """Return a pilot of many labels, on which the first system is right slightly more often."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, labels, items)
    said = [np.where(rng.random(items) < wrong, rng.integers(0, labels, items), truth) for wrong in (0.15, 0.2)]
    patterns, counts = np.unique(np.stack([truth, *said], axis=1), axis=0, return_counts=True)
    names = tuple(f"label {place}" for place in range(labels))
    outcomes = Outcomes(systems=("A", "B"), labels=names, patterns=patterns, counts=counts)
    measure = averages.AVERAGES["macro_f1"]
    return ManyPilot(outcomes=outcomes, measure=measure, rope=Interval(-0.02, 0.02), hdi_mass=0.95)


def rate_of(world: World, name: str, sets: int, rounds: int) -> tuple[float, list[float]]:
    """Return the sets a second, the median of some rounds after one that warms up, and the first probabilities."""
    rule, took, first = replace(RULE, backend=name), [], []
    if isinstance(world, ManyPilot):
        world = replace(world, backend=name)
    for turn in range(rounds + 1):
        start = time.perf_counter()
        found = powers(
            world, SIZES, [goal_of(">>")], MODELS, rule,
            sets=sets, seed=turn, resume=None, progress=None, jobs=cores(),
        )  # fmt: skip
        took.append(time.perf_counter() - start)
        first = first or [each.probability for each in found]
    return sets * len(SIZES) * len(MODELS) / median(took[1:] or took), first


def bare_of(sets: int) -> float | None:
    """Return how many sets' gamma variates alone PyTorch draws a second, one by one; None without it or a GPU."""
    if "torch" not in backends.installed():
        return None
    torch: Any = import_module("torch")
    if not torch.cuda.is_available():
        return None
    shapes = torch.full((sets, BARE_DRAWS, BARE_VARIATES), 250.0, device="cuda")
    took = []
    for _ in range(ROUNDS + 1):
        torch.cuda.synchronize()
        start = time.perf_counter()
        torch._standard_gamma(shapes)
        torch.cuda.synchronize()
        took.append(time.perf_counter() - start)
    return sets / median(took[1:])


def measured(name: str, sets: int, usual: dict[str, list[float]]) -> Iterator[dict[str, Any]]:
    """Measure a library; `usual` holds what NumPy found, which is measured first."""
    for title, world in {**WORLDS, ON_ITEMS: pilot_of(LABELS, ITEMS)}.items():
        many = sets if name != "numpy" else min(sets, 5_000)
        # Posteriors far from normal, and weights on items, take longer.
        rate, _ = rate_of(world, name, max(many // (1 if title == "Table 3 (a)" else 10), 100), ROUNDS)
        _, found = rate_of(world, name, 2_000, 0)
        usual.setdefault(title, found)
        yield {
            "library": name,
            "device": device_of(name),
            "world": title,
            "sets_per_second": round(rate),
            "largest_difference_of_probabilities": float(np.abs(np.subtract(found, usual[title])).max()),
        }


def keep(measured: dict[str, Any]) -> None:
    """Put what was measured in the place of what was known of the same library, device and world."""
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    new = [{"date": measured["date"], **row} for row in measured["rows"] if "error" not in row]
    places = {(row["library"], row["device"], row["world"]): row for row in (*known, *new)}
    KEPT.write_text(json.dumps(list(places.values()), indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=50_000, help="simulated test sets per design point")
    parser.add_argument("--processor", action="store_true", help="libraries without a GPU as well")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="put a run's JSON line into benchmarks/gpu.json")
    asked = parser.parse_args()
    if asked.keep is not None:
        keep(json.loads(asked.keep.read_text(encoding="utf-8").splitlines()[0]))
        return
    rows: list[dict[str, Any]] = []
    usual: dict[str, list[float]] = {}
    for name in backends.installed():
        has_accelerator: Callable[[], bool] = import_module(f"outclass.planning.backends.{name}").has_accelerator
        try:
            if name == "numpy" or asked.processor or has_accelerator():
                rows += measured(name, asked.sets, usual)
        except Exception as error:  # of one library: the others are measured all the same
            rows.append({"library": name, "error": f"{type(error).__name__}: {error}"})
    about = {
        "date": date.today().isoformat(),
        "cores": os.cpu_count(),
        "bare_torch_gamma_sets_per_second": bare_of(10_000),
        "rows": rows,
    }
    print(json.dumps(about))
    for row in (each for each in rows if "error" not in each):
        title = backends.TITLES[row["library"]]
        print(f"| {title} | {row['device']} | {row['world']} | {row['sets_per_second']:,} |")


if __name__ == "__main__":
    main()
