"""`outclass slices`: where did the new system lose?"""

from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.option import Given
from outclass.cli.options import SLICED
from outclass.cli.output import progress_bar
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.slice_search import SliceSearch


def searched(given: Given) -> "SliceSearch":
    """Find where the new system lost: in which slices of the items it is worse than the old one.

    Searches all slices of single columns and of pairs of columns, and lists those that are credibly worse.

    Example: outclass slices predictions.csv --truth gold --system old --system new --id item
    """
    asked = asked_of(given)  # first, so that mistakes are reported before anything is loaded
    from outclass.ask.slices import slices

    with progress_bar("searching") as progress:
        return slices(**asked, progress=progress)


command = question(searched, SLICED)
