"""outclass: the correlated model of folds."""

import numpy as np

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "cross_validation"
CALL = 'compare(scores(columns, fold="fold", repeat="repeat"))'
PAIRED = True


def answer(data, seed):
    repeat, fold = np.divmod(np.arange(len(data["a"])), 10)
    columns = {"a": data["a"], "b": data["b"], "fold": fold, "repeat": repeat}
    found = oc.compare(oc.scores(columns, fold="fold", repeat="repeat")).difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
