"""What the paper says: its systems, its scenarios, its printed figures, and how far off ours may be."""

from typing import Any, Final

TITLE: Final = "Zhang, Wang, Yilmaz, Wang & Zhou 2016: Bayesian Performance Comparison of Text Classifiers"
CORPUS: Final = (
    "Simulated test sets; 20 Newsgroups 'bydate' without headers, footers and quotes (11,314 training and 7,532 test "
    "documents); Reuters-21578 ApteMod (7,769 and 3,019), its ten largest categories."
)
SYSTEMS: Final = ("nb_bern", "nb_mult", "svm_l1", "svm_l2")
PAIRS: Final = {4: ("nb_bern", "nb_mult"), 5: ("svm_l1", "svm_l2"), 6: ("nb_mult", "svm_l2")}
# Section 4.2: micro- and macro-F1 of the four classifiers.
PRINTED_F1: Final = {
    "nb_bern": (0.581, 0.561),
    "nb_mult": (0.689, 0.670),
    "svm_l1": (0.641, 0.633),
    "svm_l2": (0.660, 0.648),
}
# Two of the authors' chains, each worth about 1,000 draws, differ by so much; plus rounding.
TOLERANCES: Final = {
    "mean": 0.003,
    "std": 0.001,
    "HDI end": 0.006,
    "percentage below zero": 5.5,
    "ROPE percentage": 4.0,
}
SCENARIOS: Final[dict[str, dict[str, Any]]] = {
    "a": {"prevalence": 0.5, "cells_positive": (0.3, 0.3, 0.2, 0.2), "cells_negative": (0.2, 0.2, 0.3, 0.3)},
    "b": {"prevalence": 0.5, "cells_positive": (0.3, 0.2, 0.2, 0.3), "cells_negative": (0.3, 0.2, 0.2, 0.3)},
}
THEIR_SETS: Final = 100  # simulated for each cell of their Table 3, by the look of its figures
