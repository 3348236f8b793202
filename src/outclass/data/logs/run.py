"""A run: what one log says of one system on one task."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from outclass.errors import InputError

LONGEST: Final = 200  # letters that are kept of a gold answer or of an answer
SHORT: Final = 80  # letters of a value that slices are made by
MOST_COLUMNS: Final = 40  # of metadata


@dataclass(slots=True)
class Samples:
    """The samples of a run, column by column; each list has an entry for every sample.

    Parameters
    ----------
    item, epoch
        Which question, and the how manieth generation for it, from 1.
    scores
        For each metric the scores; nan where a sample has none.
    gold, answer
        What was right and what was said, if they are short.
    input_hash, choices_hash, target_hash, prompt_hash
        Digests of the question, of its choices, of what is right, and of the whole prompt; None if the log lacks them.
    error
        Why a sample has no answer: a failure that is not the system's.
    refused
        Whether the system refused to answer, or its answer was filtered.
    limit
        The limit that stopped the system, such as 'token' or 'time'; what it had done by then was scored.
    metadata
        Short values by which slices and groups are made.
    """

    item: list[str] = field(default_factory=list)
    epoch: list[int] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)
    gold: list[str | None] = field(default_factory=list)
    answer: list[str | None] = field(default_factory=list)
    input_hash: list[str | None] = field(default_factory=list)
    choices_hash: list[str | None] = field(default_factory=list)
    target_hash: list[str | None] = field(default_factory=list)
    prompt_hash: list[str | None] = field(default_factory=list)
    error: list[str | None] = field(default_factory=list)
    refused: list[bool] = field(default_factory=list)
    limit: list[str | None] = field(default_factory=list)
    metadata: dict[str, list[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.item)

    def add(
        self,
        item: Any,
        scores: Mapping[str, float],
        *,
        epoch: int = 1,
        gold: Any = None,
        answer: Any = None,
        hashes: tuple[str | None, str | None, str | None, str | None] = (None, None, None, None),
        error: str | None = None,
        refused: bool = False,
        limit: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a sample; `hashes` are of the question, its choices, what is right, and the prompt."""
        many = len(self.item)
        self.item.append(str(item))
        self.epoch.append(epoch)
        _spread(self.scores, scores, many, math.nan)
        self.gold.append(shortened(gold))
        self.answer.append(shortened(answer))
        question, choices, target, prompt = hashes
        self.input_hash.append(question)
        self.choices_hash.append(choices)
        self.target_hash.append(target)
        self.prompt_hash.append(prompt)
        self.error.append(error)
        self.refused.append(refused)
        self.limit.append(limit)
        _spread(self.metadata, metadata or {}, many, None)

    def spell_out(self) -> None:
        """Spell out half letters, of texts that were cut within one: they can neither be shown nor written."""
        columns: list[list[Any]] = [self.item, self.gold, self.answer, self.error, self.limit, *self.metadata.values()]
        columns += [self.input_hash, self.choices_hash, self.target_hash, self.prompt_hash]
        for column in columns:
            for at, value in enumerate(column):
                if isinstance(value, str) and not value.isascii():
                    column[at] = spelt(value)
        self.scores = {spelt(name): own for name, own in self.scores.items()}
        self.metadata = {spelt(name): own for name, own in self.metadata.items()}


def spelt(text: str) -> str:
    """Return a text that can be written: half a letter is spelt out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _spread(columns: dict[str, list[Any]], values: Mapping[str, Any], many: int, missing: Any) -> None:
    """Append one value to each column; a new column has no values before."""
    for name, value in values.items():
        if name not in columns:
            columns[name] = [missing] * many
        columns[name].append(value)
    if len(values) < len(columns):
        for name, column in columns.items():
            if name not in values:
                column.append(missing)


def shortened(value: Any) -> str | None:
    """Return a text that is short enough to be kept."""
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def short_values(found: Any, prefix: str) -> dict[str, Any]:
    """Return the entries of a mapping that can name slices: short texts, numbers, yes or no."""
    if not isinstance(found, dict):
        return {}
    kept: dict[str, Any] = {}
    for key, value in found.items():
        if isinstance(value, bool | int) or (isinstance(value, str) and 0 < len(value) <= SHORT):
            kept[f"{prefix}.{key}"] = str(value) if isinstance(value, bool) else value
        elif isinstance(value, float) and math.isfinite(value):
            kept[f"{prefix}.{key}"] = value
        if len(kept) == MOST_COLUMNS:
            break
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRun:
    """What one log says of one system on one task.

    Parameters
    ----------
    system, task, harness
        The model, what it was tested on, and the format of the log.
    path, key
        The file; and what distinguishes this run from others of the same system and task, in the order of time.
    samples
        The samples.
    variant
        How answers were extracted or which part of the data it is, if the log has several: a filter, or a split.
    usual
        The metrics that are compared unless some are named; none means all.
    lower
        Metrics of which lower is better.
    labels
        Metrics whose gold answer and answer are labels, such as F1.
    fixed
        What must be the same for two runs to be comparable: grader, options of scorers, version of the data.
    free
        What may differ, since it may be what is compared: prompt, few-shot examples, temperature, versions.
    findings
        What was noticed on reading: a code and a sentence.
    left_out
        How many samples were left out, by the reason.
    data_sets
        Whether its one number is that of a data set, and not of an item.
    lists_all
        Whether all items are listed; else those that are not were failures, and other runs tell which these are.
    """

    system: str
    task: str
    harness: str
    path: str
    samples: Samples
    key: str = ""
    variant: tuple[str, str] = ("", "")  # 'filter' or 'split', and its value
    usual: tuple[str, ...] = ()
    lower: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    unsupported: Mapping[str, str] = field(default_factory=dict)  # metrics that are no numbers, and what they are
    fixed: Mapping[str, str] = field(default_factory=dict)
    free: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    data_sets: bool = False
    lists_all: bool = True

    def __post_init__(self) -> None:
        self.samples.spell_out()
        for name in ("system", "task", "key"):
            object.__setattr__(self, name, spelt(getattr(self, name)))
        for name in ("variant", "usual", "labels"):
            object.__setattr__(self, name, tuple(map(spelt, getattr(self, name))))
        object.__setattr__(self, "lower", frozenset(map(spelt, self.lower)))
        for name in ("fixed", "free"):
            own = {spelt(key): spelt(value) for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, own)
        object.__setattr__(self, "findings", tuple((code, spelt(told)) for code, told in self.findings))

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics of this run."""
        return (*self.samples.scores, *(name for name in self.labels if name not in self.samples.scores))

    @property
    def items(self) -> int:
        """How many different items there are."""
        return len(set(self.samples.item))

    def mean(self, metric: str) -> float:
        """Return the mean of a metric over its items, each the mean of its epochs; failures are no wrong answers."""
        sums: dict[str, list[float]] = {}
        scores = self.samples.scores.get(metric, ())
        for item, score, error in zip(self.samples.item, scores, self.samples.error, strict=False):
            if error is None and not math.isnan(score):
                own = sums.setdefault(item, [0.0, 0])
                own[0] += score
                own[1] += 1
        return sum(total / many for total, many in sums.values()) / len(sums) if sums else math.nan


def number_in(value: Any) -> float:
    """Return a score as a number; nan if there is none, and an error if it is something else."""
    if value is None:
        return math.nan
    if isinstance(value, bool | int | float):
        try:
            number = float(value)
        except OverflowError:
            raise InputError("a score has more digits than a number can have.") from None
        if math.isinf(number):
            raise InputError("a score is infinite, which cannot be averaged.")
        return number
    raise InputError(f"a score is a {type(value).__name__} and not a number.")


def list_in(value: Any) -> list[Any]:
    """Return a field that should be a list, or none at all: what a broken log has there says nothing."""
    return value if isinstance(value, list) else []


def mapping_in(value: Any) -> dict[str, Any]:
    """Return a field that should be an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def is_score(value: Any) -> bool:
    """Return whether a value is a score: a number, yes or no."""
    return isinstance(value, bool | int | float)


def same_or_none(values: Iterable[Any]) -> Any:
    """Return the one value that all have; None if they differ or there is none."""
    found = {str(value): value for value in values}
    return next(iter(found.values())) if len(found) == 1 else None
