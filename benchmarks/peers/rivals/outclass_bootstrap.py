"""outclass: the bootstrap test of F1."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "resampled_test"
CALL = 'test(truth, a, b, tests="bootstrap"): BCa'
PAIRED = True


def answer(data, seed):
    (found,) = oc.test(data["truth"], data["a"], data["b"], tests="bootstrap").rows
    p, (low, high) = found.p_value, found.interval
    return {"p": p, "low": low, "high": high, "alarm": p <= 0.05}
