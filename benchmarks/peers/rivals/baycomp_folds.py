"""baycomp: the correlated t-test of folds."""

from baycomp import two_on_single

REQUIRES = ["baycomp"]
QUESTION = "cross_validation"
CALL = "two_on_single(a, b, runs=10); probability below .025 or above .975"
PAIRED = True
WHY = "one closed formula; ours also checks the design of folds and repeats and looks for findings"


def answer(data, seed):
    better, _ = two_on_single(data["a"], data["b"], runs=10)
    return {"better": better, "alarm": better > 0.975 or better < 0.025}
