"""Several annotators: what they agree on, and answers against all of them or most of them."""

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.data.annotated import Annotated
from outclass.errors import InputError

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve units.
PUBLISHED = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def _people(items: int = 400, seed: int = 0) -> tuple[dict[str, Any], Any, Any]:
    """Three annotators who err in 6, 8 and 10%, the last on some of the items, and two systems."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)

    def copy(errors: float) -> Any:
        return np.where(rng.random(items) < errors, 1 - truth, truth)

    labels = {name: copy(errors).astype(object) for name, errors in (("x", 0.06), ("y", 0.08), ("z", 0.1))}
    labels["z"][rng.random(items) < 0.4] = None
    return labels, copy(0.1), copy(0.2)


def test_agreement_is_that_of_the_paper() -> None:
    """Krippendorff's own example, with labels that are missing: alpha is .743 (units with one label do not count)."""
    rows = np.array([line.split() for line in PUBLISHED], dtype=object)
    rows[rows == "."] = None
    labels = {f"observer {at}": row for at, row in enumerate(rows)}
    first = np.array([next(label for label in column if label is not None) for column in rows.T])
    data = oc.read(labels, first, first)
    assert isinstance(data, Annotated)

    assert data.agreement.alpha == pytest.approx(0.743, abs=5e-4)
    assert data.agreement.items == 11
    assert data.agreement.low < 0.743 < data.agreement.high


def test_errors_are_told_from_agreement() -> None:
    """Two annotators who err independently in 10% of a million labels, of two classes and of five."""
    rng = np.random.default_rng(5)
    for classes in (2, 5):
        truth = rng.integers(0, classes, 1_000_000)
        both = [
            np.where(rng.random(len(truth)) < 0.1, (truth + rng.integers(1, classes, len(truth))) % classes, truth)
            for _ in range(2)
        ]
        data = oc.read({"x": both[0], "y": both[1]}, truth, truth)
        assert isinstance(data, Annotated)
        assert data.agreement.error == pytest.approx(0.1, abs=2e-3)


def test_soft_accuracy_is_the_mean_over_annotators() -> None:
    """Where all label all items; its posterior is as wide as a bootstrap of items says."""
    labels, a, b = _people()
    both = {name: labels[name] for name in ("x", "y")}
    row = oc.compare(both, a, b, measure="accuracy").only
    per_item = np.mean([(a == own).astype(float) - (b == own) for own in both.values()], axis=0)
    rng = np.random.default_rng(1)
    means = (rng.multinomial(len(a), np.full(len(a), 1 / len(a)), 4_000) @ per_item) / len(a)

    assert row.observed == pytest.approx(per_item.mean(), abs=1e-12)
    assert row.difference.std == pytest.approx(means.std(), rel=0.06)


def test_soft_f1_is_of_the_labels_shared_out() -> None:
    """Each label of an item with k labels counts for one in k."""
    labels, a, b = _people()
    share = 1 / np.sum([own != None for own in labels.values()], axis=0)  # noqa: E711  # of each element
    expected = []
    for said in (a, b):
        tp = sum((share * (own == 1) * (said == 1)).sum() for own in labels.values())
        fp = sum((share * (own == 0) * (said == 1)).sum() for own in labels.values())
        fn = sum((share * (own == 1) * (said == 0)).sum() for own in labels.values())
        expected.append(2 * tp / (2 * tp + fp + fn))

    answer = oc.compare(labels, a, b, positive=1)

    assert [system.observed for system in answer.systems] == pytest.approx(expected, abs=1e-12)


def test_annotators_who_always_agree_are_one() -> None:
    """The posterior is that of one true label, within the error of the draws."""
    labels, a, b = _people()
    one = oc.compare(labels["x"], a, b, measure="macro_f1", positive=None, model="paired").only
    same = oc.compare({"x": labels["x"], "y": labels["x"]}, a, b, measure="macro_f1").only

    assert same.observed == pytest.approx(one.observed, abs=1e-12)
    assert same.difference.mean == pytest.approx(one.difference.mean, abs=6 * one.difference.std / np.sqrt(50_000))
    assert same.difference.std == pytest.approx(one.difference.std, rel=0.03)


def test_a_majority_is_what_most_say() -> None:
    """Ties are left out and counted; the rest is the comparison against one label."""
    labels, a, b = _people()
    ones = np.sum([own == 1 for own in labels.values()], axis=0)
    zeros = np.sum([own == 0 for own in labels.values()], axis=0)
    clear = ones != zeros
    truth = (ones > zeros).astype(int)

    answer = oc.compare(labels, a, b, annotators="majority", positive=1)

    assert answer.difference == oc.compare(truth[clear], a[clear], b[clear], positive=1).difference
    assert any(
        each.code == "OC722" and f"{int((~clear).sum())} of 400 items" in each.message for each in answer.findings
    )


def test_agreement_is_told() -> None:
    """In a line of the short answer, and in full with the findings."""
    labels, a, b = _people()
    answer = oc.compare(labels, a, b, positive=1)

    assert "OC720 annotators agree on 8" in answer.to_text()
    assert any("Krippendorff's alpha" in each.message for each in answer.findings)


def test_a_lead_that_depends_on_the_annotator_is_told() -> None:
    """One annotator agrees with a, the other with b."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, (2, 200))
    mixed = {"x": np.where(rng.random(200) < 0.9, a, b), "y": np.where(rng.random(200) < 0.85, b, a)}
    (told,) = [each for each in oc.compare(mixed, a, b, measure="accuracy").findings if each.code == "OC721"]

    assert "A leads against x and B leads against y" in told.message


def test_every_question_answers_or_says_why_not() -> None:
    """Evaluating, ranking and slices take all annotators; tests, plans and states need one label per item."""
    labels, a, b = _people()
    table = {**labels, "a": a, "b": b, "half": ["first"] * 200 + ["second"] * 200}
    columns: Any = {"truth": ["x", "y", "z"], "systems": ["a", "b"]}

    assert len(oc.evaluate(table, **columns, measure="accuracy").rows) == 2
    assert oc.rank(table, **columns, measure="accuracy").systems[0].system.name == "a"
    sliced = oc.compare(table, **columns, measure="accuracy", by="half")
    assert [row.slice.title for row in sliced.rows if row.slice] == ["all items", "half: first", "half: second"]
    with pytest.raises(InputError, match=r"tests need one true label per item.*majority"):
        oc.test(table, **columns)
    assert oc.test(table, **columns, annotators="majority", tests=["sign_exact"]).rows


def test_answers_come_back_from_json() -> None:
    """With the findings on agreement."""
    labels, a, b = _people()
    answer = oc.compare(labels, a, b, positive=1)
    again = oc.Comparison.from_json(answer.to_json())

    assert again.findings == answer.findings
    assert again.difference == answer.difference


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"truth": ["x", "x"]}, "names one column twice"),
        ({"truth": ["x", "y"], "systems": ["y", "a"]}, "both a true label and a system"),
        ({"truth": ["x", "w"]}, "no column 'w'"),
        ({"truth": ["x", "half"]}, "'half'.*does not hold labels like"),
        ({"truth": ["x", "y"], "annotators": "mean"}, "must be one of 'soft', 'majority', got 'mean'"),
        ({"truth": ["x", "y"], "group": "half"}, "not used with labels by several annotators"),
        ({"truth": "x", "annotators": "soft"}, "annotators"),
        ({"truth": ["x", "y"], "systems": ["a", "gap"]}, "missing label"),
    ],
)
def test_what_is_wrong_is_said(asked: dict[str, Any], message: str) -> None:
    """One sentence each."""
    labels, a, b = _people()
    gap = a.astype(object)
    gap[:3] = None
    table = {"x": labels["x"], "y": labels["y"], "a": a, "b": b, "gap": gap, "half": [f"t{at}" for at in range(400)]}

    with pytest.raises(InputError, match=message):
        oc.compare(table, **{"systems": None, **asked})


def test_the_option_is_given_more_than_once(tmp_path: Any) -> None:
    """`--truth ann1 --truth ann2`, of a file; blank labels are those that an annotator did not give."""
    labels, a, b = _people()
    rows = zip(*labels.values(), a, b, strict=True)
    text = "\n".join(",".join("" if each is None else str(each) for each in row) for row in rows)
    path = tmp_path / "people.csv"
    path.write_text(f"x,y,z,a,b\n{text}\n")
    asked = ["compare", str(path), "--truth", "x", "--truth", "y", "--truth", "z", "--positive", "1"]

    result = CliRunner().invoke(app, [*asked, "--format", "json"])
    again = oc.Comparison.from_json(result.stdout)

    assert result.exit_code == 0
    assert again.difference == oc.compare(labels, a, b, names=("a", "b"), positive=1).difference
