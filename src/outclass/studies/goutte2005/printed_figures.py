"""Tables 1 and 2 from the printed figures, and whether they agree."""

import numpy as np

from outclass.studies.goutte2005.counts import Counts, ahead, better, categories, narrowed, recovered, summed
from outclass.studies.goutte2005.paper import NAMES, POSITIVES, SYSTEMS
from outclass.studies.study import Cell, Check, Heading, Table, farthest, printed

Solutions = dict[str, list[dict[str, Counts]]]  # of each category, all counts of the four systems that fit


def recovered_tables() -> tuple[list[Table], list[Check]]:
    """Return the counts behind the printed figures, Table 1 from them, and whether it agrees."""
    alone = {category: recovered(category) for category in categories()}
    found = narrowed(alone)
    first, deviations = _table_1(found)
    off = farthest(deviations)
    mean = float(np.mean([abs(ours - theirs) for ours, theirs in deviations]))
    check = Check(
        what="Table 1 from the counts that are determined: largest deviation of a probability",
        ours=f"{off:.2f} points, {mean:.2f} on average",
        theirs="within 1.2",
        agrees=off <= 1.2,
    )
    return [_counts_table(alone, found), first], [_fixed(alone, found), check]


def _counts_table(alone: Solutions, found: Solutions) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for category, solutions in found.items():
        shown = solutions[0]
        told = [f"{shown[s].tp} / {shown[s].fp} / {shown[s].fn}" for s in SYSTEMS]
        rows.append((category, POSITIVES[NAMES.get(category, category)], *told, len(alone[category]), len(solutions)))
    return Table(
        key="counts",
        title="The counts behind the paper's figures: TP / FP / FN",
        heads=tuple(Heading(title=title) for title in ("category", "positives", *SYSTEMS, "solutions", "left")),
        rows=tuple(rows),
        note="Counts that round to the printed F1, differ by the printed wins, and add up to the documents of the "
        "category (solutions), and those that also match the printed micro-averages (left). The first is shown.",
    )


def _table_1(found: Solutions) -> tuple[Table, list[tuple[float, float]]]:
    """Return the table, and ours and theirs where the counts are determined."""
    rows: list[tuple[Cell, ...]] = []
    fixed = []
    for row in printed("goutte2005_table1"):
        # The micro-average is of all of them.
        solutions = found.get(row["category"]) or [summed([each[0] for each in found.values()])]
        pair = row["system_a"], row["system_b"]
        theirs = float(row["prob_a_better"])
        distinct = {(each[pair[0]], each[pair[1]]) for each in solutions}
        values = [better(*each) for each in distinct]
        ours = min(values, key=lambda value: abs(value - theirs))
        if len(found.get(row["category"], ())) == 1:
            fixed.append((ours, theirs))
        spread = "" if len(values) == 1 else f"{min(values):.2f} to {max(values):.2f}"
        rows.append((row["category"], *pair, float(row["f1_a"]), float(row["f1_b"]), ours, theirs, spread))
    table = Table(
        key="table1_printed",
        title="Table 1 from the printed figures: P(F1 of A > F1 of B), in percent",
        heads=(
            *(Heading(title=title) for title in ("category", "A", "B")),
            Heading(title="F1 of A", digits=2, rank=2),
            Heading(title="F1 of B", digits=2, rank=2),
            Heading(title="exact", digits=2),
            Heading(title="theirs", digits=2),
            Heading(title="all solutions", rank=3),
        ),
        rows=tuple(rows),
        note="Theirs are from 10,000 draws, with an error of up to half a point. If several counts match the printed "
        "figures, the nearest probability and the range of all are shown; the micro-average is the sum of the "
        "first solutions.",
    )
    return table, fixed


def _fixed(alone: Solutions, found: Solutions) -> Check:
    unique, now = ([name for name, several in each.items() if len(several) == 1] for each in (alone, found))
    return Check(
        what="categories whose counts follow from the printed figures",
        ours=f"{len(unique)} of {len(found)}",
        theirs="",
        agrees=None,
        why="the others have several solutions "
        f"({', '.join(f'{each} {len(alone[each])}' for each in found if each not in unique)}); "
        f"with the printed micro-averages, {len(now)} categories are determined"
        + "".join(f", and {each} has {len(found[each])} solutions left" for each in found if each not in now)
        + ".",
    )


def wins_table() -> tuple[Table, Check]:
    """Return Table 2 from the printed wins, and whether it agrees."""
    rows, far = [], []
    for row in printed("goutte2005_table2"):
        wins = int(row["wins_a"]), int(row["wins_b"])
        theirs, exact = float(row["prob_a_better"]), ahead(int(row["wins_a"]), int(row["wins_b"]))
        rows.append((row["category"], row["system_a"], row["system_b"], *wins, exact, theirs))
        # Their error is that of 10,000 draws; printed to a hundredth.
        far.append((abs(exact - theirs) - 0.005) / max((exact * (100 - exact) / 10_000) ** 0.5, 0.01))
    beyond = [f"{rows[at][0]} {rows[at][3]} against {rows[at][4]}" for at in np.flatnonzero(np.array(far) > 3)]
    table = Table(
        key="table2_printed",
        title="Table 2 from the printed wins: P(A > B), in percent",
        heads=(
            *(Heading(title=title) for title in ("category", "A", "B", "only A", "only B")),
            Heading(title="exact", digits=2),
            Heading(title="theirs", digits=2),
        ),
        rows=tuple(rows),
        note="Exact values are from a Beta distribution, theirs from 10,000 draws.",
    )
    check = Check(
        what="Table 2 from the printed wins, within three errors of 10,000 draws",
        ours=f"{sum(each <= 3 for each in far)} of {len(far)}",
        theirs=str(len(far)),
        agrees=not beyond,
        why=f"outside: {', '.join(beyond)} (a misprint, or chance)." if beyond else "",
    )
    return table, check
