"""`outclass rank`: which system is best, and which are not credibly separated?"""

from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.option import Given
from outclass.cli.options import RANKED
from outclass.cli.output import progress_bar
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.ranking import Ranking


def ranked(given: Given) -> "Ranking":
    """Rank systems: which is best, how sure is that, and which are not credibly separated?

    One joint posterior for all systems: expected ranks, the probability of being best, verdicts on all pairs.

    Example: outclass rank predictions.csv --truth gold --measure macro_f1
    """
    asked = asked_of(given)  # first, so that mistakes are reported before anything is loaded
    from outclass.ask.rank import rank

    with progress_bar("drawing") as progress:
        return rank(**asked, progress=progress)


command = question(ranked, RANKED)
