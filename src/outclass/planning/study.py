"""A plan: goals and models over numbers of items, on all cores, resumable."""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final

from scipy import special

from outclass.atomic import write_whole
from outclass.errors import FileError, quoted
from outclass.parallel import side_by_side
from outclass.planning.intervals import Rule
from outclass.planning.pilots import ItemPilot
from outclass.planning.power import MOST, Goal, probability, share, smallest
from outclass.planning.scenario import Pilot, Scenario

VERSION: Final = 4  # of the simulation: cells of another are not used
USUAL_LOOKS: Final = 14
PART: Final = 250  # sets simulated together
World = Scenario | Pilot | ItemPilot


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The probability of reaching a goal with so many items, and its simulation error."""

    n: int
    model: str
    goal: str
    probability: float
    error: float
    sets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Smallest:
    """The smallest number of items that reaches a goal with a probability; None if none does.

    `probability` is what a fresh simulation found there, `error` its simulation error, and `n_error` how far off that
    lets n be.
    """

    model: str
    goal: str
    wanted: float
    n: int | None
    probability: float | None = None
    error: float | None = None
    n_error: float | None = None
    most: int = MOST  # items that the search looked at


class Store:
    """Cells that were computed before, in a file of JSON lines; an interrupted plan goes on where it stopped."""

    def __init__(self, path: str | Path | None, about: str) -> None:
        self._path = None if path is None else Path(path)
        self._about = hashlib.sha256(about.encode()).hexdigest()[:16]
        self._lock = Lock()
        self._known: dict[str, float] = {}
        self._lines: list[str] = []
        if self._path is not None and self._path.exists():
            try:
                self._lines = self._path.read_text(encoding="utf-8").split("\n")
                for line in filter(None, self._lines):
                    entry = json.loads(line)
                    if entry["about"] == self._about:
                        value = float(entry["probability"])
                        if not 0 <= value <= 1:
                            raise ValueError(value)
                        self._known[entry["key"]] = value
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                raise FileError(f"{quoted([self._path])} is not a saved plan.") from None

    def get(self, key: str) -> float | None:
        """Return what is known of a cell."""
        return self._known.get(key)

    def put(self, key: str, value: float) -> None:
        """Remember a cell, on disk if there is a file."""
        with self._lock:
            self._known[key] = value
            if self._path is not None:
                self._lines.append(json.dumps({"about": self._about, "key": key, "probability": value}))
                write_whole(self._path, "\n".join(filter(None, self._lines)) + "\n")


def powers(
    world: World,
    sizes: Sequence[int],
    goals: Sequence[Goal],
    models: Sequence[str],
    rule: Rule,
    *,
    sets: int,
    seed: int,
    resume: str | Path | None,
    progress: Callable[[int, int], None] | None,
    jobs: int | None = None,
) -> list[Power]:
    """Simulate every cell, the cells of one size from the same test sets; through joblib, wherever it runs."""
    store = Store(resume, _about(world, rule, sets, seed))
    cells = [(n, model, goal) for n in sizes for goal in goals for model in models]
    found: dict[int, float] = {}
    waiting = []
    for place, (n, model, goal) in enumerate(cells):
        known = store.get(f"{n} {model} {goal.name}")
        if known is None:
            waiting.append(place)
        else:
            found[place] = known

    def one(place: int) -> tuple[int, float]:
        n, model, goal = cells[place]
        return place, _probability(world, n, goal, model, rule, sets, [seed, n])

    for place, value in side_by_side(one, [(place,) for place in waiting], jobs=jobs, threads=True):
        found[place] = value
        n, model, goal = cells[place]
        store.put(f"{n} {model} {goal.name}", value)
        if progress is not None:
            progress(len(found), len(cells))
    return [
        Power(n=n, model=model, goal=goal.name, probability=hits, error=error, sets=sets)
        for place, (n, model, goal) in enumerate(cells)
        for hits, error in [share(found[place], sets)]
    ]


def searched(
    world: World,
    goals: Sequence[Goal],
    models: Sequence[str],
    rule: Rule,
    wanted: float,
    *,
    sets: int,
    seed: int,
    resume: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    jobs: int | None = None,
) -> list[Smallest]:
    """Search for the smallest number of items, for every goal and model."""
    store = Store(resume, _about(world, rule, sets, seed))
    cells = [(model, goal) for goal in goals for model in models]
    parts = [min(PART, sets - start) for start in range(0, sets, PART)]
    found = []
    # A look depends on the one before, so that it is the sets of one look that run side by side, wherever joblib runs.
    for place, (model, goal) in enumerate(cells):
        looks = iter(range(1_000_000))

        def at(
            n: int, again: bool, model: str = model, goal: Goal = goal, place: int = place, looks: Any = looks
        ) -> float:
            if progress is not None:
                # How far a search is shows in its looks, of which it takes about a dozen.
                progress(place * USUAL_LOOKS + min(next(looks), USUAL_LOOKS - 1), USUAL_LOOKS * len(cells))
            key = f"search {n} {int(again)} {model} {goal.name}"
            known = store.get(key)
            if known is None:
                # The models are shown the same sets.
                tasks = [
                    (world, n, goal, model, rule, size, [seed, n, 1 + again, part]) for part, size in enumerate(parts)
                ]
                shares = side_by_side(_probability, tasks, jobs=jobs, threads=True)
                known = sum(share * size for share, size in zip(shares, parts, strict=True)) / sets
                store.put(key, known)
            return known

        most = world.most if isinstance(world, ItemPilot) else MOST
        answer = _smallest(model, goal, wanted, sets, *smallest(at, wanted, sets, most=most)[:2])
        found.append(replace(answer, most=most))
    return found


def _smallest(model: str, goal: Goal, wanted: float, sets: int, n: int | None, reached: float | None) -> Smallest:
    if n is None or reached is None:
        return Smallest(model=model, goal=goal.name, wanted=wanted, n=None)
    error = share(reached, sets)[1]
    # By the normal formula: the probability is that of a normal score which grows with the root of n.
    z = float(special.ndtri(min(max(reached, 0.01), 0.99)))
    slope = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) * max(z + 1.96, 0.5) / 2
    return Smallest(
        model=model, goal=goal.name, wanted=wanted, n=n, probability=reached, error=error, n_error=n * error / slope
    )


def _probability(world: World, n: int, goal: Goal, model: str, rule: Rule, sets: int, seed: list[int]) -> float:
    if isinstance(world, ItemPilot):
        return world.probability(n, goal, model, sets, seed)
    return probability(world, n, goal, model, rule, sets, seed)


def _about(world: Any, rule: Rule, sets: int, seed: int) -> str:
    if isinstance(world, Scenario):
        shown: Any = asdict(world)
    elif isinstance(world, Pilot):
        shown = world.joint.tolist()
    else:
        shown = world.about
    return json.dumps(
        [
            VERSION,
            shown,
            rule.measure.name,
            str(sorted(rule.priors.items())),
            list(rule.rope),
            rule.hdi_mass,
            sets,
            seed,
        ],
        default=str,
    )
