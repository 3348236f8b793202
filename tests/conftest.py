"""What the tests share: the papers' material, the demo data, and the rule that nothing is skipped in CI."""

import csv
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import outclass as oc
from outclass.answers.comparison import Comparison
from outclass.data.outcomes import Outcomes

# The machine may be busy, so no deadline; and the same examples every time, so that a run can be repeated.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

# There is a process for each core already: threads of linear algebra that wait for each other cost three times what
# they compute. The processes that run tests, and what these start, inherit it.
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


# Folders, files and tests that share what is dear: a browser, a cluster, models that were compiled, answers that a
# fixture of the file computes. They run in one process.
TOGETHER = {
    "tests/browser": "browser",
    "tests/calibration/test_sbc.py": "mcmc",
    "tests/docs/test_pages.py::test_examples_of_the_pages_run[priors.md]": "mcmc",
    "tests/inference/test_chains.py": "mcmc",
    "tests/digests/test_digests.py": "digests",
    "tests/docs/test_site.py": "site",
    "tests/models/test_mcmc.py": "mcmc",
    "tests/reference/test_zhang2016_tables.py": "tables",
    "tests/release/test_release.py": "release",
    "tests/report/test_charts.py": "charts",
    "tests/report/test_json_schema.py": "schema",
    "tests/scale/test_postgres.py": "postgres",
    "tests/scale/test_spark.py": "spark",
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Spread the tests over the processes one by one, but for those that belong together."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return TOGETHER.get(nodeid) or TOGETHER.get(file) or TOGETHER.get(file.rpartition("/")[0], nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            # It counts all that a process was ever given, after each test: what is done is forgotten.
            super().mark_test_complete(node, item_index, duration)
            scope = self._split_scope(self.registered_collections[node][item_index])
            if all(self.assigned_work[node][scope].values()):
                del self.assigned_work[node][scope]

    return Together(config, log)


# Seconds that the tests of a folder may take, all processes together, on two quiet cores. They are told, never tested:
# machines are busy. Who goes beyond one looks for what is started or computed twice, or leaves cases to --full.
BUDGETS = {
    **dict.fromkeys(("models",), 150),
    **dict.fromkeys(("attack", "browser", "cli", "docs", "report", "scale"), 100),
    **dict.fromkeys(("certainty", "data", "reference", "studies"), 60),
    **dict.fromkeys(
        ("agreement", "ask", "calibration", "golden", "planning", "readers", "release", "significance"), 30
    ),
}
USUAL = 15  # of a folder that is not named


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """In CI, or with -v, tell how long each folder's tests took, and which took longer than they may."""
    if not os.environ.get("CI") and config.get_verbosity() < 1:
        return
    spent: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                spent[Path(report.nodeid.partition("::")[0]).parent.name] += report.duration
    terminalreporter.section(f"{sum(spent.values()):.0f} seconds of tests, by folder")
    for folder, seconds in spent.most_common():
        most = BUDGETS.get(folder, USUAL)
        beyond = "  more than its budget" if seconds > most else ""
        terminalreporter.line(f"{seconds:6.0f} of {most:4} s  {folder}{beyond}")


def needed(path: Path) -> Path:
    """Return a path to material that lies beside the checkout; without it skip, or fail in CI."""
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{path} is missing, and in CI nothing may be skipped")
        pytest.skip(f"{path.name} lies beside the developers' checkout only")
    return path


@pytest.fixture(scope="session")
def shared() -> Path:
    """The papers' tables and corpora."""
    return needed(SHARED)


@pytest.fixture(scope="session")
def news() -> Outcomes:
    """The demo data: four classifiers on 20 Newsgroups."""
    return oc.datasets.load("20news")


@pytest.fixture(scope="session")
def paper_rows(shared: Path) -> dict[str, list[dict[str, str]]]:
    """Tables 4, 5 and 6 of Zhang et al. 2016 as printed."""
    tables = {}
    for number in (4, 5, 6):
        with (shared / "oracles" / f"zhang2016_table{number}.csv").open() as stream:
            tables[str(number)] = list(csv.DictReader(stream))
    return tables


@pytest.fixture(scope="session")
def paper_comparisons() -> dict[str, Comparison]:
    """Our answers to the three tables."""
    pairs = {"4": ["nb_bern", "nb_mult"], "5": ["svm_l1", "svm_l2"], "6": ["nb_mult", "svm_l2"]}
    path = oc.datasets.path("20news")
    return {
        number: oc.compare(path, truth="truth", systems=systems, by="label", prior="uniform")
        for number, systems in pairs.items()
    }


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--full`: what takes minutes (chains on all tables, calibration); `make calibrate` asks for it."""
    parser.addoption("--full", action="store_true", help="run the slow forms in full")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only the full form asks for: variants of what another test has shown already."""
    if not config.getoption("--full"):
        left = [item for item in items if item.get_closest_marker("full")]
        items[:] = [item for item in items if not item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the slow forms run in full."""
    return bool(request.config.getoption("--full"))


def _never_skipped(report: "pytest.TestReport | pytest.CollectReport") -> None:
    if os.environ.get("CI") and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"in CI nothing may be skipped: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Iterator[pytest.TestReport]:
    """In CI a test that skips itself fails."""
    del item, call
    report = yield
    _never_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """In CI a file that skips itself fails."""
    del collector
    report = yield
    _never_skipped(report)
    return report
