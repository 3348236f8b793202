"""Comparable or not, before any number: items, gold answers, settings, missing items, and what may differ."""

import subprocess
import sys
from pathlib import Path

import pytest
from making import header_of, inspect_eval, inspect_json, lm_eval, sample

import outclass as oc
from outclass.errors import InputError

FIFTY = [float(at % 3 > 0) for at in range(50)]


def test_other_gold_answers(tmp_path: Path) -> None:
    """34 of 50 gold answers and all choices differ although ids and questions agree: no number at all."""
    for model, shift in (("a", 0), ("b", 1)):
        samples = [
            {**sample(at, "C", target="AB"[shift if at < 34 else 0]), "choices": ["x", "y"][:: 1 - 2 * shift]}
            for at in range(50)
        ]
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), samples)

    with pytest.raises(oc.NotComparable, match="50 choices, 34 gold answers differ in 50 items") as told:
        oc.compare(tmp_path)

    assert told.value.counts == {"choices": 50, "gold answer": 34}
    assert told.value.ids == ("0", "1", "2")


@pytest.mark.parametrize(("changed", "dropped"), [(2, True), (10, False)])
def test_changed_items_are_dropped_if_few(tmp_path: Path, changed: int, dropped: bool) -> None:
    """A few changed items may be left out, which is said; more than 5% may not."""
    gold = [f"answer {at}" for at in range(50)]
    lm_eval(tmp_path / "a", "a", FIFTY, gold=gold)
    lm_eval(tmp_path / "b", "b", FIFTY[::-1], gold=["other"] * changed + gold[changed:])

    with pytest.raises(oc.NotComparable, match=f"{changed} gold answers"):
        oc.compare(tmp_path)
    if dropped:
        answer = oc.compare(tmp_path, drop_changed=True)
        assert answer.rows[0].items == 48
        assert "OC514" in {each.code for each in answer.findings}
    else:
        with pytest.raises(oc.NotComparable, match="Too many changed"):
            oc.compare(tmp_path, drop_changed=True)


def test_a_position_is_no_item(tmp_path: Path) -> None:
    """Equal doc_ids of other documents are other items."""
    lm_eval(tmp_path / "a", "a", FIFTY)
    lm_eval(tmp_path / "b", "b", FIFTY, question="another")

    with pytest.raises(oc.NotComparable, match="50 questions"):
        oc.compare(tmp_path)


def test_two_filters_are_not_compared(tmp_path: Path) -> None:
    """Scores of one filter are not held against those of another."""
    lm_eval(tmp_path / "a", "a", FIFTY, filters={"strict": FIFTY})
    lm_eval(tmp_path / "b", "b", FIFTY, filters={"flexible": FIFTY})

    with pytest.raises(oc.NotComparable, match="the same filter"):
        oc.compare(tmp_path)


def test_options_of_the_scorer(tmp_path: Path) -> None:
    """Options of the scorer that is compared must be equal; those of another one need not."""
    for model, fold in (("a", True), ("b", False)):
        scorers = [{"name": "choice", "options": {"fold": fold}}, {"name": "other", "options": {}}]
        samples = [
            {**sample(at, "C"), "scores": {"choice": {"value": "C"}, "other": {"value": "I"}}} for at in range(6)
        ]
        inspect_eval(tmp_path / f"{model}.eval", header_of(model, eval={"scorers": scorers}), samples)

    with pytest.raises(oc.NotComparable, match="options of scorer choice"):
        oc.compare(tmp_path, metric="choice")
    assert oc.compare(tmp_path, metric="other").rows[0].items == 6


@pytest.mark.parametrize("lacking", [1, 10])
def test_missing_items(tmp_path: Path, lacking: int) -> None:
    """Items of one system alone are left out if few, and named; many of them stop, unless one says what to do."""
    lm_eval(tmp_path / "a", "a", FIFTY)
    lm_eval(tmp_path / "b", "b", FIFTY[: 50 - lacking], header={"n-samples": {}})

    if lacking == 1:
        answer = oc.compare(tmp_path)
        told = next(each.message for each in answer.findings if each.code == "OC501")
        assert (answer.rows[0].items, "'49'" in told) == (49, True)
    else:
        with pytest.raises(oc.NotComparable, match="lacks 10 of 50"):
            oc.compare(tmp_path)
    with pytest.raises(oc.NotComparable):
        oc.compare(tmp_path, missing="error")
    assert oc.compare(tmp_path, missing="drop").rows[0].items == 50 - lacking
    wrong = oc.compare(tmp_path, missing="wrong").rows[0]
    assert wrong.items == 50
    assert wrong.observed == pytest.approx(sum(FIFTY[50 - lacking :]) / 50)


def test_missing_losses_are_not_zero(tmp_path: Path) -> None:
    """0 is not the worst loss, so that missing ones cannot count as that."""
    for model in "ab":
        lm_eval(tmp_path / model, model, FIFTY, metric="brier_score")

    with pytest.raises(InputError, match="missing='drop'"):
        oc.compare(tmp_path, missing="wrong")


def test_identical_runs_are_told(tmp_path: Path) -> None:
    """The same scores for every item may be a cache."""
    for model in "ab":
        lm_eval(tmp_path / model, model, FIFTY)

    assert any("a cached run?" in each.message for each in oc.compare(tmp_path).findings)


def test_other_harnesses(tmp_path: Path) -> None:
    """Logs of two harnesses do not have the same tasks under the same ids."""
    lm_eval(tmp_path / "a", "a", FIFTY)
    inspect_json(tmp_path / "b" / "b.json", header_of("b"), [sample(at, "C", scorer="exact_match") for at in range(50)])

    with pytest.raises(oc.NotComparable, match="different tasks"):
        oc.compare(tmp_path / "a", tmp_path / "b")


def test_the_exit_status_is_4(tmp_path: Path) -> None:
    """The command tells what is not comparable from mistakes by its status, in one sentence on standard error."""
    lm_eval(tmp_path / "a", "a", FIFTY)
    lm_eval(tmp_path / "b", "b", FIFTY, question="another")
    command = [sys.executable, "-m", "outclass", "compare", str(tmp_path / "a"), str(tmp_path / "b")]

    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stdout) == (4, "")
    assert "were not asked the same: 50 questions" in result.stderr
    assert "--drop-changed" in result.stderr


def test_labels(tmp_path: Path) -> None:
    """F1 of logs: answers that are labels; or the other of two, where only right or wrong is known."""
    gold = ["yes", "yes", "yes", "no", "no", "no", "yes", "no"] * 4
    right = {
        "a": [True, False, True, True, False, True, True, True],
        "b": [True, True, True, False, True, True, False, True],
    }
    for model, own in right.items():
        direct = [
            sample(at, "C" if good else "I", target=true, answer=true if good else {"yes": "no", "no": "yes"}[true])
            for at, (true, good) in enumerate(zip(gold, own * 4, strict=True))
        ]
        inspect_eval(tmp_path / "labels" / f"{model}.eval", header_of(model), direct)
        words = [{**each, "scores": {"choice": {**each["scores"]["choice"], "answer": "long text"}}} for each in direct]
        inspect_eval(tmp_path / "words" / f"{model}.eval", header_of(model), words)

    answers = [oc.compare(tmp_path / name, measure="f1", positive="yes") for name in ("labels", "words")]

    tp, fp, fn = 3, 1, 1
    wanted = 2 * tp / (2 * tp + fp + fn) - 2 * 3 / (2 * 3 + 1 + 1)
    for answer in answers:
        assert answer.only.measure.name == "f1"
        assert answer.only.observed == pytest.approx(wanted)
        assert answer.only.items == 32


def test_what_has_no_labels(tmp_path: Path) -> None:
    """Free text has no F1: the sentence says why."""
    lm_eval(tmp_path / "a", "a", FIFTY)
    lm_eval(tmp_path / "b", "b", FIFTY[::-1])

    with pytest.raises(InputError, match="50 different gold answers"):
        oc.compare(tmp_path, measure="f1")


def test_groups_and_slices(tmp_path: Path) -> None:
    """What a log knows of its samples makes groups and slices."""
    for model, shift in (("a", 0), ("b", 1)):
        samples = [
            sample(at, "C" if (at + shift) % 3 else "I", metadata={"passage": f"p{at // 4}", "kind": "xy"[at % 2]})
            for at in range(40)
        ]
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), samples)

    data = oc.read(tmp_path, group="metadata.passage")
    sliced = oc.compare(tmp_path, by="metadata.kind")

    assert len(set(data.group)) == 10
    assert {row.slice.name for row in sliced.rows if row.slice} >= {"x", "y"}
    with pytest.raises(InputError, match=r"no column 'passage'.*Did you mean 'metadata.passage'"):
        oc.compare(tmp_path, group="passage")


def test_flips(tmp_path: Path) -> None:
    """Right to wrong and back, with ids."""
    for model, own in (("base", [1.0, 1.0, 0.0, 0.0, 1.0]), ("new", [1.0, 0.0, 1.0, 0.0, 0.0])):
        lm_eval(tmp_path / model, model, own)

    flips = oc.logs(tmp_path).flips("base", "new")

    assert (flips.worse, flips.better) == (("1", "4"), ("2",))
    assert str(flips) == "base → new in exact_match: 2 items right→wrong, 1 wrong→right"


def test_an_answer_has_flips(tmp_path: Path) -> None:
    """Every comparison of logs names its flips, from the baseline to the candidate, in JSON as well."""
    for model, own in (("a", [1.0, 1.0, 0.0, 0.0, 1.0]), ("b", [1.0, 0.0, 1.0, 0.0, 0.0])):
        lm_eval(tmp_path / model, model, own)

    answer = oc.compare({"base": str(tmp_path / "a"), "cand": str(tmp_path / "b")})
    again = oc.Comparison.from_json(answer.to_json())

    (flips,) = answer.flips
    assert (flips.first, flips.second) == ("base", "cand")
    assert (flips.worse, flips.better) == (("1", "4"), ("2",))
    assert [each.name for each in answer.only.systems] == ["cand", "base"]
    assert again.flips == answer.flips
    assert "2 items right→wrong" in " ".join(answer.to_text(verbose=True).split())
