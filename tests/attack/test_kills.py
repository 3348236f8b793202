"""Some kills and some updates at the same time; `make attack` runs thousands."""

from kills import concurrent, kills

WRONG = ("lost", "doubled", "busy", "tracebacks", "hung")


def test_kills() -> None:
    """Updates killed at random moments: the state has the file once or not at all, its list agrees, and it goes on."""
    found = kills(10, seed=5)

    assert found["tries"] == 10
    assert not any(found[name] for name in WRONG), found


def test_concurrent_updates() -> None:
    """Updates of one state at the same time: each ends well, or is told that its file is there already."""
    found = concurrent(24, seed=5)

    assert found["completed"] + found["refused"] == found["tries"] == 24
    assert not any(found[name] for name in WRONG), found
