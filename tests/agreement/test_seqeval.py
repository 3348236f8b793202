"""Entities of tagged sequences, held against seqeval: all schemes, default and strict."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seqeval import scheme as schemes
from seqeval.metrics import classification_report, f1_score

from outclass.data.readers.conll import read_files
from outclass.data.unit_counts import UnitCounts

LETTERS = {"bio": "BI", "iob1": "BI", "bioes": "BIES", "bilou": "BILU"}
THEIRS = {"bio": schemes.IOB2, "iob1": schemes.IOB1, "bioes": schemes.IOBES, "bilou": schemes.BILOU}
TYPES = ("PER", "LOC", "WORK-OF-ART")
SEQUENCES = 1_000
Sequences = list[list[str]]


def _sequences(scheme: str, rng: np.random.Generator) -> tuple[Sequences, Sequences]:
    """Draw gold tags and predictions, most of which agree; nothing keeps them well formed."""
    tags = ["O", *(f"{letter}-{kind}" for letter in LETTERS[scheme] for kind in TYPES)]
    weights = np.array([len(tags) / 2] + [1.0] * (len(tags) - 1))
    gold, said = [], []
    for _ in range(SEQUENCES):
        size = int(rng.integers(1, 12))
        own, other = (rng.choice(tags, size, p=weights / weights.sum()).tolist() for _ in range(2))
        gold.append(own)
        said.append([a if rng.random() < 0.7 else b for a, b in zip(own, other, strict=True)])
    return gold, said


def _written(path: Path, sequences: Sequences) -> Path:
    lines = ["".join(f"w{place}\t{tag}\n" for place, tag in enumerate(sequence)) for sequence in sequences]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _f1(counts: Any) -> float:
    (tp, fn), (fp, _) = counts
    return float(2 * tp / (2 * tp + fn + fp))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("scheme", LETTERS)
def test_random_sequences(scheme: str, strict: bool, tmp_path: Path) -> None:
    """F1 and the support of every type are seqeval's, on tags that follow the scheme and on tags that do not."""
    gold, said = _sequences(scheme, np.random.default_rng(20261118))
    paths = [_written(tmp_path / f"{name}.conll", own) for name, own in (("gold", gold), ("said", said))]
    if scheme == "bilou" and not strict:
        # By default seqeval does not know L and U, which are other names of E and S.
        same = str.maketrans("LU", "ES")
        gold, said = ([[tag[0].translate(same) + tag[1:] for tag in own] for own in both] for both in (gold, said))
    how: dict[str, Any] = {"mode": "strict", "scheme": THEIRS[scheme]} if strict else {}

    found = read_files(paths, scheme=scheme, strict=strict)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = classification_report(gold, said, output_dict=True, **how)
        whole = f1_score(gold, said, **how)

    tables = found.tables("said")
    assert _f1(tables.sum(axis=0)) == pytest.approx(whole, abs=1e-12)
    assert found.labels == tuple(sorted(TYPES))
    for kind, table in zip(found.labels, tables, strict=True):
        assert table[0].sum() == theirs[kind]["support"]
        assert _f1(table) == pytest.approx(theirs[kind]["f1-score"], abs=1e-12)
    macro = np.mean([_f1(table) for table in tables])
    assert macro == pytest.approx(theirs["macro avg"]["f1-score"], abs=1e-12)


NEWS = """
-DOCSTART- -X- O O O

Ada NNP B-PER B-PER B-PER
Lovelace NNP I-PER I-PER I-PER
worked VBD O O O
with IN O O O
Charles NNP B-PER B-PER B-PER
Babbage NNP I-PER O I-PER
in IN O O O
London NNP B-LOC B-LOC B-ORG
. . O O O

The DT O O B-ORG
Royal NNP B-ORG B-ORG I-ORG
Society NNP I-ORG I-ORG I-ORG
met VBD O O O
on IN O O O
Thursday NNP O O B-MISC
. . O O O

-DOCSTART- -X- O O O

Paris NNP B-LOC B-LOC B-LOC
Hilton NNP O I-LOC O
stayed VBD O O O
in IN O O O
Paris NNP B-LOC B-LOC B-LOC
, , O O O
Texas NNP B-LOC I-LOC B-LOC
. . O O O
"""


@pytest.mark.parametrize("strict", [False, True])
def test_a_tagged_file(strict: bool, tmp_path: Path) -> None:
    """On a page of news with errors of boundaries and types, and a malformed tag, both systems have seqeval's F1."""
    path = tmp_path / "news.conll"
    path.write_text(NEWS, encoding="utf-8")
    sentences = [
        [line.split()[2:] for line in part.split("\n") if line and "DOCSTART" not in line]
        for part in NEWS.split("\n\n")
    ]
    columns = [[[row[at] for row in rows] for rows in sentences if rows] for at in range(3)]
    how: dict[str, Any] = {"mode": "strict", "scheme": schemes.IOB2} if strict else {}

    found = read_files([path], names=["first", "second"], strict=strict)

    assert isinstance(found, UnitCounts)
    assert found.items == 3
    for name, own in zip(found.systems, columns[1:], strict=True):
        assert _f1(found.tables(name).sum(axis=0)) == pytest.approx(f1_score(columns[0], own, **how), abs=1e-12)
    assert [each.code for each in found.findings] == ["OC620"]
