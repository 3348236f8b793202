"""LaTeX tables of every question compile as they are, whatever systems and labels are called."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc

HOSTILE = ("a_b%$#&{}~^\\", '[x] *\\\\ "q" <`\'|>@', "\\input{x}--é≥±Δ−–…")
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper,margin=1cm]{geometry}
\usepackage{booktabs}
\begin{document}
"""


def _labels(classes: tuple[str, ...]) -> dict[str, list[str]]:
    """Return labels of items and what systems of hostile names say, each wrong by itself."""
    rng = np.random.default_rng(20261118)
    gold = rng.integers(len(classes), size=90)
    said = {name: np.where(rng.random(90) < 0.3, rng.integers(len(classes), size=90), gold) for name in HOSTILE}
    return {name: [classes[at] for at in column] for name, column in {"truth": gold, **said}.items()}


def _numbers() -> Any:
    rng = np.random.default_rng(20261118)
    return oc.scores({name: rng.normal(at, 3, 40).tolist() for at, name in enumerate(HOSTILE)}, name="ms_%")


TWO, MANY = _labels(("no_&", "yes%")), _labels(HOSTILE)
ASKED: dict[str, Callable[[], Any]] = {
    "one comparison": lambda: oc.compare(TWO, truth="truth", systems=HOSTILE[:2], positive="yes%"),
    "rows": lambda: oc.compare(MANY, truth="truth", systems=HOSTILE[:2], by="label"),
    "pairs": lambda: oc.compare(TWO, truth="truth", positive="yes%", measure=["f1", "accuracy"], rope=(-0.02, np.inf)),
    "unpaired": lambda: oc.compare(TWO, truth="truth", systems=HOSTILE[:2], positive="yes%", model="unpaired"),
    "averages": lambda: oc.compare(MANY, truth="truth", systems=HOSTILE[:2], draws=500),
    "numbers": lambda: oc.compare(_numbers()),
    "counts": lambda: oc.compare(counts=["tp=10,fp=10,fn=1", "tp=3,fp=2,fn=0"], names=HOSTILE[:2]),
    "wins": lambda: oc.compare(wins=(17, 4), items=330),
    "evaluation": lambda: oc.evaluate(MANY, truth="truth", by="label"),
    "ranking": lambda: oc.rank(MANY, truth="truth", draws=500),
    "tests": lambda: oc.test(TWO, truth="truth", positive="yes%", every=True, draws=200),
    "tests of categories": lambda: oc.test(MANY, truth="truth", by="frequency", every=True, draws=200),
    "tests of numbers": lambda: oc.test(_numbers()),
    "plan": lambda: oc.plan(
        prevalence=0.3,
        recalls=(0.8, 0.6),
        false_positive_rates=(0.05, 0.1),
        n=[100, 300],
        sets=50,
        probability=0.5,
        model=["paired", "unpaired"],
        characteristics=True,
    ),
    "sensitivity": lambda: oc.sensitivity(TWO, truth="truth", systems=HOSTILE[:2], positive="yes%"),
}


def test_every_answer_compiles(tmp_path: Path) -> None:
    """One document with the tables of all questions is set by pdflatex without an error; no character is missing."""
    if shutil.which("pdflatex") is None and os.environ.get("CI") != "true":
        pytest.skip("there is no LaTeX on this machine")
    assert shutil.which("pdflatex"), "CI needs LaTeX: apt-get install texlive-latex-recommended"
    tables = {name: make().to_latex() for name, make in ASKED.items()}
    parts = [f"\\section*{{{name}}}\n{told}\\clearpage\n" for name, told in tables.items()]
    (tmp_path / "all.tex").write_text(f"{PREAMBLE}{''.join(parts)}\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "all.tex"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace").stdout

    assert [line for line in told.splitlines() if line.startswith(("!", "l."))] == []
    assert "Missing character" not in (tmp_path / "all.log").read_text(encoding="utf-8", errors="replace")
    assert (tmp_path / "all.pdf").stat().st_size > 20_000
    assert all(told.count(r"\begin{table}") == told.count(r"\bottomrule") > 0 for told in tables.values())
