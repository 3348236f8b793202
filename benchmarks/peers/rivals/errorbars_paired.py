"""errorbars: its paired comparison, whose p-value for right and wrong is McNemar's exact test."""

from errorbars.compare import paired_compare

REQUIRES = ["errorbars"]
QUESTION = "accuracy_test"
CALL = "paired_compare(right_a, right_b), its McNemar test"
PAIRED = True
WHY = "one test on two columns of right and wrong; ours also computes both systems' accuracy with its posterior"
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    a, b = ((data[name] == data["truth"]).astype(int) for name in "ab")
    found = paired_compare(a, b)
    p = found.mcnemar.p_value
    return {"p": p, "low": found.ci_low, "high": found.ci_high, "alarm": p <= 0.05}
