"""Data that are not tables: published counts and wins, and TREC runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from outclass.ask.columns import USED
from outclass.ask.used import unused
from outclass.data.given_counts import counts_of, wins_of
from outclass.data.published import PublishedCounts, WinCounts
from outclass.data.scores import Scores
from outclass.errors import InputError


def read_counted(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> PublishedCounts | WinCounts:
    """Read what was counted by others."""
    if "counts" not in given and "wins" not in given:
        left, goes_with = ("items", "wins") if "items" in given else ("same_items", "counts")
        raise unused([left], "data whose items are counted", f"It goes with ⟨{goes_with}⟩.")
    if data is not None or predictions or ("counts" in given and "wins" in given):
        raise InputError("give one of data (files), ⟨counts⟩ and ⟨wins⟩, not several.")
    if "wins" in given:
        check_only(given, "wins")
        return wins_of(given["wins"], given.get("items"), given.get("names") or ("A", "B"))
    check_only(given, "counts")
    return counts_of(given["counts"], given.get("names"), same_items=bool(given.get("same_items")))


def read_trec_runs(
    data: Any, predictions: Sequence[Any], positive: Any, measure: Any, given: Mapping[str, Any]
) -> Scores:
    """Read runs of search engines, judged."""
    if data is not None or predictions:
        raise InputError("⟨qrels⟩ and ⟨runs⟩ stand for themselves: leave out files and arrays.")
    if "qrels" not in given or not given.get("runs"):
        raise InputError("runs need judgements and judgements runs: give ⟨qrels=FILE⟩ and ⟨runs=FILE⟩.")
    check_only(given, "TREC runs")
    check_no_positive(positive)
    if "names" in given and "systems" in given:
        raise InputError("⟨systems⟩ and ⟨names⟩ both say what runs are called: give one of them.")
    wanted = [] if measure is None else [measure] if isinstance(measure, str) else list(measure)
    if len(wanted) > 1:
        raise InputError("runs are compared in one measure at a time (⟨measure⟩).")
    from outclass.data.trec import read_trec  # loaded for runs alone

    return read_trec(
        given["qrels"],
        given["runs"],
        wanted[0] if wanted else "nDCG@10",
        missing=given.get("missing", "error"),
        names=given.get("systems", given.get("names")),
    )


def check_only(given: Mapping[str, Any], what: str) -> None:
    """Raise an error for what is not used."""
    left = [name for name in given if name not in USED[what]]
    if left:
        raise unused(left, what)


def check_no_positive(positive: Any) -> None:
    """Raise an error for a positive label where there are no labels."""
    if positive is not None:
        raise InputError("⟨positive⟩ applies to labels, or to classifier scores when they are read: leave it out.")
