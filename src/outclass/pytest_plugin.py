"""The pytest plugin: a fixture `gate`, a marker for its margin, an option for the baseline, and a summary at the end.

Loading it costs nothing: outclass itself is imported when the fixture is used.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

UNDECIDED: Final = "undecided"
TOLD: Final = "outclass gate"  # a property of the test, which reaches the summary from other processes as well


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names a saved baseline."""
    parser.getgroup("outclass").addoption(
        "--oc-baseline", metavar="FILE", default=None, help="Baseline (.oc) of the gate fixture."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "gate(margin, **options): settings of the fixture `gate`")


@pytest.fixture
def gate(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Return a gate that fails the test if the candidate regressed, and marks it as undecided if that is unknown."""
    marker = request.node.get_closest_marker("gate")
    settings = {} if marker is None else dict(marker.kwargs)
    if marker is not None and marker.args:
        settings["margin"] = marker.args[0]

    def run(*data: Any, **options: Any) -> Any:
        import outclass

        own = {**settings, **options}
        baseline = request.config.getoption("--oc-baseline")
        sides = data if baseline is None else (baseline, *data)
        found = outclass.gate(*sides, **own)
        request.node.user_properties.append((TOLD, found.words))
        if found.passed:
            return found
        if found.decision.value == UNDECIDED:
            pytest.xfail(f"{UNDECIDED}: {found}")
        pytest.fail(found.to_markdown(), pytrace=False)

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List what the gates decided."""
    reports = [each for some in terminalreporter.stats.values() for each in some if getattr(each, "when", "") == "call"]
    told = [f"{each.nodeid}: {value}" for each in reports for name, value in each.user_properties if name == TOLD]
    if told:
        terminalreporter.section("outclass gates")
        for line in told:
            terminalreporter.write_line(line)
