"""Labels merged into coarser ones, right after reading."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outclass as oc
from outclass.data.grouped import Grouped
from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError

TRUTH = ["R(e1,e2)", "R(e2,e1)", "Other", "Part"] * 10
OLD = ["R(e2,e1)", "R(e2,e1)", "Other", "Part"] * 10
NEW = ["R(e1,e2)", "Other", "Other", "R(e1,e2)"] * 10
MERGE = {"R": ["R(e1,e2)", "R(e2,e1)"]}


def _by_hand(labels: list[str]) -> list[str]:
    return ["R" if label.startswith("R") else label for label in labels]


@pytest.mark.parametrize(
    "merge",
    [
        MERGE,
        {"R(e1,e2)": "R", "R(e2,e1)": "R"},
        "R=R(e1,e2)|R(e2,e1)",
        ["R=R(e1,e2)", "R=R(e2,e1)"],
        [{"R": {"R(e1,e2)"}}, "R=R(e2,e1)"],
    ],
    ids=str,
)
def test_all_ways_to_say_it(merge: Any) -> None:
    """A mapping from new or from old labels, and texts, are the same merge as one made by hand."""
    found = oc.read(TRUTH, OLD, NEW, merge=merge)

    assert found == oc.read(*map(_by_hand, (TRUTH, OLD, NEW)))
    assert isinstance(found, Outcomes)
    assert found.labels == ("Other", "Part", "R")


def test_a_file_may_list_a_whole_scheme(tmp_path: Path) -> None:
    """A CSV file has the columns old and new; labels in it that do not occur are told."""
    path = tmp_path / "coarse.csv"
    path.write_text('old,new\n"R(e1,e2)",R\n"R(e2,e1)",R\nPart,Part\nWhole,Part\n', encoding="utf-8")
    found = oc.read(TRUTH, OLD, NEW, merge=path)

    assert found == oc.read(*map(_by_hand, (TRUTH, OLD, NEW)))
    assert [each.code for each in found.findings] == ["OC612"]


def test_files_are_merged_after_counting(tmp_path: Path) -> None:
    """What a file holds is counted by the engine, and then merged; so is what was read before."""
    path = tmp_path / "predictions.csv"
    pd.DataFrame({"gold": TRUTH, "old": OLD, "new": NEW}).to_csv(path, index=False)
    first = oc.read(path, truth="gold", merge=MERGE)

    assert first == oc.read(oc.read(path, truth="gold"), merge=MERGE)
    assert first == oc.read(*map(_by_hand, (TRUTH, OLD, NEW)), names=["old", "new"])


def test_numbers_and_missing_predictions() -> None:
    """Numbers can be merged by their text, and a missing prediction stays missing."""
    truth, said = [1, 2, 3, 4, 5] * 4, [1, 3, 3, None, 5] * 4
    found = oc.read(truth, said, merge={"odd": [1, 3, 5]}, missing="wrong")

    assert found == oc.read(
        ["odd", "2", "odd", "4", "odd"] * 4, ["odd", "odd", "odd", None, "odd"] * 4, missing="wrong"
    )


def test_a_label_may_join_one_that_is_there() -> None:
    """The new label may be one that stays."""
    found = oc.read(TRUTH, OLD, NEW, merge={"Part": "Other"})

    assert found.labels == ("Other", "R(e1,e2)", "R(e2,e1)")


def test_many_labels_per_item_unite() -> None:
    """An item has the new label if it has any of the old ones."""
    rng = np.random.default_rng(1)
    lists = [[sorted(rng.choice(list("abcd"), rng.integers(0, 4), replace=False)) for _ in range(40)] for _ in range(3)]
    coarse = [[sorted({"ab" if each in "ab" else each for each in labels}) for labels in own] for own in lists]
    found, expected = oc.read(*lists, merge={"ab": ["a", "b"]}), oc.read(*coarse)

    assert isinstance(found, MultiLabel)
    assert isinstance(expected, MultiLabel)
    assert found.labels == expected.labels == ("ab", "c", "d")
    assert np.array_equal(found.joints("A", "B"), expected.joints("A", "B"))
    for system in ("A", "B"):
        own, other = (np.column_stack(each.contributions(system)) for each in (found, expected))
        assert {tuple(row) for row in own.tolist()} == {tuple(row) for row in other.tolist()}
        assert len(own) == len(other)


def test_groups_keep_their_items() -> None:
    """Items in groups are merged item by item."""
    table = {"gold": TRUTH, "old": OLD, "new": NEW, "doc": np.arange(40) // 4}
    coarse = {name: _by_hand(own) if name != "doc" else own for name, own in table.items()}
    options: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"], "group": "doc"}
    found, expected = oc.read(table, merge=MERGE, **options), oc.read(coarse, **options)

    assert isinstance(found, Grouped)
    assert isinstance(expected, Grouped)
    assert found.outcomes == expected.outcomes
    assert np.array_equal(found.codes, expected.codes)


def test_slices_are_merged(tmp_path: Path) -> None:
    """With slices, the whole and every slice are merged, whether they are counted or read item by item."""
    frame = pd.DataFrame({"gold": TRUTH, "old": OLD, "new": NEW, "lang": ["x", "y", "y", "x"] * 10})
    coarse = frame.assign(**{name: _by_hand(list(frame[name])) for name in ("gold", "old", "new")})
    options: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"], "by": "lang", "draws": 500}
    options |= {"measure": "macro_f1", "exclude_labels": "Other"}
    found, expected = oc.compare(frame, merge=MERGE, **options), oc.compare(coarse, **options)

    assert [row.difference for row in found.rows] == [row.difference for row in expected.rows]


def test_batches_of_a_state(tmp_path: Path) -> None:
    """A state holds merged labels; a batch may lack some of the labels to merge, which is told."""
    state = tmp_path / "state.json"
    names = ["old", "new"]
    oc.update(state, {"gold": TRUTH, "old": OLD, "new": NEW}, truth="gold", systems=names, merge=MERGE)
    batch = {"gold": ["R(e1,e2)", "Other"], "old": ["Other", "Other"], "new": ["R(e1,e2)", "Other"]}
    found = oc.update(state, batch, truth="gold", systems=names, merge=MERGE)

    assert found.labels == ("Other", "Part", "R")
    assert found.items == 42


def test_two_test_sets() -> None:
    """Each of two test sets is merged."""
    first, second = oc.read(TRUTH, OLD), oc.read(TRUTH, NEW)
    found = oc.compare(first, second, model="unpaired", positive="R", merge=MERGE).only

    assert found.observed == pytest.approx(1.0 - 20 / 40)


@pytest.mark.parametrize(
    ("merge", "told"),
    [
        ({"R": ["R(e1,e2)", "R(e2,e3)"]}, r"no label 'R\(e2,e3\)' \(merge\)\. Did you mean 'R\(e2,e1\)'\?"),
        ({"A": ["Part"], "B": ["Part", "Other"]}, "puts 'Part' into both 'A' and 'B'"),
        ({}, "names no labels to merge in {}"),
        ({"A": ["Part", "Other"], "B": []}, "names no labels to merge in"),
        (["A=Part", "B=Part"], "puts 'Part' into both"),
        ({"A": list(dict.fromkeys(TRUTH))}, "leaves a single label"),
        ({"A": ["Part"], "B": ["A"]}, "name the last one directly"),
        ("A=Part|", "empty label"),
        ("nosuch.csv", "nosuch.csv"),
        (7, "must be a mapping"),
        ([], "must be a mapping"),
    ],
    ids=str,
)
def test_bad_merges(merge: Any, told: str) -> None:
    """What cannot be merged is one sentence."""
    with pytest.raises((InputError, OSError), match=told):
        oc.read(TRUTH, OLD, NEW, merge=merge)


def test_a_file_needs_its_header(tmp_path: Path) -> None:
    """Without a header the first row would be lost, so it is an error."""
    path = tmp_path / "coarse.csv"
    path.write_text("Part,Whole\nOther,Whole\n", encoding="utf-8")

    with pytest.raises(InputError, match="needs the columns 'old' and 'new'"):
        oc.read(TRUTH, OLD, NEW, merge=path)


def test_data_without_labels() -> None:
    """Scores and counts have no labels to merge."""
    with pytest.raises(InputError, match="merge is not used with"):
        oc.read([1, 0] * 5, [0.9, 0.2] * 5, scores=True, merge=MERGE)
    with pytest.raises(InputError, match="merge is not used with"):
        oc.compare(wins=(17, 4), items=60, merge=MERGE)


def test_a_scheme_with_labels_that_do_not_occur(tmp_path: Path) -> None:
    """A file of a whole scheme may list more labels than the data have, for items with several labels and two sets."""
    scheme = tmp_path / "scheme.csv"
    scheme.write_text("old,new\nx,z\ny,w\nnever,w\n", encoding="utf-8")
    listed = {"gold": ["x;y", "y", "x", "y;q"], "a": ["x", "y", "x;y", "q"], "b": ["x;y", "y", "q", "y"]}
    sets = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in sets:
        path.write_text("gold,said\nx,x\ny,x\nq,q\nx,y\n", encoding="utf-8")

    several = oc.read(listed, truth="gold", separator=";", merge=str(scheme))
    apart = oc.read(sets, truth="gold", apart=True, merge=str(scheme))

    for found in (several, apart):
        assert [each.code for each in found.findings] == ["OC612"]
    assert set(several.labels) == {"z", "w", "q"}
