"""What the files of the rivals declare, and the environments they run in."""

import ast
import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENTS = ROOT / ".venv-peers"
RESULTS = HERE / "results"
# Question: what is asked, and the file of ours that the others are compared with.
QUESTIONS = {
    "f1_posterior": ("Posterior or interval of the difference in F1, one test set", "outclass_f1_posterior"),
    "accuracy_test": ("Test or interval of the difference in accuracy, one test set", "outclass_accuracy_test"),
    "resampled_test": ("Permutation or bootstrap test of F1 or accuracy, one test set", "outclass_resampled_test"),
    "auc_test": ("Difference in AUC, one test set", "outclass_auc_test"),
    "cross_validation": ("Ten times ten-fold cross-validation", "outclass_cross_validation"),
    "data_sets": ("Thirty data sets", "outclass_data_sets"),
    "search": ("Two TREC runs of fifty topics, nDCG@10", "outclass_search"),
}


@dataclass(frozen=True)
class Rival:
    """What a file declares, read without running it: its library is not installed here."""

    path: Path
    requires: list[str] = field(default_factory=list)
    question: str = ""
    call: str = ""
    paired: bool = False
    left_out: str = ""  # why it is not in the study of power
    why: str = ""  # it is faster than ours, where it is
    against: str = ""  # the file of ours that gives the same kind of answer, if not the question's first

    @property
    def baseline(self) -> str:
        """The file of ours that it is compared with."""
        return self.against or QUESTIONS[self.question][1]

    @property
    def key(self) -> str:
        """The name of its file."""
        return self.path.stem

    @property
    def library(self) -> str:
        """The name of its package."""
        return re.split(r"[^\w.-]", self.requires[0])[0]

    @property
    def ours(self) -> bool:
        """Whether it is outclass itself."""
        return self.library == "outclass"

    def declared(self) -> dict[str, Any]:
        """What tables say about it."""
        return {
            "library": self.library,
            "question": self.question,
            "call": self.call,
            "paired": self.paired,
            "against": self.baseline,
            "why": self.why,
        }


def rivals() -> list[Rival]:
    """Read every file, ours first."""
    found = []
    for path in sorted((HERE / "rivals").glob("*.py")):
        values = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper():
                values[node.targets[0].id.lower()] = ast.literal_eval(node.value)
        found.append(Rival(path, **values))
    return sorted(found, key=lambda rival: not rival.ours)


def environment(rival: Rival, *, python: str = sys.executable) -> Path:
    """Make the rival's environment where there is none yet, and give its Python; one for each library."""
    folder = ENVIRONMENTS / rival.library
    stamp = folder / ".installed"
    wanted = "\n".join(rival.requires)
    interpreter = folder / "bin" / "python"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return interpreter
    subprocess.run([python, "-m", "venv", str(folder)], check=True, capture_output=True)
    pip = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # Ours is the checkout that this file belongs to.
    parts = [each.replace("outclass", str(ROOT)) for each in rival.requires]
    given = [part for each in parts for part in (["--editable", each] if each.startswith(str(ROOT)) else [each])]
    done = subprocess.run([*pip, *given], check=False, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise RuntimeError(f"cannot be installed: {(errors or ['pip failed'])[-1][:120]}")
    stamp.write_text(wanted, encoding="utf-8")
    return interpreter


def machine() -> dict[str, str]:
    """Say what the numbers were measured on."""
    model = platform.machine()
    cpu = Path("/proc/cpuinfo")
    if cpu.exists():
        names = re.findall(r"model name\s*:\s*(.+)", cpu.read_text(encoding="utf-8"))
        model = names[0].strip() if names else model
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
