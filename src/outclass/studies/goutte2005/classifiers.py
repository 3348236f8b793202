"""The paper's support vector machines."""

from collections.abc import Callable
from functools import cache, partial
from typing import Final

import numpy as np

from outclass.errors import MissingExtraError
from outclass.studies.corpora import LabelledCorpus

# The paper does not give C. SVMlight's own is 1 for rows of length 1. For raw counts it would be .006 and .00002, with
# which results are worse than the paper's; these come near them. The table of costs shows how much depends on it.
COSTS: Final = {"linear_ltc": 1.0, "linear_nnn": 0.1, "quadratic_nnn": 5e-5, "quadratic_ltc": 1.0}
FACTORS: Final = (0.1, 10.0)  # of the cost, for the table of costs


def other_costs(system: str) -> list[float]:
    """Return the costs that are tried beside a system's own."""
    return [factor * COSTS[system] for factor in FACTORS]


def trained(corpus: LabelledCorpus) -> Callable[[str, float], np.ndarray]:
    """Return a function that trains a system at a cost, and predicts the test set: a row of 0 and 1 a document."""
    try:
        from sklearn.svm import SVC

        from outclass.studies.features import TermWeights, stem_counts
        from outclass.studies.methods import EachCategory
    except ImportError:
        raise MissingExtraError.named("studies", "Training the papers' classifiers") from None

    counts = cache(partial(stem_counts, corpus))

    kept: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def products(scheme: str) -> tuple[np.ndarray, np.ndarray]:
        """The inner products of documents; of one scheme at a time, for these are a gigabyte."""
        if scheme not in kept:
            kept.clear()
            weights = TermWeights(scheme).fit(counts()[0])
            train, test = (weights.transform(part) for part in counts())
            kept[scheme] = (train @ train.T).toarray(), (test @ train.T).toarray()
        return kept[scheme]

    def ask(system: str, cost: float) -> np.ndarray:
        kernel, _, scheme = system.partition("_")
        train, test = products(scheme)
        if kernel == "quadratic":
            train, test = (train + 1) ** 2, (test + 1) ** 2
        machine = SVC(kernel="precomputed", C=cost, cache_size=500)
        return EachCategory(machine, n_jobs=-1).fit(train, corpus.marks("train")).predict(test)

    return ask
