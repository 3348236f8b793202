"""The pytest plugin: a fixture `gate`, a marker for its margin, an option for the baseline, and a summary at the end.

Loading it costs nothing: outclass itself is imported when the fixture is used.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

UNDECIDED: Final = "undecided"
_KEY: Final = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names a saved baseline."""
    parser.getgroup("outclass").addoption(
        "--oc-baseline", metavar="FILE", default=None, help="Baseline (.oc) of the gate fixture."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and begin the summary."""
    config.addinivalue_line("markers", "gate(margin, **options): settings of the fixture `gate`")
    config.stash[_KEY] = []


@pytest.fixture
def gate(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Return a gate that fails the test if the candidate regressed, and marks it as undecided if that is unknown."""
    marker = request.node.get_closest_marker("gate")
    settings = {} if marker is None else dict(marker.kwargs)
    if marker is not None and marker.args:
        settings["margin"] = marker.args[0]
    told: list[str] = request.config.stash[_KEY]

    def run(*data: Any, **options: Any) -> Any:
        import outclass

        own = {**settings, **options}
        baseline = request.config.getoption("--oc-baseline")
        sides = data if baseline is None else (baseline, *data)
        found = outclass.gate(*sides, **own)
        told.append(f"{request.node.nodeid}: {found.words}")
        if found.passed:
            return found
        if found.decision.value == UNDECIDED:
            pytest.xfail(f"{UNDECIDED}: {found}")
        pytest.fail(found.to_markdown(), pytrace=False)

    return run


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """List what the gates decided."""
    del exitstatus
    told = config.stash.get(_KEY, [])
    if told:
        terminalreporter.section("outclass gates")
        for line in told:
            terminalreporter.write_line(line)
