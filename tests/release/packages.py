"""Build a wheel and a source distribution, and look at what is in them."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from packaging.metadata import Metadata

ROOT = Path(__file__).resolve().parents[2]
# What a source distribution holds besides the package: enough to build it and to know what it is.
BESIDE = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
MUST = ("py.typed", "datasets/20news.parquet", "report/templates/page.html.j2", "data/spark-log.properties")


class Built(NamedTuple):
    """Where the two are."""

    wheel: Path
    sdist: Path


def build(folder: Path, source: Path = ROOT, kinds: tuple[str, ...] = ("wheel", "sdist")) -> Built:
    """Build from a source tree with the hatchling that is installed: nothing is fetched."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    for kind in kinds:
        subprocess.run([*command, "--target", kind], cwd=source, check=True, capture_output=True, text=True)
    found = [next(iter(folder.glob(pattern)), folder) for pattern in ("*.whl", "*.tar.gz")]
    return Built(*found)


def unpacked(sdist: Path, folder: Path) -> Path:
    """Unpack a source distribution, and return its tree."""
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


def hashes(wheel: Path) -> dict[str, str]:
    """Return a digest of every file in a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: hashlib.sha256(packed.read(name)).hexdigest() for name in packed.namelist()}


def metadata(wheel: Path) -> Metadata:
    """Return the metadata of a wheel, checked as the package index checks it."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [each for each in packed.namelist() if each.endswith(".dist-info/METADATA")]
        return Metadata.from_email(packed.read(name), validate=True)


def tracked() -> set[str]:
    """Return the package's files as the repository has them, from `src` on."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/outclass"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    return {str(PurePosixPath(name).relative_to("src")) for name in listed if name and (ROOT / name).exists()}


def complaints(built: Built) -> list[str]:
    """Return what is wrong with the contents and the metadata, a sentence each."""
    told = []
    own = tracked()
    told += [f"the repository has no outclass/{name}." for name in MUST if f"outclass/{name}" not in own]
    with zipfile.ZipFile(built.wheel) as packed:
        names = set(packed.namelist())
    about = {name for name in names if ".dist-info/" in name}
    told += [f"the wheel lacks {name}." for name in sorted(own - names)]
    told += [f"the wheel has {name}, which the repository has not." for name in sorted(names - about - own)]
    if not any(name.endswith("/licenses/LICENSE") for name in about):
        told.append("the wheel has no licence.")
    with tarfile.open(built.sdist) as packed:
        inside = {str(PurePosixPath(*PurePosixPath(each.name).parts[1:])) for each in packed if each.isfile()}
    expected = {f"src/{name}" for name in own} | BESIDE
    told += [f"the source distribution lacks {name}." for name in sorted(expected - inside)]
    told += [f"the source distribution has {name}." for name in sorted(inside - expected)]
    found = metadata(built.wheel)
    fields = ("summary", "requires_python", "license_expression", "description")
    told += [f"the metadata have no {field}." for field in fields if not getattr(found, field)]
    if found.description_content_type != "text/markdown":
        told.append("the description is not said to be Markdown.")
    return told
