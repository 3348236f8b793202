"""How often a goal is reached at a number of items: posteriors of many simulated test sets at once.

Each set's posterior is drawn (a thousand draws of its cells) and its interval is taken from the draws' mean, spread and
skewness, which for a distribution close enough to normal is within a few hundredths of a std of the exact one; what
noise is left blurs a set's decision and hardly moves the share of sets that reach the goal. A width, which varies
little from set to set, is taken from more draws; so are other distributions, as of a system without errors, by their
shortest interval.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.errors import InputError, shown
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure
from outclass.models.evidence import rights
from outclass.models.prior import Prior
from outclass.planning.scenario import Pilot, Scenario
from outclass.significance.permutation import permutation_exact
from outclass.significance.sign import mcnemar_midp, signed

DRAWS: Final = 1_000
MORE_DRAWS: Final = 12_000  # for widths, and where the shortest interval is searched among them
SPLITS, NEAR = 61, 5  # ways to split what an interval leaves out, and how many neighbours are averaged
BLOCK: Final = 200
MOST: Final = 10_000_000  # items that a search looks at
VERDICTS: Final = ("<<", ">>", "~=")
TESTS: Final = {"sign_exact": signed, "mcnemar_midp": mcnemar_midp}


@dataclass(frozen=True)
class Goal:
    """What a test set is to achieve: a verdict, any decision, an interval narrower than a width, or a p-value."""

    name: str
    verdict: str = ""
    width: float = math.nan
    test: str = ""


def goal_of(text: str) -> Goal:
    """Read a goal: '>>', '<<', '~=', 'decided', 'width:0.1', 'significant' or 'significant:sign_exact'."""
    name = str(text).strip()
    name = {"≫": ">>", "≪": "<<", "≈": "~="}.get(name, name)
    if name in VERDICTS:
        return Goal(name, verdict=name)
    if name == "decided":
        return Goal(name, verdict="any")
    kind, _, argument = name.partition(":")
    if kind == "width":
        try:
            width = float(argument)
        except ValueError:
            width = math.nan
        if width > 0:
            return Goal(name, width=width)
    if kind == "significant" and (not argument or argument in (*TESTS, "permutation_exact")):
        return Goal(name, test=argument or "permutation_exact")
    raise InputError(
        f"unknown goal {shown(text)}. Goals are >>, <<, ~=, decided, width:0.1, significant, significant:sign_exact or "
        "significant:mcnemar_midp."
    )


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How a test set is judged."""

    measure: Measure
    priors: Mapping[str, Prior]  # by model
    rope: Interval
    hdi_mass: float


def intervals(joints: Counts, model: str, rule: Rule, rng: np.random.Generator, draws: int = DRAWS) -> Floats:
    """Return the interval of each set's difference: shape (sets, 2)."""
    found = []
    block = max(1, BLOCK * DRAWS // draws)
    for start in range(0, len(joints), block):
        part = joints[start : start + block]
        differences = _differences(part, model, rule, rng, draws)
        ends = moments_interval(differences, rule.hdi_mass)
        # Far from normal (few items of a class, a system without errors) the interval is searched for.
        odd = is_odd(differences)
        if odd.any():
            ends[odd] = shortest(_differences(part[odd], model, rule, rng, MORE_DRAWS), rule.hdi_mass)
        found.append(ends)
    return np.concatenate(found) if found else np.empty((0, 2))


def is_odd(differences: Floats) -> np.ndarray:
    """Return which rows of draws are too skewed, or have too heavy or light tails, for an interval from moments."""
    mean, std = np.nanmean(differences, axis=1), np.nanstd(differences, axis=1)
    z = (differences - mean[:, None]) / np.where(std > 0, std, 1.0)[:, None]
    skew, kurtosis = np.nanmean(z**3, axis=1), np.nanmean(z**4, axis=1) - 3
    return np.asarray((np.abs(skew) > 0.35) | (np.abs(kurtosis) > 0.5) | ~np.isfinite(mean))


def _differences(joints: Counts, model: str, rule: Rule, rng: np.random.Generator, draws: int) -> Floats:
    """Draw A's measure minus B's: shape (sets, draws)."""
    return DRAWN[model](joints.astype(float), rule.measure, rule.priors[model], rng, draws)


def _paired(counts: Floats, measure: Measure, prior: Prior, rng: np.random.Generator, draws: int) -> Floats:
    totals, size = counts.sum(axis=2), (len(counts), draws)
    mu = rng.beta((prior.mu[0] + totals[:, 0])[:, None], (prior.mu[1] + totals[:, 1])[:, None], size)
    said = []
    for row, part in enumerate(("positives", "negatives")):
        alphas = counts[:, row] + np.array(prior.outcomes(part, 4))
        gammas = rng.standard_gamma(alphas[:, None, :], (*size, 4))
        shares = gammas / gammas.sum(axis=2, keepdims=True)
        said.append((shares[..., 0] + shares[..., 1], shares[..., 0] + shares[..., 2]))
    (yes_a, yes_b), (no_a, no_b) = said
    return _measured(measure, mu, yes_a, no_a) - _measured(measure, mu, yes_b, no_b)


def _unpaired(counts: Floats, measure: Measure, prior: Prior, rng: np.random.Generator, draws: int) -> Floats:
    totals, size = counts.sum(axis=2), (len(counts), draws)
    values = []
    for place in (1, 2):
        yes = counts[:, :, 0] + counts[:, :, place]
        mu = rng.beta((prior.mu[0] + totals[:, 0])[:, None], (prior.mu[1] + totals[:, 1])[:, None], size)
        rates = []
        for row, part in enumerate(("positives", "negatives")):
            a, b = prior.outcomes(part, 2)
            rates.append(rng.beta((a + yes[:, row])[:, None], (b + totals[:, row] - yes[:, row])[:, None], size))
        values.append(_measured(measure, mu, *rates))
    return np.asarray(values[0] - values[1])


def _goutte(counts: Floats, measure: Measure, prior: Prior, rng: np.random.Generator, draws: int) -> Floats:
    values = []
    for place, other in ((1, 2), (2, 1)):
        cells = [counts[:, row, 0] + counts[:, row, place] for row in (0, 1)] + [counts[:, 0, other] + counts[:, 0, 3]]
        tp, fp, fn = (rng.standard_gamma((cell + prior.cells)[:, None], (len(counts), draws)) for cell in cells)
        values.append(measure(tp, fp, fn, np.zeros_like(tp)))
    return np.asarray(values[0] - values[1])


def _sign(counts: Floats, measure: Measure, prior: Prior, rng: np.random.Generator, draws: int) -> Floats:
    only_a, only_b = counts[:, 0, 1] + counts[:, 1, 2], counts[:, 0, 2] + counts[:, 1, 1]
    wins = np.stack([only_a, only_b, counts.sum(axis=(1, 2)) - only_a - only_b], axis=1)
    alphas = wins + np.array(prior.outcomes("wins", 3))
    gammas = rng.standard_gamma(alphas[:, None, :], (len(counts), draws, 3))
    ahead = (gammas[..., 0] - gammas[..., 1]) / gammas.sum(axis=2)
    return np.asarray(ahead if measure.higher_is_better else -ahead)


DRAWN: Final[dict[str, Callable[[Floats, Measure, Prior, np.random.Generator, int], Floats]]] = {
    "paired": _paired,
    "unpaired": _unpaired,
    "goutte": _goutte,
    "sign": _sign,
}


def _measured(measure: Measure, mu: Floats, recall: Floats, fallout: Floats) -> Floats:
    rest = 1 - mu
    return np.asarray(measure(mu * recall, rest * fallout, mu * (1 - recall), rest * (1 - fallout)))


def moments_interval(differences: Floats, mass: float) -> Floats:
    """Return the interval of each row of draws from its mean, spread and skewness."""
    mean, std = np.nanmean(differences, axis=1), np.nanstd(differences, axis=1)
    safe = np.where(std > 0, std, 1.0)
    skew = np.nanmean(((differences - mean[:, None]) / safe[:, None]) ** 3, axis=1)
    reach = float(special.ndtri((1 + mass) / 2))
    # Where a slightly skewed density is equal at both ends: the interval moves by skew (c^2 - 3) / 6 stds.
    centre = mean + std * np.clip(skew, -1, 1) * (reach * reach - 3) / 6
    return np.stack([centre - reach * std, centre + reach * std], axis=1)


def shortest(differences: Floats, mass: float) -> Floats:
    """Return the shortest interval of each row of draws.

    The widths of all intervals of that mass, by what they leave out below, are smoothed before the least is taken: the
    shortest of raw widths is too short, and its place is anybody's guess.
    """
    ordered = np.sort(differences, axis=1)
    size = np.sum(np.isfinite(ordered), axis=1)
    below = np.linspace(0, 1 - mass, SPLITS)
    places = below * (np.maximum(size, 1)[:, None] - 1)
    low = _at(ordered, places)
    high = _at(ordered, places + mass * (np.maximum(size, 1)[:, None] - 1))
    padded = np.pad(high - low, ((0, 0), (NEAR // 2, NEAR // 2)), mode="edge")
    smooth = np.lib.stride_tricks.sliding_window_view(padded, NEAR, axis=1).mean(axis=2)
    rows, start = np.arange(len(ordered)), np.argmin(smooth, axis=1)
    return np.stack([low[rows, start], high[rows, start]], axis=1)


def _at(ordered: Floats, places: Floats) -> Floats:
    """Return sorted rows at places between two of their numbers."""
    first = np.clip(np.floor(places).astype(int), 0, ordered.shape[1] - 1)
    second = np.minimum(first + 1, ordered.shape[1] - 1)
    rows = np.arange(len(ordered))[:, None]
    part = places - first
    upper = np.where(part > 0, ordered[rows, second], 0.0)
    return np.asarray(np.where(part > 0, (1 - part) * ordered[rows, first] + part * upper, ordered[rows, first]))


def verdicts(ends: Floats, rope: Interval) -> np.ndarray:
    """Return the decision on each interval: '<<', '>>', '~=' or '' (more data needed)."""
    low, high = ends.T
    inside = (low >= rope.low) & (high <= rope.high)
    return np.where(inside, "~=", np.where(high <= rope.low, "<<", np.where(low >= rope.high, ">>", "")))


def reached(joints: Counts, goal: Goal, model: str, rule: Rule, rng: np.random.Generator) -> np.ndarray:
    """Return which sets reach the goal."""
    if goal.test:
        p_values = []
        for joint in joints:
            if goal.test == "permutation_exact":
                p_values.append(permutation_exact(rule.measure, joint, most_cells=200_000).p_value)
            else:
                p_values.append(TESTS[goal.test](rights(joint)).p_value)
        return np.asarray(np.array(p_values) <= 0.05)
    ends = intervals(joints, model, rule, rng, MORE_DRAWS if goal.width > 0 else DRAWS)
    if goal.width > 0:
        return np.asarray(ends[:, 1] - ends[:, 0] <= goal.width)
    decided = verdicts(ends, rule.rope)
    return np.asarray(decided != "" if goal.verdict == "any" else decided == goal.verdict)


def probability(
    world: Scenario | Pilot, items: int, goal: Goal, model: str, rule: Rule, sets: int, seed: Sequence[int]
) -> float:
    """Return the share of simulated sets that reach the goal."""
    rng = np.random.Generator(np.random.SFC64(list(seed)))
    joints = world.simulate(items, sets, rng)
    return float(reached(joints, goal, model, rule, rng).mean())


def share(hits: float, sets: int) -> tuple[float, float]:
    """Return a simulated probability and its error: the standard error, and never zero."""
    smoothed = (hits * sets + 1) / (sets + 2)
    return hits, math.sqrt(smoothed * (1 - smoothed) / sets)


def smallest(
    at: Callable[[int, bool], float], wanted: float, sets: int, start: int = 100, most: int = MOST
) -> tuple[int | None, float | None, dict[int, float]]:
    """Search for the smallest number of items that reaches the goal with the wanted probability.

    The probability is looked at on a grid that closes in; the answer is looked at again with other numbers, and raised
    until what these show is not below the wanted probability by more than its simulation error. None if even `most` do
    not reach it. Returns the number, what the second look at it showed, and the first looks.
    """
    seen: dict[int, float] = {}

    def look(items: int) -> float:
        if items not in seen:
            seen[items] = at(items, False)
        return seen[items]

    low, high = 0, start
    while look(high) < wanted:
        low, high = high, 2 * high
        if high > most:
            return None, None, seen
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        if look(middle) >= wanted:
            high = middle
        else:
            low = middle
    answer = high
    error = share(wanted, sets)[1]
    while (reached := at(answer, True)) < wanted - error:
        answer = math.ceil(answer * 1.02) + 1
        if answer > most:
            return None, None, seen
    return answer, reached, seen
