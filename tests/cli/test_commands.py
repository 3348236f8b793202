"""What the command prints, in every format, and what it accepts."""

import csv
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import COMMANDS, app
from outclass.errors import FileError

NEWS = str(oc.datasets.path("20news"))
TWO = ("--truth", "truth", "--system", "svm_l1", "--system", "svm_l2", "--positive", "sci.space")


def run(*arguments: str, columns: int = 80) -> str:
    """Run the command in this process and return what it prints."""
    result = CliRunner(env={"COLUMNS": str(columns), "TERMINAL_WIDTH": str(columns)}).invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_shape() -> None:
    """The JSON has the documented shape, whatever was asked."""
    found = json.loads(run("compare", NEWS, *TWO, "--format", "json"))
    (row,) = found["comparisons"]

    assert {system["name"] for system in row["systems"]} == {"svm_l1", "svm_l2"}
    for system in row["systems"]:
        assert {"name", "mean", "std", "hdi"} <= set(system)
    assert {"mean", "std", "hdi", "below", "above", "rope"} <= set(row["difference"])
    assert 0 <= row["difference"]["below"] <= 1
    assert row["measure"] == "f1"
    assert row["label"] == "sci.space"
    assert (row["model"], row["prior"], row["items"], row["seed"]) == ("paired", "matched", 7532, 0)
    assert row["rope"] == [-0.05, 0.05]
    assert row["hdi_mass"] == 0.95
    assert row["verdict"]["symbol"] in ("<<", "<", "~=", ">", ">>", "?")
    assert row["verdict"]["words"]
    assert {test["name"] for test in row["tests"]} == {"sign_exact", "welch_t", "permutation_exact"}
    assert all(0 <= test["p_value"] <= 1 for test in row["tests"])
    assert row["bayes_factors"]["savage_dickey"]["value"] is None
    assert {finding["code"] for finding in row["findings"]} == {"OC304"}


@pytest.mark.parametrize("method", ["auto", "draws"])
def test_same_seed_same_bytes(method: str) -> None:
    """The same seed gives identical bytes of JSON; another seed gives others, within the error."""
    first, again, other = (
        run("compare", NEWS, *TWO, "--format", "json", "--method", method, "--seed", seed) for seed in "112"
    )

    assert first == again
    assert first != other


def test_every_measure_at_once() -> None:
    """`--measure all` answers for every measure from one posterior."""
    rows = json.loads(run("compare", NEWS, *TWO, "--format", "json", "--measure", "all"))["comparisons"]

    assert [row["measure"] for row in rows] == list(oc.measures.MEASURES)


def test_table_fits_the_window() -> None:
    """A table is never wider than the terminal, and says what it left out."""
    for columns in (80, 60, 120):
        shown = run("compare", NEWS, *TWO[:6], "--by", "label", columns=columns)
        assert max(map(len, shown.splitlines())) <= columns
        assert any(line.startswith("label ") for line in shown.splitlines())
        assert all(f"\n{label} " in shown for label in ("alt.atheism", "rec.autos", "talk.religion.misc"))
    assert "Columns not shown" in run("compare", NEWS, *TWO[:6], "--by", "label", "--verbose", columns=80)


def test_single_answer_is_a_sentence() -> None:
    """One comparison opens with who leads and the decision; --verbose adds its findings and method."""
    shown, long = run("compare", NEWS, *TWO), run("compare", NEWS, *TWO, "--verbose")

    assert shown.startswith("svm_l2 leads svm_l1 by 1.2 points of F1")
    assert "practically equivalent" in shown
    assert "OC304" in long
    assert "Rao-Blackwellised" in long
    assert "\x1b" not in shown + long


def test_more_than_two_systems_are_compared_in_pairs() -> None:
    """Four systems make six pairs; without --system every other column is one."""
    rows = json.loads(run("compare", NEWS, "--truth", "truth", "--positive", "sci.med", "--format", "json"))[
        "comparisons"
    ]

    assert len({tuple(system["name"] for system in row["systems"]) for row in rows}) == 6


def test_csv_opens_in_a_spreadsheet(tmp_path: Path) -> None:
    """CSV has one line a row, full numbers, plain signs, and no cell that runs as a formula."""
    (tmp_path / "f.csv").write_text("gold,=1+1,b\n1,1,0\n0,0,0\n1,0,1\n0,1,0\n")
    (row,) = csv.DictReader(io.StringIO(run("compare", str(tmp_path / "f.csv"), "--truth", "gold", "--format", "csv")))

    assert row["a"] == "'=1+1"
    assert float(row["hdi_low"]) < float(row["mean"]) < float(row["hdi_high"])
    assert row["verdict"] in ("<<", "<", "~=", ">", ">>", "?")


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_hostile_names_are_escaped(tmp_path: Path, format: str) -> None:
    """Names with markup are shown, not obeyed."""
    frame = pd.DataFrame({"gold": ["<b>_%$", "x|y"] * 20, "a": ["<b>_%$", "x|y"] * 20, "b": ["x|y"] * 40})
    frame.to_csv(tmp_path / "h.csv", index=False)
    shown = run("compare", str(tmp_path / "h.csv"), "--truth", "gold", "--by", "label", "--format", format)

    if format == "latex":
        assert r"\textless{}b\textgreater{}\_\%\$" in shown
    else:
        assert "<b>" not in shown
        assert r"x\|y" in shown


def test_output_file(tmp_path: Path) -> None:
    """`--output` writes the file and prints nothing."""
    target = tmp_path / "answer.md"

    assert run("compare", NEWS, *TWO, "--format", "markdown", "-o", str(target)) == ""
    assert target.read_text().startswith("**svm")
    assert [path.name for path in tmp_path.iterdir()] == ["answer.md"]


def test_one_file_per_system(tmp_path: Path) -> None:
    """Files joined on an id give what one file gives, whatever the order of their rows."""
    frame = pd.DataFrame({"id": range(60), "gold": [n % 2 for n in range(60)]})
    frame["a"], frame["b"] = (frame.id * 7 % 3 == 0).astype(int), (frame.id * 5 % 4 < 2).astype(int)
    frame.to_csv(tmp_path / "all.csv", index=False)
    frame[["id", "gold", "a"]].rename(columns={"a": "prediction"}).to_csv(tmp_path / "first.csv", index=False)
    frame[["id", "b"]].rename(columns={"b": "prediction"}).sample(frac=1, random_state=1).to_csv(
        tmp_path / "second.tsv", index=False, sep="\t"
    )
    whole = json.loads(run("compare", str(tmp_path / "all.csv"), "--truth", "gold", "--id", "id", "--format", "json"))
    joined = json.loads(
        run(
            *("compare", str(tmp_path / "first.csv"), str(tmp_path / "second.tsv")),
            *("--truth", "gold", "--id", "id", "--format", "json"),
        )
    )

    assert [system["name"] for system in joined["comparisons"][0]["systems"]] == ["first", "second"]
    assert joined["comparisons"][0]["difference"] == whole["comparisons"][0]["difference"]


def test_two_test_sets(tmp_path: Path) -> None:
    """With the unpaired model, two files without an id are two test sets."""
    (tmp_path / "x.csv").write_text("gold,x\n" + "1,1\n0,0\n1,0\n" * 10)
    (tmp_path / "y.csv").write_text("gold,y\n" + "1,1\n0,1\n" * 8)
    shown = run(
        *("compare", str(tmp_path / "x.csv"), str(tmp_path / "y.csv")),
        *("--truth", "gold", "--model", "unpaired", "--format", "json"),
    )
    (row,) = json.loads(shown)["comparisons"]

    assert row["items"] == 46
    assert [test["name"] for test in row["tests"]] == ["welch_t"]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl", "csv.gz"])
def test_formats_of_files(tmp_path: Path, suffix: str) -> None:
    """Every format, and a glob of parts, gives the same answer."""
    frame = pd.DataFrame({"gold": ["x", "y"] * 30, "a": ["x", "x", "y"] * 20, "b": ["y", "x", "x", "y"] * 15})
    for number, part in enumerate((frame[:25], frame[25:])):
        path = tmp_path / f"part{number}.{suffix}"
        if suffix == "parquet":
            part.to_parquet(path)
        elif suffix == "jsonl":
            part.to_json(path, orient="records", lines=True)
        else:
            part.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    found = oc.compare(str(tmp_path / f"part*.{suffix}"), truth="gold", positive="x")

    assert found.to_json() == oc.compare(frame, truth="gold", positive="x").to_json()


def test_counts_of_ten_billion(tmp_path: Path) -> None:
    """A table of counts stands for as many items as it says."""
    (tmp_path / "n.csv").write_text(
        "gold,a,b,n\n1,1,1,9000000000\n1,1,0,500000000\n1,0,1,400000000\n0,0,0,10000000000\n"
    )
    found = oc.compare(str(tmp_path / "n.csv"), truth="gold", count="n")

    assert found.rows[0].items == 19_900_000_000
    assert found.difference.std < 1e-4


def test_evaluate() -> None:
    """`outclass evaluate` judges each system."""
    found = json.loads(run("evaluate", NEWS, "--truth", "truth", "--positive", "sci.med", "--format", "json"))
    first = found["evaluations"][0]

    assert len(found["evaluations"]) == 4
    assert first["system"]["hdi"][0] < first["system"]["observed"] < first["system"]["hdi"][1]
    assert "observed" in run("evaluate", NEWS, "--truth", "truth", "--positive", "sci.med")


def test_ascii_where_there_is_no_unicode(tmp_path: Path) -> None:
    """A terminal that knows ASCII only gets ASCII."""
    result = subprocess.run(
        [sys.executable, "-m", "outclass", "compare", NEWS, *TWO],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    assert result.stdout.isascii()
    assert b"+/-5 points" in result.stdout


def test_version_and_help() -> None:
    """The version and the help are there."""
    assert run("--version").strip() == f"outclass {oc.__version__}"
    assert "--truth" in run("compare", "--help", columns=120)


def test_parts_with_columns_in_another_order(tmp_path: Path) -> None:
    """Parts of one table are read by the names of their columns, and refused if these differ."""
    (tmp_path / "p1.csv").write_text("gold,a,b\n1,1,0\n0,0,0\n")
    (tmp_path / "p2.csv").write_text("gold,b,a\n1,0,1\n0,0,0\n")
    found = oc.compare(str(tmp_path / "p*.csv"), truth="gold").rows[0]

    assert [system.observed for system in found.systems] == [1.0, 0.0]
    (tmp_path / "p3.csv").write_text("gold,a,c\n1,0,1\n")
    with pytest.raises(FileError, match="same columns"):
        oc.compare(str(tmp_path / "p*.csv"), truth="gold")


def test_output_through_a_link(tmp_path: Path) -> None:
    """A link stays a link; what it points to is written."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    run("compare", NEWS, *TWO, "--format", "json", "-o", str(tmp_path / "link.json"))

    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["comparisons"]


@pytest.mark.parametrize("format", ["markdown", "latex", "table", "json"])
def test_findings_in_every_format(format: str) -> None:
    """Findings are shown wherever the answer is; that the ROPE is the default, the short answer says in words."""
    told = run("compare", NEWS, *TWO, "--format", format)

    assert ("default ROPE" if format == "table" else "OC304") in told


def test_odd_names_in_latex(tmp_path: Path) -> None:
    """A label that starts with a bracket is not read as an argument of the line break."""
    (tmp_path / "l.csv").write_text("gold,a,b\n[1],[1],x\nx,x,x\n[1],x,[1]\nx,[1],x\n")
    shown = run("compare", str(tmp_path / "l.csv"), "--truth", "gold", "--by", "label", "--format", "latex")

    assert "\n{}[1] &" in shown


def test_closed_output(tmp_path: Path) -> None:
    """A reader that goes away, and a full device, are not faults of the program."""
    command = f'"{sys.executable}" -m outclass compare "{NEWS}" {" ".join(TWO)}'
    piped = subprocess.run(f"{command} | head -1", shell=True, capture_output=True, text=True, check=False)
    full = subprocess.run(f"{command} > /dev/full", shell=True, capture_output=True, text=True, check=False)

    assert piped.stderr == ""
    assert full.returncode == 2
    assert full.stderr == "outclass: cannot write the answer: No space left on device.\n"


def test_interrupt() -> None:
    """An interrupt is one line and exit status 130."""
    # Whoever runs the tests in the background of a shell ignores interrupts, and so would the child.
    heard = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('outclass', run_name='__main__')"
    )
    asked = ["compare", NEWS, "--truth", "truth", "--by", "label", "--measure", "all"]
    command = [sys.executable, "-c", heard, *asked]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()

    assert process.returncode == 130
    assert out == ""
    # What takes long is said before the work; the interrupt is the last word.
    assert err.splitlines()[-1] == "outclass: interrupted; no answer was written."
    assert all(line.startswith("outclass: ") for line in err.splitlines())


def test_help_loads_no_command() -> None:
    """The list of commands says of each what it says itself, and comes without NumPy."""
    code = """
import sys
sys.argv = ["outclass", "--help"]
from outclass.cli.entry import _run
_run()
sys.stderr.write(" ".join(name for name in ("numpy", "duckdb", "outclass.answers.comparison") if name in sys.modules))
"""
    wide = os.environ | {"COLUMNS": "200", "TERMINAL_WIDTH": "200"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=wide)
    shown = " ".join(result.stdout.split())
    assert result.stderr == ""
    for name in COMMANDS:
        command = import_module(f"outclass.cli.{name}").command
        assert f" {name} {command.help.partition(chr(10))[0]} " in shown


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", ""])
def test_an_answer_needs_no_standard_error(closed: str) -> None:
    """What was answered was answered, whether or not there is somebody to tell of mistakes."""
    command = f"{shlex.quote(sys.executable)} -m outclass --version {closed}"
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 0
    assert result.stdout == f"outclass {oc.__version__}\n"


def test_who_watches_the_end_sees_it(tmp_path: Path) -> None:
    """A profiler around the command writes what it saw."""
    command = [sys.executable, "-m", "cProfile", "-o", str(tmp_path / "seen"), "-m", "outclass", "--version"]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "seen").stat().st_size > 1_000


def test_results_are_tested_without_a_truth(tmp_path: Path) -> None:
    """What each item was worth, a column a system: the tests of numbers, as Python gives them."""
    path = tmp_path / "s.csv"
    path.write_text("id,a,b\n" + "".join(f"{at},{at % 7 / 7},{at % 5 / 5}\n" for at in range(40)))
    shown = run("test", str(path), "--scores", "--item", "id", "--format", "json")

    assert shown.strip() == oc.test(str(path), scores=True, item="id").to_json().strip()
    assert "paired_t" in shown
