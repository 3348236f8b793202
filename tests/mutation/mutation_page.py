"""The page of a mutation run: docs/mutation.md, from tests/mutation/results.json and the judged survivors."""

import math
from collections.abc import Sequence
from typing import Any, Final

from judged import EQUIVALENT
from mutants import PACKAGES, ROOT, UNSEEN, package_of

PAGE: Final = ROOT / "docs" / "mutation.md"
WANTED: Final = 0.85

HEAD: Final = """# Would a test notice?

A test that cannot fail proves nothing. `make mutate` puts small faults into the parts that make the numbers (`measures`, `inference`,
`verdict`), that turn them into rows (`rows`) and findings (`checks`, in `rows/checks`), and that read data and questions (`questions`: `read`,
`question` and `dispatch` in `ask`, `question` in `models`), one at a time, and runs the tests that reach the changed line: a fault that no
test notices has *survived*. The page is written by `tests/mutation/run.py`.

The faults are the usual ones: another arithmetic operator, a comparison with its boundary moved or its sense turned, `and` for `or`,
a `not` or a minus left out, a number one larger, True for False, nothing returned, a branch always or never taken, a statement or the end of
a slice left out, `min` for `max`. Texts are left alone, and so are annotations, asserts and what is raised.
"""

BLIND: Final = "The sample was drawn after the tests were written, and nothing was added for it."
SEEN: Final = (
    "Tests were added for survivors of this sample, so of mutants that were not tried somewhat fewer may be killed."
)


def interval(killed: int, count: int) -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) 95% interval of a share."""
    from scipy import special

    low = float(special.betaincinv(killed, count - killed + 1, 0.025)) if killed else 0.0
    high = float(special.betaincinv(killed + 1, count - killed, 0.975)) if killed < count else 1.0
    return low, high


def of_package(rows: Sequence[dict[str, Any]], package: str) -> list[dict[str, Any]]:
    """Return the mutants of one package."""
    return [row for row in rows if package_of(row["file"]) == package]


def share(rows: Sequence[dict[str, Any]]) -> float:
    """Return the share of mutants that were killed: equivalent ones count as survivors."""
    return sum(row["status"] != "survived" for row in rows) / len(rows) if rows else math.nan


def _row(title: str, rows: Sequence[dict[str, Any]], there_are: str) -> str:
    count = {status: sum(row["status"] == status for row in rows) for status in ("killed", "timeout", "survived")}
    killed = len(rows) - count["survived"]
    low, high = interval(killed, len(rows))
    alike = sum(row["status"] == "survived" and row["name"] in EQUIVALENT for row in rows)
    return (
        f"| {title} | {there_are} | {len(rows)} | {count['killed']} | {count['timeout']} | {count['survived']} | {alike} | "
        f"{killed / len(rows):.1%} | {low:.1%} to {high:.1%} |"
    )


def _code(name: str) -> str:
    where, _, change = name.partition(": ")
    return f"`{where}`: `{change.replace('|', chr(92) + '|')}`"


def text(results: dict[str, Any]) -> str:
    """Return the page."""
    rows = results["mutants"]
    there_are = results["there_are"]
    lines = [
        HEAD,
        "## Killed",
        "",
        f"{len(rows)} of {sum(there_are.values()):,} possible mutants, drawn with seed {results['seed']} in each package, against "
        f"{results['tests']:,} tests of seconds. A mutant faces the tests that reach its line, the quickest first, for "
        f"{results['seconds']:g} seconds of their usual time at most, so a share below is a lower bound. *Timeout*: a test took more than three "
        "times its time (of work, not by the clock); it counts as killed. *Equivalent*: survivors that change nothing a user could see, each argued below; they count as "
        "survivors all the same. The interval is the binomial one (95%) of a sample so large. "
        + (SEEN if results["seen"] else BLIND),
        "",
        "| package | possible | tried | killed | timeout | survived | of these equivalent | killed in all | 95% interval |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for package in PACKAGES:
        own = of_package(rows, package)
        lines.append(_row(f"**{package}**", own, f"{there_are[package]:,}"))
    lines += ["", "| file | tried | killed or timeout | survived | killed in all |", "|---|---|---|---|---|"]
    for file in dict.fromkeys(row["file"] for row in rows):
        own = [row for row in rows if row["file"] == file]
        alive = sum(row["status"] == "survived" for row in own)
        lines.append(f"| `{file}` | {len(own)} | {len(own) - alive} | {alive} | {share(own):.0%} |")
    survivors = [row for row in rows if row["status"] == "survived"]
    alike = [row for row in survivors if row["name"] in EQUIVALENT]
    lines += ["", "## Survivors that change nothing", "", "| mutant | why |", "|---|---|"]
    lines += [f"| {_code(row['name'])} | {EQUIVALENT[row['name']]} |" for row in alike]
    lines += ["", "## Other survivors", "", "Not judged: some of them change nothing either.", ""]
    lines += [f"* {_code(row['name'])}" for row in survivors if row["name"] not in EQUIVALENT]
    lines += ["", "## Not mutated", "", "What is about speed, memory or types alone:", ""]
    lines += [f"* `{found}` ({'everywhere' if file == '*' else f'`{file}`'}): {why}" for file, found, why in UNSEEN]
    return "\n".join(lines) + "\n"


def write(results: dict[str, Any]) -> None:
    """Write the page."""
    PAGE.write_text(text(results), encoding="utf-8")
