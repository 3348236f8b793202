"""What a command reads: files, or counts in their place."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from outclass.data.state import is_state
from outclass.errors import InputError, unknown

if TYPE_CHECKING:
    from outclass.data.scores import Scores

ENGINES: Final = ("duckdb", "spark")


def data_of(
    files: Sequence[str] | None,
    truth: str | None,
    *,
    counted: bool,
    engine: str = "duckdb",
    master: str | None = None,
) -> Any:
    """Return the files as the library takes them, or as tables of another engine; none if counts are given instead."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    if master is not None and engine != "spark":
        raise InputError("--master is where Spark runs: ask for it (--engine spark).")
    if not files:
        if counted:
            return None
        raise InputError("nothing to read: name a file, or give counts (--counts, --wins). See --help.")
    if truth is None and not counted and not (len(files) == 1 and is_state(Path(files[0]))):
        raise InputError(
            "which column holds the true labels? Say --truth COL; or --scores, if the columns are numbers of each "
            "item, as 1 and 0 for right and wrong."
        )
    if engine == "spark":
        from outclass.data.spark import spark_tables

        return spark_tables(files, master)
    return list(files) if len(files) > 1 else files[0]


_OF_SCORES = ("scores", "score", "system_column", "lower_is_better", "fold", "repeat", "test_share", "data_set")
_OF_LABELS = ("counts", "wins", "items", "count", "label", "separator", "by", "prior", "tolerance", "chains")


def asks_scores(given: Mapping[str, Any]) -> bool:
    """Return whether the options speak of numbers instead of labels."""
    return any(given.get(name) for name in (*_OF_SCORES, "qrels", "run"))


def scores_given(given: Mapping[str, Any]) -> "tuple[Scores, Any]":
    """Read the numbers that the options name; and the measure, as far as it is not used up by reading."""
    from outclass.ask.scores import refuse_with_scores, scores  # loaded for scores alone

    if given.get("engine", "duckdb") != "duckdb" or given.get("master") is not None:
        raise InputError("scores are read here, item by item: leave out --engine and --master.")
    refuse_with_scores(
        **{name: given.get(name) for name in _OF_LABELS},
        sensitivity=given.get("sensitivity") or None,
        method=None if given.get("method") in (None, "auto") else given["method"],
        prior_recall=given.get("prior_recall"),
        prior_fpr=given.get("prior_fpr"),
        prior_prevalence=given.get("prior_prevalence"),
        undefined=None if given.get("undefined") in (None, "drop") else given["undefined"],
    )
    # Who joins files by --id calls the same column so here.
    given = {**given, "item": given["item"] or given.get("id")}
    files, measure = given["files"] or [], given["measure"]
    if given["qrels"] is not None or given["run"]:
        if files or given["truth"] or any(given[name] for name in _OF_SCORES):
            raise InputError("--qrels and --run stand for themselves: leave out files and columns of scores.")
        if given["qrels"] is None or not given["run"]:
            raise InputError("runs need judgements and judgements runs: --qrels FILE --run FILE --run FILE.")
        if measure is not None and len(measure) > 1:
            raise InputError("runs are compared in one measure at a time.")
        wanted = measure[0] if measure else "nDCG@10"
        found = scores(
            qrels=given["qrels"], runs=given["run"], measure=wanted, systems=given["system"], missing=given["missing"]
        )
        return found, None
    if len(files) != 1:
        raise InputError(f"scores are read from one table, got {len(files)} files.")
    names = ("truth", "positive", "item", "score", "group", "fold", "repeat", "data_set", "test_share", "missing")
    found = scores(
        files[0],
        systems=given["system"],
        system=given["system_column"],
        lower_is_better=given["lower_is_better"],
        **{name: given[name] for name in names},
    )
    return found, measure
