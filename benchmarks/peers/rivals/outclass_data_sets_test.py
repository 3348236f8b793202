"""outclass: Wilcoxon's test over data sets."""

import numpy as np

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "data_sets"
CALL = 'test(scores(columns, data_set="set"), tests="wilcoxon")'
PAIRED = True


def answer(data, seed):
    columns = {"a": data["a"], "b": data["b"], "set": np.arange(len(data["a"]))}
    found = oc.test(oc.scores(columns, data_set="set"), tests="wilcoxon").rows[0]
    return {"p": found.p_value, "alarm": found.p_value <= 0.05}
