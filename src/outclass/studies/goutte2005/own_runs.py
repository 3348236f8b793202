"""Tables 1 and 2 from our own runs, and whether they agree."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from outclass.data.multilabel import MultiLabel, from_lists
from outclass.studies.goutte2005.classifiers import COSTS, other_costs
from outclass.studies.goutte2005.counts import Counts, ahead, better, f1_of
from outclass.studies.goutte2005.paper import MICRO, NAMES, SYSTEMS
from outclass.studies.study import Cell, Check, Heading, Table, printed

FAR: Final = 3.0  # points of F1


def cells_of(labelled: MultiLabel, system: str) -> dict[str, Counts]:
    """Return a system's counts in each category, and in all together."""
    found = {}
    for label, table in zip(labelled.labels, labelled.tables(system).tolist(), strict=True):
        (tp, fn), (fp, _) = table
        found[label] = Counts(tp, fp, fn)
    found[MICRO] = Counts(*(sum(getattr(each, cell) for each in found.values()) for cell in ("tp", "fp", "fn")))
    return found


Pairs = list[tuple[float, float]]  # ours and theirs
_NAMES: Final = tuple(Heading(title=title) for title in ("category", "A", "B"))
_PROBABILITIES: Final = (Heading(title="P(A > B)", digits=2), Heading(title="theirs", digits=2))


def retrained_tables(
    labelled: MultiLabel,
) -> tuple[list[Table], list[Check], list[tuple[str, str, float]]]:
    """Return our own Tables 1 and 2, the checks, and how far each F1 is off."""
    first, of_f1, sides = _table_1(labelled)
    second, paired = _table_2(labelled)
    near = [
        (category, system, ours - theirs) for (category, system), (ours, theirs) in of_f1.items() if category != MICRO
    ]
    checks = [_micro(system, *of_f1[MICRO, system]) for system in SYSTEMS]
    checks += [_near(near), _same_side("1", sides), _same_side("2", paired)]
    return [first, second], checks, near


def _table_1(labelled: MultiLabel) -> tuple[Table, dict[tuple[str, str], tuple[float, float]], Pairs]:
    """Return the table, ours and theirs of F1 by category and system, and of the probabilities."""
    cells = {system: cells_of(labelled, system) for system in SYSTEMS}
    rows: list[tuple[Cell, ...]] = []
    of_f1, sides = {}, []
    for row in printed("goutte2005_table1"):
        a, b, category = row["system_a"], row["system_b"], row["category"]
        own = NAMES.get(category, category)
        if own not in cells[a]:
            continue  # of a quick run's corpus
        mine = cells[a][own], cells[b][own]
        ours, theirs = better(*mine), float(row["prob_a_better"])
        f1 = f1_of(mine[0]), f1_of(mine[1])
        rows.append((category, a, b, f1[0], float(row["f1_a"]), f1[1], float(row["f1_b"]), ours, theirs))
        sides.append((ours, theirs))
        of_f1[category, a], of_f1[category, b] = (f1[0], float(row["f1_a"])), (f1[1], float(row["f1_b"]))
    table = Table(
        key="table1_retrained",
        title="Table 1 from our own runs: F1, and P(F1 of A > F1 of B), in percent",
        heads=(
            *_NAMES,
            Heading(title="F1 of A", digits=2, rank=1),
            Heading(title="theirs", digits=2, rank=2),
            Heading(title="F1 of B", digits=2, rank=1),
            Heading(title="theirs", digits=2, rank=2),
            *_PROBABILITIES,
        ),
        rows=tuple(rows),
    )
    return table, of_f1, sides


def _table_2(labelled: MultiLabel) -> tuple[Table, Pairs]:
    """Return the table, and ours and theirs of the probabilities."""
    rows: list[tuple[Cell, ...]] = []
    paired = []
    for row in printed("goutte2005_table2"):
        a, b, category = row["system_a"], row["system_b"], row["category"]
        own = NAMES.get(category, category)
        if own not in labelled.labels:
            continue
        (_, only_a, only_b, _), (_, false_a, false_b, _) = labelled.joints(a, b)[labelled.labels.index(own)].tolist()
        wins = only_a + false_b, only_b + false_a
        ours, theirs = ahead(*wins), float(row["prob_a_better"])
        printed_wins = f"{row['wins_a']} : {row['wins_b']}"
        rows.append((category, a, b, f"{wins[0]} : {wins[1]}", printed_wins, ours, theirs))
        paired.append((ours, theirs))
    table = Table(
        key="table2_retrained",
        title="Table 2 from our own runs: items that only A : only B gets right, and P(A > B), in percent",
        heads=(*_NAMES, Heading(title="wins"), Heading(title="theirs"), *_PROBABILITIES),
        rows=tuple(rows),
    )
    return table, paired


def _micro(system: str, ours: float, theirs: float) -> Check:
    return Check(
        what=f"retrained {system}: micro-F1",
        ours=f"{ours:.2f}",
        theirs=f"{theirs:.2f} (within 1)",
        agrees=None if system.endswith("nnn") else abs(ours - theirs) <= 1,
    )


def _near(near: Sequence[tuple[str, str, float]]) -> Check:
    good = sum(abs(gap) <= FAR for _, _, gap in near)
    return Check(
        what="retrained F1 of categories",
        ours=f"{good} of {len(near)} within {FAR:g} points",
        theirs=str(len(near)),
        agrees=good == len(near),
    )


def _same_side(number: str, found: Pairs) -> Check:
    sure = [(ours, theirs) for ours, theirs in found if abs(theirs - 50) >= 45]
    same = sum((ours > 50) == (theirs > 50) for ours, theirs in sure)
    return Check(
        what=f"retrained Table {number}: direction of differences with a printed probability above 95%",
        ours=f"{same} of {len(sure)} the same",
        theirs=str(len(sure)),
        agrees=same == len(sure),
    )


def costs_table(labelled: MultiLabel, costs: Mapping[str, list[Any]]) -> Table:
    """Show how much depends on the cost, which the paper does not give."""
    truth = costs["truth"]
    other = from_lists(truth, {name: said for name, said in costs.items() if name != "truth"})
    rows = []
    for system in SYSTEMS:
        low, high = other_costs(system)
        tried = [
            f1_of(cells_of(other, f"{system} {low:g}")[MICRO]),
            f1_of(cells_of(labelled, system)[MICRO]),
            f1_of(cells_of(other, f"{system} {high:g}")[MICRO]),
        ]
        theirs = next(
            float(row[f"f1_{side}"])
            for row in printed("goutte2005_table1")
            for side in ("a", "b")
            if row["category"] == MICRO and row[f"system_{side}"] == system
        )
        rows.append((system, f"{COSTS[system]:g}", *tried, theirs))
    return Table(
        key="costs",
        title="Sensitivity to C: micro-F1 with C / 10, C and 10 C",
        heads=(
            Heading(title="system"),
            Heading(title="C"),
            *(Heading(title=title, digits=2) for title in ("C / 10", "C", "10 C", "theirs")),
        ),
        rows=tuple(rows),
    )
