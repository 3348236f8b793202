"""outclass: the exact permutation test of F1."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "resampled_test"
CALL = 'test(truth, a, b, tests="permutation_exact"): all swaps, exactly'
PAIRED = True


def answer(data, seed):
    (found,) = oc.test(data["truth"], data["a"], data["b"], tests="permutation_exact").rows
    return {"p": found.p_value, "alarm": found.p_value <= 0.05}
