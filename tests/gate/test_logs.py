"""Evaluation logs through the gate: both in one folder, a baseline of logs, tasks, and samples that failed."""

import json
from pathlib import Path

import pytest
from gate_suites import SHARED

import outclass as oc
from outclass.errors import InputError

PAIR = SHARED / "lm_eval" / "pyfade_mmlu_pro_plus"
ARC = SHARED / "inspect" / "eee"


def test_two_systems_in_one_folder() -> None:
    """The difference and the flips are those of the raw files; a check may be of one task."""
    known = json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))["lmeval_mmlu_pro_plus_pair"]
    checks = [{"task": task, "margin": 0.2} for task in known["by_task"]]

    found = oc.gate(PAIR, margin=0.2).only
    by_task = oc.gate(PAIR, config={"gate": {"check": checks}})

    assert found.difference == pytest.approx(-known["difference"])
    assert (found.flips.worse, found.flips.better) == (known["only_a"], known["only_b"])
    assert [(row.name, row.items) for row in by_task.checks] == [(task, 3) for task in known["by_task"]]


def test_a_baseline_of_logs(tmp_path: Path) -> None:
    """Logs are blessed with all their metrics; missing items are not comparable unless they are to be dropped."""
    path = tmp_path / "b.oc"
    saved = oc.bless(ARC / "data_arc_sonnet.json", path, why="release")

    with pytest.raises(oc.NotComparable, match="2 items only in the baseline"):
        oc.gate(path, ARC / "data_arc_qwen.json", margin=0.2)
    found = oc.gate(path, ARC / "data_arc_qwen.json", margin=0.2, missing="drop").only

    assert [part.metric for part in saved.parts] == ["choice"]
    assert (found.items, found.decision.value) == (3, "undecided")
    assert found.difference == pytest.approx(-0.6666666667)


def test_too_many_failures() -> None:
    """More failed samples than allowed are not judged."""
    logs = oc.logs(PAIR)
    run = logs.found.all[0][1]
    run.samples.error[0] = "the server did not answer"

    with pytest.raises(InputError, match=r"of the samples failed, more than 1\.0%"):
        oc.gate(logs, margin=0.2)
    assert oc.gate(logs, margin=0.2, max_errors=0.5, missing="drop").only.items == 8


def test_tasks_are_slices() -> None:
    """With `by="task"` every task is a check, and a floor of every task one of its own."""
    config = {"gate": {"by": "task", "check": [{"margin": 0.2}], "floor": [{"at_least": 0.1}]}}

    found = oc.gate(PAIR, margin=0.2, by="task")
    floors = oc.gate(PAIR, config=config)

    tasks = [f"exact_match [task: {name}]" for name in sorted({run.task for _, run in oc.logs(PAIR).found.all})]
    assert [row.name for row in found.checks] == ["exact_match", *tasks]
    assert [row.items for row in found.checks] == [9, 3, 3, 3]
    assert len(floors.checks) == 8


def test_failures_against_a_saved_baseline() -> None:
    """Failed samples of the candidate count as well where the baseline was saved."""
    logs = oc.logs(ARC / "data_arc_sonnet.json")
    saved = oc.bless(logs, why="release")
    logs.found.all[0][1].samples.error[0] = "the server did not answer"

    with pytest.raises(InputError, match=r"20\.0% of the samples failed"):
        oc.gate(saved, logs, margin=0.2, missing="drop")
