"""deepsig: the permutation test of who is right on each item; one-sided, that A is better."""

from deepsig import permutation_test

REQUIRES = ["deepsig"]
QUESTION = "resampled_test"
CALL = "permutation_test(right_a, right_b): accuracy, one-sided"
PAIRED = True


def answer(data, seed):
    a, b = ((data[name] == data["truth"]).astype(float) for name in "ab")
    p = permutation_test(a, b, seed=seed)
    return {"p": p, "alarm": p <= 0.05}
