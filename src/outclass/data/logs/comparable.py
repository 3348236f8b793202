"""Comparable or not, before any number: the same items, gold answers, graders, filters and versions of the data.

What differs and may be what is compared (prompts, examples, temperature, versions) is told; anything else is an error.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from outclass.data.logs.run import LogRun, Samples
from outclass.errors import InputError, NotComparable, quoted
from outclass.findings import Finding, finding

MOST_CHANGED: Final = 0.05  # of the items in common, which may be left out if they changed
MOST_MISSING: Final = 0.05  # of all items, which are left out without being asked
SHOWN: Final = 3  # ids
PARTS: Final = ("question", "choices", "gold answer")
Key = tuple[str, str]  # a task and an item
Hashes = tuple[str | None, str | None, str | None]
Runs = Mapping[str, LogRun]  # by task


def aligned(runs: Mapping[str, Runs]) -> tuple[dict[str, Runs], list[Finding]]:
    """Take tasks of different names for one, if each system has one task and these are of the same questions."""
    first = next(iter(runs.values()))
    names = list(dict.fromkeys(task for own in runs.values() for task in own))
    if len(names) < 2 or any(len(own) != 1 for own in runs.values()):
        return dict(runs), []
    known = _by_item(next(iter(first.values())).samples)
    for own in runs.values():
        theirs = _by_item(next(iter(own.values())).samples)
        common = known.keys() & theirs.keys()
        if not common or any(_changed(known[item], theirs[item]) or known[item][0] is None for item in common):
            raise NotComparable(
                f"the systems have different tasks, {quoted(names, most=4)}, and these do not have the same questions "
                "under the same ids."
            )
    told = f"the tasks are called differently ({quoted(names, most=4)}) but have the same questions and gold answers."
    return {name: {names[0]: next(iter(own.values()))} for name, own in runs.items()}, [finding("OC509", told)]


def _by_item(samples: Samples) -> dict[str, Hashes]:
    found: dict[str, Hashes] = {}
    hashes = zip(samples.input_hash, samples.choices_hash, samples.target_hash, strict=True)
    for item, own in zip(samples.item, hashes, strict=True):
        found.setdefault(item, own)
    return found


def hashes_of(runs: Runs) -> dict[Key, Hashes]:
    """Return what is known of every item of a system."""
    return {(task, item): own for task, run in runs.items() for item, own in _by_item(run.samples).items()}


def _changed(mine: Hashes, theirs: Hashes) -> list[str]:
    """Return which parts of an item differ, of those that both know."""
    if mine == theirs:
        return []
    return [
        part
        for part, one, other in zip(PARTS, mine, theirs, strict=True)
        if one is not None and other is not None and one != other
    ]


def changed_items(runs: Mapping[str, Runs], *, drop: bool) -> tuple[set[Key], list[Finding]]:
    """Return the items that are not the same in all systems, if few were to be dropped; an error else."""
    (first, mine), *others = ((system, hashes_of(own)) for system, own in runs.items())
    dropped: set[Key] = set()
    for system, theirs in others:
        common = [key for key in mine if key in theirs]
        found = {key: parts for key in common if (parts := _changed(mine[key], theirs[key]))}
        if not found:
            continue
        share = len(found) / len(common)
        if not drop or share > MOST_CHANGED:
            raise _different_items(first, system, found, common, share if drop else None)
        dropped |= found.keys()
    if not dropped:
        return set(), []
    told = (
        f"{len(dropped):,} items whose question or gold answer changed are left out: "
        f"{quoted(_ids(dropped), most=SHOWN)}."
    )
    return dropped, [finding("OC514", told)]


def _different_items(
    first: str, second: str, found: Mapping[Key, Sequence[str]], common: Sequence[Key], share: float | None
) -> NotComparable:
    many = {part: sum(part in parts for parts in found.values()) for part in PARTS}
    told = ", ".join(f"{count:,} {part if part.endswith('s') else f'{part}s'}" for part, count in many.items() if count)
    ids = _ids(islice(found, SHOWN))
    hint = (
        f"Too many changed to leave them out: at most {MOST_CHANGED:.0%}."
        if share is not None
        else f"If at most {MOST_CHANGED:.0%} of the items changed, ⟨drop_changed=True⟩ leaves them out."
    )
    return NotComparable(
        f"{quoted([first])} and {quoted([second])} were not asked the same: {told} differ in {len(common):,} "
        "items of the "
        f"same id, such as {quoted(ids)}. {hint}",
        counts={part: count for part, count in many.items() if count},
        ids=ids,
    )


def _ids(keys: Iterable[Key]) -> tuple[str, ...]:
    return tuple(item for _, item in (sorted(keys) if isinstance(keys, set) else keys))


def check_facts(runs: Mapping[str, Runs], metric: str) -> list[Finding]:
    """Refuse runs that were graded differently, and tell what differs and may."""
    (first, mine), *others = runs.items()
    free: dict[str, list[str]] = {}
    for system, theirs in others:
        for task in mine.keys() & theirs.keys():
            one, other = mine[task], theirs[task]
            for name, a, b in (
                ("harness", one.harness, other.harness),
                (one.variant[0] or other.variant[0], one.variant[1], other.variant[1]),
                *((name, one.fixed[name], other.fixed[name]) for name in one.fixed.keys() & other.fixed.keys()),
            ):
                if a != b and not _of_another_scorer(name, metric):
                    raise NotComparable(
                        f"{quoted([first])} and {quoted([system])} do not have the same {name} on {quoted([task])}: "
                        f"{quoted([a or 'none'])} and {quoted([b or 'none'])}. Their scores are not comparable."
                    )
            for name in one.free.keys() & other.free.keys():
                if one.free[name] != other.free[name]:
                    free.setdefault(name, []).append(f"{quoted([one.free[name]])} and {quoted([other.free[name]])}")
    if not free:
        return []
    told = "; ".join(f"{name} ({values[0]})" for name, values in islice(free.items(), 6))
    more = f" and {len(free) - 6} more" if len(free) > 6 else ""
    return [finding("OC504", f"the systems were not run alike, which may be what is compared: {told}{more}.")]


def _of_another_scorer(fact: str, metric: str) -> bool:
    beginning = "options of scorer "
    return fact.startswith(beginning) and fact.removeprefix(beginning) != metric.partition(".")[0]


def check_missing(
    systems: Sequence[str], only: Mapping[str, Sequence[str]], items: int, missing: str | None
) -> list[Finding]:
    """Tell which items not all systems have; `only` has the ids that each system lacks. An error if they are many."""
    lacking = {name: ids for name, ids in only.items() if ids}
    if not lacking:
        return []
    most = max(map(len, lacking.values()))
    told = "; ".join(
        f"{quoted([name])} lacks {len(ids):,} of {items:,} ({quoted(ids, most=SHOWN)})" for name, ids in lacking.items()
    )
    if missing == "error" or (missing is None and most > MOST_MISSING * items):
        raise NotComparable(
            f"not all systems have the same items: {told}. Compare the items that all have (⟨missing=drop⟩), or count "
            "missing ones as wrong (⟨missing=wrong⟩).",
            counts={name: len(ids) for name, ids in lacking.items()},
            ids=tuple(next(iter(lacking.values()))[:SHOWN]),
        )
    how = "counted as wrong" if missing == "wrong" else "left out"
    return [finding("OC501", f"items that not all systems have are {how}: {told}.")]


def check_policy(missing: str | None, *, lower: bool = False) -> None:
    """Refuse an unknown way to treat items that a system lacks."""
    if missing not in (None, "error", "drop", "wrong"):
        raise InputError(f"⟨missing⟩ must be one of 'error', 'drop', 'wrong', got {quoted([missing])}.")
    if missing == "wrong" and lower:
        raise InputError("a missing number cannot count as 0, which is not the worst: use ⟨missing=drop⟩.")
