"""Gathering: all runs in some paths, and the systems that they are of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outclass.data.logs.files import check_pointer
from outclass.data.logs.formats import Asked, check_options, formats
from outclass.data.logs.places import Place, logs_in
from outclass.data.logs.run import LogRun
from outclass.errors import InputError, OutclassError, quoted


@dataclass(frozen=True, slots=True)
class Rejected:
    """A log that could not be used, and why."""

    path: str
    error: OutclassError


@dataclass(frozen=True, slots=True)
class Gathered:
    """The runs of each system, in the order in which their paths were given."""

    runs: Mapping[str, tuple[LogRun, ...]]
    rejected: tuple[Rejected, ...] = ()

    def check(self) -> None:
        """Raise the error of a log that could not be used."""
        for each in self.rejected:
            raise each.error

    @property
    def all(self) -> list[tuple[str, LogRun]]:
        """All runs with the names of their systems."""
        return [(system, run) for system, runs in self.runs.items() for run in runs]


def gathered(places: Sequence[Place], source: str | None = None, asked: Asked | None = None) -> Gathered:
    """Read all logs; those that cannot be read are set aside."""
    found: list[tuple[int, LogRun]] = []
    rejected: list[Rejected] = []
    listed = logs_in(places, source)
    check_options(asked or Asked(), [each for _, _, each in listed if each is not None])
    for number, head, each in listed:
        try:
            if each is None:
                check_pointer(head.path)
                continue
            found += [(number, run) for run in each.read(head, asked or Asked())]
        except OutclassError as error:
            rejected.append(Rejected(str(head.path), error))
    if not found and rejected:
        raise rejected[0].error
    return Gathered(_by_system(_completed(found), places), tuple(rejected))


def _completed(found: Sequence[tuple[int, LogRun]]) -> list[tuple[int, LogRun]]:
    """Complete the runs of formats of which a log is whole only together with others."""
    whole = list(found)
    for name, each in formats().items():
        if hasattr(each, "completed"):
            own = [at for at, (_, run) in enumerate(whole) if run.harness == name]
            for at, run in zip(own, each.completed([whole[at][1] for at in own]), strict=True):
                whole[at] = (whole[at][0], run)
    return whole


def _by_system(found: Sequence[tuple[int, LogRun]], places: Sequence[Place]) -> dict[str, tuple[LogRun, ...]]:
    """Name the systems: as a user did, else by their models, else by the paths of one model."""
    where: dict[str, dict[int, None]] = {}
    models: dict[int, dict[str, None]] = {}
    for number, run in found:
        where.setdefault(run.system, {})[number] = None
        models.setdefault(number, {})[run.system] = None
    stems = [place.stem for place in places]
    systems: dict[str, list[LogRun]] = {}
    meant: dict[str, tuple[str, int]] = {}
    for number, run in found:
        place = places[number]
        if place.name is not None:
            if len(models[number]) > 1:
                raise InputError(
                    f"{quoted([place.path])} was named {quoted([place.name])} but holds {len(models[number])} systems: "
                    f"{quoted(models[number])}. Name a file or folder of each."
                )
            name, key = place.name, (place.name, -1)
        elif len(where[run.system]) == 1:
            name, key = run.system, (run.system, number)
        else:
            own = place.stem if stems.count(place.stem) == 1 else str(place.path)
            name = own if len(models[number]) == 1 else f"{own}: {run.system}"
            key = (run.system, number)
        if meant.setdefault(name, key) != key:
            raise InputError(f"two systems have the same name, {quoted([name])}: name them, as in NAME=PATH.")
        systems.setdefault(name, []).append(run)
    return {name: tuple(runs) for name, runs in systems.items()}


def baseline_last(systems: Sequence[str], places: Sequence[Place]) -> list[str]:
    """Put a candidate before the baseline where they are called so: the difference is candidate - baseline."""
    named = {place.name for place in places}
    if len(systems) == 2 and named == set(systems):
        base = [name for name in systems if name.lower() in ("base", "baseline")]
        if len(base) == 1 and {"cand", "candidate"} & {name.lower() for name in systems}:
            return [name for name in systems if name not in base] + base
    return list(systems)


def told_of(found: Gathered) -> list[dict[str, Any]]:
    """Return a line for each run: what it is of, and what there is in it."""
    return [
        {
            "system": system,
            "model": run.system,
            "task": run.task,
            "harness": run.harness,
            "run": run.key,
            "path": run.path,
            **({run.variant[0]: run.variant[1]} if run.variant[0] else {}),
            "items": run.items,
            "samples": len(run.samples),
            "epochs": max(run.samples.epoch, default=0),
            "metrics": list(run.metrics),
            "errors": sum(error is not None for error in run.samples.error),
            "refusals": sum(run.samples.refused),
            "limits": sum(limit is not None for limit in run.samples.limit),
        }
        for system, run in found.all
    ]
