"""`outclass update`: add evidence to what is known already."""

import shutil
import sys
import textwrap
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outclass.cli.command import answered, typer_command
from outclass.cli.options import NUMBERS, OUTPUT, READING, UPDATED, Given
from outclass.cli.output import check_output, progress_bar
from outclass.cli.sources import asked_of
from outclass.report.text import plain

if TYPE_CHECKING:
    from outclass.answers.comparison import Comparison
    from outclass.answers.evaluation import Evaluation


_NUMBERS = frozenset(option.name for option in NUMBERS)


def _update(given: Given) -> None:
    """Add evidence to a saved state, and answer from all of it.

    The answer is that of one run on all files together, whatever their order. No file counts twice unless told
    --again; an interrupted run leaves the state as it was. `outclass compare STATE` answers again without new evidence.
    A state holds evidence, not questions: measure, prior and ROPE are said each time.

    Example: outclass update spam.json monday.csv --truth gold --positive spam
    """
    check_output(given["state"])
    answered(partial(_updated, in_json=given.get("format") == "json"), given)


def _updated(given: Given, *, in_json: bool) -> "Comparison | Evaluation | None":
    """Add evidence, and answer from all of it before the state is written; JSON is valid even without an answer."""
    from outclass.answers.comparison import Comparison
    from outclass.ask.update import grown
    from outclass.data.state import State

    asked = asked_of(given)
    path, again = asked.pop("state"), asked.pop("again", False)
    columns = {option.name: asked.pop(option.name) for option in READING if option.name in asked}
    if "qrels" in columns:
        columns["measure"] = asked.pop("measure", None)  # what runs are measured by is used up by reading them
    if "truth" in columns and columns.keys() & _NUMBERS:
        columns["positive"] = asked.pop("positive", None)  # and so is the positive label of scores
    before = State.open(Path(path))
    after = grown(before, asked.pop("data", None), again=again, new_labels=asked.pop("new_labels", False), **columns)
    answer = _answer(after.evidence, asked)
    after.write()
    old, new = before.items, after.evidence.items
    change = f"with {new:,}" if old == 0 else f"from {old:,} to {new:,}"
    sys.stderr.write(f"{plain(path)}: {'begun' if before.data is None else 'grown'} {change} items.\n")
    if answer is None:
        sys.stderr.write("Only one class has been true so far; there will be an answer once both have been seen.\n")
        if not in_json:
            return None
        answer = Comparison(())
    seen = _seen_so_far(after.evidence, again=again)
    if not isinstance(answer, Comparison):
        return answer
    pairs = [(row.systems[0].name, row.systems[1].name) for row in answer.rows]
    return Comparison(tuple(replace(row, anytime=seen.get(pair)) for row, pair in zip(answer.rows, pairs, strict=True)))


def _answer(evidence: Any, asked: Given) -> "Comparison | Evaluation | None":
    """Answer from all evidence; None as long as only one class has been true."""
    from outclass.ask.compare import compare
    from outclass.ask.evaluate import evaluate

    one_class = len(getattr(evidence, "true_labels", "ab")) < 2
    if one_class and asked.get("model") != "sign":
        return None
    with progress_bar("comparing") as progress:
        if len(evidence.systems) == 1:
            return evaluate(evidence, **asked, progress=progress)
        return compare(evidence, **asked, progress=progress)


def _seen_so_far(evidence: Any, *, again: bool) -> "dict[tuple[str, str], Any]":
    """Say of each pair what holds whenever one looks, and return it."""
    from outclass.data.outcomes import Outcomes
    from outclass.planning.anytime import anytime_of
    from outclass.report import words

    if not isinstance(evidence, Outcomes):
        sys.stderr.write(
            "There is no e-value for these data: it counts independent items that one system alone gets right.\n"
        )
        return {}
    seen = {(a, b): anytime_of(evidence, a, b) for a, b in combinations(evidence.systems, 2)}
    for (a, b), found in seen.items():
        told = words.anytime(plain(a), plain(b), found)
        wide = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(told) + 1
        sys.stderr.write(textwrap.fill(told, wide) + "\n")
    if again and seen:
        sys.stderr.write("What was counted again is taken for new items: the e-value then says more than it may.\n")
    return seen


command = typer_command(_update, (*UPDATED, *OUTPUT))
