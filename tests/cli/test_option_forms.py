"""Options that change the form of an answer; arguments that are not used in Python; and the words of errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from option_modes import FORM, FORMS, OPTIONS, PAIR, VALUES, Mode, run, typed_as, write_data

import outclass as oc
from outclass.cli.option import Option
from outclass.cli.wording import in_options
from outclass.errors import InputError

WINS: Final = ("--wins", "17,4", "--items", "60")
ANSWERS: Final = {
    "compare": WINS,
    "evaluate": ("--counts", "tp=30,fp=4,fn=8"),
    "rank": ("scores.csv", *PAIR, "--data-set", "corpus", "--draws", "200"),
    "test": WINS,
    "plan": ("--pilot", "right.csv", *PAIR, "--scores", "--n", "40", "--sets", "10", "--jobs", "1"),
    "slices": ("labels.csv", "--truth", "gold", *PAIR, "--positive", "spam"),
    "report": (*WINS, "-o", "page.html"),
    "plot": (*WINS, "-o", "picture.json"),
}
WRITTEN: Final = [
    (command, option)
    for command, options in OPTIONS.items()
    for option in options
    if command in ANSWERS and (option.name in FORM or option.name == "sensitivity")
]


@pytest.mark.parametrize(("command", "option"), WRITTEN, ids=lambda each: getattr(each, "name", each))
def test_every_form_of_an_answer(command: str, option: Option, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of output change what is printed or written, and an absurd value is an error that names it."""
    pytest.importorskip("altair")
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path)
    mode = Mode(command, "", "", ANSWERS[command])
    sensible, absurd = VALUES[option.name]
    plain = mode
    if option.name == "output" and command in FORMS:
        suffix = Path(FORMS[command][1]).suffix
        sensible, absurd = (f"other{suffix}",), (f"nosuch/other{suffix}",)
        plain = Mode(command, "", "", WINS)  # an option is given once
    if option.name == "dpi":
        mode = plain = Mode(command, "", "", (*WINS, "-o", "picture.png"))  # the others have no dots
    usual = run(mode)
    found = [run(plain, typed_as(option, value)) for value in sensible]
    wrong = [run(plain, typed_as(option, value)) for value in absurd]

    assert usual.status == 0, usual.told
    assert any(each.status == 0 and each.wrote != usual.wrote for each in found), found
    assert [each.status for each in wrong] == [2] * len(absurd)
    for each, value in zip(wrong, absurd, strict=True):
        assert ("nosuch" if "nosuch" in value else f"got {value}") in each.told


# --- in Python --------------------------------------------------------------------------------------------------------

OF_COUNTS: Final[dict[str, Any]] = {"counts": [{"tp": 30, "fp": 4, "fn": 8}, {"tp": 22, "fp": 7, "fn": 16}]}
LISTED: Final = (["x", "y"] * 20, ["x", "x", "y", "y"] * 10, ["x", "y", "y", "y"] * 10)
UNUSED: Final[dict[str, tuple[Callable[[], Any], str]]] = {
    "tolerance of a closed form": (lambda: oc.compare(**OF_COUNTS, tolerance=1e-3), "tolerance"),
    "tolerance of draws": (lambda: oc.compare(*LISTED, method="draws", tolerance=1e-3), "tolerance"),
    "tolerance of one system": (lambda: oc.evaluate(**OF_COUNTS, tolerance=1e-3), "tolerance"),
    "method of a ranking": (lambda: oc.rank(*LISTED, method="draws"), "method"),
    "method of a bootstrap": (lambda: oc.compare(*LISTED, model="bootstrap", method="draws"), "method"),
    "measure of results": (
        lambda: oc.test(
            {"a": [1.0, 2, 4, 3], "b": [2.0, 1, 3, 5], "g": [1, 1, 2, 2]}, scores=True, group="g", measure="x"
        ),
        "measure",
    ),
    "title of right and wrong": (
        lambda: oc.test({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, scores=True, title="passed"),
        "title",
    ),
    "items of data": (lambda: oc.compare(*LISTED, items=40), "items"),
    "a missing value in a scenario": (
        lambda: oc.plan(prevalence=0.3, recalls=(0.8, 0.6), false_positive_rates=(0.1, 0.1), n=50, missing="error"),
        "missing",
    ),
    "no cores": (
        lambda: oc.plan(prevalence=0.3, recalls=(0.8, 0.6), false_positive_rates=(0.1, 0.1), n=50, jobs=0),
        "jobs",
    ),
    "the positive label of a pool for accuracy": (
        lambda: oc.label_next({"a": LISTED[1], "b": LISTED[2]}, positive="x"),
        "positive",
    ),
    "columns of arrays": (lambda: oc.read(*LISTED, group="g"), "group"),
}


@pytest.mark.parametrize("name", UNUSED)
def test_unused_arguments_are_errors(name: str) -> None:
    """In Python an argument that is not used is an error that names the argument."""
    ask, argument = UNUSED[name]

    with pytest.raises(InputError, match=rf"\b{argument}\b"):
        ask()


def test_new_labels_of_numbers(tmp_path: Path) -> None:
    """Numbers have no labels that could be new."""
    with pytest.raises(InputError, match=r"new_labels is not used with scores"):
        oc.update(tmp_path / "s.json", {"a": [1.0, 2], "b": [2.0, 1]}, scores=True, new_labels=True)


@pytest.mark.parametrize(
    ("told", "given", "said"),
    [
        ("⟨hdi_mass⟩ must lie in (0, 1), got 7.", {"hdi_mass": 7.0}, "--hdi-mass must lie in (0, 1), got 7."),
        ("the recall must be a share, got 7.0.", {"recall_a": 7.0}, "--recall-a: the recall must be a share, got 7.0."),
        ("unknown measure 'x'.", {"measure": ["x"]}, "--measure: unknown measure 'x'."),
        ("⟨average⟩ is not used.", {"average": "items"}, "--average is not used."),
        ("⟨prior⟩ is not used.", {"prior_fpr": "0..1"}, "--prior-fpr is not used."),
        ("the number of items (⟨items⟩) is odd.", {"items": 3}, "the number of items (--items) is odd."),
        ("say ⟨truth=my col⟩ or ⟨scores=True⟩.", {}, "say --truth 'my col' or --scores."),
        ("say ⟨recalls⟩.", {}, "say --recall-a, --recall-b."),
        ("systems can only be ranked", {"systems": ["a"]}, "systems can only be ranked"),
        ("no column 'x'.", {"truth": "x", "group": "x"}, "no column 'x'."),
    ],
)
def test_errors_speak_of_options(told: str, given: dict[str, Any], said: str) -> None:
    """On the command line an error names options as they were typed, where it is plain which one is meant."""
    assert in_options(told, given) == said
