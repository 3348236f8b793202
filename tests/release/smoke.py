"""Ask an installed outclass, from an empty folder, what its README promises; run by the environment's own Python.

    python smoke.py README.md plot,trec     # the extras that are there: those must work, all others must say so

Only the standard library is needed, and nothing of the checkout but the README is read: a file that was not packed
is missed here.
"""

import json
import os
import re
import shlex
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

EXTRAS = ("mcmc", "plot", "trec", "database", "spark", "studies", "logs")
LIMIT = 600  # seconds; a chain is compiled, a cluster is started
DATA_SETS = """
import outclass as oc
for name in oc.datasets.NAMES:
    print(name, len(oc.datasets.load(name).systems))
assert oc.compare(oc.datasets.path("20news"), truth="truth", systems=["nb_mult", "svm_l2"], positive="sci.med").verdict
from outclass.studies.study import printed
assert all(printed(name) for name in ("goutte2005_table1", "yang1999_table1", "zhang2016_table4"))
"""
CLASSIFIERS = """
from outclass.studies.features import TermWeights, stems
from outclass.studies.methods import NaiveBayes
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
import numpy as np
import outclass.studies.goutte2005, outclass.studies.yang1999, outclass.studies.zhang2016
assert stems("The runners were running") == ["runner", "run"]
steps = make_pipeline(CountVectorizer(analyzer=stems), TermWeights(), NaiveBayes())
said = steps.fit(["wheat and corn", "oil wells"] * 5, np.array([[1, 0], [0, 1]] * 5)).predict(["corn", "oil"])
assert said.tolist() == [[1, 0], [0, 1]], said
"""


def compressed(path: Path) -> None:
    """Write an evaluation log whose members are compressed with Zstandard, as frames of one uncompressed block."""
    scores = [{"id": at, "epoch": 1, "scores": {"choice": {"value": "CI"[at % 2]}}} for at in range(4)]
    header = {"version": 2, "status": "success", "eval": {"model": "m", "task": "arc"}}
    local, central = b"", b""
    for name, plain in (("header.json", header), ("summaries.json", scores)):
        text = json.dumps(plain).encode().ljust(256)
        # A single segment whose size takes two bytes; then one block, the last, kept as it is.
        frame = b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(text) - 256)
        frame += struct.pack("<I", 1 | len(text) << 3)[:3] + text
        about = struct.pack("<HHHHHIIIHH", 20, 0, 93, 0, 33, zlib.crc32(text), len(frame), len(text), len(name), 0)
        central += b"PK\x01\x02" + struct.pack("<H", 20) + about
        central += struct.pack("<HHHII", 0, 0, 0, 0, len(local)) + name.encode()
        local += b"PK\x03\x04" + about + name.encode() + frame
    end = struct.pack("<HHHHIIH", 0, 0, 2, 2, len(central), len(local), 0)
    path.write_bytes(local + central + b"PK\x05\x06" + end)


class Smoke:
    """Runs commands in an empty folder, and says which failed."""

    def __init__(self, readme: Path, folder: Path) -> None:
        self.text = readme.read_text(encoding="utf-8")
        self.folder = folder
        self.failed: list[str] = []
        self.run_count = 0

    def blocks(self, language: str) -> list[str]:
        """Return the README's blocks of a language."""
        return re.findall(rf"```{language}\n(.*?)```", self.text, flags=re.DOTALL)

    def run(self, command: list[str], said: str = "", status: int = 0, made: str = "") -> None:
        """Run a command; it must end with a status, and say something or make a file."""
        self.run_count += 1
        try:
            found = subprocess.run(
                command, cwd=self.folder, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            self.failed.append(f"{shlex.join(command)}: no end after {LIMIT} s")
            return
        told = found.stdout + found.stderr
        problem = ""
        if found.returncode != status:
            problem = f"status {found.returncode}, not {status}"
        elif said not in told:
            problem = f"did not say {said!r}"
        elif made and not (self.folder / made).stat().st_size:
            problem = f"{made} is empty"
        elif status == 2 and (found.stdout or "Traceback" in told or said not in told.splitlines()[-1]):
            problem = "is to end with one sentence, and to answer nothing before it"
        if problem:
            self.failed.append(f"{shlex.join(command)}: {problem}\n{told[-2000:]}")

    def ask(self, *arguments: str, said: str = "", status: int = 0, made: str = "") -> None:
        """Run the module as a command."""
        self.run([sys.executable, "-m", "outclass", *arguments], said, status, made)

    def readme(self, every: bool = True) -> None:
        """Run the smallest example, in Python and as a command, and every other command that the README shows."""
        (code,) = self.blocks("python")
        self.run([sys.executable, "-c", code], said="F1")
        for block in self.blocks("console") if every else self.blocks("console")[:1]:
            for line in block.splitlines():
                if line.startswith("$ outclass "):
                    self.ask(*shlex.split(line)[2:])

    def itself(self) -> None:
        """Ask for the version and the help, of the command as it was installed, and for the data that ship."""
        version = subprocess.run(
            [sys.executable, "-c", "from importlib.metadata import version; print(version('outclass'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        self.ask("--version", said=f"outclass {version}")
        self.ask("--help", said="compare")
        self.ask("compare", "--help", said="--truth")
        script = Path(sys.executable).with_name("outclass")
        if script.exists():  # not where the wheel was put into a folder of its own
            self.run([str(script), "--version"], said=f"outclass {version}")
        self.run([sys.executable, "-c", DATA_SETS], said="reuters_zhang 4")
        self.ask("demo", "--report", "demo.html", said="nb_mult leads svm_l2", made="demo.html")
        ours = ["predictions.csv", "--truth", "gold"]
        self.ask("report", *ours, "--output", "page.html", made="page.html")
        self.ask("plot", *ours, "--output", "chart.html", made="chart.html")

    def extra(self, name: str, there: bool) -> None:
        """Ask for what an extra brings: an answer where it is, one sentence where it is not."""
        (self.folder / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 1\n4 0 d 1\n", encoding="utf-8")
        for run, scores in (("x", (9, 5, 9, 5)), ("y", (9, 9, 5, 9))):
            # The wanted document before or after another one.
            lines = [
                f"{1 + at} Q0 {'abcd'[at]} 1 {score} {run}\n{1 + at} Q0 z 2 7 {run}" for at, score in enumerate(scores)
            ]
            (self.folder / f"{run}.run").write_text("\n".join(lines), encoding="utf-8")
        with sqlite3.connect(self.folder / "table.db") as base:
            base.execute("create table if not exists predictions (gold text, old text, new text)")
            rows = [line.split(",") for line in (self.folder / "predictions.csv").read_text().split()[1:]]
            base.executemany("insert into predictions values (?, ?, ?)", rows)
        base.close()
        compressed(self.folder / "log.eval")
        ours = ["predictions.csv", "--truth", "gold"]
        asked: dict[str, list[tuple[list[str], str]]] = {
            "mcmc": [(["compare", *ours, "--method", "mcmc", "--seed", "1"], "")],
            "plot": [
                (["plot", *ours, "--output", "plot.svg"], "plot.svg"),
                (["compare", *ours, "--output", "too.png"], "too.png"),
            ],
            "trec": [(["compare", "--qrels", "qrels", "--run", "x.run", "--run", "y.run", "--measure", "RR"], "")],
            "database": [(["compare", "sqlite:///table.db#predictions", "--truth", "gold"], "")],
            "spark": [(["compare", *ours, "--engine", "spark"], "")],
            "logs": [(["logs", "log.eval"], "")],
            "studies": [(["reproduce", "yang1999", "--quick", "--output", "reproduced"], "")],
        }
        if there and name == "studies":  # the study itself wants a corpus
            self.run([sys.executable, "-c", CLASSIFIERS])
            return
        for arguments, made in asked[name]:
            if there:
                self.ask(*arguments, made=made)
            else:
                self.ask(*arguments, said=f'pip install ".[{name}]"', status=2)
                if made and (self.folder / made).exists():
                    self.failed.append(f"{shlex.join(arguments)}: left {made} behind")


def main(readme: str, extras: str = "", only: str = "") -> int:
    """Run all, or `only` some: 'readme' (or of it the 'smallest' example alone), 'itself', extras."""
    there = [name for name in extras.split(",") if name]
    wanted = only.split(",") if only else ["readme", "itself", *EXTRAS]
    if not set(there) <= set(EXTRAS):
        raise SystemExit(f"unknown extras in {there}; they are {EXTRAS}.")
    with tempfile.TemporaryDirectory() as folder:
        smoke = Smoke(Path(readme).resolve(), Path(folder))
        (smoke.folder / "predictions.csv").write_text(smoke.blocks("csv")[0], encoding="utf-8")
        if "readme" in wanted or "smallest" in wanted:
            smoke.readme(every="readme" in wanted)
        if "itself" in wanted:
            smoke.itself()
        for name in EXTRAS:
            if name in wanted:
                smoke.extra(name, name in there)
    for failure in smoke.failed:
        print(f"FAILED {failure}", file=sys.stderr)
    print(f"{smoke.run_count - len(smoke.failed)} of {smoke.run_count} passed, extras: {', '.join(there) or 'none'}")
    return bool(smoke.failed)


if __name__ == "__main__":
    os.environ.update(COLUMNS="120", PYTHONUTF8="1")
    raise SystemExit(main(*sys.argv[1:]))
