"""Logs that the harnesses themselves made (see made/README.md): what outclass reads is what each harness reports."""

import json
import math
from pathlib import Path
from typing import Any, Final

import pytest

import outclass as oc

MADE: Final = Path(__file__).parent / "made"
OLD, NEW = MADE / "inspect_ai" / "old", MADE / "inspect_ai" / "new"


def _codes(answer: Any) -> set[str]:
    return {each.code for each in answer.findings}


def test_inspect() -> None:
    """An archive as Inspect writes it since 2026: Zstandard, epochs, and the accuracies that its headers hold."""
    pytest.importorskip("zstandard")
    logs = oc.logs({"old": OLD, "new": NEW})
    runs = dict(logs.found.all)

    assert [(each["items"], each["epochs"]) for each in logs.runs] == [(3, 2), (3, 2)]
    assert {name: run.mean("choice") for name, run in runs.items()} == {
        "old": pytest.approx(2 / 3),
        "new": pytest.approx(1 / 2),
    }
    assert oc.compare(logs, metric="choice").only.observed == pytest.approx(1 / 6)
    assert logs.matched().metadata()["metadata.parity"] == ["odd", "even", "odd"]


def test_a_filtered_answer_of_an_archive() -> None:
    """Summaries do not hold why an answer ended; the sample does, and it is a refusal as in a JSON log."""
    pytest.importorskip("zstandard")
    logs = oc.logs({"old": OLD, "new": NEW})

    assert [each["refusals"] for each in logs.runs] == [0, 1]
    assert [row.measure.title for row in oc.compare(logs).rows] == ["choice", "refusal"]


def test_a_grader_that_failed() -> None:
    """Since 2026 a grade that could not be read is NaN, with a reason: a failure of the grader, not a missing score."""
    pytest.importorskip("zstandard")
    path = next((MADE / "inspect_ai").glob("*.eval"))

    answer = oc.evaluate(path)

    assert (answer.only.items, answer.only.system.observed) == (3, pytest.approx(2 / 3))
    assert any("1 of 4 samples" in each.message for each in answer.findings if each.code == "OC511")


def _results(model: str, task: str) -> dict[str, float]:
    path = next((MADE / "lm_eval" / model).glob("results_*.json"))
    found: dict[str, float] = json.loads(path.read_text())["results"][task]
    return found


@pytest.mark.parametrize("model", ["org__m1", "org__m2"])
def test_lm_eval(model: str) -> None:
    """Filters, accuracy, F1, MCC and Brier score are those of the results."""
    wanted, sums = _results(model, "parity"), _results(model, "sums_gen")
    folder = MADE / "lm_eval" / model
    logs = oc.logs(folder)

    assert logs.systems == (model.replace("__", "/"),)
    for name in ("strict", "flexible"):
        found = oc.evaluate(folder, metric="exact_match", filter=name).only
        assert found.system.observed == pytest.approx(sums[f"exact_match,{name}"])
    for metric in ("acc", "f1", "mcc", "brier_score"):
        found = oc.evaluate(folder, metric=metric, positive="1" if metric in ("f1", "mcc") else None).only
        assert found.system.observed == pytest.approx(wanted[f"{metric},none"], abs=1e-7)
    assert not oc.read(folder, metric="brier_score").higher_is_better
    assert "OC503" not in _codes(oc.evaluate(folder, metric="brier_score"))


def test_choices_of_lm_eval_are_labels() -> None:
    """Log-likelihoods are written as text; the likeliest choice is what was said, and F1 is that of the harness."""
    folder = MADE / "lm_eval" / "org__m1"

    found = oc.evaluate(folder, metric="acc", measure="f1", positive="1").only

    assert found.system.observed == pytest.approx(_results("org__m1", "parity")["f1,none"])
    (run,) = (run for _, run in oc.logs(folder).found.all if run.task == "parity")
    assert set(run.samples.answer) == {"0", "1"}


def test_evalplus() -> None:
    """pass@1 as EvalPlus prints it: .833 of the base tests, .750 with the further ones."""
    logs = oc.logs(MADE / "evalplus")

    assert logs.systems == ("org--large-1.5_vllm_temp_0.8", "org--small-1.5_vllm_temp_0.8")
    for system in range(2):
        for metric, wanted in (("base", 0.833), ("plus", 0.75)):
            found = oc.evaluate(logs, metric=metric, measure="pass@1").rows[system]
            assert found.system.observed == pytest.approx(wanted, abs=5e-4)


def test_deepeval() -> None:
    """Two metrics, one of which failed on a case: that case has no score in it, and one in the other."""
    logs = oc.logs(MADE / "deepeval" / "old", MADE / "deepeval" / "new")

    assert logs.systems == ("m-old", "m-new")
    assert logs.metrics == ("Short", "Exact")
    assert [row.items for row in oc.compare(logs).rows] == [7, 8]
    assert oc.evaluate(logs, metric="Exact").rows[0].system.observed == 0.75


def test_promptfoo() -> None:
    """What a provider failed on is no failed assertion, neither in the list nor in a comparison."""
    path = MADE / "promptfoo" / "output.json"
    logs = oc.logs(path)
    wanted = {each["provider"]: each["metrics"] for each in json.loads(path.read_text())["results"]["prompts"]}

    assert set(logs.systems) == set(wanted)
    for told in logs.to_dict()["runs"]:
        own = wanted[told["system"]]
        asserted = own["testPassCount"] + own["testFailCount"]
        assert told["errors"] == own["testErrorCount"]
        assert told["means"]["success"] == pytest.approx(own["testPassCount"] / asserted)
        assert not math.isnan(told["means"]["short"])
    assert logs.matched().keys == [("promptfoo", '{"country": "France"}'), ("promptfoo", '{"country": "Japan"}')]


def test_swe_bench() -> None:
    """Reports list every instance: errors and empty patches are failures, one of the machine is not, as is no patch."""
    old, new = (MADE / "swebench" / f"org__agent-1.{at}.run1.json" for at in (4, 5))
    stated = {path: json.loads(path.read_text()) for path in (old, new)}

    logs = oc.logs(new, old)
    with pytest.raises(oc.NotComparable, match=r"'org/agent-1.4' lacks 1 of 12 \('org__c-111'\)"):
        oc.compare(logs)
    answer = oc.compare(logs, missing="drop")

    assert logs.systems == ("org/agent-1.5", "org/agent-1.4")
    for (_, run), path in zip(logs.found.all, (new, old), strict=True):
        assert sum(run.samples.scores["resolved"]) == stated[path]["resolved_instances"]
    assert (answer.only.items, answer.only.observed) == (10, pytest.approx((6 - 3) / 10))
    assert {"OC501", "OC505"} <= _codes(answer)
