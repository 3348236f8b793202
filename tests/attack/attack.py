"""The attack: `make attack`, or `SECONDS=300`, `RUNS=500`, `SECTION=files`, `CASE='files/empty.csv/*'`.

Broken files are put to every command, pages with hostile names are opened in a browser, extreme scores and counts are
asked about; with the attacks on states, limits and scale where they are there. A case is judged by what a user would
see (judging.py) and is known by its name. Ends with status 1 if any case failed, and writes docs/attack.md.
"""

import argparse
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

# One thread per process: there are as many processes as cores. Before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parent))

import attack_page
import broken_files
import extremes
import hostile_pages
import others
from forked import MEMORY, SECONDS, Ended, Job, Room, batched, command, in_child, load, process, together
from judging import wrong_run

FULL: Final = 1_700.0  # seconds: a full run takes less than half an hour
RUNS: Final = 3_200  # of the command on broken files: about half of all pairs of file and command
AGAIN: Final = 40  # one of so many commands is also run as a process of its own
PIPED: Final = "pipe.csv"
PIPE: Final = 10.0  # seconds for a pipe that nobody writes to
# Of the time, at most so much for each section; what one does not need is left for those behind it.
SHARES: Final = {
    "files": 0.5,
    "extremes": 0.2,
    "pages": 0.3,
    "kills": 0.2,
    "concurrent": 0.2,
    "limits": 0.2,
    "scale": 0.2,
}


@dataclass
class Section:
    """What came of one part of the attack."""

    name: str
    asked: int = 0  # cases that there are
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)  # symptoms by the names of cases
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[int, str] = (0, "")
    note: str = ""

    @property
    def cases(self) -> int:
        """How many were run."""
        return self.outcomes.total()

    def add(self, case: str, outcome: str, wrong: str, seconds: float, megabytes: int) -> None:
        """Count a case."""
        self.outcomes["failed" if wrong else outcome] += 1
        if wrong:
            self.failures[case] = wrong
            print(f"  {case}: {wrong}", flush=True)
        self.slowest = max(self.slowest, (seconds, case))
        self.largest = max(self.largest, (megabytes, case))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be run, where, and how long."""

    folder: Path
    seed: str = "0"
    runs: int = RUNS
    seconds: float = FULL
    case: str = ""
    workers: int = 2

    def chosen(self, section: str, names: Iterable[str]) -> list[str]:
        """Return the cases that were asked for, by their whole names."""
        whole = [f"{section}/{name}" for name in names]
        if not self.case:
            return whole
        return [name for name in whole if name == self.case or fnmatchcase(name, self.case)]

    def sample(self, names: list[str], count: int) -> list[str]:
        """Return some of the names, the same for the same seed, evenly spread."""
        if self.case:
            return names
        return sorted(names, key=lambda name: sha256(f"{self.seed} {name}".encode()).digest())[:count]


# --- broken files x commands ------------------------------------------------------------------------------------------

STATUS: Final = {0: "answer", 2: "sentence", 75: "busy"}


def attack_files(asked: Asked, until: float) -> Section:
    """Put broken files to commands."""
    section = Section("files")
    inputs = asked.folder / "inputs"
    inputs.mkdir()
    broken = {each.name: each for each in broken_files.files(inputs, asked.seed)}
    names = [f"{name}/{key}" for name, each in broken.items() for key in broken_files.questions(each.kind)]
    names.remove("a-null-device/state-there")  # which would write beside the device
    every = asked.chosen("files", names)
    names = asked.sample(every, asked.runs)
    again = [f"{name}/process" for name in names[::AGAIN]] if not asked.case else []
    section.asked = len(names) + len(again)
    section.note = f"{len(broken)} files, {len(names):,} of {len(every):,} pairs of file and command"
    in_child(partial(broken_files.write, inputs, asked.seed, {name.split("/")[1] for name in names}))
    before = _listing(inputs)
    said: dict[str, tuple[int, str]] = {}
    slow: list[str] = []

    def one(name: str) -> Job:
        return _job(name, broken, inputs, asked.folder)

    for ended in together(map(one, (*names, *again)), asked.workers, until=until):
        if ended.timed_out and f"/{PIPED}/" not in ended.name and not asked.case:
            slow.append(ended.name)  # the machine may have been busy
            continue
        _judge(section, ended, broken, inputs, asked, before, said)
    for ended in together(map(one, slow), 1, until=until):
        _judge(section, ended, broken, inputs, asked, before, said)
    return section


def _job(name: str, broken: dict[str, broken_files.Broken], inputs: Path, folder: Path) -> Job:
    _, file, question, *real = name.split("/")
    each = broken[file]
    room = Room.fresh(folder / "rooms" / name.replace("/", "-")[:150])
    copy = room.work / f"out.copy{Path(file).suffix if each.path else '.csv'}"
    asked = broken_files.questions(each.kind)[question]
    if "COPY" in asked.split() and each.path is not None and each.path.is_file() and not _is_device(each.path):
        shutil.copy(each.path, copy)
        beside = each.path.with_name(f"{each.path.name}.seen")
        if beside.exists():
            shutil.copy(beside, copy.with_name(f"{copy.name}.seen"))
    arguments = broken_files.arguments(asked, each, inputs, copy)
    return Job(
        name=name,
        work=partial(process if real else command, arguments, room),
        seconds=PIPE if file == PIPED else SECONDS,
        # What draws reserves more address space than any limit.
        memory=resource.RLIM_INFINITY if {"plot", "report", "--report"} & set(arguments) else MEMORY,
        environment=room.environment,
    )


def _is_device(path: Path) -> bool:
    return not stat.S_ISREG(path.stat().st_mode) or str(path.resolve()).startswith(("/dev/", "/proc/"))


def _judge(
    section: Section,
    ended: Ended,
    broken: dict[str, broken_files.Broken],
    inputs: Path,
    asked: Asked,
    before: dict[str, tuple[int, int]],
    said: dict[str, tuple[int, str]],
) -> None:
    _, file, question, *real = ended.name.split("/")
    room = Room(folder=asked.folder / "rooms" / ended.name.replace("/", "-")[:150])
    arguments = broken_files.arguments(
        broken_files.questions(broken[file].kind)[question], broken[file], inputs, room.work / "out.copy"
    )
    # A name that is given as an output may be any.
    allowed = ("",) if broken[file].path is None and "FILE" in _written(question) and not ended.status else ("out.",)
    wrong = wrong_run(arguments, ended, room, allowed)
    if not wrong and (now := _listing(inputs)) != before:
        changed = sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))
        wrong = f"changes what it reads: {', '.join(changed[:3])}"
        before.clear()
        before.update(now)
    own = (ended.status, room.said("out").replace(str(room.folder), ""))
    if real and not wrong and own != said.get("/".join(ended.name.split("/")[:-1]), own):
        wrong = "says something else in a process of its own"
    said[ended.name] = own
    # What said what it would cost, and was stopped at the limit, has ended with a sentence.
    section.add(ended.name, STATUS.get(ended.status, "sentence"), wrong, ended.seconds, ended.megabytes)
    if asked.case:
        _show(arguments, ended, room)
    else:
        shutil.rmtree(room.folder, ignore_errors=True)


def _written(question: str) -> str:
    return "FILE" if question in ("output", "state-there") else ""


def _show(arguments: list[str], ended: Ended, room: Room) -> None:
    """Print all there is to know of a run."""
    from shlex import join

    shown = join(arguments) if len(join(arguments)) < 1_000 else f"{join(arguments)[:1_000]}..."
    print(f"$ cd {room.work}; outclass {shown}")
    print(f"status {ended.status}, {ended.seconds:.1f} s, {ended.megabytes} MB; left: {room.left()}")
    for stream in ("out", "err"):
        print(f"--- {stream}\n{ascii_only(room.said(stream)[:3_000])}")


def ascii_only(text: str) -> str:
    """Return a text that a terminal does not obey."""
    return "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)


def _listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Return what lies in a folder, with sizes and times."""
    found = {}
    for entry in os.scandir(folder):
        own = entry.stat(follow_symlinks=False)
        found[entry.name] = (own.st_size, own.st_mtime_ns)
    return found


# --- what runs in this process ----------------------------------------------------------------------------------------


def attack_extremes(asked: Asked, until: float) -> Section:
    """Ask about extreme scores and counts."""
    names = asked.chosen("extremes", extremes.cases())
    return _batches("extremes", names, extremes.tried, asked, until)


def attack_pages(asked: Asked, until: float) -> Section:
    """Open hostile pages."""
    names = asked.chosen("pages", hostile_pages.cases())
    if hostile_pages.chromium() is None:
        return Section("pages", asked=len(names), note="not run: there is no Chromium here")
    folder = asked.folder / "pages"
    folder.mkdir()
    work = partial(_page, folder)
    # A browser reserves more address space than any limit.
    return _batches("pages", names, work, asked, until, size=20, memory=resource.RLIM_INFINITY)


def _page(folder: Path, name: str) -> dict[str, Any]:
    return hostile_pages.tried(name, folder)


def _batches(
    title: str,
    names: list[str],
    work: Callable[[str], dict[str, Any]],
    asked: Asked,
    until: float,
    **options: Any,
) -> Section:
    section = Section(title)
    names = asked.sample(names, len(names) if asked.runs >= RUNS else max(1, len(names) * asked.runs // RUNS))
    section.asked = len(names)
    bare = [name.partition("/")[2] for name in names]
    folder = asked.folder / f"batches-{title}"
    folder.mkdir()
    for name, found in batched(bare, work, folder, workers=asked.workers, until=until, **options):
        outcome = found.get("outcome", "failed")
        section.add(f"{title}/{name}", outcome, found["fault"], found["seconds"], found["megabytes"])
    return section


def attack_others(title: str, asked: Asked, until: float) -> Section:
    """Run the attack of another module, if it is there."""
    section = Section(title)
    if asked.case and not fnmatchcase(title, asked.case.partition("/")[0]):
        return section
    share = min(1.0, asked.seconds / FULL, asked.runs / RUNS)
    found = others.called(title, share=share, seed=asked.seed, seconds=max(1.0, until - time.monotonic()))
    section.note = found.note
    section.asked = found.cases
    section.outcomes["answer"] = found.cases - found.busy - len(found.failures)
    section.outcomes["busy"] = found.busy
    section.outcomes["failed"] = len(found.failures)
    section.failures = {f"{title}/{name}": symptom for name, symptom in found.failures.items()}
    section.slowest, section.largest = (found.seconds, found.slowest), (found.megabytes, found.largest)
    for name, symptom in section.failures.items():
        print(f"  {name}: {symptom}", flush=True)
    return section


ATTACKS: Final[dict[str, Callable[[Asked, float], Section]]] = {
    "files": attack_files,
    "extremes": attack_extremes,
    "pages": attack_pages,
    **{title: partial(attack_others, title) for title in others.WHERE},
}


def attack(asked: Asked, titles: Iterable[str] = ATTACKS) -> Iterator[Section]:
    """Run the sections one after the other, and yield what came of each."""
    load()
    end = time.monotonic() + asked.seconds
    for title in titles:
        if asked.case and not fnmatchcase(title, asked.case.partition("/")[0]):
            continue
        begun = time.monotonic()
        print(f"{title} ...", flush=True)
        section = ATTACKS[title](asked, min(end, begun + SHARES[title] * asked.seconds))
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in section.outcomes.most_common() if count)
        print(f"{title}: {told or section.note}; {time.monotonic() - begun:.0f} s", flush=True)
        yield section


def main(given: list[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--section", action="append", choices=list(ATTACKS), help="one or more; all if none")
    parser.add_argument("--runs", type=int, default=RUNS, help="commands on broken files; the rest in proportion")
    parser.add_argument("--seconds", type=float, default=FULL, help="at most so long, all in all")
    parser.add_argument("--case", default="", help="one case by its name, or a pattern; all that is seen is printed")
    parser.add_argument("--seed", default="0", help="other files")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2, help="processes at a time")
    parser.add_argument("--keep", type=Path, help="an empty folder to work in, which is kept")
    parser.add_argument("--page", action="store_true", help="write docs/attack.md")
    wanted = parser.parse_args(given)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended
    folder = wanted.keep or Path(tempfile.mkdtemp(prefix="outclass-attack-"))
    folder.mkdir(parents=True, exist_ok=True)
    asked = Asked(
        folder=folder.resolve(),
        seed=wanted.seed,
        runs=wanted.runs,
        seconds=wanted.seconds,
        case=wanted.case,
        workers=wanted.workers,
    )
    try:
        sections = list(attack(asked, wanted.section or ATTACKS))
    finally:
        if wanted.keep is None and not wanted.case:
            shutil.rmtree(folder, ignore_errors=True)
    if wanted.page:
        attack_page.PAGE.write_text(attack_page.text(sections), encoding="utf-8")
    failed = sum(len(section.failures) for section in sections)
    if not any(section.cases for section in sections):
        print(f"no case is called {wanted.case!r}." if wanted.case else "nothing was run.")
        return 2
    print(f"{sum(section.cases for section in sections):,} cases, {failed:,} failed.")
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
