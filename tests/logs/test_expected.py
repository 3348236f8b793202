"""The numbers of real logs, as NumPy, SciPy and pandas alone compute them (shared/logs/expected.json)."""

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from making import REAL, header_of, inspect_eval, lm_eval, sample

import outclass as oc

EXPECTED: Final = json.loads((REAL / "expected.json").read_text())
CLOSE: Final = 1e-9


def _close(value: float, wanted: float) -> bool:
    """Return whether a number is the expected one; those are printed to ten digits."""
    return bool(value == pytest.approx(wanted, rel=CLOSE, abs=CLOSE))


def _holds(logs: oc.Logs, wanted: dict[str, Any]) -> None:
    """Check what is expected of two systems: means, difference, its standard error, and both kinds of tests."""
    a, b = logs.systems
    data = oc.read(logs)
    assert isinstance(data, oc.Scores)
    one, other = data.values[a], data.values[b]
    difference = one - other
    paired = oc.test(logs, tests="paired_t").rows[0]

    assert len(data) == wanted["n"]
    assert _close(one.mean(), wanted["mean_a"])
    assert _close(other.mean(), wanted["mean_b"])
    assert _close(oc.compare(logs, measure="mean").rows[0].observed, wanted["difference"])
    assert _close(difference.std(ddof=1) / math.sqrt(len(data)), wanted["se_paired"])
    if "p_paired_t" in wanted:
        assert _close(paired.p_value, wanted["p_paired_t"])
    if "ci95_t" in wanted:
        assert paired.interval is not None
        assert _close(paired.interval.low, wanted["ci95_t"][0])
        assert _close(paired.interval.high, wanted["ci95_t"][1])
    if "mcnemar_exact_p" in wanted:
        for name, key in (("sign_exact", "mcnemar_exact_p"), ("mcnemar_midp", "mcnemar_midp")):
            assert _close(oc.test(logs, tests=name).rows[0].p_value, wanted[key])
        flips = logs.flips(a, b)
        assert (len(flips.worse), len(flips.better)) == (wanted["only_a"], wanted["only_b"])


def _unequal() -> oc.Logs:
    return oc.logs(REAL / "inspect/eee/data_arc_sonnet.json", REAL / "inspect/eee/data_arc_qwen.json", missing="drop")


PAIRS: Final[dict[str, Callable[[], oc.Logs]]] = {
    "inspect_json_unequal_items": _unequal,
    "lmeval_gsm8k_pair": lambda: oc.logs(REAL / "lm_eval/pyfade_gsm8k"),
    "lmeval_mmlu_pro_plus_pair": lambda: oc.logs(REAL / "lm_eval/pyfade_mmlu_pro_plus"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name: str) -> None:
    """Pairs of real logs have the expected numbers, and the systems that their headers name."""
    logs, wanted = PAIRS[name](), EXPECTED[name]

    assert logs.systems == (wanted["model_a"], wanted["model_b"])
    _holds(logs, wanted)


def test_tasks() -> None:
    """Each task has the expected numbers, and every pair of hashes is that of the same question."""
    wanted = EXPECTED["lmeval_mmlu_pro_plus_pair"]
    logs = PAIRS["lmeval_mmlu_pro_plus_pair"]()
    rows = {row.slice.name: row for row in oc.compare(logs, by="task").rows if row.slice and row.slice.name}
    found = logs.matched()

    for task, own in wanted["by_task"].items():
        assert rows[task].items == own["n"]
        assert _close(rows[task].observed, own["a"] - own["b"])
    for column in ("input_hash", "target_hash", "prompt_hash"):
        same = [
            getattr(one.run.samples, column)[one.at] == getattr(other.run.samples, column)[other.at]
            for one, other in zip(*found.cells.values(), strict=True)
        ]
        assert sum(same) == wanted["doc_hash_equal"]


def test_unequal_items_stop() -> None:
    """Logs with 5 and 3 ids are compared only on request, and the ids are named."""
    with pytest.raises(oc.NotComparable, match="lacks 2 of 5") as told:
        oc.compare(REAL / "inspect/eee/data_arc_sonnet.json", REAL / "inspect/eee/data_arc_qwen.json")

    assert told.value.ids == ("4", "5")
    assert told.value.status == 4


def test_unscored() -> None:
    """A log without scores is rejected with the number of its samples."""
    with pytest.raises(OSError, match="10 samples, none scored"):
        oc.logs(REAL / "inspect/core_scorer/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval")


def test_truncated() -> None:
    """Fewer samples than the results are of are told."""
    findings = oc.compare(REAL / "lm_eval/pyfade_gsm8k").findings

    assert any(each.code == "OC502" and "3 samples" in each.message and "100" in each.message for each in findings)


def test_the_results_are_found_by_their_time() -> None:
    """The model is that of the results of the same time, whatever the name of that file begins with."""
    wanted = EXPECTED["lmeval_results_name"]

    assert "phi-3-mini" in wanted["file"]
    assert wanted["model_name"] == "gpt2"


def test_the_name_of_the_results_does_not_matter(tmp_path: Path) -> None:
    """The case of `lmeval_results_name`: the name says phi-3-mini, the model is gpt2."""
    wanted = EXPECTED["lmeval_results_name"]
    time = wanted["file"].removesuffix(".json").rpartition("_")[2]
    lm_eval(tmp_path, wanted["model_name"], [1.0, 0.0], time=time)
    (tmp_path / f"results_{time}.json").rename(tmp_path / wanted["file"])

    assert oc.logs(tmp_path).systems == ("gpt2",)


def test_gsm8k(tmp_path: Path) -> None:
    """1,319 questions, four systems, as logs of lm-evaluation-harness."""
    with (REAL / "gsm8k_openai/example_model_solutions.jsonl").open(encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    wanted = EXPECTED["gsm8k_openai"]
    for system, correct in wanted["correct"].items():
        own = [float(each[system]["is_correct"]) for each in records]
        assert sum(own) == correct
        lm_eval(tmp_path / system, system, own)
    logs = {
        name: oc.logs(*(tmp_path / system for system in pair))
        for name, pair in {
            "v6_vs_f175": ("6b_verification", "175b_finetuning"),
            "v175_vs_v6": ("175b_verification", "6b_verification"),
        }.items()
    }

    for name, own in logs.items():
        _holds(own, wanted[name])
    assert oc.rank(tmp_path).systems[0].system.name == "175b_verification"


@pytest.fixture(scope="module")
def gpqa(tmp_path_factory: pytest.TempPathFactory) -> oc.Logs:
    """198 questions, five epochs, two models, as archives of Inspect."""
    folder = tmp_path_factory.mktemp("gpqa")
    rows: dict[str, list[dict[str, Any]]] = {}
    with (REAL / "gpqa_epochs/gpqa_diamond_scores.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            value = "C" if float(row["score"]) == 1 else "I"
            rows.setdefault(row["model_id"], []).append(sample(row["item_id"], value, epoch=int(row["epoch"])))
    paths = [
        inspect_eval(folder / f"{place}.eval", header_of(model, "gpqa"), own)
        for place, (model, own) in enumerate(rows.items())
    ]
    return oc.logs(*paths)


def test_gpqa(gpqa: oc.Logs) -> None:
    """The item is the unit, not the generation: 198 means of five epochs."""
    wanted = EXPECTED["gpqa_epochs"]
    own = gpqa.matched()
    means = own.means()

    assert own.epochs == wanted["epochs"]
    assert [round(5 * sum(each)) for each in means.values()] == [wanted["correct_a"], wanted["correct_b"]]
    found = [np.array(each) for each in means.values()]
    difference = found[0] - found[1]
    assert len(difference) == wanted["by_item"]["n"]
    assert _close(difference.mean(), wanted["by_item"]["difference"])
    assert _close(difference.std(ddof=1) / math.sqrt(198), wanted["by_item"]["se_paired"])
    assert _close(oc.compare(gpqa).rows[0].observed, wanted["by_item"]["difference"])


@pytest.mark.parametrize("name", ["pass@1", "pass@2", "pass@3", "pass@5", "pass^2", "pass^3", "pass^5"])
def test_best_and_worst_of_several_answers(gpqa: oc.Logs, name: str) -> None:
    """Measures of repeats are asked of logs as of tables."""
    wanted = EXPECTED["gpqa_epochs"][name]
    row = oc.compare(gpqa, measure=name).rows[0]

    assert _close(row.systems[0].observed, wanted["mean_a"])
    assert _close(row.systems[1].observed, wanted["mean_b"])
    assert _close(row.observed, wanted["difference"])


def test_majority_and_a_fixed_suite(gpqa: oc.Logs) -> None:
    """The majority of five answers; and the same questions again, of which only other answers would vary."""
    wanted = EXPECTED["gpqa_epochs"]["majority_of_5"]
    majority = oc.compare(gpqa, measure="maj@5").rows[0]
    fixed = oc.compare(gpqa, population="these").rows[0]

    assert _close(majority.systems[0].observed, wanted["mean_a"])
    assert _close(majority.systems[1].observed, wanted["mean_b"])
    assert _close(fixed.observed, EXPECTED["fixed_items"]["gpqa"]["difference"])
    assert fixed.difference.std == pytest.approx(EXPECTED["fixed_items"]["gpqa"]["se_fixed_items"], rel=0.01)


def test_generation_noise_and_run_effect(gpqa: oc.Logs) -> None:
    """The findings on repeats are those of the log: the noise of generation, and runs that move together."""
    told = {each.code: each.message for each in oc.compare(gpqa).findings}
    wanted = EXPECTED["run_effect"]["gpqa gpt-5.4-mini"]

    assert "OC521" in told
    assert f"{wanted['Q']:.2f}"[:4] in told["OC512"] or f"{wanted['p']:.3f}".lstrip("0") in told["OC512"]


def test_each_epoch_alone(gpqa: oc.Logs) -> None:
    """The long table holds every generation: each epoch by itself has the expected means."""
    heads, lines = gpqa.records
    system, epoch, score = (heads.index(name) for name in ("system", "epoch", "score"))

    for number, wanted in EXPECTED["gpqa_epochs"]["each_epoch_alone"].items():
        for name, key in zip(gpqa.systems, ("mean_a", "mean_b"), strict=True):
            own = [line[score] for line in lines if line[system] == name and line[epoch] == int(number)]
            assert len(own) == 198
            assert _close(float(np.mean(own)), wanted[key])


def test_tau() -> None:
    """Fifty tasks, four trials: the reward, and how many tasks succeed in some trials only."""
    wanted = EXPECTED["tau_airline_gpt4o"]
    logs = oc.logs(REAL / "tau/gpt-4o-airline.json")
    means = logs.matched().means()["gpt-4o-airline"]

    assert (len(means), logs.runs[0]["epochs"]) == (wanted["tasks"], wanted["trials"])
    assert _close(float(np.mean(means)), wanted["pass_hat"]["1"])
    assert _close(float(np.mean([each == 1 for each in means])), wanted["pass_hat"]["4"])
    assert _close(float(np.mean([each > 0 for each in means])), wanted["pass_at"]["4"])
    assert sum(0 < each < 1 for each in means) == wanted["tasks_that_flip"]


@pytest.mark.parametrize("k", ["1", "2", "3", "4"])
def test_tau_in_several_trials(k: str) -> None:
    """pass^k and pass@k of real trials."""
    wanted = EXPECTED["tau_airline_gpt4o"]
    path = REAL / "tau/gpt-4o-airline.json"

    for name, key in ((f"pass^{k}", "pass_hat"), (f"pass@{k}", "pass_at")):
        assert _close(oc.evaluate(path, measure=name).rows[0].system.observed, wanted[key][k])


@pytest.mark.parametrize("name", EXPECTED["helm"])
def test_helm(name: str) -> None:
    """Each split has the expected sum and number of instances, and each run its model and its metrics."""
    wanted = EXPECTED["helm"][name]
    logs = oc.logs(REAL / "helm" / name.replace(":", "-"))
    runs = {run.variant[1]: run for _, run in logs.found.all}

    assert logs.systems == (wanted["model"],)
    assert sum(len(run.samples) for run in runs.values()) == wanted["instances"]
    for split, (total, many) in wanted["exact_match_by_split"].items():
        scores = [each for each in runs[split].samples.scores["exact_match"] if not math.isnan(each)]
        assert (sum(scores), len(scores)) == (total, many)
    assert {len(run.metrics) for run in runs.values()} == {wanted["metrics"]}


def test_promptfoo() -> None:
    """Eight rows of two prompts pass because nothing is asserted, which is told."""
    wanted = EXPECTED["promptfoo"]
    logs = oc.logs(REAL / "promptfoo/examples_simple-cli_output.json")
    runs = [run for _, run in logs.found.all]

    assert sum(len(run.samples) for run in runs) == wanted["rows"]
    assert list(logs.systems) == wanted["prompts"]
    assert {run.free["provider"] for run in runs} == set(wanted["providers"])
    assert sum(sum(run.samples.scores["success"]) for run in runs) == wanted["success"]
    assert any(each.code == "OC508" and "nothing is asserted" in each.message for each in oc.compare(logs).findings)
