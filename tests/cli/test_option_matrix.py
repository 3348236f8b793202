"""Every option with every kind of data and question: it changes the answer, or it is an error that names it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from option_modes import MODES, OPTIONS, VALUES, Mode, Run, nothing_computed, read_once, run, write_data

import outclass as oc
from outclass.cli.options import CHART, FLAGS, OUTPUT, Option

# Options that may leave an answer as it is, and why. Each is an error with an absurd value all the same.
FREE: Final = {
    "id": "says which column names the items, and each must do so once",
    "item": "says which column names the items",
    "scores": "says what other options may have said already",
    "missing": "says what to do with missing values, if there are any",
    "engine": "says who counts",
    "jobs": "says how many cores count",
    "again": "allows what may not be needed",
    "new_labels": "allows what may not be needed",
    "every": "asks for all tests, which may be the usual ones",
    "sensitivity": "asks the same question again, under other priors",
}
FORM: Final = {option.name for option in (*OUTPUT, *CHART)}  # what is done with an answer


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Tables of every kind in the current folder, and a list of what would have been computed."""
    folder = tmp_path_factory.mktemp("options")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_data(folder)
        oc.update("labels.state.json", "labels.csv", truth="gold", systems=["old", "new", "third"])
        read_once(patch)
        with nothing_computed(patch) as found:
            yield found


def _typed(option: Option, value: str) -> list[str]:
    return [value] if option.positional else [option.flag] if option.kind is bool else [option.flag, value]


def _names_an_option(told: str, line: list[str]) -> bool:
    """Return whether a sentence names an option of the command line, or what was typed."""
    return any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", told) for each in line if each)


def _faults(mode: Mode, option: Option, usual: object, seen: list[str]) -> Iterator[str]:
    sensible, absurd = VALUES[option.name]
    silent, used = [], False
    for value in (*sensible, *absurd):
        typed = _typed(option, value)
        seen.clear()
        found = run(mode, typed)
        told = f"{mode} {' '.join(typed)}: {found.told}"
        same = (found.answer, *seen) == usual
        used = used or (found.status == 0 and not same)
        if found.status not in (0, 2):
            yield f"crashed: {told}"
        elif found.status == 2 and not (option.flag in found.told or _names_an_option(found.told, typed)):
            yield f"names no option: {told}"
        elif found.status == 0 and value in absurd:
            yield f"accepted: {told}"
        elif found.status == 0 and same:
            silent.append(told)
    if not used and option.name not in FREE:
        yield from (f"ignored: {each}" for each in silent)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_option_is_used_or_an_error(mode: Mode, seen: list[str]) -> None:
    """No option is ignored: some value changes what is computed, or every value is an error that names the option."""
    seen.clear()
    usual = run(mode)
    assert usual.status == 0, usual.told
    answer = (usual.answer, *seen)
    options = {option.name: option for option in OPTIONS[mode.command] if option.name not in FORM}
    restated = {name for name, option in options.items() if option.kind is bool and option.flag in mode.line}

    assert [fault for name, option in options.items() if name not in restated for fault in _faults(mode, option, answer, seen)] == []
