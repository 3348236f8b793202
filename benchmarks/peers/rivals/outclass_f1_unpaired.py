"""outclass: the same difference in F1 as if each system had its own test set."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "f1_posterior"
CALL = 'compare(truth, a, b, model="unpaired")'
PAIRED = False


def answer(data, seed):
    found = oc.compare(data["truth"], data["a"], data["b"], model="unpaired").difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
