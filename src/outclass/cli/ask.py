"""The questions as they are about to be, asked of those that do not yet read for themselves. It goes when they do."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from outclass.ask.compare import compare
from outclass.ask.read import OF_NUMBERS, Columns, read
from outclass.ask.sensitivity import sensitivity
from outclass.ask.update import grown, update
from outclass.cli.options import FLAGS, TABLE, Given, unused
from outclass.errors import InputError

Answer = TypeVar("Answer")


def ask(question: Callable[..., Answer], asked: Given, progress: Any = None) -> Answer:
    """Ask a question, having read for it what it cannot read, and refuse what it does not take."""
    shape: Any = {sensitivity: compare, grown: update}.get(question, question)
    takes = inspect.signature(shape).parameters
    if progress is not None and "progress" in takes:
        asked = {**asked, "progress": progress}
    if "columns" in takes:
        return question(**asked)
    if asked.keys() & {"scores", "qrels", "runs", *OF_NUMBERS} and "data" in takes and question is not grown:
        asked = _read(asked)
    if "names" in asked and "data" in asked:
        raise InputError("names (--name) are for arrays, counts and wins; the columns of a table have their own.")
    known = [option for option in TABLE if option.name in takes]
    unused([name for name in asked if name in FLAGS], known, f"outclass {shape.__name__}")
    return question(**asked)


def _read(asked: Given) -> Given:
    columns = {name: asked[name] for name in asked if name in Columns.__annotations__}
    rest = {name: asked[name] for name in asked if name not in columns and name not in ("data", "positive")}
    data = read(asked.get("data"), positive=asked.get("positive"), measure=asked.get("measure"), **columns)
    if "qrels" in asked:
        rest.pop("measure", None)
    return {"data": data, **rest}
