"""The roles that columns can have, and which of them each kind of source uses."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypedDict


class LabelSets(TypedDict, total=False):
    """Averages over some of the labels, as scikit-learn's `labels`; give one of the two.

    No item is dropped: an excluded label still counts as a wrong prediction of the others. With `by='label'` they
    choose the labels that have a row.

    Parameters
    ----------
    labels
        The labels to average over. A text that is not a label itself is split at its commas.
    exclude_labels
        The labels to leave out, such as 'O' or 'Other'.
    """

    labels: Any
    exclude_labels: Any


class Population(TypedDict, total=False):
    """What repeats of items (`repeat`) are evidence about.

    Parameters
    ----------
    population
        'like-these' (default): the items are a sample of items like these. 'these': a fixed suite of items, whose only
        uncertainty is what other repeats would have given.
    """

    population: str | None


class Columns(TypedDict, total=False):
    """The roles of columns, or data given instead of a table.

    Parameters
    ----------
    truth
        The column of the true labels; two or more columns of several annotators' labels. With arrays, a mapping of
        names to arrays instead of the true labels.
    annotators
        How several annotators' labels count: 'soft' (the default), each as much as the others of its item, so that the
        measure is that against a random annotator; or 'majority', the label that most of them give.
    systems
        The systems to use, by column name (for joined files, by system name). Default: every other column that can
        be a system; columns such as ids, texts and dates are skipped. Or the runs of each system: a mapping from names
        to lists of columns or patterns, as in {'bert': 'bert_s*'}.
    paired_runs
        Whether runs belong together across systems: run 1 of each has the same seed, or the same split.
    names
        Names of systems given as arrays, runs, counts or wins. Default: A, B, C, ...; for runs, their file names.
    count
        The column with the number of items that each row represents; for labels in a single table.
    id
        The column of unique item ids, on which several tables, one per system, are joined. A system is then named after
        its column, or after its file if several files have that column. For long tables and numbers, use `item`.
    missing
        How to handle missing values: 'error' (the default); 'drop' the items; or 'wrong', which counts missing
        predictions as wrong and missing results as 0. In multi-label cells, an empty cell means no label.
    unlabelled
        How to handle items without a true label: 'use' them as unlabelled items (the default with a judge), 'drop'
        them, or 'error' (the default without one). With several labels per item, a blank truth is then an unlabelled
        item; one that has none of the labels has an empty list, `[]`.
    judge
        The columns of judges, such as a language model, that label all items; one or several. Numbers, such as a
        confidence, are cut into bins ('confidence:4'). Only labelled items say what is true. With arrays, a mapping of
        names to arrays.
    inclusion
        The column of the probability with which each labelled item was chosen to be labelled, if this was not at random
        among items that the systems and judges label alike.
    merge
        Labels to merge into coarser ones, in the truth and in all predictions: a mapping {new: [old, ...]} or
        {old: new}, texts such as 'Cause=Cause(e1,e2)|Cause(e2,e1)', or a CSV file with the columns old and new. Labels
        that are not listed stay as they are. An item with several labels has the new one if it has any of the old ones.
    item
        The column that identifies the items of a long table; for numbers also of a wide one, where rows of the same
        item are repeated runs and not independent.
    label
        The column of labels in a long multi-label table with one row per item and label; the truth and the systems
        contain 1 or 0. With `system_column`: the column of predictions in a long table with one row per item and
        system.
    separator
        The separator of several labels in one cell, ';' by default. Cells may also contain lists.
    group
        The column of groups (documents, topics) whose items are not independent; for one label per item, for counts
        per item, or for numbers.
    tp, fp, fn
        The columns of true positives, false positives and false negatives, for counts per item. In a wide table
        patterns with a star for the system's name, as in '*_tp'; in a long one columns, with `system_column` and
        `item`; or columns of several tables, one per system, with `id`. `label` is the column of types, if there are.
    source
        The format of files that are no tables: 'conll', for tagged sequences. One file with several columns of tags, or
        the gold standard and one file per system; `truth`, `systems` and `label` are columns, by number or header. Or
        the format of evaluation logs, if it is not found by looking: 'lm-eval', 'inspect', 'helm', ...
    metric, scorer, filter, split
        For evaluation logs: the metric that is compared; the scorer, of Inspect; the filter, of lm-evaluation-harness;
        the split, of HELM, or the subset, of MTEB.
    log_runs, drop_changed, unfinished
        For evaluation logs: which of several runs of one system on one task counts, the 'latest', or 'all', each an
        epoch; whether items whose question or gold answer changed are left out; whether runs are read that did not
        end in success.
    duplicates, board
        For LiveBench, which of several judgments of one question counts, 'first', 'last' or 'mean'; for SWE-bench, the
        leaderboard.
    scheme, strict, unit
        For tagged sequences: the scheme of the tags ('bio', 'iob1', 'bioes', 'bilou'; by default the one they look
        like), whether only entities count whose tags all follow it, and whether a 'sentence' (the default) or a
        'document' is the unit.
    scores
        Whether the systems' columns contain numbers: classifier scores if there is a truth, otherwise results.
    score, system_column
        The columns of numbers and of systems in a long table with one row per item and system; several tables are
        concatenated. `score` alone: the column of numbers in several tables, one per system.
    lower_is_better, title
        For results: their direction, and their name, such as 'latency'.
    fold, repeat, data_set
        For results: the columns of cross-validation folds, of repeats, and of data sets. With `item` and without
        `fold`: repeats of items, such as several answers to a question, averaged within the item; also of labels
        (`truth`), of which an answer is right or wrong.
    test_share
        For folds: the share of the data tested in each; by default, one over their number.
    runs
        The column of runs (seeds, trainings) of each system, which all see the same items; with `item`.
    qrels
        Instead of data: TREC judgements; `runs` are then run files.
    counts
        Instead of data: published counts of one system or several, `dict(tp=10, fp=10, fn=4)`; or rates, from which
        the counts are recovered, `dict(precision=".90", recall=".85", positives=1000)`, `dict(accuracy=.91, n=2000)`.
    same_items
        Whether all `counts` are of the same items: then every possible agreement between the systems is looked at.
    wins, items
        Instead of data: the numbers of items that only A and only B got right, `(17, 4)`, and the total number of
        items.
    """

    truth: str | Sequence[str] | None
    annotators: str | None
    systems: Sequence[str] | Mapping[str, Any] | None
    paired_runs: bool | None
    names: Sequence[str] | None
    count: str | None
    id: str | None
    missing: str | None
    unlabelled: str | None
    judge: Any
    inclusion: str | None
    merge: Any
    item: str | None
    label: str | None
    separator: str | None
    group: str | None
    scores: bool | None
    score: str | None
    system_column: str | None
    lower_is_better: bool | None
    title: str | None
    fold: str | None
    repeat: str | None
    test_share: float | None
    data_set: str | None
    qrels: str | Path | None
    runs: str | Path | Sequence[str | Path] | None
    tp: str | None
    fp: str | None
    fn: str | None
    source: str | None
    scheme: str | None
    strict: bool | None
    unit: str | None
    metric: str | None
    scorer: str | None
    filter: str | None
    split: str | None
    log_runs: str | None
    drop_changed: bool | None
    unfinished: bool | None
    duplicates: str | None
    board: str | None
    counts: Any
    same_items: bool | None
    wins: Any
    items: int | None


# Options that say that the columns hold numbers, or many labels per item.
OF_NUMBERS: Final = ("scores", "score", "system_column", "lower_is_better", "title", "fold", "repeat", "test_share")
OF_ITEMS: Final = ("tp", "fp", "fn")
OF_SPANS: Final = ("source", "scheme", "strict", "unit")
OF_JUDGES: Final = ("unlabelled", "judge", "inclusion")
OF_LOGS: Final = (
    "metric",
    "scorer",
    "filter",
    "split",
    "log_runs",
    "drop_changed",
    "unfinished",
    "duplicates",
    "board",
)
OF_MANY: Final = ("item", "label", "separator")
COUNTED: Final = ("counts", "same_items", "wins", "items")
_TABLE: Final = ("truth", "systems", "id", "missing", "merge")
_SCORES: Final = ("systems", "id", "missing", "item", "group", "scores", "score", "system_column")
# What each kind of source uses; everything else is an error.
USED: Final[Mapping[str, tuple[str, ...]]] = {
    "wins": ("wins", "items", "names"),
    "counts": ("counts", "names", "same_items"),
    "TREC runs": ("qrels", "runs", "names", "systems", "missing"),
    "data that were read before": ("systems", "merge"),
    "two test sets that were read before": ("merge",),
    "a file that names its own columns": ("systems", "merge"),
    "arrays of labels": ("names", "missing", "merge"),
    "arrays of many labels": ("names", "missing", "separator", "merge"),
    "arrays of scores": ("names", "missing", "scores"),
    "classifier scores": ("truth", *_SCORES),
    "results": (*_SCORES, "lower_is_better", "title", "fold", "repeat", "test_share", "data_set"),
    "results with repeats": (
        *("truth", "systems", "missing", "item", "group", "scores", "score", "system_column", "label"),
        *("lower_is_better", "title", "repeat"),
    ),
    "counts per item": ("systems", "id", "missing", "item", "label", "system_column", "group", "count", *OF_ITEMS),
    "tagged sequences": ("truth", "systems", "names", "label", *OF_SPANS),
    "partly labelled items": (*_TABLE, "count", *OF_JUDGES),
    "partly labelled lists": ("truth", "systems", "id", "merge", "separator", *OF_JUDGES),
    "labels by several annotators": ("truth", "systems", "names", "id", "missing", "merge", "count", "annotators"),
    "evaluation logs": ("systems", "missing", "group", "source", *OF_LOGS),
    "items in groups": (*_TABLE, "count", "group"),
    "items with many labels": (*_TABLE, *OF_MANY),
    "a long table of labels": ("truth", "systems", "missing", "merge", "item", "label", "system_column"),
    "labels": (*_TABLE, "count"),
    # And what the runs themselves are read with.
    "runs": ("runs", "paired_runs", *_TABLE, "item", "label", "system_column", "score", "scores"),
}
