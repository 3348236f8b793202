"""Every kind of answer is read back from its JSON as it was; what outclass did not write is refused in a sentence."""

import copy
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import outclass as oc
from outclass.answers.answer import Answer
from outclass.errors import InputError
from outclass.report import formats
from outclass.rows.plain import from_plain, to_plain
from outclass.rows.types import SystemSummary

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from cells import CELLS, many_labels
from searches import searched


def _search() -> Answer:
    return oc.plan(
        prevalence=0.3,
        recalls=(0.8, 0.7),
        false_positive_rates=(0.1, 0.1),
        n=[300],
        probability=0.8,
        model=["paired", "unpaired"],
        characteristics=True,
        sets=50,
    )


ASKED: Final[dict[str, Callable[[], Any]]] = {
    name: CELLS[name]
    for name in (
        "binary compare paired all",
        "binary compare goutte",
        "binary compare sign",
        "binary compare one side",
        "classes compare by label",
        "labels compare",
        "results data sets hierarchical",
        "wins compare",
        "binary evaluate single",
        "counts evaluate",
        "binary rank",
        "results rank",
        "binary test every",
        "classes test",
        "scenario plan",
        "binary plan pilot",
    )
} | {
    "test by frequency": lambda: oc.test(many_labels(), tests=["micro_sign"], by="frequency"),
    "plan search": _search,
    "slices": searched,
}
WRONG: Final = (None, -1, 10**30, 1e308, True, "inf", "x", [], {}, [[]], {"name": 1})


@pytest.fixture(scope="module")
def answers() -> Callable[[str], Any]:
    """Return answers by name, each made once."""
    kept: dict[str, Any] = {}
    return lambda name: kept[name] if name in kept else kept.setdefault(name, ASKED[name]())


@pytest.mark.parametrize("name", ASKED)
def test_json_is_the_identity(name: str, answers: Callable[[str], Any]) -> None:
    """What is read back is equal to what was written, and is written the same."""
    answer = answers(name)

    again = type(answer).from_json(answer.to_json())

    assert again == answer
    assert again.to_json() == answer.to_json()


@pytest.mark.parametrize("name", ["binary rank", "classes test", "test by frequency", "plan search", "counts evaluate"])
def test_what_is_read_back_is_shown_the_same(name: str, answers: Callable[[str], Any]) -> None:
    """No format needs what JSON does not hold."""
    answer = answers(name)
    again = type(answer).from_json(answer.to_json())

    assert {each: formats.written(again, each) for each in formats.NAMES} == {
        each: formats.written(answer, each) for each in formats.NAMES
    }


def _places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the paths of everything in plain data."""
    inside = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from _places(value, (*path, key))


@pytest.mark.parametrize(
    "name", ["binary compare sign", "counts evaluate", "binary rank", "test by frequency", "plan search"]
)
def test_whatever_is_wrong_is_told_or_shown(name: str, answers: Callable[[str], Any]) -> None:
    """Each part of the JSON, replaced or left out: a sentence, or an answer that every format can show."""
    answer = answers(name)
    plain = json.loads(answer.to_json())
    told = 0
    for place, path in enumerate(_places(plain)):
        broken = copy.deepcopy(plain)
        within = broken
        for key in path[:-1]:
            within = within[key]
        if place % (len(WRONG) + 1) == len(WRONG):
            del within[path[-1]]
        else:
            within[path[-1]] = WRONG[place % (len(WRONG) + 1)]
        try:
            found = type(answer).from_json(json.dumps(broken))
        except InputError:
            told += 1
        else:
            assert all(formats.written(found, each) for each in formats.NAMES), path

    assert told > 20


@pytest.mark.parametrize(
    ("kind", "part"),
    [(oc.Ranking, "ranking"), (oc.Plan, "plan"), (oc.TestReport, "tests"), (oc.Evaluation, "evaluations")],
)
def test_other_json_is_refused(kind: type[Answer], part: str) -> None:
    """What holds nothing of the kind, or something else under its name, is refused in a sentence."""
    for text in ("", "[]", "{}", "null", f'{{"{part}": []}}', f'{{"{part}": 3}}', f'{{"{part}": [{{"n": 1}}]}}'):
        with pytest.raises(InputError, match=r"JSON|written by outclass"):
            kind.from_json(text)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("binary rank", {"verdicts": [["", ">>"], ["<<", ""]]}, "3 systems need 3 verdicts"),
        ("binary rank", {"verdicts": [["", "so", "?"], ["?", "", "?"], ["?", "?", ""]]}, "must be one of <<,"),
        ("plan search", {"sets": 0}, "at least one simulated test set"),
        ("plan search", {"seed": True}, "seed is not a whole number"),
        ("test by frequency", {"undefined": {"policy": "2"}}, "unknown policy for an undefined F1 '2'"),
        ("test by frequency", {"seed": 2**70}, "seed is not a whole number"),
        ("test by frequency", {"positive": 0.5}, "positive is not text"),
    ],
)
def test_the_sentence_names_what_is_wrong(
    name: str, change: dict[str, Any], told: str, answers: Callable[[str], Any]
) -> None:
    """Parts that do not go together, and values of another type, are named."""
    answer = answers(name)

    with pytest.raises(InputError, match=told):
        type(answer).from_json(json.dumps(answer.to_dict() | change))


@pytest.mark.parametrize("end", [None, "inf", 1.5])
def test_ranks_are_whole(end: object, answers: Callable[[str], Any]) -> None:
    """An interval of ranks that cannot be shown as such is refused."""
    plain = answers("binary rank").to_dict()
    plain["ranking"][1]["rank_interval"] = [1, end]

    with pytest.raises(InputError, match="ranks must be whole"):
        oc.Ranking.from_json(json.dumps(plain))


def test_the_last_release_is_read(answers: Callable[[str], Any]) -> None:
    """Keys that were renamed are read under their old names."""
    answer = answers("results data sets hierarchical")
    plain = answer.to_dict()
    for row in plain["comparisons"]:
        for new, old in (("additional_items", "further"), ("anytime", "watched"), ("rope_probabilities", "practical")):
            row[old] = row.pop(new)

    assert answer.only.rope_probabilities is not None
    assert oc.Comparison.from_json(json.dumps(plain)) == answer


def test_plain_data() -> None:
    """Unknown numbers are null, infinite ones words; posteriors stay behind, and unknown keys are ignored."""
    written = {"name": "A", "observed": None, "mean": 1.0, "std": 0.5, "hdi": ["-inf", 2.0]}
    system = from_plain(SystemSummary, written | {"law": 3, "unknown": 4}, "one")

    assert system.law is None
    assert system.hdi == (-math.inf, 2)
    assert to_plain(system) == written
    with pytest.raises(InputError, match="this is not one written by outclass: it has no 'name'"):
        from_plain(SystemSummary, {"observed": 1}, "one")


def test_formats_are_the_files_of_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the folder is a format, found by its name; what is asked for by suffix is found by it."""
    (tmp_path / "shout.py").write_text("SUFFIX = '.loud'\ndef write(answer): return repr(answer).upper()\n")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.setattr(formats, "NAMES", (*formats.NAMES, "shout"))

    assert set(formats.NAMES) == {"csv", "json", "latex", "markdown", "methods", "shout", "table"}
    assert formats.written("quiet", formats.of_suffix(".loud") or "") == "'QUIET'"
    assert [formats.of_suffix(each) for each in (".json", ".csv", ".md", ".tex", "", ".doc")] == [
        "json",
        "csv",
        "markdown",
        "latex",
        None,
        None,
    ]
