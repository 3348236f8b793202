"""How often a verdict is wrong, and whether P(A > B) is what it says: `make calibrate`, minutes; a page of the docs.

Verdicts: worlds whose true difference in F1 lies inside the ROPE, at its edge and outside, and how often each verdict
is given. P(A > B): worlds that nobody's prior made, of classifiers as one meets them, sorted by what the answer said.
"""

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy import optimize

from outclass import measures
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.models import fitted
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.parallel import side_by_side
from outclass.planning.intervals import Rule, intervals
from outclass.planning.scenario import Scenario, of_rates
from outclass.verdict.rope import Verdict, decide

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "verdicts.md"
RESULTS = HERE / "results" / "verdicts.json"
F1 = measures.get("f1")
ROPE = Interval(-0.05, 0.05)
PRIOR = prior_of("matched").of(F1, "paired")
# True differences in F1: none, inside, at the edge, just outside, far outside.
TRUTHS = (0.0, 0.025, 0.05, 0.075, 0.10)
SIZES = (200, 1_000, 5_000)
PREVALENCE = 0.3
ALIKE = {"little": 0.2, "much": 0.8}
# Shares between which worlds are drawn for P(A > B).
BINS = 10
ORDER = (Verdict.MUCH_LESS, Verdict.LESS, Verdict.EQUIVALENT, Verdict.UNDECIDED, Verdict.GREATER, Verdict.MUCH_GREATER)


@dataclass(frozen=True)
class Judged:
    """How often each verdict was given where the truth is known."""

    truth: float
    items: int
    alike: str
    sets: int
    verdicts: dict[str, float]

    @property
    def wrong(self) -> float:
        """How often a decision contradicted the truth; at the edge, where the truth to either side would be next to it."""
        said = self.verdicts
        if self.truth < ROPE.high:
            return said[">>"] + said["<<"]
        if self.truth > ROPE.high:
            return said["~="] + said["<<"]
        return max(said[">>"], said["~="]) + said["<<"]

    @property
    def error(self) -> float:
        """The simulation's error of `wrong`, at 2.5%."""
        return math.sqrt(0.025 * 0.975 / self.sets)


@dataclass(frozen=True)
class Bin:
    """Worlds in which the answer said about the same."""

    items: int
    low: float
    high: float
    worlds: int
    said: float  # P(A > B), on average
    true: float  # how often A was better


def alike_cells(a: float, b: float, alike: float) -> tuple[float, float, float, float]:
    """Return the four shares of a class: rates a and b, and so much of the way from independence to full agreement."""
    independent, most = a * b + (1 - a) * (1 - b), 1 - abs(a - b)
    return of_rates(a, b, independent + alike * (most - independent), "items")


def world(truth: float, alike: float) -> Scenario:
    """Return a world with a given difference in F1: B's recall and false alarms are worse until it is there."""

    def made(worse: float) -> Scenario:
        return Scenario(PREVALENCE, alike_cells(0.85, 0.85 - worse, alike), alike_cells(0.06, 0.06 + worse / 5, alike))

    if truth == 0:
        return made(0.0)
    return made(float(optimize.brentq(lambda worse: made(worse).difference(F1) - truth, 0.0, 0.5, xtol=1e-12)))


def judged(truth: float, items: int, alike: str, sets: int, seed: int = 1) -> Judged:
    """Simulate test sets of one world and judge each as `compare` would."""
    rng = np.random.default_rng([seed, round(1_000 * truth), items, list(ALIKE).index(alike)])
    joints = world(truth, ALIKE[alike]).simulate(items, sets, rng)
    rule = Rule(measure=F1, priors={"paired": PRIOR}, rope=ROPE, hdi_mass=0.95)
    found = [decide(Interval(*map(float, ends)), ROPE) for ends in intervals(joints, "paired", rule, rng)]
    shares = {verdict.value: sum(each is verdict for each in found) / sets for verdict in ORDER}
    return Judged(truth, items, alike, sets, shares)


def worlds(items: int, many: int, seed: int) -> Iterator[tuple[float, bool]]:
    """Yield P(A > B) of a test set, and whether A is better, for worlds as one meets them.

    Rates of B differ from A's by little on the scale of log-odds, as two versions of one system do; how much the two
    agree is anything. None of it is what the model's uniform prior expects.
    """
    rng = np.random.default_rng([seed, items])
    for number in range(many):
        prevalence = rng.uniform(0.1, 0.5)
        odds = np.array([rng.normal(1.4, 0.7), rng.normal(-2.4, 0.7)])
        moved = odds + rng.normal(0, 0.35, 2)
        (recall_a, false_a), (recall_b, false_b) = 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(-moved))
        alike = rng.uniform(0, 0.9)
        made = Scenario(float(prevalence), alike_cells(recall_a, recall_b, alike), alike_cells(false_a, false_b, alike))
        joint = made.simulate(items, 1, rng)[0]
        law = fitted("paired", Evidence.of_joint(joint), PRIOR, Settings(tolerance=2e-3, seed=number))
        yield 1 - float(law.difference(F1).cdf(0.0)), made.difference(F1) > 0


def bins(items: int, many: int, seed: int = 1) -> list[Bin]:
    """Sort worlds by what the answer said."""
    said, true = (np.array(each) for each in zip(*worlds(items, many, seed), strict=True))
    place = np.minimum((said * BINS).astype(int), BINS - 1)
    return [
        Bin(
            items,
            number / BINS,
            (number + 1) / BINS,
            int((place == number).sum()),
            float(said[place == number].mean()),
            float(true[place == number].mean()),
        )
        for number in range(BINS)
        if (place == number).any()
    ]


def run(sets: int, many: int) -> dict[str, list[dict[str, object]]]:
    """Do it all, on all cores."""
    tasks = [(truth, items, alike, sets) for truth in TRUTHS for items in SIZES for alike in ALIKE]
    verdicts = []
    for each in side_by_side(judged, tasks):
        verdicts.append(asdict(each))
        print(each, flush=True)
    calibrated = [asdict(each) for part in side_by_side(bins, [(100, many), (500, many)]) for each in part]
    return {"verdicts": verdicts, "bins": calibrated}


def kept() -> tuple[list[Judged], list[Bin]]:
    """Return what the last full run found."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    return [Judged(**each) for each in found["verdicts"]], [Bin(**each) for each in found["bins"]]


def page(verdicts: list[Judged], calibrated: list[Bin]) -> str:
    """Write the page."""
    sets = verdicts[0].sets
    lines = [
        "# Error rates of verdicts",
        "",
        "Generated by `make calibrate` (`tests/calibration/verdicts.py`); a short version runs with the tests.",
        "",
        "## Verdicts with a known true difference",
        "",
        f"Two classifiers, {PREVALENCE:.0%} positives, F1 of A about .85, ROPE ±0.05, paired model, {sets:,} simulated test sets per row (simulation",
        f"error of a 2.5% rate: {verdicts[0].error:.3f}). A decision is *wrong* if the true difference contradicts it: ≫ or ≪ if the true difference is inside the ROPE,",
        "≈ if it is outside, ≪ if A is better. At the edge, .05, both ≫ and ≈ could be wrong; the larger rate is shown. > and < (or ?) are not decisions",
        "and cannot be wrong; they indicate on which side most of the interval lies. Intervals are the approximations used by `plan`, which tests check",
        "against those of `compare`.",
        "",
        "| true difference | items | agreement | ≪ | < | ≈ | ? | > | ≫ | wrong |",
        "|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for each in verdicts:
        cells = " | ".join(f"{each.verdicts[verdict.value]:.3f}" for verdict in ORDER)
        where = {0.05: " (edge)"}.get(each.truth, " (inside)" if each.truth < 0.05 else " (outside)")
        lines.append(f"| {each.truth:g}{where} | {each.items:,} | {each.alike} | {cells} | {each.wrong:.3f} |")
    total = sum(each.worlds for each in calibrated) // 2
    lines += [
        "",
        "## Calibration of P(A > B)",
        "",
        f"{total:,} scenarios per size, not drawn from the model's prior: 10 to 50% positives; recall about .8 and false-positive rate about .08, both with",
        "some variation; B's rates near A's on the log-odds scale; any degree of agreement. If the stated probability is about 70%, A should be better in about 70% of the",
        "scenarios.",
        "",
        "| items | stated P(A > B) | scenarios | mean P(A > B) | A was better | error |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    for one in calibrated:
        error = math.sqrt(max(one.said * (1 - one.said), 1e-4) / one.worlds)
        lines.append(
            f"| {one.items} | {one.low:.0%} to {one.high:.0%} | {one.worlds:,} | {one.said:.3f} | {one.true:.3f} | {error:.3f} |"
        )
    sure = max((one for one in calibrated if one.items == 100), key=lambda one: one.said)
    lines += [
        "",
        "The systems in these scenarios differ by less than the prior expects, so the probabilities are overconfident, especially with few items: in the highest bin with 100",
        f"items, the mean probability was {sure.said:.1%}, but A was better in only {sure.true:.1%}. For parameters drawn from the prior they are calibrated ([ranks](ranks.md)). A prior that expects",
        "small differences would do better here but give intervals that are too narrow elsewhere (the uniform prior, which expects more disagreements, is off",
        "by about two points less). If you know that two systems are versions of each other, require more than 95%, or use a ROPE.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run, keep the numbers, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2_000)
    parser.add_argument("--worlds", type=int, default=4_000)
    parser.add_argument("--page", action="store_true", help="write the page from the kept numbers alone")
    asked = parser.parse_args()
    if not asked.page:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(run(asked.sets, asked.worlds), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(*kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
