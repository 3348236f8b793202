"""Runs side by side: the same items of all systems, each with the mean of its epochs."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from outclass.data.logs.choosing import REFUSAL, Chosen
from outclass.data.logs.comparable import (
    Key,
    Runs,
    aligned,
    changed_items,
    check_facts,
    check_missing,
    check_policy,
)
from outclass.data.logs.run import LogRun
from outclass.errors import InputError, quoted
from outclass.findings import Finding, finding

ITEM: Final = "item"
TASK: Final = "task"
FEW: Final = 5  # items, of which all may have one score by chance
UNSCORED: Final = ("OC511", "OC515")  # why there may be no scores
MANY: Final = 200  # items of which hardly all are right or wrong


@dataclass(slots=True)
class Cell:
    """One item of one system: the scores of its epochs and the places of their samples, and that of its first one."""

    scores: list[float]
    scored: list[int]
    failures: list[int]
    run: LogRun
    at: int

    @property
    def failed(self) -> int:
        """How many samples failed."""
        return len(self.failures)

    def mean(self, *, errors_wrong: bool) -> float:
        """Return the mean over epochs; a failure has no score, or 0 if it is to count as wrong."""
        total, many = sum(self.scores), len(self.scores) + (self.failed if errors_wrong else 0)
        return total / many if many else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """One metric of all systems on the items that they have in common.

    Parameters
    ----------
    metric, lower
        What is compared, and whether lower is better.
    keys
        The task and the id of each item.
    cells
        For each system its items, in the order of `keys`; None where it lacks one.
    failed
        How many samples failed, of all systems.
    findings
        What was noticed.
    """

    metric: str
    lower: bool
    keys: Sequence[Key]
    cells: Mapping[str, Sequence[Cell | None]]
    failed: int
    findings: tuple[Finding, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(self.cells)

    @property
    def items(self) -> list[str]:
        """The ids of the items, with their tasks if there are several."""
        several = len({task for task, _ in self.keys}) > 1 and not self.items_are_tasks
        return [f"{task}/{item}" if several else item for task, item in self.keys]

    def means(self, *, errors_wrong: bool = False) -> dict[str, list[float]]:
        """Return the scores: the mean of the epochs of each item."""
        return {
            system: [0.0 if cell is None else cell.mean(errors_wrong=errors_wrong) for cell in own]
            for system, own in self.cells.items()
        }

    @property
    def epochs(self) -> int:
        """The largest number of epochs of an item."""
        return max((len(cell.scores) for own in self.cells.values() for cell in own if cell is not None), default=0)

    def metadata(self) -> dict[str, list[Any]]:
        """Return what slices and groups can be made by, of the first system that has the item."""
        firsts = [next(cell for cell in row if cell is not None) for row in zip(*self.cells.values(), strict=True)]
        names = dict.fromkeys(name for cell in firsts for name in cell.run.samples.metadata)
        found: dict[str, list[Any]] = {TASK: [task for task, _ in self.keys]}
        for name in names:
            columns = [cell.run.samples.metadata.get(name) for cell in firsts]
            values = [None if own is None else own[cell.at] for own, cell in zip(columns, firsts, strict=True)]
            found[name] = values
        return found

    @property
    def data_sets(self) -> bool:
        """Whether the items are data sets."""
        return any(cell.run.data_sets for own in self.cells.values() for cell in own if cell is not None)

    @property
    def items_are_tasks(self) -> bool:
        """Whether every task has one item, which is called as it is."""
        return all(task == item for task, item in self.keys)

    def only(self, kept: Sequence[bool]) -> "Matched":
        """Return some of the items."""
        return replace(
            self,
            keys=[key for key, stays in zip(self.keys, kept, strict=True) if stays],
            cells={
                name: [each for each, stays in zip(own, kept, strict=True) if stays] for name, own in self.cells.items()
            },
        )


def matched(
    chosen: Chosen, *, missing: str | None = None, drop_changed: bool = False, errors_wrong: bool = False
) -> Matched:
    """Put the runs side by side, if they are comparable."""
    check_policy(missing, lower=chosen.lower)
    for system, own in chosen.runs.items():
        if not own:
            raise InputError(f"{quoted([system])} has no log with the metric {quoted([chosen.metric])} (⟨metric⟩).")
    runs, notes = aligned(chosen.runs)
    notes = [*chosen.findings, *_of_runs(runs), *notes]
    several = len(runs) > 1
    dropped: set[Key] = set()
    if several:
        dropped, found = changed_items(runs, drop=drop_changed)
        notes += [*found, *check_facts(runs, chosen.metric)]
    cells = {system: _cells(own, chosen.metric) for system, own in runs.items()}
    keys = [key for key in dict.fromkeys(key for own in cells.values() for key in own) if key not in dropped]
    lacking = {system: [item for task, item in keys if (task, item) not in own] for system, own in cells.items()}
    notes += check_missing(list(cells), lacking, len(keys), missing)
    if missing != "wrong":
        keys = [key for key in keys if all(key in own for own in cells.values())]
    keys.sort(key=_natural)
    failed = sum(cell.failed for own in cells.values() for cell in own.values())
    together = Matched(
        metric=chosen.metric,
        lower=chosen.lower,
        keys=keys,
        cells={system: [own.get(key) for key in keys] for system, own in cells.items()},
        failed=failed,
        findings=(),
    )
    return _scored(together, notes, errors_wrong=errors_wrong)


def _natural(key: Key) -> tuple[str, int, str]:
    task, item = key
    return task, int(item) if item.isdecimal() and len(item) < 19 else -1, item


def _cells(runs: Runs, metric: str) -> dict[Key, Cell]:
    found: dict[Key, Cell] = {}
    for task, run in runs.items():
        samples = run.samples
        rows = zip(samples.item, scores_of(run, metric), samples.error, strict=True)
        for at, (item, score, error) in enumerate(rows):
            key = (task, item)
            cell = found.get(key)
            if cell is None:
                cell = found[key] = Cell([], [], [], run, at)
            if error is not None:
                cell.failures.append(at)
            elif score == score:  # noqa: PLR0124  # not NaN: this is faster than to ask
                cell.scores.append(score)
                cell.scored.append(at)
    return found


def scores_of(run: LogRun, metric: str) -> Sequence[float]:
    """Return the scores of a metric; of a measure of labels whether they are right."""
    samples = run.samples
    if metric == REFUSAL and REFUSAL not in samples.scores:
        return [float(each) for each in samples.refused]
    if metric not in samples.scores and metric in run.labels:
        return [float(gold == said) for gold, said in zip(samples.gold, samples.answer, strict=True)]
    return samples.scores[metric]


def _scored(found: Matched, notes: Sequence[Finding], *, errors_wrong: bool) -> Matched:
    """Leave out items that some system has no score for, and say so."""
    means = found.means(errors_wrong=errors_wrong)
    kept = [not any(map(math.isnan, row)) for row in zip(*means.values(), strict=True)]
    own = list(notes)
    gone = len(kept) - sum(kept)
    if not found.keys or gone == len(kept):
        why = next((f" {each.message[:1].upper()}{each.message[1:]}" for each in notes if each.code in UNSCORED), "")
        raise InputError(f"the systems have no scored item in common.{why}")
    if found.failed:
        how = "count as wrong" if errors_wrong else "are left out"
        each = _failures(found)
        own.append(finding("OC505", f"samples that failed, which is not a wrong answer, {how}: {each}."))
    if gone and not errors_wrong:
        told = f"{gone:,} of {len(kept):,} items have no score for some system and are left out of all"
        own.append(finding("OC515", f"{told}: {quoted(_first(found, kept))}."))
    found = found.only(kept) if gone else found
    own += _noticed(found, means if not gone else found.means(errors_wrong=errors_wrong))
    return replace(found, findings=tuple(dict.fromkeys(own)))


def _first(found: Matched, kept: Sequence[bool]) -> list[str]:
    return [item for (_, item), stays in zip(found.keys, kept, strict=True) if not stays][:3]


def _failures(found: Matched) -> str:
    many = {name: sum(cell.failed for cell in own if cell is not None) for name, own in found.cells.items()}
    return ", ".join(f"{quoted([name])} {count:,}" for name, count in many.items() if count)


def _noticed(found: Matched, means: Mapping[str, Sequence[float]]) -> list[Finding]:
    """Return what is odd about the scores: identical runs, and scores without information."""
    notes = []
    (first, one), *others = means.items()
    same = [name for name, own in others if list(own) == list(one)]
    if same and len(one) >= FEW and len(set(one)) > 1 and _same_epochs(found, [first, *same]):
        notes.append(finding("OC105", f"{quoted([first, *same])} have identical scores for every item: a cached run?"))
    for name, own in means.items():
        mean = sum(own) / len(own)
        if len(own) >= FEW and len(set(own)) == 1:
            told = f"every item of {quoted([name])} has the score {own[0]:g} in {found.metric}"
            notes.append(finding("OC508", f"{told}: the items or the scorer do not distinguish anything."))
        elif len(own) >= MANY and set(own) <= {0.0, 1.0} and not 0.005 <= mean <= 0.995:
            told = f"{quoted([name])} has {found.metric} {mean:.4f}, at the {'floor' if mean < 0.5 else 'ceiling'}"
            notes.append(finding("OC508", f"{told}: check the scorer and how answers are extracted."))
    runs = {name: list({id(c.run): c.run for c in own if c}.values()) for name, own in found.cells.items()}
    refused = {name: sum(sum(run.samples.refused) for run in own) for name, own in runs.items()}
    if any(refused.values()) and found.metric != REFUSAL:
        told = ", ".join(f"{quoted([name])} {many:,}" for name, many in refused.items())
        notes.append(
            finding("OC507", f"refusals count as the scorer graded them: {told}. Compare them: ⟨metric=refusal⟩.")
        )
    return [*notes, *_stopped(runs)]


def _stopped(runs: Mapping[str, Sequence[LogRun]]) -> list[Finding]:
    """Tell how many samples a limit stopped, which stay scored: one system may have been given less than another."""
    kinds = {
        name: Counter(each for run in own for each in run.samples.limit if each is not None)
        for name, own in runs.items()
    }
    if not any(kinds.values()):
        return []
    told = "; ".join(
        f"{quoted([name])} {own.total():,}"
        + (f" ({', '.join(f'{kind} {many:,}' for kind, many in own.most_common(3))})" if own else "")
        for name, own in kinds.items()
    )
    return [finding("OC518", f"samples stopped by a limit keep their score: {told}.")]


def _same_epochs(found: Matched, systems: Sequence[str]) -> bool:
    rows = [[cell.scores for cell in found.cells[name] if cell is not None] for name in systems]
    return all(row == rows[0] for row in rows)


def _of_runs(runs: Mapping[str, Runs]) -> list[Finding]:
    """Return what was noticed on reading the runs that are used."""
    notes: dict[str, list[str]] = {}
    left: dict[tuple[str, str], int] = {}
    for system, own in runs.items():
        for run in own.values():
            for code, told in run.findings:
                notes.setdefault(code, []).append(told)
            for why, many in run.left_out.items():
                left[system, why] = left.get((system, why), 0) + many
    told = "; ".join(f"{quoted([system])} {many:,} {why}" for (system, why), many in left.items())
    said = [finding(code, _with_others(own)) for code, own in notes.items()]
    return [*said, *([finding("OC515", f"samples without a score are left out: {told}.")] if left else [])]


def _with_others(told: Sequence[str]) -> str:
    """Return the first of some sentences, and how many there are more."""
    more = len(told) - 1
    return (
        told[0] if not more else f"{told[0].rstrip('.')}; the same of {more:,} more {'log' if more == 1 else 'logs'}."
    )
