"""Everything that is to hold before a release: `make release-check`; half an hour and some gigabytes at a time.

    python tests/release/check.py                    # all
    python tests/release/check.py --only oldest-mcmc --only oldest-tests

Builds, looks into what was built, and asks it from fresh environments: without extras, with each alone, with the
newest and with the oldest dependencies that are allowed. Ends with the table of docs/release.md.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import packages
from smoke import EXTRAS

ROOT = packages.ROOT
HERE = Path(__file__).parent
# Tests that need neither extras nor other libraries; they try every room.
UNIT = (
    *("tests/architecture", "tests/inference", "tests/verdict", "tests/properties", "tests/planning"),
    *("tests/models/test_models.py", "tests/models/test_goutte.py", "tests/models/test_priors.py"),
    *("tests/significance/test_tests.py", "tests/data/test_arrays.py", "tests/data/test_state.py"),
    "tests/cli/test_bad_input.py",
)
# SciPy 1.13's own incomplete beta function is off by 4e-7 there (mpmath); ours is the same with either.
# And old libraries use what new ones deprecate.
NOT_OLD = (
    *("--deselect", "tests/inference/test_beta.py::test_large_parameters_against_scipy"),
    *("-W", "ignore::DeprecationWarning"),
)
# Diagnostics of chains are ArviZ's.
NOT_WITHOUT_EXTRAS = ("--ignore", "tests/inference/test_chains.py")
UNIT_NEEDS = ("pytest", "hypothesis", "mpmath")
PLACES = [f"{age}-{extra}" for age in ("newest", "oldest") for extra in ("none", *EXTRAS)]
# Whose versions the table names.
BASE = ("numpy", "scipy", "narwhals", "duckdb", "click", "rich", "joblib", "altair", "jinja2")
OF_EXTRA = {
    "none": BASE,
    "mcmc": ("pymc", "nutpie", "arviz"),
    "plot": ("vl-convert-python",),
    "trec": ("ir-measures",),
    "database": ("ibis-framework",),
    "spark": ("pyspark", "pyarrow"),
    "studies": ("scikit-learn", "pyarrow", "nltk"),
    "logs": ("zstandard",),
}


def call(*command: str | Path, quiet: bool = True, **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command; what it said is shown if it failed."""
    found = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    if found.returncode:
        print(found.stdout[-6000:], found.stderr[-6000:], sep="\n", file=sys.stderr)
    elif not quiet:
        print(found.stdout.strip().splitlines()[-1])
    return found


def contents(folder: Path) -> tuple[packages.Built, list[str]]:
    """Build, look inside, and build once more from the source distribution."""
    built = packages.build(folder / "built")
    told = packages.complaints(built)
    tree = packages.unpacked(built.sdist, folder / "unpacked")
    again = packages.build(folder / "again", tree, kinds=("wheel",))
    if packages.hashes(built.wheel) != packages.hashes(again.wheel):
        told.append("the wheel made of the source distribution is another one.")
    checked = call(sys.executable, "-m", "twine", "check", "--strict", built.wheel, built.sdist)
    if checked.returncode:
        told.append("twine does not like it.")
    return built, told


def environment(folder: Path, wheel: Path, extra: str, oldest: bool, more: tuple[str, ...] = ()) -> Path:
    """Make a fresh environment with the wheel, and return its Python."""
    python, pins = folder / "bin" / "python", folder / "pins.txt"
    wanted = str(wheel) if extra == "none" else f"outclass[{extra}] @ {wheel.as_uri()}"
    uv("venv", "--quiet", "--python", sys.executable, folder)
    pinned: tuple[str | Path, ...] = ()
    if oldest:
        # What pyproject.toml names is taken as old as it allows, what that needs as new as there is.
        of = () if extra == "none" else ("--extra", extra)
        uv(
            "pip",
            "compile",
            "--python",
            python,
            "--resolution",
            "lowest-direct",
            *of,
            ROOT / "pyproject.toml",
            "-o",
            pins,
        )
        pinned = ("--constraint", pins)
    uv("pip", "install", "--python", python, *pinned, wanted, *more)
    return python


def uv(*arguments: str | Path) -> None:
    """Ask uv, which keeps what it fetched for the whole run."""
    if call(sys.executable, "-m", "uv", "--no-config", *arguments).returncode:
        raise RuntimeError("the environment cannot be made.")


def versions(python: Path, names: tuple[str, ...]) -> str:
    """Return the installed versions of some packages."""
    asked = "import json, sys; from importlib.metadata import version; print(json.dumps([*map(version, sys.argv[1:])]))"
    found = json.loads(call(python, "-c", asked, *names).stdout)
    return ", ".join(f"{name} {each}" for name, each in zip(names, found, strict=True))


def tried(place: str, scratch: Path, wheel: Path) -> tuple[str, bool]:
    """Try one environment; return its line of the table and whether all held. It is deleted afterwards."""
    age, _, extra = place.partition("-")
    folder = scratch / place
    start = time.monotonic()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        if extra == "tests":
            python = environment(folder, wheel, "none", age == "oldest", UNIT_NEEDS)
            what, names = (
                (
                    "-m",
                    "pytest",
                    "-q",
                    "-m",
                    "not slow",
                    "-p",
                    "no:cacheprovider",
                    *NOT_OLD,
                    *NOT_WITHOUT_EXTRAS,
                    *UNIT,
                ),
                BASE,
            )
        else:
            python = environment(folder, wheel, extra, age == "oldest")
            # Without extras everything is asked, with one the smallest example, and what it and the others bring.
            asked = ("",) if extra == "none" else (extra, ",".join(["smallest", "itself", *EXTRAS]))
            what, names = (HERE / "smoke.py", ROOT / "README.md", *asked), OF_EXTRA[extra]
        found = call(python, *what, cwd=ROOT, env=clean)
        told = found.stdout.strip().splitlines()[-1] if found.stdout.strip() else "nothing said"
        line = f"| {age} | {extra} | {versions(python, names)} | {told.strip('= ')} |"
        held = found.returncode == 0
    except RuntimeError as error:
        line, held = f"| {age} | {extra} | | {error} |", False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{place}: {'held' if held else 'FAILED'} after {time.monotonic() - start:.0f} s\n{line}", flush=True)
    return line, held


def main() -> int:
    """Check all, or what is named."""
    places = [*PLACES, "oldest-tests"]
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--only", action="append", choices=places, help="environments, instead of all")
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory(prefix="outclass-release-") as folder:
        scratch = Path(folder)
        os.environ["UV_CACHE_DIR"] = str(scratch / "cache")
        built, told = contents(scratch)
        for complaint in told:
            print(f"FAILED: {complaint}", file=sys.stderr)
        found = [tried(place, scratch, built.wheel) for place in asked.only or places]
    print(f"\nPython {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    print("| dependencies | extra | versions | outcome |\n|---|---|---|---|")
    print(*(line for line, _ in found), sep="\n")
    return bool(told) or not all(held for _, held in found)


if __name__ == "__main__":
    raise SystemExit(main())
