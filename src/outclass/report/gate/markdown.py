"""A gate as Markdown, for the comment of a pull request: one table, and the flips folded."""

from collections.abc import Iterator
from typing import Any, Final

from outclass.report.text import markdown, plain
from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck

MOST: Final = 60_000  # letters of a comment
ROWS: Final = 200
LONGEST: Final = 120  # letters of a name
HEAD: Final = "| check | baseline | candidate | difference | margin | decision | items | worse / better |"
RULE: Final = "| :--- | ---: | ---: | ---: | ---: | :--- | ---: | ---: |"


def write(gate: Any) -> str:
    """Return Markdown, which begins with a mark by which a bot finds its last comment."""
    name = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in gate.name)[:60]
    told = [f"<!-- outclass:gate:{name} -->", f"{words.mark(gate.decision)} **{markdown(words.headline(gate))}**", ""]
    told += [HEAD, RULE, *(_row(row) for row in gate.checks[:ROWS]), ""]
    if len(gate.checks) > ROWS:
        told += [f"and {len(gate.checks) - ROWS} more checks.", ""]
    for row in gate.checks[:ROWS]:
        told += _below(row)
    told += [f"- {each.code}: {markdown(each.message)}" for each in gate.all_findings]
    told += ["", *_flips(gate), *_how(gate)]
    text = "\n".join(told).rstrip() + "\n"
    return text if len(text) <= MOST else text[: MOST - 20].rpartition("\n")[0] + "\n\n… cut short\n"


def _cell(text: str) -> str:
    return markdown(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _row(row: GateCheck) -> str:
    apart = "–"
    if row.kind == "difference" and not row.why:
        apart = f"{words.number(row.difference, row, signed=True)} {words.interval(row.interval, row)}"
    elif not row.why:
        apart = words.interval(row.interval, row, signed=False)
    changed = "–" if row.flips is None else f"{row.flips.worse:,} / {row.flips.better:,}"
    cells = [
        _cell(row.name),
        words.number(row.baseline, row),
        words.number(row.candidate, row),
        _cell(apart),
        "–" if row.why else _cell(words.margin(row)),
        f"{words.mark(row.decision)} {row.decision.value}",
        f"{row.items:,}",
        changed,
    ]
    return f"| {' | '.join(cells)} |"


def _below(row: GateCheck) -> Iterator[str]:
    if row.why:
        yield f"- {_cell(row.name)}: {markdown(row.why)}"
    elif words.to_decide(row):
        yield f"- {_cell(row.name)}: {markdown(words.to_decide(row))}."


def _flips(gate: Any) -> Iterator[str]:
    rows = [row for row in gate.checks if row.flips is not None and (row.flips.worse_ids or row.flips.better_ids)][:10]
    if not rows:
        return
    yield "<details><summary>Items that changed</summary>"
    yield ""
    for row in rows:
        assert row.flips is not None
        for what, many, ids in (
            ("worse", row.flips.worse, row.flips.worse_ids),
            ("better", row.flips.better, row.flips.better_ids),
        ):
            if ids:
                more = f" and {many - len(ids):,} more" if many > len(ids) else ""
                yield f"- {_cell(row.name)}, {what}: {', '.join(_cell(name) for name in ids)}{more}"
    yield ""
    yield "</details>"


def _how(gate: Any) -> Iterator[str]:
    yield "<details><summary>How it was computed</summary>"
    yield ""
    pictures = [f"{plain(row.name)[:20]:<20} {words.drawn(row)}" for row in gate.checks[:20] if words.drawn(row)]
    if pictures:
        yield "```text"
        yield from (line.replace("`", "'") for line in pictures)
        yield "```"
    yield ""
    yield (
        f"Differences are candidate minus baseline ({markdown(gate.candidate.name)} − "
        f"{markdown(gate.baseline.name)}), turned so that higher is better; intervals are one-sided limits of "
        f"{gate.confidence:g} each. A check fails if P(worse by more than the margin) ≥ {gate.confidence:g} "
        "(Holm over all checks), and passes if P(not worse by more than the margin) does."
    )
    if gate.command:
        yield ""
        yield "```console"
        yield plain(gate.command).replace("`", "'")
        yield "```"
    yield ""
    yield "</details>"
