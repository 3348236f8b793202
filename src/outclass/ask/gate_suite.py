"""What a gate reads: a baseline and a candidate, from whatever holds them, as data that `compare` takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from outclass.ask.columns import LabelSets, Population
from outclass.ask.gate_checks import READING, CheckSpec
from outclass.ask.gate_items import ACCURACY, ItemPairs, joined_sides, pairs_of, side_of
from outclass.ask.question import Computation
from outclass.ask.read import given_columns, logs_in, read
from outclass.ask.repeats import THESE
from outclass.ask.sliced import is_sliced
from outclass.ask.used import unused
from outclass.data.baseline import Baseline, is_baseline, read_baseline
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, did_you_mean, quoted
from outclass.measures.results import OF_RESULTS
from outclass.rows.gate import GateSide

BASES: Final = ("base", "baseline", "main", "old")
_OTHERS: Final = (*LabelSets.__annotations__, *Population.__annotations__, *Computation.__annotations__)


@dataclass(frozen=True, kw_only=True, eq=False)
class Read:
    """Data of one check, with what is left to ask of them.

    Parameters
    ----------
    data, given
        What `compare` takes: data that were read, or where they are and what their columns mean.
    base, cand
        The names of the two systems.
    pairs
        Both sides item by item; None where items cannot be told apart.
    errors
        The share of samples that failed.
    sliced
        Whether the data are read again by slices.
    """

    data: Any
    given: Mapping[str, Any]
    base: str
    cand: str
    pairs: ItemPairs | None
    items: int
    errors: float = 0.0
    measured: bool = False  # whether the measure was used up by reading
    sliced: bool = False


class Suite:
    """Baseline and candidate; what several checks have in common is read once."""

    def __init__(self, data: Sequence[Any], baseline: Any = None, *, anchor: bool = False) -> None:
        self.candidate, self.baseline = _sides(data, baseline, anchor=anchor)
        self._known: dict[str, Read] = {}
        self._logs: dict[str, Any] = {}
        self._pairs: dict[str, ItemPairs | None] = {}
        self._blessed: Baseline | None = None

    def side(self, which: str, pairs: ItemPairs | None) -> GateSide:
        """Return what is told of a side: which system it is, where it comes from, and a digest of its scores."""
        last = next(iter(self._known.values()), None)
        name = "" if last is None else last.base if which == "baseline" else last.cand
        if which == "baseline" and self.blessed is not None:
            own = self.blessed
            source = "" if isinstance(self.baseline, Baseline) else str(self.baseline)
            return GateSide(name=name, source=source, digest=own.digest, commit=own.commit, reason=own.reason)
        if pairs is None:
            return GateSide(name=name)
        return GateSide(name=name, digest=pairs.baseline_digest if which == "baseline" else pairs.digest)

    @property
    def both_in_one(self) -> str | None:
        """The candidate, if one table holds both systems."""
        data, predictions = self.candidate
        last = next(iter(self._known.values()), None)
        one = not predictions and not isinstance(data, list) and self.baseline is None
        return last.cand if one and last is not None else None

    @property
    def blessed(self) -> Baseline | None:
        """The saved baseline, if there is one."""
        if self._blessed is None and self.baseline is not None:
            own = self.baseline
            self._blessed = own if isinstance(own, Baseline) else read_baseline(Path(own))
        return self._blessed

    def read(self, check: CheckSpec) -> Read:
        """Read the data of a check."""
        given = given_columns({name: value for name, value in check.asked.items() if name in reading_names()})
        by = check.asked.get("by")
        key = repr((sorted(given.items(), key=lambda each: each[0]), check.task, by, check.asked.get("positive")))
        key += repr(check.asked.get("measure")) + repr(check.asked.get("population"))
        if key not in self._known:
            self._known[key] = self._of(check, given)
        return self._known[key]

    def _of(self, check: CheckSpec, given: dict[str, Any]) -> Read:
        asked = check.asked
        if self.blessed is not None:
            return self._with_baseline(check, given)
        data, predictions = self.candidate
        own = self._logs_of(data, predictions, given)
        if own is not None:
            return _of_logs(own, check, given)
        if check.task:
            raise InputError(f"the check of task {quoted([check.task])} needs evaluation logs, which have tasks.")
        measure, positive = asked.get("measure"), asked.get("positive")
        source: Any = read(data, *predictions, positive=positive, measure=measure, **given)
        base, cand = _two(source)
        # Labels are the same whatever is measured.
        key = repr((sorted(given.items()), base, cand)) if isinstance(source, Outcomes) else None
        if key is None or key not in self._pairs:
            pairs = pairs_of(source, data, predictions, given, (base, cand))
            self._pairs |= {} if key is None else {key: pairs}
        else:
            pairs = self._pairs[key]
        return _asked(source, data, predictions, given, asked, (base, cand), pairs)

    def _logs_of(self, data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Return the logs; those of a path are read once, whatever is chosen of them."""
        chosen = ("metric", "scorer", "filter", "split", "log_runs", "missing", "drop_changed", "group", "systems")
        rest = {name: value for name, value in given.items() if name not in chosen}
        key = repr(sorted(rest.items()))
        if key not in self._logs:
            self._logs[key] = logs_in(data, predictions, rest)
        found = self._logs[key]
        left = {name: value for name, value in given.items() if name in chosen}
        return None if found is None else logs_in(found, (), left)

    def _with_baseline(self, check: CheckSpec, given: dict[str, Any]) -> Read:
        """Join the candidate with the items of a saved baseline."""
        assert self.blessed is not None
        data, predictions = self.candidate
        if predictions:
            raise InputError("a saved baseline is compared with a table or logs of the candidate, not with arrays.")
        if "group" in given:
            raise unused(["group"], "a saved baseline, which holds items alone")
        measure = check.asked.get("measure")
        own = self._logs_of(data, (), given)
        metric = given.get("metric")
        if own is not None:
            own = _of_task(own, check.task)
            name, part = side_of(own, {}, metric=metric or _only_metric(own, self.blessed))
            mine = self.blessed.part(part.metric)
            if check.task:
                mine = replace(mine, items=_task_items(mine.items, part.items, check.task))
        else:
            if "metric" in given:
                given = {key: value for key, value in given.items() if key != "metric"}
            name, part = side_of(data, given, item_needed="the candidate of a saved baseline")
            metrics = [each.metric for each in self.blessed.parts]
            wanted = metric or (part.metric if part.metric in metrics else None)
            mine = self.blessed.part(wanted)
        labels = _needs_labels(measure, mine.metric) or (mine.keeps_labels and part.keeps_labels)
        if not labels and check.asked.get("positive") is not None:
            raise unused(["positive"], "a baseline that holds no labels", "Bless it with ⟨keep_labels=True⟩.")
        repeats = check.asked.get("population") == THESE
        columns, how = joined_sides(
            (self.blessed.system, mine),
            (name, part),
            labels=labels,
            missing=str(given.get("missing", "error")),
            repeats=repeats,
        )
        base, cand = how["systems"]
        positive = check.asked.get("positive")
        source: Any = read(columns, positive=positive if labels else None, measure=measure if labels else None, **how)
        pairs = pairs_of(source, columns, (), how, (base, cand))
        asked = dict(check.asked)
        if not labels:
            asked.pop("measure", None)
            asked.pop("positive", None)
        found = _asked(source, columns, (), how, asked, (base, cand), pairs)
        return replace(found, measured=not labels, errors=0.0 if own is None else _failed(own))


def reading_names() -> tuple[str, ...]:
    """Return the options that say where the data are and what their columns mean."""
    return tuple(name for name in READING if name not in _OTHERS)


def _sides(data: Sequence[Any], baseline: Any, *, anchor: bool) -> tuple[tuple[Any, tuple[Any, ...]], Any]:
    """Return the candidate's data, or those of both, and the saved baseline, if there is one."""
    given = list(data[0]) if len(data) == 1 and isinstance(data[0], list | tuple) else list(data)
    if not given:
        return (None, ()), baseline
    if anchor:
        given = given[1:] if len(given) > 1 else given
    if isinstance(given[0], Baseline) or is_baseline(given[0]):
        if baseline is not None and not anchor:
            raise InputError("there are two baselines, one in the configuration and one before the candidate.")
        baseline, given = (baseline if anchor else given[0]), given[1:]
        if not given:
            raise InputError("the candidate is missing: name it after the baseline.")
    elif baseline is not None and not (isinstance(baseline, Baseline) or is_baseline(baseline)):
        given, baseline = [baseline, *given], None
    if any(isinstance(each, Baseline) or is_baseline(each) for each in given):
        raise InputError("the baseline comes first, and the candidate after it; only one of them is a saved baseline.")
    paths = all(isinstance(each, str | Path) for each in given)
    if paths:
        return (given if len(given) > 1 else given[0], ()), baseline
    if len(given) == 1:
        return (given[0], ()), baseline
    return (given[0], tuple(given[1:])), baseline


def _two(source: Any) -> tuple[str, str]:
    """Return the baseline and the candidate: the first system and the second."""
    names = list(source.systems)
    if len(names) != 2:
        hint = "" if len(names) < 2 else " Name the baseline and then the candidate (⟨systems⟩)."
        raise InputError(
            f"a gate compares a baseline with a candidate, and there "
            f"{'is' if len(names) == 1 else 'are'} {len(names)}: {quoted(names)}.{hint}"
        )
    return names[0], names[1]


def _asked(
    source: Any,
    data: Any,
    predictions: Sequence[Any],
    given: Mapping[str, Any],
    asked: Mapping[str, Any],
    sides: tuple[str, str],
    pairs: ItemPairs | None,
) -> Read:
    """Return what `compare` is given: the data that were read, or by slices the table again."""
    base, cand = sides
    told: dict[str, Any] = {"base": base, "cand": cand, "pairs": pairs, "items": int(source.items)}
    if asked.get("by") is not None and is_sliced(asked["by"]):
        own = dict(given)
        if not predictions and "systems" not in own and "score" not in own:
            own["systems"] = [base, cand]
        return Read(data=(data, *predictions), given=own, sliced=True, **told)
    return Read(data=(source,), given={}, **told)


# --- logs -------------------------------------------------------------------------------------------------------------


def _of_task(own: Any, task: str) -> Any:
    if not task:
        return own
    runs = {name: tuple(run for run in each if run.task == task) for name, each in own.found.runs.items()}
    if not all(runs.values()):
        raise InputError(f"no log has the task {quoted([task])}. {did_you_mean(task, own.tasks)}")
    return replace(own, found=replace(own.found, runs=runs))


def _of_logs(own: Any, check: CheckSpec, given: Mapping[str, Any]) -> Read:
    """Take one metric of logs, of one task if one is named."""
    own = _of_task(own, check.task)
    names = list(own.systems)
    if len(names) != 2:
        raise InputError(
            f"a gate compares a baseline with a candidate, and the logs are of {len(names)} systems: {quoted(names)}. "
            "Name them, as in base=PATH cand=PATH."
        )
    if own.missing is None:
        own = replace(own, missing="error")
    base = next((name for name in names if name.lower() in BASES), names[0])
    (cand,) = [name for name in names if name != base]
    measure, positive = check.asked.get("measure"), check.asked.get("positive")
    rest = {"group": given["group"]} if "group" in given else {}
    source: Any = read(own, measure=measure, positive=positive, **rest)
    pairs = pairs_of(source, None, (), {}, (base, cand))
    found = _asked(source, own, (), rest, check.asked, (base, cand), pairs)
    if found.sliced:
        found = replace(found, data=(own,), given=rest)
    return replace(found, errors=_failed(own))


def _failed(own: Any) -> float:
    """Return the share of samples that failed."""
    samples = sum(len(run.samples) for _, run in own.found.all)
    failed = sum(error is not None for _, run in own.found.all for error in run.samples.error)
    return failed / samples if samples else 0.0


def _only_metric(own: Any, blessed: Baseline) -> str:
    there = [metric for metric in own.metrics if metric in {part.metric for part in blessed.parts}]
    if len(there) != 1:
        raise InputError(
            f"name the metric (⟨metric⟩): the baseline has {quoted([part.metric for part in blessed.parts])}, the "
            f"candidate {quoted(own.metrics)}."
        )
    return str(there[0])


def _task_items(mine: Mapping[str, Any], theirs: Mapping[str, Any], task: str) -> dict[str, Any]:
    """Return the items of a task, which are named after it where a baseline has several."""
    named = {item.removeprefix(f"{task}/"): each for item, each in mine.items() if item.startswith(f"{task}/")}
    return named if named and not any("/" in item for item in theirs) else named or dict(mine)


def _needs_labels(measure: Any, metric: str) -> bool:
    """Return whether a measure is of labels, and not the mean of numbers."""
    if measure is None:
        return False
    named = [measure] if isinstance(measure, str) else list(measure) if isinstance(measure, list | tuple) else [measure]
    return any(each not in (*OF_RESULTS, ACCURACY, metric) for each in named)
