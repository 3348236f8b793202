"""A million scores, two systems: draws of the difference in AUC against bare passes of a weighted cumulative sum.

`make bench` runs it too. The passes are over the sorted data, with weights that are there already; both in one run.
"""

import resource
import sys
import time

import numpy as np

from outclass.data.scores import Scores
from outclass.inference.settings import Settings
from outclass.measures import scored as measures
from outclass.models.question import Question
from outclass.models.results_fit import drawn
from outclass.verdict.rope import rope_of

ITEMS, DRAWS = 1_000_000, 4_000


def main(draws: int = DRAWS) -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(ITEMS) < 0.1
    common = rng.normal(size=ITEMS)
    a, b = (shift * truth + common + 0.7 * rng.normal(size=ITEMS) for shift in (1.2, 1.0))
    marks = truth[np.argsort(-a)].astype(float)
    weights = rng.standard_exponential(ITEMS)
    start = time.perf_counter()
    for _ in range(draws):
        np.cumsum(weights * marks)
    bare = time.perf_counter() - start
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    auc = measures.get("auc")
    asked = Question(
        measures=(auc,), model="bootstrap", rope=rope_of(0.05), hdi_mass=0.95, settings=Settings(draws=draws, seed=1)
    )
    found = drawn(Scores(values={"a": a, "b": b}, truth=truth), auc, asked)
    ours = time.perf_counter() - start
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    difference = found[:, 0] - found[:, 1]
    mean, variance = measures.auc_moments(truth, a, b)
    print(f"{ITEMS:,} scores, two systems, {draws:,} draws of the difference in AUC")
    print(f"bare passes {bare:.1f} s, ours {ours:.1f} s: {ours / bare:.2f} times; at most {most:,.0f} MB in all")
    print(f"(of which {most - before / 1024:,.0f} MB were not there before)")
    print(f"std {difference.std():.3e}, closed form {variance**0.5:.3e}; mean {difference.mean():.5f}, {mean:.5f}")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
