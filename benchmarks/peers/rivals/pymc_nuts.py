"""PyMC: NUTS of the paired Dirichlet model, with its default draws and chains."""

import logging
import os
import sys

# What PyTensor compiles stays with the environment, and is found again by the next process.
os.environ.setdefault("PYTENSOR_FLAGS", f"base_compiledir={os.path.join(sys.prefix, 'compiled')}")

import numpy as np
import pymc as pm

REQUIRES = ["pymc>=5"]
QUESTION = "f1_posterior"
CALL = "sample(): NUTS of the paired Dirichlet model, default draws and chains; 95% interval excludes 0"
PAIRED = True
LEFT_OUT = "it samples the model that `compare` integrates, and takes seconds per set"


def answer(data, seed):
    logging.getLogger("pymc").setLevel(logging.ERROR)
    truth, pattern = data["truth"].astype(int), 2 * (1 - data["a"].astype(int)) + (1 - data["b"].astype(int))
    positives, negatives = (np.bincount(pattern[truth == kind], minlength=4) for kind in (1, 0))
    with pm.Model():
        mu = pm.Beta("mu", 1, 1)
        theta = [pm.Dirichlet(name, np.ones(4)) for name in ("positives", "negatives")]
        pm.Binomial("n", truth.size, mu, observed=positives.sum())
        pm.Multinomial("c_positives", positives.sum(), theta[0], observed=positives)
        pm.Multinomial("c_negatives", negatives.sum(), theta[1], observed=negatives)
        trace = pm.sample(random_seed=seed, progressbar=False)
    found = trace.posterior
    share, p, q = (found[name].values for name in ("mu", "positives", "negatives"))
    f1 = []
    for only in (1, 2):
        tp, fp = share * (p[..., 0] + p[..., only]), (1 - share) * (q[..., 0] + q[..., only])
        f1.append(2 * tp / (tp + fp + share))
    difference = (f1[0] - f1[1]).ravel()
    low, high = np.quantile(difference, (0.025, 0.975))
    return {"low": low, "high": high, "better": np.mean(difference > 0), "alarm": low > 0 or high < 0}
