"""The short answer: at most a dozen lines, who leads first, and nothing that contradicts the numbers."""

import math
from itertools import takewhile

import numpy as np
import polars as pl
import pytest

import outclass as oc
from outclass.cli.output import check_verbose
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.report import words

SYSTEMS = ["nb_mult", "svm_l2"]


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture(scope="module")
def news():
    """Predictions of four classifiers on 20 Newsgroups."""
    return oc.datasets.load("20news")


@pytest.fixture(scope="module")
def one(news):
    """One comparison, of one label."""
    return oc.compare(news, systems=SYSTEMS, positive="sci.space")


def lines_of(answer) -> list[str]:
    """What a terminal of 80 columns shows."""
    shown = str(answer).splitlines()
    assert max(map(len, shown)) <= 80
    return shown


def test_one_comparison_takes_twelve_lines(one):
    """A comparison of one label fits in twelve lines, and its first line says who leads, by how much and how sure."""
    shown = lines_of(one)

    assert len(shown) <= 12
    assert shown[0].startswith("nb_mult leads svm_l2 by 5.0 points of F1 for sci.space (95% HDI 1.7 to 8.4;")
    assert "P = 99.9%" in shown[1]


def test_every_label_takes_thirty_five_lines(news):
    """Twenty labels fit in 35 lines: a sentence, a table with both scores, and the ROPE."""
    shown = lines_of(oc.compare(news, systems=SYSTEMS, by="label"))

    assert len(shown) <= 35
    assert shown[1].startswith("2 of 20 labels show a difference beyond the ROPE")
    assert any("0.849" in line and "0.633" in line for line in shown)  # both scores of rec.sport.baseball


@pytest.mark.parametrize("question", ["rank", "evaluate", "test"])
def test_other_answers_are_short(news, question):
    """Ranking, evaluation and tests lead with a sentence and add at most five lines of notes to their table."""
    answer = getattr(oc, question)(news, **({"draws": 1_000} if question == "test" else {}))
    shown = lines_of(answer)
    table = [place for place, line in enumerate(shown) if "──" in line]

    assert "nb_mult" in shown[0] or "rejected" in shown[0]
    assert len(table) == 1
    rows = list(takewhile(bool, shown[table[0] :]))
    assert len([line for line in shown[table[0] + len(rows) :] if line]) <= 5


def test_the_leader_comes_first_whatever_the_order(news, one):
    """Swapping the systems keeps the sentence and turns the signs of the table."""
    swapped = oc.compare(news, systems=["svm_l2", "nb_mult"], positive="sci.space")

    assert lines_of(swapped)[:2] == lines_of(one)[:2]
    assert "svm_l2 - nb_mult    -0.051  -0.050  [-0.084, -0.017]" in str(swapped)


def test_a_lower_error_leads(news):
    """Where lower is better the system with the lower value leads, by a positive amount."""
    answer = oc.compare(news, systems=["svm_l2", "nb_mult"], positive="sci.space", measure="error")
    better, worse = sorted(answer.systems, key=lambda system: system.mean)

    assert words.lead(answer.only).startswith(f"{better.name} leads {worse.name} by 0.4 points of error ")


def test_no_direction_at_even_odds():
    """Systems that are as often right as each other have no leader and no lean."""
    truth = [1] * 50 + [0] * 50
    a = [0] * 5 + truth[5:]
    b = truth[:45] + [0] * 5 + truth[50:]
    answer = oc.compare(truth, a, b, names=("a", "b"), rope=0.01)

    assert words.lead(answer.only).startswith("No clear leader: a - b is 0.0 points of F1")
    assert "P(a better) = 50.0%" in words.lead(answer.only)
    assert words.decision(answer.only).startswith("Undecided: ")
    assert words.outcome(answer.only) == "undecided"


@pytest.mark.parametrize(
    ("rope", "said"),
    [
        (0.2, "Within the ROPE of ±20 points: practically equivalent (nb_mult ≈ svm_l2)."),
        (0.01, "Beyond the ROPE of ±1 point: the difference matters (nb_mult ≫ svm_l2)."),
        (0.05, "Undecided, leans nb_mult: 49.2% of the posterior lies within the ROPE of ±5 points."),
    ],
)
def test_the_decision_names_a_chosen_rope(news, rope, said):
    """The decision says where the posterior lies, and says nothing of a default if the ROPE was chosen."""
    assert words.decision(oc.compare(news, systems=SYSTEMS, positive="sci.space", rope=rope).only) == said


def test_numbers_without_a_scale_have_no_points():
    """A difference of latencies is told in its own unit."""
    rng = np.random.default_rng(1)
    slow = rng.normal(120.0, 10.0, 200)
    table = pl.DataFrame({"slow": slow, "quick": slow - rng.normal(8.0, 2.0, 200)})
    told = words.lead(oc.compare(oc.scores(table, lower_is_better=True)).only)

    assert told.startswith("quick leads slow by ")
    assert " points" not in told


def test_what_would_change_a_readers_mind_stays(news):
    """A warning stays in the short answer; remarks that only inform are left to --verbose."""
    answer = oc.compare([1, 1, 1, 0, 0, 0] * 4, [1, 1, 0, 0, 0, 0] * 4, [1, 1, 1, 0, 0, 0] * 4, names=("a", "b"))

    assert "OC107" in str(answer)
    assert "OC304" in answer.to_text(verbose=True) or "OC305" in answer.to_text(verbose=True)


def test_verbose_holds_everything(one):
    """The long answer has all Bayes factors and tests, which the short one leaves out."""
    long = one.to_text(verbose=True)

    assert "Barber 2004" in long
    assert "Barber 2004" not in str(one)
    assert len(long.splitlines()) > 2 * len(str(one).splitlines())


@pytest.mark.parametrize(("format", "output"), [("json", None), (None, "answer.json"), (None, "page.html")])
def test_verbose_is_for_the_screen(format, output):
    """Formats that always hold everything do not take --verbose."""
    with pytest.raises(InputError, match="--verbose"):
        check_verbose(True, format, output)

    check_verbose(True, "table", None)
    check_verbose(None, format, output)


def test_a_measure_without_an_interval_says_so():
    """A difference that has no interval is told as observed."""
    rng = np.random.default_rng(2)
    truth = rng.random(300) < 0.5
    p, q = (np.clip(truth * 0.4 + rng.random(300) * 0.6, 0.01, 0.99) for _ in range(2))
    row = oc.compare(oc.scores(pl.DataFrame({"y": truth, "p": p, "q": q}), truth="y"), measure="ece").only

    assert math.isnan(row.difference.hdi.low)
    assert "has no interval" in words.lead(row)


def _labels(n: int, wrong_a: int, wrong_b: int, kinds: str = "ab") -> pl.DataFrame:
    """One row per item; each system is wrong on its own first items, by the next label."""
    truth = [kinds[place % len(kinds)] for place in range(n)]
    other = dict(zip(kinds, kinds[1:] + kinds[0], strict=True))
    a = [other[label] if place < wrong_a else label for place, label in enumerate(truth)]
    b = [other[label] if wrong_a <= place < wrong_a + wrong_b else label for place, label in enumerate(truth)]
    return pl.DataFrame({"gold": truth, "baseline_model": a, "candidate_model": b})


def _numbers(n: int, lift: float) -> pl.DataFrame:
    """Results of two systems on each item."""
    base = np.random.default_rng(3).normal(30.0, 12.0, n)
    return pl.DataFrame({"segment": np.arange(n), "bleu_base": base, "bleu_new": base + lift})


AWKWARD = {
    "tiny": (_labels(6, 2, 1), {"truth": "gold", "positive": "a"}),
    "near perfect": (_labels(5_000, 3, 1), {"truth": "gold", "positive": "a"}),
    "ties": (_labels(60, 0, 0), {"truth": "gold", "positive": "a"}),
    "even": (_labels(100, 9, 9), {"truth": "gold", "positive": "a", "measure": "recall"}),
    "three classes": (_labels(90, 20, 15, "abc"), {"truth": "gold"}),
    "groups": (
        _labels(60, 8, 5).with_columns(pl.Series("doc", [place // 6 for place in range(60)])),
        {"truth": "gold", "positive": "a", "group": "doc"},
    ),
    "scores": (_numbers(80, 0.7), {"scores": True}),
    "few scores": (_numbers(12, 0.2), {"scores": True}),
}


@pytest.mark.parametrize("case", AWKWARD)
def test_no_comparison_takes_more_than_twelve_lines(case):
    """Whatever is wrong with the data, one comparison is told in twelve lines, each finding in one of them."""
    data, asked = AWKWARD[case]
    shown = lines_of(oc.compare(data, **asked))

    assert len(shown) <= 12
    assert all(line.endswith((".", ")")) for line in shown if line.startswith("OC"))


def test_a_rope_that_is_too_wide_comes_first():
    """Where the default ROPE alone makes near-perfect systems equivalent, that is the first warning of all formats."""
    answer = oc.compare(_labels(5_000, 3, 1), truth="gold", positive="a")
    warnings = [line for line in lines_of(answer) if line.startswith("OC")]

    assert words.outcome(answer.only) == "≈"
    assert warnings[0].startswith("OC305 wide ROPE (best error 0.0002): large improvements count as equ")
    assert "the software's default, which is wide next to errors of 0.0002 to 0.0006" in answer.methods()


def test_means_that_do_not_subtract_are_explained():
    """A note says why the difference is not that of the means, only where the printed numbers show it."""
    few = oc.compare(_labels(6, 2, 1), truth="gold", positive="a")
    many = oc.compare(_labels(2_000, 200, 100), truth="gold", positive="a")

    assert words.JOINTLY in str(few)
    assert words.JOINTLY not in str(many)


def test_several_pairs_name_the_measure_and_the_best():
    """Of several pairs the first line says in which measure, for which label, and who scores highest."""
    data = _labels(300, 30, 60).rename({"baseline_model": "base", "candidate_model": "new"})
    data = data.with_columns(oracle=pl.col("gold"))
    shown = lines_of(oc.compare(data, truth="gold", positive="a"))

    assert shown[0].startswith("F1 for a: oracle scores highest (0.99")
    assert " of 3 pairs " in shown[1]
    assert shown[3].split()[:4] == ["A", "B", "F1", "A"]


def test_no_sign_on_what_rounds_to_zero():
    """A difference that rounds to zero has no minus sign, and a region no more than three digits."""
    assert words.signed(-0.00004, 4) == "0.0000"
    assert words.rope(Interval(-0.285714, 0.285714)) == "±0.286"
    assert words.rope(Interval(-1234.5, 1234.5)) == "±1234"
