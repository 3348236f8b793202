"""statkit: the paired permutation test of F1, a thousand swaps by default."""

from sklearn.metrics import f1_score
from statkit.non_parametric import paired_permutation_test

REQUIRES = ["statkit"]
QUESTION = "resampled_test"
CALL = "paired_permutation_test(metric=f1_score)"
PAIRED = True


def answer(data, seed):
    p = paired_permutation_test(data["truth"], data["a"], data["b"], metric=f1_score, random_state=seed)
    return {"p": p, "alarm": p <= 0.05}
