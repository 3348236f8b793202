"""statkit: the paired permutation test of the AUC, a thousand swaps by default."""

from sklearn.metrics import roc_auc_score
from statkit.non_parametric import paired_permutation_test

REQUIRES = ["statkit"]
QUESTION = "auc_test"
CALL = "paired_permutation_test(metric=roc_auc_score)"
PAIRED = True


def answer(data, seed):
    scores = data["score_a"], data["score_b"]
    p = paired_permutation_test(data["truth"], *scores, metric=roc_auc_score, random_state=seed)
    return {"p": p, "alarm": p <= 0.05}
