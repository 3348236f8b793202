"""The modules that tests share are found by name alone, whichever folder they lie in."""

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_shared_modules_have_names_of_their_own() -> None:
    """Of two helpers of the same name, in two folders, one would be imported for the other."""
    helpers = [path for path in TESTS.rglob("*.py") if not path.name.startswith(("test_", "conftest", "__init__"))]
    assert len(helpers) > 20
    assert [name for name, times in Counter(path.name for path in helpers).items() if times > 1] == []
