"""Reading partly labelled items: blank truths, judges, and the probability of being labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.ask.columns import OF_ITEMS, OF_MANY, OF_NUMBERS, USED
from outclass.ask.handed import holds_lists, named
from outclass.ask.used import spelt, unused
from outclass.data.columns import columns_in
from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.partly_labelled import UNLABELLED, Judge, PartlyLabelled, partly_labelled
from outclass.data.partly_lists import PartlyLists, read_partly_lists
from outclass.data.partly_tables import check_unlabelled, read_partly_labelled
from outclass.errors import InputError, shown
from outclass.findings import finding
from outclass.models.judged.poststratified import without_labels

NO_LABEL: Final = "(none)"


def read_judged(
    data: Any, predictions: Sequence[Any], given: Mapping[str, Any]
) -> PartlyLabelled | PartlyLists | Outcomes | MultiLabel:
    """Read items of which some have a true label; those without one are used, dropped, or an error."""
    policy = check_unlabelled(given.get("unlabelled", "use"))
    lists = "separator" in given or _holds_lists(data, predictions, given)
    long = [name for name in OF_MANY if name != "separator"]
    for names, what in ((OF_ITEMS, "counts per item"), (OF_NUMBERS, "numbers"), (long, "decisions in a long table")):
        if left := [name for name in names if name in given]:
            told = ", ".join(spelt(name) for name in ("unlabelled", "judge", "inclusion") if name in given)
            raise InputError(
                f"{told}: partly labelled items have one label each, or several in a cell (⟨separator⟩), and "
                f"{', '.join(map(spelt, left))} {'is' if len(left) == 1 else 'are'} about {what}. Give a table with a "
                "row per item."
            )
    kind = "partly labelled lists" if lists else "partly labelled items"
    known = {*USED[kind], *(("names",) if predictions else ())}
    if left := [name for name in given if name not in known]:
        raise unused(left, kind, "An empty cell of a system is no label." if lists and left == ["missing"] else "")
    if policy != "use" and (left := [name for name in ("judge", "inclusion") if name in given]):
        raise unused(left, f"⟨unlabelled={policy}⟩", "It is about items that have no label.")
    own = {name: value for name, value in given.items() if name not in ("unlabelled", "judge", "names")}
    judge = given.get("judge", [])
    if predictions:
        data, own, judge = _as_table(data, predictions, given, own)
    elif isinstance(judge, Mapping):
        raise InputError("⟨judge⟩ maps names to arrays only where the data are arrays; name columns instead.")
    judge = [judge] if isinstance(judge, str) else list(judge)
    if not all(isinstance(name, str) for name in judge):
        raise InputError(f"⟨judge⟩ names one column or several, got {shown(judge)}.")
    if isinstance(data, list | tuple) and len(data) == 1 and isinstance(data[0], str | Path):
        (data,) = data
    if lists:
        return _settled(read_partly_lists(data, judge=judge, **own), policy)
    if "truth" not in own:
        return _settled(_without_truth(data, judge, own), policy)
    found = read_partly_labelled(data, judge=judge, **own)
    return _settled(found, policy)


def _holds_lists(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> bool:
    """Return whether arrays, or columns of a table, hold lists of labels."""
    held = {"": data, **named(data, predictions, given.get("names"))} if predictions else columns_in(data) or {}
    return any(map(holds_lists, held.values()))


def _settled(found: PartlyLabelled | PartlyLists, policy: str) -> PartlyLabelled | PartlyLists | Outcomes | MultiLabel:
    """Use items without a label, drop them, or refuse them."""
    left = found.items - found.labelled
    if policy == "error" and left:
        raise InputError(
            f"{left:,} of {found.items:,} items have no true label. Choose how to handle them: ⟨unlabelled=use⟩ learns "
            "from their predictions too, ⟨unlabelled=drop⟩ drops them."
        )
    if policy == "use":
        return found
    if not found.labelled:
        raise without_labels(found)
    note = finding("OC101", f"{left:,} of {found.items:,} items have no true label; these items were dropped.")
    own: Outcomes | MultiLabel = found.outcomes
    return replace(own, findings=(*found.findings, *([note] if left else [])))


def _without_truth(data: Any, judge: Sequence[str], own: Mapping[str, Any]) -> PartlyLabelled:
    """Read judges and systems of a table that has no column of true labels: the first judge is read in its place."""
    if not judge:
        raise InputError("which column is the truth? Name it (⟨truth=COL⟩), or several judges (⟨judge⟩).")
    found = read_partly_labelled(data, truth=judge[0], judge=judge[1:], **own)
    labels = tuple(map(str, found.labels))
    first = Judge(judge[0], (*labels, NO_LABEL) if (found.patterns[:, 0] < 0).any() else labels)
    at = 1 + len(found.systems)
    patterns = np.insert(found.patterns, at, np.where(found.patterns[:, 0] < 0, len(labels), found.patterns[:, 0]), 1)
    patterns[:, 0] = UNLABELLED
    return partly_labelled(
        found.systems, found.labels, (first, *found.judges), patterns, found.counts, findings=found.findings
    )


def _as_table(
    truth: Any, predictions: Sequence[Any], given: Mapping[str, Any], own: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return arrays as a mapping of columns."""
    arrays = named(truth, predictions, given.get("names"))
    judge = given.get("judge", {})
    if not isinstance(judge, Mapping):
        raise InputError("with arrays, ⟨judge⟩ maps names to arrays with one label per item, as in {'llm': said}.")
    if "inclusion" in given:
        raise InputError("with arrays, ⟨inclusion⟩ has no column to name: give a table (a mapping or a dataframe).")
    name = "truth"
    while name in arrays or name in judge:
        name = f"the {name}"
    if both := [each for each in judge if each in arrays]:
        raise InputError(f"{both[0]!r} names both a system and a judge (⟨judge⟩): rename one of them.")
    table = {name: truth, **arrays, **judge}
    if len({len(column) for column in table.values()}) > 1:
        told = ", ".join(f"{each!r} {len(column):,}" for each, column in table.items())
        raise InputError(f"the arrays differ in length: {told}. Each must have one value per item.")
    return table, own | {"truth": name, "systems": list(arrays)}, list(judge)
