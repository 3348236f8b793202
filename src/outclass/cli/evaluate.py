"""`outclass evaluate`: how good is a system, and how sure is that?"""

from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.option import Given
from outclass.cli.options import EVALUATED
from outclass.cli.output import progress_bar
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.evaluation import Evaluation


def evaluated(given: Given) -> "Evaluation":
    """Evaluate each system separately: the posterior of its score.

    Example: outclass evaluate predictions.csv --truth gold --measure f1 --measure recall
    """
    asked = asked_of(given)  # first, so that mistakes are reported before anything is loaded
    from outclass.ask.evaluate import evaluate

    with progress_bar("evaluating") as progress:
        return evaluate(**asked, progress=progress)


command = question(evaluated, EVALUATED)
