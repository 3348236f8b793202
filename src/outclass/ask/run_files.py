"""A file for each run: joined on the items' ids, for labels and numbers, or below each other, for counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from outclass.ask.columns import OF_ITEMS
from outclass.data.columns import Whole
from outclass.data.in_memory import check_columns, stacked, tables_of
from outclass.data.names import EXTENSIONS, stem_of
from outclass.data.run_tables import Of, Wide, keys_of, run_name
from outclass.errors import InputError, quoted

ReadAs = tuple[Any, Sequence[Any], dict[str, Any]]  # the data, the arrays and the columns to read


def listed(spec: Any) -> list[Any]:
    """Return names one by one, of one or of several."""
    return [] if spec is None else [spec] if isinstance(spec, str) else list(spec)


def _names_column(truth: Any, data: Mapping[Any, Any]) -> bool:
    """Return whether the truth, or an annotator's, is one of these columns."""
    return any(name in data for name in (truth if isinstance(truth, list | tuple) else [truth]))


def run_files(data: Any, given: Mapping[str, Any]) -> dict[str, list[Any]] | None:
    """Return the files of each system's runs, of a mapping from systems to paths and globs; None of anything else."""
    if not isinstance(data, Mapping) or not data or _names_column(given.get("truth"), data):
        return None
    found: dict[str, list[Any]] = {}
    for name, value in data.items():
        paths = [value] if isinstance(value, str | Path) else value
        if not isinstance(paths, list | tuple) or not paths:
            return None
        if not all(isinstance(each, Path) or (isinstance(each, str) and _is_file(each)) for each in paths):
            return None
        found[str(name)] = [file for each in paths for file in _globbed(str(each), str(name))]
    return found


def _is_file(text: str) -> bool:
    return Path(text).suffix.lower() in EXTENSIONS


def _globbed(pattern: str, name: str) -> list[str]:
    import glob  # for files alone

    found = [pattern] if Path(pattern).exists() else sorted(glob.glob(pattern, recursive=True))
    if not found:
        raise InputError(f"no file matches {quoted([pattern])}, the runs of {quoted([name])}.")
    return found


def _each_once(files: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Keep a file that two patterns of a system match once; refuse one that is named as a run of two systems."""
    kept: dict[str, list[str]] = {}
    owner: dict[Path, str] = {}
    for system, paths in files.items():
        kept[system] = []
        for path in paths:
            first = owner.setdefault(Path(path).resolve(), system)
            if first != system and first and system:
                raise InputError(
                    f"{quoted([path])} is named as a run of both {quoted([first])} and {quoted([system])}: a run "
                    "belongs to one system."
                )
            if all(Path(path).resolve() != Path(each).resolve() for each in kept[system]):
                kept[system].append(path)
    return kept


def of_files(files: Mapping[str, Sequence[str]], given: dict[str, Any], by: tuple[str, ...]) -> tuple[ReadAs, Of]:
    """Read one file for each run, joined on the items' ids; files without a system's name hold the truth."""
    if left := [name for name in ("runs", "system_column") if name in given]:
        raise InputError(f"⟨{left[0]}⟩ names a column of one table, and each run has a file of its own: leave it out.")
    files = _each_once(files)
    item = given.get("id", given.get("item"))
    if item is None:
        raise InputError("files of runs are joined on the items' ids: name their column (⟨id=COL⟩).")
    if any(name in given for name in OF_ITEMS):
        return _of_count_files(files, given, item)
    wide = Wide()
    shared = list(dict.fromkeys([given[each] for each in ("truth", "group") if each in given] + list(by)))
    named_column = given.get("score", given.get("label", next(iter(listed(given.get("systems"))), None)))
    for system, paths in files.items():
        stems = _distinct_stems(paths)
        for path, stem in zip(paths, stems, strict=True):
            ((_, columns),) = tables_of(path)
            check_columns(columns, {"⟨id⟩": item}, quoted([Path(path).name]))
            keys = keys_of(columns, item, quoted([Path(path).name]))
            for name in shared:
                if name in columns:
                    for key, value in zip(keys, columns[name], strict=True):
                        wide.share(name, key, value, "the truth" if name == given.get("truth") else "shared")
            if system:
                value = _predictions_in(columns, {item, *shared}, named_column, path)
                for key, cell in zip(keys, columns[value], strict=True):
                    wide.add(system, stem, key, cell)
    for name in shared:
        if name not in wide.shared:
            raise InputError(f"no file has a column {quoted([name])}.")
    kept = {name: value for name, value in given.items() if name not in ("id", "item", "score", "label", "systems")}
    kept |= {"scores": True} if "score" in given else {}
    table = {name: own for name, own in wide.columns(item, given.get("missing", "error")).items() if name != item}
    return (table, (), {**kept, "systems": [run for runs in wide.of.values() for run in runs]}), wide.of


def _of_count_files(files: Mapping[str, Sequence[str]], given: dict[str, Any], item: str) -> tuple[ReadAs, Of]:
    """Read one file of counts per item for each run, below each other."""
    tables: list[tuple[str, Whole]] = []
    of: Of = {}
    own = "system and run"
    for system, paths in files.items():
        for path, stem in zip(paths, _distinct_stems(paths), strict=True):
            ((_, columns),) = tables_of(path)
            name = run_name(system, stem)
            of.setdefault(system, []).append(name)
            tables.append((name, {**columns, own: [name] * len(next(iter(columns.values())))}))
    kept = {name: value for name, value in given.items() if name != "id"}
    return (stacked(tables), (), {**kept, "item": item, "system_column": own}), of


def _distinct_stems(paths: Sequence[str]) -> list[str]:
    """Name files by their stems, or by what tells their paths apart."""
    stems = [stem_of(path) for path in paths]
    if len(set(stems)) == len(stems):
        return stems
    parts = [Path(path).parts for path in paths]
    told = [i for i in range(min(map(len, parts))) if len({each[i] for each in parts}) > 1]
    found = ["-".join(stem_of(each[i]) for i in told) for each in parts]
    return found if len(set(found)) == len(found) else [str(path) for path in paths]


def _predictions_in(columns: Whole, taken: set[str], wanted: Any, path: str) -> str:
    """Return the column of a file that holds a run's predictions."""
    place = quoted([Path(path).name])
    if wanted is not None:
        check_columns(columns, {"predictions": wanted}, place)
        return str(wanted)
    found = [name for name in columns if name not in taken]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"{place} has no column of predictions besides {quoted(columns)}.")
    raise InputError(
        f"which column of {place} are the predictions: {quoted(found)}? Name it with ⟨label=COL⟩, or ⟨score=COL⟩ for "
        "numbers."
    )
