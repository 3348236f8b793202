"""The answer of `logs`: what evaluation logs hold, and whether it can be compared."""

import json
import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from outclass.data.logs.choosing import Choice, chosen, metrics_of
from outclass.data.logs.files import digest
from outclass.data.logs.gathering import Gathered, told_of
from outclass.data.logs.matching import Matched, matched
from outclass.data.logs.run import LogRun
from outclass.data.names import selection
from outclass.dialects import spoken
from outclass.errors import OutclassError, quoted
from outclass.report.text import plain
from outclass.rows.flips import Flips, flips_between

if TYPE_CHECKING:
    from outclass.report.delimited import Records

COLUMNS: Final = (
    *("system", "model", "run", "task", "variant", "item", "epoch", "metric", "score"),
    *("gold", "answer", "error", "refused", "item_hash", "target_hash", "prompt_hash"),
)
WIDTH: Final = 79
SHOWN: Final = 3  # metrics of a run


@dataclass(frozen=True, kw_only=True, eq=False)
class Logs:
    """Evaluation logs: the runs of some systems.

    Take them as data: `compare(logs)`, `rank(logs)`, `evaluate(logs)`, `test(logs)`.

    Parameters
    ----------
    found
        The runs of each system.
    choice
        Which metric, scorer, filter, split and runs are meant.
    missing, drop_changed
        How items are treated that not all systems have, or that changed.
    errors_wrong
        Whether a sample that failed counts as a wrong answer; it is left out otherwise.
    """

    found: Gathered
    choice: Choice
    missing: str | None = None
    drop_changed: bool = False
    errors_wrong: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(self.found.runs)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of all systems."""
        return tuple(dict.fromkeys(run.task for _, run in self.found.all))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are compared."""
        return tuple(metrics_of(self.found, self.choice))

    @property
    def runs(self) -> list[dict[str, Any]]:
        """What each run is of, and what there is in it."""
        return told_of(self.found)

    def selected(self, systems: Sequence[str]) -> "Logs":
        """Return some of the systems."""
        names = selection(systems, self.systems)
        return replace(self, found=replace(self.found, runs={name: self.found.runs[name] for name in names}))

    def matched(self, metric: str | None = None) -> Matched:
        """Return the items that the systems have in common, if they are comparable."""
        name = metric or self.metrics[0]
        return matched(
            chosen(self.found, name, self.choice),
            missing=self.missing,
            drop_changed=self.drop_changed,
            errors_wrong=self.errors_wrong,
        )

    @property
    def failed(self) -> bool:
        """Whether some sample failed."""
        return any(error is not None for _, run in self.found.all for error in run.samples.error)

    def flips(self, first: str | None = None, second: str | None = None, metric: str | None = None) -> Flips:
        """Return the items on which the second system is worse than the first, and those on which it is better."""
        own = self.matched(metric)
        one, other = selection([first or own.systems[0], second or own.systems[-1]], own.systems)
        means = own.means(errors_wrong=self.errors_wrong)
        differences = [a - b for a, b in zip(means[one], means[other], strict=True)]
        return flips_between(one, other, own.metric, own.items, differences, lower=own.lower)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, whether the systems can be compared, and what was noticed."""
        told = [f"left out: {_spoken(each.error)}" for each in self.found.rejected]
        try:
            for metric in self.metrics:
                told += [f"{each.code}: {each.message}" for each in self.matched(metric).findings]
        except OutclassError as error:
            told.append(_spoken(error))
        return tuple(dict.fromkeys(told))

    # --- the long table ---------------------------------------------------------------------------------------------

    @property
    def records(self) -> "Records":
        """Head and rows of the long table: one row for each sample and metric."""
        extra = list(dict.fromkeys(name for _, run in self.found.all for name in run.samples.metadata))
        return [*COLUMNS, *extra], [row for system, run in self.found.all for row in _rows(system, run, extra)]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the long table as a dataframe of pandas, polars or pyarrow; without a name, of the first there."""
        from outclass.report.frames import frame  # Narwhals is loaded for frames only

        return frame(*self.records, backend)

    @property
    def frame(self) -> Any:
        """The long table as a dataframe."""
        return self.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the runs, and the problems."""
        runs = [{**told, "means": _means(run)} for told, (_, run) in zip(self.runs, self.found.all, strict=True)]
        found: dict[str, Any] = {"schema": 1, "systems": list(self.systems), "tasks": list(self.tasks)}
        try:
            found["compared"] = list(self.metrics)
        except OutclassError:
            found["compared"] = []  # the systems have no metric in common
        return {**found, "runs": runs, "problems": list(self.problems)}

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def __str__(self) -> str:
        lines = [["system", "task", "items", "epochs", "mean"]]
        for told, (system, run) in zip(self.runs, self.found.all, strict=True):
            variant = f" [{run.variant[1]}]" if run.variant[1] not in ("", "none") else ""
            means = ", ".join(
                f"{name} {'—' if mean is None else f'{mean:.3f}'}" for name, mean in _first_means(run, self.choice)
            )
            lines.append([system, run.task + variant, f"{told['items']:,}", f"{told['epochs']:,}", means])
        return plain_table(lines) + "".join(
            "\n" + textwrap.fill(plain(each), WIDTH, subsequent_indent="  ") for each in self.problems
        )

    def __repr__(self) -> str:
        return plain(f"<Logs: {len(self.found.all):,} runs of {quoted(self.systems, most=4)}>")


def _spoken(error: OutclassError) -> str:
    """Return the sentence of an error that is not raised, in the dialect of whoever reads it."""
    return spoken(str(error.args[0]) if error.args else str(error))


def _means(run: LogRun) -> dict[str, float | None]:
    return {name: mean if math.isfinite(mean := run.mean(name)) else None for name in run.samples.scores}


def _first_means(run: LogRun, choice: Choice) -> list[tuple[str, float | None]]:
    names = [name for name in run.usual if name in run.samples.scores] or list(run.samples.scores)
    names = names if choice.metric is None else [choice.metric]
    return [(name, mean if math.isfinite(mean := run.mean(name)) else None) for name in names[:SHOWN]]


def _rows(system: str, run: LogRun, extra: Sequence[str]) -> Iterator[list[object]]:
    own = run.samples
    for at, item in enumerate(own.item):
        parts = (own.input_hash[at], own.choices_hash[at])
        told = None if parts == (None, None) else parts[0] if parts[1] is None else digest(*parts)
        about = [own.metadata[name][at] if name in own.metadata else None for name in extra]
        before = [system, run.system, run.key, run.task, run.variant[1], item, own.epoch[at]]
        after = [own.gold[at], own.answer[at], own.error[at], own.refused[at], told, own.target_hash[at]]
        for metric, column in own.scores.items():
            score = None if math.isnan(column[at]) else column[at]
            yield [*before, metric, score, *after, own.prompt_hash[at], *about]


def plain_table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells in columns, no wider than a terminal; long cells are cut in the middle."""
    cells = [[plain(cell) for cell in line] for line in lines]
    widths = [max(len(line[place]) for line in cells) for place in range(len(cells[0]))]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
    rows = []
    for line in cells:
        told = [
            _cut(cell, width).rjust(width) if place in (2, 3) else _cut(cell, width).ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        rows.append("  ".join(told).rstrip())
    return "\n".join(rows)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"
