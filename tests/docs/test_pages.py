"""Generated pages are what the library says today."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_pages() -> None:
    """docs/models.md and docs/findings.md are as `make docs` writes them."""
    spec = importlib.util.spec_from_file_location("make_pages", DOCS / "make_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    assert (DOCS / "findings.md").read_text(encoding="utf-8") == module.findings_page()
    assert (DOCS / "models.md").read_text(encoding="utf-8") == module.page()
