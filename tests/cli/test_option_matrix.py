"""Every option with every kind of data and question: it changes the answer, or it is an error that names it."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from option_modes import (
    FORM,
    KINDS,
    MODES,
    OPTIONS,
    PAIR,
    VALUES,
    Mode,
    command_of,
    nothing_computed,
    parsers_made_once,
    read_once,
    run,
    typed_as,
    write_data,
)

import outclass as oc
from outclass.ask.capabilities import KINDS as CAPABILITIES
from outclass.cli.data_options import COLUMNS, COUNTED, ENGINE, NUMBERS
from outclass.cli.main import COMMANDS
from outclass.cli.option import Option
from outclass.cli.options import FLAGS, STUDY, TABLE

# Options that may leave an answer as it is, and why. Each is an error with an absurd value all the same.
FREE: Final = {
    "id": "says which column names the items, and each must do so once",
    "item": "says which column names the items",
    "separator": "splits cells, which may hold one label each",
    "scores": "says what other options may have said already",
    "missing": "says what to do with missing values, if there are any",
    "unlabelled": "says what to do with blank truths, if there are any, and beside a judge they are used anyway",
    "engine": "says who counts",
    "jobs": "says how many cores count",
    **dict.fromkeys(("backend", "device"), "says what counts"),
    "again": "allows what may not be needed",
    "new_labels": "allows what may not be needed",
    "every": "asks for all tests, which may be the usual ones",
    "sensitivity": "asks the same question again, under other priors",
    "log_runs": "says which of several runs counts, if there are several",
    "drop_changed": "says what to do with items that changed, if there are any",
    "top": "says how many slices are shown at most",
    **dict.fromkeys(("junit", "summary", "json", "sarif"), "names a further report"),
}

# Names that may be the only ones to choose: they are checked, and change nothing.
ONLY: Final = {
    *(("model", each) for each in ("bootstrap", "t", "goutte")),
    *(("measure", each) for each in ("macro_f1", "accuracy")),
    *(("metric", each) for each in ("exact_match",)),
    *((name, each) for name, each in (("scorer", "exact_match"), ("filter", "strict"))),
    ("merge", "mail=ham"),  # which gives a label another name
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Tables of every kind in the current folder, and a list of what would have been computed."""
    folder = tmp_path_factory.mktemp("options")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_data(folder)
        oc.update("labels.state.json", "labels.csv", truth="gold", systems=["old", "new", "third"])
        read_once(patch)
        parsers_made_once(patch)
        with nothing_computed(patch) as found:
            yield found


def _explains(told: str, mode: Mode, option: Option, typed: list[str]) -> bool:
    """Return whether an error names what was typed; of an option that is not used, or was used, it may name another."""
    line = [*mode.line, *typed] if "not used" in told else [each for each in FLAGS.values() if each.startswith("-")]
    named = (re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", told) for each in (*line, *typed) if each)
    return option.positional or option.name == "pilot" or any(named)  # errors name files


def _asked(mode: Mode, seen: list[str], more: list[str] | None = None) -> tuple[Any, ...]:
    """Return what came of a command, and all that it would have computed."""
    seen.clear()
    return run(mode, more or []), *seen


def _faults(mode: Mode, option: Option, usual: object, seen: list[str]) -> Iterator[str]:
    sensible, absurd = VALUES[option.name]
    silent, used = [], False
    for value in (*sensible, *absurd):
        typed = typed_as(option, value)
        if f" {' '.join(typed)} " in f" {' '.join(mode.line)} ":
            continue  # it is what the question says already
        answer = _asked(mode, seen, typed)
        found, same = answer[0], answer == usual
        told = f"{mode} {' '.join(typed)}: {found.told}"
        used = used or (found.status == 0 and not same)
        if found.status not in (0, 2):
            yield f"crashed: {told}"
        elif found.status == 2 and not _explains(found.told, mode, option, typed):
            yield f"names no option: {told}"
        elif found.status == 0 and value in absurd:
            yield f"accepted: {told}"
        elif found.status == 0 and same and (option.name, value) not in ONLY:
            silent.append(told)
    if not used and option.name not in FREE:
        yield from (f"ignored: {each}" for each in silent)


SOME: Final = [pytest.param(mode, marks=[pytest.mark.full] if mode.variant else []) for mode in MODES]
# What is read is read before a model is chosen: a further question of the same data need not ask about it again.
OF_DATA: Final = {option.name for option in (*COLUMNS, *COUNTED, *ENGINE, *NUMBERS)}


@pytest.mark.parametrize("mode", SOME, ids=str)
def test_every_option_is_used_or_an_error(mode: Mode, seen: list[str], full: bool) -> None:
    """No option is ignored: some value changes what is computed, or every value is an error that names the option."""
    left = FORM if full or not mode.further else FORM | OF_DATA
    usual = _asked(mode, seen)
    assert usual[0].status == 0, usual[0].told
    options = {option.name: option for option in OPTIONS[mode.command] if option.name not in left}

    assert [fault for option in options.values() for fault in _faults(mode, option, usual, seen)] == []


def test_every_option_is_asked_about() -> None:
    """The matrix has values for each option of the one table but those of the papers' studies."""
    studies = {option.name for option in STUDY}

    assert set(VALUES) == {option.name for option in TABLE} - (studies - {"output", "format"})
    # `demo` hands its few options to `compare`, with data that ship.
    assert {mode.command for mode in MODES} == set(OPTIONS) == set(COMMANDS) - {"reproduce", "demo"}
    assert {mode.kind for mode in MODES} >= set(CAPABILITIES)
    for command, options in OPTIONS.items():
        typed = {each.name for each in command_of(command).params if each.name not in ("help", "help_all")}
        assert typed == {option.name for option in options}


@pytest.mark.parametrize("policy", ["drop", "wrong"])
@pytest.mark.parametrize(
    "kind",
    [name for name, (_, line) in KINDS.items() if "state" not in name and "logs" not in name and line[0][0] != "-"],
)
def test_missing_values_are_treated_as_asked(kind: str, policy: str, seen: list[str]) -> None:
    """Where a value is missing, `--missing` changes what is computed, or is an error that names it."""
    (mode,) = (each for each in MODES if str(each) == f"compare {kind}")
    line = tuple(each.replace(".csv", "-hole.csv") for each in mode.line)
    usual = _asked(mode._replace(line=line), seen)
    found = _asked(mode._replace(line=(*line, "--missing", policy)), seen)

    assert found != usual
    assert found[0].status == 0 or "--" in found[0].told


@pytest.mark.parametrize(
    ("line", "allowed"),
    [(("labels.csv", "--truth", "gold"), "--again"), (("words.csv", "--truth", "gold"), "--new-labels")],
)
def test_permissions_are_needed(line: tuple[str, ...], allowed: str, seen: list[str]) -> None:
    """What `--again` and `--new-labels` allow is an error without them, which names them."""
    asked = ("labels.state.json", *line, *PAIR, "--system", "third", "--positive", "spam")
    refused = _asked(Mode("update", "", "labels", asked), seen)[0]
    taken = _asked(Mode("update", "", "labels", (*asked, allowed)), seen)[0]

    assert refused.status == 2
    assert allowed in refused.told
    assert taken.status == 0
