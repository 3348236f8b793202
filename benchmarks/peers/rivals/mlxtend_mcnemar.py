"""mlxtend: McNemar's test as its documentation advises, exact where fewer than 25 items tell the systems apart."""

from mlxtend.evaluate import mcnemar, mcnemar_table

REQUIRES = ["mlxtend"]
QUESTION = "accuracy_test"
CALL = "mcnemar_table + mcnemar(exact=True) below 25 disagreements, as its documentation advises"
PAIRED = True
WHY = "one formula on a 2x2 table; ours also computes both systems' accuracy with its posterior"
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    table = mcnemar_table(data["truth"], data["a"], data["b"])
    _, p = mcnemar(table, exact=bool(table[0, 1] + table[1, 0] < 25))
    return {"p": p, "alarm": p <= 0.05}
