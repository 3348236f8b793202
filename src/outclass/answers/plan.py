"""The answer of `plan`: the probability of a goal for each number of items."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from outclass.answers.answer import Answer, column
from outclass.dialects import spoken
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.planning.characteristics import Characteristic
from outclass.planning.study import Power, Smallest
from outclass.report import text, tiles, words
from outclass.report.delimited import Records
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import SHAPES, Shape, to_plain

WATCHING = (
    "This assumes a test set of fixed size: checking repeatedly while labels arrive leads to premature decisions. "
    "⟨update()⟩ gives intervals that are valid at any time."
)


@dataclass(frozen=True, kw_only=True)
class Plan(Answer):
    """The probability of goals by number of items, and the smallest number for a wanted probability."""

    powers: tuple[Power, ...]
    smallest: tuple[Smallest, ...]
    characteristics: tuple[Characteristic, ...]
    measure: str
    title: str
    rope: Interval
    hdi_mass: float
    prior: str
    true_difference: float | None  # of a scenario; None for a pilot
    pilot_items: int
    seed: int
    sets: int
    by_chance: bool = False  # the systems were taken to agree no more than by chance
    items: int = 0  # of the characteristics
    findings: tuple[Finding, ...] = ()

    called = "a plan"
    parts = ("plan", "smallest_n")
    in_papers = 2

    def __post_init__(self) -> None:
        if self.sets < 1:
            raise InputError(f"a plan needs at least one simulated test set, got {self.sets}.")

    @property
    def savings(self) -> list[tuple[str, float, float]]:
        """For every goal, the share of labels saved by pairing, and its simulation error."""
        by_goal: dict[str, dict[str, Smallest]] = {}
        for each in self.smallest:
            by_goal.setdefault(each.goal, {})[each.model] = each
        found = []
        for goal, models in by_goal.items():
            paired, unpaired = models.get("paired"), models.get("unpaired")
            if paired and unpaired and paired.n and unpaired.n:
                ratio = paired.n / unpaired.n
                off = [(each.n_error or 0.0) / (each.n or 1) for each in (paired, unpaired)]
                found.append((goal, 1 - ratio, ratio * math.hypot(*off)))
        return found

    @property
    def words(self) -> str:
        """The answer in sentences."""
        told = []
        for each in self.smallest:
            off = "" if each.n_error is None else f", ±{each.n_error:,.0f}"
            end = f"for {_goal(each.goal)} with probability {each.wanted:g} ({_model(each.model)}{off})."
            if each.n is None:
                told.append(f"No number of items up to {each.most:,} is enough {end}")
            else:
                told.append(f"About {each.n:,} {self._items} are needed {end}")
        for goal, share, error in self.savings:
            told.append(
                f"For {_goal(goal)}, pairing saves {share:.0%} (±{max(error, 0.01):.0%}) of the labels, compared with "
                "the unpaired model on the same items."
            )
            if self.by_chance:
                told.append(
                    "The systems are assumed to agree only by chance; the result depends on their actual agreement "
                    + spoken("(⟨agreement⟩).")
                )
        return " ".join(told)

    @property
    def _items(self) -> str:
        return "new items" if self.pilot_items else "items"

    def _methods(self, version: str) -> tuple[str, list[str]]:
        found = " ".join(self.sheet.sentences)
        told = (
            f"We planned the test in {self.title} by {self.sets:,} simulated test sets per design point (ROPE "
            f"{words.rope(self.rope)}, {100 * self.hdi_mass:g}% HDI, {self.prior} prior; outclass {version}, seed "
            f"{self.seed}). {found}"
        )
        return told, []

    @property
    def records(self) -> Records:
        """Header and rows for CSV."""
        found = [
            (each.n, each.model, f"{each.goal} (smallest)", each.probability, each.error, self.sets)
            for each in self.smallest
        ]
        return ["n", "model", "goal", "probability", "error", "sets"], [*map(astuple, self.powers), *found]

    @property
    def _columns(self) -> list[Column]:
        if not self.powers:
            rows = self.smallest
            return [
                column("n", "items", ["none" if each.n is None else f"{each.n:,}" for each in rows], 0),
                column("model", "model", [each.model for each in rows], 0),
                column("goal", "goal", [each.goal for each in rows], 0),
                column("wanted", "wanted", [f"{each.wanted:g}" for each in rows], 0),
                column("reached", "reached", [_share(each.probability) for each in rows], 1),
                column("error", "error", [_share(each.error) for each in rows], 1),
            ]
        return [
            column("n", "items", [f"{each.n:,}" for each in self.powers], 0),
            column("model", "model", [each.model for each in self.powers], 0),
            column("goal", "goal", [each.goal for each in self.powers], 0),
            column("probability", "probability", [f"{each.probability:.3f}" for each in self.powers], 0),
            column("error", "error", [f"{each.error:.3f}" for each in self.powers], 1),
        ]

    @property
    def _behaviour(self) -> list[Column]:
        rows = self.characteristics
        return [
            column("difference", "true difference", [words.signed(each.difference) for each in rows], 0),
            column("right", "right", [words.percent(each.right) for each in rows], 0),
            column("wrong", "wrong", [words.percent(each.wrong) for each in rows], 0),
            column("undecided", "undecided", [words.percent(each.undecided) for each in rows], 0),
        ]

    @property
    def _behaviour_title(self) -> str:
        model = self.powers[0].model if self.powers else ""
        return f"Operating characteristics with {self.items:,} items ({model} model)"

    @property
    def _title(self) -> str:
        if self.true_difference is None:
            return f"Plan from a pilot of {self.pilot_items:,} items, {self.title}"
        return f"Plan, {self.title}, true difference {words.signed(self.true_difference)}"

    @property
    def _told(self) -> list[str]:
        sets = f"{self.sets:,} simulated test sets per design point; "
        behaviour = []
        if self.characteristics:
            behaviour = [
                f"{self._behaviour_title}: {self.sets:,} simulated test sets per row; simulation error of the shares "
                f"at most {0.5 / self.sets**0.5:.1%}."
            ]
        return [
            *([self.words] if self.words else []),
            *behaviour,
            f"ROPE {words.rope(self.rope)}, {100 * self.hdi_mass:g}% HDI, {self.prior} prior; {sets}seed {self.seed}",
            spoken(WATCHING),
        ]

    @property
    def _noted(self) -> Sequence[Sequence[Finding]]:
        return [self.findings]

    @property
    def _shown(self) -> list[tuple[str, Sequence[Column]]]:
        behaviour = [(self._behaviour_title, self._behaviour)] if self.characteristics else []
        return [(self._title, self._columns), *behaviour]

    @property
    def document(self) -> Sheet:
        """Contents for a document."""
        return Sheet(self._title, [], self._shown, self._told, self._found)

    @property
    def sheet(self) -> Sheet:
        """Contents for display."""
        sentences = [self.words] if self.words else []
        if not sentences and self.powers:
            # Of several models and goals the first, which was asked for first, or is the usual one.
            first = self.powers[0]
            last = [each for each in self.powers if (each.model, each.goal) == (first.model, first.goal)][-1]
            sentences = [
                f"With {last.n:,} {self._items}, the probability of {_goal(last.goal)} is {last.probability:.2f} "
                f"({_model(last.model)})."
            ]
        told = [each for each in self._told if each not in sentences]
        return Sheet(self._title, sentences, self._shown[::-1], told, self._found)

    @property
    def page_sheet(self) -> Sheet:
        """What there is to show on a page."""
        found = tiles.of_plan(self.smallest, self.powers, self.true_difference, self.rope)
        return replace(self.sheet, tables=self._shown, tiles=found)

    def __repr__(self) -> str:
        return f"<Plan: {len(self.powers)} cells. {text.plain(self.words)}>"


def _model(name: str) -> str:
    """Write a rule in a sentence; of runs it is how many are new."""
    return name if " new run" in name else f"{name} model"


def _goal(goal: str) -> str:
    """Write a goal in a sentence."""
    kind, _, width = goal.partition(":")
    named = {"decided": "a decision", "significant": "a significant result", "width": f"an interval of width {width}"}
    return named.get(kind, f"the verdict {goal}")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _write(plan: Plan, plain: dict[str, Any]) -> dict[str, Any]:
    """Write the smallest numbers by model and goal, and what follows from them."""
    return plain | {
        "smallest_n": {f"{each['model']} {each['goal']}": each for each in plain["smallest_n"]},
        "characteristics": [{"n": plan.items, **each} for each in plain["characteristics"]],
        "pairing_saves": to_plain({goal: {"share": share, "error": error} for goal, share, error in plan.savings}),
        "words": plan.words,
        "note": spoken(WATCHING),
    }


SHAPES[Smallest] = Shape(keys={"wanted": "probability", "probability": "reached"})
SHAPES[Plan] = Shape(
    keys={"powers": "plan", "smallest": "smallest_n"},
    write=_write,
    read=lambda plain: plain | {"smallest_n": list(plain["smallest_n"].values())},
)
