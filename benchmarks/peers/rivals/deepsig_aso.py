"""deepsig: almost stochastic order of rightness; one-sided, below the threshold its documentation recommends."""

from deepsig import aso

REQUIRES = ["deepsig"]
QUESTION = "resampled_test"
CALL = "aso(right_a, right_b) < 0.2: accuracy, one-sided"
PAIRED = False


def answer(data, seed):
    a, b = ((data[name] == data["truth"]).astype(float) for name in "ab")
    return {"alarm": aso(a, b, seed=seed, show_progress=False) < 0.2}
