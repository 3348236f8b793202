"""The papers' classifiers, against brute force and against scikit-learn where it has the same."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import normalize

from outclass.errors import InputError
from outclass.studies.features import TermSelection, TermWeights
from outclass.studies.methods import (
    EachCategory,
    LeastSquaresFit,
    NaiveBayes,
    NearestNeighbours,
    Thresholded,
    thresholds,
)


@pytest.fixture(scope="module")
def world() -> tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]:
    """Training documents, their categories, and documents to ask about: counts that go with the categories."""
    rng = np.random.default_rng(5)
    marks = (rng.random((220, 4)) < [0.5, 0.3, 0.2, 0.15]).astype(int)
    marks[~marks.any(axis=1), 0] = 1
    rates = rng.gamma(0.5, 1.0, (4, 25))
    counts = sparse.csr_matrix(rng.poisson(0.1 + marks @ rates * 0.5))
    return counts[:160], marks[:160], counts[160:]


def test_nearest_neighbours(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """A category's score is the sum of the cosines of its neighbours, who are those of scikit-learn."""
    rng = np.random.default_rng(7)  # no ties
    marks = world[1]
    train, asked = (normalize(sparse.csr_matrix(rng.random((many, 25)))) for many in (160, 60))
    found = NearestNeighbours(k=9).fit(train, marks).decision_function(asked)

    distances, places = NearestNeighbors(n_neighbors=9, metric="cosine", algorithm="brute").fit(train).kneighbors(asked)
    for row in range(asked.shape[0]):
        assert found[row] == pytest.approx(((1 - distances[row])[:, None] * marks[places[row]]).sum(axis=0))


def test_more_neighbours_than_documents(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """Then all of them vote."""
    train, marks, asked = normalize(world[0].astype(float)), world[1], normalize(world[2].astype(float))
    found = NearestNeighbours(k=5_000).fit(train, marks).decision_function(asked)

    assert found == pytest.approx((asked @ train.T).toarray() @ marks)
    with pytest.raises(InputError, match="at least 1"):
        NearestNeighbours(k=0).fit(train, marks)


@pytest.mark.parametrize("kept", [3, 10, 500])
def test_least_squares_fit(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix], kept: int) -> None:
    """The pseudo-inverse through the largest singular values, as NumPy decomposes."""
    train, marks, asked = world
    found = LeastSquaresFit(kept).fit(train, marks)

    u, s, v = np.linalg.svd(train.toarray(), full_matrices=False)
    size = min(kept, len(s))
    coefficients = v[:size].T @ ((u[:, :size].T @ marks) / s[:size, None])
    assert found.coef_ == pytest.approx(coefficients, abs=1e-8)
    assert found.decision_function(asked) == pytest.approx(asked.toarray() @ coefficients, abs=1e-7)


def test_least_squares_of_dependent_terms() -> None:
    """Two terms that are always together share the weight; nothing is divided by zero."""
    train = np.array([[1.0, 1, 0], [2, 2, 0], [0, 0, 1]])
    found = LeastSquaresFit(3).fit(train, np.array([[1], [1], [0]]))

    assert found.coef_.ravel() == pytest.approx(np.linalg.lstsq(train, [1, 1, 0])[0])


def test_naive_bayes(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """With one category a document: the log odds of scikit-learn's multinomial naive Bayes with the same prior."""
    train, asked = world[0], world[2]
    labels = world[1].argmax(axis=1)
    own = NaiveBayes(alpha=0.5).fit(train, np.eye(4)[labels])

    theirs = MultinomialNB(alpha=0.5, class_prior=np.exp(own.prior_)).fit(train, labels)
    shares = theirs.predict_proba(asked)
    sure = (shares > 1e-9) & (shares < 1 - 1e-9)
    assert sure.any()
    assert own.decision_function(asked)[sure] == pytest.approx(np.log(shares / (1 - shares))[sure], rel=1e-5)


def test_naive_bayes_is_finite_when_it_is_sure() -> None:
    """Odds of a thousand nats are told apart."""
    train = np.array([[9, 0], [0, 9], [9, 0]])
    own = NaiveBayes(alpha=1e-3).fit(train, np.array([[1, 0], [0, 1], [1, 0]]))
    first, second = own.decision_function(np.array([[100, 0], [200, 0]]))

    assert np.isfinite([*first, *second]).all()
    assert second[0] > first[0] > 0 > first[1] > second[1]


def test_each_category(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """As scikit-learn's one against the rest; in threads or not."""
    train, marks, asked = world
    machine = LogisticRegression(max_iter=500)
    theirs = OneVsRestClassifier(machine).fit(train, marks)

    for jobs in (None, 2):
        own = EachCategory(clone(machine), n_jobs=jobs).fit(train, marks)
        assert own.decision_function(asked) == pytest.approx(theirs.decision_function(asked))
        assert (own.predict(asked) == theirs.predict(asked)).all()


def test_a_category_never_seen(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """It is never assigned, whatever is asked."""
    train, marks, asked = world
    marks = np.column_stack([marks, np.zeros(160, dtype=int)])
    own = EachCategory(LogisticRegression(max_iter=500)).fit(train, marks)

    assert (own.decision_function(asked)[:, 4] == -np.inf).all()
    assert not own.predict(asked)[:, 4].any()
    tuned = Thresholded(EachCategory(LogisticRegression(max_iter=500)), folds=3).fit(train, marks)
    assert not tuned.predict(asked)[:, 4].any()


def _best_f1(scores: np.ndarray, marks: np.ndarray) -> float:
    found = 0.0
    for cut in scores:
        said = scores >= cut
        found = max(found, 2 * (said & (marks > 0)).sum() / (said.sum() + marks.sum()))
    return found


def test_thresholds_are_the_best() -> None:
    """No cut has a greater F1; ties in the scores are not cut."""
    rng = np.random.default_rng(6)
    for _ in range(200):
        scores = rng.integers(0, 8, (30, 1)) / 2.0
        marks = (rng.random((30, 1)) < 0.3).astype(int)
        if not marks.any():
            continue
        cut, f1 = thresholds(scores, marks)
        said = scores > cut

        assert f1[0] == pytest.approx(_best_f1(scores[:, 0], marks[:, 0]))
        assert f1[0] == pytest.approx(2 * (said & (marks > 0)).sum() / (said.sum() + marks.sum()))


def test_a_poor_category_is_given_up() -> None:
    """Below the floor the threshold is one that nothing passes; a category without positives has none either."""
    scores = np.array([[3.0, 3, 1], [2, 2, 2], [1, 1, 3]])
    marks = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0]])
    cut, f1 = thresholds(scores, marks, floor=0.6)

    assert f1 == pytest.approx([1.0, 0.5, 0.0])
    assert cut[0] == 2.5
    assert np.isinf(cut[1:]).all()
    assert np.isfinite(thresholds(scores, marks)[0][1])


@pytest.mark.parametrize("folds", [1, 5])
def test_thresholded(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix], folds: int) -> None:
    """Held-out scores tune the cuts, everything trains the scores; the same seed gives the same answer."""
    train, marks, asked = world
    own = Thresholded(NaiveBayes(), folds=folds, floor=0.0).fit(train, marks)

    assert own.decision_function(asked) == pytest.approx(
        NaiveBayes().fit(train, marks).decision_function(asked) - own.thresholds_
    )
    assert ((own.decision_function(asked) > 0) == own.predict(asked)).all()
    assert (clone(own).fit(train, marks).predict(asked) == own.predict(asked)).all()
    assert (own.held_out_f1_ > 0.3).all()


def test_grid_search(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """They take part in scikit-learn's searches, whose best is the best by hand."""
    train, marks, _ = world
    for estimator, name in ((EachCategory(MultinomialNB()), "estimator__alpha"), (Thresholded(NaiveBayes()), "floor")):
        search = GridSearchCV(estimator, {name: [0.01, 1.0]}, scoring="f1_macro", cv=3, error_score="raise")
        search.fit(train, marks)
        scores = search.cv_results_["mean_test_score"]

        assert np.isfinite(scores).all()
        assert search.best_params_[name] == [0.01, 1.0][int(np.argmax(scores))]


@pytest.mark.parametrize("y", [[0, 1, 2] * 40, ["a", "b", "c"] * 40, [[0.5]] * 120, [[1]] * 119])
def test_targets_are_marks(y: list[object]) -> None:
    """Anything but a matrix of 0 and 1 is refused, with what to do."""
    counts = sparse.csr_matrix(np.ones((120, 3)))
    for estimator in (NearestNeighbours(), LeastSquaresFit(), NaiveBayes(), Thresholded(NaiveBayes()), TermSelection()):
        with pytest.raises(InputError, match="MultiLabelBinarizer"):
            estimator.fit(counts, y)


def test_texts_in_a_pipeline(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """A pipeline may begin with texts, also within thresholds."""
    train, marks, _ = world
    texts = [" ".join(f"w{term}" for term in row.indices for _ in range(2)) for row in train]
    steps = make_pipeline(CountVectorizer(), TermWeights(), NearestNeighbours(9))
    found = Thresholded(steps).fit(texts, marks).predict(texts)

    assert found.shape == marks.shape
    assert (found == marks).mean() > 0.7


def test_predictions_without_thresholds(world: tuple[sparse.csr_matrix, np.ndarray, sparse.csr_matrix]) -> None:
    """Each has a natural cut of its own, and `score` works."""
    train, marks, asked = world
    for estimator in (NearestNeighbours(9), LeastSquaresFit(), NaiveBayes()):
        found = estimator.fit(normalize(train.astype(float)), marks).predict(asked)
        assert set(np.unique(found)) <= {0, 1}
        assert 0 <= estimator.score(normalize(train.astype(float)), marks) <= 1
