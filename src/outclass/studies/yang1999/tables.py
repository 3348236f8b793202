"""The paper's tables, ours beside theirs, and what depends on what it leaves open."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from outclass.answers.ranking import Ranking
from outclass.answers.test_report import TestReport
from outclass.significance.proportion import proportion
from outclass.studies.study import Cell, Heading, Table, printed
from outclass.studies.yang1999.classifiers import EPOCHS, VARIANTS
from outclass.studies.yang1999.paper import DECISIONS, LABELS, MACRO_GOOD, SYSTEMS

_COLUMNS: Final = (
    ("s", "micro_sign"),
    ("S", "macro_sign"),
    ("T", "macro_t"),
    ("T'", "macro_t_ranks"),
    ("p recall", "recall"),
    ("p precision", "precision"),
    ("p error", "error"),
)


def scores_of(battery: TestReport) -> dict[str, Any]:
    """Return the scores by system."""
    return {each.name: each for each in battery.scores}


def table_1(battery: TestReport) -> Table:
    """Lay the scores beside those of Table 1."""
    found = scores_of(battery)
    rows = []
    names = ("micro_recall", "micro_precision", "micro_f1", "macro_f1", "error")
    for theirs in printed("yang1999_table1"):
        ours = found[theirs["system"]]
        rows.append((theirs["system"], *(v for name in names for v in (getattr(ours, name), float(theirs[name])))))
    heads = [Heading(title="system")]
    for title, digits, ranked in (
        ("micro-recall", 4, 2),
        ("micro-precision", 4, 2),
        ("micro-F1", 4, 0),
        ("macro-F1", 4, 0),
        ("error", 5, 3),
    ):
        heads += [Heading(title=title, digits=digits, rank=ranked), Heading(title="theirs", digits=digits, rank=ranked)]
    return Table(key="table1", title="Table 1: performance", heads=tuple(heads), rows=tuple(rows))


def table_2(battery: TestReport) -> Table:
    """Return the marks of the pairwise tests."""
    rows: list[tuple[Cell, ...]] = []
    for a, b in combinations(SYSTEMS, 2):
        own = [row for row in battery.rows if row.systems == (a, b)]
        marks = {row.name if row.name != "proportion" else row.measure: row.mark for row in own}
        rows.append((a, b, *(marks.get(name, "") for _, name in _COLUMNS)))
    return Table(
        key="table2",
        title="Table 2: the pairwise tests",
        heads=(Heading(title="A"), Heading(title="B"), *(Heading(title=title) for title, _ in _COLUMNS)),
        rows=tuple(rows),
        note=">> or <<: one-sided p at most .01; > or <: at most .05; ~ otherwise. s and p pool 271,710 "
        "decisions as if "
        "independent, although those on the same document are not.",
    )


def printed_tests() -> Table:
    """The p-tests that the printed Table 1 allows: on recall, precision and error."""
    scores = {row["system"]: row for row in printed("yang1999_table1")}

    def counts(system: str) -> dict[str, tuple[float, float]]:
        # The shares as printed; whole counts would move the p-values by more than their last digit.
        recall, precision, error = (
            float(scores[system][name]) for name in ("micro_recall", "micro_precision", "error")
        )
        hits = recall * LABELS
        return {
            "recall": (hits, LABELS),
            "precision": (hits, hits / precision),
            "error": (error * DECISIONS, DECISIONS),
        }

    rows = []
    for a, b in combinations(scores, 2):
        found = [
            proportion(counts(a)[name], counts(b)[name], name, "observed") for name in ("recall", "precision", "error")
        ]
        rows.append((a, b, *(cell for each in found for cell in (float(each.p_value), each.mark))))
    heads = [Heading(title="A"), Heading(title="B")]
    for name in ("recall", "precision", "error"):
        heads += [Heading(title=f"{name}: p", digits=4), Heading(title="mark")]
    return Table(
        key="printed_tests",
        title="The p-tests on the paper's own Table 1",
        heads=tuple(heads),
        rows=tuple(rows),
        note="Computed from the printed recall, precision and error, for 3,744 labels and 271,710 decisions.",
    )


def documents_table(ranking: Mapping[str, Ranking]) -> Table:
    """Show what a posterior over whole documents says of the systems."""
    rows: list[tuple[Cell, ...]] = [
        (measure.replace("_f1", "-F1"), each.system.name, each.system.mean, each.best, each.expected_rank)
        for measure, found in ranking.items()
        for each in found.systems
    ]
    return Table(
        key="documents",
        title="Beyond the paper: one joint posterior, with weights on documents",
        heads=(
            Heading(title="measure"),
            Heading(title="system"),
            Heading(title="mean", digits=4),
            Heading(title="P(best)", digits=3),
            Heading(title="expected rank", digits=2),
        ),
        rows=tuple(rows),
        note="One weight per document, with all its categories.",
    )


def variants_table(found: Mapping[str, Any]) -> Table:
    """Show the scores of what the paper leaves open."""
    rows = []
    for name in (*SYSTEMS, *VARIANTS):
        each = found[name]
        told = VARIANTS.get(name, name)
        rows.append((told, each.micro_recall, each.micro_precision, each.micro_f1, each.macro_f1))
    return Table(
        key="variants",
        title="Effects of what the paper does not specify",
        heads=(
            Heading(title="system"),
            *(Heading(title=title, digits=4) for title in ("micro-recall", "micro-precision", "micro-F1", "macro-F1")),
        ),
        rows=tuple(sorted(rows)),
    )


def epochs_table(battery: TestReport) -> Table:
    """How the macro groups hinge on how long the network is trained."""
    marks = {(row.name, *row.systems): row.mark for row in battery.rows}
    rows: list[tuple[Cell, ...]] = []
    for name in ("nnet_short", "nnet", "nnet_long"):
        against = [
            f"{marks.get((test, system, name)) or _turned(marks[test, name, system])}"
            for test in ("macro_t", "macro_t_ranks")
            for system in (*MACRO_GOOD, "nb")
        ]
        rows.append((EPOCHS[name], *against))
    heads = [Heading(title="epochs")]
    heads += [Heading(title=f"{title}: {system}") for title in ("T", "T'") for system in (*MACRO_GOOD, "nb")]
    return Table(
        key="epochs",
        title="T- and T'-tests of the other systems against the network, by training length",
        heads=tuple(heads),
        rows=tuple(rows),
        note="> or >>: the other system is better.",
    )


def _turned(mark: str) -> str:
    return mark.translate(str.maketrans("<>", "><"))
