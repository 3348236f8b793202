"""outclass: the posterior of the difference in AUC, by weights on items."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "auc_test"
CALL = 'compare(scores(columns, truth="truth")): posterior and DeLong\'s test'
PAIRED = True


def answer(data, seed):
    columns = {"truth": data["truth"], "a": data["score_a"], "b": data["score_b"]}
    found = oc.compare(oc.scores(columns, truth="truth")).difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
