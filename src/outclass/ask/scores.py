"""Scores and results instead of labels: reading them, and what is asked of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outclass.data.scores import Scores, read_table
from outclass.data.trec import read_trec
from outclass.errors import InputError


def scores(
    data: Any = None,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    positive: Any = None,
    item: str | None = None,
    system: str | None = None,
    score: str | None = None,
    group: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    data_set: str | None = None,
    test_share: float | None = None,
    qrels: str | Path | None = None,
    runs: Sequence[str | Path] = (),
    measure: str = "nDCG@10",
    name: str | None = None,
    lower_is_better: bool = False,
    missing: str = "error",
) -> Scores:
    """Read scores for `compare` and `rank`: numbers per item and system, instead of labels.

    Parameters
    ----------
    data
        A path or a dataframe: wide, with a column for each system, or long, with the columns `system` and `score`.
    truth, positive
        The column of the true labels: the numbers are then scores of a classifier, for the AUC and its kin. Without it
        they are results: what each item, query, fold or data set was worth.
    systems, item, group
        The systems to take; the column that names an item (in a long table); and of what items hang together: topics,
        documents. Several rows of one item hang together too.
    fold, repeat, test_share
        Of cross-validation: the columns of folds and repeats; the share of the data that a fold tests (1 / folds).
    data_set
        The column of data sets.
    qrels, runs, measure
        Instead of data: TREC judgements, run files, and any measure of ir_measures.
    name, lower_is_better
        What the numbers are ('latency'), and which way is better.
    missing
        What to do about scores that are not there: 'error', 'drop' the items, or count them as 0 ('wrong').
    """
    if qrels is not None:
        if data is not None:
            raise InputError("give a table, or qrels and runs, not both.")
        return read_trec(qrels, runs, measure, missing=missing, names=systems)
    if runs:
        raise InputError("runs need the judgements (qrels).")
    if data is None:
        raise InputError("there are no scores: give a path or a dataframe, or qrels and runs.")
    return read_table(
        data,
        truth=truth,
        systems=systems,
        positive=positive,
        item=item,
        system=system,
        score=score,
        group=group,
        fold=fold,
        repeat=repeat,
        data_set=data_set,
        test_share=test_share,
        name=name,
        lower_is_better=lower_is_better,
        missing=missing,
    )
