"""The answer of `plan`: how likely a goal is at each number of items; frozen, JSON, printed like the others."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.planning.characteristics import Characteristic
from outclass.planning.study import Power, Smallest
from outclass.report import captions, latex, markdown, terminal, words
from outclass.report.sheets import Sheet
from outclass.report.shown import Shown
from outclass.report.tables import Column
from outclass.rows.types import plain_of

WATCHING = (
    "The rule is for a test set whose size was fixed beforehand: looking again and again while labels arrive makes it "
    "decide too soon. `outclass update` shows a rule that may be watched."
)


@dataclass(frozen=True)
class Plan(Shown):
    """The probability of goals over numbers of items, and the smallest number for a wanted probability."""

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

    @property
    def savings(self) -> list[tuple[str, float, float]]:
        """For every goal, the share of labels that pairing saves, and the simulation error of that."""
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
        """The answer in plain sentences."""
        told = []
        for each in self.smallest:
            size = (
                f"no number of items up to {each.most:,}"
                if each.n is None
                else f"about {each.n:,}{' new' if self.pilot_items else ''} items"
            )
            reaches = "reaches" if each.n is None else "reach"
            off = "" if each.n_error is None else f", give or take {each.n_error:,.0f}"
            told.append(f"{size} {reaches} {each.goal} with probability {each.wanted:g} ({each.model} model{off}).")
        for goal, share, error in self.savings:
            told.append(
                f"For {goal}, pairing saves you {share:.0%} (+- {max(error, 0.01):.0%}) of the labels, against the "
                "unpaired model on the same items."
            )
            if self.by_chance:
                told.append(
                    "The systems were taken to agree by chance only; how often they do (--agreement) decides it."
                )
        return " ".join(told)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of the JSON."""
        return {
            "plan": [asdict(each) for each in self.powers],
            "smallest_n": {
                f"{each.model} {each.goal}": {
                    "n": each.n,
                    "probability": each.wanted,
                    "model": each.model,
                    "goal": each.goal,
                    "reached": each.probability,
                    "error": each.error,
                    "n_error": each.n_error,
                }
                for each in self.smallest
            },
            "pairing_saves": {goal: {"share": share, "error": error} for goal, share, error in self.savings},
            "characteristics": [{"n": self.items, **asdict(each)} for each in self.characteristics],
            "measure": self.measure,
            "rope": list(self.rope),
            "hdi_mass": self.hdi_mass,
            "prior": self.prior,
            "sets": self.sets,
            "true_difference": self.true_difference,
            "pilot_items": self.pilot_items,
            "seed": self.seed,
            "words": self.words,
            "note": WATCHING,
            "findings": plain_of(list(self.findings)),
        }

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """Return one line a cell."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["n", "model", "goal", "probability", "error", "sets"])
        writer.writerows(list(asdict(each).values()) for each in self.powers)
        for each in self.smallest:
            size = "" if each.n is None else each.n
            writer.writerow([size, each.model, f"{each.goal} (smallest)", each.probability, each.error, self.sets])
        return stream.getvalue()

    @property
    def _columns(self) -> list[Column]:
        if not self.powers:
            rows = self.smallest
            return [
                _column("n", "items", ["none" if each.n is None else f"{each.n:,}" for each in rows], 0),
                _column("model", "model", [each.model for each in rows], 0),
                _column("goal", "goal", [each.goal for each in rows], 0),
                _column("wanted", "wanted", [f"{each.wanted:g}" for each in rows], 0),
                _column("reached", "reached", [_share(each.probability) for each in rows], 1),
                _column("error", "error", [_share(each.error) for each in rows], 1),
            ]
        return [
            _column("n", "items", [f"{each.n:,}" for each in self.powers], 0),
            _column("model", "model", [each.model for each in self.powers], 0),
            _column("goal", "goal", [each.goal for each in self.powers], 0),
            _column("probability", "probability", [f"{each.probability:.3f}" for each in self.powers], 0),
            _column("error", "error", [f"{each.error:.3f}" for each in self.powers], 1),
        ]

    @property
    def _behaviour(self) -> list[Column]:
        rows = self.characteristics
        return [
            _column("difference", "true difference", [words.signed(each.difference) for each in rows], 0),
            _column("right", "right", [words.percent(each.right) for each in rows], 0),
            _column("wrong", "wrong", [words.percent(each.wrong) for each in rows], 0),
            _column("undecided", "undecided", [words.percent(each.undecided) for each in rows], 0),
        ]

    @property
    def _behaviour_title(self) -> str:
        model = self.powers[0].model if self.powers else ""
        return f"How the rule behaves with {self.items:,} items ({model} model)"

    @property
    def _title(self) -> str:
        if self.true_difference is None:
            return f"Plan from a pilot of {self.pilot_items:,} items, {self.title}"
        return f"Plan, {self.title}, true difference {words.signed(self.true_difference)}"

    @property
    def _told(self) -> list[str]:
        sets = f"{self.sets:,} simulated sets a cell; "
        behaviour = []
        if self.characteristics:
            behaviour = [
                f"{self._behaviour_title}: {self.sets:,} sets a line, so that shares have a simulation error of "
                f"{0.5 / self.sets**0.5:.1%} at most."
            ]
        return [
            *([self.words] if self.words else []),
            *behaviour,
            f"ROPE {words.rope(self.rope)}, {100 * self.hdi_mass:g}% HDI, {self.prior} prior; {sets}seed {self.seed}",
            WATCHING,
        ]

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        parts = [markdown.document(self._title, self._columns, [], self._told)]
        if self.characteristics:
            parts.append(markdown.document(self._behaviour_title, self._behaviour, [], []))
        return "\n".join(parts)

    def to_latex(self) -> str:
        """Return the table in LaTeX (booktabs)."""
        parts = [latex.table(self._title, self._columns, self._told)]
        if self.characteristics:
            parts.append(latex.table(self._behaviour_title, self._behaviour, []))
        return "\n".join(parts)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        tables: list[tuple[str, Sequence[Column]]] = []
        if self.characteristics:
            tables.append((self._behaviour_title, self._behaviour))
        words = [self.words] if self.words else []
        if not words and self.powers:
            last = self.powers[-1]
            words = [
                f"With {last.n:,} items the goal {last.goal} is reached with probability {last.probability:.2f} "
                f"({last.model} model)."
            ]
        told = [each for each in self._told if each not in words]
        return Sheet(
            self._title, words, [*tables, (self._title, self._columns)], told, captions.findings_of([self.findings])
        )

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.sheet(self.sheet, width))

    def __repr__(self) -> str:
        return f"<Plan: {len(self.powers)} cells. {self.words}>"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _column(key: str, title: str, cells: Sequence[str], rank: int) -> Column:
    return Column(key=key, title=title, cells=tuple(cells), rank=rank)
