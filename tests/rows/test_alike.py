"""Labels with the same counts share one computation; each row is that of a comparison with its label alone."""

import json
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.ask import compare as comparing
from outclass.data.multilabel import from_lists
from outclass.rows.alike import alike


def _single() -> Any:
    """Five rare labels alike, a label with one item, one that is never predicted, one that is never true."""
    rows = [["common", "common", "common"]] * 40 + [["common", "other", "common"]] * 3
    for name in "abcde":
        rows += [[name, name, name], [name, name, "common"], [name, "other", name]]
    rows += [["once", "once", "once"], ["unseen", "common", "common"], ["other", "other", "other"]]
    return oc.Outcomes.of_rows(["A", "B"], [*rows, ["other", "never", "other"]], [1] * (len(rows) + 1))


def _lists() -> Any:
    rng = np.random.default_rng(1)
    truth = [[f"l{code}" for code in rng.integers(0, 7, 2)] for _ in range(40)]
    said = [[[*own[: rng.integers(1, 3)], *(["l3"] if rng.random() < 0.1 else [])] for own in truth] for _ in range(2)]
    return from_lists(truth, {"A": said[0], "B": said[1]})


def _plain(answer: Any) -> list[Any]:
    return list(json.loads(answer.to_json())["comparisons"])


@pytest.mark.parametrize(
    ("make", "measure", "model"),
    [
        (_single, "f1", "paired"),
        (_lists, ["precision", "recall"], "unpaired"),
        pytest.param(_single, ["precision", "recall"], "unpaired", marks=pytest.mark.full),
        pytest.param(_lists, "f1", "paired", marks=pytest.mark.full),
    ],
)
def test_every_row_is_that_of_its_label_alone(make: Any, measure: Any, model: str) -> None:
    """Numbers, tests, findings and the label in them are the same, to the last digit."""
    data = make()

    found = oc.compare(data, by="label", measure=measure, model=model, tolerance=5e-4)

    labels = list(dict.fromkeys(row.label for row in found.rows))
    asked = {"measure": measure, "model": model, "tolerance": 5e-4}
    each = [_plain(oc.compare(data, positive=label, **asked)) for label in labels]
    many = len(found.rows) // len(labels)
    assert len(each[0]) == many
    for at, row in enumerate(_plain(found)):
        own = each[at // many][at % many]
        assert _without(row) == _without(own)


def test_labels_are_alike_that_have_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five labels are one computation; every other has counts of its own. Without sharing, nothing changes."""
    data = _single()
    groups: list[list[list[int]]] = []

    def seen(tasks: Any) -> list[list[int]]:
        groups.append(alike(tasks))
        return groups[-1]

    monkeypatch.setattr(comparing, "alike", seen)
    shared = oc.compare(data, by="label")
    monkeypatch.setattr(comparing, "alike", lambda tasks: [[place] for place in range(len(tasks))])

    apart = oc.compare(data, by="label")

    assert sorted(map(len, groups[0])) == [1, 1, 1, 1, 5]
    assert shared.to_json() == apart.to_json()


def _without(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a reader of one label is told of labels that are never true, in other words."""
    notes = [each for each in row["findings"] if each["code"] != "OC110"]
    return row | {"findings": notes}


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of alike labels are sent to other processes a few at a time; rows come back in the order of the labels."""
    data = _single()
    alone = oc.compare(data, by="label")
    monkeypatch.setattr(comparing, "BATCH", 2)
    monkeypatch.setattr(comparing, "TOGETHER", 2)
    told: list[tuple[int, int]] = []

    found = oc.compare(data, by="label", progress=lambda done, whole: told.append((done, whole)))

    assert found.to_json() == alone.to_json()
    assert told[-1] == (len(found), len(found))


def test_posteriors_of_alike_labels_are_their_own() -> None:
    """A row that shares its numbers keeps what its posterior is made from."""
    found = {row.label: row for row in oc.compare(_single(), by="label").rows}

    for label in "abcde":
        assert found[label].posterior.mean == pytest.approx(found[label].difference.mean, abs=1e-9)
        assert found[label].label == label
