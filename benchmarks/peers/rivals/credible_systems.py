"""credible: draws of who alone is right, of its Dirichlet model, with the prior its documentation names."""

import numpy as np
from credible.bayesian.metrics import NUMBER_MC_SAMPLES
from credible.bayesian.utils import compare_systems

REQUIRES = ["credible"]
QUESTION = "accuracy_test"
CALL = "compare_systems, Jeffreys prior; probability below .025 or above .975"
PAIRED = True
WHY = (
    "draws for one table of right and wrong; ours adds the "
    "measure's own test, Bayes factors and both systems' intervals"
)


def answer(data, seed):
    a, b = data["a"] == data["truth"], data["b"] == data["truth"]
    wins = int(np.sum(a & ~b)), int(np.sum(b & ~a)), int(np.sum(a == b))
    better = compare_systems(wins, (0.5, 0.5, 0.5), NUMBER_MC_SAMPLES, np.random.default_rng(seed))
    return {"better": better, "alarm": better > 0.975 or better < 0.025}
