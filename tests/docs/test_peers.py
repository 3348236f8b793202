"""The page about other libraries is what the stored results say, and the simulated sets are what they claim to be."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / "peers"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The page's module, with its neighbours."""
    monkeypatch.syspath_prepend(str(PEERS))
    return importlib.import_module("page")


def test_page(module: ModuleType) -> None:
    """docs/peers.md is as `--page` writes it."""
    assert (ROOT / "docs" / "peers.md").read_text(encoding="utf-8") == module.text()


def test_every_rival_is_declared(module: ModuleType) -> None:
    """Each file names a question, a call and a requirement, and is compared with a file of ours that is there."""
    found = {rival.key: rival for rival in importlib.import_module("rivals_of").rivals()}
    assert found
    for rival in found.values():
        assert rival.call
        assert found[rival.baseline].ours
        assert found[rival.baseline].question == rival.question


def test_worlds(module: ModuleType) -> None:
    """Margins, F1, accuracy and correlation of a large draw are those that the world claims."""
    worlds = importlib.import_module("worlds")
    items = 400_000
    for world in worlds.worlds():
        if world.items != min(worlds.ITEMS):
            continue
        drawn = world.draw(np.random.default_rng(1), items)
        truth = drawn["truth"] == 1
        assert truth.mean() == pytest.approx(world.prevalence, abs=0.003)
        for system, letter in enumerate("ab"):
            said = drawn[letter] == 1
            recall, fpr = world.rates(system)
            assert said[truth].mean() == pytest.approx(recall, abs=0.012)
            assert said[~truth].mean() == pytest.approx(fpr, abs=0.003)
            f1 = 2 * np.sum(said & truth) / (said.sum() + truth.sum())
            assert f1 == pytest.approx(world.f1[system], abs=0.01)
            assert np.mean(said == truth) == pytest.approx(world.accuracy(system), abs=0.003)
        latent = [np.log(drawn[f"score_{letter}"] / (1 - drawn[f"score_{letter}"])) for letter in "ab"]
        for kind in (truth, ~truth):
            rho = np.corrcoef(latent[0][kind], latent[1][kind])[0, 1]
            assert rho == pytest.approx(worlds.CORRELATIONS[world.correlation], abs=0.03)


def test_null_worlds_are_null(module: ModuleType) -> None:
    """Without a gap, nothing differs in truth; with one, F1 and accuracy do."""
    for world in importlib.import_module("worlds").worlds():
        assert (world.rates(0) != world.rates(1)) == world.gap
        assert (world.accuracy(0) != world.accuracy(1)) == world.gap


def test_protocol_goes_on_where_it_stopped(tmp_path: Path, module: ModuleType) -> None:
    """A study may be stopped and resumed; an answer that fails is counted as such."""
    rival = tmp_path / "rival.py"
    rival.write_text(
        'REQUIRES = ["numpy"]\n'
        "def answer(data, seed):\n"
        "    return {'alarm': 1 / int(data['truth'].sum()) > 0.2}\n",
        encoding="utf-8",
    )  # fmt: skip
    truth = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 1]] * 2, dtype=np.uint8)
    np.savez(tmp_path / "sets.npz", **{f"cell/{name}": truth for name in ("truth", "a", "b")})
    out = tmp_path / "out.json"
    out.write_text(json.dumps({"alarms": {"cell": "e1"}, "errors": {}}), encoding="utf-8")
    command = [sys.executable, PEERS / "protocol.py", rival, tmp_path / "sets.npz", out, "--all"]
    subprocess.run([*map(str, command)], check=True, timeout=60)
    assert json.loads(out.read_text(encoding="utf-8"))["alarms"]["cell"] == "e11e11"
