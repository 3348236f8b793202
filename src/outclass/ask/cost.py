"""What an answer will cost, estimated and said before the work, with the question that is cheaper.

The seconds are of one core of a server, as measured (tests/attack/scale_cases.py); they are right within a factor of
three.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from outclass.data.limits import CostWarning
from outclass.data.multilabel import Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.scores import Scores
from outclass.data.unit_counts import PerItem
from outclass.measures.scored import ScoreMeasure
from outclass.models.question import Question
from outclass.parallel import cores

SAID: Final = 30.0  # seconds from which on the cost is said; the estimate can be half of what it takes
SAID_MEGABYTES: Final = 2_000.0
BATCH: Final = 200  # rows that are worth other processes
DRAWS, RANKING_DRAWS = 8e8, 4e8  # numbers that may be drawn, for every system and unit
FEWEST_DRAWS, MOST_DRAWS = 2_000, 20_000
# Seconds per row, by what it is made from: two tables, two numbers of wins, one table; draws; numbers; groups; chains.
TABLE, WINS, ONE, DRAWN, NUMBERS, GROUPS, CHAINS = 0.045, 0.012, 0.03, 0.009, 0.005, 0.05, 8.0
# Seconds and megabytes per draw, of a row that is drawn from its table (of two systems, of one) and of chains; and the
# megabytes that every row keeps.
TABLE_DRAW, ONE_DRAW, CHAIN_DRAW = 2.5e-6, 1e-6, 1e-4
DRAW_HELD, CHAIN_HELD, KEPT = 2.2e-4, 6e-4, 1.3e-4
# Seconds per simulated test set: usually, of an interval's width, of a pilot's items, of operating characteristics.
SET, WIDTH_SET, ITEMS_SET, BEHAVIOUR_SET = 5e-5, 4e-4, 5e-3, 5e-4
OWN: Final = 0.03  # of one system's posterior, of draws or of numbers
# Seconds per draw: of a unit whose weight is drawn; and, for each system, of that unit, of an item that is ranked by
# its score, and of a label and measure.
UNIT, WEIGHT, SCORE, LABEL = 1.4e-8, 1.3e-9, 1e-8, 5e-8
# Of a measure of scores that is drawn in blocks: seconds per item to sort, and per draw.
SORTED, BLOCKS = 2e-6, 8e-6
RANKED: Final = 2.5e-8  # seconds per pair of systems and draw
PAIRED: Final = 3e-5  # seconds per pair of systems, to decide and to write
# Seconds of all tests of a pair: of two classes; of more, with what a pattern, a list and a label add; of numbers.
TESTS, MANY_TESTS, TESTED_PATTERN, TESTED_LIST, TESTED_LABEL, NUMBER_TESTS = 0.017, 0.05, 8e-4, 2.5e-4, 3e-3, 0.002
ROW: Final = 0.02  # megabytes
CELL: Final = 8e-6  # megabytes of a number
MANY_LABELS: Final = 30
FEWER: Final = "Fewer draws are quicker (⟨draws⟩)."


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What is asked, how long it takes and how much memory, and what would be cheaper."""

    asked: str  # as in '499,500 comparisons'
    seconds: float
    megabytes: float
    cheaper: str

    @property
    def words(self) -> str:
        """The estimate and the cheaper question."""
        memory = f" and {self.megabytes / 1000:.1f} GB" if self.megabytes > SAID_MEGABYTES else ""
        return f"{self.asked} will take about {duration(self.seconds)}{memory}. {self.cheaper}"


def announce(cost: Cost) -> None:
    """Warn of what takes long or much memory."""
    if cost.seconds > SAID or cost.megabytes > SAID_MEGABYTES:
        warnings.warn(cost.words, CostWarning, stacklevel=5)


def duration(seconds: float) -> str:
    """Return a time in the unit in which it is read."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


def pairs_of(source: Any) -> int:
    """Return how many pairs of systems there are."""
    systems = len(source.systems)
    return systems * (systems - 1) // 2


def usual_draws(systems: int, units: int, labels: int, numbers: float = DRAWS) -> int:
    """Return how many draws are taken where nobody says: fewer, the more systems, units and labels there are."""
    # A draw costs about as much for a label as for six units.
    return int(np.clip(numbers / (systems * max(units, 6 * labels, 1)), FEWEST_DRAWS, MOST_DRAWS))


def cost_of_tables(source: Any, rows: int, question: Question, *, alone: bool = False) -> Cost:
    """Estimate rows of which each is made from the counts of one label against the rest."""
    each = (
        CHAINS if question.settings.method == "mcmc" else WINS if question.model == "sign" else ONE if alone else TABLE
    )
    busy = cores() if rows >= BATCH and question.settings.method != "mcmc" else 1
    drawn, held = _of_table_draws(rows, question, alone=alone)
    found = _cost(source, rows, (rows * each + drawn) / busy, held, alone=alone)
    return replace(found, cheaper=FEWER) if drawn > rows * each else found


def _of_table_draws(rows: int, question: Question, *, alone: bool) -> tuple[float, float]:
    """Return the seconds and megabytes of what is drawn for rows of counts."""
    draws = question.settings.draws
    if question.settings.method == "mcmc":
        return rows * draws * CHAIN_DRAW, draws * CHAIN_HELD
    if question.settings.method != "draws":
        return 0.0, 0.0
    return rows * draws * (ONE_DRAW if alone else TABLE_DRAW), draws * (DRAW_HELD + KEPT * rows)


def cost_of_draws(source: Any, rows: int, question: Question, *, alone: bool = False, apart: bool = False) -> Cost:
    """Estimate rows that are read off draws of all systems' measures; `apart` if each system or pair has its own."""
    units, labels = _size(source)
    systems, draws, measures = len(source.systems), question.settings.draws, len(question.measures)
    if apart:
        units, systems = min(units, labels ** (2 if alone else 3)), systems if alone else 2 * pairs_of(source)
    seconds = draws * (UNIT * units + systems * (WEIGHT * units + LABEL * labels * measures))
    held = 0.0 if apart else CELL * draws * systems * measures
    return _cost(source, rows, seconds + rows * (OWN if alone else DRAWN), held, alone=alone)


def cost_of_others(source: Any, questions: Sequence[Question], *, alone: bool = False) -> Cost:
    """Estimate rows of numbers, or of labels in groups."""
    each = OWN if alone else NUMBERS if isinstance(source, Scores) else GROUPS
    rows = (len(source.systems) if alone else pairs_of(source)) * sum(len(own.measures) for own in questions)
    drawn = sum(_of_scores(source, own.settings.draws, measure) for own in questions for measure in own.measures)
    return _cost(source, rows, rows * each + drawn, 0.0, alone=alone)


def _of_scores(source: Any, draws: int, measure: Any) -> float:
    """Return the seconds of drawing a measure of classifier scores."""
    if not isinstance(source, Scores) or source.truth is None:
        return 0.0
    if isinstance(measure, ScoreMeasure) and measure.in_blocks and source.group is None:
        return len(source.systems) * (SORTED * len(source) + BLOCKS * draws)
    return draws * len(source) * (UNIT + SCORE * len(source.systems))


def cost_of_ranking(source: Any, draws: int, measure: Any = None) -> Cost:
    """Estimate a ranking."""
    systems, pairs = len(source.systems), pairs_of(source)
    units, labels = _size(source)
    drawn = _of_scores(source, draws, measure) or draws * (UNIT * units + systems * (WEIGHT * units + LABEL * labels))
    seconds = (draws * RANKED + PAIRED) * pairs + drawn
    return Cost(
        asked=f"A ranking of {systems:,} systems",
        seconds=seconds,
        megabytes=4 * CELL * draws * systems + ROW * pairs / 100,
        cheaper=f"Choose fewer systems (⟨systems⟩). {FEWER}" if systems > 2 else FEWER,
    )


def cost_of_tests(source: Any, *, one_label: bool) -> Cost:
    """Estimate the tests of all pairs."""
    each = NUMBER_TESTS if isinstance(source, Scores) else TESTS
    if isinstance(source, Outcomes | MultiLabel | PerItem) and not one_label:
        (units, labels), single = _size(source), isinstance(source, Outcomes)
        each = MANY_TESTS + (TESTED_PATTERN if single else TESTED_LIST) * units + TESTED_LABEL * labels
    pairs = pairs_of(source)
    return Cost(
        asked=f"Testing {_many(pairs, 'pair')} of systems",
        seconds=pairs * each,
        megabytes=ROW * pairs,
        cheaper=_fewer(source) if pairs > 1 else "Choose the tests to run (⟨tests⟩).",
    )


def cost_of_plan(cells: Sequence[str], sets: int, *, by_items: bool, behaviour: bool) -> Cost:
    """Estimate the simulations of a plan: `cells` are the goals of all design points that are looked at."""
    usual = ITEMS_SET if by_items else SET
    each = sum(max(usual, WIDTH_SET) if goal.startswith("width") else usual for goal in cells)
    return Cost(
        asked=f"Simulating {_many(sets * (len(cells) + behaviour), 'test set')}",
        seconds=sets * (each + behaviour * BEHAVIOUR_SET),
        megabytes=0.0,
        cheaper="Fewer test sets per design point are quicker (⟨sets⟩).",
    )


def _cost(source: Any, rows: int, seconds: float, held: float, *, alone: bool) -> Cost:
    """Return the cost of rows, and what would be cheaper: fewer systems, or all labels at once."""
    by_label = rows >= MANY_LABELS * (len(source.systems) if alone else pairs_of(source))
    cheaper = (
        "An average over all labels (⟨measure=macro_f1⟩) or a single label (⟨positive⟩) is faster."
        if by_label
        else "Choose fewer systems (⟨systems⟩)."
        if alone
        else _fewer(source)
    )
    asked = _many(rows, "row" if alone else "comparison")
    return Cost(asked=asked, seconds=seconds, megabytes=held + rows * ROW, cheaper=cheaper)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _fewer(source: Any) -> str:
    """Say what is cheaper than every pair of many systems."""
    some = "To compare only some of them, name them (⟨systems⟩)."
    if len(source.systems) == 2 or not isinstance(source, Outcomes | MultiLabel | Scores | Grouped | PerItem):
        return FEWER
    draws = usual_draws(len(source.systems), *_size(source), RANKING_DRAWS)
    quicker = duration(cost_of_ranking(source, MOST_DRAWS if isinstance(source, Scores) else draws).seconds)
    return f"⟨rank()⟩ ranks all {len(source.systems):,} systems in about {quicker}. {some}"


def _size(source: Any) -> tuple[int, int]:
    """Return how many units are weighted in a draw, and how many labels are counted."""
    if isinstance(source, Scores):
        return len(source), 0
    if isinstance(source, PerItem):
        return len(source.units), len(source.labels)
    outcomes = getattr(source, "outcomes", source)
    if isinstance(outcomes, Outcomes):
        return len(outcomes.counts), len(outcomes.labels)
    return source.items, len(getattr(source, "labels", ()))
