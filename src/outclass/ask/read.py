"""Reading: every kind of input becomes data here. An option that would have no effect raises an error."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias, Unpack

from outclass.ask.columns import COUNTED, OF_ITEMS, OF_JUDGES, OF_MANY, OF_NUMBERS, OF_SPANS, Columns
from outclass.ask.handed import (
    has_annotators,
    holds_lists,
    named,
    refuse_estimators,
    refuse_labels,
    scores_in,
    wants_scores,
)
from outclass.ask.runs import prepared
from outclass.ask.stated import check_no_positive, check_only, read_counted, read_trec_runs
from outclass.ask.used import ASKED_OF_ALL, spelt, unknown_arguments, unused
from outclass.data.annotated import Annotated
from outclass.data.arrays import from_arrays
from outclass.data.columns import columns_in
from outclass.data.databases import is_database
from outclass.data.grouped import Grouped, read_grouped
from outclass.data.label_tables import read_labels
from outclass.data.merging import merge_of, merged
from outclass.data.multilabel import MultiLabel, from_cells, read_multilabel
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_lists import PartlyLists
from outclass.data.published import PublishedCounts, WinCounts
from outclass.data.readers import files_reader, reader_of, source_of
from outclass.data.runs import Runs, runs_of
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts, PerItem, UnitCounts
from outclass.errors import InputError, quoted
from outclass.locations import located

Data: TypeAlias = (
    Outcomes
    | Annotated
    | PartlyLabelled
    | PartlyLists
    | MultiLabel
    | Grouped
    | UnitCounts
    | GroupedCounts
    | Scores
    | Runs
    | TwoSets
    | PublishedCounts
    | WinCounts
)

MOST_PATHS: Final = 10_000
TABLES: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")  # which hold no logs


def read(
    data: Any = None,
    *predictions: Any,
    positive: Any = None,
    measure: Any = None,
    apart: bool = False,
    **columns: Unpack[Columns],
) -> Data:
    """Read data of any kind. An option that would have no effect raises an error.

    Parameters
    ----------
    data, predictions
        The true labels and each system's predictions, as arrays (the names of series become the systems' names), a
        mapping from names to arrays, or a dataframe; lists of lists or sets are several labels per item. Or only
        `data`: a path, a glob, a database table, a dataframe, a mapping of columns, a saved state, or data read before;
        or several tables, one per system, in a list or by name.
    positive
        For classifier scores: the positive label.
    measure
        For TREC runs: the measure, 'nDCG@10' by default. A measure of scores, such as AUC, means that the arrays or
        columns contain scores.
    apart
        Whether two tables without an id are two test sets rather than two systems on the same items.
    columns
        See `Columns`.
    """
    data = located(data)
    if isinstance(data, Runs) and columns.get("merge") is not None:
        base = read(data.base, merge=columns["merge"])
        rest: Any = {**columns, "merge": None}
        return read(runs_of(base, data.of, paired=data.paired), *predictions, **rest)
    if (runs := prepared(data, predictions, columns)) is not None:
        own: Any = runs.columns
        return runs.wrap(read(runs.data, *runs.predictions, positive=positive, measure=measure, apart=apart, **own))
    given = given_columns(columns)
    if "merge" in given:
        merge = merge_of(given.pop("merge"))
        found: Any = merged(_read(data, predictions, positive, measure, given, apart=apart), merge)
        return found  # type: ignore[no-any-return]
    return _read(data, predictions, positive, measure, given, apart=apart)


def _read(
    data: Any, predictions: Sequence[Any], positive: Any, measure: Any, given: dict[str, Any], *, apart: bool
) -> Data:
    """Read data of any kind, with the options that were given."""
    if (stated := _stated(data, predictions, positive, measure, given)) is not None:
        return stated
    if data is None:
        raise InputError("nothing to read: give arrays, a path or a dataframe, or published counts (⟨counts⟩, ⟨wins⟩).")
    if (known := _known(data, predictions, positive, given, apart=apart)) is not None:
        return known
    if (paths := files_of(data, predictions, given)) is not None:
        return _from_files(paths, given)
    refuse_estimators((data, *predictions))
    if (labelled := _labelled_by(data, predictions, given)) is not None:
        return labelled
    if predictions:
        return _arrays(data, predictions, positive, measure, given)
    if isinstance(data, list | tuple) and len(data) == 1:
        (data,) = data
    if "names" in given:
        raise unused(["names"], "tables, whose columns have names of their own")
    if isinstance(data, str | Path) and not is_database(data) and (reader := reader_of(Path(data))) is not None:
        check_only(given, "a file that names its own columns")
        found: Data = reader.read(Path(data))
        if isinstance(found, Scores):
            check_no_positive(positive)
        return _selected(found, given)
    if "scores" not in given and "truth" in given and wants_scores(measure):
        given |= {"scores": True}
    return _table(data, positive, given, apart=apart)


def _stated(data: Any, predictions: Sequence[Any], positive: Any, measure: Any, given: dict[str, Any]) -> Data | None:
    """Read what is not a table: published counts, TREC runs, evaluation logs; None of anything else."""
    if any(name in given for name in COUNTED):
        return read_counted(data, predictions, given)
    if "qrels" in given or "runs" in given:
        return read_trec_runs(data, predictions, positive, measure, given)
    own = logs_in(data, predictions, given)
    return None if own is None else _from_logs(own, positive, measure, given)


def _labelled_by(data: Any, predictions: Sequence[Any], given: dict[str, Any]) -> Data | None:
    """Read labels of several annotators, or of some items only; None of one true label for each item."""
    if has_annotators(data, predictions, given):
        from outclass.ask.annotated import read_annotated  # loaded for several annotators alone

        return read_annotated(data, predictions, given)
    if any(name in given for name in OF_JUDGES):
        from outclass.ask.judged import read_judged  # loaded for partly labelled items alone

        return read_judged(data, predictions, given)
    return None


def logs_in(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> Any | None:
    """Return the evaluation logs in what a user gave as data; None of anything else."""
    if not (hasattr(data, "found") or _are_paths(data, predictions)):
        return None
    if not isinstance(data, Mapping) and not hasattr(data, "found"):
        from outclass.data.logs.places import are_logs  # much less than what reads them

        if not are_logs([*(data if isinstance(data, list | tuple) else [data]), *predictions], given.get("source")):
            return None
    from outclass.ask import logs  # loaded for logs alone

    return logs.logs_in(data, predictions, given)


def _are_paths(data: Any, predictions: Sequence[Any]) -> bool:
    """Return whether all that a user gave are texts that may be paths of logs: not arrays, and not tables by name."""
    listed = list(data.values()) if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else [data]
    if not 0 < len(listed) <= MOST_PATHS or not all(isinstance(each, str | Path) for each in predictions):
        return False
    texts = [str(each) for each in listed if isinstance(each, str | Path)]
    if len(texts) < len(listed) or any(map(is_database, texts)):
        return False
    return not all(text.lower().endswith(TABLES) for text in texts)


def _from_logs(own: Any, positive: Any, measure: Any, given: Mapping[str, Any]) -> Data:
    """Read evaluation logs: as a table of labels, or of numbers."""
    from outclass.ask import logs

    (metric,) = logs.asked_metrics(own, measure, several=False)
    table = logs.table_of(own, metric, measure, group=given.get("group"))
    found = _read(dict(table.columns), (), positive, measure, dict(table.given), apart=False)
    return logs.with_findings(found, table.findings)  # type: ignore[no-any-return]


def given_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, names of columns as text."""
    given = {name: value for name, value in columns.items() if value is not None and value is not False}
    unknown = sorted(set(given) - set(Columns.__annotations__))
    if unknown:
        raise unknown_arguments(unknown, (*Columns.__annotations__, *ASKED_OF_ALL))
    if isinstance(given.get("truth"), list | tuple) and len(given["truth"]) == 1:
        (given["truth"],) = given["truth"]
    for name in ("systems", "names"):
        if name in given:
            value = given[name]
            given[name] = [value] if isinstance(value, str) else [str(each) for each in value]
            if len(set(given[name])) < len(given[name]):
                raise InputError(f"{spelt(name)} has one name twice: {quoted(given[name])}.")
    return given


def files_of(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> list[Path] | None:
    """Return files that are no tables and read together: those said to be (`source`), or that look like it."""
    listed = [*(data if isinstance(data, list | tuple) else [data]), *predictions]
    paths = [Path(each) for each in listed if isinstance(each, str | Path) and not is_database(each)]
    if len(paths) < len(listed):
        if "source" in given:
            raise InputError("⟨source⟩ is for files: give their paths.")
        return None
    return paths if "source" in given or source_of(paths) is not None else None


def _from_files(paths: Sequence[Path], given: Mapping[str, Any]) -> PerItem:
    reader = files_reader(given.get("source") or source_of(paths) or "")
    check_only(given, "tagged sequences")
    found: PerItem = reader.read_files(paths, **{name: given[name] for name in reader.OPTIONS if name in given})
    return found


def _known(
    data: Any, predictions: Sequence[Any], positive: Any, given: Mapping[str, Any], *, apart: bool
) -> Data | None:
    """Return what was read before, with the systems that are wanted; None of anything else."""
    if isinstance(data, Outcomes) and len(predictions) == 1 and isinstance(predictions[0], Outcomes):
        if not apart:
            raise InputError("two test sets can only be compared with ⟨model=unpaired⟩ or ⟨model=goutte⟩.")
        check_only(given, "two test sets that were read before")
        return TwoSets(data, predictions[0])
    if not isinstance(data, Data):
        return None
    if predictions:
        raise InputError("the data were read before: leave out arrays of predictions.")
    check_only(given, "data that were read before")
    if isinstance(data, Scores):
        check_no_positive(positive)
    return _selected(data, given)


def _selected(data: Data, given: Mapping[str, Any]) -> Data:
    """Return the systems that are wanted, if some are."""
    if "systems" not in given:
        return data
    if isinstance(data, TwoSets | WinCounts):
        raise InputError(f"⟨systems⟩ cannot be picked from {data.kind}: leave it out.")
    return data.selected(given["systems"])


def _arrays(truth: Any, predictions: Sequence[Any], positive: Any, measure: Any, given: Mapping[str, Any]) -> Data:
    """Read arrays of labels, of lists of labels, or of scores, which a measure of scores asks for."""
    missing = given.get("missing", "error")
    arrays = named(truth, predictions, given.get("names"))
    told = any(name in given for name in OF_NUMBERS)
    if told or wants_scores(measure):
        check_only(given, "arrays of scores")
        from outclass.data.score_tables import scores_of  # loaded for numbers alone

        arrays = scores_in(truth, arrays, positive)
        if not told:
            refuse_labels(arrays)
        return scores_of(truth, arrays, positive, missing=missing)
    if "separator" in given or any(map(holds_lists, (truth, *arrays.values()))):
        check_only(given, "arrays of many labels")
        for name, array in {"truth": truth, **arrays}.items():
            _refuse_matrix(array, name)
        return from_cells(truth, arrays, given.get("separator"), missing)
    check_only(given, "arrays of labels")
    return from_arrays(truth, arrays, missing=missing)


def wants_items(data: Any, measure: Any, given: Mapping[str, Any]) -> bool:
    """Return whether a table of labels is needed item by item: it holds lists of labels, or scores."""
    scores = "scores" not in given and "truth" in given and wants_scores(measure)
    return scores or any(map(holds_lists, (columns_in(data) or {}).values()))


def _refuse_matrix(array: Any, name: str) -> None:
    """Refuse lists that are rows of a matrix: one number per class, not the labels of an item."""
    lists = [each for each in islice(array, 1000) if isinstance(each, list | tuple)]
    same = len(lists) == min(len(array), 1000) and len({len(each) for each in lists}) == 1 and len(lists[0]) > 1
    numbers = (value for each in lists for value in each)
    if same and all(isinstance(value, int | float) and (value in (0, 1) or value % 1) for value in numbers):
        raise InputError(
            f"{quoted([name])} looks like a matrix with a number for each class, not like lists of labels. Give the "
            "labels of each item; turn class probabilities into labels first (argmax)."
        )


def _table(data: Any, positive: Any, given: dict[str, Any], *, apart: bool) -> Data:
    """Read a table, or several, by what the options say that it holds."""
    if any(name in given for name in OF_ITEMS):
        return _per_item(data, given)
    if left := [name for name in OF_SPANS if name in given]:
        raise unused(left, "tables", "It applies to tagged sequences (⟨source=conll⟩).")
    if "repeat" in given and not {"fold", "data_set"} & set(given):
        return _repeated(data, positive, given)
    if "label" in given and "system_column" in given:
        check_only(given, "a long table of labels")
        from outclass.data.long_labels import read_long_labels  # loaded for long tables alone

        return read_long_labels(data, **given)
    if "data_set" in given or any(name in given for name in OF_NUMBERS):
        return _numbers(data, positive, given)
    if "group" in given:
        if many := [name for name in OF_MANY if name in given]:
            raise InputError(
                f"⟨group⟩ is for one label per item: leave out {', '.join(map(spelt, many))}. Items with "
                "many labels are not split further."
            )
        check_only(given, "items in groups")
        return read_grouped(data, **given)
    if any(name in given for name in OF_MANY) or any(map(holds_lists, (columns_in(data) or {}).values())):
        check_only(given, "items with many labels")
        return read_multilabel(data, **given)
    check_only(given, "labels")
    if apart and "id" not in given and len(sets := _test_sets(data)) == 2:
        return TwoSets.of_files(*((name, read_labels(each, **given)) for name, each in sets))
    return read_labels(data, **given)


def _repeated(data: Any, positive: Any, given: Mapping[str, Any]) -> Scores:
    """Read numbers or labels of items that were repeated."""
    check_only(given, "results with repeats")
    check_no_positive(positive)
    if "truth" in given and ("scores" in given or "score" in given):
        raise InputError(
            "repeats of classifier scores are not averaged, as the AUC of averages is that of an ensemble: compare one "
            "repeat at a time, or a number per answer such as its log loss, without ⟨truth⟩."
        )
    from outclass.data.repeat_tables import read_repeats  # loaded for repeats alone

    spelt = {"system_column": "system", "title": "name"}
    return read_repeats(data, **{spelt.get(name, name): value for name, value in given.items() if name != "scores"})


def _per_item(data: Any, given: Mapping[str, Any]) -> PerItem:
    """Read counts per item."""
    if lacking := [name for name in OF_ITEMS if name not in given]:
        raise InputError(
            f"counts per item need three columns, ⟨tp⟩, ⟨fp⟩ and ⟨fn⟩: {', '.join(map(spelt, lacking))} "
            f"{'is' if len(lacking) == 1 else 'are'} missing."
        )
    check_only(given, "counts per item")
    from outclass.data.count_tables import read_counts  # loaded for counts per item alone

    return read_counts(data, **given)


def _test_sets(data: Any) -> list[tuple[Any, Any]]:
    """Return the tables of several, each with the name of its file or what the user calls it, if anything."""
    if isinstance(data, list | tuple) and all(isinstance(each, str | Path) for each in data):
        return [(each, each) for each in data]
    from outclass.data.frame_joining import frames_in  # Narwhals is loaded for frames only

    frames = frames_in(data) or {}
    return list(frames.items()) if isinstance(data, Mapping) else [(None, frame) for frame in frames.values()]


def _numbers(data: Any, positive: Any, given: Mapping[str, Any]) -> Scores:
    """Read classifier scores, or results."""
    if "truth" in given and not any(name in given for name in ("scores", "score", "system_column")):
        check_only(given, "labels")  # nothing says that there are scores, and these options are of results
    check_only(given, "classifier scores" if "truth" in given else "results")
    if "truth" not in given:
        check_no_positive(positive)
    if "item" in given and "id" in given:
        raise InputError("⟨item⟩ and ⟨id⟩ both name the items: give one of them.")
    spelt = {"id": "item", "system_column": "system", "title": "name"}
    own = {spelt.get(name, name): value for name, value in given.items() if name != "scores"}
    from outclass.data.score_tables import read_table  # loaded for numbers alone

    return read_table(data, positive=positive, **own)
