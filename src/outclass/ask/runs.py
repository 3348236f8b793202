"""Runs of a system, however they are given: patterns over columns, a column of runs, a file or an array for each."""

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from outclass.ask.columns import COUNTED, OF_ITEMS
from outclass.ask.handed import named
from outclass.ask.run_arrays import arrays_of_runs
from outclass.ask.run_files import ReadAs, listed, of_files, run_files
from outclass.ask.used import unused
from outclass.data.candidates import in_memory as label_columns
from outclass.data.candidates import numeric
from outclass.data.columns import Whole, columns_in
from outclass.data.databases import is_database
from outclass.data.in_memory import check_columns, stacked, tables_of
from outclass.data.names import systems_of
from outclass.data.readers import reader_of, source_of
from outclass.data.run_tables import Of, Wide, keys_of, molten, names_in, run_name
from outclass.data.runs import Base, Runs, check_each_once, runs_of
from outclass.errors import InputError, did_you_mean, quoted, shown

IS: Final = "="
ROLES: Final = ("truth", "count", "id", "item", "label", "group", "score", "fold", "data_set", "repeat")
TWICE: Final = "⟨runs⟩ names the column of runs, and ⟨systems⟩ says which columns are runs: use one of them."
Wrap = Callable[[Any], Runs]


class Prepared(NamedTuple):
    """What to read instead, as if each run were a system; and who ran what."""

    data: Any
    predictions: tuple[Any, ...]
    columns: dict[str, Any]
    wrap: Wrap


@dataclass(frozen=True)
class _Wrap:
    """Say of data just read which of their systems are runs of one."""

    of: Mapping[str, Sequence[str]]
    paired: bool

    def __call__(self, base: Any) -> Runs:
        return runs_of(base, self.of, paired=self.paired)


def prepared(
    data: Any, predictions: Sequence[Any], columns: Mapping[str, Any], by: Iterable[str] = ()
) -> Prepared | None:
    """Return what to read, if systems have several runs; None where each system is one.

    `by` are the columns that make slices, which a table keeps.
    """
    given = {name: value for name, value in columns.items() if value is not None and value is not False}
    paired = bool(given.pop("paired_runs", False))
    stated = any(name in given for name in ("qrels", *COUNTED))
    found = None if stated else _found(data, predictions, given, tuple(by))
    if found is None:
        if paired:
            raise InputError(
                "⟨paired_runs⟩ applies to several runs of each system: say which they are (⟨runs⟩, ⟨systems⟩)."
            )
        return None
    (data, predictions, given), of = found
    check_each_once(of)
    return Prepared(data, tuple(predictions), given, _Wrap({name: tuple(runs) for name, runs in of.items()}, paired))


def _found(
    data: Any, predictions: Sequence[Any], given: dict[str, Any], by: tuple[str, ...]
) -> tuple[ReadAs, Of] | None:
    files = run_files(data, given)
    if files is not None and not _are_logs(data, given):
        return of_files(files, given, by)
    if (column := _column_of_runs(given)) is not None:
        if data is None:
            return None
        if _are_logs(data, given):
            raise unused(["runs"], "evaluation logs", "Which of several runs counts is said with ⟨log_runs⟩.")
        _check_one_truth(given)
        if predictions or isinstance(data, Base | Runs):
            raise InputError("⟨runs⟩ names the column of runs in a table, and there is none: give the table.")
        return _of_column(data, given | {"runs": column}, by)
    if len(predictions) == 1 and (arrays := arrays_of_runs(data, predictions[0])) is not None:
        flat = {name: array for runs in arrays.values() for name, array in runs.items()}
        return (data, [flat], given), {name: list(runs) for name, runs in arrays.items()}
    spec = given.get("systems")
    if not isinstance(spec, Mapping) and not any(IS in str(each) for each in listed(spec)):
        return None
    return _of_patterns(data, predictions, given, spec)


def _are_logs(data: Any, given: Mapping[str, Any]) -> bool:
    """Return whether files are evaluation logs, whose names say what systems are called."""
    from outclass.data.logs.places import are_logs  # loaded for files alone

    return are_logs(data, given.get("source"))


def _check_one_truth(given: Mapping[str, Any]) -> None:
    if len(listed(given.get("truth"))) > 1:
        raise InputError(
            f"runs of a system are compared with one true label per item, and ⟨truth⟩ names {quoted(given['truth'])}: "
            "give one of them."
        )


def _column_of_runs(given: Mapping[str, Any]) -> str | None:
    """Return the column of runs; several of them are TREC runs, which need judgements."""
    names = listed(given.get("runs"))
    return str(names[0]) if len(names) == 1 else None


# --- patterns over columns -------------------------------------------------------------------------------------------


def _of_patterns(data: Any, predictions: Sequence[Any], given: dict[str, Any], spec: Any) -> tuple[ReadAs, Of] | None:
    """Find the runs of each system among the columns."""
    others = {name: value for name, value in given.items() if name != "systems"}
    if isinstance(data, str | Path) and not is_database(data) and reader_of(Path(data)) is not None:
        from outclass.ask.read import read  # which asks here first

        data, others = read(data, **others), {}
    arrays = named(data, predictions, given.get("names")) if predictions else None
    known = list(arrays) if arrays is not None else _names(data, others)
    asked = spec if isinstance(spec, Mapping) else _split(listed(spec), known)
    if asked is None:
        return None
    _check_one_truth(given)
    of = {str(name): _matching(str(name), wanted, known) for name, wanted in asked.items()}
    wanted = list(dict.fromkeys(run for runs in of.values() for run in runs))
    if arrays is not None:
        kept = {name: value for name, value in others.items() if name != "names"}
        return (data, [{name: arrays[name] for name in wanted}], kept), of
    if isinstance(data, Base):
        return (data, predictions, others), of
    return (data, predictions, {**others, "systems": wanted}), of


def _split(given: Sequence[Any], known: Sequence[str]) -> dict[str, list[str]] | None:
    """Take 'bert=bert_s*' apart; None if every text is the name of a column itself, as 'lr=0.1' may be."""
    if all(str(each) in known for each in given):
        return None
    found: dict[str, list[str]] = {}
    for each in given:
        name, pattern = _named_pattern(str(each), known)
        if not name or not pattern:
            raise InputError(f"⟨systems⟩ must be NAME=PATTERN for runs of a system, got {shown(each)}.")
        found.setdefault(name, []).append(pattern)
    return found


def _named_pattern(text: str, known: Sequence[str]) -> tuple[str, str]:
    """Take a name and its pattern apart, of which either may hold the sign: at the first where the pattern matches."""
    signs = [at for at, letter in enumerate(text) if letter == IS]
    if text in known or not signs:
        return text, text  # a system with a single run
    ways = [(text[:at], text[at + 1 :]) for at in signs]
    return next((way for way in ways if way[0] and _columns_like(way[1].split(",")[0], known)), ways[0])


def _columns_like(pattern: str, known: Sequence[str]) -> list[str]:
    return [pattern] if pattern in known else [one for one in known if fnmatch.fnmatchcase(one, pattern)]


def _matching(name: str, wanted: Any, known: Sequence[str]) -> list[str]:
    """Return the columns that are runs of a system."""
    found: list[str] = []
    for each in [wanted] if isinstance(wanted, str) else list(wanted):
        text = str(each)
        for pattern in [text] if text in known else text.split(","):
            own = _columns_like(pattern, known)
            if not own:
                raise InputError(
                    f"nothing matches {quoted([pattern])}, the runs of {quoted([name])} (⟨systems⟩). "
                    f"{did_you_mean(pattern, known) if known else 'The table has no columns.'}"
                )
            found += own
    return list(dict.fromkeys(found))


def _names(data: Any, given: Mapping[str, Any]) -> list[str]:
    """Return what could be a run: the systems of data read before, or the columns of a table."""
    if isinstance(data, Base | Runs):
        if isinstance(data, Runs):
            raise InputError("the data were read as runs of systems before: choose systems by name (⟨systems⟩).")
        return list(data.systems)
    if data is None:
        raise InputError("nothing to read: give arrays, a path or a dataframe.")
    if "source" in given or _looks_tagged(data):
        from outclass.ask.read import read

        return list(read(data, **given).systems)
    if (system := given.get("system_column")) is not None:
        return list(dict.fromkeys(names_in(_stacked(data, [system]), system, "system_column")))
    tables = _headers(data)
    if (star := str(given.get("tp", ""))).count("*") == 1:
        head, _, tail = star.partition("*")
        names = [column for _, own in tables for column in own]
        return [c[len(head) : len(c) - len(tail)] for c in names if c.startswith(head) and c.endswith(tail)]
    taken = [given[role] for role in ROLES if role in given]
    if len(tables) == 1:
        return [name for name in tables[0][1] if name not in taken]
    if any(name in given for name in OF_ITEMS) or "score" in given:
        return [name for name, _ in tables]  # each table is a system
    return list(systems_of(tables, taken, None))


def _looks_tagged(data: Any) -> bool:
    paths = data if isinstance(data, list | tuple) else [data]
    if not all(isinstance(each, str | Path) and not is_database(each) for each in paths):
        return False
    return source_of([Path(each) for each in paths]) is not None


def _headers(data: Any) -> list[tuple[str, list[str]]]:
    """Return each table's name and columns; of files their headers alone."""
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and paths and all(isinstance(each, str | Path) for each in paths):
        if not any(map(is_database, paths)):
            from outclass.data.files import opened_table  # DuckDB is loaded for files only

            found = []
            for path in paths:
                with opened_table(path) as table:
                    found.append((table.stem, list(table.columns)))
            return found
    elif (mapped := columns_in(data)) is not None:
        return [("the mapping", list(mapped))]
    return [(name, list(columns)) for name, columns in tables_of(data)]


def _stacked(data: Any, only: Sequence[str]) -> Whole:
    columns = stacked(tables_of(data, only=only))
    check_columns(columns, {each: each for each in only})
    return columns


# --- a column of runs ------------------------------------------------------------------------------------------------


def _of_column(data: Any, given: dict[str, Any], by: tuple[str, ...]) -> tuple[ReadAs, Of]:
    """Read a table with a column of runs: a row per item, run and, in a long one, system."""
    if isinstance(given.get("systems"), Mapping):
        raise InputError(TWICE)
    columns = dict(stacked(tables_of(data)))
    run, system = given["runs"], given.get("system_column")
    roles = {f"⟨{role}⟩": given[role] for role in (*ROLES, "runs", "system_column") if role in given}
    check_columns(columns, roles | {f"⟨{each}⟩": each for each in by})
    if "count" in given:
        raise InputError("⟨count⟩ is for rows that are alike, and runs are matched item by item: leave it out.")
    item = given.get("item", given.get("id"))
    if item is None:
        raise InputError("a table with a column of runs needs the column of items, which they share: ⟨item=COL⟩.")
    runs = names_in(columns, run, "runs")
    kept = {name: value for name, value in given.items() if name not in ("runs", "item", "id", "system_column")}
    systems = [str(each) for each in listed(given.get("systems"))]
    repeated = "repeat" in given and not {"fold", "data_set"} & set(given)
    if repeated and system is None:
        systems = systems or _system_columns(columns, given, by)
        columns, given = _molten(columns, given, systems)
        runs = names_in(columns, run, "runs")
    if repeated or any(name in given for name in OF_ITEMS):
        return _of_rows(columns, given, runs, item, systems)
    if system is not None:
        value = given.get("score", given.get("label"))
        if value is None:
            raise InputError("a long table needs its column of predictions (⟨label=COL⟩) or of numbers (⟨score=COL⟩).")
        whose = names_in(columns, system, "system_column")
        _check_known(systems, whose)
        values: dict[str, list[str] | None] = {value: whose}
        kept.pop("score", kept.pop("label", None))
        kept |= {"scores": True} if "score" in given else {}
        kept |= {"title": given["score"]} if "score" in given and "truth" not in given and "title" not in given else {}
    else:
        if any(IS in name and name not in columns for name in systems):
            raise InputError(TWICE)
        systems = systems or _system_columns(columns, given, by)
        check_columns(columns, {"⟨systems⟩" + " " * place: name for place, name in enumerate(systems)})
        values = dict.fromkeys(systems)
    keys, wide = keys_of(columns, item, "the table"), Wide()
    for column, owners in values.items():
        for row, key in enumerate(keys):
            who = column if owners is None else owners[row]
            if not systems or who in systems:
                wide.add(who, runs[row], key, columns[column][row])
    return _widened(wide, columns, keys, item, kept, by, systems)


def _check_known(systems: Sequence[str], whose: Sequence[str]) -> None:
    """Refuse systems that no row of a table names, and patterns of columns."""
    if lacking := [name for name in systems if name not in whose]:
        if IS in lacking[0]:
            raise InputError(TWICE)
        raise InputError(f"there is no system {quoted(lacking[:1])} (⟨systems⟩). {did_you_mean(lacking[0], whose)}")


def _widened(
    wide: Wide,
    columns: Whole,
    keys: Sequence[str],
    item: str,
    kept: dict[str, Any],
    by: tuple[str, ...],
    systems: Sequence[str],
) -> tuple[ReadAs, Of]:
    """Return the table with one column per run, and how it is read."""
    for role in dict.fromkeys([kept[each] for each in ("truth", "group") if each in kept] + list(by)):
        for key, value in zip(keys, columns[role], strict=True):
            wide.share(role, key, value, "the truth" if role == kept.get("truth") else "shared by all runs")
    of = {name: wide.of[name] for name in systems or wide.of}
    table = wide.columns(item, kept.get("missing", "error"))
    wanted = [run for runs in of.values() for run in runs]
    own = {name: value for name, value in table.items() if name != item}
    return (own, (), {**kept, "systems": wanted}), of


def _system_columns(columns: Whole, given: Mapping[str, Any], by: tuple[str, ...]) -> list[str]:
    """Return the columns of a wide table that can be systems."""
    taken = {given[role] for role in (*ROLES, "runs") if role in given} | set(by)
    others = [name for name in columns if name not in taken]
    if "truth" in given and "scores" not in given:
        return list(label_columns(columns, given["truth"], others).systems)
    return list(numeric(columns, others)[0])


def _molten(columns: Whole, given: dict[str, Any], systems: Sequence[str]) -> tuple[Whole, dict[str, Any]]:
    """Return a long table of repeats within runs, of a wide one with a column per system."""
    check_columns(columns, {"⟨systems⟩" + " " * place: name for place, name in enumerate(systems)})
    names = [next(name for name in (own, f"{own} ") if name not in columns) for own in ("system", "score")]
    role = "label" if "truth" in given and "scores" not in given else "score"
    kept = {name: value for name, value in given.items() if name != "scores" or "truth" in given}
    table = molten(columns, systems, (names[0], names[1]))
    return table, {**kept, "system_column": names[0], role: names[1]}


def _of_rows(
    columns: Whole, given: dict[str, Any], runs: Sequence[str], item: str, systems: Sequence[str]
) -> tuple[ReadAs, Of]:
    """Read a long table of counts per item, or of repeats within runs: a run is named by its system and itself."""
    system = given.get("system_column")
    if system is None:
        raise InputError(
            "counts per item with a column of runs come in a long table: name its column of systems (⟨system_column⟩)."
        )
    whose = names_in(columns, system, "system_column")
    own = "system and run"
    while own in columns:
        own += " "
    of: Of = {}
    for who, run in zip(whose, runs, strict=True):
        if not systems or who in systems:
            of.setdefault(who, [])
            of[who] += [name] if (name := run_name(who, run)) not in of[who] else []
    _check_known(systems, whose)
    table = {**columns, own: [run_name(who, run) for who, run in zip(whose, runs, strict=True)]}
    kept = {name: value for name, value in given.items() if name not in ("runs", "id")}
    wanted = [run for each in of.values() for run in each]
    return (table, (), {**kept, "item": item, "system_column": own, "systems": wanted}), of
