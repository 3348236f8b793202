"""Names of the last release still work, and say what they are called now."""

import pytest

import outclass as oc


@pytest.mark.parametrize(("old", "new"), [("Battery", "TestReport"), ("watched", "anytime")])
def test_public_names(old: str, new: str) -> None:
    """The old name gives the same thing and warns."""
    with pytest.warns(DeprecationWarning, match=f"{old} was renamed to outclass.{new}"):
        found = getattr(oc, old)

    assert found is getattr(oc, new)


@pytest.mark.parametrize(
    ("old", "new"), [("further", "additional_items"), ("watched", "anytime"), ("practical", "rope_probabilities")]
)
def test_fields_of_a_row(old: str, new: str) -> None:
    """The old field gives the same value and warns."""
    row = oc.compare(wins=(6, 4), items=40).only

    with pytest.warns(DeprecationWarning, match=f"{old} was renamed to {new}"):
        found = getattr(row, old)

    assert found == getattr(row, new)
