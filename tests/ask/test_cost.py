"""What an answer will cost is said before the work, with the question that is cheaper."""

import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import outclass as oc
from outclass.ask import cost
from outclass.ask.read import read
from outclass.data.limits import CostWarning
from outclass.data.multilabel import Classes
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted


def systems(many: int, items: int = 30) -> oc.Outcomes:
    """Return the outcomes of many systems."""
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 2, (items, many + 1)).tolist()
    return oc.Outcomes.of_rows(tuple(f"s{at}" for at in range(many)), rows, [1] * items)


@pytest.mark.parametrize(
    ("question", "asked"), [(oc.compare, "499,500 comparisons"), (oc.test, "Testing 499,500 pairs of systems")]
)
def test_hours_are_said_first(question: object, asked: str) -> None:
    """Every pair of a thousand systems has its estimate before any work, and what to do instead."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        with pytest.raises(
            CostWarning, match=rf"{asked} will take about \d+\.\d h and \d+\.0 GB\. `oc.rank\(…\)` ranks all 1,000"
        ) as told:
            question(systems(1_000), positive=1)  # type: ignore[operator]

    assert "(systems)" in str(told.value)


def test_minutes_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute or more is said in a warning, and then answered."""
    monkeypatch.setattr(cost, "TABLE", 100.0)

    with pytest.warns(CostWarning, match="1 comparison will take about 2 min"):
        answer = oc.compare(systems(2), positive=1)

    assert len(answer.rows) == 1


def test_memory_is_said() -> None:
    """Gigabytes are said even where the time is short."""
    large = cost.Cost(asked="It", seconds=1.0, megabytes=3_000.0, cheaper="Ask less.")

    with pytest.warns(CostWarning, match="about 1 s and 3.0 GB"):
        cost.announce(large)


def test_ordinary_questions_say_nothing() -> None:
    """Two systems and two classes are answered without a word; warnings are errors in these tests."""
    data = systems(3)

    for question in (oc.compare, oc.evaluate, oc.rank, oc.test):
        question(data, positive=1)  # type: ignore[operator]


def test_the_label_that_is_cheaper_is_named() -> None:
    """Of ten thousand labels one by one, the sentence names averages and a single label; of systems, fewer of them."""
    question = oc.ask.dispatch.table_question(oc.ask.question.Wishes(), "paired")

    assert "⟨measure=macro_f1⟩" in cost.cost_of_tables(systems(2), 10_000, question).words
    assert "⟨systems⟩" in cost.cost_of_tables(systems(50), 1_225, question).words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89.0, "89 s"), (120.0, "2 min"), (5_399, "90 min"), (7_200.0, "2.0 h")]
)
def test_durations_are_in_the_unit_they_are_read_in(seconds: float, words: str) -> None:
    """Seconds, minutes or hours."""
    assert cost.duration(seconds) == words


def test_the_command_says_it_first(tmp_path: Path) -> None:
    """On the command line the estimate is one line on standard error, before anything else."""
    rng = np.random.default_rng(4)
    path = tmp_path / "t.csv"
    lines = [",".join(["truth", *(f"s{at}" for at in range(600))])]
    lines += [",".join(map(str, row)) for row in rng.integers(0, 2, (20, 601)).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    with subprocess.Popen(
        [sys.executable, "-m", "outclass", "compare", str(path), "--truth", "truth", "--positive", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        os.killpg(process.pid, signal.SIGKILL)

    assert said.startswith("outclass: 179,700 comparisons will take about ")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"method": "draws", "draws": 100_000_000}, r"1 comparison will take about 4 min and 35\.0 GB\. Fewer draws"),
        ({"method": "mcmc", "draws": 2_000_000}, r"1 comparison will take about 3 min\. Fewer draws"),
        ({"method": "mcmc", "draws": 100_000_000}, r"1 comparison will take about 2\.8 h and 60\.0 GB\. Fewer draws"),
    ],
)
def test_many_draws_are_said_first(how: dict[str, object], told: str) -> None:
    """The time and memory of draws and of chains are by their number, and said before any is drawn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        with pytest.raises(CostWarning, match=told):
            oc.compare(systems(2), positive=1, **how)  # type: ignore[arg-type]
        with pytest.raises(CostWarning, match="Fewer draws"):
            oc.compare(counts=[{"tp": 9, "fp": 2, "fn": 3}] * 2, **how)  # type: ignore[arg-type]


def test_many_draws_of_one_system_are_said_first() -> None:
    """An evaluation says its draws, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        with pytest.raises(CostWarning, match=r"2 rows will take about 3 min and \d+\.\d GB\. Fewer draws"):
            oc.evaluate(systems(2), positive=1, method="draws", draws=100_000_000)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"n": "200,400"}, r"Simulating 2,000,000 test sets will take about 2 min\. .* \(sets\)"),
        ({"n": 200, "goal": "width:0.1"}, r"Simulating 1,000,000 test sets will take about 7 min\."),
        ({"probability": 0.8}, r"Simulating 14,000,000 test sets will take about 12 min\."),
    ],
)
def test_a_long_plan_is_said_first(how: dict[str, object], told: str) -> None:
    """A plan says its time before it simulates."""
    scenario = {"prevalence": 0.3, "recalls": (0.75, 0.7), "false_positive_rates": (0.05, 0.05)}
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        with pytest.raises(CostWarning, match=told):
            oc.plan(**scenario, sets=1_000_000, **how)  # type: ignore[arg-type]


def test_very_many_columns_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a table takes longer than its size tells if it has very many columns; that is said before it is read."""
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["gold", *(f"s{at}" for at in range(99))]) + "\n" + ",".join("1" * 100))
    monkeypatch.setattr("outclass.data.limits.SECONDS_PER_COLUMN", 0.5)

    with pytest.warns(CostWarning, match=r"'wide.csv' contains 100 columns; reading it will take about 2 minutes"):
        read(path, truth="gold")


def test_blocks_side_by_side_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cores there are, blocks of many labels are drawn side by side in about a gigabyte."""
    monkeypatch.setattr("outclass.models.weights.cores", lambda: 64)
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2_000, 4_000)
    outcomes = read(truth, {"a": rng.permutation(truth), "b": truth})
    many = Weighted(units_of(Classes(outcomes), outcomes.systems), outcomes.systems, 20_000, 0)
    few = Weighted(units_of(Classes(two := read(truth % 2, {"a": truth % 3 % 2})), two.systems), two.systems, 200, 0)

    assert (many._at_once(750), few._at_once(200)) == (4, None)
