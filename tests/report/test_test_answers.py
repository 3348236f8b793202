"""What `test` says: by which p-values it counts, what it shows and leaves out, what a paper takes from it."""

import numpy as np
import pytest

import outclass as oc
from outclass.report import test_choice, words
from outclass.report.formats import latex
from outclass.report.other_methods import other_methods
from outclass.report.tables import Column
from outclass.report.words import test_names
from outclass.significance import macro
from outclass.significance.adjust import adjusted
from outclass.significance.result import TestResult
from outclass.testing.registry import names


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def table(systems: int, items: int = 150, classes: int = 3) -> dict[str, list[str]]:
    """Return one label per item, with systems of which the later ones are worse."""
    rng = np.random.default_rng(7)
    gold = rng.integers(0, classes, items)
    columns = {"gold": [f"c{each}" for each in gold]}
    for place in range(systems):
        said = np.where(rng.random(items) < 0.15 + 0.03 * place, rng.integers(0, classes, items), gold)
        columns[f"s{place}"] = [f"c{each}" for each in said]
    return columns


SMALL = {
    "gold": ["spam", "spam", "spam", "ham", "ham", "ham"],
    "old": ["spam", "ham", "ham", "ham", "spam", "ham"],
    "new": ["spam", "spam", "spam", "ham", "ham", "spam"],
}


def pair(p: float, holm: float, systems: tuple[str, str] = ("a", "b")) -> TestResult:
    """Return one of several results that were adjusted."""
    found = TestResult(name="sign_exact", p_value=p, statistic=0.0, words="", systems=systems, effect=0.1)
    return adjusted([found, TestResult(name="sign_exact", p_value=holm, statistic=0.0, words="")])[0]


def test_the_headline_counts_by_adjusted_p_values() -> None:
    """A p-value below .05 that is above it after Holm's adjustment rejects nothing, and the sentence says so."""
    rows = [pair(0.03, 0.9, ("a", "b")), pair(0.03, 0.9, ("a", "c"))]

    (told,) = words.headlines(rows)

    assert all(row.p_value <= 0.05 < words.decisive(row) for row in rows)
    assert told == (
        "Equality in accuracy is rejected for none of 2 pairs of systems at α = .05 (exact sign test, Holm-adjusted)."
    )


def test_many_pairs_have_one_row_each() -> None:
    """Seven systems, 21 pairs: a short answer has 20 rows, names the rest, and takes at most 35 lines."""
    answer = oc.test(table(7), truth="gold", draws=200)

    shown = str(answer).splitlines()

    assert len(shown) <= 35
    assert sum(" : " in line for line in shown) == 20
    assert any(line.startswith("1 more pair") for line in shown)
    assert not any("bootstrap" in line for line in shown)


def test_what_is_asked_for_is_shown_with_its_caution() -> None:
    """An exact permutation test of few items is trusted; all tests that were asked for are shown."""
    usual = oc.test(SMALL, truth="gold", positive="spam")
    every = oc.test(SMALL, truth="gold", positive="spam", every=True)

    assert test_choice.recommended(usual.rows, usual.asked)[0].name == "permutation_exact"
    assert "bootstrap" not in str(usual)
    assert "2 tests are not shown (see to_text(verbose=True)): they have too few data." in str(usual)
    assert len(test_choice.shown(every.rows, every.asked)) == len(every)
    assert "ignores the pairing" in str(every)
    assert "not shown (" not in str(every)


def test_a_named_test_and_a_named_measure_are_shown() -> None:
    """Friedman's test over three categories is distrusted, and shown because it was named; so is a named measure."""
    named = str(oc.test(table(3), truth="gold", tests=["cochran_q", "friedman"]))
    measure = str(oc.test(SMALL, truth="gold", positive="spam", measure="recall"))

    assert "Friedman" in named
    assert "categories not independent" in named
    assert "Equal accuracy of all 3 systems is" in named
    assert "bootstrap           recall" in measure


def test_measures_are_called_by_their_titles() -> None:
    """Sentences and tables say macro-F1; JSON keeps the key."""
    answer = oc.test(table(2), truth="gold", measure="macro_f1", draws=200)

    assert "differ in macro-F1 (s0 − s1 = " in " ".join(str(answer).split())
    assert "macro_f1" not in str(answer)
    assert '"macro_f1"' in answer.to_json()


def test_the_paragraph_has_every_pair_and_its_references() -> None:
    """Adjusted p-values of all pairs, in the order of p, and a reference for every test that is named."""
    told, _, references = oc.test(table(4), truth="gold", draws=200).methods().partition("\n\n")

    assert told.count("(adjusted ") == 6
    assert "by Holm's method [holm1979]" in told
    assert "with the exact permutation test [yeh2000, pesarin2001] (two-sided)." in told
    assert [line[: line.index("]") + 1] for line in references.splitlines()] == [
        "[yeh2000]",
        "[pesarin2001]",
        "[holm1979]",
        "[cochran1950]",
    ]


def test_every_test_has_a_name_and_references() -> None:
    """A name for sentences, and the whole reference of every work, stand for each registered test."""
    for name in names():
        assert name in test_names.TESTS
        for work in test_names.works_of(name):
            assert test_names.reference(work).partition("] ")[2] != work, work


def test_one_family_whether_or_not_arrangements_were_summed() -> None:
    """An exact permutation test and one by random swaps of the same measure are adjusted together."""
    rows = [
        TestResult(name=name, p_value=0.02, statistic=0.0, words="", measure="macro_f1")
        for name in ("permutation_exact", "permutation")
    ]

    found = adjusted(rows)

    assert [row.adjusted.holm for row in found if row.adjusted] == [0.04, 0.04]


def test_wilcoxon_and_its_interval_leave_out_ties() -> None:
    """With many ties the test rejects zero, and so does the interval; R's wilcox.test drops them alike."""
    differences = np.array([0.0] * 60 + [-1.0, -2.0, -3.0, 1.0] * 10)

    found = macro.wilcoxon(differences, np.zeros(100))

    assert found.p_value < 0.05
    assert found.ties == 60
    assert found.interval.high < 0
    assert found.effect == -1.25


@pytest.mark.parametrize(
    ("rope", "said"),
    [((-0.05, np.inf), "non-inferiority of old"), ((-np.inf, 0.05), "non-inferiority of new"), (0.05, "practical")],
)
def test_a_bayes_factor_names_its_hypothesis(rope: object, said: str) -> None:
    """The evidence is for the region that was asked about."""
    row = oc.compare(SMALL, truth="gold", positive="spam", rope=rope).rows[0]

    assert said in words.evidence(row)


def test_a_page_has_the_bootstrap_of_the_test() -> None:
    """The same data and seed give the same p-value, in `test` and beside a comparison."""
    data = {"truth": "gold", "positive": "c0"}
    beside = {each.method: each.says for each in other_methods(oc.compare(table(2), **data).rows[0])}
    tested = oc.test(table(2), tests="bootstrap", **data)[0]

    assert beside["bootstrap (BCa)"].endswith(f"p {words.p_equals(tested.p_value)}")
    assert "refused" not in " ".join(beside.values())


def test_macro_averages_have_the_p_value_of_test() -> None:
    """`compare` shows the permutation test of macro-F1, with its error, as `test` has it."""
    data = table(2, 400, 5)
    row = oc.compare(data, truth="gold", measure="macro_f1").rows[0]
    tested = oc.test(data, truth="gold", tests="permutation", measure="macro_f1")[0]

    assert [test.p_value for test in row.tests] == [tested.p_value]
    assert f"permutation test p {words.p_equals(tested.p_value)} (Monte Carlo SE " in words.evidence(row)


def test_too_many_swaps_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above an affordable cost a comparison has no p-value."""
    monkeypatch.setattr("outclass.rows.beside.AFFORDABLE", 1_000)

    row = oc.compare(table(2), truth="gold", measure="macro_f1").rows[0]

    assert row.tests == ()
    assert "test p" not in words.evidence(row)


def test_zero_has_no_sign_and_prose_a_minus() -> None:
    """What rounds to zero is 0.0000; a sentence has the minus sign that its difference is named with."""
    assert [words.signed(value, 4) for value in (-1e-6, 0.0, 1e-6)] == ["0.0000"] * 3
    assert words.in_prose(-0.0188, 4) == "−0.0188"


def test_ranges_of_ranks_have_a_dash_in_latex() -> None:
    """From the first rank to the third is 1--3, not a subtraction; a negative difference keeps its minus."""
    ranks = Column(key="ranks", title="95% ranks", cells=("1-3", "-0.5"))

    written = latex.table("", [ranks], [])

    assert "1--3 \\\\" in written
    assert "$-$0.5 \\\\" in written
