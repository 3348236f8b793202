"""The answers a user holds in Python: numbers, JSON, words, findings."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.errors import InputError
from outclass.report import words
from outclass.verdict.rope import Verdict

RNG = np.random.default_rng(4)
TRUTH = RNG.random(600) < 0.4
GOOD = np.where(RNG.random(600) < 0.92, TRUTH, ~TRUTH)
POOR = np.where(RNG.random(600) < 0.65, TRUTH, ~TRUTH)


def test_compare_arrays() -> None:
    """Two arrays give a verdict, with the numbers at hand."""
    answer = oc.compare(TRUTH, GOOD, POOR, names=("good", "poor"))

    assert answer.verdict is Verdict.MUCH_GREATER
    assert answer.difference.above > 0.999
    assert [system.name for system in answer.systems] == ["good", "poor"]
    assert answer.words.startswith("good is better than poor in F1")
    assert float(answer.posterior.cdf(answer.difference.mean)) == pytest.approx(0.5, abs=0.05)


def test_words_are_as_sure_as_the_posterior() -> None:
    """At even odds nobody is said to look better; near certainty one is, even if it may not matter."""
    even = oc.compare([1, 0] * 30, [1, 0] * 10 + [0, 1] * 20, [0, 1] * 20 + [1, 0] * 10)
    near = oc.compare(TRUTH, GOOD, np.where(np.random.default_rng(1).random(600) < 0.95, GOOD, TRUTH), rope=0.005)

    assert "cannot yet be told apart" in even.words
    assert "B looks better than A" in near.words or "B may be better than A" in near.words


def test_a_few_measures_begin_with_words() -> None:
    """The verdict on each stands before the table; of many rows, or many labels, the table speaks for itself."""
    few = str(oc.compare(TRUTH, GOOD, POOR, names=("good", "poor"), measure=["f1", "error"])).splitlines()
    assert few[0].startswith("F1: good leads poor by ")
    assert few[1].startswith("error: good leads poor by ")
    for many in (
        oc.compare(TRUTH, GOOD, POOR, measure=["f1", "mcc", "kappa", "recall"]),
        oc.compare(TRUTH, GOOD, POOR, by="label"),
    ):
        assert "leads" not in str(many)


def test_lower_is_better() -> None:
    """For an error the better system is the lower one, and the words say so."""
    answer = oc.compare(TRUTH, GOOD, POOR, names=("good", "poor"), measure="error")

    assert answer.verdict is Verdict.MUCH_LESS
    assert answer.words.startswith("good is better than poor in error")


@pytest.mark.parametrize("method", ["auto", "draws"])
@pytest.mark.parametrize("model", ["paired", "unpaired"])
def test_json_round_trip(model: str, method: str) -> None:
    """JSON in and out is the identity."""
    text = oc.compare(TRUTH, GOOD, POOR, model=model, method=method, measure=["f1", "mcc"]).to_json()

    assert oc.Comparison.from_json(text).to_json() == text


def test_evaluation_round_trip() -> None:
    """An evaluation comes back as it was."""
    text = oc.evaluate(TRUTH, GOOD, measure="all").to_json()

    assert oc.Evaluation.from_json(text).to_json() == text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"comparisons": []}', '{"comparisons": [{"systems": 1}]}'])
def test_wrong_json(text: str) -> None:
    """What outclass did not write is refused in a sentence."""
    with pytest.raises(InputError, match=r"JSON|not a comparison"):
        oc.Comparison.from_json(text)


def test_exact_and_draws_agree() -> None:
    """Sampling agrees with integrating, within the error both report."""
    exact, draws = (oc.compare(TRUTH, GOOD, POOR, method=method).difference for method in ("exact", "draws"))

    for name in ("mean", "std", "below", "above", "rope"):
        error = getattr(draws.errors, name) + getattr(exact.errors, name)
        assert getattr(exact, name) == pytest.approx(getattr(draws, name), abs=2 * error + 1e-12)
    assert exact.hdi.low == pytest.approx(draws.hdi.low, abs=2 * draws.errors.hdi.low)


def test_seed_in_the_result() -> None:
    """A generator is used up by one number, and the seed it gave is in the result."""
    answer = oc.compare(TRUTH, GOOD, POOR, rng=np.random.default_rng(5), method="draws")
    again = oc.compare(TRUTH, GOOD, POOR, rng=answer.only.seed, method="draws")

    assert answer.to_json() == again.to_json()


def test_many_rows() -> None:
    """More than one measure makes more than one row; a row is a comparison itself."""
    answer = oc.compare(TRUTH, GOOD, POOR, measure=["precision", "recall"])

    assert len(answer) == 2
    assert [part.only.measure.name for part in answer] == ["precision", "recall"]
    assert len(answer[0:1]) == 1
    with pytest.raises(InputError, match="2 rows"):
        _ = answer.verdict


def test_renderings() -> None:
    """Text, Markdown, LaTeX and the notebook show the same verdict."""
    answer = oc.compare(TRUTH, GOOD, POOR)

    assert "≫" in answer.to_markdown()
    assert r"$\gg$" in answer.to_latex()
    assert answer._repr_markdown_() == answer.to_markdown()
    assert "A leads B" in str(answer)
    assert "A ≫ B" in " ".join(str(answer).split())
    assert repr(answer).startswith("<Comparison: A is better")


def test_pairing_meter() -> None:
    """Systems that err together are told apart with far fewer items."""
    near = np.where(np.random.default_rng(2).random(600) < 0.97, GOOD, ~GOOD)
    pairing = oc.compare(TRUTH, GOOD, near).only.pairing

    assert pairing is not None
    assert pairing.narrower > 0.3
    assert pairing.items_saved > 600


def test_different_test_sets() -> None:
    """Two test sets are compared with the unpaired model only."""
    first = oc.Outcomes.of_rows(["A"], [(1, 1), (0, 0), (0, 1), (1, 0)], [40, 50, 5, 5])
    second = oc.Outcomes.of_rows(["B"], [(1, 1), (0, 0), (0, 1), (1, 0)], [20, 20, 12, 15])

    assert oc.compare(first, second, model="unpaired").only.items == 167
    with pytest.raises(InputError, match="unpaired"):
        oc.compare(first, second)


DEGENERATE = {
    "identical": ([1, 0] * 50, [1, 0] * 50, [1, 0] * 50, "OC105"),
    "few disagreements": ([1, 0] * 50, [1, 0] * 50, [0, 0] + [1, 0] * 49, "OC104"),
    "never positive": ([1, 0] * 50, [0] * 100, [1, 0] * 50, "OC106"),
    "always positive": ([1, 0] * 50, [1] * 100, [1, 0] * 50, "OC106"),
    "ten items": ([1, 0] * 5, [1, 1] * 5, [0, 0] * 5, "OC107"),
    "few positives": ([1] * 3 + [0] * 97, [1] * 50 + [0] * 50, [0] * 50 + [1] * 50, "OC108"),
    "strange label": ([1, 0] * 50, [1, 2] * 50, [1, 0] * 50, "OC110"),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_but_legal(case: str) -> None:
    """Degenerate data get an answer and a finding, never a crash and never a false certainty."""
    truth, a, b, code = DEGENERATE[case]
    answer = oc.compare(truth, a, b, positive=1)

    assert code in [finding.code for finding in answer.findings]
    assert math.isfinite(answer.difference.mean)
    assert answer.difference.std > 0


def test_heavy_prior_is_said() -> None:
    """A prior that weighs more than the data is a finding."""
    answer = oc.compare(TRUTH, GOOD, POOR, prior=1000)

    assert "OC202" in [finding.code for finding in answer.findings]


def test_identical_systems_are_a_tie() -> None:
    """A system against itself: no difference, p-values of one."""
    answer = oc.compare(TRUTH, GOOD, GOOD)

    assert answer.difference.mean == pytest.approx(0, abs=1e-4)
    assert answer.verdict is Verdict.EQUIVALENT
    assert [test.p_value for test in answer.tests] == [1.0, 1.0, 1.0]


def test_undefined_measure_is_a_finding() -> None:
    """A precision of nothing predicted is undefined in the data, and the posterior says what the prior says."""
    answer = oc.compare([1, 0] * 20, [0, 0] * 20, [1, 0] * 20, measure="precision")

    assert math.isnan(answer.systems[0].observed)
    assert "OC201" in [finding.code for finding in answer.findings]


def test_own_measure_undefined_for_some_draws() -> None:
    """A user's function that is nan for some cells raises a finding, and the rest is used."""
    answer = oc.compare(TRUTH, GOOD, POOR, measure=lambda tp, fp, fn, tn: np.where(tp > 0.26, tp - fp, np.nan))

    assert "OC206" in [finding.code for finding in answer.findings]
    assert math.isfinite(answer.difference.mean)


@pytest.mark.parametrize(
    ("kwargs", "hint"),
    [
        ({"rng": -1}, "rng must be"),
        ({"rng": "x"}, "rng must be"),
        ({"names": ("A", "A")}, "one name twice"),
        ({"hdi_mass": "wide"}, "number"),
        ({"measure": []}, "no measure"),
        ({"b": None}, "two systems"),
    ],
)
def test_wrong_arguments(kwargs: dict[str, object], hint: str) -> None:
    """Wrong arguments get a sentence."""
    arguments = {"a": GOOD, "b": POOR, **kwargs}
    with pytest.raises(InputError, match=hint):
        oc.compare(TRUTH, **arguments)  # type: ignore[arg-type]


def test_cannot_read_that() -> None:
    """Something that is no data is refused."""
    with pytest.raises(InputError, match="cannot read outcomes from dict"):
        oc.compare({"x": 1})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "<0.1%"),
        (1.0, ">99.9%"),
        (1e-9, "<0.1%"),
        (0.5, "50.0%"),
        (0.9995, ">99.9%"),
        (1 - 1e-9, ">99.9%"),
        (math.nan, "undefined"),
    ],
)
def test_percent_never_claims_certainty(value: float, text: str) -> None:
    """Nothing uncertain is written as 0% or 100%."""
    assert words.percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.nan, "undefined"), (0.5, "0.5"), (3710.2, "3,710"), (1e9, "1.0e+09"), (math.inf, "infinite")],
)
def test_factors(value: float, text: str) -> None:
    """Bayes factors are written so that one can read them."""
    assert words.factor(value) == text


def test_printed_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a notebook, too, an answer's text is returned; Rich would show it on its own and leave none."""
    answer = oc.compare([1, 0, 1, 0] * 20, [1, 1, 0, 0] * 20, [1, 0, 1, 1] * 20)
    here = str(answer)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)

    assert str(answer) == here
    assert "A - B" in here


def test_words_in_latex_keep_their_hyphens() -> None:
    """A minus is one before a number alone: two-sided is a word."""
    told = oc.test([1, 0, 1, 0] * 9, [1, 0, 0, 0] * 9, [1, 1, 1, 0] * 9, draws=200).to_latex()
    assert "two-sided" in told
    assert "$-$s" not in told
    assert "$-$0." in told


# Characters that reorder text, that hide, or that a terminal obeys.
OBEYED = (
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
    "\u200b\u200d\u2060\ufeff\u2028\u2029\x1b\x9b\x07"
)


@pytest.mark.parametrize("question", [oc.compare, oc.evaluate, oc.test, oc.rank])
def test_no_name_reorders_text(question: Callable[..., Any]) -> None:
    """Characters that reorder or hide text are written out in every rendering; JSON reads them back."""
    labels = [f"yes{OBEYED}", f"no{OBEYED}"]
    rows = [[labels[int(value)] for value in row] for row in zip(TRUTH, GOOD, POOR, strict=True)]
    data = oc.Outcomes.of_rows((f"a{OBEYED}", f"b{OBEYED}"), rows, [1] * len(rows))
    answer = question(data, positive=labels[0])
    told = [str(answer), repr(answer), repr(data), answer.to_json(), answer.to_csv(), answer.to_markdown()]
    told += [answer.to_latex(), re.sub(r"<script.*?</script>", "", answer.to_html(), flags=re.DOTALL)]

    assert [set(each) & set(OBEYED) for each in told] == [set()] * len(told)
    assert "\\u202e" in str(answer)
    assert f"a{OBEYED}" in _texts(json.loads(answer.to_json()))


def _texts(plain: Any) -> set[str]:
    """Return every text in JSON."""
    if isinstance(plain, str):
        return {plain}
    parts = plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    return set().union(*map(_texts, parts))


def test_hasattr_of_several_rows() -> None:
    """What only an answer of one row has, one of several lacks: `hasattr` says so, and the error says what to do."""
    several = oc.compare(TRUTH, GOOD, POOR, measure=["f1", "accuracy"])
    read = oc.Comparison.from_json(several[0].to_json())

    assert hasattr(several[0], "posterior")
    assert not hasattr(several, "posterior")
    assert getattr(several, "systems", None) is None
    assert not hasattr(read, "posterior")
    for answer in (several, several[0], read, oc.evaluate(TRUTH, GOOD)):
        assert [name for name in dir(answer) if hasattr(answer, name) not in (True, False)] == []
    with pytest.raises(InputError, match="2 rows; select one"):
        several.posterior  # noqa: B018  that it raises is the point
