"""The page of the attack: docs/attack.md, from what came of each section."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from attack import Section

PAGE: Final = Path(__file__).parents[2] / "docs" / "attack.md"
SHOWN: Final = 5  # cases of one symptom
OUTCOMES: Final = ("answer", "sentence", "busy", "failed")

HEAD: Final = """\
# Robustness tests

`make attack` tries to break outclass, in less than half an hour, and writes this page.

* **files**: corrupt and unusual files of every supported kind (text, JSON lines, Parquet, compressed, SQLite, DuckDB, TREC, saved states, and
  names that are not files) passed to every command, each in a separate process with 4 GB of address space; one in forty also from the shell.
* **extremes**: scores from 5e-324 to 1.8e308, and infinite, NaN, constant or far from zero, as results, losses, classifier scores, groups,
  folds and data sets; counts from 0 to 10^30; extreme measures and options; each in `compare`, `evaluate`, `rank` and `test`.
* **pages**: report pages in which systems, labels and titles have hostile names (scripts, attributes, templates, `__proto__`, bidirectional
  text, 10,000 letters), opened and used in Chromium.
* **kills**, **concurrent**: `update` killed at random moments, and many updates of one state at the same time.
* **limits**, **scale**: small inputs that would require a lot of memory, and large numbers of systems and classes.

A case passes if it ends with an answer (status 0), with a one-sentence error (status 2) or with "try again" (status 75): no traceback, no Python
warning, no control characters, no half-written or leftover files, nothing written elsewhere, no missing number without a finding, within a
minute and 2 GB. A page passes if no name is executed or becomes markup, it makes no network requests, its console is silent and every chart has
the same marks as with plain names.
"""


def text(sections: "Sequence[Section]") -> str:
    """Return the page."""
    lines = [HEAD, "## Outcomes", "", "| attack | cases | answer | error | try again | failed | not run |"]
    lines.append("|:---|---:|---:|---:|---:|---:|---:|")
    for section in sections:
        counts = " | ".join(f"{section.outcomes[outcome]:,}" for outcome in OUTCOMES)
        left = f"{section.asked - section.cases:,}" if section.cases else "all"
        lines.append(f"| {section.name} | {section.cases:,} | {counts} | {left} |")
    total = {outcome: sum(section.outcomes[outcome] for section in sections) for outcome in OUTCOMES}
    cases = sum(section.cases for section in sections)
    lines.append(
        f"| **all** | **{cases:,}** | {total['answer']:,} | {total['sentence']:,} | {total['busy']:,} | "
        f"**{total['failed']:,}** | |"
    )
    notes = [f"* {section.name}: {section.note}." for section in sections if section.note]
    lines += [
        "",
        *notes,
        "",
        "## Slowest and largest cases",
        "",
        "Wall-clock times, with as many cases in parallel as there are cores. Memory is the peak of the process,",
    ]
    lines += [
        "including about 200 MB for libraries.",
        "",
        "| attack | seconds | case | MB | case |",
        "|:---|---:|:---|---:|:---|",
    ]
    for section in sections:
        if section.cases:
            (seconds, slow), (megabytes, large) = section.slowest, section.largest
            lines.append(f"| {section.name} | {seconds:.1f} | {_code(slow)} | {megabytes:,} | {_code(large)} |")
    lines += ["", "## Failed", ""]
    by_symptom: dict[str, list[str]] = defaultdict(list)
    for section in sections:
        for case, symptom in section.failures.items():
            by_symptom[symptom].append(case)
    if not by_symptom:
        return "\n".join([*lines, "None.", ""])
    lines += [
        "`make attack CASE=NAME` runs one case again, with full output.",
        "",
        "| symptom | cases | of these |",
        "|:---|---:|:---|",
    ]
    for symptom, names in sorted(by_symptom.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        shown = ", ".join(map(_code, sorted(names)[:SHOWN]))
        lines.append(f"| {_cell(symptom)} | {len(names):,} | {shown} |")
    return "\n".join([*lines, ""])


def _code(name: str) -> str:
    return f"`{_cell(name)}`" if name else ""


def _cell(name: str) -> str:
    """Return a text that is one cell of a table, and nothing else."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in name)
    return plain.replace("|", "\\|").replace("`", "'").replace("<", "&lt;")
