"""`logs`: evaluation logs of language models, and how they become data of the kinds that there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from outclass.answers.logs import Logs
from outclass.ask.columns import USED
from outclass.ask.used import unused
from outclass.data.logs.choosing import REFUSAL, Choice, check_choice
from outclass.data.logs.comparable import check_policy
from outclass.data.logs.formats import Asked
from outclass.data.logs.gathering import Gathered, baseline_last, gathered
from outclass.data.logs.labels import Labelled, labels_of
from outclass.data.logs.matching import ITEM, Cell, Matched
from outclass.data.logs.places import are_logs, holds_logs, places_of
from outclass.errors import InputError, did_you_mean, quoted
from outclass.findings import Finding
from outclass.measures.repeated import repeat_measure
from outclass.measures.results import OF_RESULTS

GOLD: Final = "gold answer"
READING: Final = ("source", "unfinished", "duplicates", "board")  # options that change what is read out of a file
CHOICE: Final = {"metric": "metric", "scorer": "scorer", "filter": "filter", "split": "split", "log_runs": "runs"}
KIND: Final = "evaluation logs"
PAIR: Final = 2
# Metrics of labels that are called otherwise here.
NAMES: Final = {"matthews_corrcoef": "mcc", "f1_macro": "macro_f1", "f1_micro": "micro_f1"}


def logs(
    *paths: Any,
    source: str | None = None,
    metric: str | None = None,
    scorer: str | None = None,
    filter: str | None = None,
    split: str | None = None,
    log_runs: str | None = None,
    missing: str | None = None,
    drop_changed: bool = False,
    unfinished: bool = False,
    duplicates: str | None = None,
    board: str | None = None,
) -> Logs:
    """Read evaluation logs of language models: what they hold, and whether it can be compared.

    Parameters
    ----------
    paths
        Files, folders or globs, one or several; or one mapping of names to these, for systems that are to be called
        otherwise than their models. Formats are found by looking.
    source
        The format, if it is to be said: 'lm-eval', 'inspect', 'helm', 'promptfoo', 'tau', ...
    metric, scorer, filter, split
        The metric that is compared; the scorer, of Inspect; the filter, of lm-evaluation-harness; the split, of HELM,
        or the subset, of MTEB.
    log_runs
        If there are several runs of one system on one task: 'latest', or 'all' to take each as an epoch.
    missing
        Items that a system lacks: 'drop' them, count them as 'wrong', or 'error'. Default: drop up to 5%.
    drop_changed
        Leave out items whose question or gold answer differs between the systems, up to 5% of them.
    unfinished
        Read logs of runs that did not end in success.
    duplicates, board
        For formats that have these: which of several rows of one item counts; the leaderboard.
    """
    given = paths[0] if len(paths) == 1 else list(paths)
    places = places_of(given)
    if not places:
        raise InputError(
            "name evaluation logs by paths: oc.logs('runs/base', 'runs/new') or oc.logs({'base': 'a.eval'})."
        )
    found = gathered(places, source, Asked(unfinished=unfinished, duplicates=duplicates, board=board))
    own = {name: found.runs[name] for name in baseline_last(list(found.runs), places)}
    choice = Choice(metric=metric, scorer=scorer, filter=filter, split=split, runs=log_runs)
    check_policy(missing)
    check_choice(found, choice)
    return Logs(
        found=Gathered(own, found.rejected),
        choice=choice,
        missing=missing,
        drop_changed=bool(drop_changed),
    )


def logs_in(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> Logs | None:
    """Return the logs in what a user gave as data; None if they are something else."""
    if isinstance(data, Logs):
        if predictions:
            raise InputError("the logs were read before: leave out arrays of predictions.")
        _check_used(given)
        if again := [name for name in READING if name in given]:
            raise unused(again, "logs that were read before")
        picked = {own: given[name] for name, own in CHOICE.items() if name in given}
        own_choice: Logs = replace(
            data,
            choice=replace(data.choice, **picked),
            missing=given.get("missing", data.missing),
            drop_changed=bool(given.get("drop_changed", data.drop_changed)),
        )
        return own_choice.selected(given["systems"]) if "systems" in given else own_choice
    given_paths = _paths_in(data, predictions)
    if given_paths is None or not are_logs(given_paths, given.get("source")):
        return None
    if unused_of(given) and not any(map(holds_logs, places_of(given_paths) or ())):
        return None  # a folder that was meant as a table, which is told as such
    _check_used(given)
    own = {name: given[name] for name in (*READING, *CHOICE, "missing", "drop_changed") if name in given}
    paths = (given_paths,) if isinstance(given_paths, Mapping) else tuple(given_paths)
    found = logs(*paths, **own)
    return found.selected(given["systems"]) if "systems" in given else found


def _paths_in(data: Any, predictions: Sequence[Any]) -> Any:
    if isinstance(data, Mapping):
        return data if not predictions and all(isinstance(each, str | Path) for each in data.values()) else None
    listed = [*(data if isinstance(data, list | tuple) else [data]), *predictions]
    return listed if listed and all(isinstance(each, str | Path) for each in listed) else None


def unused_of(given: Mapping[str, Any]) -> list[str]:
    """Return the options that logs do not use."""
    return [name for name in given if name not in USED[KIND]]


def _check_used(given: Mapping[str, Any]) -> None:
    if left := unused_of(given):
        raise unused(left, KIND)


# --- as tables ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogTable:
    """A table made of logs: its columns, what they are, and what is to be said of them."""

    columns: Mapping[str, list[Any]]
    given: Mapping[str, Any]
    findings: tuple[Finding, ...]
    failed: int = 0


def is_of_labels(own: Logs, metric: str, measure: Any) -> bool:
    """Return whether labels are asked about: a measure of labels is named, or the metric is one."""
    named = [measure] if measure is None or isinstance(measure, str) else list(measure)
    if all(map(_is_of_numbers, named)):
        runs = [run for _, run in own.found.all if metric in run.metrics]
        return measure is None and bool(runs) and all(metric not in run.samples.scores for run in runs)
    return True


def _is_of_numbers(measure: Any) -> bool:
    """Return whether a measure is one of numbers: their mean or median, or one of repeats such as pass@k."""
    return measure is None or measure in OF_RESULTS or repeat_measure(measure) is not None


def measure_of(own: Logs, metric: str, measure: Any) -> Any:
    """Return the measure of a metric that is one of labels, if none is named."""
    if measure is not None or not is_of_labels(own, metric, None):
        return measure
    return NAMES.get(metric, metric)


def table_of(
    own: Logs,
    metric: str,
    measure: Any,
    *,
    group: str | None = None,
    by: Sequence[str] = (),
    everything: bool = False,
) -> LogTable:
    """Return one metric of logs as a table: of labels if a measure of labels is asked for, else of numbers."""
    own.found.check()
    found = own.matched(metric)
    about = found.metadata()
    about = about if everything else {name: about[name] for name in _named(about, group, by)}
    if clash := [name for name in about if name in found.systems]:
        raise InputError(f"{quoted(clash)} is a system and a column of the logs: name the system, as in NAME=PATH.")
    item = ITEM
    while item in found.systems or item in about:
        item = f"the {item}"
    more = {} if group is None else {"group": group}
    if is_of_labels(own, metric, measure):
        columns, given = _of_labels(found, labels_of(found), item, about, more)
    elif found.epochs > 1 and not found.data_sets:  # the score of a data set is the mean of its experiments
        columns, given = _of_repeats(found, item, about, more, errors_wrong=own.errors_wrong)
    else:
        columns = {item: list(found.items), **about, **found.means(errors_wrong=own.errors_wrong)}
        role = "data_set" if found.data_sets else "item"
        given = {"scores": True, role: item, "systems": list(found.systems), "title": metric, **more}
        given |= {"lower_is_better": True} if found.lower else {}
    return LogTable(columns, given, found.findings, found.failed)


def _of_repeats(
    found: Matched, item: str, about: Mapping[str, list[Any]], more: Mapping[str, Any], *, errors_wrong: bool
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return a long table with a row for each generation; of a failure that counts as wrong, too."""
    rows = [
        (place, system, epoch, score)
        for system, own in found.cells.items()
        for place, cell in enumerate(own)
        for epoch, score in _generations(cell, errors_wrong=errors_wrong)
    ]
    items = found.items
    names = {"item": item, "system_column": "system", "repeat": "epoch", "score": "score"}
    for role in ("system_column", "repeat", "score"):
        while names[role] in about or names[role] == item:
            names[role] = f"the {names[role]}"
    columns: dict[str, list[Any]] = {
        names["item"]: [items[place] for place, _, _, _ in rows],
        names["system_column"]: [system for _, system, _, _ in rows],
        names["repeat"]: [epoch for _, _, epoch, _ in rows],
        names["score"]: [score for _, _, _, score in rows],
        **{name: [column[place] for place, _, _, _ in rows] for name, column in about.items()},
    }
    given = {**names, "systems": list(found.systems), "title": found.metric, **more}
    return columns, given | ({"lower_is_better": True} if found.lower else {})


def _generations(cell: Cell | None, *, errors_wrong: bool) -> list[tuple[int, float]]:
    if cell is None:  # an item that the system lacks, which counts as wrong
        return [(1, 0.0)]
    own = [(cell.run.samples.epoch[at], score) for at, score in zip(cell.scored, cell.scores, strict=True)]
    if errors_wrong:
        own += [(cell.run.samples.epoch[at], 0.0) for at in cell.failures]
    return own


def _named(about: Mapping[str, Any], group: str | None, by: Sequence[str]) -> list[str]:
    """Return the columns that slices and groups are made by; the number of bins may follow a colon."""
    found = []
    for role, name in (*((("group", group),) if group is not None else ()), *(("by", each) for each in by)):
        own = name if name in about else name.rpartition(":")[0]
        if own not in about:
            raise InputError(f"the logs have no column {quoted([name])} (⟨{role}⟩). {did_you_mean(name, about)}")
        found.append(own)
    return list(dict.fromkeys(found))


def _of_labels(
    found: Matched, labels: Labelled, item: str, about: Mapping[str, list[Any]], more: Mapping[str, Any]
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return labels as a table; several generations of an item are a group."""
    gold = GOLD
    while gold in found.systems or gold in about:
        gold = f"the {gold}"
    columns: dict[str, list[Any]] = {
        gold: list(labels.gold),
        **{name: [column[row] for row in labels.rows] for name, column in about.items()},
        **{system: list(own) for system, own in labels.said.items()},
    }
    given = {"truth": gold, "systems": list(found.systems), **more}
    if labels.repeated and "group" not in more:
        columns[item] = [found.items[row] for row in labels.rows]
        given["group"] = item
    return columns, given


def searched_logs(own: Logs, given: Mapping[str, Any]) -> tuple[Any, Any, tuple[Finding, ...]]:
    """Return right and wrong answers as a table to search for slices, with the roles of its columns, and findings."""
    if "group" in given:
        raise unused(["group"], "a search for slices")
    (metric,) = asked_metrics(own, None, several=False)
    found = own.matched(metric)
    means = found.means()
    if len(means) != PAIR:
        raise InputError(
            f"a search for slices needs two systems, and the logs have {len(means)}: {quoted(means, most=4)}. "
            "Choose two "
            "(⟨systems⟩), the old one first."
        )
    if any(score not in (0.0, 1.0) for column in means.values() for score in column):
        raise InputError(
            f"a search for slices needs answers that are right or wrong, and {quoted([metric])} has other values or "
            "several generations per item. Choose another metric (⟨metric⟩), or compare by columns (⟨by⟩)."
        )
    about = found.metadata()
    right, item = "right", ITEM
    while right in means or right in about:
        right = f"the {right}"
    while item in means or item in about:
        item = f"the {item}"
    columns = {
        item: found.items,
        right: [1] * len(found.keys),
        **{name: column for name, column in about.items() if name not in means},
        **{name: [int(score) for score in column] for name, column in means.items()},
    }
    return columns, {"truth": right, "systems": list(means), "id": item}, found.findings


def with_findings(data: Any, notes: tuple[Finding, ...]) -> Any:
    """Return data with what was noticed on reading."""
    if not notes:
        return data
    all_notes = (*notes, *data.findings)
    return data.with_findings(all_notes) if hasattr(data, "with_findings") else replace(data, findings=all_notes)


def asked_metrics(own: Logs, measure: Any, *, several: bool) -> list[str]:
    """Return the metrics that are asked about; a question that takes one needs it to be named."""
    metrics = list(own.metrics)
    named = [measure] if measure is None or isinstance(measure, str) else list(measure)
    if not all(map(_is_of_numbers, named)):
        return metrics[:1]
    if len(metrics) > 1 and not several:
        raise InputError(f"the logs have several metrics; name one (⟨metric⟩): {quoted(metrics)}.")
    refused = any(any(run.samples.refused) for _, run in own.found.all)
    if several and refused and own.choice.metric is None and own.choice.scorer is None and REFUSAL not in metrics:
        metrics.append(REFUSAL)
    return metrics
