"""outclass: McNemar's test alone, with its interval."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "accuracy_test"
CALL = 'test(truth, a, b, tests="mcnemar_midp")'
PAIRED = True


def answer(data, seed):
    (found,) = oc.test(data["truth"], data["a"], data["b"], tests="mcnemar_midp").rows
    p, (low, high) = found.p_value, found.interval
    return {"p": p, "low": low, "high": high, "alarm": p <= 0.05}
