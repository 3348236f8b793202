"""mlxtend: McNemar's test with every default: chi-squared with continuity correction.

It divides by how often the systems disagree; where they never do, the statistic is infinite and p is 0.
"""

from mlxtend.evaluate import mcnemar, mcnemar_table

REQUIRES = ["mlxtend"]
QUESTION = "accuracy_test"
CALL = "mcnemar_table + mcnemar (p is 0 if the systems never disagree)"
PAIRED = True
WHY = "one formula on a 2x2 table; ours also computes both systems' accuracy with its posterior"
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    _, p = mcnemar(mcnemar_table(data["truth"], data["a"], data["b"]))
    return {"p": p, "alarm": p <= 0.05}
