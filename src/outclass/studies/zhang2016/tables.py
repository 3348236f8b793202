"""The paper's tables, ours beside theirs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.answers.comparison import Comparison
from outclass.answers.plan import Plan
from outclass.ask.compare import compare
from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.rows.types import Contrast
from outclass.studies.study import Desk, Heading, Table, farthest, printed
from outclass.studies.zhang2016.classifiers import L1_SEED, OTHER_SEEDS
from outclass.studies.zhang2016.paper import PAIRS, PRINTED_F1, THEIR_SETS

_SIGNS: Final = {"<<": "≪", "<": "<", "~=": "≈", ">": ">", ">>": "≫", "?": "?"}
_HEADS: Final = (
    Heading(title="sign p", digits=3, rank=5),
    Heading(title="t p", digits=3, rank=6),
    Heading(title="mean", digits=3, signed=True),
    Heading(title="std", digits=3, rank=4),
    Heading(title="BF", digits=3, rank=5),
    Heading(title="% < 0", digits=1, rank=2),
    Heading(title="% ROPE", digits=1, rank=3),
    Heading(title="HDI from", digits=3, signed=True, rank=1),
    Heading(title="to", digits=3, signed=True, rank=1),
    Heading(title="decision"),
)


def averages(tables: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return micro- and macro-F1 of (2, 2) tables, one a label."""
    cells = np.array([(table[0, 0], table[1, 0] + table[0, 1]) for table in tables], dtype=float)
    hits, errors = cells.T
    defined = 2 * hits + errors > 0
    micro = 2 * hits.sum() / (2 * hits.sum() + errors.sum())
    return float(micro), float(np.mean(2 * hits[defined] / (2 * hits + errors)[defined]))


def systems_table(outcomes: Outcomes) -> Table:
    """Lay micro- and macro-F1 beside the printed ones."""
    rows: list[tuple[Any, ...]] = []
    for system in outcomes.systems:
        ours = averages([outcomes.table(system, label) for label in outcomes.true_labels])
        theirs = PRINTED_F1.get(system, (None, None))
        rows.append((system, ours[0], theirs[0], ours[1], theirs[1]))
    return Table(
        key="systems",
        title="The classifiers on 20 Newsgroups",
        heads=(
            Heading(title="system"),
            *(Heading(title=title, digits=3) for title in ("micro-F1", "theirs", "macro-F1", "theirs")),
        ),
        rows=tuple(rows),
        note="Rows without a printed value vary what the paper does not specify (the seed) or use TF-IDF.",
    )


def table_3(plans: Mapping[str, Plan]) -> Table:
    """Lay the simulated power beside the printed one."""
    rows = []
    for row in printed("zhang2016_table3"):
        ours = [power_of(plans, row, model) for model in ("unpaired", "paired")]
        theirs = float(row["power_unpaired"]), float(row["power_paired"])
        rows.append((f"({row['scenario']})", row["goal"], int(row["n"]), ours[0], theirs[0], ours[1], theirs[1]))
    sets = next(iter(plans.values())).sets
    return Table(
        key="table3",
        title="Table 3: power",
        heads=(
            Heading(title="scenario"),
            Heading(title="goal"),
            Heading(title="N"),
            Heading(title="unpaired", digits=3),
            Heading(title="theirs", digits=2),
            Heading(title="paired", digits=3),
            Heading(title="theirs", digits=2),
        ),
        rows=tuple(rows),
        note=f"Ours are based on {sets:,} simulated sets per design point (error at most "
        f"{0.5 / sets**0.5:.3f}), theirs "
        f"on about {THEIR_SETS} (error up to {0.5 / THEIR_SETS**0.5:.2f}).",
    )


def power_of(plans: Mapping[str, Plan], row: Mapping[str, str], model: str) -> float:
    """Return the simulated power of a model in one cell of Table 3."""
    cells = plans[row["scenario"]].powers
    return next(cell.probability for cell in cells if cell.model == model and cell.n == int(row["n"]))


def _factor(row: Contrast) -> float | None:
    found = [factor.value for factor in row.bayes_factors if factor.name == "paper_kde"]
    return None if not found or not np.isfinite(found[0]) else float(found[0])


def _numbers(row: Contrast) -> tuple[Any, ...]:
    tests = {test.name: test.p_value for test in row.tests}
    d = row.difference
    return (
        tests["sign_exact"], tests["welch_t"], d.mean, d.std, _factor(row), 100 * d.below, 100 * d.rope,
        d.hdi.low, d.hdi.high, row.verdict.sign,
    )  # fmt: skip


def _theirs(row: Mapping[str, str]) -> tuple[Any, ...]:
    names = ("sign_test_p", "t_test_p", "mean", "std", "bf_sd", "pct_below_zero", "pct_rope", "hdi_low", "hdi_high")
    return (*(float(row[name]) for name in names), _SIGNS[row["decision"]])


def pairs_of(number: int, answer: Comparison) -> list[tuple[tuple[Any, ...], tuple[Any, ...], str]]:
    """Return ours, theirs and the category, row by row."""
    return [
        (_numbers(ours), _theirs(theirs), theirs["category"])
        for theirs, ours in zip(printed(f"zhang2016_table{number}"), answer.rows, strict=False)
    ]


def table_of(number: int, answer: Comparison) -> Table:
    """Lay ours beside theirs, a pair of columns each."""
    rows = []
    for theirs, ours in zip(printed(f"zhang2016_table{number}"), answer.rows, strict=False):
        both = zip(_numbers(ours), _theirs(theirs), strict=True)
        rows.append((int(theirs["category"]), str(ours.label), *(cell for pair in both for cell in pair)))
    heads = [Heading(title="no.", rank=7), Heading(title="category")]
    for head in _HEADS:
        heads += [head, Heading(title="theirs", digits=head.digits, signed=head.signed, rank=head.rank)]
    a, b = PAIRS[number]
    return Table(
        key=f"table{number}",
        title=f"Table {number}: {a} against {b}, 20 Newsgroups",
        heads=tuple(heads),
        rows=tuple(rows),
        note="Difference in F1, ROPE ±0.05, 95% HDI; every second column is from the paper.",
    )


def seeds_table(every: Outcomes, desk: Desk) -> Table:
    """Table 5 with other seeds of the L1 solver: how many decisions are the paper's, and how far the rest is off."""
    rows = []
    for seed in (L1_SEED, *OTHER_SEEDS):
        name = "svm_l1" if seed == L1_SEED else f"svm_l1 seed {seed}"
        pairs = pairs_of(5, compare(every, systems=(name, "svm_l2"), by="label", **desk.how))
        rows.append(
            (
                seed,
                sum(ours[9] == theirs[9] for ours, theirs, _ in pairs),
                farthest((ours[2], theirs[2]) for ours, theirs, _ in pairs),
                farthest((ours[5], theirs[5]) for ours, theirs, _ in pairs),
                farthest((ours[place], theirs[place]) for ours, theirs, _ in pairs for place in (0, 1)),
            )
        )
    return Table(
        key="seeds",
        title="Table 5 with other seeds of the L1 solver",
        heads=(
            Heading(title="seed"),
            Heading(title="equal decisions (of 20)"),
            Heading(title="largest deviation, mean", digits=4),
            Heading(title="% < 0", digits=1),
            Heading(title="p", digits=3),
        ),
        rows=tuple(rows),
        note="The first seed is used everywhere else.",
    )


def reuters_tables(desk: Desk, labelled: MultiLabel, categories: Sequence[str]) -> list[Table]:
    """Return Tables 4 to 6 for Reuters, of which the paper prints none."""
    found = []
    for number, pair in PAIRS.items():
        answer = compare(labelled, systems=pair, by="label", **desk.how)
        rows = {str(row.label): row for row in answer.rows}
        listed = [(category, *_numbers(rows[category])) for category in categories if category in rows]
        for row in compare(labelled, systems=pair, rng=1).rows:
            d = row.difference
            listed.append(
                (row.measure.title, None, None, d.mean, d.std, None, 100 * d.below, 100 * d.rope,
                 d.hdi.low, d.hdi.high, row.verdict.sign)
            )  # fmt: skip
        found.append(
            Table(
                key=f"reuters{number}",
                title=f"Table {number} repeated on Reuters: {pair[0]} against {pair[1]}",
                heads=(Heading(title="category"), *_HEADS),
                rows=tuple(listed),
                note="Difference in F1, ROPE ±0.05, 95% HDI; the last rows are averages over categories, with "
                "weights on whole documents.",
            )
        )
    return found
