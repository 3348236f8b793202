"""MLstatkit: the permutation test of F1, a thousand swaps by default; of the positive class, as everybody else."""

from MLstatkit import Permutation_test

REQUIRES = ["MLstatkit"]
QUESTION = "resampled_test"
CALL = 'Permutation_test(metric_str="f1", average="binary")'
PAIRED = True


def answer(data, seed):
    labels = data["truth"], data["a"], data["b"]
    p = Permutation_test(*labels, metric_str="f1", average="binary", random_state=seed)[2]
    return {"p": p, "alarm": p <= 0.05}
