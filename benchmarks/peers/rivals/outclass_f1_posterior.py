"""outclass: the paired posterior of the difference in F1."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "f1_posterior"
CALL = "compare(truth, a, b)"
PAIRED = True


def answer(data, seed):
    found = oc.compare(data["truth"], data["a"], data["b"]).difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
