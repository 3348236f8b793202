"""Many labels: averages over them, a row for each of them, and a ranking of many systems on few questions.

Each row is (what, the baseline, our seconds, the baseline's, no memory, the goal of their ratio), as in scale.py.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

ITEMS, DOCUMENTS = 100_000, 20_000
SAMPLED, MANY = 20, 500  # tables that the baseline is timed on; and whose answers are not asked for twice
BLOCK = 1_000_000  # weights
Timed = Callable[[Callable[[int], object], Callable[[], object], int], tuple[float, float]]
Line = tuple[str, str, float, float, None, str]


def averages(alternating: Timed, labels: int) -> Line:
    """Compare macro- and micro-F1: against drawing a weight for each pattern, and each label's sums."""
    import outclass as oc
    from outclass.ask.cost import usual_draws

    truth, a, b = _classes(labels)
    data = oc.read(truth, a, b)
    draws, units = usual_draws(2, len(data.counts), labels), len(data.counts)
    said = data.patterns[:, 1:].T
    label = np.concatenate([data.patterns[:, 0], *said])
    sums = sparse.csr_matrix((np.ones(3 * units), (label, np.tile(np.arange(units), 3))), shape=(labels, units))
    rng = np.random.default_rng(0)

    several = np.flatnonzero(data.counts > 1)
    shapes = data.counts[several, None].astype(float)

    def bare() -> None:
        step = BLOCK // units
        for start in range(0, draws, step):
            weights = rng.standard_exponential((units, min(step, draws - start)))
            weights[several] = rng.standard_gamma(shapes, (len(several), weights.shape[1]))
            _ = sums @ weights

    measures = ["macro_f1", "micro_f1"]
    took, least = alternating(lambda seed: oc.compare(data, measure=measures, rng=seed), bare, 3)
    what = f"macro- and micro-F1 of {labels:,} labels, {ITEMS:,} items, {units:,} patterns"
    return what, f"{draws:,} draws of weights, and their sums by label", took, least, None, "5"


def by_label(alternating: Timed, labels: int) -> Line:
    """Compare label by label: against as many times one comparison."""
    import outclass as oc

    truth, a, b = _classes(labels)
    data = oc.read(truth, a, b)
    names = data.true_labels
    some = [names[at] for at in np.linspace(0, len(names) - 1, 10).astype(int).tolist()]
    took, least = alternating(
        lambda seed: oc.compare(data, by="label", rng=seed),
        lambda: [oc.compare(data, positive=name, tolerance=5e-4) for name in some],
        1,
    )
    what = f"{len(names):,} labels of {ITEMS:,} items, one by one"
    return what, f"{len(names):,} times one comparison", took, least * len(names) / len(some), None, "1"


def lists_by_label(alternating: Timed, labels: int) -> Line:
    """The same of documents with three labels each."""
    import outclass as oc

    rng = np.random.default_rng(1)
    drawn = _drawn(labels, (DOCUMENTS, 3), rng)
    truth = [sorted({f"l{code}" for code in row}) for row in drawn.tolist()]
    a, b = ([[each for each in own if rng.random() < 0.8] for own in truth] for _ in range(2))
    data = oc.read(truth, a, b)
    names = [name for name, many in zip(data.labels, data.frequencies, strict=True) if many]
    some = [names[at] for at in np.linspace(0, len(names) - 1, 10).astype(int).tolist()]
    took, least = alternating(
        lambda seed: oc.compare(data, by="label", rng=seed),
        lambda: [oc.compare(data, positive=name, tolerance=5e-4) for name in some],
        1,
    )
    what = f"{len(names):,} labels of {DOCUMENTS:,} documents, one by one"
    return what, f"{len(names):,} times one comparison", took, least * len(names) / len(some), None, "1"


def leaderboard(alternating: Timed) -> Line:
    """Rank 41 systems on a thousand questions of 18 tasks, read from a log as LiveBench writes it."""
    import outclass as oc

    rng = np.random.default_rng(2)
    systems, questions = 41, 1_016
    skill, hardness = rng.normal(0, 1, systems), rng.normal(0, 1.5, questions)
    with tempfile.TemporaryDirectory(prefix="outclass-bench-") as name:
        path = Path(name) / "ground_truth_judgment.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for line in _judgments(skill, hardness, rng):
                file.write(json.dumps(line) + "\n")

        def bare() -> None:
            with path.open(encoding="utf-8") as file:
                found = [json.loads(line)["score"] for line in file]
            _ = rng.standard_exponential((20_000, questions)) @ np.reshape(found, (systems, questions)).T

        took, least = alternating(lambda seed: oc.rank(path, rng=seed), bare, 3)
    what = f"ranking {systems} systems on {questions:,} questions, read from a log"
    return what, "reading its JSON, 20,000 draws of weights and their product", took, least, None, "5"


def _judgments(skill: np.ndarray, hardness: np.ndarray, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    for system, own in enumerate(skill.tolist()):
        for at, hard in enumerate(hardness.tolist()):
            right = 1 / (1 + np.exp(hard - own))
            score = float(rng.random() < right) if at % 3 else float(np.round(np.clip(rng.normal(right, 0.2), 0, 1), 3))
            place = {"task": f"t{at % 18}", "category": f"c{at % 6}", "turn": 1}
            yield {"question_id": f"q{at}", "model": f"m{system}", "score": score, **place}


def _drawn(labels: int, size: Any, rng: np.random.Generator) -> np.ndarray:
    """Draw labels of which a few are common and most are rare."""
    shares = 1 / np.arange(1, labels + 1) ** 0.8
    return rng.choice(labels, size, p=shares / shares.sum())


def _classes(labels: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    truth = _drawn(labels, ITEMS, rng)
    said = (np.where(rng.random(ITEMS) < wrong, _drawn(labels, ITEMS, rng), truth) for wrong in (0.2, 0.22))
    return truth, *said


def many_labels(alternating: Timed, *, quick: bool = False) -> Iterator[Line]:
    """All of them; of 10 labels to 10,000."""
    yield leaderboard(alternating)
    for labels in (10, 100, 1_000) if quick else (10, 100, 1_000, 10_000):
        yield averages(alternating, labels)
    for labels in (10, 100) if quick else (10, 100, 1_000, 10_000):
        yield by_label(alternating, labels)
        yield lists_by_label(alternating, labels)
