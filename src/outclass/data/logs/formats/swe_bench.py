"""SWE-bench: `leaderboards.json`, with the instances that every entry resolved."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.errors import FileError, InputError, did_you_mean, quoted

NAME: Final = "swe-bench"
TITLE: Final = "leaderboards of SWE-bench"
OPTIONS: Final = ("board",)
LOWER: Final = ("cost", "api_calls")
TOLERANCE: Final = 0.05  # points that the stated share may differ from the instances
DETAILS: Final = "per_instance_details"


def claims(head: Head) -> bool:
    """Look for the list of leaderboards."""
    return not head.packed and head.has("leaderboards")


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the entries of one leaderboard; those without instances, or with others than they state, are left out."""
    with streamed(head.path) as stream:
        boards = [each for path, key, each in stream.walk("leaderboards") if key is not None and isinstance(each, dict)]
    names = [str(each.get("name")) for each in boards]
    if asked.board is None and len(boards) > 1:
        told = f"{quoted([head.path.name])} has {len(boards)} leaderboards; choose one"
        raise InputError(f"{told} (⟨board=NAME⟩): {quoted(names, most=12)}.")
    if asked.board is not None and asked.board not in names:
        raise InputError(f"no leaderboard {quoted([asked.board])} (⟨board⟩). {did_you_mean(asked.board, names)}")
    board = boards[names.index(asked.board)] if asked.board is not None else boards[0] if boards else {}
    runs, without, wrong = [], [], []
    entries = board.get("results")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        name = str(entry.get("name") or entry.get("folder") or "entry")
        details = entry.get(DETAILS)
        if not isinstance(details, dict) or not details:
            without.append(name)
            continue
        samples = _samples(details)
        stated = entry.get("resolved")
        share = 100 * sum(samples.scores["resolved"]) / len(samples)
        if is_score(stated) and not math.isclose(share, number_in(stated), abs_tol=TOLERANCE):
            wrong.append(f"{name} ({share:.1f}%, stated {number_in(stated):.1f}%)")
            continue
        runs.append((name, samples, entry))
    if not runs:
        raise FileError(f"{quoted([head.path.name])} has no entry with results per instance (per_instance_details).")
    notes = tuple(_notes(without, wrong))
    for place, (name, samples, entry) in enumerate(runs):
        yield LogRun(
            system=name,
            task=str(board.get("name") or "swe-bench"),
            harness=NAME,
            path=str(head.path),
            samples=samples,
            key=str(entry.get("folder") or entry.get("date") or ""),
            usual=("resolved",),
            lower=frozenset(LOWER),
            findings=notes if place == 0 else (),
        )


def _samples(details: Mapping[str, Any]) -> Samples:
    samples = Samples()
    for item, own in details.items():
        facts = own if isinstance(own, dict) else {}
        scores = {"resolved": float(bool(facts.get("resolved")))}
        scores |= {name: number_in(facts[name]) for name in LOWER if is_score(facts.get(name))}
        samples.add(item, scores, metadata={"repo": item.rpartition("-")[0] or item})
    return samples


def _notes(without: list[str], wrong: list[str]) -> Iterator[tuple[str, str]]:
    if wrong:
        told = f"{len(wrong)} entries are left out because their instances are not what they state"
        yield "OC503", f"{told}: {quoted(wrong, most=4)}."
    if without:
        yield "OC516", f"{len(without)} entries without results per instance are left out: {quoted(without, most=4)}."
