"""The page is what the table says, and every test it names exists."""

import re

import agreement_page as page


def test_page() -> None:
    """docs/agreement.md is as `tests/agreement/agreement_page.py` writes it."""
    assert page.PAGE.read_text(encoding="utf-8") == page.text()


def test_every_test_exists() -> None:
    """No row names a test that was renamed, and every test of this folder is in a row or in the text."""
    named = set(re.findall(r"`(test_\w+)`", page.DIFFERENCES))
    for row in page.ROWS:
        defined = re.findall(r"^def (test_\w+)", (page.ROOT / row.where).read_text(encoding="utf-8"), re.MULTILINE)
        assert defined
        assert set(row.tests) <= set(defined), row
        named |= set(row.tests)
    for file in (page.ROOT / "tests" / "agreement").glob("test_*.py"):
        if file.name != "test_page.py":
            defined = re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert set(defined) - named <= {"test_their_default_prior_makes_three_items_certain"}, file
