"""`make mutate`: puts small faults into the code, counts how often a test notices, and writes docs/mutation.md."""

import argparse
import json
import os
import random
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import mutants
import mutation_page
import trial
from fixed import FIXED

SEED: Final = 2016  # another one after tests were written for the survivors of this: they have been seen
SIZE: Final = 900
LEAST: Final = 150  # of each package
RESULTS: Final = Path(__file__).parent / "results.json"


def sample(size: int, seed: int = SEED, least: int = LEAST) -> list[mutants.Mutant]:
    """Draw mutants, as many of each package as its share, and at least so many of each; with a size of 0 take all."""
    chosen = []
    everything = mutants.every()
    for package in mutants.PACKAGES:
        own = [mutant for mutant in everything if mutant.package == package]
        share = round(size * len(own) / len(everything)) if size else len(own)
        # By a key of its own, so that a change of one file does not draw all others anew.
        rank = {mutant.name: random.Random(f"{seed}:{mutant.name}").random() for mutant in own}
        taken = sorted(own, key=lambda mutant, rank=rank: rank[mutant.name])[: max(share, least)]
        chosen += sorted(taken, key=lambda mutant: (mutant.file, mutant.number))
    return chosen


def check_fixed() -> int:
    """Try the fixed mutants, each against its test, and the same tests on the code as it is; return what went wrong."""
    known = {mutant.name: mutant for mutant in mutants.every()}
    trial.load_before(["hypothesis", "numpy", "pytest", "scipy.special", "scipy.stats", "sklearn.metrics"])
    tests = {test: 10.0 for _, test in FIXED}
    sound = mutants.Mutant("verdict/rope.py", -1, 1, "module", "none", "nothing", "nothing", 0)
    found = trial.tried([(sound, tests), *((known[name], {test: 10.0}) for name, test in FIXED)])
    wrong = [outcome for outcome in found if (outcome.status == "survived") != (outcome.name == sound.name)]
    for outcome in wrong:
        print(f"{outcome.status}: {outcome.name} {outcome.by}")
    print(f"{len(found) - 1} mutants, {len(wrong)} wrong")
    return len(wrong)


class Kept:
    """What became of mutants under these sources and tests, so that a run that was broken off goes on."""

    def __init__(self, fingerprint: str) -> None:
        self._path = trial.KEPT / f"outcomes-{fingerprint}.jsonl"
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        self.outcomes = {each["name"]: trial.Outcome(**each) for each in map(json.loads, lines)}

    def add(self, outcome: trial.Outcome) -> None:
        """Keep one more."""
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")


def run(options: argparse.Namespace) -> dict[str, Any] | None:
    """Try mutants and return the results; none of a part of them, or of a practice sample."""
    begin = time.perf_counter()
    reaches = trial.reach_of_all(print, options.jobs, options.tests)
    failed = [name for reach in reaches for name in reach.failed]
    if failed:
        print("these fail on the code as it is, and are left out:", *failed, sep="\n  ")
    trial.load_before(name for reach in reaches for name in reach.modules)
    choice = trial.Choice(reaches)
    before = {}
    if RESULTS.exists():
        before = {each["name"]: each for each in json.loads(RESULTS.read_text(encoding="utf-8"))["mutants"]}
    everything = mutants.every()
    practice = options.practice is not None
    wanted = sample(1, options.practice, options.each) if practice else sample(options.size)
    names = {mutant.name for mutant in wanted}
    if options.only:
        wanted = [mutant for mutant in (wanted if practice else everything) if options.only in mutant.name]
    if options.package:
        wanted = [mutant for mutant in wanted if mutant.package == options.package]
    if options.survivors:
        wanted = [mutant for mutant in wanted if before.get(mutant.name, {}).get("status", "survived") == "survived"]
    kept = Kept(trial.fingerprint(options.tests))
    done = {mutant.name: kept.outcomes[mutant.name] for mutant in wanted if mutant.name in kept.outcomes}
    print(f"{len(wanted)} mutants, {len(done)} of them tried before, {len(choice.seconds)} tests", flush=True)
    count = {"killed": 0, "timeout": 0, "survived": 0}

    def say(outcome: trial.Outcome) -> None:
        count[outcome.status] += 1
        if outcome.status == "survived":
            print(f"  survived {outcome.file}:{outcome.line} {outcome.name} [{outcome.faced} tests]", flush=True)
        if sum(count.values()) % 50 == 0:
            print(f"{count} after {time.perf_counter() - begin:.0f} s", flush=True)

    def note(outcome: trial.Outcome) -> None:
        kept.add(outcome)
        say(outcome)

    for outcome in done.values():
        say(outcome)
    left = [mutant for mutant in wanted if mutant.name not in done]
    pairs = [(mutant, choice.of(mutant, before.get(mutant.name, {}).get("by", ""))) for mutant in left]
    outcomes = [*done.values(), *trial.tried(pairs, options.jobs, note)]
    print(count, f"{time.perf_counter() - begin:.0f} s")
    for package in mutants.PACKAGES:
        rows = mutation_page.of_package([asdict(outcome) for outcome in outcomes], package)
        if rows:
            print(f"{package}: {mutation_page.share(rows):.1%} of {len(rows)} killed")
    if options.only or options.package or options.tests or practice:
        return None
    found = {outcome.name: asdict(outcome) for outcome in outcomes}
    if options.survivors:
        found = before | found
    return {
        "seed": SEED,
        "seen": options.survivors,
        "tests": len(choice.seconds),
        "seconds": trial.MOST_OF_ALL,
        "there_are": {package: sum(m.package == package for m in everything) for package in mutants.PACKAGES},
        "mutants": [found[mutant.name] for mutant in sample(options.size) if mutant.name in names & found.keys()],
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="how many mutants, in all (0: every one)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--only", default="", help="those whose name contains this, of all there are; writes nothing")
    parser.add_argument("--package", default="", choices=["", *mutants.PACKAGES], help="this one alone; writes nothing")
    parser.add_argument("--practice", type=int, help="another seed, whose survivors may be looked at; writes nothing")
    parser.add_argument("--tests", nargs="*", default=[], help="only these of the pool, below tests/; writes nothing")
    parser.add_argument("--each", type=int, default=60, help="how many of each package, in practice")
    parser.add_argument("--survivors", action="store_true", help="try the last run's survivors alone again")
    parser.add_argument("--page", action="store_true", help="write the page of the last run alone")
    parser.add_argument("--fixed", action="store_true", help="try the few of fixed.py; all of them must be killed")
    options = parser.parse_args()
    os.chdir(mutants.ROOT)
    sys.path.insert(0, str(mutants.ROOT / "src"))
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[threads] = "1"  # before NumPy is loaded: a fork with threads can hang
    if options.fixed:
        sys.exit(1 if check_fixed() else 0)
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if options.page else run(options)
    if results is not None:
        RESULTS.write_text(json.dumps(results, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
        mutation_page.write(results)


if __name__ == "__main__":
    main()
