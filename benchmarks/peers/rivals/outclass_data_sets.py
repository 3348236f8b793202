"""outclass: the signed-rank model of data sets."""

import numpy as np

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "data_sets"
CALL = 'compare(scores(columns, data_set="set"))'
PAIRED = True


def answer(data, seed):
    columns = {"a": data["a"], "b": data["b"], "set": np.arange(len(data["a"]))}
    found = oc.compare(oc.scores(columns, data_set="set")).difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
