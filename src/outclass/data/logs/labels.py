"""Labels out of logs: the gold answers and the prediction of each system, where both are labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from outclass.data.logs.matching import Cell, Matched, scores_of
from outclass.errors import InputError, quoted

MOST: Final = 200  # different gold answers, beyond which they are no labels
TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Labelled:
    """One row for each generation: its item, what is right, and the prediction of each system."""

    rows: Sequence[int]  # the place of the item
    gold: Sequence[str]
    said: Mapping[str, Sequence[str]]

    @property
    def repeated(self) -> bool:
        """Whether an item has several rows."""
        return len(set(self.rows)) < len(self.rows)


def labels_of(found: Matched) -> Labelled:
    """Return labels, as they are in the logs; of two gold answers the other one where only right or wrong is known."""
    rows, cells = [], []
    for place, row in enumerate(zip(*found.cells.values(), strict=True)):
        own = [cell for cell in row if cell is not None]
        if len(own) == len(row):
            epochs = min(len(cell.scored) for cell in own)
            rows += [place] * epochs
            cells += [[(cell, epoch) for cell in own] for epoch in range(epochs)]
    gold = [_gold(row[0][0], row[0][1]) for row in cells]
    if any(each is None or each == "" for each in gold):
        raise _no_labels(found, "some items have no gold answer")
    kinds = sorted({each for each in gold if each is not None})
    said = {system: [_said(*row[which]) for row in cells] for which, system in enumerate(found.systems)}
    right = {system: [_right(found.metric, *row[which]) for row in cells] for which, system in enumerate(found.systems)}
    if all(map(_agree, said.values(), right.values(), [gold] * len(said))):
        if len(kinds) > MOST:
            raise _no_labels(found, f"there are {len(kinds):,} different gold answers")
        return Labelled(rows, _texts(gold), {system: _texts(own) for system, own in said.items()})
    if len(kinds) != TWO or any(set(own) - {0.0, 1.0} for own in right.values()):
        told = (
            f"there are {len(kinds):,} different gold answers, and the answers of the systems are not labels like these"
        )
        raise _no_labels(found, told)
    other = {kinds[0]: kinds[1], kinds[1]: kinds[0]}
    derived = {
        system: [true if good else other[true] for true, good in zip(_texts(gold), own, strict=True)]
        for system, own in right.items()
    }
    return Labelled(rows, _texts(gold), derived)


def _texts(values: Sequence[str | None]) -> list[str]:
    return [value or "" for value in values]


def _gold(cell: Cell, epoch: int) -> str | None:
    return cell.run.samples.gold[cell.scored[epoch]]


def _said(cell: Cell, epoch: int) -> str | None:
    return cell.run.samples.answer[cell.scored[epoch]]


def _right(metric: str, cell: Cell, epoch: int) -> float:
    return scores_of(cell.run, metric)[cell.scored[epoch]]


def _agree(said: Sequence[str | None], right: Sequence[float], gold: Sequence[str | None]) -> bool:
    """Return whether answers are labels: those that equal the gold answer are right, and no others."""
    return all(
        answer is not None and answer.strip() != "" and (answer == true) == (good == 1.0) and good in (0.0, 1.0)
        for answer, good, true in zip(said, right, gold, strict=True)
    )


def _no_labels(found: Matched, why: str) -> InputError:
    return InputError(
        "a measure of labels (⟨measure⟩) needs gold answers and answers that are labels, and in "
        f"{quoted([found.metric])} "
        f"{why}. Leave ⟨measure⟩ out to compare the mean."
    )
