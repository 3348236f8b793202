"""The classifiers of the papers, with scikit-learn's interface: categories are columns of 0 and 1, answers are scores.

What scikit-learn has is used as it is; here is what it has not: nearest neighbours that vote by similarity, the linear
least squares fit, naive Bayes over documents with several categories, and thresholds by category.
"""

import warnings
from typing import Any

import numpy as np

from outclass.errors import InputError, MissingExtraError
from outclass.studies.features import marks_of

try:
    from joblib import Parallel, delayed
    from scipy import linalg, sparse, special
    from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import KFold
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise MissingExtraError.named("studies", "Training the papers' classifiers") from None

ROWS = 512  # documents compared with the training set at a time


class NearestNeighbours(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """k nearest neighbours as in Yang: a category's score is the sum of the cosines of the neighbours that have it."""

    def __init__(self, k: int = 45) -> None:
        self.k = k

    def fit(self, X: Any, y: Any) -> "NearestNeighbours":
        """Keep the documents, whose rows have length 1, and their categories."""
        if self.k < 1:
            raise InputError(f"k must be at least 1, got {self.k}.")
        self.documents_ = sparse.csr_matrix(X)
        self.categories_ = marks_of(y, self.documents_.shape[0])
        self.n_features_in_ = self.documents_.shape[1]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return a score for each category."""
        check_is_fitted(self)
        asked = sparse.csr_matrix(X)
        k = min(self.k, self.documents_.shape[0])
        found = np.empty((asked.shape[0], self.categories_.shape[1]))
        for start in range(0, asked.shape[0], ROWS):
            near = (asked[start : start + ROWS] @ self.documents_.T).toarray()
            # The sort is stable, so that ties fall the same way everywhere.
            best = np.argsort(-near, axis=1, kind="stable")[:, :k]
            weights = np.take_along_axis(near, best, axis=1)
            found[start : start + ROWS] = np.einsum("ij,ijc->ic", weights, self.categories_[best])
        return found

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where more than half of the neighbours have a category, weighed by their cosines."""
        everyone = NearestNeighbours(self.k).fit(self.documents_, np.ones((len(self.categories_), 1)))
        return (2 * self.decision_function(X) > everyone.decision_function(X)).astype(int)


class LeastSquaresFit(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """The linear least squares fit of Yang & Chute: categories regressed on terms through the largest singular values.

    The matrix is that of `numpy.linalg.lstsq` on a truncated singular value decomposition, taken from the eigenvectors
    of the terms' Gram matrix.
    """

    def __init__(self, singular_values: int = 500) -> None:
        self.singular_values = singular_values

    def fit(self, X: Any, y: Any) -> "LeastSquaresFit":
        """Find the matrix from terms to categories."""
        terms = sparse.csr_matrix(X, dtype=float)
        marks = marks_of(y, terms.shape[0])
        gram = (terms.T @ terms).toarray()
        size = gram.shape[0]
        kept = min(self.singular_values, size)
        values, vectors = linalg.eigh(gram, subset_by_index=(size - kept, size - 1))
        # Directions in which the documents do not vary are no evidence.
        real = values > values.max(initial=0.0) * size * np.finfo(float).eps
        values, vectors = values[real], vectors[:, real]
        self.coef_ = vectors @ ((vectors.T @ (terms.T @ marks)) / values[:, None])
        self.n_features_in_ = size
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return a score for each category: about 1 for yes, 0 for no."""
        check_is_fitted(self)
        return np.asarray(sparse.csr_matrix(X) @ self.coef_)

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where the fit is nearer to yes than to no."""
        return (self.decision_function(X) > 0.5).astype(int)


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """Multinomial naive Bayes over documents with several categories: log odds of a category against the others.

    A document counts for each of its categories. The score is log P(c | d) - log(1 - P(c | d)) of a mixture with one
    component a category.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: Any, y: Any) -> "NaiveBayes":
        """Count terms by category."""
        terms = sparse.csr_matrix(X, dtype=float)
        marks = marks_of(y, terms.shape[0])
        counts = np.asarray((terms.T @ marks).T) + self.alpha
        self.terms_ = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))
        documents = marks.sum(axis=0) + 1.0
        self.prior_ = np.log(documents) - np.log(documents.sum())
        self.n_features_in_ = counts.shape[1]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the log odds of each category."""
        check_is_fitted(self)
        joint = np.asarray(sparse.csr_matrix(X) @ self.terms_.T) + self.prior_
        found = joint - special.logsumexp(joint, axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            found -= np.log1p(-np.minimum(np.exp(found), 1.0))
        # Of the likeliest category the others' sum would be lost in rounding: it is taken without it.
        lead = joint.argmax(axis=1)[:, None]
        others = joint.copy()
        np.put_along_axis(others, lead, -np.inf, axis=1)
        best = np.take_along_axis(joint, lead, axis=1) - special.logsumexp(others, axis=1, keepdims=True)
        np.put_along_axis(found, lead, best, axis=1)
        return np.asarray(found)

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where a category is likelier than all others together."""
        return (self.decision_function(X) > 0).astype(int)


class EachCategory(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """One classifier of two classes for each category; a category never seen has the score -inf.

    With `n_jobs` these are trained in threads. Those of LIBLINEAR draw from one generator, so that the answer then
    depends on which comes first: train them one by one.
    """

    def __init__(self, estimator: Any, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> "EachCategory":
        """Train one for each column of y."""
        marks = marks_of(y, X.shape[0]).astype(int)
        self.estimators_ = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(_fitted)(self.estimator, X, column) for column in marks.T
        )
        self.classes_ = np.arange(marks.shape[1])
        self.n_features_in_ = X.shape[1]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return a score for each category."""
        check_is_fitted(self)
        none = np.full(X.shape[0], -np.inf)
        return np.column_stack([none if one is None else _scores(one, X) for one in self.estimators_])

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where a category's own classifier says so."""
        check_is_fitted(self)
        none = np.zeros(X.shape[0], dtype=int)
        return np.column_stack([none if one is None else one.predict(X) for one in self.estimators_])


def _fitted(estimator: Any, X: Any, marks: np.ndarray) -> Any:
    return clone(estimator).fit(X, marks) if marks.any() and not marks.all() else None


def _scores(estimator: Any, X: Any) -> np.ndarray:
    """Return scores, however a classifier gives them."""
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X))
    found = np.asarray(estimator.predict_proba(X))
    classes = getattr(estimator, "classes_", ())
    return found[:, 1] if found.shape[1] == 2 and len(classes) == 2 and list(classes) == [0, 1] else found


class Thresholded(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """A threshold for each category, tuned for F1 on held-out parts of the training set (SCut, Yang 2001).

    Parameters
    ----------
    estimator
        Gives scores (`decision_function` or `predict_proba`), a column for each category.
    folds
        The training set is scored in so many parts, each by a classifier that has not seen it; all scores together
        tune the thresholds. 1 holds out one third.
    floor
        A category whose F1 stays below it on held-out documents is never assigned (the fall-back of Yang's FBR):
        a threshold tuned on noise would assign it to everything.
    random_state
        How the parts are drawn.
    """

    def __init__(self, estimator: Any, folds: int = 5, floor: float = 0.3, random_state: int = 0) -> None:
        self.estimator = estimator
        self.folds = folds
        self.floor = floor
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Thresholded":
        """Tune the thresholds, then train on everything."""
        size = X.shape[0] if hasattr(X, "shape") else len(X)
        marks = marks_of(y, size).astype(int)
        folds = 3 if self.folds == 1 else self.folds
        if size < folds:
            raise InputError(f"{size} documents are too few to be held out in {folds} parts.")
        parts = list(KFold(folds, shuffle=True, random_state=self.random_state).split(np.arange(size)))
        held, scores = [], []
        for train, test in parts[:1] if self.folds == 1 else parts:
            held.append(marks[test])
            scores.append(_scores(clone(self.estimator).fit(_rows(X, train), marks[train]), _rows(X, test)))
        self.thresholds_, self.held_out_f1_ = thresholds(np.vstack(scores), np.vstack(held), self.floor)
        self.estimator_ = clone(self.estimator).fit(X, marks)
        self.classes_ = np.arange(marks.shape[1])
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores, less the thresholds."""
        check_is_fitted(self)
        return np.asarray(_scores(self.estimator_, X) - self.thresholds_)

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where a category is assigned."""
        with np.errstate(invalid="ignore"):
            return (self.decision_function(X) > 0).astype(int)


def _rows(X: Any, places: np.ndarray) -> Any:
    """Return some documents, of a matrix or of a list of texts."""
    return X[places] if hasattr(X, "shape") else [X[place] for place in places]


def thresholds(scores: np.ndarray, marks: np.ndarray, floor: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return, of every category, the threshold with the greatest F1, and that F1; inf where it is below the floor.

    A threshold lies halfway between the scores it separates.
    """
    found, best = np.full(scores.shape[1], np.inf), np.zeros(scores.shape[1])
    for category in range(scores.shape[1]):
        order = np.argsort(-scores[:, category], kind="stable")
        ranked, hits = scores[order, category], np.cumsum(marks[order, category])
        # A cut between equal scores is none.
        cuts = np.flatnonzero(np.append(ranked[:-1] > ranked[1:], True) & (ranked > -np.inf))
        if not len(cuts) or not hits[-1]:
            continue
        f1 = 2 * hits[cuts] / (cuts + 1 + hits[-1])
        at = cuts[int(np.argmax(f1))]
        best[category] = f1.max()
        if best[category] >= floor:
            below = ranked[at + 1] if at + 1 < len(ranked) and ranked[at + 1] > -np.inf else ranked[at] - 1.0
            found[category] = (ranked[at] + below) / 2
    return found, best


def quietly(estimator: Any, X: Any, y: Any) -> Any:
    """Train, and keep it quiet about having stopped short of the optimum: the papers stop there on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, y)
