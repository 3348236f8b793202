"""Published results on one test set: how often the interval that is reported covers the true difference.

The agreement of two systems is known to the world that makes their results, and to nobody who reads them: the reported
interval is that of the least favourable pairing. Run as a script, it prints the table of docs/questions/published.md.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np

from outclass import measures
from outclass.ask.published import question_of
from outclass.ask.question import Wishes
from outclass.data.given_counts import counts_of
from outclass.data.published import SameItems
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.models.agreement import difference_at, roughly
from outclass.models.question import Question
from outclass.models.table_fit import observed

SETS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Two systems on the same items: both right, only A, only B, neither; on positives and on negatives."""

    name: str
    items: int
    prevalence: float
    positives: tuple[float, float, float, float]
    negatives: tuple[float, float, float, float]
    measure: str = "f1"
    digits: int | None = None  # of the published precision, recall and accuracy; None if counts are published


WORLDS: Final = (
    World(
        name="ordinary",
        items=1_000,
        prevalence=0.3,
        positives=(0.75, 0.08, 0.10, 0.07),
        negatives=(0.90, 0.03, 0.04, 0.03),
    ),
    World(
        name="errors never shared",
        items=1_000,
        prevalence=0.3,
        positives=(0.70, 0.14, 0.16, 0.0),
        negatives=(0.90, 0.05, 0.05, 0.0),
    ),
    World(
        name="errors nearly always shared",
        items=1_000,
        prevalence=0.3,
        positives=(0.83, 0.01, 0.02, 0.14),
        negatives=(0.93, 0.005, 0.005, 0.06),
    ),
    World(
        name="nearly perfect",
        items=500,
        prevalence=0.4,
        positives=(0.985, 0.005, 0.01, 0.0),
        negatives=(0.98, 0.01, 0.01, 0.0),
    ),
    World(
        name="few items",
        items=60,
        prevalence=0.4,
        positives=(0.6, 0.15, 0.15, 0.1),
        negatives=(0.8, 0.1, 0.05, 0.05),
    ),
    World(
        name="rare positives",
        items=1_000,
        prevalence=0.03,
        positives=(0.6, 0.15, 0.15, 0.1),
        negatives=(0.98, 0.01, 0.005, 0.005),
    ),
    World(
        name="accuracy, errors never shared",
        items=500,
        prevalence=0.5,
        positives=(0.8, 0.08, 0.12, 0.0),
        negatives=(0.8, 0.08, 0.12, 0.0),
        measure="accuracy",
    ),
    World(
        name="rates of two digits",
        items=1_000,
        prevalence=0.3,
        positives=(0.75, 0.08, 0.10, 0.07),
        negatives=(0.90, 0.03, 0.04, 0.03),
        digits=2,
    ),
    World(
        name="rates of two digits, errors never shared",
        items=1_000,
        prevalence=0.3,
        positives=(0.70, 0.14, 0.16, 0.0),
        negatives=(0.90, 0.05, 0.05, 0.0),
        digits=2,
    ),
    World(
        name="rates of two digits, many items, errors never shared",
        items=20_000,
        prevalence=0.3,
        positives=(0.70, 0.14, 0.16, 0.0),
        negatives=(0.90, 0.05, 0.05, 0.0),
        digits=2,
    ),
    World(
        name="rates of three digits, many items, errors never shared",
        items=20_000,
        prevalence=0.3,
        positives=(0.70, 0.14, 0.16, 0.0),
        negatives=(0.90, 0.05, 0.05, 0.0),
        digits=3,
    ),
)


class Coverage(NamedTuple):
    """How often intervals cover the truth, with the standard error; and how wide they are beside that of the items."""

    reported: float
    error: float
    with_rounding: float
    from_items: float
    wider: float


def covered(world: World, sets: int = SETS) -> Coverage:
    """Simulate test sets of a world, each world with a seed of its own."""
    rng = np.random.default_rng(crc32(world.name.encode()))
    measure = measures.get(world.measure)
    shares = np.concatenate(
        [world.prevalence * np.array(world.positives), (1 - world.prevalence) * np.array(world.negatives)]
    )
    truth = _difference(measure, shares)
    found = []
    for counts in rng.multinomial(world.items, shares, size=sets):
        pair = _published(world, counts)
        if pair is None:
            continue
        question = question_of(counts_of([pair.first, pair.second], same_items=True), Wishes(measure=world.measure))
        question = roughly(question)
        # The least agreement is the least favourable of these measures (tests/rows/test_same_items.py).
        least = (pair.ranges[0][0], pair.ranges[1][0])
        # Both systems on the items themselves; of rounded rates the items have other counts.
        items = _published(replace(world, digits=None), counts)
        assert items is not None
        both = (int(counts[0] + counts[4]), 0) if world.measure == "accuracy" else (int(counts[0]), int(counts[4]))
        reported = difference_at(pair, least, measure, question).hdi(0.95)
        rounded = any(low <= truth <= high for low, high in [reported, *_hull(pair, measure, question)])
        known = difference_at(items, both, measure, question).hdi(0.95)
        found.append(
            (
                reported.low <= truth <= reported.high,
                rounded,
                known.low <= truth <= known.high,
                reported.width / known.width,
            )
        )
    inside, *others = (float(each) for each in np.mean(found, axis=0))
    return Coverage(inside, sqrt(inside * (1 - inside) / len(found)), *others)


def _hull(pair: SameItems, measure: Measure, question: Question) -> list[Interval]:
    """Return the interval that finding OC631 names: from the lowest to the highest end over counts printed alike."""
    if pair.first.recovered is None or pair.second.recovered is None:
        return []
    ends = []
    for each in (pair.first, pair.second):
        every = sorted(each.alternatives(), key=lambda own: observed(measure, own.table))
        ends.append((every[0], every[-1]))
    found = []
    for first, second in ((ends[0][0], ends[1][1]), (ends[0][1], ends[1][0])):
        other = replace(pair, first=first, second=second)
        least = (other.ranges[0][0], other.ranges[1][0])
        found.append(difference_at(other, least, measure, question).hdi(0.95))
    return [Interval(min(each.low for each in found), max(each.high for each in found))]


def _difference(measure: Measure, shares: np.ndarray) -> float:
    both, only_a, only_b, neither = shares[4:]
    return float(pair_difference(measure, [shares[:4], [neither, only_b, only_a, both]]))


def _published(world: World, counts: np.ndarray) -> SameItems | None:
    """Return what is published of a test set; None if nothing is defined."""
    pp, pa, pb, pn, nn, na, nb, np_ = (int(count) for count in counts)
    specs = []
    for right, missed, kept, alarms in ((pp + pa, pb + pn, nn + na, nb + np_), (pp + pb, pa + pn, nn + nb, na + np_)):
        if world.measure == "accuracy":
            specs.append({"accuracy": f"{(right + kept) / world.items:.12f}", "n": world.items})
        elif world.digits is None:
            specs.append({"tp": right, "fp": alarms, "fn": missed, "tn": kept})
        elif right == 0:
            return None
        else:
            rates = {"precision": right / (right + alarms), "recall": right / (right + missed)}
            printed = {name: f"{value:.{world.digits}f}" for name, value in rates.items()}
            specs.append({**printed, "positives": right + missed, "n": world.items})
    (pair,) = counts_of(specs, same_items=True).pairs()
    assert isinstance(pair, SameItems)
    return pair


if __name__ == "__main__":
    print("| world | items | reported interval covers | range of OC631 | interval from the items | times as wide |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for each in WORLDS:
        seen = covered(each)
        told = f"{seen.reported:.3f} ± {seen.error:.3f} | {seen.with_rounding:.3f} | {seen.from_items:.3f} | {seen.wider:.2f}"
        print(f"| {each.name} | {each.items:,} | {told} |", flush=True)
