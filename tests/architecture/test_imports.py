"""Importing costs nothing, and rules that matter are checked."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import outclass
from outclass.findings import CODES, finding

SOURCE = Path(outclass.__file__).parent
HEAVY = (
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "altair",
    "jinja2",
    "pymc",
    "sklearn",
    "scipy.stats",
    "duckdb",
    "numpy",
)


def _loaded(code: str) -> set[str]:
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_importing_loads_nothing() -> None:
    """`import outclass` loads none of the heavy libraries."""
    assert not _loaded("import outclass") & set(HEAVY)


def test_a_comparison_of_arrays_loads_little() -> None:
    """Comparing arrays needs NumPy and SciPy's special functions, and nothing else that is heavy."""
    loaded = _loaded("import outclass; outclass.compare([1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 1, 1])")

    assert not loaded & (set(HEAVY) - {"numpy"})


def test_every_room_has_a_sign_on_its_door() -> None:
    """Each folder's docstring says what it takes and gives."""
    for folder in SOURCE.iterdir():
        if folder.is_dir() and folder.name not in ("__pycache__", "datasets"):
            doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
            assert doc, folder
            assert doc.startswith("Takes"), folder


def test_public_names_exist() -> None:
    """Every public name can be fetched."""
    for name in outclass.__all__:
        assert getattr(outclass, name) is not None
    with pytest.raises(AttributeError):
        outclass.nonsense  # noqa: B018


def test_every_finding_code_is_used_and_registered() -> None:
    """No code is registered without being raised somewhere, and none is raised without being registered."""
    text = "\n".join(path.read_text() for path in SOURCE.rglob("*.py") if path.name != "findings.py")

    assert not [code for code in CODES if f'"{code}"' not in text]
    with pytest.raises(KeyError):
        finding("OC999", "nothing")
