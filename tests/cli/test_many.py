"""The command line on many classes, many labels and many systems."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from outclass.cli.main import app
from outclass.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    truth = rng.choice(["sport", "politics", "<script>", "Ä|ö"], 200)
    frame = pd.DataFrame({"doc": rng.integers(0, 40, 200), "gold": truth})
    for name, wrong in (("a", 0.2), ("b=1", 0.3), ("c", 0.6)):
        frame[name] = np.where(rng.random(200) < wrong, rng.permutation(truth), truth)
    frame.to_csv(tmp_path / "classes.csv", index=False)
    labels = [["x", "y"], ["y"], [], ["z"]] * 20
    said = [[each[:1] for each in labels], [each[1:] for each in labels]]
    joined = [[";".join(each) for each in column] for column in (labels, *said)]
    pd.DataFrame(dict(zip(("gold", "a", "b"), joined, strict=True))).to_csv(tmp_path / "lists.csv", index=False)
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, [str(each).replace("@", f"{folder}/") for each in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


MCC = ("--measure", "mcc", "--verbose")
MACRO = ("--measure", "macro_f1", "--verbose")


def test_compare_classes(folder: Path) -> None:
    """More than two labels: macro and micro, every pair, no label singled out."""
    systems = ["--system", "a", "--system", "b=1", "--system", "c"]
    plain = json.loads(run(folder, "compare", "@classes.csv", "--truth", "gold", *systems, "--format", "json"))
    assert [row["measure"] for row in plain["comparisons"]] == ["macro_f1", "micro_f1"] * 3
    assert all(row["label"] is None for row in plain["comparisons"])
    told = run(folder, "compare", "@classes.csv", "--truth", "gold", *systems[:4], "--group", "doc", *MCC)
    assert "OC114" in told


def test_compare_lists(folder: Path) -> None:
    told = run(folder, "compare", "@lists.csv", "--truth", "gold", "--separator", ";", *MACRO)
    assert "macro-F1" in told
    assert "documents" in told
    assert "OC116" in told


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex"])
def test_rank(folder: Path, format: str) -> None:
    told = run(
        folder, "rank", "@classes.csv", "--truth", "gold", "--system", "a", "--system", "b=1", "--system", "c",
        "--format", format, "--draws", "500",
    )  # fmt: skip
    assert "b=1" in told
    if format == "json":
        assert len(json.loads(told)["verdicts"]) == 3


def test_test(folder: Path) -> None:
    """The battery of many labels, by frequency, to a file whose name says the format."""
    run(folder, "test", "@lists.csv", "--truth", "gold", "--separator", ";", "--by", "frequency", "-o", "@out.json")
    plain = json.loads((folder / "out.json").read_text())
    assert {"tests", "systems", "categories", "by_frequency", "undefined"} <= set(plain)


def test_names_are_shown_and_nothing_else(folder: Path) -> None:
    told = run(
        folder, "test", "@classes.csv", "--truth", "gold", "--system", "a", "--system", "c", "--format", "markdown"
    )
    assert "<script>" not in told
    assert "Ä\\|ö" in told


def _ranks_drawn(path: Path) -> list[float]:
    return [each["p"] for each in json.loads(path.read_text())["data"]["values"]]


def test_a_picture_of_ranks_is_of_the_same_data(folder: Path) -> None:
    """`plot --kind ranking` draws what `rank` answers, with its groups and what undefined values count as."""
    pytest.importorskip("altair")
    asked = ["@classes.csv", "--truth", "gold", "--system", "a", "--system", "b=1", "--system", "c", "--draws", "500"]
    for more in (["--group", "doc"], ["--group", "doc", "--average", "groups"], ["--undefined", "0"]):
        run(folder, "plot", *asked, *more, "--kind", "ranking", "-o", "@ranks.json")
        ranking = json.loads(run(folder, "rank", *asked, *more, "--format", "json"))["ranking"]

        assert _ranks_drawn(folder / "ranks.json") == [p for each in ranking for p in each["p_rank"]]
    run(folder, "plot", *asked, "--kind", "ranking", "-o", "@plain.json")
    run(folder, "plot", *asked, "--group", "doc", "--kind", "ranking", "-o", "@grouped.json")
    assert _ranks_drawn(folder / "plain.json") != _ranks_drawn(folder / "grouped.json")


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        ("ranking", ("--method", "exact"), "--method is not used with a ranking chart"),
        ("ranking", ("--prior-recall", "0.6..0.9"), "with many labels the prior must be"),
        ("ranking", ("--measure", "macro_f1", "--measure", "micro_f1"), "a ranking uses one measure"),
        ("frequency", ("--model", "paired", "--prior", "uniform"), "--model, --prior are not used"),
        ("frequency", ("--group", "doc"), "needs a test over categories"),
    ],
)
def test_options_a_chart_does_not_use(folder: Path, kind: str, options: tuple[str, ...], told: str) -> None:
    """An option of `compare` that the question behind a chart does not know is an error, and never lost in silence."""
    pytest.importorskip("altair")
    asked = ["plot", str(folder / "classes.csv"), "--truth", "gold", "--system", "a", "--system", "c", "--kind", kind]
    result = CliRunner().invoke(app, [*asked, *options, "-o", str(folder / "x.svg")])

    assert isinstance(result.exception, InputError)
    assert told in str(result.exception)
    assert not (folder / "x.svg").exists()
