"""Generated pages are what the library says today."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_models_page() -> None:
    """docs/models.md is as `make docs` writes it."""
    spec = importlib.util.spec_from_file_location("make_models", DOCS / "make_models.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    assert (DOCS / "models.md").read_text(encoding="utf-8") == module.page()
