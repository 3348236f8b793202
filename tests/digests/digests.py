"""Whether a page of measured numbers is older than the code that was measured.

python tests/digests/digests.py                               # which pages are older than their sources, and why
python tests/digests/digests.py --accept STUDY COMMAND ...    # run a study; if it succeeds its page is up to date
python tests/digests/digests.py --accept STUDY --reason WHY   # the numbers still hold, though the sources changed
python tests/digests/digests.py --accept all --reason WHY     # the same of every study: a refactoring proven equal

`make` calls the second form. Reasons since the last run are kept, and shown when the page is out of date again.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from measured import STUDIES
from sources import Definition

KEPT: Final = Path(__file__).parent / "digests.json"
NAMED: Final = 8  # changes that a message names


def digest_of(definitions: Iterable[str]) -> str:
    """Return one digest of many definitions, given by name and hash."""
    return sha256("\n".join(sorted(definitions)).encode()).hexdigest()[:16]


def load() -> dict[str, Any]:
    """Return what is kept: for each study its digest and reasons, for each definition the studies that use it."""
    return dict(json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else {"studies": {}, "definitions": {}}


def kept_of(study: str, kept: Mapping[str, Any]) -> set[str]:
    """Return the definitions, by name and hash, that a study was accepted with."""
    return {definition for definition, users in kept["definitions"].items() if study in users.split()}


def accept(study: str, sources: Iterable[str], reason: str = "") -> None:
    """Keep what a study was measured with; without a reason it was run."""
    kept, now = load(), set(sources)
    users = {definition: set(names.split()) - {study} for definition, names in kept["definitions"].items()}
    for definition in now:
        users.setdefault(definition, set()).add(study)
    reasons = [*kept["studies"].get(study, {}).get("accepted because", []), reason] if reason else []
    stamp = {"digest": digest_of(now)} | ({"accepted because": reasons} if reasons else {})
    plain = {
        "studies": dict(sorted({**kept["studies"], study: stamp}.items())),
        "definitions": {each: " ".join(sorted(users[each])) for each in sorted(users) if users[each]},
    }
    KEPT.write_text(json.dumps(plain, indent=0) + "\n", encoding="utf-8")


def stale(study: str, sources: Mapping[str, Definition], kept: Mapping[str, Any]) -> str:
    """Say what changed since a study was accepted, and what renews it; nothing if nothing did."""
    stamp = kept["studies"].get(study, {"digest": ""})
    if digest_of(sources) == stamp["digest"]:
        return ""
    before = kept_of(study, kept)
    names = sorted({sources[each].label for each in sources.keys() - before})
    there = {each.split()[0] for each in sources}
    names += [f"{name} is gone" for name in sorted({each.split()[0] for each in before} - there)]
    changed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    about = STUDIES[study]
    told = f"{about.page} is older than its sources (changed: {changed or 'digests.json'}): run `{about.command}`"
    told += f", or `python tests/digests/digests.py --accept {study} --reason WHY` if its numbers cannot have changed."
    reasons = stamp.get("accepted because", [])
    return told + (f" Accepted since its last run: {'; '.join(reasons)}" if reasons else "")


def main(given: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*STUDIES, "all"]
    parser.add_argument("--accept", action="append", choices=names, metavar="STUDY", help=", ".join(names))
    parser.add_argument("--reason", default="", help="why the numbers still hold, without a run")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what measures the study")
    asked = parser.parse_args(given)
    if asked.accept is None:
        told = [line for study in STUDIES if (line := stale(study, STUDIES[study].sources(), load()))]
        print("\n".join(told) or "No page is older than its sources.")
        return min(1, len(told))
    if bool(asked.command) == bool(asked.reason):
        parser.error("--accept takes either --reason WHY or, last, the command that measures the study.")
    chosen = list(STUDIES) if "all" in asked.accept else asked.accept
    # Taken before the command runs: whoever changes the code meanwhile changes what was not measured.
    sources = {study: STUDIES[study].sources() for study in chosen}
    if asked.command and (failed := subprocess.run(asked.command, check=False).returncode):
        return failed
    for study, definitions in sources.items():
        if asked.command or stale(study, definitions, load()):
            accept(study, definitions, asked.reason)
    return 0


if __name__ == "__main__":
    sys.exit(main())
