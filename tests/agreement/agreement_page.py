"""docs/agreement.md: which library says the same as ours, on what, how nearly, and which test holds it.

python tests/agreement/agreement_page.py     # writes the page; a test sees that it is up to date and that every test exists
"""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "agreement.md"


class Row(NamedTuple):
    """One comparison: who, on what, how nearly, where (file and the tests' names)."""

    library: str
    what: str
    tolerance: str
    where: str
    tests: tuple[str, ...]


DRAWN = "four standard errors of its draws"
ROWS = (
    Row(
        "statsmodels",
        "several runs of two systems crossed with items: difference, its standard deviation and the spread between runs of a mixed model fitted by REML, three data sets",
        "a tenth of the standard error; a sixth; a third",
        "tests/agreement/test_runs_mixed.py",
        ("test_mixed_model",),
    ),
    Row(
        "seqeval",
        "entity micro-F1, macro-F1, F1 and support of each type: 1,000 random sequences of each scheme, default and strict, and a tagged file",
        "1e-12",
        "tests/agreement/test_seqeval.py",
        ("test_random_sequences", "test_a_tagged_file"),
    ),
    Row(
        "scikit-learn",
        "macro, micro and weighted averages over some of the labels (`labels=`), one label per item or several",
        "1e-12",
        "tests/ask/test_label_sets.py",
        ("test_averages_equal_scikit_learn", "test_averages_of_many_labels_equal_scikit_learn"),
    ),
    Row(
        "scikit-learn",
        "fourteen measures of two classes, random tables without empty cells",
        "1e-12",
        "tests/measures/test_measures.py",
        ("test_against_reference",),
    ),
    Row(
        "scikit-learn",
        "eleven of them on any table, including empty cells, rows and columns; equal, or undefined in both",
        "1e-9",
        "tests/agreement/test_scikit_learn.py",
        ("test_two_classes", "test_what_evaluate_shows"),
    ),
    Row(
        "scikit-learn",
        "macro, micro and weighted precision, recall and F1, macro F-beta; 2 to 50 classes, `zero_division` 0, 1 and nan",
        "1e-12",
        "tests/agreement/test_scikit_learn.py",
        ("test_many_classes",),
    ),
    Row(
        "scikit-learn",
        "accuracy, balanced accuracy, MCC and kappa of 2 to 50 classes",
        "1e-6, relative",
        "tests/models/test_many.py",
        ("test_point_estimates_are_scikit_learns", "test_f_beta_of_many_labels"),
    ),
    Row(
        "scikit-learn",
        "macro, micro and weighted averages of items with any number of labels",
        "1e-12",
        "tests/agreement/test_scikit_learn.py",
        ("test_many_labels",),
    ),
    Row(
        "scikit-learn",
        "items with any number of labels, as shown by `oc.test`; Hamming loss",
        "1e-6, relative",
        "tests/data/test_multilabel.py",
        ("test_averages_are_those_of_scikit_learn",),
    ),
    Row(
        "scikit-learn",
        "AUC, average precision, log-loss, Brier, partial AUC, with weights and ties",
        "1e-9",
        "tests/scores/test_measures.py",
        ("test_against_scikit_learn",),
    ),
    Row(
        "prob_conf_mat",
        "unpaired model: twelve measures of one system and of the difference of two; mean, spread, quantiles, P(A > B), "
        "HDI, ROPE; uniform and Jeffreys priors",
        f"{DRAWN}, and 3e-4 (one system; 6e-4 with empty cells) or 1e-3 (two)",
        "tests/agreement/test_prob_conf_mat.py",
        ("test_one_and_two_systems",),
    ),
    Row(
        "prob_conf_mat",
        "four classes: accuracy, balanced accuracy, MCC, kappa, macro-F1 and macro-recall of one system",
        "four standard errors of both sides' draws",
        "tests/agreement/test_prob_conf_mat.py",
        ("test_four_classes",),
    ),
    Row(
        "credible",
        "one system: precision, recall, specificity, accuracy, equal-tailed intervals",
        "1e-4 in probability; 6e-4 where a cell has fewer than three items",
        "tests/agreement/test_credible.py",
        ("test_rates_of_one_system",),
    ),
    Row(
        "credible",
        "goutte model: precision and recall; F1",
        f"1e-9; {DRAWN}",
        "tests/agreement/test_credible.py",
        ("test_goutte_of_one_system",),
    ),
    Row(
        "credible",
        "P(A > B) in F1 (goutte), in precision, recall, specificity and accuracy (unpaired), and in the sign model",
        DRAWN,
        "tests/agreement/test_credible.py",
        ("test_better_of_two", "test_who_alone_is_right"),
    ),
    Row(
        "PyMC",
        "difference in F1, paired and unpaired models: MCMC against our integrals, mean and P(A > B)",
        "4.5 Monte-Carlo errors",
        "tests/models/test_mcmc.py",
        ("test_chains_agree_with_the_exact_engine", "test_the_unpaired_model"),
    ),
    Row(
        "baycomp",
        "correlated t-test; sign and signed-rank tests of many data sets",
        f"1e-12; {DRAWN}",
        "tests/scores/test_models.py",
        ("test_correlated_t_is_baycomps", "test_sign_test_is_baycomps", "test_signed_rank_test_is_baycomps"),
    ),
    Row(
        "SciPy",
        "binomial, Welch's t",
        "1e-12; 1e-10",
        "tests/significance/test_tests.py",
        ("test_sign_test", "test_welch"),
    ),
    Row(
        "SciPy",
        "Wilcoxon with ties and zeros; paired t; permutation test of F1, accuracy, recall, kappa, all alternatives; random data",
        "1e-9; 1e-7, relative; 1e-12",
        "tests/agreement/test_scipy_statsmodels.py",
        ("test_wilcoxon_with_ties_and_zeros", "test_t_tests", "test_permutation"),
    ),
    Row(
        "SciPy",
        "BCa bootstrap of F1, accuracy, MCC; random tables",
        "a fifth of a standard error plus one item (3,000 draws there, 10,000 here)",
        "tests/agreement/test_scipy_statsmodels.py",
        ("test_bca_bootstrap",),
    ),
    Row(
        "SciPy",
        "Friedman, with ties",
        "1e-6, relative",
        "tests/significance/test_battery.py",
        ("test_friedman_and_nemenyi",),
    ),
    Row(
        "statsmodels",
        "exact McNemar; z-test and intervals (Newcombe, Agresti-Caffo, Clopper-Pearson) of proportions; Cochran's Q; Holm, "
        "Benjamini-Hochberg; random tables",
        "1e-12; 1e-9; 1e-6, relative",
        "tests/significance/test_battery.py",
        (
            "test_sign_and_mcnemar",
            "test_p_test",
            "test_intervals_of_independent_shares",
            "test_cochran",
            "test_adjusting",
        ),
    ),
    Row(
        "SciPy, statsmodels",
        "two one-sided tests of accuracy: Tango's score test by a general optimiser; standard error; random tables",
        "2%, relative; 1e-6",
        "tests/agreement/test_scipy_statsmodels.py",
        ("test_tost_of_accuracy",),
    ),
    Row(
        "mlxtend",
        "the table of McNemar's test; a paired permutation test",
        "exact; five standard errors of its draws",
        "tests/significance/test_battery.py",
        ("test_mcnemar_counts_as_mlxtend_does", "test_permutation_as_mlxtend_does_it"),
    ),
    Row("scikit-posthocs", "Nemenyi", "1e-3", "tests/significance/test_battery.py", ("test_friedman_and_nemenyi",)),
    Row(
        "ir_measures",
        "nDCG, AP, RR, P, R of every topic of TREC runs",
        "exact",
        "tests/scores/test_reading.py",
        ("test_trec_is_ir_measures",),
    ),
)
DIFFERENCES = """\
## Where they differ

* **Zero division.** scikit-learn warns and returns 0 by default; we return nan. For the MCC of a constant system it returns 0,
  although the correlation is undefined. For weighted precision with `zero_division=nan`, if no true label is ever predicted, it returns
  0; no weights are left for the average, so we return nan.
* **prob_conf_mat's default prior is 0** (with a warning): with three positives, all found, F1 is 1 with certainty. A prior of 0 is
  improper if a cell is empty, so we reject it. With equal priors it agrees with our unpaired model. It treats two systems as
  independent even on the same items, which makes intervals wider than necessary ([models](models.md)).
* **credible's Jaccard index is inconsistent with its F1.** One is a function of the other, J = F1 / (2 - F1), but its F1 adds a pseudo-count
  to FP and FN each (as in Goutte & Gaussier), its Jaccard index one to their sum. For 8 TP, 3 FP and 2 FN the two intervals differ by
  more than 0.02. Ours agrees with its F1 (`test_their_jaccard_is_not_that_of_their_f1`). Its accuracy has one pseudo-count each for
  right and wrong; our prior on the four cells has two of each, which the comparison takes into account.
* **SciPy's two-sided permutation test** doubles the smaller tail; ours counts swaps at least as far from zero. Both are valid; computed from
  SciPy's null distribution, our p-value is reproduced exactly.
* **Our distribution for one system on a table with (nearly) empty cells** has kinks that a grid misses. If two grids disagree, it is
  integrated at Sobol points, to four times the tolerance; without this, the error is up to 0.07 in probability. Balanced accuracy, which
  has its own integral, is tested to 1e-3, its quantiles and interval to 2e-3 (`test_single_with_empty_cells`).
* baycomp's hierarchical test needs Stan, which is not installed here; ours is tested against MCMC and against independent grids.
"""


def text() -> str:
    """Return the page."""
    lines = [
        "# Agreement with other libraries",
        "",
        "`make test` runs outclass and other libraries on the same data, with equal priors where possible. This page is written by",
        "`tests/agreement/agreement_page.py`. Speed and power are compared on [another page](peers.md).",
        "",
        "| library | compared | tolerance | test |",
        "|---|---|---|---|",
    ]
    for row in ROWS:
        names = ", ".join(f"`{name}`" for name in row.tests)
        lines.append(f"| {row.library} | {row.what} | {row.tolerance} | {row.where}: {names} |")
    return "\n".join([*lines, "", DIFFERENCES])


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
