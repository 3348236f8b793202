"""baycomp: the signed-rank test of data sets."""

from baycomp import two_on_multiple

REQUIRES = ["baycomp"]
QUESTION = "data_sets"
CALL = "two_on_multiple(a, b); probability below .025 or above .975"
PAIRED = True


def answer(data, seed):
    better = two_on_multiple(data["a"], data["b"], random_state=seed)[0]  # ties have a share too, even without a ROPE
    return {"better": better, "alarm": better > 0.975 or better < 0.025}
