"""Choosing: of all runs of a system those that are meant, and of all metrics those that are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from outclass.data.logs.gathering import Gathered
from outclass.data.logs.run import LogRun, Samples
from outclass.errors import InputError, did_you_mean, quoted
from outclass.findings import Finding, finding

RUNS: Final = ("latest", "all")
REFUSAL: Final = "refusal"
INVALID: Final = "[invalid]"  # what a filter of lm-evaluation-harness leaves of an answer without one
USUAL: Final = {"split": ("test",), "subset": ("default", "en", "eng")}  # taken where none is named
SHOWN: Final = 8  # filters or splits of which a sentence tells the mean
LONGEST_NAME: Final = 60  # letters of one of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a user chose: parts of names in ⟨…⟩ of the library."""

    metric: str | None = None
    scorer: str | None = None
    filter: str | None = None
    split: str | None = None
    runs: str | None = None

    def __post_init__(self) -> None:
        if self.runs is not None and self.runs not in RUNS:
            raise InputError(f"⟨log_runs⟩ must be one of {quoted(RUNS)}, got {quoted([self.runs])}.")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One run for every system and task, for one metric."""

    metric: str
    runs: Mapping[str, Mapping[str, LogRun]]
    lower: bool
    findings: tuple[Finding, ...] = field(default=())


def metrics_of(found: Gathered, choice: Choice) -> list[str]:
    """Return the metrics that are compared: the one that is named, those of a scorer, or the usual ones."""
    runs = [run for _, run in found.all]
    there = dict.fromkeys(name for run in runs for name in run.metrics)
    if any(any(run.samples.refused) for run in runs):
        there[REFUSAL] = None
    if choice.scorer is not None:
        own = [name for name in there if name == choice.scorer or name.startswith(f"{choice.scorer}.")]
        if not own:
            scorers = dict.fromkeys(name.partition(".")[0] for name in there)
            raise InputError(
                f"no log has a scorer {quoted([choice.scorer])} (⟨scorer⟩). {did_you_mean(choice.scorer, scorers)}"
            )
        there = dict.fromkeys(own)
    if choice.metric is not None:
        if choice.metric not in there:
            lists = {name: what for run in runs for name, what in run.unsupported.items()}
            if choice.metric in lists:
                told = f"metric {quoted([choice.metric])} holds {lists[choice.metric]} per sample"
                raise InputError(f"{told}, which is not a number and cannot be averaged (⟨metric⟩).")
            hint = did_you_mean(choice.metric, there)
            raise InputError(f"no log has a metric {quoted([choice.metric])} (⟨metric⟩). {hint}")
        return [choice.metric]
    usual = dict.fromkeys(name for run in runs for name in (run.usual or run.metrics))
    everywhere = [
        name
        for name in usual
        if name in there and all(any(name in run.metrics for run in own) for own in found.runs.values())
    ]
    if not everywhere:
        each = "; ".join(f"{name}: {quoted(_own(own), most=4)}" for name, own in list(found.runs.items())[:4])
        raise InputError(f"the systems have no metric in common (⟨metric⟩): {each}.")
    return everywhere


def _own(runs: Sequence[LogRun]) -> list[str]:
    return list(dict.fromkeys(name for run in runs for name in run.metrics)) or ["none"]


def check_choice(found: Gathered, choice: Choice) -> None:
    """Refuse a metric, scorer, filter or split that no log has."""
    if choice.metric is not None or choice.scorer is not None:
        metrics_of(found, choice)
    for option, name in (("filter", choice.filter), ("split", choice.split)):
        there = dict.fromkeys(run.variant[1] for _, run in found.all if _option(run.variant[0]) == option)
        if name is not None and name not in there:
            raise InputError(f"no log has a {option} {quoted([name])} (⟨{option}⟩). {did_you_mean(name, there)}")


def chosen(found: Gathered, metric: str, choice: Choice) -> Chosen:
    """Choose one run for each system and task."""
    check_choice(found, choice)
    notes: dict[str, Finding] = {}
    runs: dict[str, dict[str, LogRun]] = {}
    for system, own in found.runs.items():
        able = [run for run in own if metric in run.metrics or metric == REFUSAL]
        tasks = dict.fromkeys(run.task for run in able)
        runs[system] = {
            task: _one(system, task, [r for r in able if r.task == task], metric, choice, notes) for task in tasks
        }
    all_runs = [run for own in runs.values() for run in own.values()]
    lower = metric == REFUSAL or any(metric in run.lower for run in all_runs)
    return Chosen(metric, runs, lower, tuple(notes.values()))


def _option(role: str) -> str:
    """Return the option that chooses among filters, or among splits and subsets."""
    return "split" if role in USUAL else role


def _one(
    system: str, task: str, runs: Sequence[LogRun], metric: str, choice: Choice, notes: dict[str, Finding]
) -> LogRun:
    variants = dict.fromkeys(run.variant for run in runs)
    if len(variants) > 1:
        runs = _of_variant(task, runs, metric, choice, notes)
    if len(runs) == 1:
        return runs[0]
    ordered = sorted(runs, key=lambda run: (run.key, run.path))
    if choice.runs is None:
        told = ", ".join(quoted([run.key or run.path]) for run in ordered[:3])
        raise InputError(
            f"there are {len(runs)} runs of {quoted([system])} on {quoted([task])} ({told}): take the last "
            "(⟨log_runs=latest⟩), or each as an epoch (⟨log_runs=all⟩); or name them to compare them, as in NAME=PATH."
        )
    if choice.runs == "latest":
        told = (
            f"of several runs of one system on one task, only the latest is used ({quoted([system])}: "
            f"{ordered[-1].key})."
        )
        notes.setdefault("latest", finding("OC513", told))
        return ordered[-1]
    notes.setdefault("all", finding("OC513", "several runs of one system on one task are used as epochs of its items."))
    return together(ordered)


def _of_variant(
    task: str, runs: Sequence[LogRun], metric: str, choice: Choice, notes: dict[str, Finding]
) -> Sequence[LogRun]:
    """Choose a filter or a split; of filters none is usual, and to pool them would be wrong."""
    role = runs[0].variant[0]
    wanted = choice.filter if role == "filter" else choice.split
    there = list(dict.fromkeys(run.variant[1] for run in runs))
    usual = next((each for each in USUAL.get(role, ()) if each in there), None)
    if wanted is None and usual is not None:
        others = quoted([each for each in there if each != usual], most=4)
        notes.setdefault("split", finding("OC513", f"the {role} '{usual}' is used; there is also {others} (⟨split⟩)."))
        wanted = usual
    if wanted not in there:
        told = "; ".join(_described(run, metric) for run in runs[:SHOWN])
        told += f"; and {len(runs) - SHOWN} more" if len(runs) > SHOWN else ""
        raise InputError(f"{quoted([task])} has several {role}s; choose one (⟨{_option(role)}=…⟩): {told}.")
    return [run for run in runs if run.variant[1] == wanted]


def _described(run: LogRun, metric: str) -> str:
    invalid = sum(answer == INVALID for answer in run.samples.answer)
    name = run.variant[1] if len(run.variant[1]) <= LONGEST_NAME else f"{run.variant[1][:LONGEST_NAME]}…"
    told = f"{name} (mean {metric} {run.mean(metric):.3f}"
    return told + (f", {invalid:,} of {len(run.samples):,} answers {INVALID})" if invalid else ")")


def together(runs: Sequence[LogRun]) -> LogRun:
    """Put several runs of one system on one task together: each is an epoch."""
    samples = Samples()
    for run in runs:
        own, before = run.samples, max(samples.epoch, default=0)
        for at, item in enumerate(own.item):
            samples.add(
                item,
                {name: column[at] for name, column in own.scores.items()},
                epoch=before + own.epoch[at],
                gold=own.gold[at],
                answer=own.answer[at],
                hashes=(own.input_hash[at], own.choices_hash[at], own.target_hash[at], own.prompt_hash[at]),
                error=own.error[at],
                refused=own.refused[at],
                limit=own.limit[at],
                metadata={name: column[at] for name, column in own.metadata.items()},
            )
    facts: dict[str, Any] = {}
    for key in dict.fromkeys(key for run in runs for key in run.fixed):
        facts[key] = ", ".join(dict.fromkeys(run.fixed[key] for run in runs if key in run.fixed))
    notes = tuple(dict.fromkeys(note for run in runs for note in run.findings))
    return replace(runs[-1], samples=samples, fixed=facts, findings=notes)
