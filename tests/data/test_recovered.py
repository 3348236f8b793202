"""Counts behind published rates: all of them, and no others, found by trying every table."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import outclass as oc
from outclass.data.given_counts import confusion_counts_of, counts_of
from outclass.data.recovered import Rate, Sizes, rate_of, tables
from outclass.errors import InputError

CHANCE = random.Random(20261118)


def values(sizes: Sizes, tp: int, fp: int) -> dict[str, Fraction | None]:
    """Return the rates of a table, from their definitions."""
    fn, negatives = sizes.positives - tp, sizes.negatives or 0
    items = sizes.positives + negatives
    parts = {
        "precision": (tp, tp + fp),
        "recall": (tp, sizes.positives),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "accuracy": (tp + negatives - fp, items),
        "error": (fp + fn, items),
        "specificity": (negatives - fp, negatives),
    }
    return {name: Fraction(top, bottom) if bottom else None for name, (top, bottom) in parts.items()}


def cases(many: int) -> Iterator[tuple[Sizes, dict[str, Rate]]]:
    """Make published rates of small tables; a quarter of them are made up."""
    while many:
        sizes = Sizes(CHANCE.randint(1, 14), CHANCE.choice([None, CHANCE.randint(1, 14)]))
        known = ["precision", "recall", "f1"] + (
            [] if sizes.negatives is None else ["accuracy", "error", "specificity"]
        )
        tp, fp = (
            CHANCE.randint(0, sizes.positives),
            CHANCE.randint(0, 14 if sizes.negatives is None else sizes.negatives),
        )
        own = values(sizes, tp, fp)
        rates = {}
        for name in CHANCE.sample(known, CHANCE.choice([2, 2, 3])):
            value = own[name] if CHANCE.random() < 0.9 else Fraction(CHANCE.random())
            if value is not None:
                rates[name] = rate_of(name, f"{float(value):.{CHANCE.choice([1, 2, 2, 3])}f}")
        # Without the number of items, a rate of nothing leaves the false alarms open.
        bounded = [name for name in ("precision", "f1") if name in rates and rates[name].low > Fraction(1, 20)]
        if len(rates) > 1 and (sizes.negatives is not None or bounded):
            many -= 1
            yield sizes, rates


def test_all_solutions_are_found() -> None:
    """Every table whose rates round to the printed ones is counted, and no other."""
    none = 0
    for sizes, rates in cases(150):
        most = 280 if sizes.negatives is None else sizes.negatives
        every = set()
        for tp in range(sizes.positives + 1):
            for fp in range(most + 1):
                own = values(sizes, tp, fp)
                if all(
                    (v := own[name]) is not None and abs(v - rate.value) <= rate.half for name, rate in rates.items()
                ):
                    every.add((tp, fp))
        if not every:
            none += 1
            with pytest.raises(InputError, match="no counts give"):
                tables(rates, sizes)
            continue

        found = tables(rates, sizes)

        assert found.solutions == len(every), (sizes, rates)
        assert found.is_exact
        assert {found.best, *found.ends} <= every
        for name in ("precision", "recall", "f1"):
            of = [value for tp, fp in every if (value := values(sizes, tp, fp)[name]) is not None]
            ends = [value for tp, fp in found.ends if (value := values(sizes, tp, fp)[name]) is not None]
            assert (min(ends, default=0), max(ends, default=0)) == (min(of, default=0), max(of, default=0))
    assert 5 < none < 100


@pytest.mark.parametrize("text", [".12", ".13", "12%", "13%", "12.5%"])
def test_both_ways_of_rounding_are_accepted(text: str) -> None:
    """One of eight is .125, which is printed as .13 by some and as .12 by others."""
    found = confusion_counts_of(f"recall={text},precision=1,positives=8", "A")

    assert (found.tp, found.fp, found.fn) == (1, 0, 7)


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (".90", 0.895, 0.905),
        ("0.9", 0.85, 0.95),
        (0.9, 0.85, 0.95),
        ("90%", 0.895, 0.905),
        ("90.1%", 0.9005, 0.9015),
        ("9.01e-1", 0.9005, 0.9015),
        ("1", 1, 1),
        (1, 1, 1),
        ("1.00", 0.995, 1),
        ("100%", 0.995, 1),
        (0, 0, 0),
        ("0.0", 0, 0.05),
    ],
)
def test_digits_give_the_interval(value: Any, low: float, high: float) -> None:
    """A rate stands for all that is printed like it; a whole number without digits is exact."""
    found = rate_of("recall", value)

    assert (float(found.low), float(found.high)) == (low, high)


def test_f1_is_a_further_constraint() -> None:
    """F1 beside precision and recall leaves fewer counts."""
    without = confusion_counts_of("precision=.90,recall=.85,positives=1000", "A").recovered
    beside = confusion_counts_of("precision=.90,recall=.85,f1=.8741,positives=1000", "A").recovered

    assert without is not None
    assert beside is not None
    assert 0 < beside.solutions < without.solutions


def test_accuracy_alone_counts_right_answers() -> None:
    """Of 2,000 items, 21 numbers of right answers are printed as .91; an error of .09 is the same."""
    found = confusion_counts_of("accuracy=.91,n=2000", "A")
    other = confusion_counts_of({"error": ".09", "n": 2000}, "A")

    assert (found.tp, found.fn, found.has_classes) == (1820, 180, False)
    assert found.recovered is not None
    assert found.recovered.solutions == len([k for k in range(2001) if 0.905 <= k / 2000 <= 0.915])
    assert (other.tp, other.recovered is not None and other.recovered.solutions) == (1820, found.recovered.solutions)


def test_work_is_capped() -> None:
    """Ten million positives leave billions of tables: their number is an estimate."""
    found = confusion_counts_of("precision=.90,recall=.85,positives=10000000", "A")

    assert found.recovered is not None
    assert not found.recovered.is_exact
    assert found.recovered.solutions > 10**9
    assert abs(found.tp / 10**7 - 0.85) < 1e-4
    assert "about" in found.findings[0].message
    assert found.findings[0].code == "OC630"


def test_totals_give_the_true_negatives() -> None:
    """The number of all items, or of negatives, stands for tn."""
    counts = ["tp=8,fp=3,fn=2,tn=7", "tp=8,fp=3,fn=2,n=20", "tp=8,fp=3,fn=2,negatives=10", "tp=8,fp=3,fn=2,tn=7,n=20"]

    assert [confusion_counts_of(each, "A").tn for each in counts] == [7, 7, 7, 7]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("precision=1.2,recall=.8,positives=9", "precision must lie between 0 and 1"),
        ("precision=90.1,recall=.8,positives=9", r"Did you mean 90.1%\?"),
        ("precision=-.1,recall=.8,positives=9", "between 0 and 1"),
        ("precision=nan,recall=.8,positives=9", "must be a number such as"),
        ("precision=high,recall=.8,positives=9", "must be a number such as"),
        ("precision=1e-99999,recall=.8,positives=9", "must be a number such as"),
        ("precision=.9,recall=.8,positives=0", "cannot be of 0 positives"),
        ("precision=.9,recall=.8,positives=50,n=40", "n=40 is less than the number of positives"),
        ("precision=.9,recall=.8,positives=50,negatives=40,n=80", "are not n=80"),
        ("precision=.9,recall=.8", "of how many"),
        ("precision=.9,recall=.8,n=100", "of how many"),
        ("precision=.9,positives=100", "alone leaves too many"),
        ("recall=.9,accuracy=.8,positives=100", "add n=N"),
        ("precison=.9,recall=.8,positives=10", "Did you mean 'precision'"),
        ("precision=.9,recall=.8,tp=9,positives=10", "not both"),
        ("precision=.90,recall=.85,positives=7", "nearest, tp=6, fp=1, fn=1, give precision 0.8571, recall 0.8571"),
        ("precision=.9,recall=.9,f1=.1,positives=1000", "no counts give"),
        ("accuracy=.915,n=7", "the nearest, 6 right, gives accuracy 0.8571"),
        ("accuracy=.91", "give accuracy .* and n"),
        ("accuracy=.91,n=0", "n is 0"),
        ("accuracy=.91,error=.09,n=100", "give accuracy"),
        ("accuracy=.91,n=-3", "n must be a non-negative integer"),
        ("tp=8,fp=3,fn=2,n=11", r"add up to 13 \(n\), not 11"),
        ("tp=8,fp=3,fn=2,tn=7,n=21", r"add up to 20 \(n\), not 21"),
        ("tp=8,fp=3,fn=2,positives=11", r"add up to 10 \(positives\), not 11"),
        ("tp=8,fp=3,fn=2,n=20,negatives=11", "contradict"),
    ],
)
def test_bad_rates_are_one_sentence(spec: str, told: str) -> None:
    """What contradicts itself, or is not enough, is an error that says so."""
    with pytest.raises(InputError, match=told) as error:
        confusion_counts_of(spec, "A")

    assert "\n" not in str(error.value)
    assert re.search(r"[.?]$", str(error.value))


@pytest.mark.parametrize(
    ("specs", "told"),
    [
        (["accuracy=.91,n=100", "tp=8,fp=3,fn=2,tn=7"], "of two kinds"),
        (["tp=8,fp=3,fn=2,tn=7"], "needs two published results"),
        (["tp=8,fp=3,fn=2,tn=7", "tp=8,fp=3,fn=2"], "add tn=N or n=N to the counts of 'B'"),
        (["tp=8,fp=3,fn=2,tn=7", "tp=8,fp=3,fn=3,tn=6"], "same positives: A has 10, B 11"),
        (["tp=8,fp=3,fn=2,tn=7", "tp=8,fp=3,fn=2,tn=8"], "same negatives: A has 10, B 11"),
        (["accuracy=.91,n=100", "accuracy=.91,n=101"], "same items: A has 100, B 101"),
    ],
)
def test_results_that_are_not_of_one_test_set(specs: list[str], told: str) -> None:
    """Results on the same items have the same numbers of items of each class."""
    with pytest.raises(InputError, match=told):
        counts_of(specs, same_items=True)


def test_same_items_needs_counts() -> None:
    """Items that were counted themselves show on which the systems agree."""
    with pytest.raises(InputError, match=r"same_items.* is not used .*counts"):
        oc.compare([1, 0] * 20, [1, 1] * 20, [0, 0] * 20, same_items=True)
    with pytest.raises(InputError, match=r"same_items.*not used with wins"):
        oc.compare(wins=(3, 4), items=10, same_items=True)
