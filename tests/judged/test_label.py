"""`label`: what to label next, the loop of label and compare, and the command."""

import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labelled_table import ROWS, table

import outclass as oc
from judged import World, population, true_difference
from outclass.errors import InputError

OUTCLASS = Path(sys.executable).with_name("outclass")
ASKED: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "judge"}


def _pool(world: World, seed: int) -> tuple[Any, dict[str, list[Any]]]:
    rows = population(world, world.items, np.random.default_rng([3, seed]))
    names = ("a", "b", "judge")
    return rows, {
        "gold": [None] * len(rows),
        **{name: rows[:, at].tolist() for at, name in enumerate(names, start=1)},
        "key": list(range(len(rows))),
    }


def _round(found: Any, rows: Any) -> dict[str, list[Any]]:
    """Fill in the labels that were asked for."""
    columns = {name: list(column) for name, column in found.columns.items()}
    for at in range(found.chosen):
        assert columns["to_label"][at] == 1
        assert columns["gold"][at] is None
        columns["gold"][at] = int(rows[columns["key"][at], 0])
    return columns


def test_five_rounds_are_valid_and_narrow() -> None:
    """40 pools, five rounds of 40 labels: intervals cover (error .035), at most 60% as wide as of 200 random labels."""
    world = World("", items=4_000)
    true, _ = true_difference(world)
    covered, own, random = [], [], []
    for seed in range(40):
        rows, pool = _pool(world, seed)
        for turn in range(5):
            pool = _round(oc.label(pool, budget=40, rng=10 * seed + turn, **ASKED), rows)
        hdi = oc.compare(pool, draws=2_000, **ASKED).difference.hdi
        covered.append(hdi.low <= true <= hdi.high)
        own.append(hdi.width)
        if seed < 10:
            _, other = _pool(world, seed)
            for at in np.random.default_rng(seed).choice(world.items, 200, replace=False):
                other["gold"][at] = int(rows[at, 0])
            random.append(oc.compare(other, draws=2_000, **ASKED).difference.hdi.width)

    assert np.mean(covered) >= 0.95 - 4 * 0.035
    assert np.mean(own) <= 0.6 * np.mean(random)


def test_it_works_without_any_label() -> None:
    """The first batch goes to disagreements; nothing is marked twice; the order within the file is random."""
    _, pool = _pool(World("", items=4_000), 0)
    del pool["gold"]

    found = oc.label(pool, budget=100, **ASKED)
    marked = [at for at, mark in enumerate(found.columns["to_label"]) if mark]
    apart = sum(found.columns["a"][at] != found.columns["b"][at] for at in marked)

    assert marked == list(range(100))
    assert sorted(found.columns["key"]) == list(range(4_000))
    assert apart > 60
    assert found.expected < found.random
    assert found.further < found.expected


def test_within_strata_it_is_random() -> None:
    """Items of a stratum are chosen alike often, wherever they stand in the table: 200 choices, five errors."""
    _, pool = _pool(World("", items=300), 1)
    key = [(a, b, j) for a, b, j in zip(pool["a"], pool["b"], pool["judge"], strict=True)]
    seen = np.zeros(300)
    for seed in range(200):
        found = oc.label(pool, budget=60, rng=seed, **ASKED)
        seen[list(found.columns["key"][:60])] += 1

    for stratum in set(key):
        own = seen[[at for at, each in enumerate(key) if each == stratum]]
        share = own.mean() / 200
        assert np.abs(own - own.mean()).max() <= 5 * np.sqrt(200 * share * (1 - share)) + 1


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "too much": ({"budget": 1_000}, "larger than the pool: only [0-9]+ items are unlabelled"),
    "nothing": ({"budget": 0}, "must be a whole number"),
    "half": ({"budget": 2.5}, "must be a whole number"),
    "two measures": ({"budget": 5, "measure": ["f1", "accuracy"]}, "one measure"),
    "no judge": ({"budget": 5, "judge": "lm"}, "no column 'lm'"),
    "average of one label": ({"budget": 5, "measure": "macro_f1", "positive": "yes"}, "leave out positive"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name: str) -> None:
    asked, told = BAD[name]

    with pytest.raises(InputError, match=told) as error:
        oc.label(table(), truth="gold", systems=["a", "b"], **asked)

    assert "\n" not in str(error.value)


def test_systems_that_never_differ_have_nothing_to_label() -> None:
    """Of both together; of one by itself there is something to learn."""
    columns = table()
    same = columns | {"b": columns["a"]}

    with pytest.raises(InputError, match="predict the same for every item"):
        oc.label(same, truth="gold", systems=["a", "b"], budget=5)
    assert oc.label(same, truth="gold", systems=["a"], budget=5).chosen == 5


def test_no_label_and_no_name_is_an_error() -> None:
    with pytest.raises(InputError, match="name the systems"):
        oc.label(table() | {"gold": [""] * ROWS}, truth="gold", budget=10)


def test_many_classes_and_one_system() -> None:
    """With many classes strata are taken by type; a system by itself has labels chosen, too."""
    _, pool = _pool(World("", classes=20, items=3_000, recalls=(0.8, 0.7), judge=(0.9, 0.0)), 2)

    both = oc.label(pool, budget=50, measure="accuracy", **ASKED)
    alone = oc.label(pool, budget=50, truth="gold", systems=["a"], judge="judge", measure="accuracy")

    assert both.chosen == alone.chosen == 50
    assert "differ" not in alone.words


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(OUTCLASS), *arguments], capture_output=True, text=True, check=False)


def test_the_commands_go_round(tmp_path: Path) -> None:
    """Label, fill in, compare, label again: with files, in the words of the command line."""
    rows, pool = _pool(World("", items=2_000), 4)
    pool["gold"] = [""] * 2_000
    with (tmp_path / "pool.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(pool)
        writer.writerows(zip(*pool.values(), strict=True))
    names = ("--truth", "gold", "--judge", "judge")
    systems = ("--system", "a", "--system", "b")
    first = tmp_path / "to_label.csv"

    asked = _run("label", str(tmp_path / "pool.csv"), *names, *systems, "--budget", "120", "-o", str(first))
    with first.open(newline="") as stream:
        columns = list(csv.DictReader(stream))
    for row in columns:
        if row["to_label"]:
            row["gold"] = str(rows[int(row["key"]), 0])
    with first.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, columns[0])
        writer.writeheader()
        writer.writerows(columns)
    compared = _run("compare", str(first), *names)
    again = _run("label", str(first), *names, *systems, "--budget", "50", "-o", str(tmp_path / "second.csv"))

    assert asked.returncode == compared.returncode == again.returncode == 0, (asked.stderr, compared.stderr)
    assert "120 of 2,000 unlabelled items are marked" in asked.stdout
    assert "120 of 2,000 items labelled" in compared.stdout
    assert "50 of 1,880 unlabelled" in again.stdout


REFUSED: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "no output": (lambda p: ["--budget", "5"], "--output"),
    "no budget": (lambda p: ["-o", str(p / "x.csv")], "--budget"),
    "not csv": (lambda p: ["--budget", "5", "-o", str(p / "x.xlsx")], "CSV"),
    "itself": (lambda p: ["--budget", "5", "-o", str(p / "t.csv")], "it is what is read"),
    "too much": (lambda p: ["--budget", "5000", "-o", str(p / "x.csv")], "larger than the pool"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str, tmp_path: Path) -> None:
    """Wrong options are one sentence and exit status 2, and nothing is written."""
    make, told = REFUSED[name]
    columns = table()
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))

    found = _run("label", str(tmp_path / "t.csv"), "--truth", "gold", "--judge", "llm", *make(tmp_path))

    assert found.returncode == 2
    assert told in found.stderr
    assert not (tmp_path / "x.csv").exists()
