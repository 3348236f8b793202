"""Speed and error side by side, in one run on one machine: `make bench`.

The posterior of the difference in F1 on one table of 20 Newsgroups size: integrated by outclass, by 50,000 independent
draws and a kernel density, and by PyMC's Metropolis with 50,000 draws (the 2016 paper's way). Also the paper's sixty
comparisons.
Only the ratios mean anything: the machine may be busy.
"""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from scipy.stats import gaussian_kde

import outclass as oc
from outclass import measures
from outclass.data.files import from_files
from outclass.inference.beta import logit_beta
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired
from outclass.planning.intervals import Rule
from outclass.planning.power import goal_of
from outclass.planning.scenario import Scenario
from outclass.planning.study import powers
from outclass.significance.permutation import permutation_exact

TABLE = np.array([[255, 22, 24, 95], [62, 38, 35, 7001]])
# P(difference > 0), P(in the ROPE), the ends of the 95% HDI; the test suite holds the engine to them.
TRUTH = np.array([0.3308597, 0.9990030, -0.033395, 0.021248])
ROPE = Interval(-0.05, 0.05)
DRAWS = 50_000
COMPILED = tempfile.TemporaryDirectory(prefix="outclass-bench-")


class Measured(NamedTuple):
    """Seconds a run, and root-mean-square errors of probabilities and of interval ends."""

    seconds: float
    probability: float
    ends: float


def repeated(run: Callable[[int], np.ndarray], times: int) -> Measured:
    """Time a run under several seeds; the first warms up and does not count."""
    run(10_000)
    seconds, errors = [], []
    for seed in range(times):
        start = time.perf_counter()
        found = run(seed)
        seconds.append(time.perf_counter() - start)
        errors.append(found - TRUTH)
    rms = np.sqrt(np.mean(np.square(errors), axis=0))
    return Measured(median(seconds), float(rms[:2].max()), float(rms[2:].max()))


def exact(seed: int) -> np.ndarray:
    logit_beta.cache_clear()  # as on the first call with these counts
    law = Paired.fit(Evidence.of_joint(TABLE), prior_of("uniform"), Settings(seed=seed)).difference(measures.get("f1"))
    found = summarise(law, ROPE, 0.95)
    law.pdf(0.0)
    return np.array([found.above, found.rope, *found.hdi])


def summary_of_draws(mu: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    values = []
    for only in (1, 2):
        tp, fp = mu * (p[0] + p[only]), (1 - mu) * (q[0] + q[only])
        values.append(2 * tp / (tp + fp + mu))
    delta = np.sort(values[0] - values[1])
    gaussian_kde(delta)(0.0)
    inside = int(np.ceil(0.95 * delta.size))
    start = int(np.argmin(delta[inside - 1 :] - delta[: delta.size - inside + 1]))
    rope = np.mean((delta > ROPE.low) & (delta < ROPE.high))
    return np.array([np.mean(delta > 0), rope, delta[start], delta[start + inside - 1]])


def plain_draws(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    positives, negatives = TABLE
    mu = rng.beta(1 + positives.sum(), 1 + negatives.sum(), DRAWS)
    gammas = [np.stack([rng.standard_gamma(1.0 + count, DRAWS) for count in row]) for row in TABLE]
    return summary_of_draws(mu, *(gamma / gamma.sum(axis=0) for gamma in gammas))


def metropolis(seed: int) -> tuple[float, float, np.ndarray]:
    """Return the seconds of the whole run, of the sampling alone, and the numbers."""
    # An empty folder for what PyTensor compiles: the first run is what a user sees first, the second what comes after.
    os.environ["PYTENSOR_FLAGS"] = f"base_compiledir={COMPILED.name}"
    import logging

    import pymc as pm

    logging.getLogger("pymc").setLevel(logging.ERROR)
    positives, negatives = TABLE
    start = time.perf_counter()
    with pm.Model():
        mu = pm.Beta("mu", 1, 1)
        theta = [pm.Dirichlet(name, np.ones(4)) for name in ("positives", "negatives")]
        pm.Binomial("n", TABLE.sum(), mu, observed=positives.sum())
        pm.Multinomial("c_positives", positives.sum(), theta[0], observed=positives)
        pm.Multinomial("c_negatives", negatives.sum(), theta[1], observed=negatives)
        first = pm.find_MAP(progressbar=False)
        step = pm.Metropolis()
        before = time.perf_counter()
        options: dict[str, Any] = {"draws": DRAWS, "tune": 0, "chains": 1, "cores": 1, "progressbar": False}
        trace = pm.sample(**options, step=step, initvals=first, random_seed=seed, compute_convergence_checks=False)
        end = time.perf_counter()
    found = trace.posterior
    numbers = summary_of_draws(*(found[name].values[0].T for name in ("mu", "positives", "negatives")))
    return end - start, end - before, numbers


def table(title: str, rows: list[tuple[str, ...]]) -> None:
    print(f"\n{title}\n")
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def permutation() -> None:
    """The exact permutation test of F1 on a million items, against 10,000 random swaps of the same table."""
    joint = np.array([[200_000, 31_000, 30_500, 40_000], [30_000, 41_000, 40_700, 586_800]])
    f1 = measures.get("f1")
    (pp, pa, pb, pn), (np_, na, nb, nn) = joint.tolist()
    p, n = pa + pb, na + nb
    exact_times, swap_times = [], []
    for seed in range(7):
        start = time.perf_counter()
        permutation_exact(f1, joint)
        exact_times.append(time.perf_counter() - start)
        start = time.perf_counter()
        rng = np.random.default_rng(seed)
        x, y = rng.binomial(p, 0.5, 10_000), rng.binomial(n, 0.5, 10_000)
        swapped = f1(pp + x, np_ + y, pn + p - x, nn + n - y) - f1(pp + p - x, np_ + n - y, pn + x, nn + y)
        float((np.abs(swapped) >= 0.001).mean())
        swap_times.append(time.perf_counter() - start)
    took, swaps = median(exact_times), median(swap_times)
    print(f"\nExact permutation test of F1, a million items, 143,200 discordant: {took * 1e3:.1f} ms, ", end="")
    print(f"{took / swaps:.1f} times 10,000 random swaps of the counts")


def noisy(classes: int, items: int, systems: int) -> oc.Outcomes:
    """Systems that are right four times in five."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, items)
    said = [np.where(rng.random(items) < 0.2, rng.integers(0, classes, items), truth) for _ in range(systems)]
    names = tuple(f"s{place}" for place in range(systems))
    return oc.Outcomes.of_rows(names, np.stack([truth, *said], axis=1).tolist(), [1] * items)


def many() -> None:
    """Many classes and many systems: time, memory, and how time grows with the observed patterns."""
    news = from_files([oc.datasets.path("20news")], truth="truth", systems=["nb_mult", "svm_l2"])
    start = time.perf_counter()
    oc.compare(news, measure="macro_f1", draws=10_000)
    print(f"\n20 classes, 7,532 items, macro-F1, 10,000 draws: {time.perf_counter() - start:.2f} s")
    fifty = noisy(10, 10_000, 50)
    start = time.perf_counter()
    oc.rank(fifty)
    print(f"50 systems on 10,000 items of 10 classes ranked by macro-F1: {time.perf_counter() - start:.2f} s")
    took = []
    for items in (2_000, 8_000):
        outcomes = noisy(50, items, 6)
        start = time.perf_counter()
        oc.rank(outcomes, draws=4_000)
        took.append((len(outcomes.counts), time.perf_counter() - start))
    (few, short), (lots, long) = took
    print(f"{lots / few:.1f} times the patterns take {long / short:.1f} times as long")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole benchmark: {peak:,.0f} MB")


def planning() -> None:
    """Simulated sets a second, and what a second core brings."""
    world = Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3))
    rule = Rule(
        measure=measures.get("f1"),
        priors=dict.fromkeys(("paired", "unpaired"), prior_of("uniform")),
        rope=ROPE,
        hdi_mass=0.95,
    )
    took = {}
    for cores in (1, 2):
        start = time.perf_counter()
        with parallel_config(n_jobs=cores, backend="threading"):
            powers(
                world, [1000, 1500, 2000, 2500], [goal_of(">>")], ["paired", "unpaired"], rule,
                sets=500, seed=0, resume=None, progress=None, jobs=cores,
            )  # fmt: skip
        took[cores] = time.perf_counter() - start
    print(
        f"\nplanning: {4000 / took[1]:,.0f} simulated sets a second on one core, {4000 / took[2]:,.0f} on two ", end=""
    )
    print(f"({took[1] / took[2]:.1f} times); the paper's way takes 20 s a set")


def page() -> None:
    """A report of 190 comparisons, against making the comparisons."""
    start = time.perf_counter()
    data = oc.datasets.load("20news")
    rows = (*oc.compare(data, by="label").rows, *oc.compare(data, by="label", measure="recall").rows[:70])
    asked = time.perf_counter() - start
    start = time.perf_counter()
    text = oc.Comparison(rows).to_html()
    took = time.perf_counter() - start
    told = f"{took:.1f} s, {took / asked:.1f} times the comparisons"
    print(f"\nA page of {len(rows)} comparisons, {len(text) / 1e6:.2f} MB: {told}")


def main() -> None:
    ours, draws = repeated(exact, 20), repeated(plain_draws, 20)
    first, _, _ = metropolis(1)
    whole, sampling, numbers = metropolis(1)
    wrong = np.abs(numbers - TRUTH)
    chain = Measured(whole, float(wrong[:2].max()), float(wrong[2:].max()))
    rows = [("", "time", "against exact", "error of probabilities", "error of HDI ends")]
    for name, found in (
        ("exact", ours),
        ("50,000 draws + KDE", draws),
        ("PyMC Metropolis, 50,000, whole run", chain._replace(seconds=first)),
        ("  the same, compiled before", chain),
        ("  its sampling alone", chain._replace(seconds=sampling)),
    ):
        times = f"{found.seconds * 1e3:.1f} ms", f"{found.seconds / ours.seconds:.1f} x"
        rows.append((name, *times, f"{found.probability:.1e}", f"{found.ends:.1e}"))
    table("Posterior of the difference in F1, 7,532 items", rows)
    print(f"\nexact takes {ours.seconds / draws.seconds:.2f} times the plain draws,")
    print(f"at an error {draws.probability / ours.probability:.0f} (probabilities) and ", end="")
    print(f"{draws.ends / ours.ends:.0f} (HDI ends) times smaller.")

    pairs = (["nb_bern", "nb_mult"], ["svm_l1", "svm_l2"], ["nb_mult", "svm_l2"])
    sets = [from_files([oc.datasets.path("20news")], truth="truth", systems=pair) for pair in pairs]
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        for outcomes in sets:
            oc.compare(outcomes, by="label")
        seconds.append(time.perf_counter() - start)
    permutation()
    many()
    planning()
    page()
    print(f"\nTables 4 to 6 of Zhang et al. 2016, sixty comparisons with every Bayes factor: {min(seconds):.2f} s")


if __name__ == "__main__":
    main()
