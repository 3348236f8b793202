"""What is built holds what it must, works from an empty folder and says which extra is missing; there is one version.

The full form, in fresh environments with old and new dependencies, is `make release-check`.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import packages
import pytest
import smoke
from packaging.requirements import Requirement
from packaging.version import Version

import outclass

ROOT = Path(__file__).resolve().parents[2]
# Top-level modules that each extra brings.
BROUGHT = {
    "mcmc": ("pymc", "nutpie", "arviz"),
    "plot": ("vl_convert",),
    "trec": ("ir_measures",),
    "database": ("ibis",),
    "spark": ("pyspark", "pyarrow"),
    "studies": ("sklearn", "nltk", "pyarrow"),
    "logs": ("zstandard",),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> packages.Built:
    """A wheel and a source distribution."""
    return packages.build(tmp_path_factory.mktemp("built"))


def test_contents(built: packages.Built) -> None:
    """All of the package and nothing else; metadata that an index takes."""
    assert packages.complaints(built) == []


def test_a_missing_file_is_seen(built: packages.Built, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: a file of the repository that was not packed, and one that was and should not be."""
    own = packages.tracked()
    monkeypatch.setattr(packages, "tracked", lambda: own - {"outclass/py.typed"} | {"outclass/forgotten.json"})
    told = " ".join(packages.complaints(built))
    assert "the wheel lacks outclass/forgotten.json" in told
    assert "the wheel has outclass/py.typed" in told
    assert "the source distribution lacks src/outclass/forgotten.json" in told


def test_the_source_makes_the_same_wheel(built: packages.Built, tmp_path: Path) -> None:
    """Byte by byte, from the unpacked source distribution."""
    tree = packages.unpacked(built.sdist, tmp_path / "tree")
    again = packages.build(tmp_path / "again", tree, kinds=("wheel",))
    assert packages.hashes(again.wheel) == packages.hashes(built.wheel)


@pytest.fixture(scope="module")
def installed(built: packages.Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel in it."""
    folder = tmp_path_factory.mktemp("site")
    # What is imported is compiled when it first is, which spares the rest.
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    install.append("--disable-pip-version-check")
    subprocess.run([*install, "--target", str(folder), str(built.wheel)], check=True, capture_output=True)
    return folder


def _environment(installed: Path, folder: Path, missing: tuple[str, ...]) -> dict[str, str]:
    """Put the wheel before everything else, and make the modules of some extras unimportable."""
    blocked = [module for extra in missing for module in BROUGHT[extra]]
    # Python runs this before anything else; a module that is None cannot be imported.
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({blocked!r}))\n")
    return os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{installed}"}


@pytest.mark.slow
@pytest.mark.parametrize("there", [(), ("plot", "trec")], ids=["without extras", "with some"])
def test_installed_wheel(there: tuple[str, ...], installed: Path, tmp_path: Path) -> None:
    """The smallest example, the version, the data; each extra's part, or the one sentence that names it."""
    missing = tuple(extra for extra in smoke.EXTRAS if extra not in there)
    environment = _environment(installed, tmp_path, missing)
    # Those that are there need asking once, all others cost a moment each; the rest does not depend on them.
    parts = ",".join(there or ["smallest", "itself", *missing])
    found = subprocess.run(
        [sys.executable, ROOT / "tests" / "release" / "smoke.py", ROOT / "README.md", ",".join(there), parts],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    where = subprocess.run(
        [sys.executable, "-c", "import outclass; print(outclass.__file__)"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(where.strip()).is_relative_to(installed)


def test_every_extra_is_smoked() -> None:
    """A user's extra is asked for in the smoke, and the modules that are blocked are what it installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    (everything,) = map(Requirement, extras.pop("all"))
    assert everything.extras == extras.keys() - {"dev", "docs"}
    extras = {name: wants for name, wants in extras.items() if name not in ("dev", "docs")}
    assert set(extras) == set(smoke.EXTRAS) == set(BROUGHT)
    called = {"scikit-learn": "sklearn", "vl-convert-python": "vl_convert", "ibis-framework": "ibis"}
    for extra, wants in extras.items():
        names = {Requirement(want).name for want in wants} - {"packaging"}
        assert {called.get(name, name) for name in names} == set(BROUGHT[extra])
    for wanted in [*project["dependencies"], *(want for wants in extras.values() for want in wants)]:
        assert ">=" in str(Requirement(wanted).specifier), f"{wanted} has no lower bound"


def test_one_version(built: packages.Built) -> None:
    """The package says it; metadata, citation and changelog agree."""
    version = outclass.__version__
    assert str(Version(version)) == version
    found = packages.metadata(built.wheel)
    assert str(found.version) == version
    assert re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE) == [version]
    headings = re.findall(r"^## (\S+)(?: \((.+)\))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0][0] == version
    assert re.fullmatch(r"unreleased|\d{4}-\d{2}-\d{2}", headings[0][1])


def test_pythons_that_are_named_were_tried(built: packages.Built) -> None:
    """The classifiers name the Pythons of the matrix in docs/release.md, the oldest of which is the one required."""
    found = packages.metadata(built.wheel)
    named = [each.rsplit(" ", 1)[1] for each in found.classifiers or [] if re.search(r":: 3\.\d+$", each)]
    tried = re.findall(r"^Python (3\.\d+)\.\d+", (ROOT / "docs" / "release.md").read_text(), re.MULTILINE)
    assert named == sorted(set(tried), key=Version)
    assert str(found.requires_python) == f">={named[0]}"
