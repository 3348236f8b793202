"""Tries mutants: a fork for each, the libraries loaded before it and outclass after, and the tests that reach its line.

A child puts the changed file in place of the module, so that constants, default values and what modules make when they
are loaded are changed too, and runs pytest in itself. A test that fails, or takes far longer than it should, kills the
mutant. Which tests reach which line was measured before (`coverage`, one context a test).
"""

import ast
import gc
import hashlib
import importlib
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, Final

import pytest
from mutants import ROOT, SOURCE, Mutant, files, mutated

# The tests that are about these packages and what is built on them; no pages, clusters or chains.
POOL: Final = (
    "measures",
    "inference",
    "verdict",
    "rows",
    "ask",
    "models",
    "properties",
    "reference",
    "scores",
    "slices",
    "golden",
    "certainty",
    "data",
    "report",
    "cli/test_refusals.py",
)
LEFT_OUT: Final = ("test_mcmc.py", "test_engines.py", "test_charts.py", "test_degenerate.py", "test_page_parts.py")
MOST_OF_ONE: Final = 3.0  # seconds of work that a test of the pool may take
MOST_OF_ALL: Final = 10.0  # seconds of tests that a mutant faces, the quickest first; so the rate is a lower bound
PATIENCE: Final = 30.0  # seconds beyond three times its usual time: whoever comes first pays for what tests share
LOADING: Final = 120.0  # seconds for collecting
MEMORY: Final = 8 << 30
NEVER_LOADED: Final = 3
KEPT: Final = ROOT / "build" / "mutation"
# Libraries that start threads, or mind forks, when they are loaded.
NOT_BEFORE: Final = (
    "outclass",
    "tests",
    "conftest",
    "jax",
    "jaxlib",
    "numpyro",
    "pymc",
    "pytensor",
    "nutpie",
    "pyspark",
)
QUIET: Final = ("-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow")


@dataclass(frozen=True, slots=True)
class Reach:
    """What the tests of one file reach: seconds of each test, and for every line the tests that run it.

    The empty test stands for what is run when the file is loaded.
    """

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    modules: list[str]
    failed: list[str]
    missing: str = ""  # why the file could not be loaded: a package that is not installed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant: killed (and by which test), timeout or survived; `faced` tests were chosen for it."""

    name: str
    file: str
    line: int
    kind: str
    status: str
    by: str
    faced: int


class _Loader(SourceFileLoader):
    """Loads the changed tree instead of the file."""

    tree: ast.Module

    def get_code(self, fullname: str) -> Any:
        return compile(self.tree, self.path, "exec")


class _Finder:
    """Finds the changed module, before Python finds the file."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self._module, self._tree, self.used = module, tree, False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self._module:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.origin is not None
        loader = _Loader(name, spec.origin)
        loader.tree = self._tree
        spec.loader, self.used = loader, True
        return spec


def _alarm(seconds: float) -> None:
    """End this process after so many seconds of its own work: a busy machine must not make a mutant look killed."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


@dataclass(eq=False)
class _Chosen:
    """A pytest plugin: runs the chosen tests in the chosen order, each in its time, and remembers the first to fail."""

    order: dict[str, float]  # test -> usual seconds; empty: all
    failed: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    missing: str = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        # A package with a plugin for pytest is loaded by pytest's own finder, unless a mutant's comes first.
        sys.meta_path.sort(key=lambda finder: not isinstance(finder, _Finder))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        # A mutant is killed by the first example that fails: there is no need for the smallest.
        from hypothesis import Phase, settings

        parent = settings.get_profile("steady")
        settings.register_profile("mutation", parent, phases=(Phase.explicit, Phase.generate), database=None)
        settings.load_profile("mutation")
        _alarm(LOADING)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order:
            ranks = {name: rank for rank, name in enumerate(self.order)}
            chosen = [item for item in items if self._key(item) in ranks]
            items[:] = sorted(chosen, key=lambda item: ranks[self._key(item)])

    def _key(self, item: pytest.Item) -> str:
        """The name by which a test was chosen: its own, or that of all its parameters."""
        return item.nodeid if item.nodeid in self.order else item.nodeid.partition("[")[0]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self.order:
            _alarm(3 * self.order[self._key(item)] + PATIENCE)
        self.failed = item.nodeid  # until it has passed: an alarm ends the process
        _note(self.failed)
        begin = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begin
        _alarm(LOADING)
        return result

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        found = (
            re.search(r"ModuleNotFoundError: No module named '(\S+)'", report.longreprtext) if report.failed else None
        )
        if found is not None and not found[1].startswith("outclass"):
            self.missing = found[1]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failures.append(report.nodeid)


_NOTE: list[Path] = []


def _note(text: str) -> None:
    """Tell the parent which test is running."""
    if _NOTE:
        _NOTE[0].write_text(text, encoding="utf-8")


def _quiet_child() -> None:
    """Begin a process of its own: silent, in its own group, with a bound on its memory."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # `error` in the project's filters would meet pytest's word about modules that were loaded before it.
    os.environ["PYTEST_ADDOPTS"] = "-W ignore::pytest.PytestAssertRewriteWarning"
    os.environ.pop("CI", None)


def _pytest(paths: Iterable[str], plugin: Any, *more: str) -> int:
    return int(pytest.main([*QUIET, *more, "--rootdir", str(ROOT), *paths], plugins=[plugin]))


# --- which tests reach which line -------------------------------------------------------------------------------


def pool_files(only: Sequence[str] = ()) -> list[str]:
    """Return the files of the pool; only those whose path below `tests` begins with one of these, if some are named."""
    return [
        path.relative_to(ROOT).as_posix()
        for room in POOL
        for path in sorted((ROOT / "tests").glob(room if room.endswith(".py") else f"{room}/test_*.py"))
        if path.name not in LEFT_OUT
        and (not only or path.relative_to(ROOT / "tests").as_posix().startswith(tuple(only)))
    ]


def _fingerprint(test_file: str) -> str:
    beside = (path for path in (ROOT / test_file).parent.glob("*.py") if not path.name.startswith("test_"))
    paths = [ROOT / test_file, ROOT / "tests" / "conftest.py", *sorted(beside), *sorted(SOURCE.rglob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def fingerprint(only: Sequence[str] = ()) -> str:
    """Return a digest of the sources and of all tests that mutants face."""
    return hashlib.sha256("".join(map(_fingerprint, pool_files(only))).encode()).hexdigest()[:16]


def _measure(test_file: str, target: Path) -> None:
    """Run one file's tests under coverage, and write what they reach."""
    import coverage

    cover = coverage.Coverage(data_file=None, config_file=False, include=[str(SOURCE / file) for file in files()])
    plugin = _Chosen({})

    class Contexts:
        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
            cover.switch_context(item.nodeid)
            result = yield
            cover.switch_context("")
            return result

    before = set(sys.modules)
    cover.start()
    code = int(pytest.main([*QUIET, "--rootdir", str(ROOT), test_file], plugins=[plugin, Contexts()]))
    cover.stop()
    data = cover.get_data()
    lines = {
        Path(path).relative_to(SOURCE).as_posix(): {
            line: sorted(contexts) for line, contexts in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }
    modules = [name for name in sys.modules if name not in before and not name.startswith("test")]
    if code not in (0, 1, 5) and not plugin.missing:
        return
    reach = Reach(plugin.seconds, lines, modules, plugin.failures, plugin.missing)
    target.write_text(json.dumps(asdict(reach)), encoding="utf-8")


def reach_of_all(say: Any, jobs: int = 1, only: Sequence[str] = ()) -> list[Reach]:
    """Measure every file of the pool, but for those that were measured as they are."""
    KEPT.mkdir(parents=True, exist_ok=True)
    targets = {
        test_file: KEPT / f"{Path(test_file).parent.name}-{Path(test_file).stem}-{_fingerprint(test_file)}.json"
        for test_file in pool_files(only)
    }
    running = 0
    for test_file, target in targets.items():
        if target.exists():
            continue
        if running == jobs:
            os.wait()
            running -= 1
        say(f"measuring {test_file}")
        child = os.fork()
        if child == 0:
            try:
                _quiet_child()
                _measure(test_file, target)
            finally:
                os._exit(0)
        running += 1
    for _ in range(running):
        os.wait()
    found = []
    for test_file, target in targets.items():
        if not target.exists():
            raise RuntimeError(f"{test_file} could not be measured")
        content = json.loads(target.read_text(encoding="utf-8"))
        content["lines"] = {file: {int(k): v for k, v in of.items()} for file, of in content["lines"].items()}
        found.append(Reach(**content))
        if found[-1].missing:
            say(f"left out: {test_file}, which needs {found[-1].missing}")
    return found


def load_before(names: Iterable[str]) -> None:
    """Load libraries, so that a child need not; but for outclass and the tests themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in dict.fromkeys(names):
            if name.partition(".")[0] not in NOT_BEFORE:
                try:
                    importlib.import_module(name)
                except Exception:  # it is loaded when a test needs it
                    continue
    assert not any(name.partition(".")[0] == "outclass" for name in sys.modules)
    gc.collect()
    gc.freeze()


@lru_cache
def _bodies(file: str) -> frozenset[int]:
    """The lines of a file that are run when a function is called, not when the file is loaded."""
    tree = ast.parse((SOURCE / file).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    parts = (part for function in functions for part in function.body)
    return frozenset(line for part in parts for line in range(part.lineno, (part.end_lineno or part.lineno) + 1))


@lru_cache
def _statements(file: str) -> dict[int, range]:
    """For each line of a file, the lines of the innermost statement (of a branch its head) that it belongs to."""
    spans: dict[int, range] = {}
    for node in ast.walk(ast.parse((SOURCE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            span = range(node.lineno, max(last, node.lineno) + 1)
            for line in span:
                if line not in spans or len(span) < len(spans[line]):
                    spans[line] = span
    return spans


class Choice:
    """Which tests a mutant faces."""

    def __init__(self, reaches: Sequence[Reach]) -> None:
        failed = {name for reach in reaches for name in reach.failed}
        self.seconds = {
            name: took
            for reach in reaches
            for name, took in reach.seconds.items()
            if took <= MOST_OF_ONE and name not in failed
        }
        self._lines: dict[str, dict[int, set[str]]] = {}
        for reach in reaches:
            for file, lines in reach.lines.items():
                of_file = self._lines.setdefault(file, {})
                for line, names in lines.items():
                    # What runs when a test's file is loaded is seen by all its tests.
                    seen = reach.seconds if "" in names and line in _bodies(file) else names
                    of_file.setdefault(line, set()).update(name for name in seen if name in self.seconds)

    def of(self, mutant: Mutant, first: str = "") -> dict[str, float]:
        """Return the tests that reach a mutant's statement, the package's own and the quickest first."""
        lines = self._lines.get(mutant.file, {})
        homes = mutant.homes
        if mutant.line in _bodies(mutant.file):
            names = set().union(*(lines.get(line, set()) for line in _statements(mutant.file)[mutant.line]))
        else:
            # Constants, defaults and registries are made when the module is loaded: whoever uses it sees them.
            names = set().union(*lines.values(), (name for name in self.seconds if name.startswith(homes)))

        def rank(name: str) -> tuple[bool, bool, int, str, float]:
            took = self.seconds[name]
            slow = sum(took > most for most in (0.05, 0.3, 1.0))
            return name != first, not name.startswith(homes), slow, name.partition("::")[0], took

        chosen: dict[str, float] = {}
        left = MOST_OF_ALL
        for name in sorted(names, key=rank):
            if self.seconds[name] <= left:
                chosen[name] = self.seconds[name]
                left -= self.seconds[name]
        return chosen


# --- one mutant --------------------------------------------------------------------------------------------------


def _child(mutant: Mutant, tests: dict[str, float]) -> int:
    """Try a mutant in this process: 0 if it survives, 1 if a test fails, 3 if it was not even loaded."""
    _quiet_child()
    _alarm(LOADING)
    finder = _Finder(mutant.module, mutated((SOURCE / mutant.file).read_text(encoding="utf-8"), mutant.number))
    sys.meta_path.insert(0, finder)
    own = {name: took for name, took in tests.items() if name.startswith(mutant.homes)}
    rest = {name: took for name, took in tests.items() if name not in own}
    # A test that killed it before comes first, wherever it is.
    first = next(iter(tests))
    stages = [own, rest] if first in own else [{first: rest.pop(first)}, own, rest]
    for stage in stages:
        if stage:
            _note("while loading")
            plugin = _Chosen(stage)
            if _pytest(dict.fromkeys(name.partition("::")[0] for name in stage), plugin, "-x") != 0:
                _note(plugin.failures[0] if plugin.failures else "while loading")
                return 1
    return 0 if finder.used else NEVER_LOADED


@dataclass(slots=True)
class _Running:
    mutant: Mutant
    note: Path
    deadline: float
    faced: int

    def outcome(self, status: int) -> Outcome:
        """Read off a child's end what became of the mutant."""
        by = self.note.read_text(encoding="utf-8") if self.note.exists() else "while loading"
        self.note.unlink(missing_ok=True)
        if os.WIFSIGNALED(status):
            late = os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGKILL)
            return _outcome(self.mutant, "timeout" if late else "killed", by, self.faced)
        if os.WEXITSTATUS(status) == 0:
            return _outcome(self.mutant, "survived", "", self.faced)
        if os.WEXITSTATUS(status) == NEVER_LOADED:
            raise RuntimeError(f"the module of {self.mutant.name} was never loaded by its tests")
        return _outcome(self.mutant, "killed", by, self.faced)


def _start(mutant: Mutant, tests: dict[str, float], folder: Path) -> tuple[int, _Running]:
    """Start a child on a mutant."""
    note = folder / f"{mutant.file.replace('/', '-')}-{mutant.number}"
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _NOTE[:] = [note]
            code = _child(mutant, tests)
        finally:
            os._exit(code)
    limit = 20 * sum(tests.values()) + 6 * LOADING
    return child, _Running(mutant, note, time.monotonic() + limit, len(tests))


def _end_group(child: int) -> None:
    """End a child and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def tried(
    chosen: Sequence[tuple[Mutant, dict[str, float]]], jobs: int = 1, say: Any = lambda outcome: None
) -> list[Outcome]:
    """Try mutants, each against its tests, and return what became of each, in order."""
    results: dict[str, Outcome] = {}
    running: dict[int, _Running] = {}
    for mutant, tests in chosen:
        if not tests:
            results[mutant.name] = _outcome(mutant, "survived", "no test reaches it", 0)
            say(results[mutant.name])
    queue = [(mutant, tests) for mutant, tests in chosen if tests][::-1]
    with tempfile.TemporaryDirectory(prefix="mutation") as folder:
        while queue or running:
            while queue and len(running) < jobs:
                child, task = _start(*queue.pop(), Path(folder))
                running[child] = task
            found, status = os.waitpid(-1, os.WNOHANG)
            if found == 0:
                for child, task in running.items():
                    if time.monotonic() > task.deadline:
                        _end_group(child)
                time.sleep(0.01)
                continue
            _end_group(found)
            outcome = running.pop(found).outcome(status)
            results[outcome.name] = outcome
            say(outcome)
    return [results[mutant.name] for mutant, _ in chosen]


def _outcome(mutant: Mutant, status: str, by: str, faced: int) -> Outcome:
    return Outcome(mutant.name, mutant.file, mutant.line, mutant.kind, status, by, faced)
