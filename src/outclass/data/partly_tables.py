"""Partly labelled items from whatever holds a table of them: an empty truth is an item without a label."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.coding import Coded, coded, coded_as_counted, distinct_rows
from outclass.data.counted import check_policy, settle_missing
from outclass.data.databases import is_database, opened
from outclass.data.in_memory import check_columns, columns_of_any, roles_in_memory
from outclass.data.labels import is_missing, name_of, word
from outclass.data.outcomes import patterns_of
from outclass.data.partly_labelled import INCLUSION, POLICIES, Judge, PartlyLabelled, partly_labelled
from outclass.data.slicing import MANY_VALUES, MISSING, USUAL_BINS, Cut, binned, edges_of, number_of
from outclass.data.tally import MOST_ITEMS, whole_counts
from outclass.errors import InputError, did_you_mean, quoted, shown
from outclass.findings import Finding, finding

LEAST_CHANCE: Final = 1e-12  # of being labelled: an item of less would stand for more items than there are
# Items as likely to be labelled make strata. The edges are the same for every table, so that batches can be added.
CHANCES: Final = Cut(INCLUSION, (4.0**-4, 4.0**-3, 4.0**-2, 4.0**-1))
MOST_BINS: Final = 100
MOST_LABELS: Final = 1_000  # of a judge, which has as many strata at least


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the options say of labels: which columns are judges, with their bins, and which the inclusion."""

    judges: Mapping[str, int | None]
    inclusion: str | None
    missing: str

    @property
    def names(self) -> list[str]:
        """The further columns, in the order in which they are counted."""
        return [*self.judges, *([] if self.inclusion is None else [self.inclusion])]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Counted rows: codes of the truth and the systems, of the judges' cuts, the inclusion, and how many items."""

    systems: Sequence[str]
    columns: Sequence[Coded]
    judges: Mapping[Cut, Coded]
    inclusion: Coded | None
    counts: Sequence[int] | Counts
    truth: str
    place: str
    findings: tuple[Finding, ...] = ()


def check_unlabelled(policy: Any) -> str:
    """Check the word that says what to do with items that have no label."""
    if policy not in POLICIES:
        raise InputError(f"⟨unlabelled⟩ must be one of {quoted(POLICIES)}, got {shown(policy)}.")
    return str(policy)


def asked_of(columns: Sequence[str], judge: Sequence[str], inclusion: str | None, missing: str) -> Asked:
    """Read which columns of a table are judges, as in 'llm' or 'confidence:4'."""
    judges: dict[str, int | None] = {}
    for each in judge:
        name, bins = str(each), None
        if name not in columns:
            name, bins = binned(name)
        if name not in columns:
            raise InputError(f"the table has no column {quoted([name])} (⟨judge⟩). {did_you_mean(name, list(columns))}")
        if bins is not None and not 2 <= bins <= MOST_BINS:
            raise InputError(f"⟨judge⟩ takes 2 to {MOST_BINS} bins, got {bins}.")
        if name in judges:
            raise InputError(f"⟨judge⟩ names column {quoted([name])} twice.")
        judges[name] = bins
    if inclusion is not None and inclusion not in columns:
        raise InputError(
            f"the table has no column {quoted([inclusion])} (⟨inclusion⟩). {did_you_mean(inclusion, list(columns))}"
        )
    if inclusion in judges:
        raise InputError(f"column {quoted([inclusion])} is both a judge and the inclusion probability.")
    return Asked(judges=judges, inclusion=inclusion, missing=check_policy(missing))


def check_roles(asked: Asked, truth: str, systems: Sequence[str]) -> None:
    """Refuse a column with two roles."""
    for name in asked.names:
        if name == truth or name in systems:
            what = "the truth" if name == truth else "a system"
            raise InputError(
                f"column {quoted([name])} is {what} and cannot be a judge or the inclusion probability (⟨judge⟩, "
                "⟨inclusion⟩) as well."
            )


def judge_cut(
    column: str, values: Sequence[Any], counts: Sequence[int], bins: int | None, known: Callable[[], set[str]]
) -> Cut:
    """Decide how a judge's column is counted: labels as they are, the numbers of a confidence in bins."""
    own = [place for place, value in enumerate(values) if not is_missing(value)]
    if not own:
        raise InputError(f"the judge {quoted([column])} says nothing of any item: the column is empty (⟨judge⟩).")
    numbers = [number_of(values[place]) for place in own] if bins or len(own) > MANY_VALUES else [None]
    if bins and None in numbers:
        odd = values[own[numbers.index(None)]]
        raise InputError(
            f"judge {quoted([column])} cannot be cut into bins (⟨judge⟩): {quoted([odd])} is not a number."
        )
    if None not in numbers and (bins or 2 * sum(word(values[place]) in known() for place in own) < len(own)):
        order = np.argsort([each or 0.0 for each in numbers])
        sizes = np.asarray(counts, dtype=np.int64)[own][order]
        ordered = np.array([numbers[place] for place in order], dtype=float)
        return Cut(column, edges_of(ordered, sizes, bins or USUAL_BINS))
    if len(own) > MOST_LABELS:
        raise InputError(
            f"the judge {quoted([column])} gives {len(own):,} different labels, such as {quoted([values[own[0]]])}; "
            "name a column of labels, or of numbers (⟨judge⟩)."
        )
    return Cut(column)


def read_partly_labelled(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    judge: Sequence[str] = (),
    inclusion: str | None = None,
) -> PartlyLabelled:
    """Read partly labelled items from paths, tables in a database, a mapping or dataframes, counted where they lie."""
    columns: dict[str, Any] = {"truth": truth, "systems": systems, "count": count, "id": id}
    also: dict[str, Any] = {"judge": judge, "inclusion": inclusion, "missing": missing}
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with opened(paths) as tables:
            return read_partly_labelled(tables, **columns, **also)
    if isinstance(paths, list | tuple) and len(paths) == 1 and isinstance(paths[0], str | Path):
        from outclass.data.files import partly_from_file  # DuckDB is loaded for files only

        return made(partly_from_file(paths[0], **columns, **also), missing)
    if not isinstance(data, list | tuple):
        from outclass.data.frames import is_frame, partly_from_frame

        if is_frame(data):
            return made(partly_from_frame(data, **columns, **also), missing)
    return made(_in_memory(data, **columns, **also), missing)


def _in_memory(data: Any, *, judge: Sequence[str], inclusion: str | None, **columns: Any) -> Rows:
    """Count the rows of a mapping of columns, or of several tables joined on their id."""
    keys = [] if columns["id"] is None else [columns["id"]]
    named = [binned(name)[0] if binned(name)[1] else name for name in judge]
    shared = [name for name in (columns["truth"], columns["count"], *named, inclusion) if name is not None]
    whole = columns_of_any(data, keys=keys, shared=shared)
    return rows_of_columns(whole, judge=judge, inclusion=inclusion, **columns)[0]


def rows_of_columns(
    columns: Mapping[str, Any],
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    id: str | None,
    judge: Sequence[str],
    inclusion: str | None,
    missing: str,
    count: str | None = None,
) -> tuple[Rows, Counts]:
    """Count the rows of columns that are held whole; return also the counted row of each of them."""
    asked = asked_of(list(columns), judge, inclusion, missing)
    check_columns(columns, {"id": id})
    if systems is not None and truth is not None:
        check_roles(asked, truth, systems)
    roles, findings = roles_in_memory(columns, truth=truth, systems=systems, count=count, id=id, other=asked.names)
    names = (roles.truth, *roles.systems, *asked.names)
    sizes = [1] * len(columns[roles.truth]) if count is None else whole_counts(zip(columns[count]), count)
    kinds, first = distinct_rows([list(columns[name]) for name in names])
    counts = np.bincount(kinds, weights=sizes, minlength=len(first)).astype(np.int64)
    kept = {name: [list(columns[name])[at] for at in first.tolist()] for name in names}

    def known() -> set[str]:
        return {word(value) for name in (roles.truth, *roles.systems) for value in set(map(_key, kept[name])) if value}

    judges = {}
    for name, bins in asked.judges.items():
        values, many = _summed(kept[name], counts)
        cut = judge_cut(name, values, many, bins, known)
        judges[cut] = coded_as_counted([cut.of(value) for value in kept[name]])
    found = Rows(
        systems=roles.systems,
        columns=[coded(kept[name], name) for name in (roles.truth, *roles.systems)],
        judges=judges,
        inclusion=None if asked.inclusion is None else coded_as_counted(kept[asked.inclusion]),
        counts=counts,
        truth=roles.truth,
        place="the table",
        findings=findings,
    )
    return found, kinds


def _key(value: Any) -> Any:
    return None if is_missing(value) else name_of(value)


def _summed(values: Sequence[Any], counts: Counts) -> tuple[list[Any], list[int]]:
    """Return the distinct values, and how many items have each."""
    places: dict[Any, int] = {}
    kept: list[Any] = []
    sums: list[int] = []
    for value, size in zip(values, counts.tolist(), strict=True):
        place = places.setdefault(_key(value), len(kept))
        if place == len(kept):
            kept.append(None if is_missing(value) else value)
            sums.append(0)
        sums[place] += size
    return kept, sums


def made(rows: Rows, missing: str) -> PartlyLabelled:
    """Make partly labelled items of counted rows."""
    return coded_rows(rows, missing)[0]


def coded_rows(rows: Rows, missing: str) -> tuple[PartlyLabelled, np.ndarray, Counts]:
    """Make partly labelled items of counted rows; return also which rows were kept, and their codes."""
    counts = np.asarray(rows.counts, dtype=np.int64)
    total = int(counts.sum())
    if not total:
        raise InputError(f"{rows.place} has no rows, so there is nothing to compare.")
    if total > MOST_ITEMS:
        raise InputError(f"the counts of {rows.place} add up to {total:.3g} items, which is implausibly many.")
    columns, kept, notes = _predicted(rows, counts, missing)
    labels, patterns = patterns_of(rows.systems, columns)
    patterns = patterns.astype(np.int64)
    judges, judged = [], []
    for cut, column in rows.judges.items():
        names = [cut.name(label) for label in column.labels]
        own = column.codes[kept]
        ordered = tuple(cut.ordered(dict.fromkeys(names[code] for code in np.unique(own).tolist())))
        to = np.array([ordered.index(name) if name in ordered else 0 for name in names], dtype=np.int64)
        judges.append(Judge(cut.column, ordered, bool(cut.edges)))
        judged.append(to[own])
    counts = counts[kept]
    weights = None
    if rows.inclusion is not None:
        chances = np.array([_probability(label) for label in rows.inclusion.labels])[rows.inclusion.codes[kept]]
        own = Coded(rows.inclusion.codes[kept], rows.inclusion.labels)
        weights = _weights(own, chances, counts, patterns[:, 0] >= 0)
        if _are_chances(chances).all():
            judges.append(Judge(INCLUSION, CHANCES.names, binned=True))
            judged.append(np.searchsorted(CHANCES.edges, chances, side="left"))
        else:
            notes = (*notes, _known_of_some(int(counts[~_are_chances(chances)].sum())))
    codes = np.column_stack([patterns, *judged])
    found = partly_labelled(rows.systems, labels, judges, codes, counts, weights, (*rows.findings, *notes))
    return found.with_findings((*found.findings, *_of_judges(found))), kept, codes


def _predicted(rows: Rows, counts: Counts, missing: str) -> tuple[list[Coded], np.ndarray, tuple[Finding, ...]]:
    """Settle what is missing of predictions; a missing truth is none."""
    gone = {
        name: np.array([label is None for label in column.labels], dtype=bool)[column.codes]
        for name, column in zip(rows.systems, rows.columns[1:], strict=True)
    }
    lacking = np.any(list(gone.values()), axis=0)
    told = [
        f"{quoted([name])}: {int(counts[each].sum()):,} without a label"
        for name, each in gone.items()
        if counts[each].any()
    ]
    notes = settle_missing(missing, rows=int(counts[lacking].sum()), truths=0, shown=told[:5], items=int(counts.sum()))
    kept = counts > 0 if missing == "wrong" else (counts > 0) & ~lacking
    if not kept.any():
        raise InputError(f"no items are left: every item of {rows.place} has a missing prediction (⟨missing=drop⟩).")
    return [Coded(column.codes[kept], column.labels) for column in rows.columns], kept, notes


def _are_chances(values: Floats) -> np.ndarray:
    return (values >= LEAST_CHANCE) & (values <= 1)


def _known_of_some(items: int) -> Finding:
    return finding(
        "OC707",
        f"{items:,} unlabelled items have no inclusion probability in (0, 1], so labelled items are weighted, but "
        "items cannot be stratified by it: where a few labels stand for many items, the interval is too narrow. Give "
        "the probability of every item (⟨inclusion⟩).",
    )


def _weights(column: Coded, own: Floats, counts: Counts, known: np.ndarray) -> Floats:
    """Return the sums of the labelled items' weights, and of their squares: one over the inclusion probability."""
    odd = known & ~_are_chances(own)
    if odd.any():
        first = column.labels[int(column.codes[np.flatnonzero(odd)[0]])]
        got = "no value" if first is None else shown(first)
        many = int(counts[odd].sum())
        raise InputError(
            f"inclusion probabilities must lie in (0, 1]; {many:,} labelled "
            f"{'item has' if many == 1 else 'items have'} another, such as {got} (⟨inclusion⟩)."
        )
    weight = np.divide(1.0, own, out=np.zeros(len(own)), where=known)
    return np.stack([counts * weight, counts * weight**2], axis=1)


def _probability(label: Any) -> float:
    found = None if label is None else number_of(label)
    return float("nan") if found is None else found


def _of_judges(data: PartlyLabelled) -> tuple[Finding, ...]:
    """Say what is odd about the judges' labels."""
    found = []
    known = {str(label) for label in data.labels}
    for at, judge in enumerate(data.judges, start=1 + len(data.systems)):
        if len(judge.labels) == 1:
            told = f"the judge {judge.name} says {quoted(judge.labels)} of every item, so it tells nothing."
            found.append(finding("OC702", told))
            continue
        if judge.binned:
            continue
        sizes = np.bincount(data.patterns[:, at], weights=data.counts, minlength=len(judge.labels))
        strange = [(label, int(size)) for label, size in zip(judge.labels, sizes, strict=True) if label not in known]
        if strange:
            names = [label for label, _ in strange if label != MISSING]
            items = sum(size for _, size in strange)
            what = f"labels that are neither true nor predicted ({quoted(names, most=3)})" if names else "no label"
            told = f"the judge {judge.name} gives {items:,} items {what}; these items are strata of their own."
            found.append(finding("OC701", told))
    return tuple(found)
