"""A sentence is written once: Python shows its arguments, the command line its options; neither shows the other's."""

import ast
import pickle
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.ask.columns import Columns
from outclass.cli.main import app
from outclass.cli.options import FLAGS
from outclass.cli.wording import RATES, in_options
from outclass.dialects import MARKED, in_arguments, speaking
from outclass.errors import InputError, OutclassError, quoted, shown
from outclass.findings import Finding, finding

SOURCE = Path(oc.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z]")
# Rooms whose errors only the command line can meet, and one that has to name both: an engine is an option there, and
# another kind of data in Python.
OF_THE_COMMAND = ("cli", "studies", "data/engines", "data/tables.py")


def _strings(call: ast.Call) -> str:
    return "".join(
        part.value for each in ast.walk(call) if isinstance(part := each, ast.Constant) and isinstance(part.value, str)
    )


def _errors() -> list[tuple[str, str]]:
    """Return the sentence of every error that the source raises or builds, with its place."""
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        place = file.relative_to(SOURCE).as_posix()
        if place.startswith(OF_THE_COMMAND):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and (called.endswith("Error") or called == "unused"):
                found.append((f"{place}:{node.lineno}", _strings(node)))
    return found


def test_no_error_is_written_with_options() -> None:
    """In the library's source, errors name arguments; and every marked name is one that the command line knows."""
    errors = _errors()
    marked = {name for _, told in errors for name, _ in MARKED.findall(told)}

    assert len(errors) > 300
    assert len(marked) > 30
    assert [(place, told) for place, told in errors if OPTION.search(told)] == []
    assert marked <= FLAGS.keys() | RATES.keys()


TABLE = "gold,a,b,c,s,doc,id\n" + "".join(
    f"{'xy'[at % 2]},{'xy'[at % 3 == 0]},{'xy'[at % 2]},{'xyz'[at % 3]},{at / 30:.3f},{at // 3},i{at}\n"
    for at in range(30)
)
TWO = {"truth": "gold", "systems": ["a", "b"]}
SCORED = {"systems": ["s"], "scores": True}
WORLD = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}
# Wrong calls: the question, what is given, and what the sentence says in Python and on the command line.
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("compare", {}, "truth='COL'", "--truth COL"),
    ("compare", {**TWO, "hdi_mass": 95.0}, "hdi_mass must", "--hdi-mass must"),
    ("compare", {**TWO, "hdi_mass": 0.0}, "hdi_mass must", "--hdi-mass must"),
    ("compare", {**TWO, "rope": "x"}, "rope", "--rope"),
    ("compare", {**TWO, "positive": "q"}, "positive='LABEL'", "--positive LABEL"),
    ("compare", {**TWO, "positive": "x", "by": "label"}, "leave out positive", "leave out --positive"),
    ("compare", {**TWO, "by": "size"}, "no column 'size' (by)", "no column 'size' (--by)"),
    ("compare", {**TWO, "undefined": "0"}, "undefined is not used", "--undefined is not used"),
    ("compare", {**TWO, "average": "items"}, "(group)", "(--group)"),
    ("compare", {**TWO, "average": "items"}, "average is not used", "--average is not used"),
    ("compare", {**TWO, "draws": 500}, "method='draws'", "--method draws"),
    ("compare", {**TWO, "method": "draws", "draws": 5}, "draws must lie", "--draws must lie"),
    ("compare", {**TWO, "tolerance": 3.0}, "tolerance must lie", "--tolerance must lie"),
    ("compare", {**TWO, "sampler": "nuts"}, "method='mcmc'", "--method mcmc"),
    ("compare", {**TWO, "chains": 3}, "chains applies to MCMC", "--chains applies to MCMC"),
    ("compare", {**TWO, "missing": "no"}, "missing must be one of", "--missing must be one of"),
    ("compare", {**TWO, "rng": -1}, "rng must be", "--seed must be"),
    ("compare", {**TWO, "items": 3}, "items is not used", "--items is not used"),
    ("compare", {**TWO, "names": ["n"]}, "names is not used", "--name is not used"),
    ("compare", {**TWO, "fold": "doc"}, "fold is not used", "--fold is not used"),
    ("compare", {**TWO, "title": "t"}, "title is not used", "--title is not used"),
    ("compare", {**TWO, "item": "id", "label": "gold", "separator": ";"}, "(separator)", "(--separator)"),
    ("compare", {**TWO, "item": "id"}, "label='COL'", "--label COL"),
    ("compare", {**TWO, "group": "doc", "separator": ";"}, "group is for", "--group is for"),
    ("compare", {**TWO, "test_share": 0.1}, "test_share", "--test-share"),
    ("compare", {"truth": "gold", "measure": "recall"}, "positive='LABEL'", "--positive LABEL"),
    ("compare", {"truth": "gold", "systems": ["a"]}, "only one system", "only one system"),
    ("compare", {"truth": "gold", "systems": ["a", "s"]}, "(scores=True)", "(--scores)"),
    ("compare", {**SCORED, "item": "id", "id": "id"}, "item and id both", "--item and --id both"),
    ("compare", {**SCORED, "positive": "x"}, "positive applies to labels", "--positive applies to labels"),
    ("compare", {**SCORED, "missing": "wrong", "lower_is_better": True}, "missing='drop'", "--missing drop"),
    ("compare", {**TWO, "system_column": "a"}, "(score)", "(--score)"),
    ("evaluate", {**TWO, "model": "paired"}, "model", "--model"),
    ("evaluate", {"truth": "c", "systems": ["a"], "measure": "f1"}, "by='label'", "--by label"),
    ("rank", {**TWO, "measure": ["f1", "mcc"]}, "(measure)", "(--measure)"),
    ("rank", {**TWO, "positive": "x", "draws": 1}, "draws must lie", "--draws must lie"),
    ("test", {**TWO, "tests": ["sign_exact"], "every": True}, "every=True", "--all"),
    ("test", {**TWO, "by": "size"}, "by can only", "--by can only"),
    ("test", {**TWO, "positive": "x", "tests": ["delong"]}, "scores=True", "--scores"),
    ("test", {**TWO, "positive": "x", "draws": 1, "tests": ["bootstrap"]}, "draws must lie", "--draws must lie"),
]
PLANS: list[tuple[dict[str, Any], str, str]] = [
    ({"n": "100"}, "(prevalence)", "(--prevalence)"),
    ({"prevalence": 0.3, "n": "100"}, "recalls, false_positive_rates", "--recall-a, --recall-b, --fpr-a, --fpr-b"),
    ({**WORLD}, "n=(400, 800)", "--n 400,800"),
    ({**WORLD, "n": "100", "sets": 3}, "sets must be", "--sets must be"),
    ({**WORLD, "n": "100", "jobs": 0}, "jobs must be", "--jobs must be"),
    ({**WORLD, "n": "100", "truth": "t"}, "pilot='FILE'", "--pilot FILE"),
]


def _typed(given: dict[str, Any]) -> list[str]:
    """Return arguments as a user would type them."""
    words: list[str] = []
    for name, value in given.items():
        if name in ("recalls", "false_positive_rates"):
            rate = "recall" if name == "recalls" else "fpr"
            words += [f"--{rate}-a", str(value[0]), f"--{rate}-b", str(value[1])]
        elif value is True:
            words.append(FLAGS[name])
        else:
            for each in value if isinstance(value, list) else [value]:
                words.append(f"{FLAGS[name]}={each}")
    return words


def _said(question: str, positional: list[str], given: dict[str, Any]) -> tuple[str, str]:
    """Return what Python says of a wrong call, and what the command line does."""
    with pytest.raises(OutclassError) as caught:
        getattr(oc, question)(*positional, **given)
    result = CliRunner().invoke(app, [question, *positional, *_typed(given)])
    assert isinstance(result.exception, OutclassError), result.output
    return str(caught.value), str(result.exception)


@pytest.mark.parametrize(("question", "given", "python", "command"), WRONG)
def test_wrong_calls(question: str, given: dict[str, Any], python: str, command: str, tmp_path: Path) -> None:
    """The same mistake made in Python and on the command line is told in the words of each."""
    (tmp_path / "t.csv").write_text(TABLE)
    in_python, typed = _said(question, [str(tmp_path / "t.csv")], given)

    assert python in in_python
    assert command in typed
    _check_dialects(in_python, typed)


@pytest.mark.parametrize(("given", "python", "command"), PLANS)
def test_wrong_plans(given: dict[str, Any], python: str, command: str) -> None:
    """The same of plans, whose rates are pairs in Python and single options on the command line."""
    in_python, typed = _said("plan", [], given)

    assert python in in_python
    assert command in typed
    _check_dialects(in_python, typed)


def _check_dialects(in_python: str, typed: str) -> None:
    assert not OPTION.search(in_python)
    assert "⟨" not in in_python + typed
    # An argument whose option is spelt otherwise is not shown on the command line.
    assert not re.search(
        r"\b(hdi_mass|test_share|system_column|lower_is_better|data_set|false_positive_rates)\b", typed
    )


def test_every_argument_has_an_option() -> None:
    """Whatever names a column is an option, so that no error can show an argument on the command line."""
    told = " ".join(f"⟨{name}⟩" for name in Columns.__annotations__)

    assert all(word.startswith("--") for word in in_options(told, {}).split())


def test_values_are_written_as_each_has_them() -> None:
    """Text is quoted in Python and for a shell, lists and flags are what they are."""
    told = "say ⟨truth=my col⟩, ⟨systems=a⟩, ⟨scores=True⟩, ⟨items=N⟩ or ⟨wins=A,B⟩"

    assert in_arguments(told) == "say truth='my col', systems=['a', ...], scores=True, items=N or wins=(A, B)"
    assert in_options(told, {}) == "say --truth 'my col', --system a, --scores, --items N or --wins A,B"


@pytest.mark.parametrize("name", ["⟨rope⟩", "a⟨truth=x⟩b", "⟨", "⟩⟨"])
def test_names_of_users_are_not_marks(name: str) -> None:
    """What a file says is shown as it is, escaped, and never taken for an argument."""
    error = InputError(f"no column {quoted([name])}, got {shown(name)}; say ⟨truth=COL⟩.")

    assert "rope" not in str(error) or "\\u27e8rope\\u27e9" in str(error)
    assert str(error).endswith("say truth='COL'.")
    assert in_options(error.args[0], {}).endswith("say --truth COL.")
    assert "⟨" not in str(error)


def test_the_command_tells_an_option(tmp_path: Path) -> None:
    """In a process of its own: one line on standard error, and exit status 2."""
    (tmp_path / "t.csv").write_text(TABLE)
    command = [sys.executable, "-m", "outclass", "compare", "t.csv", "--truth", "gold", "--hdi-mass", "95"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert result.returncode == 2
    assert result.stderr == "outclass: --hdi-mass must lie in (0, 1), got 95. Did you mean 0.95?\n"


def _seen(page: str) -> str:
    """Return what a reader of HTML sees of it."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.DOTALL))


def test_pages_and_notebooks_speak_python() -> None:
    """What Python writes as HTML names arguments and calls, also where the page says which checks need other data."""
    answer = oc.compare({"gold": [0, 1] * 30, "a": [0, 1] * 29 + [1, 0], "b": [0, 1, 1] * 20}, truth="gold")
    page, notebook = _seen(answer.to_html()), _seen(answer._repr_html_())

    assert "A column of groups (group=&#39;COL&#39;)" in page
    assert "oc.test(…, scores=True)" in page
    assert "rope=" in notebook
    assert OPTION.findall(page + notebook) == []


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ([], "(1 more with --verbose.)"),
        (["--format", "json"], "Change it with --rope, for example --rope 10% (of the error)."),
        (["--format", "markdown"], "Change it with --rope, for example --rope 10%"),
        (["--format", "markdown", "--model", "unpaired"], "Use --model paired."),
    ],
)
def test_answers_of_the_command_name_options(extra: list[str], said: str, tmp_path: Path) -> None:
    """The command shows findings and advice with its own options."""
    (tmp_path / "t.csv").write_text(TABLE)
    line = ["compare", str(tmp_path / "t.csv"), "--truth", "gold", "--system", "a", "--system", "b", *extra]
    told = " ".join(CliRunner().invoke(app, [*line, "--positive", "x"]).output.split())

    assert said in told
    assert "rope=" not in told


def test_a_finding_is_read_in_both_dialects() -> None:
    """A finding keeps its sentence as written, unpacks into code and message, and equals one that reads alike."""
    found = finding("OC302", "Use ⟨model=paired⟩ or ⟨rank()⟩, with ⟨rope=…⟩; see ⟨verbose⟩.")
    code, message = found
    with speaking(partial(in_options, given={})):
        typed = found.message

    assert (code, message) == ("OC302", "Use model='paired' or `oc.rank(…)`, with `rope=…`; see to_text(verbose=True).")
    assert typed == "Use --model paired or `outclass rank`, with --rope; see --verbose."
    assert found == Finding(code, message) == pickle.loads(pickle.dumps(found))
    assert len({found, Finding(code, message)}) == 1
    assert repr(found) == f"Finding(code='OC302', message={message!r})"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["compare", "--trutth", "x"], "there is no option --trutth. Did you mean --truth?"),
        (["compare", "--metrics", "x"], "there is no option --metrics. Did you mean --measure?"),
        (["rank", "--random-state", "1"], "there is no option --random-state. Did you mean --seed?"),
        (["evaluate", "--rope", "1"], "outclass evaluate does not take --rope; see outclass evaluate --help-all."),
        (["test", "--xyzzy"], "there is no option --xyzzy; see outclass test --help-all."),
        (["compar"], "there is no command 'compar'. Did you mean compare?"),
    ],
)
def test_options_that_are_not_there(typed: list[str], said: str) -> None:
    """A near miss, another program's word, another command's option: each gets its own sentence."""
    result = subprocess.run(
        [sys.executable, "-m", "outclass", *typed], capture_output=True, text=True, check=False, encoding="utf-8"
    )

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"outclass: {said}\n"
