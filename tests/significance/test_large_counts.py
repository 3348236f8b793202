"""Counts up to 10^18: every test answers from the cells alone, and approximations agree with the exact sums."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from scipy import special

import outclass as oc
from outclass.errors import InputError
from outclass.measures import MEASURES
from outclass.significance import binomial, permutation
from outclass.significance.many import cochran_q

MEASURED = {2: "f1", 3: ["macro_f1", "micro_f1"]}
SIZES = (10**6, 10**9, 10**12, 10**15)
SHARES = {
    "gold": [1, 1, 1, 1, 0, 0, 0, 0],
    "a": [1, 1, 0, 0, 0, 1, 0, 1],
    "b": [1, 0, 1, 0, 0, 0, 1, 1],
    "c": [1, 1, 1, 0, 0, 0, 1, 1],
}
WEIGHTS = np.array([30, 5, 5, 5, 40, 5, 5, 5])
PUBLISHED = 0.75998  # the p-test of Yang & Liu in the limit of large n


def counted(n: int) -> dict[str, list[int]]:
    """Return a table of n items, in which A leads by one standard deviation or so, whatever n is."""
    counts = [n * int(weight) // 100 for weight in WEIGHTS]
    counts[1] += math.isqrt(n) // 3
    return {**SHARES, "n": counts}


def three_classes(n: int) -> dict[str, list[object]]:
    """Return the same of three classes, and of all that systems can say of them."""
    rows = list(itertools.product("pqr", repeat=4))
    sizes = {"p": 50, "q": 80, "r": 200}
    counts = [n // sizes[truth] + (math.isqrt(n) // 20 if a == truth != b else 0) for truth, a, b, _ in rows]
    return {name: [row[at] for row in rows] for at, name in enumerate(("gold", "a", "b", "c"))} | {"n": counts}


@pytest.mark.parametrize("z", [-3.0, -0.01, 0.0, 0.01, 1.0, 6.0, 30.0])
@pytest.mark.parametrize("n", [10**5, 10**7, 10**9, 10**12])
def test_the_binomial_is_close_to_the_normal_and_nothing_else(n: int, z: float) -> None:
    """Its tails and probabilities differ from the normal's by the known terms of order 1/n; SciPy's bdtr does not."""
    k = math.floor(n / 2 - z * math.sqrt(n) / 2)
    at = (k - n / 2) / (math.sqrt(n) / 2)
    tail = float(special.ndtr(at + 1 / math.sqrt(n)))
    density = math.exp(-at * at / 2) / math.sqrt(math.pi * n / 2)
    known = (1 + at**4) / n + 1e-9

    assert float(binomial.at_most(k, n)) == pytest.approx(tail, rel=known)
    assert float(binomial.probability(k, n)) == pytest.approx(density, rel=known)


def test_the_binomial_of_few_trials() -> None:
    """Tails and probabilities of ten trials are those of Pascal's triangle, from nothing to everything."""
    ways = np.array([math.comb(10, k) for k in range(11)]) / 2**10

    assert binomial.probability(np.arange(11), 10) == pytest.approx(ways)
    assert binomial.at_most(np.arange(-1, 11), 10) == pytest.approx([0.0, *np.cumsum(ways)])
    assert binomial.at_most(0, 0) == 1.0


@pytest.mark.parametrize("z", [0.0, 1.0, 6.0, 30.0])
def test_the_normal_begins_where_the_binomial_ends(monkeypatch: pytest.MonkeyPatch, z: float) -> None:
    """At the switch both agree to a millionth of the value."""
    n = binomial.EXACT
    k = math.floor(n / 2 - z * math.sqrt(n) / 2)
    exact = float(binomial.at_most(k, n))
    monkeypatch.setattr(binomial, "EXACT", n - 1)

    assert float(binomial.at_most(k, n)) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("positives", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("lead", [1.0, 4.0])
def test_bins_begin_where_the_sum_ends(monkeypatch: pytest.MonkeyPatch, positives: float, lead: float) -> None:
    """A permutation test summed over bins has the p-value of the whole sum, within the error that it states."""
    n = 10**7
    table = np.array([[n, int(n * positives), int(n * positives), n], [n, n, n + int(lead * math.sqrt(2 * n)), n]])
    exact = permutation.permutation_exact(MEASURES["f1"], table)
    monkeypatch.setattr(permutation, "MOST_TERMS", 20_000)
    binned = permutation.permutation_exact(MEASURES["f1"], table)
    error = float(binned.words.partition("error of p below ")[2].partition(":")[0])

    assert (exact.name, binned.name) == ("permutation_exact", "permutation")
    assert error < 1e-2 * exact.p_value
    assert abs(binned.p_value - exact.p_value) <= 1.5 * error


@pytest.mark.parametrize("classes", [2, 3])
def test_every_test_at_every_size(classes: int) -> None:
    """P-values of a lead of one standard deviation hardly move from 10^6 items to 10^15."""
    found: dict[tuple[object, ...], list[float]] = {}
    for n in SIZES:
        table = counted(n) if classes == 2 else three_classes(n)
        report = oc.test(table, truth="gold", count="n", every=True, measure=MEASURED[classes], draws=1000, rng=1)
        for row in report.rows:
            name = row.name.removesuffix("_exact") if row.name.startswith("permutation") else row.name
            found.setdefault((name, row.measure, row.systems), []).append(row.p_value)

    for key, values in found.items():
        assert len(values) == len(SIZES), key
        assert values == pytest.approx(values[:1] * len(SIZES), abs=0.05, nan_ok=key[0] == "macro_t_ranks"), key
    assert len(found) > 15


@pytest.mark.parametrize("measure", ["f1", "mcc"])
def test_memory_does_not_grow_with_the_count(measure: str) -> None:
    """The permutation test of 10^15 items, which took gigabytes, takes megabytes."""
    tracemalloc.start()
    oc.test(counted(10**15), truth="gold", count="n", systems=["a", "b"], tests="permutation_exact", measure=measure)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 100 << 20


@pytest.mark.parametrize("n", [*SIZES, 10**17])
def test_wins_and_published_counts(n: int) -> None:
    """So do those of wins and of published counts."""
    lead = math.isqrt(n)
    wins = oc.test(wins=(n, n - lead), items=3 * n, every=True)
    cells = {"tp": n // 2, "fp": n // 3, "fn": n // 4, "tn": n}
    counts = oc.test(counts=[cells, cells | {"tp": n // 2 - lead}], every=True)

    expected = 2 * float(special.ndtr(-lead / math.sqrt(2 * n)))
    assert [row.p_value for row in wins.rows] == pytest.approx([expected] * len(wins.rows), rel=1e-2)
    assert all(0 < row.p_value < 1 for row in counts.rows)
    assert counts.rows[0].p_value == pytest.approx(PUBLISHED, rel=1e-2)


def test_an_approximation_is_named() -> None:
    """Beyond the sizes that are summed exactly, a result says how it was computed and how far off it may be."""
    exact, large = (
        oc.test(counted(n), truth="gold", count="n", positive=1, systems=["a", "b"]) for n in (10**6, 10**13)
    )

    words = {row.name: row.words for row in large.rows}
    assert "permutation_exact" in {row.name for row in exact.rows}
    assert "bins, error of p below" in words["permutation"]
    assert binomial.APPROXIMATION in words["sign_exact"]
    assert not any("error of p" in row.words for row in exact.rows)


def test_cochran_q_does_not_overflow() -> None:
    """Ten systems on 10^18 items have the Q of as many shares, times so much more."""
    right = np.array([[int(place != system) for system in range(10)] for place in range(10)])
    counts = np.arange(10, 20)
    systems = tuple("abcdefghij")
    small, large = (cochran_q(right, counts * factor, systems).statistic for factor in (1, 10**15))

    assert small > 0
    assert large == pytest.approx(small * 10**15)


def test_a_bootstrap_that_cannot_vary_says_so() -> None:
    """One system always right, the other never: every resample is the same, and the missing p-value has a finding."""
    truth = [0] * 300 + [1] * 300
    answer = oc.test(truth, truth, [1 - label for label in truth], positive=1, tests=["bootstrap"], rng=1)

    assert [math.isnan(found.p_value) for found in answer] == [True]
    assert [each.code for each in answer[0].findings] == ["OC206"]


def test_more_decisions_than_an_integer_holds() -> None:
    """The decisions on ten labels of 10^18 items are not added up past the largest integer, but refused."""
    truth = [*range(10)] * 2
    table = {"gold": truth, "a": truth, "b": [*range(10), *([0] * 10)], "n": [5 * 10**16] * 20}

    with pytest.raises(InputError, match=r"10 labels on so many items are 1\.0e\+19 decisions"):
        oc.test(oc.outcomes(table, truth="gold", count="n"))
