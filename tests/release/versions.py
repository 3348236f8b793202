"""The unit tests on several versions of Python: `make versions`, or `make versions PYTHONS="3.12 3.13"`.

    python tests/release/versions.py 3.11 3.12 3.13 3.14

Each version that is installed, or that uv can fetch, runs the quick unit tests in a fresh environment with the core
dependencies and the report. A version that is not available is named as not tested, and does not fail the run.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from check import NOT_WITHOUT_EXTRAS, ROOT, UNIT, UNIT_NEEDS

MORE = ("pandas", "polars", "pyarrow", "scikit-learn")
TESTS = (*UNIT, "tests/measures", "tests/golden", "tests/ask/test_capabilities.py")


def uv(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Ask uv."""
    command = [sys.executable, "-m", "uv", "--no-config", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def interpreter(version: str) -> Path | str:
    """Return the path of a Python, fetched if need be; or why there is none."""
    for found in _installed(version):
        return found
    fetched = uv("python", "install", version)
    if fetched.returncode:
        return (fetched.stderr.strip().splitlines() or ["uv does not say why"])[-1].strip()
    return Path(uv("python", "find", "--no-project", version).stdout.strip())


def _installed(version: str) -> Iterator[Path]:
    """Look on the path, where pyenv keeps its Pythons, and where uv does."""
    known = [sys.executable, shutil.which(f"python{version}")]
    if pyenv := shutil.which("pyenv"):
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=False).stdout.strip()
        known += map(str, sorted(Path(root).glob(f"versions/{version}.*/bin/python")))
    known.append(uv("python", "find", "--no-project", version).stdout.strip())
    for each in filter(None, known):
        # A shim of pyenv is there even where its Python is not.
        asked = [each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == version:
            yield Path(each)


def tried(python: Path, scratch: Path) -> tuple[bool, str]:
    """Install into a fresh environment and run the tests; return whether they passed, and their last words."""
    own = scratch / "bin" / "python"
    for step in (
        ("venv", "--quiet", "--python", python, scratch),
        ("pip", "install", "--quiet", "--python", own, f"{ROOT}[plot]", *UNIT_NEEDS, *MORE),
    ):
        made = uv(*step)
        if made.returncode:
            print(made.stderr[-3_000:], file=sys.stderr)
            return False, "the environment cannot be made"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ran = subprocess.run(
        [own, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *NOT_WITHOUT_EXTRAS, *TESTS],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=clean,
    )
    if ran.returncode:
        print(ran.stdout[-6_000:], ran.stderr[-2_000:], sep="\n", file=sys.stderr)
    ended = f"ended by signal {-ran.returncode}" if ran.returncode < 0 else ""
    return ran.returncode == 0, ended or (ran.stdout.strip().splitlines() or ["nothing was run"])[-1]


def main(versions: list[str]) -> int:
    """Try each version; fail if one that is here fails."""
    failed = False
    for version in versions:
        python = interpreter(version)
        if isinstance(python, str):
            print(
                f"Python {version}: NOT TESTED, since there is none here and none can be fetched ({python})", flush=True
            )
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="outclass-versions-") as scratch:
            passed, told = tried(python, Path(scratch) / "environment")
        failed |= not passed
        word = "passed" if passed else "FAILED"
        print(f"Python {version}: {word} in {time.monotonic() - start:.0f} s ({told})", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or ["3.11", "3.12", "3.13", "3.14"]))
