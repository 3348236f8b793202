"""MLstatkit: DeLong's test."""

from MLstatkit import Delong_test

REQUIRES = ["MLstatkit"]
QUESTION = "auc_test"
CALL = "Delong_test(truth, score_a, score_b)"
PAIRED = True
AGAINST = "outclass_delong"


def answer(data, seed):
    p = Delong_test(data["truth"].astype(int), data["score_a"], data["score_b"], random_state=seed)[1]
    return {"p": p, "alarm": p <= 0.05}
