"""Without true labels: judges that err independently tell what is true, and how the systems compare."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

import outclass as oc
from outclass.errors import InputError
from outclass.models.latent import Judged, gibbs

RECALL, FALSE = (0.85, 0.8, 0.9), (0.1, 0.15, 0.05)


def _table(items: int, seed: int, prevalence: float = 0.3) -> dict[str, Any]:
    """Two systems that err together, and three judges that err by themselves."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < prevalence
    found = {
        f"j{at}": rng.random(items) < np.where(truth, *rates)
        for at, rates in enumerate(zip(RECALL, FALSE, strict=True))
    }
    own = rng.random(items)
    same = rng.random(items) < 0.7
    found["a"] = own < np.where(truth, 0.8, 0.05)
    found["b"] = np.where(same, own, rng.random(items)) < np.where(truth, 0.7, 0.06)
    return {"gold": truth.astype(int)} | {name: each.astype(int) for name, each in found.items()}


def _patterns(table: dict[str, Any]) -> Judged:
    columns = np.column_stack([table[name] for name in ("j0", "j1", "j2")] + [2 * table["a"] + table["b"]])
    rows, counts = np.unique(columns, axis=0, return_counts=True)
    unknown = np.full(len(rows), -1)
    return Judged(said=rows[:, :-1], other=rows[:, -1], counts=counts, classes=2, others=4, known=unknown)


def test_the_likelihood_is_where_an_optimiser_finds_it() -> None:
    """On a hundred thousand items the chains' mean is the maximum of the likelihood, found without them."""
    data = _patterns(_table(100_000, 1))
    drawn = gibbs(data, chains=1, draws=400, tuned=200, rng=np.random.default_rng(0))

    def lost(free: Any) -> float:
        prevalence = special.expit(free[0])
        rates = special.expit(free[1:7]).reshape(3, 2)  # of each judge: recall and false positives
        others = special.softmax(free[7:].reshape(2, 4), axis=1)
        parts = np.log([prevalence, 1 - prevalence])[:, None] + np.log(others[:, data.other])
        for judge in range(3):
            for place in range(2):
                rate = rates[judge, place]
                parts[place] += np.where(data.said[:, judge] == 1, np.log(rate), np.log1p(-rate))
        return -float(data.counts @ special.logsumexp(parts, axis=0)) / data.counts.sum()

    start = np.concatenate([[-1.0], np.tile([1.0, -1.0], 3), np.zeros(8)])
    best = optimize.minimize(lost, start, method="BFGS", options={"gtol": 1e-7}).x
    others = special.softmax(best[7:].reshape(2, 4), axis=1)
    expected = np.stack([(1 - special.expit(best[0])) * others[1], special.expit(best[0]) * others[0]])

    spread = drawn.joint[0].std(axis=0)
    assert np.all(np.abs(drawn.joint[0].mean(axis=0) - expected) < 0.5 * spread + 1e-4)


def test_the_answer_is_near_that_with_all_labels() -> None:
    """Neither the truth nor one label is given, and the difference is found within its own error."""
    table = _table(6_000, 2)
    known = oc.compare(table, truth="gold", systems=["a", "b"], positive=1).only
    judges = {name: column for name, column in table.items() if name != "gold"}

    answer = oc.compare(judges, systems=["a", "b"], judge=["j0", "j1", "j2"], model="dawid_skene", positive=1)
    row = answer.only

    assert abs(row.difference.mean - known.difference.mean) < 3 * np.hypot(row.difference.std, known.difference.std)
    assert row.difference.std > known.difference.std
    assert row.diagnostics is not None
    assert not row.diagnostics.hopeless
    assert any(each.code == "OC723" and "err independently" in each.message for each in row.findings)
    assert "inferred from 3 judges" in answer.to_text()


def test_intervals_cover_where_judges_are_independent() -> None:
    """Sixty sets of a thousand items: at least 50 of 60 cover (57 expected; fewer than 50 in one run of 2,000)."""
    rng = np.random.default_rng(7)
    truth = np.array([0.3 * 0.8, 0.7 * 0.05, 0.3 * 0.7, 0.7 * 0.06])
    expected = 2 * truth[0] / (truth[0] + truth[1] + 0.3) - 2 * truth[2] / (truth[2] + truth[3] + 0.3)
    covered = 0
    for seed in range(60):
        joint = gibbs(_patterns(_table(1_000, seed)), chains=1, draws=500, tuned=100, rng=rng).joint[0]
        true, not_true = joint[:, 1], joint[:, 0]
        a, b = [2, 3], [1, 3]  # the combinations in which each says yes
        values = [
            2 * true[:, own].sum(axis=1) / (true[:, own].sum(axis=1) + not_true[:, own].sum(axis=1) + true.sum(axis=1))
            for own in (a, b)
        ]
        low, high = np.quantile(values[0] - values[1], [0.025, 0.975])
        covered += low < expected < high

    assert covered >= 50


def test_known_labels_are_used() -> None:
    """With every label known, the answer is that of the truth."""
    table = _table(1_500, 3)
    known = oc.compare(table, truth="gold", systems=["a", "b"], positive=1).only
    asked: Any = {"systems": ["a", "b"], "judge": ["j0", "j1", "j2"], "positive": 1}
    own = oc.compare(table, truth="gold", **asked, model="dawid_skene").only

    assert own.observed == pytest.approx(known.observed, abs=2e-3)
    assert own.difference.std == pytest.approx(known.difference.std, rel=0.1)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"judge": ["j0", "j1"]}, "needs at least 3 judges that err independently, got 2"),
        ({"judge": ["j0", "j1", "j2"], "model": None}, "no item has a true label.*dawid_skene"),
        (
            {"judge": ["j0", "j1", "j2"], "inclusion": "p", "truth": "part"},
            "inclusion is not used with",
        ),
        ({"judge": ["j0", "j1", "sure"]}, "needs judges that give labels, and 'sure' gives numbers"),
    ],
)
def test_what_is_wrong_is_said(asked: dict[str, Any], message: str) -> None:
    """One sentence each."""
    table = _table(300, 4)
    del table["gold"]
    table["p"], table["part"] = np.full(300, 0.1), [1, 0] + [None] * 298
    table["sure"] = np.random.default_rng(0).random(300)

    with pytest.raises(InputError, match=message):
        oc.compare(table, **{"systems": ["a", "b"], "model": "dawid_skene", "positive": 1, **asked})
