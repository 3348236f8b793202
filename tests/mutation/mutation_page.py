"""The page of a mutation run: docs/mutation.md, from tests/mutation/results.json and the judged survivors."""

import math
from collections.abc import Sequence
from typing import Any, Final

from equivalents import EQUIVALENT
from mutants import PACKAGES, ROOT, UNSEEN, package_of

PAGE: Final = ROOT / "docs" / "mutation.md"
WANTED: Final = 0.85

HEAD: Final = """# Mutation testing

`make mutate` introduces small faults, one at a time, into the code that computes the numbers (`measures`, `inference`, `verdict`), turns them
into rows (`rows`) and findings (`checks`, in `rows/checks`), and reads data and questions (`questions`: `read`, `question` and `dispatch` in
`ask`, `question` in `models`), and runs the tests that reach the changed line. A fault that no test detects has *survived*. The page is written
by `tests/mutation/run.py`.

The mutations are the usual ones: another arithmetic operator, a comparison with a shifted boundary or reversed direction, `and` for `or`, a
missing `not` or minus, a number increased by one, True for False, nothing returned, a branch always or never taken, a missing statement or slice
end, `min` for `max`. Texts, annotations, asserts and raised errors are not mutated.
"""

BLIND: Final = "The sample was drawn after the tests were written, and no tests were added for it."
SEEN: Final = "Tests were added for survivors of this sample, so slightly fewer of the other mutants may be killed."


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
        f"A random sample of {len(rows):,} of {sum(there_are.values()):,} possible mutants, drawn by package (seed {results['seed']}), was tested with "
        f"{results['tests']:,} fast tests. Each mutant is tested with the tests that reach its line, the fastest first, up to a total of "
        f"{results['seconds']:g} seconds (as timed without mutants), so the proportions are lower bounds. *Timeout*: a test took more than three "
        "times its usual CPU time; it counts as killed. *Equivalent*: survivors without any observable effect, each explained below; they still count as "
        "survivors. The interval is a 95% binomial interval. " + (SEEN if results["seen"] else BLIND),
        "",
        "| package | possible | tried | killed | timeout | survived | of these equivalent | proportion killed | 95% interval |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for package in PACKAGES:
        own = of_package(rows, package)
        lines.append(_row(f"**{package}**", own, f"{there_are[package]:,}"))
    lines += ["", "| file | tried | killed or timeout | survived | proportion killed |", "|---|---|---|---|---|"]
    for file in dict.fromkeys(row["file"] for row in rows):
        own = [row for row in rows if row["file"] == file]
        alive = sum(row["status"] == "survived" for row in own)
        lines.append(f"| `{file}` | {len(own)} | {len(own) - alive} | {alive} | {share(own):.0%} |")
    survivors = [row for row in rows if row["status"] == "survived"]
    alike = [row for row in survivors if row["name"] in EQUIVALENT]
    lines += ["", "## Equivalent survivors", "", "| mutant | why |", "|---|---|"]
    lines += [f"| {_code(row['name'])} | {EQUIVALENT[row['name']]} |" for row in alike]
    lines += ["", "## Other survivors", "", "Not analysed: some of them may be equivalent as well.", ""]
    lines += [f"* {_code(row['name'])}" for row in survivors if row["name"] not in EQUIVALENT]
    lines += ["", "## Not mutated", "", "Code that affects only speed, memory or types:", ""]
    lines += [f"* `{found}` ({'everywhere' if file == '*' else f'`{file}`'}): {why}" for file, found, why in UNSEEN]
    return "\n".join(lines) + "\n"


def write(results: dict[str, Any]) -> None:
    """Write the page."""
    PAGE.write_text(text(results), encoding="utf-8")
