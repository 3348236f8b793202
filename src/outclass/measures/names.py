"""What measures are called elsewhere: names of scikit-learn and of the field, where the quantity is exactly the same.

Where it is not, or where scikit-learn counts undefined values differently, the name gets a hint instead.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from outclass.errors import InputError, did_you_mean, quoted

# Agreement with scikit-learn is tested, name by name.
ALIASES: Final = {
    "f1_macro": "macro_f1",
    "f1_micro": "micro_f1",
    "f1_weighted": "weighted_f1",
    "precision_micro": "micro_precision",
    "recall_micro": "micro_recall",
    "recall_weighted": "weighted_recall",
    "matthews_corrcoef": "mcc",
    "cohen_kappa": "kappa",
    "zero_one_loss": "error",
    "error_rate": "error",
    "acc": "accuracy",
    "sensitivity": "recall",
    "tpr": "recall",
    "ppv": "precision",
    "tnr": "specificity",
    "roc_auc": "auc",
    "auroc": "auc",
    "brier_score_loss": "brier",
}
_UNDEFINED: Final = (
    "scikit-learn counts the {base} of a label that is never {seen} as 0, which outclass leaves out unless "
    "⟨undefined=0⟩."
)
_SIGN: Final = "It is the loss itself: lower is better, and outclass knows that."
_ONE_LABEL: Final = "It is of one label against the rest: name it with ⟨positive=LABEL⟩."
_BY_ITEM: Final = "Averages over items are not available."
# The nearest measure, and how it differs.
HINTS: Final = {
    "precision_macro": ("macro_precision", _UNDEFINED.format(base="precision", seen="predicted")),
    "precision_weighted": ("weighted_precision", _UNDEFINED.format(base="precision", seen="predicted")),
    "recall_macro": ("macro_recall", _UNDEFINED.format(base="recall", seen="true")),
    "neg_log_loss": ("log_loss", _SIGN),
    "neg_brier": ("brier", _SIGN),
    "roc_auc_ovr": ("auc", _ONE_LABEL),
    "roc_auc_ovo": ("auc", _ONE_LABEL),
    "roc_auc_ovr_weighted": ("auc", _ONE_LABEL),
    "roc_auc_ovo_weighted": ("auc", _ONE_LABEL),
    "pr_auc": ("average_precision", "It is the area under the precision-recall curve in steps, without trapezoids."),
    "auprc": ("average_precision", "It is the area under the precision-recall curve in steps, without trapezoids."),
    "f1_samples": ("micro_f1", _BY_ITEM),
    "precision_samples": ("micro_precision", _BY_ITEM),
    "recall_samples": ("micro_recall", _BY_ITEM),
    "hamming_loss": ("error", "With many labels per item it is not available."),
    "f": ("f1", ""),
    "fscore": ("f1", ""),
    "f_measure": ("f1", ""),
}
AVERAGES: Final = ("macro", "micro", "weighted")
_AVERAGED: Final = ("f1", "precision", "recall")


def spelt(spec: str) -> str:
    """Return a name as the registries have it."""
    name = spec.strip().lower().replace("-", "_").removesuffix("_score")
    return ALIASES.get(name, name)


def unknown_measure(kind: str, spec: str, known: Iterable[str], others: Iterable[str] = ()) -> InputError:
    """Build the error for a measure that is not in a registry: the nearest one, of `others` too, or all that are."""
    near, reason = HINTS.get(spelt(spec), ("", ""))
    told = f"unknown {kind} {quoted([spec])}."
    if near:
        return InputError(f"{told} Did you mean {quoted([near])}? {reason}".rstrip())
    listed, others = list(known), list(others)
    if (name := spelt(spec)) in others:
        if name.partition("_")[0] in AVERAGES:
            return InputError(f"{quoted([spec])} is an average over all labels: leave out ⟨positive⟩ and ⟨by⟩.")
        return InputError(f"{quoted([spec])} is not a measure of two classes. {did_you_mean('', listed)}")
    hint = did_you_mean(spec, [*listed, *others, *ALIASES])
    return InputError(f"{told} {hint if hint.startswith('Did') else did_you_mean(spec, listed)}")


def averaged(measures: Sequence[Any], average: str) -> list[Any]:
    """Return measures with scikit-learn's `average` in their names: f1 and 'macro' are macro_f1.

    An error of one that has no such average, or where scikit-learn's has another value.
    """
    if average == "binary":
        return list(measures)  # of the positive label, as measures without an average are
    found = []
    for each in measures or ["f1"]:
        name = spelt(each) if isinstance(each, str) else ""
        if name not in _AVERAGED:
            raise InputError(
                f"average={average!r} goes with {quoted(_AVERAGED)}, not with {quoted([name or each])}: leave it out."
            )
        whole = f"{name}_{average}"
        if whole in HINTS:
            raise unknown_measure("measure", whole, ())
        found.append(ALIASES[whole])
    return found
