"""Every kind of answer as a dataframe, of whichever library."""

import csv
import io
import sys
from pathlib import Path
from typing import Any, Final

import narwhals as nw
import pytest

import outclass as oc
from outclass.errors import InputError, MissingExtraError
from outclass.report import frames

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from cells import CELLS

ASKED: Final = {
    "Comparison": "classes compare by label",
    "Evaluation": "binary evaluate single",
    "Ranking": "binary rank",
    "TestReport": "binary test every",
    "Plan": "scenario plan",
}


@pytest.fixture(scope="module", params=ASKED)
def answer(request: pytest.FixtureRequest) -> Any:
    """Make an answer of each kind."""
    return CELLS[ASKED[request.param]]()


@pytest.mark.parametrize("backend", frames.BACKENDS)
def test_frame_holds_the_rows(answer: Any, backend: str) -> None:
    """A frame has the columns and rows of the CSV file, its numbers in full."""
    frame = nw.from_native(answer.to_frame(backend), eager_only=True)
    heads, *lines = csv.reader(io.StringIO(answer.to_csv()))

    assert frame.implementation.value == backend
    assert frame.columns == heads
    assert len(frame) == len(lines) > 0
    for name in heads:
        for found, written in zip(frame[name].to_list(), [line[heads.index(name)] for line in lines], strict=True):
            assert (str(found) == written) if isinstance(found, str | int) else written in ("", str(found))


def test_default_is_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name, the first library that is there; without any, a sentence."""
    answer = CELLS["binary evaluate single"]()
    there = {"polars"}
    monkeypatch.setattr(frames, "find_spec", lambda name: name in there or None)

    assert type(answer.to_frame()).__module__.startswith("polars")
    with pytest.raises(MissingExtraError, match="needs pandas: pip install pandas"):
        answer.to_frame("pandas")
    there.clear()
    with pytest.raises(MissingExtraError, match="pandas, polars or pyarrow"):
        answer.to_frame()
    with pytest.raises(InputError, match="Did you mean 'polars'"):
        answer.to_frame("polar")


def test_names_are_as_they_are() -> None:
    """A dataframe runs nothing: names that a spreadsheet would take for formulas are not changed."""
    answer = oc.compare([1, 0] * 20, {"=1+1": [1, 0] * 20, "b": [1, 1] * 20})

    assert answer.to_frame("polars")["a"].to_list() == ["=1+1"]
    assert "'=1+1" in answer.to_csv()
