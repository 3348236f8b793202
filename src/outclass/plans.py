"""The answer of `plan`: how likely a goal is at each number of items; frozen, JSON, printed like the others."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.planning.characteristics import Characteristic
from outclass.planning.study import Power, Smallest
from outclass.report import captions, latex, markdown, terminal, words
from outclass.report.tables import Column
from outclass.results import plain_of

WATCHING = (
    "The rule is for a test set whose size was fixed beforehand: looking again and again while labels arrive makes it "
    "decide too soon. `outclass update` shows a rule that may be watched."
)


@dataclass(frozen=True)
class Plan:
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
    findings: tuple[Finding, ...] = ()

    @property
    def savings(self) -> list[tuple[str, float]]:
        """For every goal, the share of labels that pairing saves."""
        by_goal: dict[str, dict[str, int | None]] = {}
        for each in self.smallest:
            by_goal.setdefault(each.goal, {})[each.model] = each.n
        found = []
        for goal, sizes in by_goal.items():
            paired, unpaired = sizes.get("paired"), sizes.get("unpaired")
            if paired and unpaired:
                found.append((goal, 1 - paired / unpaired))
        return found

    @property
    def words(self) -> str:
        """The answer in plain sentences."""
        told = []
        for each in self.smallest:
            size = (
                "no number of items"
                if each.n is None
                else f"about {each.n:,}{' new' if self.pilot_items else ''} items"
            )
            reaches = "reaches" if each.n is None else "reach"
            told.append(f"{size} {reaches} {each.goal} with probability {each.wanted:g} ({each.model} model).")
        for goal, share in self.savings:
            told.append(
                f"For {goal}, pairing saves you {share:.0%} of the labels (against the unpaired model on the same "
                "items)."
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
                }
                for each in self.smallest
            },
            "pairing_saves": dict(self.savings),
            "characteristics": [asdict(each) for each in self.characteristics],
            "measure": self.measure,
            "rope": list(self.rope),
            "hdi_mass": self.hdi_mass,
            "prior": self.prior,
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
            writer.writerow(
                ["" if each.n is None else each.n, each.model, f"{each.goal} (smallest)", each.wanted, "", ""]
            )
        return stream.getvalue()

    @property
    def _columns(self) -> list[Column]:
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
    def _title(self) -> str:
        if self.true_difference is None:
            return f"Plan from a pilot of {self.pilot_items:,} items, {self.title}"
        return f"Plan, {self.title}, true difference {words.signed(self.true_difference)}"

    @property
    def _told(self) -> list[str]:
        sets = f"{self.powers[0].sets:,} simulated sets a cell; " if self.powers else ""
        behaviour = []
        if self.characteristics and self.powers:
            size = self.powers[0].sets
            behaviour = [f"How the rule behaves: {size:,} sets a line, so that shares are within {1 / size**0.5:.1%}."]
        return [
            *([self.words] if self.words else []),
            *behaviour,
            f"ROPE {words.rope(self.rope)}, {100 * self.hdi_mass:g}% HDI, {self.prior} prior; {sets}seed {self.seed}",
            WATCHING,
        ]

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        parts = [markdown.document(self._title, self._columns, [], self._told)] if self.powers else []
        if self.characteristics:
            parts.append(markdown.document("How the rule behaves", self._behaviour, [], []))
        return "\n".join(parts) or self.words + "\n"

    def to_latex(self) -> str:
        """Return the table in LaTeX (booktabs)."""
        parts = [latex.table(self._title, self._columns, self._told)] if self.powers or not self.characteristics else []
        if self.characteristics:
            parts.append(latex.table("How the rule behaves", self._behaviour, []))
        return "\n".join(parts)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __str__(self) -> str:
        extra = [("How the rule behaves", self._behaviour)] if self.characteristics else []
        found = captions.findings_of([self.findings])
        return terminal.for_screen(
            lambda width: terminal.battery(self._title, self._columns, extra, self._told, found, width)
        )

    def __repr__(self) -> str:
        return f"<Plan: {len(self.powers)} cells. {self.words}>"


def _column(key: str, title: str, cells: Sequence[str], rank: int) -> Column:
    return Column(key=key, title=title, cells=tuple(cells), rank=rank)
