"""The paragraph for a paper: what was done, how, and the numbers of this answer."""

import re
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import outclass as oc
from outclass.report import formats, words

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from cells import CELLS

RNG = np.random.default_rng(3)
TRUTH = RNG.choice(["ham", "spam"], 500, p=[0.7, 0.3])
OTHER = np.where(TRUTH == "ham", "spam", "ham")
NEW, OLD = (np.where(RNG.random(500) < right, TRUTH, OTHER) for right in (0.95, 0.85))
ASKED: Final = (
    "binary compare paired all",
    "binary compare one side",
    "classes compare by label",
    "results data sets hierarchical",
    "wins compare",
    "binary evaluate single",
    "binary rank",
    "binary test every",
    "classes test",
    "scenario plan",
    "scores compare kin",
)


def test_results_of_one_comparison() -> None:
    """Both scores, the difference, P, p and the decision are in the paragraph, as in the JSON."""
    answer = oc.compare(TRUTH, NEW, OLD, names=["new", "old"], positive="spam", rope=0.02)
    told = answer.methods()
    row = answer.only
    new, old, difference = *row.systems, row.difference

    assert told.startswith("We compared new and old in F1 (positive label spam) on 500 items")
    assert f"new scored {new.mean:.3f} (95% HDI {new.hdi.low:.3f} to {new.hdi.high:.3f})" in told
    assert f"and old {old.mean:.3f} (95% HDI {old.hdi.low:.3f} to {old.hdi.high:.3f})." in told
    assert f"The difference new − old was {difference.mean:+.3f} (95% HDI {difference.hdi.low:+.3f} to" in told
    assert "P(Δ > 0) > 99.9%; exact permutation test, p < .001)" in told
    assert "wholly beyond the ROPE of ±2 points: a difference that matters." in told


def test_references_are_those_that_are_cited() -> None:
    """Every key in the paragraph has its reference below, and none is there that is not cited."""
    told, _, references = oc.compare(TRUTH, NEW, OLD, positive="spam").methods().partition("\n\n")

    cited = re.findall(r"\[([a-z]+\d{4})\]", told)
    assert cited == ["zhang2016", "kruschke2013"]
    assert re.findall(r"^\[(\w+)\] \w\.", references, flags=re.MULTILINE) == cited


def test_many_results_are_summed_up() -> None:
    """Of more than a few rows the paragraph says what they come to, and the largest difference."""
    labels = RNG.integers(0, 8, 900)
    said = [np.where(RNG.random(900) < right, labels, RNG.integers(0, 8, 900)) for right in (0.8, 0.6)]
    answer = oc.compare(labels, *said, by="label")
    told = answer.methods()
    largest = max(answer.rows, key=lambda row: abs(row.difference.mean))

    assert words.summary(answer.rows) in told
    assert f"The difference was largest in F1 for {largest.label}: A scored" in told
    assert f"The difference A − B was {largest.difference.mean:+.3f}" in told
    assert told.count("scored") == 1


@pytest.mark.parametrize("cell", ASKED)
def test_every_answer_has_its_paragraph(cell: str) -> None:
    """One paragraph in whole sentences, with numbers, version and seed; the format of that name writes it."""
    answer: Any = CELLS[cell]()
    told = answer.methods()
    paragraph = told.partition("\n")[0]

    assert paragraph.startswith("We ")
    assert paragraph.endswith(".")
    assert f"outclass {oc.__version__}" in paragraph
    assert re.search(r"seed \d", paragraph)
    assert not re.search(r"\. (in|the|about|none) |\bnan\b|OC\d{3}|  ", paragraph)
    assert formats.written(answer, "methods") == told


def test_hostile_names_stay_on_their_line() -> None:
    """A name cannot begin a paragraph of its own, nor move a terminal."""
    answer = oc.compare(TRUTH, {"a\nb\x1b[31m": NEW, "old": OLD}, positive="spam")

    assert "a\\nb\\x1b[31m scored" in answer.methods()
