"""`outclass update`: add evidence to what is known already."""

import math
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from outclass.cli.command import answered, command_of
from outclass.cli.data_options import NUMBERS
from outclass.cli.option import Given
from outclass.cli.options import OUTPUT, READING, UPDATED
from outclass.cli.output import check_output, progress_bar
from outclass.cli.sources import asked_of
from outclass.data.ledger import list_of
from outclass.errors import FileError, quoted
from outclass.report.text import plain

if TYPE_CHECKING:
    from outclass.answers.comparison import Comparison
    from outclass.answers.evaluation import Evaluation
    from outclass.ask.update import Saved
    from outclass.planning.anytime import Anytime
    from outclass.rows.types import Contrast

_NUMBERS: Final = frozenset(option.name for option in NUMBERS)
MOST_SYSTEMS: Final = 12  # 66 pairs, which an update answers in seconds


def _update(given: Given) -> None:
    """Add data to a saved state, and compare on all of it.

    The result is the same as for one run on all files together, in any order. A file is counted once, unless --again is
    given; if a text file has grown, only its new rows are added. The state is saved before the answer is computed:
    after an interruption, `outclass compare STATE` answers without adding anything. A state contains data but no
    settings: give the measure, prior and ROPE each time.

    Example: outclass update spam.json monday.csv --truth gold --positive spam
    """
    path = Path(given["state"])
    check_output(given["state"])
    for target in (given.get("output"), given.get("report")):
        if target is not None and Path(target).resolve() in (path.resolve(), list_of(path)):
            raise FileError(f"cannot write to {quoted([target])}: it belongs to the state. Name another file.")
    done: list[Saved] = []
    try:
        answered(partial(_updated, done=done, in_json=given.get("format") == "json"), given)
    except BaseException:
        if done:
            with suppress(OSError, ValueError):  # there may be nobody left to tell
                _tell(f"The new evidence is saved. To answer from it, run: {_command(done[0].after.evidence, path)}")
        raise


def _updated(given: Given, *, done: "list[Saved]", in_json: bool) -> "Comparison | Evaluation | None":
    """Save the evidence, then answer from all of it; JSON is valid even without an answer."""
    from outclass.answers.comparison import Comparison

    asked = asked_of(given)
    path, again = Path(asked.pop("state")), asked.pop("again", False)
    done.append(_saved(path, asked, again=again))
    evidence = done[0].after.evidence
    if too_many := not _is_affordable(evidence):
        pairs = math.comb(len(evidence.systems), 2)
        _tell(f"{pairs:,} pairs are too many to answer with every update. Run: {_command(evidence, path)}")
    elif _is_one_class(evidence, asked):
        _tell("Only one class has been true so far; there will be an answer once both have been seen.")
    if too_many or _is_one_class(evidence, asked):
        return Comparison(()) if in_json else None
    answer = _answer(evidence, asked)
    if not isinstance(answer, Comparison):
        return answer
    seen = _seen_so_far(evidence, answer.rows, again=again)
    return Comparison(tuple(replace(row, anytime=own) for row, own in zip(answer.rows, seen, strict=True)))


def _saved(path: Path, asked: Given, *, again: bool) -> "Saved":
    """Save the evidence, and leave what is asked of it."""
    from outclass.ask.update import check_question, save

    columns = {option.name: asked.pop(option.name) for option in READING if option.name in asked}
    if "qrels" in columns:
        columns["measure"] = asked.pop("measure", None)  # what runs are measured by is used up by reading them
    if "truth" in columns and columns.keys() & _NUMBERS:
        columns["positive"] = asked.pop("positive", None)  # and so is the positive label of scores
    saved = save(
        path,
        asked.pop("data", None),
        columns,
        again=again,
        new_labels=asked.pop("new_labels", False),
        check=lambda evidence: None if _is_one_class(evidence, asked) else check_question(evidence, asked),
        waiting=lambda: _tell(f"{plain(path)} is being updated by another process; waiting."),
    )
    old, new = saved.before.items, saved.after.items
    change = f"with {new:,}" if old == 0 else f"from {old:,} to {new:,}"
    for beginning in saved.skipped:
        _tell(f"{str(beginning)[:1].upper()}{str(beginning)[1:]}; only the new rows were added.")
    _tell(f"{plain(path)}: {'begun' if saved.before.data is None else 'grown'} {change} items.")
    return saved


def _tell(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def _command(evidence: Any, path: Path) -> str:
    """Return the command that answers from a state."""
    few = "compare" if _is_affordable(evidence) else "rank"
    return f"outclass {'evaluate' if len(evidence.systems) == 1 else few} {plain(shlex.quote(str(path)))}"


def _is_affordable(evidence: Any) -> bool:
    return len(evidence.systems) <= MOST_SYSTEMS


def _is_one_class(evidence: Any, asked: Given) -> bool:
    """Return whether only one class has been true so far, of which only the sign model can speak."""
    return len(getattr(evidence, "true_labels", "ab")) < 2 and asked.get("model") != "sign"


def _answer(evidence: Any, asked: Given) -> "Comparison | Evaluation":
    """Answer from all evidence."""
    from outclass.ask.compare import compare
    from outclass.ask.evaluate import evaluate

    with progress_bar("comparing") as progress:
        if len(evidence.systems) == 1:
            return evaluate(evidence, **asked, progress=progress)
        return compare(evidence, **asked, progress=progress)


def _seen_so_far(evidence: Any, rows: "Sequence[Contrast]", *, again: bool) -> "list[Anytime | None]":
    """Say of each row what holds whenever one looks, and return it."""
    from outclass.ask.anytime_rows import anytime_row
    from outclass.planning.asymptotic import FEWEST
    from outclass.report import words

    seen = [anytime_row(evidence, row) for row in rows]
    if not any(seen):
        sys.stderr.write(
            "There is no e-value for these data and this measure: it needs independent items, and for an average over "
            f"labels or a measure of scores {FEWEST} items of each label.\n"
        )
        return seen
    for row, found in zip(rows, seen, strict=True):
        if found is None:
            continue
        a, b = (plain(system.name) for system in row.systems)
        told = words.anytime(a, b, found)
        wide = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(told) + 1
        sys.stderr.write(textwrap.fill(told, wide) + "\n")
    if again:
        sys.stderr.write("What was counted again is taken for new items: the e-value then overstates the evidence.\n")
    return seen


command = command_of(_update, (*UPDATED, *OUTPUT))
