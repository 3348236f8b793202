"""Where an answer goes: the screen, or a file that is written whole or not at all."""

import errno
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from glob import iglob
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from outclass.atomic import write_whole
from outclass.errors import FileError, InputError, MissingExtraError, quoted, unknown
from outclass.locations import Location, hidden, scheme_of
from outclass.report import formats
from outclass.report.text import plain

if TYPE_CHECKING:
    from outclass.answers.answer import Answer  # which loads what no check needs

FEW_ROWS = 10
INPUTS = ("state", "files", "qrels", "runs", "frequencies", "pilot", "pool")  # options that name what is read
PICTURES = (".png", ".svg", ".pdf")


def check_format(name: str | None, output: str | None = None) -> None:
    """Refuse an unknown format, or one that the name of the file contradicts, before any work is done."""
    if name is not None and name not in formats.NAMES:
        raise unknown("format", name, formats.NAMES)
    other = None if output is None else formats.of_suffix(Path(output).suffix.lower())
    if name is not None and other not in (None, name):
        raise InputError(f"{quoted([output])} is a name for {other}, but --format is {name}. Leave out one of them.")


def check_output(path: str | None, inputs: Iterable[object] | None = None) -> None:
    """Refuse a path that cannot be written, or that is what is read, before any work is done."""
    if path is None:
        return
    target = Path(path)
    if os.path.isdir(target):
        raise FileError(f"cannot write to {quoted([path])}: it is a directory. Name a file.")
    if os.path.exists(path) and any(os.path.samefile(each, path) for each in _files(inputs or ())):
        raise FileError(f"cannot write to {quoted([path])}: it is what is read. Name another file.")
    if not os.path.isdir(target.parent):
        raise FileError(f"cannot write to {quoted([path])}: there is no folder {quoted([target.parent])}.")
    if not os.access(target.parent, os.W_OK) or (os.path.exists(target) and not os.access(target, os.W_OK)):
        raise FileError(f"cannot write to {quoted([path])}: permission denied.")


def check_names(places: Iterable[object]) -> None:
    """Reject names that the file system cannot hold, before anything is looked up by them."""
    for place in places:
        try:
            os.lstat(str(place))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise FileError(f"cannot use {quoted([place])}: {error.strerror}.") from None
        except ValueError:
            pass  # a name with a null character, which is told where it is used


def inputs_of(given: Mapping[str, Any]) -> list[object]:
    """Return whatever the options of a command name to be read."""
    return listed(given, INPUTS)


def listed(given: Mapping[str, Any], names: Iterable[str]) -> list[object]:
    """Return the values of some options, one by one."""
    found = [given.get(name) for name in names]
    return [one for each in found for one in (each if isinstance(each, list | tuple) else [each]) if one is not None]


def _files(inputs: Iterable[object]) -> Iterator[str]:
    """Return the files that paths, globs and the URLs of databases stand for; of a state also its list."""
    for each in map(str, inputs):
        if scheme_of(each):
            name = unquote(Location(each).address.partition("://")[2].partition("?")[0])
            yield from (place for place in (name, name.removeprefix("/")) if os.path.exists(place))
        elif os.path.exists(each):
            yield each
            yield from (place for place in (f"{os.path.realpath(each)}.seen",) if os.path.exists(place))
        elif "\0" not in each:
            yield from iglob(each, recursive=True)


def command_line() -> str:
    """Return the command as it was given, but for passwords."""
    return shlex.join(["outclass", *map(hidden, sys.argv[1:])])


def check_report(report: str | None, output: str | None, inputs: Iterable[object] | None = None) -> None:
    """Refuse a report that is no page, or that would lie where the answer goes."""
    check_output(report, inputs)
    if report is None:
        return
    if Path(report).suffix.lower() not in (".html", ".htm"):
        raise FileError(f"a report is a page; name a file that ends in .html, not {quoted([report])}.")
    if output is not None and Path(output).resolve() == Path(report).resolve():
        raise FileError("--report and --output name the same file.")


def check_verbose(verbose: bool | None, format: str | None, output: str | None) -> None:
    """Refuse --verbose where the format always holds everything."""
    chosen = format or (None if output is None else formats.of_suffix(Path(output).suffix.lower()))
    if verbose and (chosen not in (None, "table") or (output is not None and _is_drawn(Path(output)))):
        raise InputError("--verbose is for the table on the screen; the other formats always hold everything.")


def _is_drawn(path: Path) -> bool:
    return path.suffix.lower() in (".html", *PICTURES)


def check_picture(suffix: str) -> None:
    """Refuse a picture where the extra `plot` is not there, before any work is done."""
    if suffix in PICTURES and find_spec("vl_convert") is None:
        raise MissingExtraError.named("plot", "a picture (PNG, SVG or PDF)")


def deliver(
    answer: "Answer", format: str | None, path: str | None, report: str | None = None, *, verbose: bool = False
) -> None:
    """Print an answer, or write it to a file, whose name says the format unless the user did; and its report."""
    suffix = "" if path is None else Path(path).suffix.lower()
    if path is None:
        print_text(_text(answer, format or "table", verbose=verbose))
    elif format is None and suffix == ".html":
        answer.to_html(path, command=command_line())
    elif format is None and suffix in PICTURES:
        from outclass.report.charts import picture

        write_whole(Path(path), picture(answer, None, suffix))
    else:
        write_whole(Path(path), _text(answer, format or formats.of_suffix(suffix) or "table", verbose=verbose))
    if path is not None and sys.stderr.isatty():
        sys.stderr.write(f"answer: {plain(path)}\n")  # on a screen that would otherwise stay empty
    if report is not None:
        answer.to_html(report, command=command_line())
        sys.stderr.write(f"report: {plain(report)}\n")


def _text(answer: "Answer", format: str, *, verbose: bool) -> str:
    return answer.to_text(verbose=True) if verbose else formats.written(answer, format)


def print_text(text: str) -> None:
    """Print to wherever standard output goes, in what letters it has."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of a pipe went away, as `head` does: not a fault, and nothing more need be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise FileError(f"cannot write the answer: {error.strerror}.") from None


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show progress on a terminal, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, visible=False)
        # What is done in a moment needs no bar.
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > FEW_ROWS)
