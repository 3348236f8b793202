"""What a kind of chart says about itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

Answer = Literal["Comparison", "Evaluation", "Ranking", "TestReport", "Plan", "SliceSearch"]
QUESTIONS: Final[dict[Answer, str]] = {
    "Comparison": "compare",
    "Evaluation": "evaluate",
    "Ranking": "rank",
    "TestReport": "test",
    "Plan": "plan",
    "SliceSearch": "slices",
}


def always(answer: Any) -> bool:
    """Be the chart that is shown unasked of every answer it is for."""
    return True


def never(answer: Any) -> bool:
    """Be shown only when asked for."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A kind of chart.

    Parameters
    ----------
    title
        The heading above it on a page.
    answers
        The classes of answers it is for. They are named, because answers stand above the report and cannot be imported.
    draw
        From an answer to an Altair chart; an `InputError` if this one has nothing to draw.
    is_default
        Whether it is what is shown of an answer when no kind is named; true of one kind at most.
    page_place
        Its place on the page of one comparison, after the default chart; None if it is not shown there.
    """

    title: str
    answers: tuple[Answer, ...]
    draw: Callable[[Any], Any]
    is_default: Callable[[Any], bool] = never
    page_place: int | None = None

    def is_for(self, answer: Any) -> bool:
        """Return whether it can be drawn of answers of this class."""
        return any(each.__name__ in self.answers for each in type(answer).__mro__)
