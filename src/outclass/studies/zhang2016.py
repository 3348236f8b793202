"""Zhang et al. 2016, section 4.2: four classifiers on 20 Newsgroups, their predictions as the demo data set.

The paper's parameters, found by its authors with cross-validation. Counts are L2-normalised; they are not weighted by
TF-IDF, whatever the paper says: only so do its printed numbers come out.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from outclass.errors import MissingExtraError
from outclass.studies.corpora import Corpus


def classifiers() -> Mapping[str, Any]:
    """Return the paper's four classifiers by name."""
    try:
        from sklearn.naive_bayes import BernoulliNB, MultinomialNB
        from sklearn.svm import LinearSVC
    except ImportError:
        raise MissingExtraError.named("studies", "Training the papers' classifiers") from None
    return {
        "nb_bern": BernoulliNB(alpha=1e-14, force_alpha=True),
        "nb_mult": MultinomialNB(alpha=1e-3),
        # The L1 solver visits the features in random order and stops a little short of its optimum, which moves F1 of a
        # class by up to .004. The paper does not give its seed; of those tried, this one comes nearest to its Table 5.
        "svm_l1": LinearSVC(penalty="l1", C=4, dual=False, random_state=11),
        "svm_l2": LinearSVC(penalty="l2", C=2, dual=False, random_state=0),
    }


def predictions(corpus: Corpus, progress: Callable[[str], None] = lambda name: None) -> dict[str, list[str]]:
    """Train the four classifiers and return the truth and their predictions on the test set."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer()
    train = normalize(vectorizer.fit_transform(corpus.train_texts))
    test = normalize(vectorizer.transform(corpus.test_texts))
    found = {"truth": list(corpus.test_labels)}
    for name, classifier in classifiers().items():
        progress(name)
        found[name] = [str(label) for label in classifier.fit(train, corpus.train_labels).predict(test)]
    return found


def write_predictions(found: Mapping[str, list[str]], path: Path) -> None:
    """Write predictions as a small Parquet file: labels only."""
    import duckdb
    import pyarrow as pa

    table = pa.table({name: pa.array(labels).dictionary_encode() for name, labels in found.items()})
    duckdb.from_arrow(table).write_parquet(str(path), compression="zstd")
