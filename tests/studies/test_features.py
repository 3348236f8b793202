"""Texts into numbers, against SciPy, scikit-learn and the formulas written out."""

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import mutual_info_score

from outclass.errors import InputError
from outclass.studies.features import TermSelection, TermWeights, chi_square, information_gain, stems


@pytest.fixture(scope="module")
def counts() -> sparse.csr_matrix:
    """Forty documents of thirty terms."""
    rng = np.random.default_rng(3)
    return sparse.csr_matrix(rng.poisson(0.6, (40, 30)))


@pytest.fixture(scope="module")
def marks() -> np.ndarray:
    """Three categories, one of them rare."""
    rng = np.random.default_rng(4)
    return (rng.random((40, 3)) < [0.5, 0.3, 0.05]).astype(int)


def test_stems() -> None:
    """Words are lowered and stemmed; stop words, numbers and single letters go."""
    assert stems("The Banks were RAISING 7-12 pct of prices, a tariff's end") == [
        "bank", "rais", "pct", "price", "tariff", "end",
    ]  # fmt: skip
    assert stems("") == []


def test_ltc(counts: sparse.csr_matrix) -> None:
    """(1 + log tf) log(N / df), rows of length 1; scikit-learn has the same with an idf greater by one."""
    found = TermWeights("ltc").fit(counts).transform(counts).toarray()

    dense = counts.toarray().astype(float)
    idf = np.log(40 / (dense > 0).sum(axis=0))
    plain = np.where(dense > 0, 1 + np.log(np.maximum(dense, 1)), 0) * idf
    assert found == pytest.approx(plain / np.linalg.norm(plain, axis=1, keepdims=True))
    theirs = TfidfTransformer(sublinear_tf=True, smooth_idf=False).fit(counts)
    assert TermWeights().fit(counts).idf_ == pytest.approx(theirs.idf_ - 1)


def test_terms_never_seen(counts: sparse.csr_matrix) -> None:
    """A term that is new in the test set weighs nothing, and a document without known terms is all zero."""
    empty = sparse.csr_matrix((40, 1))
    fitted = TermWeights().fit(sparse.hstack([counts, empty]))
    asked = sparse.csr_matrix(np.eye(31)[-1:])

    assert fitted.transform(asked).toarray() == pytest.approx(np.zeros((1, 31)))


def test_nnn_is_the_counts(counts: sparse.csr_matrix) -> None:
    """No weighting is none, and what was given stays as it was."""
    before = counts.copy()
    TermWeights("ltc").fit_transform(counts)

    assert (TermWeights("nnn").fit_transform(counts) != counts).nnz == 0
    assert (before != counts).nnz == 0


def test_chi_square(counts: sparse.csr_matrix, marks: np.ndarray) -> None:
    """The greatest over the categories, each as SciPy has it without continuity correction."""
    found = chi_square(counts, marks)

    present = counts.toarray() > 0
    for term in range(30):
        tables = [[[np.sum((present[:, term] == t) & (mark == c)) for c in (1, 0)] for t in (1, 0)] for mark in marks.T]
        assert found[term] == pytest.approx(
            max(stats.chi2_contingency(table, correction=False).statistic for table in tables)
        )


def test_information_gain(counts: sparse.csr_matrix, marks: np.ndarray) -> None:
    """The sum over the categories of the mutual information, each as scikit-learn has it."""
    found = information_gain(counts, marks)

    present = counts.toarray() > 0
    for term in range(30):
        assert found[term] == pytest.approx(sum(mutual_info_score(present[:, term], mark) for mark in marks.T))


def test_terms_in_all_documents_say_nothing() -> None:
    """A term that every document has, or none, scores zero, and not nan."""
    terms = np.array([[1, 0, 2], [1, 0, 0], [3, 0, 1], [1, 0, 0]])
    categories = np.array([[1], [0], [1], [0]])

    assert chi_square(terms, categories) == pytest.approx([0, 0, 4])
    assert information_gain(terms, categories) == pytest.approx([0, 0, np.log(2)])


@pytest.mark.parametrize("by", ["chi_square", "information_gain"])
def test_selection(counts: sparse.csr_matrix, marks: np.ndarray, by: str) -> None:
    """The best terms are kept, in their order; a clone has the same parameters; all stay if there are no more."""
    chosen = clone(TermSelection(by, 7)).fit(counts, marks)

    kept = np.flatnonzero(chosen.get_support())
    assert len(kept) == 7
    assert chosen.scores_[kept].min() >= np.delete(chosen.scores_, kept).max()
    assert chosen.transform(counts).toarray() == pytest.approx(counts.toarray()[:, kept])
    assert TermSelection(by, 99).fit(counts, marks).transform(counts).shape == (40, 30)


def test_unknown_names(counts: sparse.csr_matrix, marks: np.ndarray) -> None:
    with pytest.raises(InputError, match="scheme"):
        TermWeights("ltn").fit(counts)
    with pytest.raises(InputError, match="selected"):
        TermSelection("df").fit(counts, marks)
