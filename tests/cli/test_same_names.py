"""Python and the command line call the same thing the same; every difference is listed here with its reason."""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.answers.answer import Answer
from outclass.ask.used import HABITS, SPELT
from outclass.cli.main import app
from outclass.cli.option import Option
from outclass.cli.options import CHART, COMPARED, EVALUATED, PLANNED, RANKED, SLICED, TABLE, TESTED
from outclass.testing import registry

QUESTIONS: Final[dict[str, tuple[Iterable[Option], tuple[Callable[..., Any], ...]]]] = {
    "compare": (COMPARED, (oc.compare,)),
    "evaluate": (EVALUATED, (oc.evaluate,)),
    "rank": (RANKED, (oc.rank,)),
    "test": (TESTED, (oc.test,)),
    "plan": (PLANNED, (oc.plan, oc.label_next)),
    "slices": (SLICED, (oc.slices,)),
    "plot": (CHART, (Answer.plot, Answer.save_plot)),
}
# Flags that are not the argument's name.
FLAGS: Final = {
    "exclude_labels": ("--exclude-label", "one each time"),
    "source": ("--from", "from is a word of Python"),
    "systems": ("--system", "given once for each, so that it is in the singular"),
    "names": ("--name", "given once for each"),
    "runs": ("--run", "given once for each"),
    "log_runs": ("--runs", "runs are TREC runs in Python"),
    "tests": ("--test", "given once for each"),
    "every": ("--all", "all is a function of Python"),
    "rng": ("--seed", "Python also takes a generator, as NumPy and SciPy call it; a command line has seeds only"),
}
_PRIOR: Final = "a part of prior, which Python writes as a mapping"
_PLACE: Final = "the data, which Python has by position"
_RATES: Final = "one of a pair, which Python has in one tuple (recalls, false_positive_rates)"
# Options that no argument is called like.
TYPED_ONLY: Final = {
    "files": _PLACE,
    "engine": "Python passes the engine's own table",
    "master": "Python passes the engine's own table",
    "prior_recall": _PRIOR,
    "prior_fpr": _PRIOR,
    "prior_prevalence": _PRIOR,
    "sensitivity": "a function of its own in Python",
    "recall_a": _RATES,
    "recall_b": _RATES,
    "fpr_a": _RATES,
    "fpr_b": _RATES,
    "chart_title": "title in Python; a command line of scores has a title already, which is what the scores are",
}
_ARRAYS: Final = "arrays, which a command line cannot hold"
# Arguments that no option is called like.
PYTHON_ONLY: Final = {
    "data": _ARRAYS,
    "a": _ARRAYS,
    "b": _ARRAYS,
    "more": _ARRAYS,
    "predictions": _ARRAYS,
    "compute": "holds options that may also be given by themselves",
    "progress": "a function",
    "recalls": "a pair: --recall-a, --recall-b",
    "false_positive_rates": "a pair: --fpr-a, --fpr-b",
    "path": "--output, as everywhere",
    "title": "--chart-title in `outclass plot`",
}
# What one question has by one way only.
OF_ONE: Final = {
    ("rank", "method"): "a ranking is always drawn, and says so in Python",
    ("rank", "tolerance"): "a ranking is always drawn, and says so in Python",
    ("rank", "sampler"): "a ranking is always drawn, and says so in Python",
    ("rank", "form"): "a ranking is always drawn, and says so in Python",
    ("rank", "chains"): "a ranking is always drawn, and says so in Python",
}


def _arguments(function: Callable[..., Any]) -> Iterator[str]:
    """Return the names of a function's arguments, those in its TypedDict too."""
    hints = get_type_hints(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            kinds = get_args(hints[name])  # of Unpack
            yield from get_type_hints(kinds[0]) if kinds else ("size", "font_size", "title")  # which save_plot hands on
        elif name != "self":
            yield name


@pytest.mark.parametrize("question", QUESTIONS)
def test_options_are_arguments(question: str) -> None:
    """What is typed is called as in Python, and what Python takes can be typed; but for what is listed."""
    options, functions = QUESTIONS[question]
    typed = {option.name for option in options}
    known = {name for function in functions for name in _arguments(function)}
    left = {name for name in typed ^ known if (question, name) not in OF_ONE}

    assert left - set(TYPED_ONLY) - set(PYTHON_ONLY) == set()
    assert {name for name in left & set(TYPED_ONLY) if name in known} == set()
    assert {name for name in left & set(PYTHON_ONLY) if name in typed and name != "title"} == set()


def test_flags_are_the_names() -> None:
    """A flag is the argument with dashes, but for those listed, which errors spell the same way."""
    other = {
        option.name: option.flag
        for option in TABLE
        if not option.positional and option.flag != f"--{option.name.replace('_', '-')}"
    }

    assert other == {name: flag for name, (flag, _) in FLAGS.items()}
    assert {name: SPELT[name] for name in other} == other


def test_no_difference_is_listed_in_vain() -> None:
    """A difference that is no more is taken off the lists, and each has its reason."""
    typed = {option.name for options, _ in QUESTIONS.values() for option in options}
    known = {name for _, functions in QUESTIONS.values() for each in functions for name in _arguments(each)}
    own = {name: {option.name for option in options} for name, (options, _) in QUESTIONS.items()}

    assert set(TYPED_ONLY) <= typed
    assert set(PYTHON_ONLY) <= known
    assert [(question, name) for question, name in OF_ONE if name in own[question]] == []
    assert all([*TYPED_ONLY.values(), *PYTHON_ONLY.values(), *OF_ONE.values(), *(why for _, why in FLAGS.values())])


@pytest.mark.parametrize("name", registry.names())
def test_tests_have_one_name(name: str, tmp_path: Path) -> None:
    """`--test` and `tests` know the same names, and give the same p-values or the same error."""
    path = tmp_path / "p.csv"
    path.write_text("gold,a,b\n" + "x,x,y\ny,y,y\nz,z,z\nz,x,z\ny,z,x\n" * 20)
    shown = CliRunner().invoke(
        app, ["test", str(path), "--truth", "gold", "--test", name, "--draws", "200", "--format", "json"]
    )
    if shown.exit_code:
        with pytest.raises(type(shown.exception)):
            oc.test(path, truth="gold", tests=name, draws=200)
        return
    found = oc.test(path, truth="gold", tests=name, draws=200)
    written = json.loads(shown.stdout)["tests"]

    assert [(row["name"], row["p_value"]) for row in written] == [(row.name, row.p_value) for row in found.rows]


@pytest.mark.parametrize(("wrong", "right"), HABITS.items())
def test_other_names_get_a_hint(wrong: str, right: str) -> None:
    """What an option, scikit-learn or ArviZ call it is told as what Python calls it here."""
    data = {"gold": [1, 0] * 9, "a": [1, 0] * 9, "b": [1, 1, 0] * 6}
    with pytest.raises(TypeError, match=f"unknown argument '{wrong}'. Did you mean '{right}'?"):
        oc.compare(data, truth="gold", **{wrong: 3})  # type: ignore[misc]
