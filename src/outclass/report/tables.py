"""The tables of an answer: titled columns of formatted text, made once and laid out by each rendering."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from outclass.report import words
from outclass.rows.types import Appraisal, Contrast


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of formatted cells.

    `rank` says which columns go first where there is no room for all: the highest.
    """

    key: str
    title: str
    cells: tuple[str, ...]
    is_name: bool = False
    rank: int = 0
    names_a_system: bool = False  # its title does, which then comes from a file as the cells of names do


def _varies(values: Sequence[object]) -> bool:
    return len(set(values)) > 1


def _what_varies(rows: Sequence[Contrast]) -> list[Column]:
    """Name the rows by what differs between them; the rest is left to the caption."""
    pairs = [tuple(system.name for system in row.systems) for row in rows]
    columns = []
    if _varies(pairs):
        columns += [names("a", "A", [a for a, _ in pairs]), names("b", "B", [b for _, b in pairs])]
    if _varies(["–" if row.part is None else row.part for row in rows]):
        columns.append(parts(rows))
    if _varies([row.measure.name for row in rows]):
        columns.append(names("measure", "measure", [row.measure.title for row in rows]))
    if _varies([row.prior for row in rows]):
        columns.append(names("prior", "prior", [row.prior for row in rows]))
    return columns


def brief_contrasts(rows: Sequence[Contrast]) -> list[Column]:
    """Return both scores, the difference with its interval, its direction and the decision."""
    one_pair = not _varies([tuple(system.name for system in row.systems) for row in rows])
    a, b = (system.name for system in rows[0].systems) if one_pair else ("A", "B")
    digits = min(5, max(words.decimals(row.difference.std) for row in rows))
    scores = [[_value(row.systems[which].mean, digits) for row in rows] for which in (0, 1)]
    if not one_pair:
        what = "score" if _varies([row.measure.name for row in rows]) else rows[0].measure.title
        a, b = f"{what} A", f"{what} B"
    higher = all(row.measure.higher_is_better for row in rows)
    return [
        *_what_varies(rows),
        Column(key="score_a", title=a, cells=tuple(scores[0]), rank=1, names_a_system=one_pair),
        Column(key="score_b", title=b, cells=tuple(scores[1]), rank=1, names_a_system=one_pair),
        column("mean", "A - B", [words.signed(row.difference.mean, digits) for row in rows], 0),
        column("hdi", f"{100 * rows[0].hdi_mass:g}% HDI", [interval(row, digits) for row in rows], 0),
        column("above", "P(A > B)" if higher else "P(A better)", [words.percent(words.better(row)) for row in rows], 2),
        column("verdict", "decision", [words.outcome(row) for row in rows], 0),
    ]


def brief_slices(rows: Sequence[Contrast]) -> list[Column]:
    """Return, for every slice, the difference by itself and pooled with the other slices, and the decision."""
    shown = [row.pooled for row in rows]
    found = {each.key: each for each in brief_contrasts(shown)}
    digits = min(4, max(words.decimals(row.difference.std) for row in shown))
    pooled = ["" if row.pooled is row else words.signed(row.pooled.difference.mean, digits) for row in rows]
    return [
        *(each for each in found.values() if each.is_name),
        items_of(rows),
        replace(found["score_a"], rank=2),
        replace(found["score_b"], rank=2),
        replace(raw(rows, digits), title="A - B", rank=0),
        column("pooled", "pooled", pooled, 0),
        column("hdi", found["hdi"].title, [interval(row, digits) for row in shown], 0),
        found["verdict"],
    ]


def items_of(rows: Sequence[Contrast]) -> Column:
    """Return a column with the number of items."""
    return column("items", "items", [f"{row.items:,}" for row in rows], 0)


def raw(rows: Sequence[Contrast], digits: int) -> Column:
    """Return a column with the differences of slices by themselves, before they were pooled."""
    return column("raw", "raw", [words.signed(row.difference.mean, digits) for row in rows], 1)


def interval(row: Contrast, digits: int) -> str:
    """Write the interval of a difference, or nothing where the measure has none."""
    return "" if math.isnan(row.difference.hdi.low) else words.interval(row.difference.hdi, digits)


def page_contrasts(rows: Sequence[Contrast]) -> list[Column]:
    """Return the short table for a page, whose columns name the systems of one pair, with the share in the ROPE."""
    pairs = {tuple(system.name for system in row.systems) for row in rows}
    found = {each.key: each for each in brief_contrasts(rows)}
    if len(pairs) == 1:
        a, b = next(iter(pairs))
        found["mean"] = replace(found["mean"], title=f"{a} - {b}", names_a_system=True)
        better = [words.percent(words.better(row)) for row in rows]
        found["above"] = replace(found["above"], title=f"P({a} better)", cells=tuple(better), names_a_system=True)
        found["verdict"] = replace(found["verdict"], cells=tuple(words.outcome(row, named=True) for row in rows))
    found["rope"] = column("rope", "P(in ROPE)", [words.percent(row.difference.rope) for row in rows], 1)
    found["verdict"] = found.pop("verdict")  # last, where the eye ends
    return list(found.values())


def page_slices(rows: Sequence[Contrast]) -> list[Column]:
    """Return the short table of a page of slices: judged by the pooled difference, with that of the slice alone."""
    found = [each for each in page_contrasts([row.pooled for row in rows]) if each.key != "rope"]
    place = next(place for place, each in enumerate(found) if each.key == "mean")
    found[place] = replace(found[place], title="pooled", names_a_system=False)
    digits = min(5, max(words.decimals(row.difference.std) for row in rows))
    first = sum(each.is_name for each in found)
    return [*found[:first], items_of(rows), *found[first:place], raw(rows, digits), *found[place:]]


def of_contrasts(rows: Sequence[Contrast]) -> list[Column]:
    """Return the columns of the papers' tables; what is the same in every row is left to the caption."""
    columns = _what_varies(rows)
    digits = min(5, max(words.decimals(row.difference.std) for row in rows))
    tests = {test.name: None for row in rows for test in row.tests}
    titles = {"sign_exact": "sign p", "welch_t": "t p", "permutation_exact": "perm p", "permutation": "perm p"}
    for rank, name in enumerate(tests, start=4):
        found = [next((test.p_value for test in row.tests if test.name == name), float("nan")) for row in rows]
        columns.append(column(name, titles.get(name, name), [words.p_value(value) for value in found], rank))
    found = [next((bf.value for bf in row.bayes_factors if bf.name == "paper_kde"), float("nan")) for row in rows]
    named = any(bf.name == "paper_kde" for row in rows for bf in row.bayes_factors)
    columns += [
        column("mean", "mean", [words.signed(row.difference.mean, digits) for row in rows], 0),
        column("std", "std", [f"{row.difference.std:.{digits}f}" for row in rows], 6),
        *([column("bf", "BF (Δ = 0)", [words.factor(value) for value in found], 7)] if named else []),
        column("below", "<0", [words.percent(row.difference.below) for row in rows], 3),
        column("above", ">0", [words.percent(row.difference.above) for row in rows], 2),
        column("rope", "ROPE", [words.percent(row.difference.rope) for row in rows], 1),
        column(
            "hdi", f"{100 * rows[0].hdi_mass:g}% HDI", [words.interval(row.difference.hdi, digits) for row in rows], 0
        ),
        *_practical(rows),
        column("verdict", "decision", [row.verdict.sign for row in rows], 0),
        *_agreements(rows),
        *_worth(rows),
    ]
    return columns


def _practical(rows: Sequence[Contrast]) -> list[Column]:
    """Of tests over data sets: the probabilities that decide."""
    found = [row.rope_probabilities if words.is_over_data_sets(row) else None for row in rows]
    if not any(found):
        return []
    shown = [("", "", "") if each is None else tuple(words.percent(part) for part in each) for each in found]
    titles = ("P(A most)", "P(neither)", "P(B most)")
    return [column(f"practical_{at}", title, [each[at] for each in shown], 0) for at, title in enumerate(titles)]


def _agreements(rows: Sequence[Contrast]) -> list[Column]:
    """Of published results on the same items: the share of pairings that decide, and the narrowest interval."""
    found = [row.unknown_agreement for row in rows]
    if not any(found):
        return []
    decide = ["" if each is None else words.share(each.decided) for each in found]
    ends = ["" if each is None else words.interval(each.narrowest.hdi) for each in found]
    return [column("decided", "pairings that decide", decide, 1), column("narrowest", "narrowest HDI", ends, 2)]


def of_appraisals(rows: Sequence[Appraisal]) -> list[Column]:
    """Return the columns of systems judged one by one."""
    columns = [names("system", "system", [row.system.name for row in rows])]
    if _varies(["–" if row.part is None else row.part for row in rows]):
        columns.append(parts(rows))
    if _varies([row.measure.name for row in rows]):
        columns.append(names("measure", "measure", [row.measure.title for row in rows]))
    mass = f"{100 * rows[0].hdi_mass:g}% HDI"
    columns += [
        column("observed", "observed", [_value(row.system.observed) for row in rows], 1),
        column("mean", "mean", [_value(row.system.mean) for row in rows], 0),
        column("std", "std", [_value(row.system.std) for row in rows], 2),
        column("hdi", mass, [words.unsigned_interval(row.system.hdi) for row in rows], 0),
        column("median", "median", [_value(row.median) for row in rows], 3),
        column("mode", "mode", ["none" if math.isnan(row.mode) else f"{row.mode:.3f}" for row in rows], 4),
        column("equal_tailed", "equal tails", [words.unsigned_interval(row.equal_tailed) for row in rows], 5),
        *_worth(rows),
    ]
    return columns


def _worth(rows: Sequence[Contrast] | Sequence[Appraisal]) -> list[Column]:
    """What chains are worth, beside how long they are."""
    found = [row.diagnostics for row in rows]
    if not any(found):
        return []
    draws = ["" if seen is None else f"{seen.chains * seen.draws:,}" for seen in found]
    worth = ["" if seen is None else f"{min(seen.ess_bulk, seen.ess_tail):,.0f}" for seen in found]
    hat = ["" if seen is None else f"{seen.r_hat:.3f}" for seen in found]
    return [column("draws", "draws", draws, 9), column("ess", "worth", worth, 8), column("r_hat", "R-hat", hat, 9)]


def brief_appraisals(rows: Sequence[Appraisal]) -> list[Column]:
    """Return what was observed, the estimate and its interval."""
    kept = ("system", "label", "slice", "measure", "observed", "mean", "hdi")
    found = {each.key: each for each in of_appraisals(rows) if each.key in kept}
    digits = min(5, max(words.decimals(row.system.std) for row in rows))  # as in the sentence
    means = [_value(row.system.mean, digits) for row in rows]
    found["observed"] = replace(found["observed"], cells=tuple(_value(row.system.observed, digits) for row in rows))
    found["mean"] = replace(found["mean"], cells=tuple(means))
    found["hdi"] = replace(found["hdi"], cells=tuple(words.unsigned_interval(row.system.hdi, digits) for row in rows))
    return list(found.values())


def _value(value: float, digits: int = 3) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def parts(rows: Sequence[Contrast] | Sequence[Appraisal]) -> Column:
    """Return a column that names the slices or the labels of rows."""
    what = "label" if rows[0].slice is None else "slice"
    return names(what, what, ["–" if row.part is None else row.part for row in rows])


def names(key: str, title: str, cells: Sequence[object]) -> Column:
    """Return a column of names."""
    return Column(key=key, title=title, cells=tuple(str(cell) for cell in cells), is_name=True)


def column(key: str, title: str, cells: Sequence[str], rank: int) -> Column:
    """Return a column of numbers."""
    return Column(key=key, title=title, cells=tuple(cells), rank=rank)
