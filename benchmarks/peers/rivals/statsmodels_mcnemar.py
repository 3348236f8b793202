"""statsmodels: McNemar's exact test, which is its default."""

import numpy as np
from statsmodels.stats.contingency_tables import mcnemar

REQUIRES = ["statsmodels"]
QUESTION = "accuracy_test"
CALL = "mcnemar (exact), table counted with NumPy"
PAIRED = True
WHY = "one formula on a 2x2 table; ours also computes both systems' accuracy with its posterior"
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    a, b = data["a"] == data["truth"], data["b"] == data["truth"]
    p = mcnemar([[np.sum(a & b), np.sum(a & ~b)], [np.sum(~a & b), np.sum(~a & ~b)]]).pvalue
    return {"p": p, "alarm": p <= 0.05}
