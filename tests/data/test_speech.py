"""Labels that cannot be what they are taken for, and errors that keep their own words."""

from pathlib import Path

import numpy as np
import pytest

import outclass as oc
from outclass.data.tables import delimiter_of
from outclass.errors import InputError

TRUTH = ["cat", "dog", "cow"] * 20


@pytest.mark.parametrize(
    ("said", "hint"),
    [([1, 0, 1] * 20, "right and wrong"), (["Cat", "Dog", "Cow"] * 20, "Use the same spelling")],
)
def test_a_system_that_speaks_of_something_else(said: list[object], hint: str) -> None:
    """Even if it was named: a verdict on it would be about the spelling."""
    with pytest.raises(InputError, match=hint):
        oc.compare({"gold": TRUTH, "a": TRUTH, "b": said}, truth="gold", systems=["a", "b"])


def test_a_few_strange_labels_are_said() -> None:
    """One label that is never true is a finding, not a fault; and so is a small batch."""
    said = [*TRUTH[:-1], "horse"]
    answer = oc.compare({"gold": TRUTH, "a": TRUTH, "b": said}, truth="gold", systems=["a", "b"])
    assert "OC110" in {each.code for row in answer.rows for each in row.findings}
    assert (
        oc.outcomes({"gold": ["x", "y"], "a": ["p", "q"], "b": ["x", "y"]}, truth="gold", systems=["a", "b"]).items == 2
    )


def test_a_line_of_a_trec_file_is_told_once(tmp_path: Path) -> None:
    """As what it is, and in one sentence."""
    (tmp_path / "q.txt").write_text("1 0 d\n")
    (tmp_path / "r").write_text("1 Q0 d 1 1.0 r\n")
    with pytest.raises(
        InputError, match=r"q\.txt', line 1 has 3 columns, not the 4 of a TREC file: [^:]*[^.]\.$"
    ) as told:
        oc.scores(qrels=tmp_path / "q.txt", runs=[tmp_path / "r", tmp_path / "r"])
    assert "cannot read" not in str(told.value)


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [('size 5";gold;a', ";"), ('"a,b,c,d";gold;x', ";"), ('gold,"x;y;z;w",b', ","), ('"' + "x" * 100_000, ",")],
)
def test_quotes_in_a_header(header: str, delimiter: str) -> None:
    assert delimiter_of(header, ".csv") == delimiter


def test_skewed_and_few() -> None:
    """Fifty log-normal differences: intervals of their mean are too narrow (docs/coverage.md); of normal ones not."""
    rng = np.random.default_rng(3)
    for noise, warns in ((rng.lognormal(0, 1, 50), True), (rng.normal(0, 1, 50), False)):
        base = rng.normal(0, 1, 50)
        scores = oc.scores({"a": base + noise, "b": base}, name="result")
        codes = {each.code for each in oc.compare(scores, model="t", rope=0.1).only.findings}
        assert ("OC214" in codes) == warns


def test_disagreements_among_the_positives() -> None:
    """Sixty disagreements, two of them on positives: what is known of recall rests on two items, of F1 on sixty."""
    truth = [1] * 60 + [0] * 900
    a = [1] * 60 + [1] * 40 + [0] * 860
    b = [0] * 2 + [1] * 58 + [0] * 40 + [1] * 18 + [0] * 842
    findings = [each for each in oc.compare(truth, a, b, measure="recall").only.findings if each.code == "OC104"]
    assert len(findings) == 1
    assert "only 2 of 60 positive items" in findings[0].message
    assert "OC104" not in {each.code for each in oc.compare(truth, a, b).only.findings}
