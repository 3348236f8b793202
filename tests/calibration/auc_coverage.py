"""How often the 95% interval of a difference in AUC holds the truth: `make calibrate`, minutes; a page of the docs.

Scores of two systems are normal, moved up for positives by 1.2 and 1.0, and correlated by .7; the true areas are known.
"""

import sys
from pathlib import Path

import numpy as np
from scipy import special

from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.measures import scored

SHIFTS, CORRELATION = (1.2, 1.0), 0.7
SIZES, SHARES = (100, 1_000, 10_000), (0.01, 0.1, 0.5)
PAGE = Path(__file__).parents[2] / "docs" / "auc_coverage.md"
TRUTH = float(special.ndtr(SHIFTS[0] / np.sqrt(2)) - special.ndtr(SHIFTS[1] / np.sqrt(2)))


def simulated(n: int, share: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the truth and the scores of two systems: as many positives as the share says, one at least."""
    truth = np.arange(n) < max(1, round(share * n))
    common = rng.normal(size=n)
    a, b = (
        shift * truth + np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * rng.normal(size=n)
        for shift in SHIFTS
    )
    return truth, a, b


def covered(n: int, share: float, sets: int, draws: int, seed: int) -> tuple[float, float]:
    """Return how often the interval holds the truth, and how wide it is on average."""
    rng = np.random.default_rng([seed, n, round(1000 * share)])
    auc = scored.MEASURES["auc"]
    held, widths = [], []
    for _ in range(sets):
        truth, a, b = simulated(n, share, rng)
        weigh = [auc.prepare(truth, scores) for scores in (a, b)]
        values = []
        for _ in range(0, draws, max(1, 500_000 // n)):
            weights = rng.standard_exponential((min(draws, max(1, 500_000 // n)), n))
            values.append(weigh[0](weights) - weigh[1](weights))
        hdi = Draws.iid(np.concatenate(values)[:draws], Interval(-1, 1)).hdi(0.95)
        held.append(hdi.low <= TRUTH <= hdi.high)
        widths.append(hdi.width)
    return float(np.mean(held)), float(np.mean(widths))


def main(sets: int = 500, draws: int = 1_000) -> str:
    """Return the page."""
    lines = [
        "# Coverage of the interval of a difference in AUC",
        "",
        f"Made by `tests/calibration/auc_coverage.py`: {sets} simulated test sets a cell, {draws:,} draws each; the",
        f"simulation's error is about {np.sqrt(0.95 * 0.05 / sets):.3f}. Below 20 items of a class a finding warns "
        f"(OC212).",
        "",
        "| items | share of positives | positives | 95% interval holds the truth | mean width | warns |",
        "|---:|---:|---:|---:|---:|---|",
    ]
    for n in SIZES:
        for share in SHARES:
            few = max(1, round(share * n))
            held, width = covered(n, share, sets, draws, 1)
            lines.append(f"| {n:,} | {share:g} | {few:,} | {held:.3f} | {width:.4f} | {'yes' if few < 20 else ''} |")
            print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    page = main(*(int(each) for each in sys.argv[1:]))
    PAGE.write_text(page, encoding="utf-8")
