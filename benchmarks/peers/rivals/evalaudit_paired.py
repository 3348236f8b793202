"""evalaudit: its paired comparison, which is McNemar's test for right and wrong."""

from evalaudit import compare_paired

REQUIRES = ["evalaudit"]
QUESTION = "accuracy_test"
CALL = "compare_paired(right_a, right_b)"
PAIRED = True
WHY = "one test on two columns of right and wrong; ours also computes both systems' accuracy with its posterior"
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    a, b = ((data[name] == data["truth"]).astype(int) for name in "ab")
    found = compare_paired(a, b, seed=seed)
    return {"p": found.p_value, "low": found.ci_low, "high": found.ci_high, "alarm": found.p_value <= 0.05}
