"""A plan: goals and models over numbers of items, on all cores, resumable."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.errors import FileError, quoted
from outclass.planning.many import ManyPilot
from outclass.planning.power import Goal, Rule, probability, share, smallest
from outclass.planning.scenario import Pilot, Scenario

USUAL_LOOKS: Final = 14
PART: Final = 250  # sets simulated together
World = Scenario | Pilot | ManyPilot


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
    """The smallest number of items that reaches a goal with a probability; None if none does."""

    model: str
    goal: str
    wanted: float
    n: int | None


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
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise FileError(f"{quoted([self._path])} is not a plan to resume: {type(error).__name__}.") from None

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

    from joblib import Parallel, delayed  # loaded for simulation alone

    # Threads by default, since NumPy lets them run side by side; a registered back end (Dask, Ray, Spark) takes over.
    tasks = [delayed(one)(place) for place in waiting]
    try:
        results = Parallel(n_jobs=jobs or -1, prefer="threads", return_as="generator_unordered")(tasks)
    except ValueError:
        # Some back ends give their answers back all at once.
        results = Parallel(n_jobs=jobs or -1, prefer="threads")(tasks)
    for place, value in results:
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
) -> list[Smallest]:
    """Search for the smallest number of items, for every goal and model."""
    from joblib import Parallel, delayed  # loaded for simulation alone

    store = Store(resume, _about(world, rule, sets, seed))
    cells = [(model, goal) for goal in goals for model in models]
    parts = [min(PART, sets - start) for start in range(0, sets, PART)]
    found = []
    # A look depends on the one before, so that it is the sets of one look that run side by side, wherever joblib runs.
    with Parallel(n_jobs=-1, prefer="threads") as side_by_side:
        for place, (model, goal) in enumerate(cells):
            calls = iter(range(1_000_000))

            def at(n: int, model: str = model, goal: Goal = goal, place: int = place, calls: Any = calls) -> float:
                call = next(calls)
                if progress is not None:
                    # How far a search is shows in its looks, of which it takes about a dozen.
                    progress(place * USUAL_LOOKS + min(call, USUAL_LOOKS - 1), USUAL_LOOKS * len(cells))
                key = f"search {n} {call} {model} {goal.name}"
                known = store.get(key)
                if known is None:
                    tasks = (
                        delayed(_probability)(world, n, goal, model, rule, size, [seed, n, call, part])
                        for part, size in enumerate(parts)
                    )
                    shares = side_by_side(tasks)
                    known = sum(share * size for share, size in zip(shares, parts, strict=True)) / sets
                    store.put(key, known)
                return known

            found.append(Smallest(model=model, goal=goal.name, wanted=wanted, n=smallest(at, wanted, sets)[0]))
    return found


def _probability(world: World, n: int, goal: Goal, model: str, rule: Rule, sets: int, seed: list[int]) -> float:
    if isinstance(world, ManyPilot):
        return world.probability(n, goal, model, sets, seed)
    return probability(world, n, goal, model, rule, sets, seed)


def _about(world: Any, rule: Rule, sets: int, seed: int) -> str:
    if isinstance(world, Scenario):
        shown: Any = asdict(world)
    elif isinstance(world, Pilot):
        shown = world.joint.tolist()
    else:
        shown = [world.outcomes.to_json(), world.measure.name]
    return json.dumps(
        [shown, rule.measure.name, str(sorted(rule.priors.items())), list(rule.rope), rule.hdi_mass, sets, seed],
        default=str,
    )
