"""SWE-bench: `leaderboards.json`, with the instances that every entry resolved; and the files of one system.

These are the harness's report (`<model>.<run>.json`, with `resolved_ids`), and of the published experiments
`results/results.json` (`resolved`, without the failures) and `per_instance_details.json`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, digest, streamed, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, list_in, mapping_in, number_in
from outclass.errors import FileError, InputError, did_you_mean, quoted

NAME: Final = "swe-bench"
TITLE: Final = "a result of SWE-bench"
OPTIONS: Final = ("board",)
LOWER: Final = ("cost", "api_calls")
TOLERANCE: Final = 0.05  # points that the stated share may differ from the instances
DETAILS: Final = "per_instance_details"
TASK: Final = "swe-bench"  # of a file that does not say which split it is of
RUN: Final = ("resolved_ids", "unresolved_ids", "error_ids", "empty_patch_ids", "completed_ids")
OUTCOMES: Final = ("no_generation", "no_logs", "generated")  # beside what was resolved, in a published result
SIZES: Final = {"verified": 500, "lite": 300, "test": 2294}  # instances of the splits
GENERIC: Final = ("report", "results", "output.report", DETAILS)  # names of files that do not name the system


def claims(head: Head) -> bool:
    """Look for the list of leaderboards, or for lists of instances."""
    if head.packed or head.listed or not isinstance(head.first, dict):
        return False
    resolved = isinstance(head.first.get("resolved"), list) and any(name in head.first for name in OUTCOMES)
    report = head.has("resolved_ids") and any(name in head.first for name in RUN[1:])
    return head.has("leaderboards") or resolved or report or head.name == f"{DETAILS}.json"


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the entries of a leaderboard, or the one system of another file."""
    if head.has("leaderboards"):
        yield from _leaderboard(head, asked)
        return
    found = mapping_in(whole_json(head.path))
    if "resolved_ids" in found:
        samples, lists_all = _reported(found, head.path), True
    elif isinstance(found.get("resolved"), list):
        samples, lists_all = _published(found), "generated" in found
    else:
        samples, lists_all = _samples(found), True
    if not len(samples):
        raise FileError(f"{quoted([head.path.name])} lists no instances of SWE-bench.")
    system, key = _named(head.path)
    yield LogRun(
        system=system,
        task=_split(head.path),
        harness=NAME,
        path=str(head.path),
        samples=samples,
        key=key,
        usual=("resolved",),
        lower=frozenset(LOWER),
        lists_all=lists_all,
    )


def completed(runs: Sequence[LogRun]) -> list[LogRun]:
    """Add to systems that list only what they resolved the instances that others name: these are failures."""
    splits = {run.task for run in runs} - {TASK}
    found = []
    for run in runs:
        if run.lists_all:
            found.append(run)
            continue
        others = [each for each in runs if each is not run and (len(splits) < 2 or each.task == run.task)]
        if not others:
            raise FileError(
                f"{quoted([Path(run.path).name])} of {quoted([run.system])} lists only the instances that were "
                "resolved, not those that failed: read it together with the log of another system, or use the "
                "harness's report (resolved_ids, unresolved_ids)."
            )
        own = set(run.samples.item)
        unlisted = sorted({item for each in others for item in each.samples.item} - own)
        for item in unlisted:
            _add(run.samples, item, {"resolved": 0.0})
        size = SIZES.get(run.task.removeprefix(f"{TASK} "))
        whole = f"{len(run.samples):,}{f' of {size:,}' if size else ''}"
        told = (
            f"shares are of the {whole} instances that these logs name, since {run.system} lists no failures: "
            f"{len(unlisted):,} instances that only others name count as its failures. Those that no log names are "
            "missing, so shares and differences may be too large; which system resolves more is not affected"
        )
        found.append(replace(run, findings=(*run.findings, ("OC517", f"{told}."))))
    return found


def _reported(found: Mapping[str, Any], path: Path) -> Samples:
    """Read the harness's report: all instances that ran are listed, each under what became of it.

    Those of `error_ids` are failures, as the harness counts them: most are patches that could not be applied. Since
    2026 `infra_failure_ids` tells of which of them it was the machine.
    """
    lists = {name: _ids(found.get(name)) for name in RUN}
    resolved = set(lists["resolved_ids"])
    stated = found.get("resolved_instances")
    twice = resolved & {item for name in RUN[1:4] for item in lists[name]}
    if twice or (isinstance(stated, int) and stated != len(resolved)):
        told = f"resolved and not, such as {quoted([min(twice)])}" if twice else f"{len(resolved):,} resolved"
        why = "" if twice else f" and states {stated:,}"
        raise FileError(f"{quoted([path.name])} lists instances as {told}{why}: its report is broken.")
    infra = set(_ids(found.get("infra_failure_ids"))) - resolved
    samples = Samples()
    for item in sorted({item for own in lists.values() for item in own}):
        error = "infrastructure failure" if item in infra else None
        _add(samples, item, {"resolved": float(item in resolved)}, error)
    return samples


def _published(found: Mapping[str, Any]) -> Samples:
    """Read a published result, whose other lists say why there was nothing to resolve."""
    samples, resolved = Samples(), set(_ids(found["resolved"]))
    named = {each for own in found.values() for each in _ids(own)}
    for item in sorted(named):
        _add(samples, item, {"resolved": float(item in resolved)})
    return samples


def _ids(found: Any) -> list[str]:
    return [each for each in list_in(found) if isinstance(each, str) and each]


def _named(path: Path) -> tuple[str, str]:
    """Return the system and the run: of `<model>.<run>.json`, else the folder's name."""
    stem = path.name.removesuffix(".gz").removesuffix(".json")
    if stem in GENERIC:
        folder = path.absolute().parent
        return (folder.parent if folder.name == "results" else folder).name or "system", ""
    model, _, run = stem.rpartition(".")
    return (model or run).replace("__", "/"), run if model else ""


def _split(path: Path) -> str:
    """Return the split, which the published experiments have as a folder: evaluation/<split>/<system>/.

    The folder bash-only has the instances of verified.
    """
    parts = path.absolute().parts
    places = [at for at, part in enumerate(parts[:-3]) if part == "evaluation"]
    split = parts[places[-1] + 1] if places else ""
    return f"{TASK} {'verified' if split == 'bash-only' else split}".rstrip()


def _leaderboard(head: Head, asked: Asked) -> Iterator[LogRun]:
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
        _add(samples, item, scores)
    return samples


def _add(samples: Samples, item: str, scores: Mapping[str, float], error: str | None = None) -> None:
    """Add an instance, which its id alone tells from all others: it is a digest of the question, too."""
    hashes = (digest(item), None, None, None)
    samples.add(item, scores, hashes=hashes, error=error, metadata={"repo": item.rpartition("-")[0] or item})


def _notes(without: list[str], wrong: list[str]) -> Iterator[tuple[str, str]]:
    if wrong:
        told = f"{len(wrong)} entries are left out because their instances are not what they state"
        yield "OC503", f"{told}: {quoted(wrong, most=4)}."
    if without:
        yield "OC516", f"{len(without)} entries without results per instance are left out: {quoted(without, most=4)}."
