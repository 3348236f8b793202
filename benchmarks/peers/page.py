"""Write docs/peers.md from the stored results; every number and every name in its sentences comes from them."""

import json
from math import sqrt
from statistics import median
from typing import Any

from rivals_of import QUESTIONS, RESULTS, ROOT, rivals
from worlds import CORE_ITEMS, CORRELATIONS, GAPS, ITEMS, NEWS_ITEMS, PREVALENCES, World, worlds

LEVEL = 0.05
ENOUGH = 50  # sets from which methods are told apart in words
PAGE = ROOT / "docs" / "peers.md"


def write() -> None:
    """Write the page."""
    PAGE.write_text(text(), encoding="utf-8")


def text() -> str:
    """Make the whole page from what is stored."""
    parts = [HEAD]
    for name, section in (("speed", speed_section), ("power", power_section)):
        path = RESULTS / f"{name}.json"
        if path.exists():
            parts += section(json.loads(path.read_text(encoding="utf-8")))
    return "\n\n".join(parts) + "\n"


HEAD = """# Beside other libraries

Written by `make bench-peers` (speed) and `make bench-power` (false alarms and power), which anyone can run.
The files are in [benchmarks/peers](../benchmarks/peers): one for each rival, with the call that is made. Every rival
is asked in the way its own documentation asks, with its own defaults, in an environment of its own."""


def table(head: list[str], rows: list[list[str]], left: int = 1) -> str:
    """Lay out a table; the first columns are words, the others numbers."""
    rule = ["---" if place < left else "---:" for place in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def about(machine: dict[str, str]) -> str:
    """Say where and when."""
    where = f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}"
    return f"{machine['date']}, {where}, Python {machine['python']}"


def listed(words: list[str]) -> str:
    """Join with commas and an and."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def named(stored: dict[str, Any]) -> dict[str, Any]:
    """Put the words of the rivals' files beside their stored numbers."""
    words = {rival.key: rival.declared() for rival in rivals()}
    return {key: {**stored[key], **words[key]} for key in words if key in stored}


# Speed


def seconds(value: float) -> str:
    """Show a time with two digits, in ms where it is short."""
    return f"{float(f'{value:.2g}'):g} s" if value >= 1 else f"{float(f'{value * 1e3:.2g}'):g} ms"


def times(value: float) -> str:
    """Show a ratio with two digits."""
    return f"{float(f'{value:.2g}'):,g}"


def middle(entry: dict[str, Any], key: str) -> float:
    """Take the median of the runs."""
    return median(run[key] for run in entry["runs"])


def spread(entry: dict[str, Any], key: str) -> str:
    """Show the median, and the fastest and slowest run."""
    values = [run[key] for run in entry["runs"]]
    return f"{seconds(median(values))} ({seconds(min(values))} to {seconds(max(values))})"


def speed_section(results: dict[str, Any]) -> list[str]:
    """One table a question."""
    found = named(results["rivals"])
    most = max(len(entry["runs"]) for entry in found.values())
    parts = [
        "## Speed",
        f"{about(results['machine'])}. Medians (fastest to slowest) of up to {most} fresh processes each, the rivals "
        "taking turns. *Whole* is from the start of Python to the answer, imports included; *warm* is the same "
        "question about other data in the same process; *memory* is the most the process held. Ratios are to the call "
        f"of ours that gives the same kind of answer: above 1, ours is faster. A test set has {NEWS_ITEMS:,} items.",
    ]
    faster = []
    for question, (title, _) in QUESTIONS.items():
        rows = []
        for entry in found.values():
            if entry["question"] != question:
                continue
            name = f"{entry['library']} {entry.get('version', '')}".strip()
            words = [name, entry["call"].replace("|", "\\|"), "yes" if entry["paired"] else "no"]
            if "error" in entry:
                rows.append([*words, entry["error"].replace("|", "\\|"), *[""] * 4])
                continue
            numbers = [spread(entry, "whole"), spread(entry, "warm"), f"{middle(entry, 'megabytes'):.0f} MB"]
            ours = found[entry["against"]]
            ratios = {key: middle(entry, key) / middle(ours, key) for key in ("whole", "warm")}
            if entry["library"] == "outclass":
                rows.append([f"**{name}**", *words[1:], *numbers, "", ""])
                continue
            rows.append([*words, *numbers, times(ratios["whole"]), times(ratios["warm"])])
            slower = [f"{key} {times(ratio)}" for key, ratio in ratios.items() if ratio < 1]
            if slower:
                faster.append(f"{entry['library']} `{entry['call'].split(';')[0]}` ({', '.join(slower)})")
        head = ["library", "call", "paired", "whole", "warm", "memory", "whole, to ours", "warm, to ours"]
        parts += [f"### {title}", table(head, rows, left=3)]
    told = "Nobody was faster than ours." if not faster else "Faster than ours (ratios): " + "; ".join(faster) + "."
    parts.insert(2, told)
    return parts


# False alarms and power


def rate(alarms: str) -> float:
    """Share of alarms; a set without an answer raises none."""
    return alarms.count("1") / len(alarms)


def error_of(share: float, sets: int) -> float:
    """Binomial standard error."""
    return sqrt(share * (1 - share) / sets)


def too_often(alarms: str) -> bool:
    """Whether false alarms are above 5% by more than two standard errors."""
    return rate(alarms) > LEVEL + 2 * error_of(LEVEL, len(alarms))


def shown(alarms: str, *, null: bool) -> str:
    """One cell of a table, in percent."""
    if not alarms:
        return ""
    percent = f"{100 * rate(alarms):.1f}" if len(alarms) >= 100 else f"{100 * rate(alarms):.0f}"
    percent += "" if len(alarms) >= 100 else f" ({len(alarms)})"
    return f"**{percent}**" if null and too_often(alarms) else percent


def pooled(entry: dict[str, Any], chosen: list[World]) -> str:
    """All alarms of some cells."""
    return "".join(entry["alarms"].get(world.name, "") for world in chosen)


def common(one: dict[str, Any], other: dict[str, Any], chosen: list[World]) -> tuple[int, int, int]:
    """On the sets both saw: how many, and how often only the one or only the other raised an alarm."""
    pairs = [
        (mine == "1", theirs == "1")
        for world in chosen
        for mine, theirs in zip(one["alarms"].get(world.name, ""), other["alarms"].get(world.name, ""), strict=False)
    ]
    return len(pairs), sum(mine > theirs for mine, theirs in pairs), sum(mine < theirs for mine, theirs in pairs)


def titled(entry: dict[str, Any]) -> str:
    """Name a method."""
    name = f"**{entry['library']}**" if entry["library"] == "outclass" else entry["library"]
    return f"{name} `{entry['call'].split(';')[0]}`".replace("|", "\\|")


def power_section(results: dict[str, Any]) -> list[str]:
    """The summary, and one table for each kind of world."""
    every = list(worlds())
    core = [world for world in every if world.core]
    found = named(results["methods"])
    methods = {key: entry for key, entry in found.items() if entry.get("alarms")}
    gaps = listed([f"{a:.2f} against {b:.2f} at prevalence {share:g}" for share, (a, b) in GAPS.items()])
    parts = [
        "## False alarms and power",
        f"{about(results['machine'])}. Simulated test sets of {listed([f'{n:,}' for n in ITEMS])} items at a "
        f"prevalence of {listed([f'{p:g}' for p in PREVALENCES])}; the latent scores of the two systems are correlated "
        f"within each class, {listed([f'{word}ly ({rho:g})' for word, rho in CORRELATIONS.items()])}. Without a gap "
        "both systems have the same recall and false-positive rate, so that F1 and accuracy are equal, and any alarm "
        f"is false; with one, F1 is {gaps}, and accuracy differs too. The same sets go to every method, at most "
        f"{results['sets']} a cell; who is slow sees fewer, or only the core cells "
        f"({listed([f'{n:,}' for n in CORE_ITEMS])} items, prevalence {PREVALENCES[0]:g}). "
        "An alarm is p at most .05, 0 outside the 95% interval, or what the method "
        "itself calls significant. Methods about F1 and methods about accuracy answer different questions of the same "
        "sets; a one-sided test is asked whether A is better, which it is where there is a gap.",
        *sentences(methods, every),
        "### On the core cells",
        "Percent of sets with an alarm, the mean over cells ± its standard error. The last columns are about the sets "
        "of all cells that both the method and our method for the same question saw: how often only it, and only ours, "
        "raised an alarm.",
    ]
    rows = []
    for entry in methods.values():
        cells = [titled(entry), "yes" if entry["paired"] else "no"]
        cells.append(with_error(entry, [world for world in core if not world.gap], null=True))
        sides = [[world for world in core if world.gap and world.correlation == word] for word in CORRELATIONS]
        cells += [with_error(entry, side) for side in sides]
        cells.append(f"{len(pooled(entry, core)):,}")
        ours = methods.get(entry["against"])
        for gap in (False, True):
            if ours is None or ours is entry:
                cells.append("")
            else:
                _, it, we = common(entry, ours, [world for world in every if world.gap == gap])
                cells.append(f"{it} / {we}")
        cells.append(f"{pooled(entry, every).count('e')}")
        rows.append(cells)
    head = ["method", "paired", "false alarms", *(f"power, {word}ly correlated" for word in CORRELATIONS)]
    head += ["sets", "false: only it / ours", "true: only it / ours", "no answer (all cells)"]
    parts.append(table(head, rows, left=2))
    for gap in (False, True):
        for prevalence in PREVALENCES:
            chosen = [world for world in every if world.gap == gap and world.prevalence == prevalence]
            kind = "Power" if gap else "False alarms"
            sets = "the number of sets stands behind a rate where it is below 100"
            said = f"Percent; {sets}" + ("." if gap else "; bold: above 5% by more than two standard errors.")
            order = [(word, n) for word in CORRELATIONS for n in ITEMS]
            rows = []
            for entry in methods.values():
                cells = {(world.correlation, world.items): entry["alarms"].get(world.name, "") for world in chosen}
                if any(cells.values()):
                    rows.append([titled(entry), *(shown(cells[place], null=not gap) for place in order)])
            head = ["method", *(f"{word}, {n:,}" for word, n in order)]
            parts += [f"### {kind}, prevalence {prevalence:g}", said, table(head, rows)]
    for entry in found.values():
        for reason in ("left_out", "failed"):
            if entry.get(reason):
                words = "is not in the study" if reason == "left_out" else "did not end well"
                parts.append(f"{titled(entry)} {words}: {entry[reason]}.")
    return parts


def with_error(entry: dict[str, Any], chosen: list[World], *, null: bool = False) -> str:
    """The mean of the rates of some cells, each counting alike however many sets it has, and its standard error."""
    cells = [cell for world in chosen if (cell := entry["alarms"].get(world.name, ""))]
    if len(cells) < len(chosen):
        return ""
    mean = sum(map(rate, cells)) / len(cells)
    # One set more of each kind, lest a cell without alarms be taken for certain.
    shares = [(cell.count("1") + 1) / (len(cell) + 2) for cell in cells]
    error = sqrt(sum(error_of(share, len(cell)) ** 2 for share, cell in zip(shares, cells, strict=True))) / len(cells)
    told = f"{100 * mean:.1f} ± {100 * error:.1f}"
    fair = sqrt(sum(error_of(LEVEL, len(cell)) ** 2 for cell in cells)) / len(cells)
    return f"**{told}**" if null and mean > LEVEL + 2 * fair else told


def sentences(methods: dict[str, Any], every: list[World]) -> list[str]:
    """What the numbers say, of rivals and of ours alike."""
    parts = []
    often = []
    for entry in methods.values():
        cells = [entry["alarms"].get(world.name, "") for world in every if not world.gap]
        above = sum(too_often(cell) for cell in cells if cell)
        if above:
            worst = max((cell for cell in cells if cell and too_often(cell)), key=rate)
            often.append(
                f"{titled(entry)} in {above} of {sum(map(bool, cells))} cells (at worst {100 * rate(worst):.0f}%)"
            )
    told = f"More often than 5% by over two standard errors: {'; '.join(often)}." if often else "Nobody is above 5%."
    parts.append(f"**False alarms.** {told} Chance alone puts about one cell in forty there.")
    more, less, like, few = [], [], [], []
    for entry in methods.values():
        ours = methods.get(entry["against"])
        if ours is None or entry["library"] == "outclass":
            continue
        sets, it, we = common(entry, ours, [world for world in every if world.gap])
        if not sets:
            continue
        told = f"{titled(entry)} (only it {it}, only ours {we}, of {sets:,} sets with a gap)"
        far = abs(it - we) > 2 * sqrt(max(it + we, 1))
        (few if sets < ENOUGH else like if not far else more if it > we else less).append(told)
    for words, found in (
        ("See more true gaps than our method for the same question", more),
        ("See as many, within two standard errors", like),
        ("See fewer", less),
        ("Too slow to say", few),
    ):
        if found:
            parts.append(f"**{words}:** {'; '.join(found)}.")
    return parts


if __name__ == "__main__":
    write()
