"""credible: draws of Goutte & Gaussier's F1 of each system.

The prior and the number of draws are those of its f1_score, as compare_f1_scores has no defaults.
"""

import numpy as np
from credible.bayesian.metrics import NUMBER_MC_SAMPLES
from credible.bayesian.utils import compare_f1_scores

REQUIRES = ["credible"]
QUESTION = "f1_posterior"
CALL = "compare_f1_scores, with as many draws as its f1_score; probability below .025 or above .975"
PAIRED = False
WHY = (
    "one probability from draws of two unpaired systems; ours integrates the paired difference, which takes more "
    "points with as few disagreements as here"
)


def counts(truth, said):
    return tuple(int(np.sum((truth == t) & (said == s))) for t, s in ((1, 1), (0, 1), (1, 0)))


def answer(data, seed):
    both = (*counts(data["truth"], data["a"]), *counts(data["truth"], data["b"]))
    better = compare_f1_scores(*both, 1.0, NUMBER_MC_SAMPLES, np.random.default_rng(seed))
    return {"better": better, "alarm": better > 0.975 or better < 0.025}
