"""mlxtend: McNemar's test, chi-squared with continuity correction, which is its default."""

from mlxtend.evaluate import mcnemar, mcnemar_table

REQUIRES = ["mlxtend"]
QUESTION = "accuracy_test"
CALL = "mcnemar_table + mcnemar"
PAIRED = True
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    _, p = mcnemar(mcnemar_table(data["truth"], data["a"], data["b"]))
    return {"p": p, "alarm": p <= 0.05}
