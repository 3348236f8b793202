"""Evidence that grows: the same state whatever the batches, nothing counted twice, nothing lost."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outclass as oc
from outclass import atomic
from outclass.data import state as states
from outclass.errors import BusyError, InputError

LABELS = st.sampled_from(["spam", "ham", "unsure", "ÄÖ<script>"])
ROWS = st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=40)


def outcomes_of(rows: list[tuple[str, str, str]]) -> oc.Outcomes:
    return oc.Outcomes.of_rows(("old", "new"), rows, [1] * len(rows))


@given(rows=ROWS, data=st.data())
def test_any_split_in_any_order_is_the_same_state(rows: list[tuple[str, str, str]], data: st.DataObject) -> None:
    """Bytes equal: the state is that of the union."""
    where = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    batches = [[row for row, at in zip(rows, where, strict=True) if at == part] for part in range(5)]
    order = data.draw(st.permutations([batch for batch in batches if batch]))
    grown = outcomes_of(order[0])
    for batch in order[1:]:
        # Saved and taken up again between batches.
        grown = oc.Outcomes.from_json(grown.to_json()) + outcomes_of(batch)
    assert grown.to_json() == outcomes_of(rows).to_json()


def write(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    lines = ["gold,old,new", *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@settings(max_examples=25)
@given(rows=ROWS, data=st.data())
def test_any_split_of_a_file(
    rows: list[tuple[str, str, str]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same through files and `update`: the state's bytes, and the answer."""
    folder: Path = tmp_path_factory.mktemp("split")
    cut = data.draw(st.integers(1, len(rows)))
    parts = [part for part in (rows[:cut], rows[cut:]) if part]
    order = data.draw(st.permutations(range(len(parts))))
    # Two batches may be alike, which is for their owner to say.
    for at in order:
        oc.update(
            folder / "parts.json",
            write(folder / f"{at}.csv", parts[at]),
            truth="gold",
            systems=["old", "new"],
            again=True,
            new_labels=True,
        )
    oc.update(folder / "whole.json", write(folder / "whole.csv", rows), truth="gold", systems=["old", "new"])
    assert (folder / "parts.json").read_bytes() == (folder / "whole.json").read_bytes()


@pytest.fixture
def batches(tmp_path: Path) -> list[Path]:
    rng = np.random.default_rng(2)
    truth = rng.random(90) < 0.4
    rows = [
        (str(int(t)), str(int(t ^ (rng.random() < 0.1))), str(int(t ^ (rng.random() < 0.3)))) for t in truth.tolist()
    ]
    return [write(tmp_path / f"b{part}.csv", rows[30 * part : 30 * part + 30]) for part in range(3)]


def test_update_equals_one_run(batches: list[Path], tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    for batch in reversed(batches):
        grown = oc.update(state, batch, truth="gold")
    whole = oc.compare(str(tmp_path / "b?.csv"), truth="gold")
    assert oc.compare(grown).difference == whole.difference
    assert oc.compare(state).difference == whole.difference


def test_no_file_counts_twice(batches: list[Path], tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    oc.update(state, batches[:2], truth="gold")
    before = state.read_bytes()
    copy = tmp_path / "another name.csv"
    copy.write_bytes(batches[0].read_bytes())
    for again in (batches[0], copy, [batches[2], batches[2]]):
        with pytest.raises(InputError, match="already been counted"):
            oc.update(state, again, truth="gold")
    assert state.read_bytes() == before
    assert oc.update(state, batches[0], truth="gold", again=True).items == 90


def test_states_add(batches: list[Path], tmp_path: Path) -> None:
    """Two states merge, with what they hold; one cannot be added to itself, or hold a file that is there already."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    oc.update(first, batches[:1], truth="gold")
    oc.update(second, batches[1:], truth="gold")
    assert oc.update(first, second).items == 90
    with pytest.raises(InputError, match="itself"):
        oc.update(first, first)
    with pytest.raises(InputError, match="already been counted"):
        oc.update(first, batches[2], truth="gold")


def test_evidence_that_does_not_fit(batches: list[Path], tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    oc.update(state, batches[0], truth="gold")
    before = state.read_bytes()
    other = tmp_path / "other.csv"
    for text, told in (
        ("gold,older,new\n1,1,0\n0,0,1\n", "for the systems"),
        ("gold,old,new,newest\n1,1,0,1\n0,0,1,0\n", "for the systems"),
        ("gold,old,new\nyes,no,yes\nno,no,yes\n", "are not in the state"),
        ("gold,old,new\n1,2,0\n0,0,1\n", "are not in the state"),
    ):
        other.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=told):
            oc.update(state, other, truth="gold")
    assert state.read_bytes() == before
    # Columns in another order are the same systems.
    other.write_text("new,gold,old\n1,1,0\n0,0,1\n", encoding="utf-8")
    assert oc.update(state, other, truth="gold").items == 32


@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_interrupt_loses_nothing(
    batches: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Stopped before any of its three writes, an update can simply be run again, and counts once."""
    state = tmp_path / "state.json"
    oc.update(state, batches[0], truth="gold")
    calls = 0

    def stopped(path: Path, text: str) -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            raise KeyboardInterrupt
        atomic.write_whole(path, text)

    with monkeypatch.context() as patch:
        patch.setattr(states, "write_whole", stopped)
        with pytest.raises(KeyboardInterrupt):
            oc.update(state, batches[1], truth="gold")
    if at < 3:
        assert oc.compare(state).only.items == 30
        assert oc.update(state, batches[1], truth="gold").items == 60
    else:
        # The state was written; only the tidying of its list was not.
        assert oc.compare(state).only.items == 60
        with pytest.raises(InputError, match="already been counted"):
            oc.update(state, batches[1], truth="gold")
    with pytest.raises(InputError, match="already been counted"):
        oc.update(state, batches[0], truth="gold")


def test_a_writer_without_the_lock(batches: list[Path], tmp_path: Path) -> None:
    """Where locks do not work, the second of two writers gets an error, and the first one's evidence stays."""
    path = tmp_path / "state.json"
    oc.update(path, batches[0], truth="gold")
    slow = states.State.open(path)
    oc.update(path, batches[1], truth="gold")
    evidence = oc.outcomes(batches[2], truth="gold")
    with pytest.raises(BusyError, match="another process"):
        slow.plus(evidence, [], again=False, new_labels=False).write()
    assert oc.compare(path).only.items == 60


def test_findings_are_kept(tmp_path: Path) -> None:
    """What was found when a batch was read is said with every later answer."""
    batch = tmp_path / "b.csv"
    batch.write_text("gold,old,new\n1,,0\n0,0,1\n1,1,1\n", encoding="utf-8")
    oc.update(tmp_path / "s.json", batch, truth="gold", missing="drop")
    later = tmp_path / "later.csv"
    later.write_text("gold,old,new\n1,1,0\n0,0,1\n1,1,1\n", encoding="utf-8")
    grown = oc.update(tmp_path / "s.json", later, truth="gold")
    assert "OC101" in {finding.code for finding in grown.findings}


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "something else"},
        {"version": 2},
        {"systems": []},
        {"systems": ["old", "old"]},
        {"systems": "old"},
        {"labels": [1, 1]},
        {"labels": [[1]]},
        {"outcomes": [[0, 0, 1]]},
        {"outcomes": [[0, 0, 5, 1]]},
        {"outcomes": [[-1, 0, 0, 1]]},
        {"outcomes": [[0, 0, 0, 0]]},
        {"outcomes": [[0, 0, 0, 10**19]]},
        {"outcomes": [[0, 0, 0, 1.5]]},
        {"outcomes": "no"},
    ],
)
def test_a_damaged_state_is_refused(damage: dict[str, object]) -> None:
    sound = json.loads(outcomes_of([("spam", "ham", "spam"), ("ham", "ham", "ham")]).to_json())
    with pytest.raises(InputError):
        oc.Outcomes.from_json(json.dumps(sound | damage))
    with pytest.raises(InputError):
        oc.Outcomes.from_json(json.dumps(sound)[:-20])
    assert oc.Outcomes.from_json(json.dumps(sound)).items == 2


def test_a_list_that_does_not_belong(batches: list[Path], tmp_path: Path) -> None:
    """Without its list a state says so, ever after; with another's it goes no further."""
    state, copy = tmp_path / "state.json", tmp_path / "copy.json"
    oc.update(state, batches[0], truth="gold")
    copy.write_bytes(state.read_bytes())
    for batch in batches[1:]:
        grown = oc.update(copy, batch, truth="gold")
        assert "OC113" in {finding.code for finding in grown.findings}
    twin = tmp_path / "twin.json"
    twin.write_bytes(state.read_bytes())
    with pytest.raises(InputError, match="itself"):
        oc.update(state, twin)
    state.write_text(state.read_text().replace("]}", "]}\n"))
    with pytest.raises(InputError, match="different version"):
        oc.update(state, batches[1], truth="gold")


def test_a_compressed_copy_is_the_same_file(batches: list[Path], tmp_path: Path) -> None:
    state, packed = tmp_path / "state.json", tmp_path / "b0.csv.gz"
    packed.write_bytes(gzip.compress(batches[0].read_bytes()))
    oc.update(state, batches[0], truth="gold")
    with pytest.raises(InputError, match="already been counted"):
        oc.update(state, packed, truth="gold")


def test_writers_take_turns(batches: list[Path], tmp_path: Path) -> None:
    """Of many updates at the same time each ends well, and all are in the state."""
    state = tmp_path / "state.json"
    code = "import sys, outclass as oc; oc.update(sys.argv[1], sys.argv[2], truth='gold')"
    running = [subprocess.Popen([sys.executable, "-c", code, state, batch]) for batch in batches]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert oc.outcomes(state).items == 90


def test_too_many_items_are_refused_before_writing(tmp_path: Path) -> None:
    state = tmp_path / "s.json"
    for number in (0, 1):
        batch = tmp_path / f"{number}.csv"
        batch.write_text(f"gold,old,new,n\n1,1,0,600000000000000000\n0,0,1,{number + 1}\n")
        if number:
            with pytest.raises(InputError, match="implausibly many"):
                oc.update(state, batch, truth="gold", count="n")
        else:
            oc.update(state, batch, truth="gold", count="n")
    assert oc.outcomes(state).items == 600000000000000001


def test_a_list_that_was_emptied(batches: list[Path], tmp_path: Path) -> None:
    """An empty list is as good as none: that a file may be counted twice is said, as if the list were missing."""
    state, seen = tmp_path / "state.json", tmp_path / "state.json.seen"
    for text in ("", "\n"):
        oc.update(state, batches[0], truth="gold", again=True)
        seen.write_text(text)
        found = oc.update(state, batches[0], truth="gold")

        assert "state.json.seen is empty" in next(each.message for each in found.findings if each.code == "OC113")


@pytest.mark.parametrize("cell", ["outclass outcomes", '"kind": "outclass outcomes"'])
def test_a_table_that_names_a_kind_of_state(cell: str, tmp_path: Path) -> None:
    """A table is not a state because a cell says so."""
    table = tmp_path / "t.csv"
    table.write_text("note,gold,old,new\n" + f'"{cell.replace(chr(34), chr(34) * 2)}",x,x,y\nother,y,y,y\n' * 3)

    assert oc.outcomes(table, truth="gold", systems=["old", "new"]).items == 6
    assert oc.update(tmp_path / "state.json", table, truth="gold", systems=["old", "new"]).items == 6
