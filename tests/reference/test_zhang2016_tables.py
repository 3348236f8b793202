"""Tables 4 to 6 of Zhang et al. 2016 against ours, within the tolerances of two of their chains."""

import pytest

from outclass.answers.comparison import Comparison
from outclass.rows.types import Contrast

Rows = dict[str, list[dict[str, str]]]
# Twice the Monte-Carlo error of the authors' chain (worth about 1,000 draws), plus rounding.
MEAN, STD, HDI, SIDES, ROPE, FACTOR = 0.003, 0.001, 0.006, 5.5, 4.0, 0.20
# Two printed Bayes factors are further off than 20%. Zero lies beyond 99.8% of these posteriors, where a chain worth
# 1,000 draws has one or two; our recipe is held to a kernel estimate from draws in tests/verdict.
BEYOND = {("6", "14"): 0.27, ("6", "17"): 0.33}
TABLES = ("4", "5", "6")


def _paired(rows: Rows, ours: dict[str, Comparison], table: str) -> list[tuple[dict[str, str], Contrast]]:
    assert len(rows[table]) == len(ours[table]) == 20
    return list(zip(rows[table], ours[table].rows, strict=True))


def test_decisions(paper_rows: Rows, paper_comparisons: dict[str, Comparison]) -> None:
    """At least 59 of the 60 decisions are the paper's; the other one sits on the ROPE's edge."""
    different = [
        (table, theirs["category"])
        for table in TABLES
        for theirs, ours in _paired(paper_rows, paper_comparisons, table)
        if theirs["decision"] != ours.verdict.value
    ]

    assert different in ([], [("5", "4")])


@pytest.mark.parametrize("table", TABLES)
def test_numbers(paper_rows: Rows, paper_comparisons: dict[str, Comparison], table: str) -> None:
    """Mean, std, HDI and percentages are the paper's, within its own error."""
    for theirs, ours in _paired(paper_rows, paper_comparisons, table):
        found = ours.difference

        assert found.mean == pytest.approx(float(theirs["mean"]), abs=MEAN)
        assert found.std == pytest.approx(float(theirs["std"]), abs=STD)
        assert found.hdi.low == pytest.approx(float(theirs["hdi_low"]), abs=HDI)
        assert found.hdi.high == pytest.approx(float(theirs["hdi_high"]), abs=HDI)
        assert 100 * found.below == pytest.approx(float(theirs["pct_below_zero"]), abs=SIDES)
        assert 100 * found.above == pytest.approx(float(theirs["pct_above_zero"]), abs=SIDES)
        assert 100 * found.rope == pytest.approx(float(theirs["pct_rope"]), abs=ROPE)


@pytest.mark.parametrize("table", TABLES)
def test_bayes_factor_of_the_paper(paper_rows: Rows, paper_comparisons: dict[str, Comparison], table: str) -> None:
    """The paper's recipe gives the paper's Bayes factor within 20%, but for two that are named."""
    for theirs, ours in _paired(paper_rows, paper_comparisons, table):
        printed = float(theirs["bf_sd"])
        found = next(factor.value for factor in ours.bayes_factors if factor.name == "paper_kde")
        if (table, theirs["category"]) in BEYOND:
            assert found == pytest.approx(printed, rel=BEYOND[table, theirs["category"]])
        elif printed >= 0.05:
            assert found == pytest.approx(printed, rel=FACTOR)
        else:
            # Printed with one or two digits, or as 0.000.
            assert found < 0.07


@pytest.mark.parametrize("table", TABLES)
def test_p_values(paper_rows: Rows, paper_comparisons: dict[str, Comparison], table: str) -> None:
    """The two p-values are the paper's to the third decimal, where no L1 solver with an unknown seed is involved."""
    allowed = 0.045 if table == "5" else 0.0011
    for theirs, ours in _paired(paper_rows, paper_comparisons, table):
        found = {test.name: test.p_value for test in ours.tests}

        assert found["sign_exact"] == pytest.approx(float(theirs["sign_test_p"]), abs=allowed)
        assert found["welch_t"] == pytest.approx(float(theirs["t_test_p"]), abs=allowed)
