"""How often each significance test cries wolf: simulations under the null, at a nominal 5%.

`python tests/calibration/type_one.py` (or `make calibrate`) writes docs/calibration.md.
"""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from outclass import measures
from outclass.ask.test import test as run
from outclass.data.multilabel import Classes, from_lists
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.measures.measure import pair_difference
from outclass.models.evidence import rights
from outclass.significance import bootstrap, many, proportion, sign
from outclass.significance.delong import delong
from outclass.significance.permutation import permutation_exact
from outclass.significance.tost import tost
from outclass.significance.welch import welch_t
from outclass.testing.categories import category_f1

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
LEVEL = 0.05
# Excess that is in the nature of a test; its output says so with the finding named here.
CLASSES = "1,000 items of 20 classes"
RARE = "300 items of 40 classes, most of them rare"
DOCUMENTS = "150 documents of 20 labels"
GROUPS = "12 groups of 3 to 40 items"
NAMED = {
    ("micro_sign, observed side", "200 items"): "OC403",
    ("micro_sign, two-sided", CLASSES): "OC401",
    ("micro_sign, observed side", CLASSES): "OC401, OC403",
    **{(f"{name}, observed side", CLASSES): "OC405, OC403" for name in ("macro_sign", "macro_t", "macro_t_ranks")},
    **{
        (name, scenario): "OC405"
        for name in ("macro_sign, two-sided", "macro_t, two-sided", "macro_t_ranks, two-sided", "wilcoxon")
        for scenario in (CLASSES, DOCUMENTS)
    },
    **{(name, CLASSES): "OC405" for name in ("friedman", "nemenyi, any pair")},
    ("bootstrap, macro-F1", RARE): "OC402",
    ("macro_t, two-sided", RARE): "OC405",
    ("micro_sign, two-sided", DOCUMENTS): "OC401",
}
F1 = measures.get("f1")
# Both systems right, only A, only B, neither: positives, then negatives.
FEW_DISCORDANT = np.array([0.24, 0.025, 0.002, 0.033, 0.03, 0.003, 0.03, 0.637])


class Rate(NamedTuple):
    """How often p was at most 5% under the null."""

    test: str
    scenario: str
    rate: float
    error: float
    sets: int

    @property
    def excess(self) -> bool:
        """Whether the rate is above 5% by more than three simulation errors."""
        return self.rate > LEVEL + 3 * self.error


def _paired(rng: np.random.Generator, items: int, lead: float = 0.0) -> np.ndarray:
    """Two systems that can be swapped; `lead` moves accuracy apart."""
    positives = rng.binomial(items, 0.3)
    shift = lead / 2
    return np.array(
        [
            rng.multinomial(positives, [0.6, 0.1 + shift, 0.1 - shift, 0.2]),
            rng.multinomial(items - positives, [0.05, 0.05 - shift, 0.05 + shift, 0.85]),
        ]
    )


def binary(rng: np.random.Generator, items: int) -> Iterator[tuple[str, float]]:
    """All tests of two classes, both systems alike."""
    joint = _paired(rng, items)
    right = rights(joint)
    yield "sign_exact", sign.signed(right).p_value
    yield "mcnemar_exact", sign.mcnemar_exact(right).p_value
    yield "mcnemar_midp", sign.mcnemar_midp(right).p_value
    yield "micro_sign, two-sided", sign.micro_sign(right, "two-sided").p_value
    yield "micro_sign, observed side", sign.micro_sign(right).p_value
    yield "permutation_exact, F1", permutation_exact(F1, joint).p_value
    yield "bootstrap, F1", bootstrap.bootstrap(F1, joint, "two-sided", rng, 1_000).p_value
    both, only_a, only_b, neither = joint.T
    a = np.stack([both + only_a, only_b + neither], axis=1)
    b = np.stack([both + only_b, only_a + neither], axis=1)
    for name in proportion.MEASURES:
        counts = proportion.counts_of(a, name), proportion.counts_of(b, name)
        yield f"proportion, {name}", proportion.proportion(*counts, name, "two-sided").p_value
    hits = [int(table[0, 0] + table[1, 1]) for table in (a, b)]
    yield "welch_t", welch_t(hits[0], items, hits[1], items).p_value
    # Equivalence: the null is a difference at the edge of the region.
    edge = _paired(rng, items, lead=0.05)
    yield "tost, accuracy at the edge", tost(measures.get("accuracy"), edge, Interval(-0.05, 0.05)).p_value
    # Few items tell the systems apart, nearly all of them for A.
    few = rng.multinomial(items, FEW_DISCORDANT).reshape(2, 4)
    for name in ("accuracy", "f1", "balanced_accuracy"):
        own = measures.get(name)
        reach = abs(float(pair_difference(own, FEW_DISCORDANT.reshape(2, 4))))
        told = tost(own, few, Interval(-reach, reach)).p_value
        yield f"tost, {own.title} at the edge, few discordant items", told


def classes(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Three systems alike on 1,000 items of 20 classes."""
    truth = rng.integers(0, 20, 1_000)
    said = [np.where(rng.random(1_000) < 0.3, rng.integers(0, 20, 1_000), truth) for _ in range(3)]
    outcomes = Outcomes.of_rows(("a", "b", "c"), list(zip(truth, *said, strict=True)), [1] * 1_000)
    two = outcomes.selected(("a", "b"))
    names = ["micro_sign", "macro_sign", "macro_t", "macro_t_ranks", "wilcoxon"]
    for row in run(two, tests=names, alternative="two-sided"):
        yield f"{row.name}, two-sided" if row.name != "wilcoxon" else row.name, row.p_value
    for row in run(two, tests=names[:4]):
        yield f"{row.name}, observed side", row.p_value
    f1 = category_f1(Classes(outcomes), outcomes.systems, "drop")
    yield "friedman", many.friedman(f1, outcomes.systems).p_value
    yield "nemenyi, any pair", min(row.p_value for row in many.nemenyi(f1, outcomes.systems))
    right = (outcomes.patterns[:, 1:] == outcomes.patterns[:, :1]).astype(np.int64)
    yield "cochran_q", many.cochran_q(right, outcomes.counts, outcomes.systems).p_value

    for row in run(two, tests="permutation", draws=300, rng=int(rng.integers(1 << 30))):
        yield f"permutation, {row.effect_name.removeprefix('difference in ')}", row.p_value
    for row in run(two, tests="bootstrap", draws=300, rng=int(rng.integers(1 << 30))):
        yield f"bootstrap, {row.effect_name.removeprefix('difference in ')}", row.p_value


def rare(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Two systems alike; the commonest of 40 classes has many items, most classes have one or two."""
    shares = np.arange(1, 41) ** -1.3
    truth = rng.choice(40, 300, p=shares / shares.sum())
    said = [np.where(rng.random(300) < 0.3, rng.integers(0, 40, 300), truth) for _ in range(2)]
    outcomes = Outcomes.of_rows(("a", "b"), list(zip(truth, *said, strict=True)), [1] * 300)
    for row in run(outcomes, tests="permutation", draws=300, rng=int(rng.integers(1 << 30))):
        yield f"permutation, {row.effect_name.removeprefix('difference in ')}", row.p_value
    for row in run(outcomes, tests="bootstrap", draws=300, rng=int(rng.integers(1 << 30))):
        yield f"bootstrap, {row.effect_name.removeprefix('difference in ')}", row.p_value
    yield "macro_t, two-sided", run(outcomes, tests="macro_t", alternative="two-sided").rows[0].p_value


def documents(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Two systems alike over documents, but each document suits one of them: decisions on it hang together."""
    truth, a, b = [], [], []
    for _ in range(150):
        labels = {str(label) for label in np.flatnonzero(rng.random(20) < 0.2)}
        slips = (0.4, 0.05) if rng.random() < 0.5 else (0.05, 0.4)
        truth.append(labels)
        for slip, said in zip(slips, (a, b), strict=True):
            said.append({label for label in labels if rng.random() > slip})
    found = run(
        from_lists(truth, {"a": a, "b": b}),
        tests=["micro_sign", "macro_sign", "macro_t", "macro_t_ranks", "wilcoxon", "permutation", "bootstrap"],
        alternative="two-sided",
        draws=500,
        rng=int(rng.integers(1 << 30)),
    )
    for name in ("micro_sign", "macro_sign", "macro_t", "macro_t_ranks"):
        yield f"{name}, two-sided", found.named(name)[0].p_value
    yield "wilcoxon", found.named("wilcoxon")[0].p_value
    for row in found.named("permutation"):
        yield f"permutation, {row.effect_name.removeprefix('difference in ')} over documents", row.p_value
    yield "bootstrap, micro-F1 over documents", found.named("bootstrap")[0].p_value
    yield "bootstrap, macro-F1 over documents", found.named("bootstrap")[1].p_value


def scores(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Two scores as good as each other, correlated."""
    truth = rng.random(200) < 0.4
    shared = truth + rng.normal(size=200)
    yield "delong", delong(truth, shared + rng.normal(size=200), shared + rng.normal(size=200)).p_value


def groups(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Two systems alike, whose errors come by group; a test that takes items as independent beside those of groups."""
    group = np.repeat(np.arange(12), rng.integers(3, 41, 12))
    truth = rng.integers(0, 3, len(group))
    table = {"truth": truth, "group": group}
    for name in "ab":
        wrong = (rng.random(12) < 0.2)[group] | (rng.random(len(group)) < 0.15)
        table[name] = np.where(wrong, (truth + 1) % 3, truth)
    for row in run(table, truth="truth", group="group", measure=["accuracy", "macro_f1"]):
        yield f"{row.name}, {row.effect_name.removeprefix('difference in ')} over groups", row.p_value


SCENARIOS: dict[str, Callable[[np.random.Generator], Iterator[tuple[str, float]]]] = {
    "200 items": lambda rng: binary(rng, 200),
    "30 items": lambda rng: binary(rng, 30),
    CLASSES: classes,
    RARE: rare,
    DOCUMENTS: documents,
    GROUPS: groups,
    "200 scored items": scores,
}


def rates(sets: int, seed: int = 1) -> list[Rate]:
    """Simulate every scenario; a p-value that is not a number is no false positive."""
    found = []
    for number, (scenario, simulate) in enumerate(SCENARIOS.items()):
        rng = np.random.default_rng([seed, number])
        hits: dict[str, int] = {}
        for _ in range(sets):
            for name, p_value in simulate(rng):
                hits[name] = hits.get(name, 0) + (p_value <= LEVEL)
        error = math.sqrt(LEVEL * (1 - LEVEL) / sets)
        found += [Rate(name, scenario, count / sets, error, sets) for name, count in hits.items()]
    return found


def page(found: list[Rate]) -> str:
    """Write the table."""
    lines = [
        "# Calibration",
        "",
        "## False-positive rates of the significance tests",
        "",
        f"The proportion of p-values at or below .05 when there is no difference, from {found[0].sets:,} simulated test sets per scenario",
        f"(simulation error {found[0].error:.4f}). Generated by `make calibrate`; a short version runs with the tests. If a rate exceeds .05 by",
        "more than three simulation errors, the last column names the finding in the output.",
        "",
        "| test | scenario | rate | |",
        "|---|---|---:|---|",
    ]
    for each in found:
        told = f"**too high**: {NAMED.get((each.test, each.scenario), 'unexplained')}" if each.excess else ""
        lines.append(f"| {each.test} | {each.scenario} | {each.rate:.4f} | {told} |")
    lines += [
        "",
        "Yang & Liu 1999 report one-sided tests in the observed direction, which doubles the nominal rate. Tests that pool decisions treat those on",
        "the same document as independent; if whole documents favour one system, their false-positive rate is several times too high. The",
        "permutation test and the bootstrap over documents do not have this problem. With one label per item, an error in one category is an error",
        "in another, and documents are shared between categories; tests over categories ignore this dependence.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    PAGE.write_text(page(rates(number)) + "\n", encoding="utf-8")
