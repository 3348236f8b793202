"""`outclass compare`: is A really better than B?"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.option import Given
from outclass.cli.options import COMPARED
from outclass.cli.output import progress_bar
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.comparison import Comparison


def compared(given: Given) -> "Comparison":
    """Compare systems: which is better, by how much, how sure, and does it matter?

    One file with a column of true labels and a column for each system, or one file per system joined on an id.
    More than two systems are compared pair by pair. With --model unpaired, two files without --id are two test sets.
    Without files: two published results (--counts twice), or numbers of wins (--wins).
    Numbers instead of labels: --scores, --score, --qrels; see docs/scores.md.

    Example: outclass compare predictions.csv --truth gold --system old --system new --positive spam
    """
    asked = asked_of(given)  # first, so that mistakes are reported before anything is loaded
    name = "sensitivity" if asked.pop("sensitivity", False) else "compare"
    ask: Callable[..., Comparison] = getattr(import_module(f"outclass.ask.{name}"), name)
    with progress_bar("comparing") as progress:
        return ask(**asked, progress=progress)


command = question(compared, COMPARED)
