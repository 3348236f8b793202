"""outclass: DeLong's test alone."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "auc_test"
CALL = 'test(truth, a, b, scores=True, tests="delong")'
PAIRED = True


def answer(data, seed):
    scores = data["score_a"], data["score_b"]
    (found,) = oc.test(data["truth"], *scores, scores=True, tests="delong").rows
    return {"p": found.p_value, "alarm": found.p_value <= 0.05}
