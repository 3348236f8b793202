"""What is supported for which kind of data: one table, with the sentence that says why where there is no answer."""

from typing import Any, Final

from outclass.ask.columns import USED
from outclass.ask.used import ASKED, SETS, used_by
from outclass.errors import InputError
from outclass.models import model_of

QUESTIONS: Final = ("compare", "evaluate", "rank", "test", "sensitivity", "plan", "update")
_PAIRS: Final = "systems can only be ranked on the same items; compare {} in pairs."
_PILOT: Final = (
    "a pilot needs items to resample, and {} have none. Give the items, or a scenario (⟨prevalence⟩, ⟨recalls⟩, ...)."
)
_STATE: Final = "a state accumulates results per item, and {} have none. Add labels or numbers per item."
_NO_ITEMS: Final = (
    "a plan resamples items; new folds or data sets (⟨fold⟩, ⟨data_set⟩) cannot be simulated from a pilot."
)
_FOLDS: Final = "folds of a cross-validation share their items and cannot be accumulated: compare them together."
_KNOWN: Final = (
    "significance tests need the truth of every item; to test the labelled items alone, if they were chosen at random, "
    "drop the others (⟨unlabelled=drop⟩)."
)
# Every kind of data: what it is, in words, and what cannot be asked of it.
KINDS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "labels": ("one label per item: two classes or many", {}),
    "labels by several annotators": (
        "one label per item and annotator (`--truth` more than once)",
        {
            "test": "significance tests need one true label per item; to test by majority, use ⟨annotators=majority⟩.",
            "plan": "a plan resamples items with one true label; for a pilot by majority, use ⟨annotators=majority⟩.",
            "update": "a state holds one true label per item; to add labels by majority, use ⟨annotators=majority⟩.",
        },
    ),
    "partly labelled": (
        "one label per item, some of them unlabelled; judges (`--judge`, `--unlabelled use`)",
        {
            "test": _KNOWN,
            "plan": "a plan resamples items with known labels, and judges (⟨judge⟩) add none; to plan what to label "
            "next, use ⟨label()⟩.",
        },
    ),
    "many labels": ("any number of labels per item", {}),
    "partly labelled lists": (
        "any number of labels per item, some items unlabelled; one label at a time (`--separator` with `--judge`, "
        "`--unlabelled use`)",
        {
            "test": _KNOWN,
            "plan": "a plan resamples items with known labels, and blank truths add none; to pilot with the labelled "
            "items alone, if they were chosen at random, use ⟨unlabelled=drop⟩.",
            "update": "a state holds lists of labels only where the truth of every item is known (without ⟨judge⟩ and "
            "⟨unlabelled⟩): when labels arrive, compare the whole table again.",
        },
    ),
    "labels in groups": ("one label per item, with items in groups (`--group`)", {}),
    "counts per item": ("true and false positives and false negatives per item (`--tp`, `--fp`, `--fn`, `--from`)", {}),
    "counts per item in groups": ("the same, with items in groups (`--group`, `--unit`)", {}),
    "scores": ("a score per item and system, with the true labels (`--scores --truth`)", {}),
    "scores in groups": ("the same, with items in groups (`--group`)", {}),
    "results": ("a number per item and system; TREC runs (`--scores`, `--qrels --run`)", {}),
    "results in groups": ("the same, with items in groups (`--group`)", {}),
    "results with repeats": (
        "several numbers, or answers, per item and system (`--item`, `--repeat`)",
        {},
    ),
    "folds": (
        "a number per fold of a cross-validation (`--fold`)",
        {
            "rank": "folds of one data set are not independent samples; compare systems in pairs, or rank over data "
            "sets.",
            "sensitivity": "the model for folds has no prior, so there is nothing to vary.",
            "plan": _NO_ITEMS,
            "update": _FOLDS,
        },
    ),
    "data sets": (
        "a number per data set (`--data-set`)",
        {"plan": _NO_ITEMS},
    ),
    "data sets with folds": (
        "a number per fold and data set (`--fold --data-set`)",
        {"plan": _NO_ITEMS, "update": _FOLDS},
    ),
    "runs": (
        "several runs (seeds) of each system, of any kind with items (`--run`, `--system 'bert=bert_s*'`)",
        {
            "test": "no test accounts for runs and items at once. Use compare; or test one run of each system, by the "
            "names of their columns (⟨systems⟩).",
            "update": "a state accumulates items of the runs themselves: update it without saying whose runs they are, "
            "and say it when you compare the state (⟨systems⟩).",
        },
    ),
    "two test sets": (
        "one system on each of two test sets (`--model unpaired`)",
        {
            "rank": _PAIRS.format("two test sets"),
            "plan": "a pilot needs two systems on the same items, and two test sets share none. Give a scenario "
            "instead.",
            "update": "a state holds systems tested on the same items; keep one state per test set.",
        },
    ),
    "counts": (
        "published counts (`--counts`)",
        {"rank": _PAIRS.format("counts"), "plan": _PILOT.format("counts"), "update": _STATE.format("counts")},
    ),
    "wins": (
        "the number of items that only A, or only B, gets right (`--wins`)",
        {
            "evaluate": "wins do not determine how good each system is: give labels or ⟨counts⟩.",
            "rank": _PAIRS.format("wins"),
            "plan": _PILOT.format("wins"),
            "update": _STATE.format("wins"),
        },
    ),
}


# How each kind of data is read (a row of `read.USED`), and the views of it that models take (rows of `used.ASKED`).
READ_AS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "labels": ("labels", ("table", "units")),
    "labels by several annotators": ("labels by several annotators", ("units",)),
    "partly labelled": ("partly labelled items", ("judged",)),
    "partly labelled lists": ("partly labelled lists", ("judged",)),
    "many labels": ("items with many labels", ("table", "units")),
    "labels in groups": ("items in groups", ("groups",)),
    "counts per item": ("counts per item", ("unit_counts",)),
    "counts per item in groups": ("counts per item", ("groups",)),
    "scores": ("classifier scores", ("scores",)),
    "scores in groups": ("classifier scores", ("grouped_scores",)),
    "results": ("results", ("values",)),
    "results in groups": ("results", ("grouped_values",)),
    "results with repeats": ("results with repeats", ("values", "grouped_values", "fixed_items")),
    "folds": ("results", ("folds",)),
    "data sets": ("results", ("data_sets",)),
    "data sets with folds": ("results", ("data_sets",)),
    "runs": ("runs", ("runs",)),
    "two test sets": ("labels", ("table",)),
    "counts": ("counts", ("table",)),
    "wins": ("wins", ("table",)),
}
_FOLDED: Final = ("fold", "repeat", "test_share")
# Options by which one kind of data is distinguished from its neighbours in a row of `read.USED`.
_TELLING: Final[dict[str, tuple[str, ...]]] = {
    "scores in groups": ("group",),
    "results in groups": ("group",),
    "results with repeats": ("repeat", "group", "population"),
    "folds": _FOLDED,
    "data sets": ("data_set",),
    "data sets with folds": ("data_set", *_FOLDED),
    "labels in groups": ("group",),
    "counts per item in groups": ("group",),
}
_NO_LABELS: Final = ("counts", "wins")


def options_of(kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the options that a kind of data uses: for the data and for the analysis."""
    source, views = READ_AS[kind]
    others = {name for names in _TELLING.values() for name in names} - set(_TELLING.get(kind, ()))
    reading = tuple(name for name in USED[source] if name not in others)
    asked = dict.fromkeys(name for view in views for name in ASKED[view])
    idle = {"positive", "by", *SETS} if kind in _NO_LABELS else set()
    if kind == "wins":
        idle |= set(ASKED["table"]) - used_by("table", model_of("sign"), "draws")
    return reading, tuple(name for name in asked if name not in {*idle, *reading, *others})


def kind_of(data: Any) -> str:
    """Return which row of the table data are."""
    kind: str = data.kind
    if kind == "results" and data.data_set is not None:
        return "data sets" if data.fold_share is None else "data sets with folds"
    if kind == "results" and data.fold_share is not None:
        return "folds"
    return f"{kind} in groups" if kind in ("scores", "results") and data.group is not None else kind


def check_can(question: str, data: Any) -> None:
    """Raise an error for what cannot be asked of these data, with the sentence of the table."""
    why = KINDS[kind_of(data)][1].get(question)
    if why is not None:
        # Of all questions, the command line asks this one by an option.
        raise InputError(f"no ⟨sensitivity⟩ here: {why}" if question == "sensitivity" else why)
