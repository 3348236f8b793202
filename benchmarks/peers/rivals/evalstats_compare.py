"""evalstats: its automatic comparison of two models on the same items."""

import evalstats as es
import numpy as np
import pandas as pd

REQUIRES = ["evalstats"]
QUESTION = "accuracy_test"
CALL = 'compare(load_from(frame), factors="model"); its own "significant" flag'
PAIRED = True
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    right = [(data[name] == data["truth"]).astype(int) for name in "ab"]
    items = np.arange(len(right[0]))
    frame = pd.DataFrame({
        "model": np.repeat(["a", "b"], len(items)),
        "item": np.tile(items, 2),
        "score": np.concatenate(right),
    })  # fmt: skip
    (found,) = es.compare(es.load_from(frame), factors="model").to_dict()["pairwise"]
    ends = found["ci_low"], found["ci_high"]
    return {"p": found["p_value"], "low": ends[0], "high": ends[1], "alarm": found["significant"]}
