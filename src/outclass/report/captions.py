"""What stands above and below a table: what was compared, and what the reader should know."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from outclass.findings import Finding
from outclass.report import words
from outclass.report.sheets import Sheet
from outclass.rows.types import Appraisal, Contrast

FEW_MESSAGES = 2


def title(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Name what all rows have in common."""
    first = rows[0]
    parts = []
    if isinstance(first, Contrast):
        pairs = {tuple(system.name for system in row.systems) for row in rows if isinstance(row, Contrast)}
        parts.append(" against ".join(next(iter(pairs))) if len(pairs) == 1 else f"{len(pairs)} pairs of systems")
    if len({row.measure.name for row in rows}) == 1:
        parts.append(first.measure.title)
    if len({row.label for row in rows}) == 1 and first.label is not None:
        parts.append(f"positive label {first.label}")
    return ", ".join(parts) or f"{len(rows)} rows"


def note(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Say how the numbers of all rows were made."""
    first = rows[0]
    sizes = sorted({row.items for row in rows})
    items = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    told = words.about(first, sorted({row.method for row in rows}), items, several=len({row.prior for row in rows}) > 1)
    if isinstance(first, Contrast):
        ropes = dict.fromkeys(words.rope(row.rope) for row in rows if isinstance(row, Contrast))
        told += f"; ROPE {', '.join(list(ropes)[:4])}" + (", by row" if len(ropes) > 1 else "")
    return told


def findings(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> list[tuple[str, str, int]]:
    """List the findings of all rows."""
    return findings_of([row.findings for row in rows], rows)


def findings_of(
    groups: Sequence[Sequence[Finding]], rows: Sequence[Any] = (), *, equivalent: bool = False
) -> list[tuple[str, str, int]]:
    """List findings: code, message and how many rows; of many messages with one code, the first for all.

    Those that should change a reader's mind come first. `rows` are those that the groups are of, if they are of rows;
    `equivalent` says of an answer without rows that some systems were found to be practically equivalent.
    """
    found: dict[str, Counter[str]] = {}
    where: dict[tuple[str, str], str] = {}
    names = _told_apart(rows) if len(rows) == len(groups) else [""] * len(groups)
    for group, name in zip(groups, names, strict=True):
        for each in group:
            found.setdefault(each.code, Counter())[each.message] += 1
            where.setdefault((each.code, each.message), name)
    told, places = [], words.importance(rows, equivalent=equivalent)
    for code in sorted(found, key=lambda code: (places.get(code, 0), code)):
        messages = found[code]
        if len(messages) <= FEW_MESSAGES:
            # What holds for every row need not be counted.
            told += [(code, message, many if many < len(groups) else 1) for message, many in messages.items()]
            continue
        first, *others = messages
        also = [where[code, message] for message in others]
        # What is said of one system is not of the pairs that it is in.
        of_pairs = all(name in message for message in messages if " and " in (name := where[code, message]))
        named = all(also) and len(set(also)) == len(also) and of_pairs
        told.append((code, f"{first} {words.similar(also) if named else f'(And {len(others)} similar ones.)'}", 1))
    return told


def _told_apart(rows: Sequence[Any]) -> list[str]:
    """Name rows by what differs between them, the labels or the systems; '' where neither does."""
    for names in ([row.part for row in rows], [_who(row) for row in rows]):
        if len(set(names)) > 1:
            return [str(name) for name in names]
    return [""] * len(rows)


def _who(row: Contrast | Appraisal) -> str:
    return row.system.name if isinstance(row, Appraisal) else " and ".join(system.name for system in row.systems)


def remarks(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> list[str]:
    """Return what goes below a table in a document: how it was made, what its signs mean."""
    told = [note(rows), *details(rows)]
    if isinstance(rows[0], Contrast):
        told.append(legend(rows))
        told += what_now(rows)
    return told


def paper_notes(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> list[str]:
    """Return what goes below a table in a paper: what its columns hold, and how it was made."""
    contrasts = [row for row in rows if isinstance(row, Contrast)]
    told = words.columns_of(contrasts) if contrasts else [words.scores_of(rows[0].hdi_mass)]
    made = note(rows).partition("; ROPE ")[0]
    return [*told, f"{made[:1].upper()}{made[1:]}.", *details(rows)]


def below(sheet: Sheet) -> list[str]:
    """Return what goes below the first table in a document: the remarks, then the findings."""
    return [*sheet.remarks, *(f"{told} ({code})" for code, told in _found(sheet))]


def below_in_papers(sheet: Sheet) -> list[str]:
    """Return what goes below the first table in a paper, whose readers know neither codes nor the default ROPE."""
    return [*sheet.remarks, *(told for code, told in _found(sheet) if code not in words.DEFAULT_ROPE)]


def _found(sheet: Sheet) -> list[tuple[str, str]]:
    return [(code, message + (f" (In {many} rows.)" if many > 1 else "")) for code, message, many in sheet.findings]


def sides(row: Contrast) -> str:
    """Say how probable a difference beyond the ROPE is, to either side, as a sentence."""
    told = words.practical(row)
    return f"{told[:1].upper()}{told[1:]}."


def details(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> list[str]:
    """Say how chains mixed, and what a prior says of the rates."""
    told = [told for told in [words.jointly([row for row in rows if isinstance(row, Contrast)])] if told]
    if len(rows) == 1 and isinstance(rows[0], Contrast) and rows[0].rope_probabilities is not None:
        told.append(sides(rows[0]))
    if len(rows) == 1 and isinstance(rows[0], Contrast):
        told += words.of_labels(rows[0])
    if len(rows) == 1 and rows[0].diagnostics is not None:
        told.append(f"Chains: {words.chains(rows[0])}.")
    elif seen := [row.diagnostics for row in rows if row.diagnostics is not None]:
        worst = min(seen, key=lambda each: min(each.ess_bulk, each.ess_tail))
        told.append(
            f"Chains: {worst.chains * worst.draws:,} draws per row; effective sample size at least "
            f"{min(worst.ess_bulk, worst.ess_tail):,.0f}; R-hat at most {max(each.r_hat for each in seen):.3f}."
        )
    return told + [f"Prior: {prior}." for prior in dict.fromkeys(row.prior_words for row in rows) if prior]


def what_now(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> list[str]:
    """Say how many more items would decide, where only a few comparisons are asked about."""
    few = [row for row in rows if isinstance(row, Contrast)] if len(rows) <= FEW_MESSAGES else []
    return [
        sentence if len(rows) == 1 else f"{row_name(row)}: {sentence}"
        for row in few
        if (sentence := words.what_now(row))
    ]


def row_name(row: Contrast | Appraisal) -> str:
    """Name a row among others: the measure, who, and of which label."""
    label = "" if row.part is None else f", {row.part}"
    if isinstance(row, Appraisal):
        return f"{row.measure.title}, {row.system.name}{label}"
    return f"{row.measure.title}, {row.systems[0].name} against {row.systems[1].name}{label}"


def legend(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Say what the signs of a table mean."""
    told = (
        "≪ ≫ the HDI lies outside the ROPE: the difference matters; ≈ inside it: practically equivalent; < > it "
        "crosses an edge: undecided."
    )
    if all(isinstance(row, Contrast) and words.is_over_data_sets(row) for row in rows):
        told = (
            "≪ ≫ ≈ one system is ahead, or neither, on most data sets, with at least the HDI's probability; < > "
            "undecided."
        )
    factors = {bf.name for row in rows if isinstance(row, Contrast) for bf in row.bayes_factors}
    return (
        f"{told} BF (Δ = 0): Bayes factor for exact equality, computed as in Zhang et al. 2016."
        if "paper_kde" in factors
        else told
    )
