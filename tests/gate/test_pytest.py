"""A gate as a test: `assert_not_worse`, and the plugin."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gate_suites import SHARED, gpqa, gsm8k, labels, write

import outclass as oc
from outclass.errors import InputError

TESTS = """
import pytest

@pytest.mark.gate(margin=0.1)
def test_good(gate):
    assert gate("both.csv", scores=True, item="id").only.decision.passes

@pytest.mark.gate(0.02, scores=True, item="id")
def test_open(gate):
    gate("both.csv")

def test_bad(gate):
    gate("both.csv", scores=True, item="id", margin=0.01)
"""


def test_assert_not_worse() -> None:
    """It passes, or raises an AssertionError with the report: of labels, of numbers, and of tables."""
    table = labels(2_000, (0.85, 0.7))
    rng = np.random.default_rng(1)
    numbers = rng.random(400)

    oc.assert_not_worse(table["old"], table["new"], y_true=table["gold"], positive="yes", margin=0.02)
    oc.assert_not_worse(list(numbers), list(numbers + 0.001 * rng.normal(size=400)), margin=0.01)
    with pytest.raises(AssertionError, match="regressed"):
        oc.assert_not_worse(table["new"], table["old"], y_true=table["gold"], positive="yes", margin=0.02)
    with pytest.raises(AssertionError, match="undecided"):
        oc.assert_not_worse([0.1, 0.9, 0.4, 0.5] * 8, [0.8, 0.2, 0.5, 0.4] * 8, margin=0.02)
    oc.assert_not_worse([0.1, 0.9, 0.4, 0.5] * 8, [0.8, 0.2, 0.5, 0.4] * 8, margin=0.02, undecided="pass")


@pytest.mark.parametrize("processes", [[], ["-n", "1"]])
def test_plugin(tmp_path: Path, processes: list[str]) -> None:
    """The fixture passes, fails with the report, and marks what is undecided; the end lists the decisions."""
    write(tmp_path / "both.csv", gsm8k())
    (tmp_path / "test_gates.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rx", *processes]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert "1 failed, 1 passed, 1 xfailed" in done.stdout, done.stdout
    assert "outclass gates" in done.stdout
    assert "test_gates.py::test_good: gate: slightly worse" in done.stdout
    assert "test_gates.py::test_open: gate: undecided" in done.stdout
    assert "<!-- outclass:gate:gate -->" in done.stdout
    assert "undecided" in done.stdout


def test_plugin_with_a_saved_baseline(tmp_path: Path) -> None:
    """With `--oc-baseline` a test names the candidate alone."""
    table = gsm8k()
    write(tmp_path / "cand.csv", table, "id", "175b_finetuning")
    oc.bless(table, tmp_path / "b.oc", why="x", scores=True, item="id", systems=["6b_verification"])
    (tmp_path / "test_gates.py").write_text(
        "def test_it(gate):\n    assert gate('cand.csv', scores=True, item='id', margin=0.1).passed\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "--oc-baseline", "b.oc"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert "1 passed" in done.stdout, done.stdout


def test_the_plugin_imports_nothing() -> None:
    """Loading the plugin does not load NumPy, nor anything of outclass but itself."""
    code = "import sys, outclass.pytest_plugin; print([n for n in sys.modules if n.startswith(('numpy', 'outclass.'))])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout.strip() == "['outclass.pytest_plugin']"


def test_calibration_of_a_suite() -> None:
    """A/A on GPQA: what threshold gates do to a model against itself is what the raw files say."""
    rows = gpqa()
    known = json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))["aa_threshold_gates_gpqa"][
        "gpt-5.4-mini"
    ]
    kept = [place for place, model in enumerate(rows["model_id"]) if "mini" in model]
    own = {column: [values[place] for place in kept] for column, values in rows.items()}

    found = oc.calibrate_gate(own, item="item_id", system_column="model_id", score="score", repeat="epoch")

    assert found.means == pytest.approx(known["accuracy_by_epoch"])
    assert [each.failed for each in found.thresholds[:2]] == [known["drop_over_1pt"], known["drop_over_2pt"]]
    assert found.thresholds[0].of == known["ordered_pairs"]
    assert found.any_item == known["any_item_regressed"] / known["ordered_pairs"]
    assert "honest margin" in str(found)


def test_calibration_that_shows_nothing() -> None:
    """Runs that agree on every item show no noise; runs that differ as wholes have a margin of those differences."""
    rng = np.random.default_rng(3)
    ones = {"a": [1.0] * 12, "b": [1.0] * 12}
    runs = {name: rng.random(400) + step for name, step in (("a", 0.0), ("b", 0.1), ("c", 0.2))}

    found = oc.calibrate_gate(runs, scores=True)

    with pytest.raises(InputError, match="agree on all 12 items"):
        oc.calibrate_gate(ones, scores=True)
    with pytest.raises(InputError, match="takes two runs"):
        oc.calibrate_gate()
    assert found.apart
    assert found.margin == pytest.approx(2.4864752 * found.spread)
    assert found.margin > 2.4864752 * found.error
