"""Outcomes from counted rows, after settling what is missing."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Coded, coded
from outclass.data.labels import is_missing, label_of
from outclass.data.outcomes import Outcomes
from outclass.data.tally import MOST_ITEMS
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding, finding

MISSING: Final = ("error", "drop", "wrong")
ENOUGH_TO_TELL: Final = 20  # items
RIGHT_OR_WRONG: Final = frozenset({"0", "1", "0.0", "1.0", "True", "False", "true", "false", 0, 1})


def check_policy(missing: str) -> str:
    """Check the word that says what to do with missing labels."""
    if missing not in MISSING:
        raise InputError(f"⟨missing⟩ must be one of {quoted(MISSING)}, got {shown(missing)}.")
    return missing


def settle_missing(
    missing: str, *, rows: int, truths: int, shown: Sequence[str], items: int, partly: bool = False
) -> tuple[Finding, ...]:
    """Refuse rows with missing labels, or say what was done with them.

    Parameters
    ----------
    missing
        What the user asked for: 'error', 'drop' or 'wrong'.
    rows, truths
        How many items lack a label, and how many of them lack the truth.
    shown
        Up to five of them in words.
    items
        How many items there are in all.
    partly
        Whether items without a truth could be read as unlabelled ones.
    """
    if rows == 0:
        return ()
    what = f"{rows:,} of {items:,} items {'has' if rows == 1 else 'have'} a missing label"
    listing = "".join(f"\n  {line}" for line in shown)
    if missing == "error":
        raise InputError(
            f"{what}:{listing}\nChoose how to handle them: ⟨missing=drop⟩ drops these items, "
            "⟨missing=wrong⟩ counts a missing prediction as an error."
            + (" To use items without a true label, too, say ⟨unlabelled=use⟩." if partly and truths else "")
        )
    if missing == "wrong" and truths:
        raise InputError(
            f"{what}, {truths:,} of them in the truth, which cannot be counted as wrong:{listing}\n"
            "Use ⟨missing=drop⟩, or fill in the truth."
        )
    if missing == "drop":
        return (finding("OC101", f"{what}; these items were dropped (⟨missing=drop⟩)."),)
    return (finding("OC102", f"{what}; missing predictions were counted as wrong (⟨missing=wrong⟩)."),)


def counted_outcomes(
    systems: Sequence[str],
    rows: Sequence[Sequence[Any]],
    missing: str,
    *,
    shown: Callable[[], Sequence[str]] | None = None,
    place: str = "the table",
) -> Outcomes:
    """Make outcomes of counted rows, truth first and the count last, settling those that lack a label.

    `shown` describes the first items that lack one; without it, as where the rows are elsewhere, columns are told.
    """
    columns = [coded((row[at] for row in rows), name) for at, name in enumerate(("truth", *systems))]
    return counted_codes(systems, columns, [int(row[-1]) for row in rows], missing, shown=shown, place=place)


def counted_codes(
    systems: Sequence[str],
    columns: Sequence[Coded],
    counts: Sequence[int] | Counts,
    missing: str,
    *,
    shown: Callable[[], Sequence[str]] | None = None,
    place: str = "the table",
) -> Outcomes:
    """Make outcomes of the codes of counted rows, the truth's first."""
    total = sum(map(int, counts))
    if total > MOST_ITEMS:
        raise InputError(f"the counts of {place} add up to {total:.3g} items, which is implausibly many.")
    sizes = np.asarray(counts, dtype=np.int64)
    gone = {at: rows for at, column in enumerate(columns) if (rows := _lacking(column)).any()}
    lacking = np.any(list(gone.values()), axis=0) if gone else np.zeros(len(sizes), dtype=bool)
    names = ("the truth", *systems)
    findings = settle_missing(
        missing,
        rows=int(sizes[lacking].sum()),
        truths=int(sizes[gone[0]].sum()) if 0 in gone else 0,
        # Of a table whose rows are not available, which columns lack labels.
        shown=[
            f"{quoted([names[at]])}: {int(sizes[rows].sum()):,} without a label"
            for at, rows in gone.items()
            if sizes[rows].any()
        ][:5]
        if shown is None
        else shown()
        if gone
        else [],
        items=total,
        partly=True,
    )
    if gone and missing != "wrong":
        columns = [Coded(column.codes[~lacking], column.labels) for column in columns]
        sizes = sizes[~lacking]
        if total and not sizes.sum():
            raise InputError(f"no items are left: every item of {place} has a missing label (⟨missing=drop⟩).")
    found = Outcomes.of_codes(systems, columns, sizes, findings=findings)
    _check_lists(found)
    _check_speech(found)
    return found


def outcomes_with_gaps(
    rows: Sequence[Sequence[Any]],
    *,
    names: Sequence[str],
    holders: Sequence[int],
    owners: Sequence[int],
    systems: Sequence[str],
    missing: str,
    first: Callable[[int], Sequence[Any]],
) -> Outcomes:
    """Make outcomes of joined rows: in which tables they are, truths, what each system says, how many there are.

    `holders` and `owners` are the tables of the truth and of the systems; `first` gives the first ids of a table.
    """
    here, end = len(names), len(names) + len(holders)
    kept, differ, without_truth, whole = [], 0, 0, 0
    for row in rows:
        # What a full join leaves empty is None or NaN, as the library has it: NaN counts as true.
        truths = [row[here + at] for at, place in enumerate(holders) if not is_missing(row[place])]
        if not truths:
            without_truth += row[-1]
            continue
        differ += 0 if are_one(truths) else row[-1]
        whole += 0 if any(is_missing(row[place]) for place in owners) else row[-1]
        kept.append((known_truth(truths), *row[end:]))
    if differ:
        raise InputError(
            f"the truth of {differ:,} {'item' if differ == 1 else 'items'} differs between the tables. It must be the "
            "same in all."
        )
    if not whole:
        starts = "; ".join(f"those of {name} start with {quoted(first(at))}" for at, name in enumerate(names))
        raise InputError(f"no id occurs in all of the tables: {starts}. Are the ids spelt the same way?")
    gaps = [sum(row[-1] for row in rows if is_missing(row[place])) for place in range(here)]
    told = ", ".join(f"{many:,} in {name}" for name, many in zip(names, gaps, strict=True) if many)
    found = [finding("OC101" if missing == "drop" else "OC102", f"missing ids: {told}.")] if told else []
    if without_truth:
        are = "id has no truth and was" if without_truth == 1 else "ids have no truth and were"
        found.append(finding("OC101", f"{without_truth:,} {are} dropped."))
    made = counted_outcomes(systems, kept, missing, place="the tables")
    return made.with_findings((*made.findings, *found))


def are_one(truths: Sequence[Any]) -> bool:
    """Return whether the truths of an item are one label, however the files spell it; some may be missing."""
    return len({label_of(truth) for truth in truths if not is_missing(truth)}) < 2


def known_truth(truths: Sequence[Any]) -> Any:
    """Return the truth of an item, which tables that share it may lack; None if all of them do."""
    return next((truth for truth in truths if not is_missing(truth)), None)


def _lacking(column: Coded) -> np.ndarray:
    """Return which rows lack a label."""
    return np.array([label is None for label in column.labels], dtype=bool)[column.codes]


def _check_lists(outcomes: Outcomes) -> None:
    """Refuse labels that are lists written as text: each would be mistaken for a class of its own."""
    lists = [each for each in outcomes.labels if isinstance(each, str) and each[:1] == "[" and each[-1:] == "]"]
    if len(lists) > 1:
        raise InputError(f"the labels are lists ({quoted(lists, most=3)}): several labels per item. Use ⟨separator=;⟩.")


def _check_speech(outcomes: Outcomes) -> None:
    """Refuse a system none of whose labels is ever true: it speaks of something else, or spells it otherwise."""
    if outcomes.items < ENOUGH_TO_TELL or len(outcomes.true_labels) < 2:
        return
    true = set(outcomes.true_labels)
    ever_right = (outcomes.patterns[:, 1:] == outcomes.patterns[:, :1]).any(axis=0)
    for place in 1 + np.flatnonzero(~ever_right):
        system = outcomes.systems[place - 1]
        said = {outcomes.labels[code] for code in np.unique(outcomes.patterns[:, place]) if code >= 0}
        if said and not said & true:
            spelt = {str(label).strip().casefold() for label in said} & {
                str(label).strip().casefold() for label in true
            }
            right_or_wrong = "If 1 and 0 mean right and wrong, compare with ⟨scores=True⟩."
            hint = "Use the same spelling in both." if spelt else right_or_wrong if said <= RIGHT_OR_WRONG else ""
            raise InputError(
                f"none of the labels of {quoted([system])} ({quoted(sorted(said, key=str), most=3)}) occurs in the "
                f"truth ({quoted(sorted(true, key=str), most=3)}). {hint}".rstrip()
            )
