"""The numbers of real logs, as NumPy, SciPy and pandas alone compute them (shared/logs/expected.json).

Each case is held against all numbers that outclass has for it: a key of the file that is not computed here
is a failure.
"""

import csv
import json
import math
import re
from itertools import permutations, product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from making import REAL, header_of, inspect_eval, lm_eval, sample
from numbers_of import is_same, of_numbers, of_right_and_wrong, of_tasks, same_hashes, spread, without
from scipy import stats

import outclass as oc
from outclass.models.generation import noise_of
from outclass.planning.anytime import _log_e_of_apart
from outclass.significance.run_effect import run_effect

EXPECTED: Final = json.loads((REAL / "expected.json").read_text())
# Decisions of a gate on these numbers are in tests/gate/test_decisions.py.
ELSEWHERE: Final = {"gate"}
LMEVAL: Final = ("lmeval_gsm8k_pair", "lmeval_mmlu_pro_plus_pair")


def _unequal() -> oc.Logs:
    return oc.logs(REAL / "inspect/eee/data_arc_sonnet.json", REAL / "inspect/eee/data_arc_qwen.json", missing="drop")


def test_every_case_is_tested() -> None:
    """No case of the file is left out."""
    text = Path(__file__).read_text()

    assert [name for name in EXPECTED if f'"{name}"' not in text and name not in ELSEWHERE] == []


def test_unequal_items() -> None:
    """Logs with 5 and 3 ids: the numbers of the 3 in common, what their headers say, and what is not the same."""
    wanted = without(EXPECTED["inspect_json_unequal_items"], "label")
    logs = _unequal()
    (_, a), (_, b) = logs.found.all
    ids = [set(run.samples.item) for run in (a, b)]
    differ = {
        f"{name}_differ": len(logs.matched().keys) - same_hashes(logs, f"{column}_hash")
        for name, column in (("targets", "target"), ("choices", "choices"), ("inputs", "input"))
    }

    assert is_same(
        {
            **of_right_and_wrong(logs),
            **differ,
            **dict(zip(("model_a", "model_b"), logs.systems, strict=True)),
            "task_a": a.task,
            "task_b": b.task,
            "epochs_a": max(a.samples.epoch),
            "epochs_b": max(b.samples.epoch),
            **{
                f"generations_{name}": sum(len(cell.scores) for cell in cells if cell is not None)
                for name, cells in zip("ab", logs.matched().cells.values(), strict=True)
            },
            "items_only_a": len(ids[0] - ids[1]),
            "items_only_b": len(ids[1] - ids[0]),
            "header_accuracy_a": a.mean("choice"),
            "header_accuracy_b": b.mean("choice"),
        },
        wanted,
    )


@pytest.mark.parametrize("name", LMEVAL)
def test_pairs_of_lm_eval(name: str) -> None:
    """Pairs of real logs, all tasks together and each by itself; every pair of hashes is that of the same question."""
    logs = oc.logs(REAL / "lm_eval" / name.replace("lmeval", "pyfade").removesuffix("_pair"))
    columns = {"doc": "input_hash", "target": "target_hash", "prompt": "prompt_hash"}

    assert is_same(
        {
            **of_right_and_wrong(logs),
            **{f"{own}_hash_equal": same_hashes(logs, column) for own, column in columns.items()},
            "by_task": of_tasks(logs),
            **dict(zip(("model_a", "model_b"), logs.systems, strict=True)),
        },
        without(EXPECTED[name], "trap", "note"),
    )


def test_unequal_items_stop() -> None:
    """Logs with 5 and 3 ids are compared only on request, and the ids are named."""
    with pytest.raises(oc.NotComparable, match="lacks 2 of 5") as told:
        oc.compare(REAL / "inspect/eee/data_arc_sonnet.json", REAL / "inspect/eee/data_arc_qwen.json")

    assert told.value.ids == ("4", "5")
    assert told.value.status == 4


def test_unscored() -> None:
    """A log that ended in success without scores is rejected with the number of its samples."""
    wanted = EXPECTED["inspect_unscored_log"]

    with pytest.raises(OSError, match=f"{wanted['samples']} samples, none scored"):
        oc.logs(REAL / "inspect/core_scorer/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval")
    assert (wanted["status"], wanted["with_scores"]) == ("success", 0)


def test_truncated() -> None:
    """Fewer samples than the results are of are told."""
    findings = oc.compare(REAL / "lm_eval/pyfade_gsm8k").findings

    assert any(each.code == "OC502" and "3 samples" in each.message and "100" in each.message for each in findings)


def test_the_name_of_the_results_does_not_matter(tmp_path: Path) -> None:
    """The name of the results says phi-3-mini, the model is gpt2: they are found by their time."""
    wanted = EXPECTED["lmeval_results_name"]
    time = wanted["file"].removesuffix(".json").rpartition("_")[2]
    lm_eval(tmp_path, wanted["model_name"], [1.0, 0.0], time=time)
    (tmp_path / f"results_{time}.json").rename(tmp_path / wanted["file"])

    assert oc.logs(tmp_path).systems == (wanted["model_name"],)


def test_gsm8k(tmp_path: Path) -> None:
    """1,319 questions, four systems, as logs of lm-evaluation-harness."""
    with (REAL / "gsm8k_openai/example_model_solutions.jsonl").open(encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    wanted = EXPECTED["gsm8k_openai"]
    for system in wanted["correct"]:
        lm_eval(tmp_path / system, system, [float(each[system]["is_correct"]) for each in records])
    pairs = {
        "v6_vs_f175": ("6b_verification", "175b_finetuning"),
        "v175_vs_v6": ("175b_verification", "6b_verification"),
    }
    all_four = oc.logs(tmp_path)

    assert is_same(
        {
            "items": all_four.runs[0]["items"],
            "correct": {name: int(sum(all_four.matched().means()[name])) for name in wanted["correct"]},
            **{
                name: of_right_and_wrong(oc.logs(*(tmp_path / system for system in pair)))
                for name, pair in pairs.items()
            },
        },
        wanted,
    )
    assert oc.rank(tmp_path).systems[0].system.name == "175b_verification"


# --- epochs -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gpqa_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """198 questions, five epochs, two models: archives of Inspect, all epochs in one and each in one of its own."""
    folder = tmp_path_factory.mktemp("gpqa")
    rows: dict[str, list[dict[str, Any]]] = {}
    with (REAL / "gpqa_epochs/gpqa_diamond_scores.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            value = "C" if float(row["score"]) == 1 else "I"
            rows.setdefault(row["model_id"], []).append(sample(row["item_id"], value, epoch=int(row["epoch"])))
    for place, (model, own) in enumerate(rows.items()):
        inspect_eval(folder / f"{place}.eval", header_of(model, "gpqa"), own)
        for epoch in range(1, 6):
            of_epoch = [each for each in own if each["epoch"] == epoch]
            inspect_eval(folder / "single" / f"{place}-{epoch}.eval", header_of(f"{model} {epoch}", "gpqa"), of_epoch)
    return folder


@pytest.fixture(scope="module")
def gpqa(gpqa_folder: Path) -> oc.Logs:
    """Both models with all epochs."""
    return oc.logs(gpqa_folder / "0.eval", gpqa_folder / "1.eval")


@pytest.fixture(scope="module")
def single_runs(gpqa_folder: Path) -> oc.Logs:
    """Each epoch as a run of its own, read once."""
    return oc.logs(gpqa_folder / "single")


def test_gpqa_items(gpqa: oc.Logs) -> None:
    """The item is the unit, not the generation: 198 means of five epochs, and what of their variance is noise."""
    wanted = EXPECTED["gpqa_epochs"]
    parts = [noise_of(own) for own in oc.read(gpqa).repeats.systems.values()]
    values = oc.read(gpqa)
    one, other = (values.values[name] for name in gpqa.systems)
    noise = 198 * sum(part.variance for part in parts)
    of_differences = (one - other).var(ddof=1)

    assert is_same(
        {
            "items": len(gpqa.matched().keys),
            "epochs": gpqa.matched().epochs,
            "correct_a": round(5 * one.sum()),
            "correct_b": round(5 * other.sum()),
            "by_item": of_numbers(gpqa),
            "within_variance_a": 5 * 198 * parts[0].variance,
            "within_variance_b": 5 * 198 * parts[1].variance,
            "se_clustered_a": one.std(ddof=1) / math.sqrt(198),
            "variance_of_item_differences": of_differences,
            "of_which_generation_noise": noise,
            "se_if_infinitely_many_epochs": math.sqrt((of_differences - noise) / 198),
        },
        {
            key: value
            for key, value in wanted.items()
            if not key.startswith(("pass", "majority", "each", "naive", "se_naive"))
        },
    )


def test_generations_as_items(gpqa: oc.Logs) -> None:
    """What a user gets who takes generations for items, out of the long table: an SE that is far too small."""
    wanted = EXPECTED["gpqa_epochs"]
    heads, lines = gpqa.records
    system, item, epoch, score = (heads.index(name) for name in ("system", "item", "epoch", "score"))
    by_row: dict[str, dict[str, float]] = {}
    for line in lines:
        by_row.setdefault(f"{line[item]} {line[epoch]}", {})[str(line[system])] = line[score]
    table: dict[str, list[Any]] = {"row": list(by_row)}
    table |= {name: [own[name] for own in by_row.values()] for name in gpqa.systems}
    row = oc.compare(table, scores=True, item="row").only
    paired, exact = (oc.test(table, scores=True, item="row", tests=name).rows[0] for name in ("paired_t", "sign_exact"))
    one, other = (np.array(table[name]) for name in gpqa.systems)

    assert is_same(
        {
            "n": row.items,
            "difference": row.observed,
            "se_paired": spread(one, other)["se_paired"],
            "p_paired_t": paired.p_value,
            "only_a": int((one > other).sum()),
            "only_b": int((one < other).sum()),
            "mcnemar_exact_p": exact.p_value,
        },
        wanted["naive_rows"],
    )
    assert is_same(one.std(ddof=1) / math.sqrt(990), wanted["se_naive_a"])


@pytest.mark.parametrize("name", [name for name in EXPECTED["gpqa_epochs"] if name.startswith("pass")])
def test_best_and_worst_of_several_answers(gpqa: oc.Logs, name: str) -> None:
    """Measures of repeats are asked of logs as of tables, with their own standard errors."""
    wanted = EXPECTED["gpqa_epochs"][name]
    row = oc.compare(gpqa, measure=name).rows[0]
    paired = oc.test(gpqa, measure=name, tests="paired_t").rows[0]
    assert paired.interval is not None
    found = {
        "mean_a": row.systems[0].observed,
        "mean_b": row.systems[1].observed,
        "difference": row.observed,
        "se_paired": paired.interval.width / 2 / stats.t.ppf(0.975, 197),
        "p_paired_t": paired.p_value,
    }

    assert is_same({key: found[key] for key in wanted}, wanted)


def test_majority(gpqa: oc.Logs) -> None:
    """The majority of five answers is right or wrong: a number per item, with McNemar's test."""
    row = oc.compare(gpqa, measure="maj@5").rows[0]
    exact = oc.test(gpqa, measure="maj@5", tests="mcnemar_exact").rows[0]
    means = gpqa.matched().means()
    one, other = (np.array(means[name]) > 0.5 for name in gpqa.systems)

    assert is_same(
        {
            "mean_a": row.systems[0].observed,
            "mean_b": row.systems[1].observed,
            "only_a": int((one & ~other).sum()),
            "only_b": int((other & ~one).sum()),
            "mcnemar_exact_p": exact.p_value,
        },
        EXPECTED["gpqa_epochs"]["majority_of_5"],
    )


def test_a_fixed_suite(gpqa: oc.Logs) -> None:
    """The same questions again: only other answers would vary."""
    wanted = EXPECTED["fixed_items"]["gpqa"]
    row = oc.compare(gpqa, population="these").rows[0]
    parts = [noise_of(own).variance for own in oc.read(gpqa).repeats.systems.values()]

    assert is_same({"difference": row.observed, "se_fixed_items": math.sqrt(sum(parts))}, wanted)
    assert row.difference.std == pytest.approx(wanted["se_fixed_items"], rel=0.01)  # the posterior's, with its prior


def test_run_effects(gpqa: oc.Logs) -> None:
    """Cochran's Q over the epochs of each system, and what is told of the one whose runs move together."""
    logs = {"gpqa ": gpqa, "tau ": oc.logs(REAL / "tau/gpt-4o-airline.json", log_runs="all")}
    names = {"gpqa gpt-5-nano": 0, "gpqa gpt-5.4-mini": 1, "tau gpt-4o airline 4 trials": 0}
    found: dict[str, Any] = {}
    for name, place in names.items():
        own = next(own for beginning, own in logs.items() if name.startswith(beginning))
        effect = run_effect(list(oc.read(own).repeats.systems.values())[place].by_run(), 1.0)
        assert effect is not None
        many = len(effect.totals) - 1
        found[name] = {"Q": effect.statistic, "df": many, "p": effect.p_value, "by_epoch": list(effect.totals)}
    told = {each.code: each.message for each in oc.compare(gpqa).findings}

    assert is_same(found, EXPECTED["run_effect"])
    assert "Cochran's Q = 10.24, p = .037" in told["OC512"]
    assert "OC521" in told


def _flips(runs: oc.Logs, first: str, second: str) -> tuple[int, int]:
    """Return how many items go from right to wrong, and back."""
    found = runs.flips(first, second)
    return len(found.worse), len(found.better)


def test_each_epoch_alone(single_runs: oc.Logs) -> None:
    """Each epoch by itself is a log: its means, and McNemar's test of its flips."""
    found = {}
    for epoch, wanted in EXPECTED["gpqa_epochs"]["each_epoch_alone"].items():
        a, b = (name for name in single_runs.systems if name.endswith(f" {epoch}"))
        own = single_runs.selected([a, b])
        means = own.matched().means()
        worse, better = _flips(own, a, b)
        found[epoch] = {
            "mean_a": float(np.mean(means[a])),
            "mean_b": float(np.mean(means[b])),
            "only_a": worse,
            "only_b": better,
            "mcnemar_exact_p": oc.test(own, tests="sign_exact").rows[0].p_value,
        }
        assert found[epoch].keys() == wanted.keys()

    assert is_same(found, EXPECTED["gpqa_epochs"]["each_epoch_alone"])


def _models(runs: oc.Logs) -> dict[str, list[str]]:
    """Return the runs of each model."""
    found: dict[str, list[str]] = {}
    for name in runs.systems:
        found.setdefault("gpt-5-nano" if "gpt-5-nano" in name else "gpt-5.4-mini", []).append(name)
    return found


def test_a_model_against_itself(single_runs: oc.Logs) -> None:
    """Thresholds fail a model against itself: the drops, flips and tests of all ordered pairs of its runs."""
    means = {name: float(np.mean(own)) for name, own in single_runs.matched().means().items()}
    found: dict[str, Any] = {}
    for model, runs in _models(single_runs).items():
        pairs = list(permutations(runs, 2))
        flips = [_flips(single_runs, *pair) for pair in pairs]
        tests = [stats.binomtest(worse, worse + better).pvalue if worse + better else 1.0 for worse, better in flips]
        found[model] = {
            "accuracy_by_epoch": [means[name] for name in runs],
            "ordered_pairs": len(pairs),
            "drop_over_1pt": sum(means[a] - means[b] > 0.01 for a, b in pairs),
            "drop_over_2pt": sum(means[a] - means[b] > 0.02 for a, b in pairs),
            "any_item_regressed": sum(worse > 0 for worse, _ in flips),
            "items_flipped_right_to_wrong_mean": float(np.mean([worse for worse, _ in flips])),
            "mcnemar_p_below_05": sum(p < 0.05 for p in tests),
        }

    assert is_same(found, EXPECTED["aa_threshold_gates_gpqa"])


def test_rerun_until_green(gpqa: oc.Logs, single_runs: oc.Logs) -> None:
    """Of 25 pairs of single runs of two models that differ by 5.9 points, 15 pass a threshold of 5 points."""
    means = {name: float(np.mean(own)) for name, own in single_runs.matched().means().items()}
    drops = sorted(means[a] - means[b] for a, b in product(*_models(single_runs).values()))

    assert is_same(
        {
            "true_difference": -oc.compare(gpqa).rows[0].observed,
            "pairs_of_single_runs": len(drops),
            "drops": drops,
            "pass_a_5_point_threshold": sum(drop <= 0.05 for drop in drops),
        },
        EXPECTED["rerun_until_green"],
    )


def test_evidence_of_flips() -> None:
    """The e-value of the items on which the systems differ, one half of what `anytime` uses: printed to ten digits."""
    found = {}
    for pair in EXPECTED["e_values_sign"]:
        a, b = map(int, pair.split(","))
        found[pair] = math.exp(_log_e_of_apart(a, b, 0.0))

    assert found == pytest.approx(EXPECTED["e_values_sign"], rel=1e-8)


# --- tau-bench, HELM, promptfoo ---------------------------------------------------------------------------------------


def test_tau() -> None:
    """Fifty tasks, four trials: pass^k and pass@k, and how many tasks succeed in some trials only."""
    wanted = EXPECTED["tau_airline_gpt4o"]
    path = REAL / "tau/gpt-4o-airline.json"
    logs = oc.logs(path)
    means = logs.matched().means()["gpt-4o-airline"]

    def ask(name: str) -> float:
        return oc.evaluate(path, measure=name).rows[0].system.observed

    assert is_same(
        {
            "tasks": len(means),
            "trials": logs.runs[0]["epochs"],
            "pass_hat": {k: ask(f"pass^{k}") for k in "1234"},
            "pass_at": {k: ask(f"pass@{k}") for k in "1234"},
            "tasks_that_flip": sum(0 < each < 1 for each in means),
        },
        wanted,
    )


def test_helm() -> None:
    """Each split has the expected sum and number of instances, and each run its model and its metrics."""
    found: dict[str, Any] = {}
    for name in EXPECTED["helm"]:
        logs = oc.logs(REAL / "helm" / name.replace(":", "-"))
        runs = {run.variant[1]: run for _, run in logs.found.all}
        scores = {split: [s for s in run.samples.scores["exact_match"] if s == s] for split, run in runs.items()}
        (metrics,) = {len(run.metrics) for run in runs.values()}
        (system,) = logs.systems
        found[name] = {
            "model": system,
            "instances": sum(len(run.samples) for run in runs.values()),
            "exact_match_by_split": {split: [sum(own), len(own)] for split, own in scores.items()},
            "metrics": metrics,
        }

    assert is_same(found, EXPECTED["helm"])


def test_promptfoo() -> None:
    """Eight rows of two prompts pass because nothing is asserted, which is told."""
    wanted = EXPECTED["promptfoo"]
    logs = oc.logs(REAL / "promptfoo/examples_simple-cli_output.json")
    runs = [run for _, run in logs.found.all]
    told = next(each.message for each in oc.compare(logs).findings if each.code == "OC508")

    assert "nothing is asserted" in told
    assert is_same(
        {
            "rows": sum(len(run.samples) for run in runs),
            "providers": sorted({run.free["provider"] for run in runs}),
            "prompts": list(logs.systems),
            "tests": list(range(runs[0].items)),
            "no_assertions": sum(int(many) for many in re.findall(r"(\d+) of \1 rows", told)) * len(runs),
            "success": int(sum(sum(run.samples.scores["success"]) for run in runs)),
        },
        without(wanted, "expected"),
    )
