"""From texts to numbers, as the papers do it: stems, term weights, and the terms that tell categories apart.

Every step has scikit-learn's interface, so that it goes into anybody's pipeline. (scikit-learn has no types: what is
made of its classes is not checked as such.)
"""

import re
from functools import lru_cache
from typing import Any, Final

import numpy as np

from outclass.errors import InputError, MissingExtraError

try:
    from nltk.stem.porter import PorterStemmer
    from scipy import sparse
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer
    from sklearn.feature_selection import SelectorMixin
    from sklearn.preprocessing import normalize
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise MissingExtraError.named("studies", "Making features of texts") from None

WORD: Final = re.compile(r"[a-z]+(?:-[a-z]+)*|[0-9]+", re.IGNORECASE)
SCHEMES: Final = ("ltc", "nnn")
SELECTIONS: Final = ("chi_square", "information_gain")


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return PorterStemmer()


def stems(text: str) -> list[str]:
    """Return the stems (Porter) of the words of a text, without stop words and numbers."""
    words = (word.lower() for word in WORD.findall(text))
    return [_stem(word) for word in words if not word[0].isdigit() and len(word) > 1 and word not in ENGLISH_STOP_WORDS]


def stem_counts(corpus: Any) -> tuple[Any, Any]:
    """Return how often each stem of the training texts is in every document, of the training and of the test texts."""
    vectorizer = CountVectorizer(analyzer=stems)
    return vectorizer.fit_transform(corpus.train_texts), vectorizer.transform(corpus.test_texts)


class TermWeights(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """Weights of terms in SMART notation, from counts.

    Parameters
    ----------
    scheme
        'ltc': (1 + log tf) log(N / df), rows of length 1. 'nnn': the counts as they are.
    """

    def __init__(self, scheme: str = "ltc") -> None:
        self.scheme = scheme

    def fit(self, X: Any, y: Any = None) -> "TermWeights":
        """Learn in how many documents each term is."""
        del y
        if self.scheme not in SCHEMES:
            raise InputError(f"the scheme of term weights must be one of {SCHEMES}, got {self.scheme!r}.")
        found = sparse.csc_matrix(X, copy=True)
        found.eliminate_zeros()
        if found.nnz and found.data.min() < 0:
            raise InputError("counts of terms are not negative.")
        in_documents = np.diff(found.indptr)
        with np.errstate(divide="ignore"):
            weights = np.log(found.shape[0] / in_documents)
        # A term that no document of the training set has says nothing.
        self.idf_ = np.where(in_documents > 0, weights, 0.0)
        self.n_features_in_ = found.shape[1]
        return self

    def transform(self, X: Any) -> Any:
        """Weigh the terms of documents."""
        check_is_fitted(self)
        found = sparse.csr_matrix(X, dtype=float, copy=True)
        found.eliminate_zeros()
        if self.scheme == "nnn":
            return found
        found.data = 1 + np.log(found.data)
        return normalize(found.multiply(self.idf_).tocsr(), copy=False)


def marks_of(y: Any, rows: int) -> np.ndarray:
    """Return categories as a matrix of 0 and 1, a row a document; anything else is rejected."""
    try:
        found = np.asarray(y.toarray() if sparse.issparse(y) else y, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 2 or len(found) != rows or not np.isin(found, (0.0, 1.0)).all():
        raise InputError(
            f"categories are given as a matrix of 0 and 1, {rows:,} rows and a column for each category; use "
            "sklearn.preprocessing.MultiLabelBinarizer or LabelBinarizer to make one."
        )
    return found


def _presence(X: Any, Y: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Count, of every term and category: documents with both, with the term, of the category, and all."""
    terms = sparse.csr_matrix(X, dtype=float, copy=True)
    terms.eliminate_zeros()
    terms.data[:] = 1
    marks = marks_of(Y, terms.shape[0])
    return np.asarray(terms.T @ marks), np.asarray(terms.sum(axis=0)).ravel(), marks.sum(axis=0), terms.shape[0]


def chi_square(X: Any, Y: Any) -> np.ndarray:
    """Return, of every term, the greatest chi-square of its presence against a category (Yang & Pedersen 1997)."""
    both, term, category, n = _presence(X, Y)
    only_term, only_category = term[:, None] - both, category[None, :] - both
    neither = n - both - only_term - only_category
    below = term[:, None] * category[None, :] * (n - term)[:, None] * (n - category)[None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        found = n * (both * neither - only_term * only_category) ** 2 / below
    return np.asarray(np.nan_to_num(found, nan=0.0).max(axis=1))


def information_gain(X: Any, Y: Any) -> np.ndarray:
    """Return, of every term, the mutual information (nats) of its presence and each category, summed over these."""
    both, term, category, n = _presence(X, Y)
    only_term, only_category = term[:, None] - both, category[None, :] - both
    cells = (
        (both, term[:, None], category[None, :]),
        (only_term, term[:, None], n - category[None, :]),
        (only_category, n - term[:, None], category[None, :]),
        (n - both - only_term - only_category, n - term[:, None], n - category[None, :]),
    )
    total = np.zeros(both.shape[0])
    for cell, row, column in cells:
        with np.errstate(invalid="ignore", divide="ignore"):
            part = cell / n * np.log(n * cell / (row * column))
        total += np.where(cell > 0, part, 0.0).sum(axis=1)
    return total


class TermSelection(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """Keep the terms that tell most about the categories.

    Parameters
    ----------
    by
        'chi_square' (the greatest over the categories) or 'information_gain'.
    size
        How many to keep; all, if there are no more.
    """

    def __init__(self, by: str = "chi_square", size: int = 1_000) -> None:
        self.by = by
        self.size = size

    def fit(self, X: Any, y: Any) -> "TermSelection":
        """Score the terms against categories: a column of 0 and 1 each."""
        if self.by not in SELECTIONS:
            raise InputError(f"terms are selected by one of {SELECTIONS}, got {self.by!r}.")
        self.scores_ = {"chi_square": chi_square, "information_gain": information_gain}[self.by](X, y)
        self.n_features_in_ = len(self.scores_)
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        # Stable, so that equal scores fall the same way everywhere.
        mask[np.argsort(-self.scores_, kind="stable")[: self.size]] = True
        return mask
