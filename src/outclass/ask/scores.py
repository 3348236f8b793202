"""`scores`: numbers per item and system, read once and kept."""

from typing import Any, Unpack

from outclass.ask.columns import Columns
from outclass.ask.read import read
from outclass.data.scores import Scores
from outclass.errors import InputError


def scores(
    data: Any = None,
    *,
    positive: Any = None,
    measure: str | None = None,
    system: str | None = None,
    name: str | None = None,
    **columns: Unpack[Columns],
) -> Scores:
    """Read scores for `compare`, `rank`, `evaluate` and `test`: numbers per item and system, instead of labels.

    Parameters
    ----------
    data
        A path or a dataframe: wide, with a column for each system, or long, with the columns `system` and `score`.
    positive
        The positive label, if there is a truth.
    measure
        With `qrels` and `runs`: any measure of ir_measures, 'nDCG@10' by default.
    system, name
        The column of systems in a long table; the name of the numbers, such as 'latency'.
    columns
        See `outclass.ask.columns.Columns`: `truth` (the numbers are then classifier scores, for AUC and similar
        measures; otherwise results), `systems`, `item`, `group`, `score`, `fold`, `repeat`, `test_share`, `data_set`,
        `lower_is_better`, `qrels`, `runs`, `missing`.
    """
    named: Any = dict(columns)
    if named.get("qrels") is None and not named.get("runs"):
        if data is None:
            raise InputError("there are no scores: give a path or a dataframe, or qrels and runs.")
        named |= {"scores": True}
        named |= {key: value for key, value in (("system_column", system), ("title", name)) if value is not None}
    elif name is not None or system is not None:
        raise InputError("system and name are of a table; TREC runs name both themselves: leave out.")
    elif named.get("qrels") is None:
        raise InputError("runs need the judgements (qrels).")
    found = read(data, positive=positive, measure=measure, **named)
    assert isinstance(found, Scores)
    return found
