"""`outclass compare`: is A really better than B?"""

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
    asked = asked_of(given)  # whose mistakes are told before anything is loaded
    from outclass.ask.compare import compare
    from outclass.ask.sensitivity import sensitivity

    with progress_bar("comparing") as progress:
        asking = sensitivity if asked.pop("sensitivity", False) else compare
        return asking(**asked, progress=progress)


command = question(compared, COMPARED)
