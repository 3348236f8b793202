"""Does a gate that is looked at again and again raise no more false alarms than it says? Writes docs/gate-calibration.md.

Streams of items are looked at 20 times. False failures are counted where the candidate is exactly at the margin, which is
the hardest case; the gate with limits that hold at any time stands beside the gate of one look, asked at every look, and
beside a threshold.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import special

import outclass as oc
from outclass.measures import averages
from outclass.measures import get as measure_named
from outclass.planning import asymptotic, betting, influence
from outclass.verdict.gate import GateDecision

ROOT = Path(__file__).parents[2]
GPQA = ROOT.parent / "shared" / "logs" / "gpqa_epochs" / "gpqa_diamond_scores.csv"
ALPHA, LOOKS, STREAMS = 0.05, 20, 2_000
Z = float(special.ndtri(1 - ALPHA))


@dataclass(frozen=True)
class Rates:
    """Shares of streams in which each gate failed at any of its looks, or passed at any, and at the last look alone."""

    anytime: float
    every_look: float
    last_look: float
    threshold: float
    anytime_passed: float
    every_look_passed: float


def judged(
    estimates: np.ndarray, spreads: np.ndarray, sizes: np.ndarray, margin: float, beyond: np.ndarray, within: np.ndarray
) -> Rates:
    """Judge streams: (streams, looks) of estimates, spreads, and whether the limits are beyond and within the margin."""
    errors = spreads / np.sqrt(sizes)
    fails = estimates + Z * errors < -margin
    passes = estimates - Z * errors > -margin
    return Rates(
        anytime=float(beyond.any(axis=1).mean()),
        every_look=float(fails.any(axis=1).mean()),
        last_look=float(fails[:, -1].mean()),
        threshold=float((estimates[:, -1] < -margin).mean()),
        anytime_passed=float(within.any(axis=1).mean()),
        every_look_passed=float(passes.any(axis=1).mean()),
    )


# --- means of numbers -------------------------------------------------------------------------------------------------


def gpqa_epochs(path: Path = GPQA) -> dict[str, np.ndarray]:
    """Return (items, epochs) of right answers for each model."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    with path.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            own = found.setdefault(row["model_id"], {}).setdefault(row["item_id"], {})
            own[int(row["epoch"])] = float(row["score"])
    items = sorted(next(iter(found.values())))
    return {
        model: np.array([[own[item][epoch] for epoch in sorted(own[item])] for item in items])
        for model, own in found.items()
    }


def simulated_epochs(rng: np.random.Generator) -> np.ndarray:
    """Return (items, epochs) like those of GPQA: most items are nearly always right or wrong."""
    share = rng.beta(0.5, 0.3, 198)
    return (rng.random((198, 5)) < share[:, None]).astype(float)


def mean_streams(
    base: np.ndarray, cand: np.ndarray, margin: float, rng: np.random.Generator, streams: int, step: int = 50
) -> Rates:
    """Draw items again, with an epoch of each side, and look at the mean difference after every step."""
    items, epochs = base.shape
    size = step * LOOKS
    sizes = step * np.arange(1, LOOKS + 1)
    estimates, spreads = np.empty((streams, LOOKS)), np.empty((streams, LOOKS))
    beyond, within = np.zeros((streams, LOOKS), dtype=bool), np.zeros((streams, LOOKS), dtype=bool)
    bound = np.log(1 / ALPHA)
    same = base is cand
    for stream in range(streams):
        picked = rng.integers(items, size=size)
        first = rng.integers(epochs, size=size)
        second = (first + rng.integers(1, epochs, size=size)) % epochs if same else rng.integers(epochs, size=size)
        change = cand[picked, second] - base[picked, first]
        total, squares = change.cumsum()[sizes - 1], (change**2).cumsum()[sizes - 1]
        estimates[stream] = total / sizes
        spreads[stream] = np.sqrt(np.maximum(squares / sizes - estimates[stream] ** 2, 0))
        for look, end in enumerate(sizes):
            own = change[:end]
            beyond[stream, look] = betting.log_capital(-own, margin) >= bound
            within[stream, look] = betting.log_capital(own, -margin) >= bound
    return judged(estimates, spreads, sizes, margin, beyond, within)


# --- F1 and macro-F1 --------------------------------------------------------------------------------------------------


def confusions(classes: int, shares: np.ndarray, right: tuple[float, float], agreement: float) -> np.ndarray:
    """Return the probabilities of (truth, baseline, candidate), whose errors agree in part."""

    def errors(rate: float) -> np.ndarray:
        return np.eye(classes) * rate + (1 - np.eye(classes)) * (1 - rate) / (classes - 1)

    apart = shares[:, None, None] * errors(right[0])[:, :, None] * errors(right[1])[:, None, :]
    both = np.zeros((classes, classes, classes))
    low, high = min(right), max(right)
    for truth in range(classes):
        # As far as they agree, the better one is right wherever the other is, and wrong in the same way.
        for said in range(classes):
            own = low if said == truth else (1 - high) / (classes - 1)
            both[truth, said, said] += shares[truth] * own
            if said != truth:
                place = (truth, said, truth) if right[1] > right[0] else (truth, truth, said)
                both[place] += shares[truth] * (high - low) / (classes - 1)
    return np.asarray((1 - agreement) * apart + agreement * both)


def label_streams(
    world: np.ndarray,
    estimate: Callable[[np.ndarray], influence.Estimate],
    margin: float,
    rng: np.random.Generator,
    streams: int,
    step: int = 100,
    fewest: int | None = None,
) -> Rates:
    """Draw counts of kinds of items, and look at the difference of a measure after every step.

    An average over labels is not judged before there are `fewest` items of every label: by default as many as the gate
    asks for.
    """
    classes = round(world.size ** (1 / 3))
    least = (asymptotic.FEWEST if classes > 2 else 0) if fewest is None else fewest
    sizes = step * np.arange(1, LOOKS + 1)
    estimates, spreads = np.empty((streams, LOOKS)), np.empty((streams, LOOKS))
    half = np.array([asymptotic.reach(int(size), ALPHA, sharpest=step) for size in sizes])
    drawn = rng.multinomial(step, world.ravel(), size=(streams, LOOKS)).cumsum(axis=1)
    for stream in range(streams):
        for look in range(LOOKS):
            found = estimate(drawn[stream, look])
            estimates[stream, look], spreads[stream, look] = found
    rarest = drawn.reshape(streams, LOOKS, classes, -1).sum(axis=3).min(axis=2)
    reached = np.where((spreads > 0) & (rarest >= least), spreads * half, np.inf)
    spreads = np.where(spreads > 0, spreads, np.inf)
    beyond, within = estimates + reached < -margin, estimates - reached > -margin
    return judged(estimates, spreads, sizes, margin, beyond, within)


def of_f1(counts: np.ndarray) -> influence.Estimate:
    """Return the candidate's F1 minus the baseline's: kinds are (truth, baseline, candidate), positive first."""
    table = counts.reshape(2, 2, 2).swapaxes(1, 2).reshape(2, 4)
    return influence.of_table(measure_named("f1"), table)


def of_macro(counts: np.ndarray, classes: int) -> influence.Estimate:
    """Return the candidate's macro-F1 minus the baseline's."""
    codes = np.array(list(np.ndindex(classes, classes, classes)))[:, [0, 2, 1]]
    seen = counts > 0
    macro = averages.find("macro_f1")
    assert macro is not None
    return influence.of_patterns(macro, classes, codes[seen], counts[seen])


def true_difference(world: np.ndarray, estimate: Callable[[np.ndarray], influence.Estimate]) -> float:
    """Return the difference of a world itself."""
    return estimate(np.round(world.ravel() * 1e9)).difference


def worlds(streams: int, seed: int = 0, *, gpqa: bool = True) -> list[tuple[str, str, float, Rates]]:
    """Return every world: its name, the case, the true difference minus the edge of the margin, and the rates."""
    rng = np.random.default_rng(seed)
    found: list[tuple[str, str, float, Rates]] = []
    data = gpqa_epochs() if gpqa else {"a": simulated_epochs(rng), "b": simulated_epochs(rng)}
    names = list(data)
    for name in names:
        own = data[name]
        short = f"GPQA epochs, {name.split('/')[-1][:12]}" if gpqa else f"simulated epochs, {name}"
        found.append((short, "itself, margin 0", 0.0, mean_streams(own, own, 0.0, rng, streams)))
        found.append((short, "itself, margin .02", 0.02, mean_streams(own, own, 0.02, rng, streams)))
    if gpqa:
        worse = float(data[names[1]].mean() - data[names[0]].mean())
        rates = mean_streams(data[names[0]], data[names[1]], -worse, rng, streams)
        found.append(("GPQA, two models", f"{worse:+.3f}, margin {-worse:.3f}", 0.0, rates))
        rates = mean_streams(data[names[0]], data[names[1]], 0.02, rng, streams)
        found.append(("GPQA, two models", f"{worse:+.3f}, margin .02", worse + 0.02, rates))
    two = np.array([0.2, 0.8])
    four = np.array([0.55, 0.3, 0.1, 0.05])
    for title, shares, estimate in (
        ("F1, 20% positives", two, of_f1),
        ("F1, 5% positives", np.array([0.05, 0.95]), of_f1),
        ("macro-F1, 4 classes, 5% to 55%", four, lambda counts: of_macro(counts, 4)),
    ):
        classes = len(shares)
        same = confusions(classes, shares, (0.85, 0.85), 0.6)
        found.append((title, "equal, margin 0", 0.0, label_streams(same, estimate, 0.0, rng, streams)))
        found.append((title, "equal, margin .02", 0.02, label_streams(same, estimate, 0.02, rng, streams)))
        worse_world = confusions(classes, shares, (0.87, 0.83), 0.6)
        gap = true_difference(worse_world, estimate)
        rates = label_streams(worse_world, estimate, -gap, rng, streams)
        found.append((title, f"{gap:+.3f}, margin {-gap:.3f}", 0.0, rates))
        rates = label_streams(worse_world, estimate, 0.02, rng, streams)
        found.append((title, f"{gap:+.3f}, margin .02", gap + 0.02, rates))
    return found


# --- trying again, and the gate itself --------------------------------------------------------------------------------


class Retried(NamedTuple):
    """Shares of commits that passed at the first attempt, and at any: each by itself, and pooled as the ledger does."""

    world: str
    first: float
    alone: float
    pooled: float


def retried(base: np.ndarray, cand: np.ndarray, margin: float, rng: np.random.Generator, streams: int) -> np.ndarray:
    """Try a commit again and again on the same items, with new answers of the candidate; return who passed when."""
    items, epochs = base.shape
    picked = rng.integers(items, size=(streams, items))
    first = base[picked, rng.integers(epochs, size=(streams, items))]
    total = np.zeros(streams)
    alone, pooled = np.zeros((streams, LOOKS), dtype=bool), np.zeros((streams, LOOKS), dtype=bool)
    for attempt in range(LOOKS):  # with new answers of the candidate, the baseline's being what they are
        change = cand[picked, rng.integers(epochs, size=(streams, items))] - first
        reach = Z * change.std(axis=1, ddof=1) / np.sqrt(items)
        total += change.mean(axis=1)
        alone[:, attempt] = change.mean(axis=1) - reach > -margin
        pooled[:, attempt] = total / (attempt + 1) - reach > -margin
    return np.array([alone[:, 0].mean(), alone.any(axis=1).mean(), pooled.any(axis=1).mean()])


def retries(streams: int, seed: int = 1) -> list[Retried]:
    """Return how often a commit exactly at its margin passes if it is tried 20 times."""
    rng = np.random.default_rng(seed)
    data = gpqa_epochs()
    (one, nano), (_, mini) = data.items()
    worse = float(mini.mean() - nano.mean())
    return [
        Retried(f"GPQA, {one.split('/')[-1][:10]} against itself, margin 0", *retried(nano, nano, 0.0, rng, streams)),
        Retried(f"GPQA, two models, {worse:+.3f}, margin {-worse:.3f}", *retried(nano, mini, -worse, rng, streams)),
    ]


class Judged(NamedTuple):
    """Shares of candidates exactly at their margins that `oc.gate` failed, and that it passed."""

    world: str
    streams: int
    failed: float
    passed: float


def themselves(streams: int, seed: int = 2) -> list[Judged]:
    """Ask the gate itself, once for each set of items, about candidates that are exactly at their margins."""
    rng = np.random.default_rng(seed)
    nano, mini = gpqa_epochs().values()
    worse = float(nano.mean() - mini.mean())
    two, four = np.array([0.2, 0.8]), np.array([0.55, 0.3, 0.1, 0.05])

    def numbers(cand: np.ndarray, margin: float) -> oc.Gate:
        picked = rng.integers(len(nano), size=len(nano))
        first = rng.integers(5, size=len(nano))
        second = (first + rng.integers(1, 5, size=len(nano))) % 5
        return oc.gate({"main": nano[picked, first], "pr": cand[picked, second]}, scores=True, margin=margin)

    def perfect(items: int) -> oc.Gate:
        right = rng.random((2, items)) < np.array([[0.98], [0.96]])
        return oc.gate({"main": right[0] * 1.0, "pr": right[1] * 1.0}, scores=True, margin=0.02)

    def labelled(shares: np.ndarray, measure: str, estimate: Callable[[np.ndarray], influence.Estimate]) -> oc.Gate:
        classes = len(shares)
        world = confusions(classes, shares, (0.87, 0.83), 0.6)
        kinds = np.array(list(np.ndindex(classes, classes, classes)))
        truth, base, cand = kinds[rng.choice(len(kinds), 400, p=world.ravel())].T
        own = {"positive": 0} if classes == 2 else {}
        return oc.gate(truth, base, cand, measure=measure, margin=-true_difference(world, estimate), **own)

    asked: list[tuple[str, int, Callable[[], oc.Gate]]] = [
        ("GPQA against itself, 198 items, margin 0", streams, lambda: numbers(nano, 0.0)),
        (f"GPQA, two models, 198 items, margin {worse:.3f}", streams, lambda: numbers(mini, worse)),
        ("right .98 and .96 of 100 items, margin .02", streams, lambda: perfect(100)),
        ("right .98 and .96 of 30 items, margin .02", streams, lambda: perfect(30)),
        ("F1, 20% positives, 400 items", streams // 4, lambda: labelled(two, "f1", of_f1)),
        ("macro-F1, 5% to 55%, 400 items", streams // 2, lambda: labelled(four, "macro_f1", lambda x: of_macro(x, 4))),
    ]
    found = []
    for world, many, ask in asked:
        decisions = [ask().decision for _ in range(many)]
        failed = sum(each is GateDecision.REGRESSED for each in decisions) / many
        found.append(Judged(world, many, failed, sum(each.passes for each in decisions) / many))
    return found


PAGE = """# Does the gate raise false alarms?

A gate that is asked at every commit, or after every hundred items, is looked at many times. Each row is {streams:,} streams of {looks} looks: items drawn again
from [GPQA](questions/gate.md) epochs of a model (50 more at every look, an epoch of each side), or from simulated labels (100 more at every look; macro-F1 is not
judged at any time before there are {fewest} items of every label). The level is {alpha:.0%}. `make calibrate-gate` writes this page.

* **anytime**: `--anytime` or `--stages`, limits that hold at any time. *Failed* and *passed* are at any of the looks.
* **one look, asked at every look**: the ordinary gate, wrongly stopped at the first look that decides.
* **one look**: the ordinary gate, asked once, at the last look.
* **threshold**: fails if the observed drop exceeds the margin, asked once, at the last look.

## False failures

The candidate is exactly at the margin, or better than it. A share of {alpha:.0%} is what is promised.

| world | candidate | anytime | one look | one look, asked at every look | threshold |
|---|---|---|---|---|---|
{false}

## False passes

The candidate is exactly at the margin: to pass is an error as well.

| world | candidate | anytime | one look, asked at every look |
|---|---|---|---|
{passes}

## Power

The candidate is worse by more than the margin.

| world | candidate | anytime | one look | threshold |
|---|---|---|---|---|
{power}

A threshold fails half of the candidates that are exactly at the margin, so that its failures say little. The standard error of a share near {alpha:.0%} is
{error:.1%}.

## Trying again until it passes

A commit exactly at its margin, tried {looks} times on the same 198 items with new answers every time ({streams:,} commits). *Each by itself*: without a ledger. *Pooled*: with
one, which takes the mean of all attempts and the spread of one.

| world | passes at once | passes within {looks}, each by itself | passes within {looks}, pooled |
|---|---|---|---|
{retries}

## The gate itself

`oc.gate`, asked once about a candidate that is exactly at its margin, on items drawn anew every time. Failing and passing are both errors, of {alpha:.0%} each at most.

| world | gates | failed | passed |
|---|---|---|---|
{themselves}
"""


def page(found: list[tuple[str, str, float, Rates]], streams: int, tried: list[Retried], asked: list[Judged]) -> str:
    """Return the page."""

    def row(*cells: object) -> str:
        return "| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |"

    false = [row(w, c, r.anytime, r.last_look, r.every_look, r.threshold) for w, c, apart, r in found if apart >= 0]
    passes = [row(w, c, r.anytime_passed, r.every_look_passed) for w, c, apart, r in found if apart == 0]
    power = [row(w, c, r.anytime, r.last_look, r.threshold) for w, c, apart, r in found if apart < 0]
    return PAGE.format(
        streams=streams,
        looks=LOOKS,
        fewest=asymptotic.FEWEST,
        alpha=ALPHA,
        false="\n".join(false),
        passes="\n".join(passes),
        power="\n".join(power),
        retries="\n".join(row(*each) for each in tried),
        themselves="\n".join(row(*each) for each in asked),
        error=float(np.sqrt(ALPHA * (1 - ALPHA) / streams)),
    )


def main() -> None:
    """Run the study and write the page."""
    text = page(worlds(STREAMS), STREAMS, retries(STREAMS), themselves(400))
    (ROOT / "docs" / "gate-calibration.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
