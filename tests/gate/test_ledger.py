"""The ledger: attempts of one commit count together, nothing is lost or doubled, and what wears or drifts is told."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import outclass as oc
from outclass.ask.gate_history import COMMITS
from outclass.data.attempts import read
from outclass.errors import InputError
from outclass.planning.discoveries import evidence, level

ITEMS = 400


def _suite(seed: int, drop: float = 0.0) -> dict[str, list[float]]:
    """Return a baseline that is always the same, and a candidate of one run."""
    base = (np.random.default_rng(0).random(ITEMS) < 0.8).astype(float)
    rng = np.random.default_rng(seed)
    flips = rng.random(ITEMS)
    cand = np.where((base > 0) & (flips < 0.06 + drop), 0.0, np.where((base == 0) & (flips < 0.24), 1.0, base))
    return {"id": [f"q{place}" for place in range(ITEMS)], "base": list(base), "cand": list(cand)}


def _gate(table: dict[str, list[float]], path: Path, **more: object) -> oc.Gate:
    return oc.gate(table, **{"scores": True, "item": "id", "margin": 0.05, "ledger": path, "commit": "abc", **more})


def test_same_scores_count_once(tmp_path: Path) -> None:
    """The same scores of the same commit are no new evidence: a finding says so, and the ledger keeps one line."""
    path = tmp_path / "sub" / "ledger.jsonl"

    first, second = _gate(_suite(1), path), _gate(_suite(1), path)

    assert len(read(path).attempts) == 1
    assert (first.history.cached, second.history.cached) == (False, True)
    assert "OC802" in [each.code for each in second.findings]
    assert second.only.chances == pytest.approx(first.only.chances)


def test_retry_until_green_gains_nothing(tmp_path: Path) -> None:
    """Of a worse candidate the luckiest of twenty runs passes by itself, and not after the others."""
    path = tmp_path / "ledger.jsonl"
    how = {"scores": True, "item": "id", "margin": 0.1}
    runs = [_suite(seed, drop=0.12) for seed in range(1, 21)]
    alone = [oc.gate(run, **how) for run in runs]
    best = max(range(20), key=lambda place: alone[place].only.difference)

    pooled = [_gate(run, path, margin=0.1) for run in runs]
    again = _gate(runs[best], path, margin=0.1)

    assert alone[best].passed
    assert not pooled[-1].passed
    assert not again.passed
    mean = np.mean([each.only.difference for each in alone])
    assert pooled[-1].only.difference == pytest.approx(mean)
    assert pooled[-1].only.attempts == 20
    assert oc.gate(runs[best], **how, ledger=path, commit="other").passed


def test_pooling_moves_the_interval(tmp_path: Path) -> None:
    """The interval and the probabilities are those of the mean difference, with the spread of one attempt."""
    path = tmp_path / "ledger.jsonl"
    one, two = _gate(_suite(1), path), oc.gate(_suite(2), scores=True, item="id", margin=0.05)

    both = _gate(_suite(2), path)

    move = (one.only.difference + two.only.difference) / 2 - two.only.difference
    assert both.only.interval.low == pytest.approx(two.only.interval.low + move)
    wider = oc.gate(_suite(2), scores=True, item="id", margin=0.05 + move)
    assert both.only.chances.below_margin == pytest.approx(wider.only.chances.below_margin, abs=1e-6)


# One process loads everything; those that it forks run gates, all at once or until they are killed.
RUN = """
import json, os, signal, sys, time
sys.path.insert(0, {folder!r})
from pathlib import Path
import outclass as oc
from outclass.data.attempts import read
from test_ledger import _gate, _suite
path = Path({path!r})
oc.gate(_suite(1), scores=True, item="id", margin=0.05)

def forked(seeds):
    child = os.fork()
    if child == 0:
        try:
            for seed in seeds:
                _gate(_suite(seed), path, commit=f"commit {{seed}}")
            os._exit(0)
        except BaseException:
            os._exit(1)
    return child

if {together}:
    children = [forked(range(10 * place, 10 * place + 3)) for place in range(10)]
    print(json.dumps([os.waitpid(child, 0)[1] for child in children]))
else:
    for turn in range(12):
        child = forked(range(1_000 * turn, 1_000 * turn + 400))
        time.sleep(0.03 + 0.037 * turn)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        print(json.dumps([each.commit for each in read(path).attempts]))
"""


def _forked(path: Path, *, together: bool) -> list[list[object]]:
    code = RUN.format(folder=str(Path(__file__).parent), path=str(path), together=together)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_ten_at_once(tmp_path: Path) -> None:
    """Ten gates at once: every attempt is in the ledger once."""
    path = tmp_path / "ledger.jsonl"

    (statuses,) = _forked(path, together=True)

    commits = [attempt.commit for attempt in read(path).attempts]
    assert statuses == [0] * 10
    assert sorted(commits) == sorted(f"commit {10 * a + b}" for a in range(10) for b in range(3))


def test_killed(tmp_path: Path) -> None:
    """Gates killed at different moments: the ledger stays readable, loses and doubles none, and goes on."""
    path = tmp_path / "ledger.jsonl"

    turns = _forked(path, together=False)

    before: list[object] = []
    for turn, commits in enumerate(turns):
        assert commits[: len(before)] == before
        new = commits[len(before) :]
        assert new == [f"commit {1_000 * turn + place}" for place in range(len(new))]
        before = commits
    _gate(_suite(5), path)
    assert len(read(path).attempts) == len(before) + 1 > 12
    assert [each.name for each in tmp_path.iterdir()] == ["ledger.jsonl"]


def test_unreadable(tmp_path: Path) -> None:
    """A ledger that is none, is damaged, or is a folder is one sentence, and is left as it is."""
    path = tmp_path / "ledger.jsonl"
    for content in ("{broken\n", "[]\n", '{"schema": 2}\n', "\udc80\n"):
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        before = path.read_bytes()
        with pytest.raises(InputError, match="not an attempt written by outclass"):
            _gate(_suite(1), path)
        assert path.read_bytes() == before
    with pytest.raises(OSError, match="it is a folder"):
        _gate(_suite(1), tmp_path)
    with pytest.raises(InputError, match="not an attempt written by outclass"):
        oc.gate("nosuch.csv", margin=0.1, ledger=path)  # before any work is done


def test_wear_and_drift(tmp_path: Path) -> None:
    """More than a hundred decisions of the same items are told; so are accepted drops that add up."""
    path = tmp_path / "ledger.jsonl"
    first = _gate(_suite(1), path, commit="0")
    line = json.loads(path.read_text())
    lines = []
    for place in range(100):
        (check,) = line["checks"]
        own = {**check, "baseline": str(place), "difference": -0.002, "decision": "non-inferior"}
        lines.append(json.dumps({**line, "commit": str(place), "checks": [own]}))
    path.write_text("\n".join(lines) + "\n")

    last = _gate(_suite(2), path, commit="new")

    assert first.findings == ()
    codes = [each.code for each in last.findings]
    assert "OC803" in codes
    assert ("OC804" in codes) == last.only.decision.passes
    assert last.history.decisions == 101


def test_online_control(tmp_path: Path) -> None:
    """With e-LOND an alarm needs more evidence the later it comes, and less after alarms; passing is as before."""
    path = tmp_path / "ledger.jsonl"
    bad = _suite(1, drop=0.25)

    assert _gate(bad, path, control="online-fdr").decision.value == "regressed"
    assert level(0.05, 1, 0) == pytest.approx(0.05 * 6 / np.pi**2)
    assert level(0.05, 4, 2) == pytest.approx(3 * level(0.05, 1, 0) / 16)
    uniform = np.random.default_rng(1).random(400_000)
    assert np.mean([evidence(p) for p in uniform]) == pytest.approx(1.0, abs=0.02)
    weak = _suite(3, drop=0.07)
    plain = oc.gate(weak, scores=True, item="id", margin=0.01)
    strict = _gate(weak, tmp_path / "other.jsonl", margin=0.01, control="online-fdr")
    assert plain.decision.value == "regressed"
    assert strict.decision.value == "undecided"


def test_another_order_of_the_items_is_no_other_attempt(tmp_path: Path) -> None:
    """The same scores in another order count once; and a new attempt is pooled, whatever the order of its items."""
    path = tmp_path / "ledger.jsonl"
    turned, other = ({name: values[::-1] for name, values in _suite(seed).items()} for seed in (1, 2))

    _gate(_suite(1), path)
    again, pooled = _gate(turned, path), _gate(other, path)

    assert again.history.cached
    assert pooled.only.attempts == 2
    assert again.baseline.digest == pooled.baseline.digest != ""


def test_without_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger cannot pool attempts on a commit that is unknown, and says so."""
    for name in COMMITS:
        monkeypatch.delenv(name, raising=False)

    found = _gate(_suite(1), tmp_path / "ledger.jsonl", commit=None)

    assert [each.code for each in found.findings] == ["OC805"]


def test_an_alarm_that_is_held_back_is_told(tmp_path: Path) -> None:
    """A check that would have regressed but for the control over the ledger says so; limits at any time have none."""
    weak = _suite(3, drop=0.07)

    found = _gate(weak, tmp_path / "ledger.jsonl", margin=0.01, control="online-fdr")

    assert found.decision.value == "undecided"
    assert "OC806" in [each.code for each in found.findings]
    with pytest.raises(InputError, match="gates that look once"):
        _gate(weak, tmp_path / "ledger.jsonl", control="online-fdr", anytime=True)
