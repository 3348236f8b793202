"""What significance tests and their measures are called in a sentence, and the references that a paper gives for them.

What a test is called in a table, and the short form of its reference, stand with the test.
"""

import re
import unicodedata
from typing import Final

from outclass import measures
from outclass.measures import averages, scored
from outclass.significance.result import TestResult
from outclass.testing.registry import find, names, title_of

YANG_LIU: Final = "Y. Yang, X. Liu. A re-examination of text categorization methods. SIGIR 1999."
TESTS: Final = {
    "bootstrap": "paired bootstrap",
    "cluster_t": "cluster t-test",
    "cochran_q": "Cochran's Q test",
    "corrected_t": "corrected resampled t-test",
    "delong": "DeLong's test",
    "friedman": "Friedman's test",
    "macro_sign": "macro sign test (S)",
    "macro_t": "macro t-test (T)",
    "macro_t_ranks": "macro t-test on ranks (T')",
    "mcnemar_exact": "exact McNemar test",
    "mcnemar_midp": "McNemar's test (mid-p)",
    "micro_sign": "micro sign test (s)",
    "nemenyi": "Nemenyi's test",
    "paired_t": "paired t-test",
    "permutation": "permutation test",
    "permutation_exact": "exact permutation test",
    "proportion": "test of two proportions (p)",
    "sign_exact": "exact sign test",
    "tost": "TOST equivalence test",
    "welch_t": "Welch's t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
# By the short form of the reference.
_WORKS: Final = {
    "Bell & McCaffrey 2002": "R. M. Bell, D. F. McCaffrey. Bias reduction in standard errors for linear regression "
    "with multi-stage samples. Survey Methodology 28(2), 2002.",
    "Cochran 1950": "W. G. Cochran. The comparison of percentages in matched samples. Biometrika 37, 1950.",
    "DeLong, DeLong & Clarke-Pearson 1988": "E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson. Comparing the areas "
    "under two or more correlated receiver operating characteristic curves: a nonparametric approach. Biometrics "
    "44(3), 1988.",
    "Demšar 2006": "J. Demšar. Statistical comparisons of classifiers over multiple data sets. Journal of Machine "
    "Learning Research 7, 2006.",
    "Dixon & Mood 1946": "W. J. Dixon, A. M. Mood. The statistical sign test. Journal of the American Statistical "
    "Association 41, 1946.",
    "Efron & Tibshirani 1993": "B. Efron, R. J. Tibshirani. An introduction to the bootstrap. Chapman & Hall, 1993.",
    "Fagerland, Lydersen & Laake 2013": "M. W. Fagerland, S. Lydersen, P. Laake. The McNemar test for binary "
    "matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology 13, "
    "2013.",
    "Friedman 1937": "M. Friedman. The use of ranks to avoid the assumption of normality implicit in the analysis of "
    "variance. Journal of the American Statistical Association 32, 1937.",
    "Holm 1979": "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics "
    "6(2), 1979.",
    "MacKinnon, Nielsen & Webb 2023": "J. G. MacKinnon, M. Ø. Nielsen, M. D. Webb. Cluster-robust inference: a guide "
    "to empirical practice. Journal of Econometrics 232(2), 2023.",
    "McNemar 1947": "Q. McNemar. Note on the sampling error of the difference between correlated proportions or "
    "percentages. Psychometrika 12, 1947.",
    "Nadeau & Bengio 2003": "C. Nadeau, Y. Bengio. Inference for the generalization error. Machine Learning 52, 2003.",
    "Nemenyi 1963": "P. B. Nemenyi. Distribution-free multiple comparisons. PhD thesis, Princeton University, 1963.",
    "Pesarin 2001": "F. Pesarin. Multivariate permutation tests: with applications in biostatistics. Wiley, 2001.",
    "Schuirmann 1987": "D. J. Schuirmann. A comparison of the two one-sided tests procedure and the power approach for "
    "assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.",
    "Student 1908": "Student. The probable error of a mean. Biometrika 6(1), 1908.",
    "Tango 1998": "T. Tango. Equivalence test and confidence interval for the difference in proportions for the "
    "paired-sample design. Statistics in Medicine 17, 1998.",
    "Welch 1947": "B. L. Welch. The generalization of 'Student's' problem when several different population variances "
    "are involved. Biometrika 34, 1947.",
    "Wilcoxon 1945": "F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 1945.",
    "Yang & Liu 1999": YANG_LIU,
    "Yeh 2000": "A. Yeh. More accurate tests for the statistical significance of result differences. COLING 2000.",
}
HOLM: Final = "Holm 1979"
_EFFECT: Final = re.compile(r"difference in (.+?)(?: of the \w+(?: that differ)?)?$")


def test_name(name: str) -> str:
    """Return what a test is called in a sentence."""
    return TESTS.get(name, f"{title_of(name)} test")


def measure_name(row: TestResult) -> str:
    """Return what the measure of a test is called; its key stays in JSON."""
    key = row.measure
    known = averages.find(key) or measures.MEASURES.get(key) or scored.MEASURES.get(key)
    if known is not None:
        return known.title
    # Of results and of measures with a parameter, the effect is named by the title.
    told = _EFFECT.search(row.effect_name)
    if told is not None and (":" in key or " " in key or told[1].lower() == key):
        return told[1]
    return key.replace("_", "-") if key.startswith("micro_") else key


def cited(short: str) -> str:
    """Return the key of a work in a list of references: the first author and the year."""
    author = unicodedata.normalize("NFKD", re.split(r"[ ,&]", short, maxsplit=1)[0])
    return "".join(sign for sign in author if sign.isalnum()).lower() + short[-4:]


def works_of(name: str) -> list[str]:
    """Return the short references of a test; nothing of one that is not registered."""
    return find(name).reference.split("; ") if name in names() else []


def reference(short: str) -> str:
    """Write a reference at length, with its key; as short as it is where no more is known of it."""
    return f"[{cited(short)}] {_WORKS.get(short, short)}"
