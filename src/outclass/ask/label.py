"""`label`: which items to label next, as a table that comes back as input."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.ask.average_measures import averages_of, undefined_of
from outclass.ask.handed import holds_lists
from outclass.ask.question import MeasureSpec, is_average_only, listed, seed_of
from outclass.ask.used import HINTS, unused
from outclass.atomic import write_whole
from outclass.data.in_memory import columns_of_any
from outclass.data.labels import is_missing
from outclass.data.partly_tables import coded_rows, rows_of_columns
from outclass.dialects import spoken
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding
from outclass.models.strata import Estimated
from outclass.planning.labels import design_of, room_of, widths

MARK: Final = "to_label"
FURTHER: Final = 100
INTERVAL: Final = 2 * 1.96  # standard deviations
MOST: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ToLabel:
    """A table in which some items are marked to be labelled, first and in random order.

    Parameters
    ----------
    columns
        The columns of the table, with an empty true label where there is none, and `to_label` (1 or empty).
    chosen
        How many items are marked.
    width, expected, random, further
        The expected width of the 95% interval: now, with these labels, with as many random ones, and with 100 more.
    """

    columns: Mapping[str, Sequence[Any]] = field(repr=False)
    chosen: int
    pool: int
    labelled: int
    measure: str
    width: float
    expected: float
    random: float
    further: float
    words: str
    findings: tuple[Finding, ...] = ()

    def write(self, path: str | Path) -> None:
        """Write the table as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        # As it was read: a label such as "+" must come back as itself.
        rows = zip(*self.columns.values(), strict=True)
        writer.writerows(["" if is_missing(cell) else cell for cell in row] for row in rows)
        write_whole(Path(path), text.getvalue())


def label(
    data: Any,
    *,
    budget: int,
    truth: str = "truth",
    systems: Sequence[str] | None = None,
    judge: str | Sequence[str] = (),
    measure: MeasureSpec | None = None,
    positive: Any = None,
    id: str | None = None,
    missing: str = "error",
    undefined: str | None = None,
    rng: int | np.random.Generator | None = None,
) -> ToLabel:
    """Choose which items to label next, so that a comparison becomes as narrow as it can.

    Items that systems and judges label alike form strata. The budget is spent on the strata whose labels narrow the
    interval most (Neyman's allocation, by the labels that there are), and within a stratum at random: so the answer of
    `compare` stays valid, if it is given the same systems and judges. It also works without any label.

    Parameters
    ----------
    data
        A table with every item, labelled or not: a path, a dataframe or a mapping of columns; or one table per system,
        joined on `id`.
    budget
        How many items to label.
    truth
        The column of true labels, empty where there is none; it need not exist yet.
    systems, judge, id, missing
        As in `compare`.
    measure, positive, undefined
        What the labels are for: one measure, by default F1, with more than two labels macro-F1.
    rng
        Seed or NumPy generator.
    """
    _check_budget(budget)
    judges = [judge] if isinstance(judge, str) else list(judge)
    columns, before = _table(data, truth, systems, judges, id)
    rows, kinds = rows_of_columns(
        columns, truth=truth, systems=systems, id=id, judge=judges, inclusion=None, missing=missing
    )
    found, kept, codes = coded_rows(rows, missing)
    if len(found.labels) < 2:
        raise InputError(f"the systems predict only {quoted(found.labels)}, so there is nothing to choose by.")
    decisions = Estimated(found)
    wanted = _measure(decisions, measure, positive, found.labelled)
    if undefined is not None and not (wanted.averages_labels and wanted.label is None):
        raise unused(["undefined"], wanted.title, HINTS["undefined"])
    strata = decisions.strata
    apart = np.array([len(set(row)) > 1 for row in strata.said[:, : len(found.systems)].tolist()])
    if len(found.systems) > 1 and not apart.any():
        raise InputError(
            f"the systems {quoted(found.systems)} predict the same for every item, so no label tells them apart. For "
            "labels that tell how good they are, name one of them (⟨systems⟩)."
        )
    design = design_of(decisions, wanted, undefined=undefined_of(undefined))
    room = room_of(decisions, design)
    _check_pool(budget, int(room.sum()))
    numbers = widths(design, room, int(budget), FURTHER)
    # The stratum of every row, by what systems and judges say of it; none where something is missing.
    place = {row.tobytes(): at for at, row in enumerate(strata.said)}
    of_kind = np.full(len(rows.counts), -1, dtype=np.int64)
    of_kind[kept] = [place[np.ascontiguousarray(row).tobytes()] for row in codes[:, 1:]]
    stratum = of_kind[kinds]
    free = np.array([is_missing(value) for value in columns[truth]]) & (stratum >= 0)
    cells = np.where(free, design.cell[stratum], -1)
    marked = _drawn(cells, numbers["chosen"], np.random.default_rng(seed_of(rng)))
    answer = ToLabel(
        columns=_marked(columns, marked, before),
        chosen=len(marked),
        pool=int(room.sum()),
        labelled=found.labelled,
        measure=wanted.title,
        width=INTERVAL * numbers["now"],
        expected=INTERVAL * numbers["then"],
        random=INTERVAL * numbers["random"],
        further=INTERVAL * numbers["further"],
        words="",
        findings=found.findings,
    )
    return replace(answer, words=_words(answer, int(apart[stratum[marked]].sum()), len(found.systems)))


def _check_pool(budget: int, unlabelled: int) -> None:
    if budget > unlabelled:
        raise InputError(
            f"the budget of {budget:,} is larger than the pool: only {unlabelled:,} items are unlabelled (⟨budget⟩)."
        )


def _check_budget(budget: Any) -> None:
    if isinstance(budget, bool) or not isinstance(budget, int | np.integer) or not 1 <= budget <= MOST:
        raise InputError(f"⟨budget⟩ must be a whole number between 1 and {MOST:,}, got {shown(budget)}.")


def _drawn(cells: Counts, chosen: Counts, rng: np.random.Generator) -> list[int]:
    """Draw so many rows of each cell, and put all in random order."""
    found: list[int] = []
    for at in np.flatnonzero(chosen):
        found += rng.choice(np.flatnonzero(cells == at), int(chosen[at]), replace=False).tolist()
    return [int(row) for row in rng.permutation(found)]


def _table(
    data: Any, truth: str, systems: Sequence[str] | None, judges: Sequence[str], id: str | None
) -> tuple[dict[str, Any], bool]:
    """Return the columns of the pool, with a column for the truth, and whether it was there."""
    from outclass.data.slicing import binned

    named = [binned(name)[0] if binned(name)[1] else name for name in judges]
    if isinstance(data, list | tuple) and len(data) == 1:
        (data,) = data
    several = isinstance(data, list | tuple)
    shared = [truth, *named]
    if several:
        try:
            columns = dict(columns_of_any(data, keys=[] if id is None else [id], shared=shared))
        except InputError as error:
            if f"'{truth}'" not in str(error):
                raise
            columns = dict(columns_of_any(data, keys=[] if id is None else [id], shared=named))
    else:
        columns = dict(columns_of_any(data))
    if lists := [name for name in (truth, *(systems or ())) if holds_lists(columns.get(name))]:
        raise InputError(
            f"column {quoted(lists[:1])} holds lists, and items are chosen for one label at a time: give a table of "
            "yes and no for that label. What is chosen for one label is no random sample for the others."
        )
    columns.pop(MARK, None)
    there = truth in columns
    if not there:
        columns[truth] = [None] * len(next(iter(columns.values())))
    if not systems and all(map(is_missing, columns[truth])):
        raise InputError(
            "no item has a true label, by which columns of predictions could be told from others: name the systems "
            "(⟨systems⟩)."
        )
    return columns, there


def _measure(decisions: Estimated, measure: Any, positive: Any, labelled: int) -> Any:
    """Find the one measure that is to become known."""
    if measure is not None and len(listed(measure)) != 1:
        raise InputError("labels are chosen for one measure; name one (⟨measure⟩).")
    if measure is None:
        measure = "f1" if len(decisions.labels) == 2 or positive is not None else "macro_f1"
    if is_average_only(measure) and positive is not None:
        raise InputError("an average includes all labels: leave out ⟨positive⟩.")
    return averages_of(decisions, measure, positive)[0]


def _marked(columns: Mapping[str, Sequence[Any]], marked: Sequence[int], there: bool) -> dict[str, list[Any]]:
    """Put the marked items first."""
    size = len(next(iter(columns.values())))
    own = set(marked)
    order = [*marked, *(row for row in range(size) if row not in own)]
    found = {name: [column[row] for row in order] for name, column in columns.items()}
    return {MARK: [1] * len(marked) + [None] * (size - len(marked)), **found}


def _words(found: ToLabel, apart: int, systems: int) -> str:
    where = f", {apart:,} of them where the systems differ" if systems > 1 else ""
    now = f"{found.width:.3f} now, " if found.labelled else ""
    what = f"the difference in {found.measure}" if systems > 1 else found.measure
    return spoken(
        f"{found.chosen:,} of {found.pool:,} unlabelled items are marked ({MARK}){where}. Expected width of the 95% "
        f"interval of {what}: {now}{found.expected:.3f} with these labels ({found.random:.3f} with as many random "
        f"ones), {found.further:.3f} with {FURTHER} more. Label them all, or in the order of the file, and compare "
        "with the same systems and judges."
    )
