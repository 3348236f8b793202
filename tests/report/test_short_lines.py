"""Findings in one line keep what follows from them, and names never take more lines than there are."""

import polars as pl
import pytest

import outclass as oc
from outclass.report import text, words


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def _pair(a: str, b: str) -> pl.DataFrame:
    """Labels of two systems, the first of which is right more often."""
    truth = [1, 0] * 100
    first = [1 - label if at % 11 == 0 else label for at, label in enumerate(truth)]
    second = [1 - label if at % 7 == 0 else label for at, label in enumerate(truth)]
    return pl.DataFrame({"gold": truth, a: first, b: second})


@pytest.mark.parametrize(
    ("code", "message", "kept"),
    [
        (
            "OC101",
            "30 of 300 items have a missing label; these items were dropped (--missing drop), as asked.",
            "dropped",
        ),
        (
            "OC102",
            "30 of 300 items have a missing label; missing predictions were counted as wrong (--missing wrong).",
            "count as wrong",
        ),
        (
            "OC104",
            f"{'a' * 40} and {'b' * 40} differ on only 4 of 300 items, so the result depends on the prior.",
            "only 4 of 300 items differ: the result depends on the prior",
        ),
        (
            "OC120",
            "both results have 70 positives, as if from the same test set, but counts do not show on which items the "
            "systems agree, so the interval is likely too wide. Use labels per item if you have them.",
            "likely too wide",
        ),
        (
            "OC121",
            "5 groups, the largest with 60% of the weight, are equivalent to 2.6 equal groups: too few to support the "
            "interval. Treat it as a rough guess; collect more groups.",
            "2.6 equal ones: the interval is a rough guess",
        ),
        (
            "OC207",
            f"the prior shifts the difference in {'m' * 40} by 1.4 posterior standard deviations. Use --model.",
            "by 1.4 posterior SDs",
        ),
        (
            "OC211",
            f"{'a' * 40} against {'b' * 40}, F1: the decision varies: ≫ under flat; > under strong.",
            "the decision varies: ≫ under flat; > under strong",
        ),
        (
            "OC305",
            "the default ROPE of ±0.05 is wide: the better system's error is 0.1, so large improvements count as "
            "equivalent. Change it with --rope.",
            "large improvements count as equivalent",
        ),
        (
            "OC406",
            "both systems saw the same items, but this test treats them as independent samples.",
            "ignores that both systems saw the same items",
        ),
    ],
)
def test_a_line_keeps_the_consequence(code, message, kept):
    """A finding that is too long for a line says in short what follows from it."""
    line = words.in_a_line(code, message, 1, 80)

    assert len(line) <= 80
    assert line.startswith(code)
    assert kept in line


def test_left_out_columns_come_after_what_weakens_a_result():
    """That a column is no system matters less than few items, rare labels or a numerical error."""
    places = words.importance([])

    assert all(places.get(code, 0) < places["OC100"] for code in ("OC104", "OC208", "OC214", "OC203", "OC209", "OC305"))


def test_what_makes_an_answer_beside_the_question_comes_first():
    """That slices contradict the whole, or one label is most of the average, matters more than few items."""
    places = words.importance([])

    assert max(places["OC603"], places["OC610"]) < min(places[code] for code in ("OC104", "OC107", "OC622", "OC642"))
    assert max(places["OC622"], places["OC642"]) < places["OC100"]


def test_one_parenthesis_ends_a_line():
    """How many more findings there are joins what the line says of other rows."""
    assert (
        words.with_more("OC104 few. (And 5 similar ones.)", "(3 more.)") == "OC104 few. (And 5 similar ones; 3 more.)"
    )
    assert words.with_more("OC104 few (or none).", "(3 more.)") == "OC104 few (or none). (3 more.)"


@pytest.mark.parametrize("rope", [None, "-0.02,inf"])
@pytest.mark.parametrize("size", [19, 45, 100])
def test_long_names_take_twelve_lines(size, rope):
    """However long the names of two systems are, the answer fits, and both stay distinguishable."""
    names = [f"{'x' * (size - 1)}{end}" for end in "ab"]
    region = {} if rope is None else {"rope": (-0.02, float("inf"))}
    shown = str(oc.compare(_pair(*names), truth="gold", positive=1, **region)).splitlines()
    scores = [line.split()[0] for line in shown if line.startswith("xxx") and "[" in line]

    assert len(shown) <= 12
    assert max(map(len, shown)) <= 80
    assert len(set(scores)) == 2


@pytest.mark.parametrize(
    "names", [["a" * 50, "a" * 49 + "b"], ["c" * 25 + "a" + "c" * 25, "c" * 25 + "b" + "c" * 25], ["d" * 30, "d" * 40]]
)
def test_shortened_names_stay_apart(names):
    """Names that differ anywhere, or in length alone, differ when cut, and short ones stay as they are."""
    cut = text.shortened([*names, "short"], 12)

    assert len(set(cut.values())) == 3
    assert max(map(len, cut.values())) <= 12
    assert cut["short"] == "short"


def test_a_name_is_not_capitalised():
    """Non-inferiority is told of the systems as they are called, with a margin in points."""
    told = words.decision(oc.compare(_pair("a", "b"), truth="gold", positive=1, rope=(-0.02, float("inf"))).only)

    assert told.startswith("a is non-inferior to b in F1 (margin 2 points)")


def test_a_rope_is_not_too_wide_for_pairs_beyond_it():
    """The remark on a wide ROPE is left out of short answers where only differences beyond the ROPE have it."""
    truth = [1, 0] * 200
    wrong = {"a": 25, "b": 4, "c": 3}
    table = pl.DataFrame(
        {"gold": truth}
        | {name: [1 - y if at % step == 0 else y for at, y in enumerate(truth)] for name, step in wrong.items()}
    )
    compared = oc.compare(table, truth="gold", positive=1, measure="error")
    ranked = oc.rank(table, truth="gold", positive=1, measure="error")

    assert any(each.code == "OC305" for each in compared.findings)
    assert "OC305" not in str(compared)
    assert any(each.code == "OC305" for each in ranked.findings)
    assert "OC305" not in str(ranked)
