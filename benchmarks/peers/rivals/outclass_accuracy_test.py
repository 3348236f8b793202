"""outclass: the paired posterior of the difference in accuracy."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "accuracy_test"
CALL = 'compare(truth, a, b, measure="accuracy")'
PAIRED = True


def answer(data, seed):
    found = oc.compare(data["truth"], data["a"], data["b"], measure="accuracy").difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
