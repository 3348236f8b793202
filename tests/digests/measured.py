"""The pages whose numbers are measured and kept, where each study begins, and the command that measures again."""

from collections.abc import Iterator
from dataclasses import dataclass
from runpy import run_path
from typing import Final

from sources import ROOT, Definition, module_of, reached

# What only shows an answer or words it. A test holds every page to its numbers, so its layout needs no digest.
SHOWING: Final = tuple(f"src/outclass/{each}" for each in ("report", "cli", "answers", "errors.py", "findings.py"))
# What only brings data in: a simulation makes its own.
READING: Final = tuple(
    f"src/outclass/data/{each}.py"
    for each in (
        *("databases", "files", "frame_joining", "frames", "joining"),
        *("published", "state", "tables", "trec"),
    )
)


@dataclass(frozen=True, kw_only=True)
class Study:
    """One study: its page, its command, its entries (`file`, or `file:name,name`), and folders or files left out."""

    page: str
    command: str
    entries: tuple[str, ...]
    without: tuple[str, ...] = (*SHOWING, *READING)

    def sources(self) -> dict[str, Definition]:
        """Return the definitions that the numbers depend on, by name and hash."""
        return reached(self._entries(), self.without)

    def _entries(self) -> Iterator[Definition]:
        for entry in self.entries:
            place, _, names = entry.partition(":")
            files = sorted(ROOT.glob(place))
            if not files:
                raise FileNotFoundError(f"{place} of {self.page} does not exist. Name its new place in {__file__}.")
            for file in files:
                for name in names.split(",") if names else module_of(file).bound:
                    if name not in module_of(file).bound:
                        raise LookupError(f"{file} defines no {name}. Name the entry of {self.page} in {__file__}.")
                    yield Definition(file, name)


def _calibration(script: str, names: str, page: str) -> Study:
    return Study(
        page=f"docs/{page}.md",
        command=f"make calibrate-{script}",
        entries=(f"tests/calibration/{script}.py:{names}",),
    )


def _paper(name: str) -> Study:
    return Study(
        page=f"docs/{name}.md",
        command="make reproduce && make docs TAKE=reproduced",
        entries=(f"src/outclass/studies/{name}/*.py",),
    )


_AGREEMENT: Final = run_path(str(ROOT / "tests" / "agreement" / "agreement_page.py"))["ROWS"]
_PEERS: Final = ("benchmarks/peers/worlds.py", "benchmarks/peers/protocol.py", "benchmarks/peers/rivals/*.py")
STUDIES: Final = {
    "interval_coverage": _calibration("interval_coverage", "grid,covered,write_best", "coverage"),
    "verdicts": _calibration("verdicts", "run", "verdicts"),
    "slices": _calibration("slices", "run", "slices-coverage"),
    "repeats": _calibration("repeats", "held", "repeats-coverage"),
    "runs": _calibration("runs", "held,asked", "runs-coverage"),
    "judged": _calibration("judged", "run", "judged-coverage"),
    "latent": _calibration("latent", "run", "latent-coverage"),
    "gate": _calibration("gate", "worlds,retries", "gate-calibration"),
    "type_one": _calibration("type_one", "rates", "calibration"),
    "matched": _calibration("matched", "studied,KINDS", "matched"),
    "sbc": _calibration("sbc", "histogram", "ranks"),
    "planning": Study(
        page="docs/planning.md",
        command="make docs",
        entries=("docs/make_pages.py:TABLE_3,SCENARIOS", "src/outclass/planning/power.py:probability,goal_of"),
    ),
    "fuzz": Study(
        page="docs/fuzz.md",
        command="make fuzz",
        entries=("tests/fuzz/readers.py", "tests/fuzz/mutator.py", "tests/fuzz/fuzz.py:apart,outcome_of"),
        without=SHOWING[:1],
    ),
    # Commands are found by their names, so each is an entry. The page is about the doors, where files come in and
    # answers go out: what computes between them has its own tests, and a change of it does not ask for half an hour.
    "attack": Study(
        page="docs/attack.md",
        command="make attack",
        entries=(
            "tests/attack/broken_files.py",
            "tests/attack/extremes.py:cases,asked",
            "tests/attack/hostile_pages.py:cases,tried",
            "tests/attack/judging.py",
            *(f"src/outclass/cli/{each}.py" for each in ("entry", "main", "compare", "evaluate", "plan", "plot")),
            *(f"src/outclass/cli/{each}.py" for each in ("rank", "report", "test", "update")),
        ),
        without=tuple(
            f"src/outclass/{each}"
            for each in (
                *("inference", "measures", "models", "planning", "rows"),
                *("significance", "studies", "testing", "verdict"),
            )
        ),
    ),
    # The score also depends on the tests: those that were added since can only raise it.
    "mutation": Study(
        page="docs/mutation.md",
        command="make mutate",
        entries=(
            *(
                f"src/outclass/{package}/*.py"
                for package in ("measures", "inference", "verdict", "rows", "rows/checks")
            ),
            *(f"src/outclass/ask/{each}.py" for each in ("read", "question", "dispatch")),
            "tests/mutation/run.py:sample",
            "tests/mutation/trial.py:tried,reach_of_all,Choice",
        ),
    ),
    "peers_speed": Study(
        page="docs/peers.md",
        command="make bench-peers",
        entries=(*_PEERS, "benchmarks/peers/speed.py:material,timed"),
        without=SHOWING,
    ),
    "peers_power": Study(
        page="docs/peers.md",
        command="make bench-power",
        entries=(*_PEERS, "benchmarks/peers/power.py:answered"),
    ),
    # Its tests run with all others: what may grow old is what its rows say of them.
    "agreement": Study(
        page="docs/agreement.md",
        command="make docs",
        entries=tuple(f"{row.where}:{','.join(row.tests)}" for row in _AGREEMENT),
        without=("src",),
    ),
    **{name: _paper(name) for name in ("zhang2016", "goutte2005", "yang1999")},
}
