"""deepsig: almost stochastic order of the scores of folds."""

from deepsig import aso

REQUIRES = ["deepsig"]
QUESTION = "cross_validation"
CALL = "aso(scores_a, scores_b) < 0.2: one-sided; treats folds as independent"
PAIRED = False


def answer(data, seed):
    return {"alarm": aso(data["a"], data["b"], seed=seed, show_progress=False) < 0.2}
