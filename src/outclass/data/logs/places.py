"""Where logs lie: files, folders, globs, each with the name that a user gives its system, if one does."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from outclass.data.databases import is_database
from outclass.data.logs.aggregates import check_aggregate
from outclass.data.logs.files import Head, head_of
from outclass.data.logs.formats import format_named, format_of, is_format
from outclass.data.names import stem_of
from outclass.errors import FileError, InputError, quoted


@dataclass(frozen=True, slots=True)
class Place:
    """A path that was given, and what its system is called, if that was said."""

    path: Path
    name: str | None = None

    @property
    def stem(self) -> str:
        """What the path is called without folders and endings."""
        return stem_of(self.path.absolute())


def places_of(data: Any) -> list[Place] | None:
    """Return the paths in what a user gave: one, several, or by name; None of anything else."""
    if isinstance(data, Mapping):
        found = []
        for name, paths in data.items():
            own = [paths] if isinstance(paths, str | Path) else paths
            if not (isinstance(own, list | tuple) and own and all(isinstance(each, str | Path) for each in own)):
                return None
            found += [Place(Path(each), str(name)) for each in own]
        return found or None
    listed = list(data) if isinstance(data, list | tuple) else [data]
    if not listed or not all(isinstance(each, str | Path) and not is_database(each) for each in listed):
        return None
    return [_place(each) for each in listed]


def _place(given: str | Path) -> Place:
    """Read NAME=PATH, unless there is a file of the whole name, such as the folders of HELM."""
    text = str(given)
    name, sign, path = text.partition("=")
    if sign and name and path and not _is_there(text) and _is_there(path):
        return Place(Path(path), name)
    return Place(Path(text))


def _is_there(path: str) -> bool:
    try:
        return os.path.lexists(path) or (has_magic(path) and bool(glob(path, recursive=True)))
    except (ValueError, OSError):  # a name with a NUL in it, or one that is too long
        return False


def files_in(place: Place) -> Iterator[Path]:
    """Return the files of a place; links are not followed out of it."""
    text = str(place.path)
    if place.path.is_dir():
        root = os.path.realpath(place.path)
        for folder, below, names in os.walk(place.path):
            below.sort()
            for name in sorted(names):
                path = Path(folder) / name
                if not path.is_symlink() or os.path.realpath(path).startswith(root + os.sep):
                    yield path
    elif not os.path.lexists(text) and has_magic(text):
        for each in sorted(glob(text, recursive=True)):
            yield from files_in(Place(Path(each), place.name))
    else:
        yield place.path


def claimed(place: Place, source: str | None = None) -> Iterator[tuple[Head, Any]]:
    """Return the logs of a place, each with its format."""
    wanted = None if source is None else format_named(source)
    alone = os.path.isfile(place.path)
    for path in files_in(place):
        if not os.path.isfile(path):  # a pipe without a writer would keep whoever opens it waiting
            continue
        head = head_of(path)
        if head is None:
            if alone and wanted is not None:
                yield Head(path, path.name), wanted
            continue
        if head.packed == "pointer":
            if alone or wanted is None:
                yield head, None
            continue
        if wanted is not None:
            if alone or wanted.claims(head):
                yield head, wanted
            continue
        found = format_of(head)
        if found is not None:
            yield head, found


def are_logs(data: Any, source: Any = None) -> bool:
    """Return whether what a user gave are logs: it was said, or its openers know them. Folders are searched."""
    places = places_of(data)
    if places is None or (source is not None and not is_format(source)):
        return False
    if source is not None:
        return True
    known = [_holds_a_log(place) for place in places]
    for place in (each for each, knows in zip(places, known, strict=True) if not knows and os.path.isfile(each.path)):
        check_aggregate(place.path)
    if any(known) and not all(known):
        odd = places[known.index(False)].path
        _check_there(places[known.index(False)])
        raise InputError(
            f"{quoted([odd])} is no evaluation log, and {quoted([places[known.index(True)].path])} is one: "
            "compare logs "
            "with logs, or name the format (⟨source⟩)."
        )
    return all(known)


def _holds_a_log(place: Place) -> bool:
    """Return whether a path is a log or a folder, which nothing else that is read is."""
    if place.path.is_dir():
        return True
    return any(head.packed != "pointer" or _is_named_as_log(head) for head, _ in claimed(place))


def holds_logs(place: Place) -> bool:
    """Return whether there is any log in a place."""
    return next(claimed(place), None) is not None


def _is_named_as_log(head: Head) -> bool:
    return not head.name.lower().endswith(".parquet")


def _check_there(place: Place) -> None:
    if not _is_there(str(place.path)):
        raise FileError(f"there is no file or folder {quoted([place.path])}.")


def logs_in(places: Sequence[Place], source: str | None) -> list[tuple[int, Head, Any]]:
    """Return all logs with the number of their place; a place without any, or with two formats, is an error."""
    found: list[tuple[int, Head, Any]] = []
    seen: dict[str, Path] = {}
    for number, place in enumerate(places):
        _check_there(place)
        own = list(claimed(place, source))
        if not own:
            for path in filter(os.path.isfile, files_in(place)):
                check_aggregate(path, pages=path == place.path)
            raise FileError(f"there are no evaluation logs in {quoted([place.path])} that outclass knows (⟨source⟩).")
        kinds = {each.NAME: head for head, each in own if each is not None}
        if len(kinds) > 1:
            (one, first), (other, second), *_ = kinds.items()
            raise InputError(
                f"{quoted([place.path])} holds logs of {one} ({quoted([first.name])}) and of {other} "
                f"({quoted([second.name])}): name the format to read (⟨source={one}⟩)."
            )
        for head, each in own:
            real = os.path.realpath(head.path)
            if real in seen:
                raise InputError(f"{quoted([head.path])} is given twice; each log is one run.")
            seen[real] = head.path
            found.append((number, head, each))
    return found
