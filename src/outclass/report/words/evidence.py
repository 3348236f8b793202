"""What Bayes factors, p-values, log odds and e-values say beside the verdict, and where they part from it."""

import math

from outclass.planning.anytime import Anytime
from outclass.report.words.numbers import factor, p_equals, p_value, signed
from outclass.report.words.test_names import test_name
from outclass.rows.types import Contrast
from outclass.significance.result import TestResult
from outclass.verdict.bayes_factor import equality_recipes
from outclass.verdict.rope import Verdict

SIGNIFICANT = 0.05
OF_RIGHTS = "values.sign"  # the model of right and wrong answers, whatever the metric is called
RIGHT = ("accuracy", "error", "micro_f1", "mean")  # measures of right answers; the mean, if a sign test is of it


def own_test(row: Contrast) -> TestResult | None:
    """Return the test that asks about the same measure as the comparison, if there is one."""
    by_name = {test.name: test for test in row.tests}
    own = by_name.get("permutation_exact") or by_name.get("permutation")
    if own is None and (row.measure.name in RIGHT or row.model_key == OF_RIGHTS):
        own = by_name.get("sign_exact") or by_name.get("welch_t")
    # Beside another measure these two are of accuracy.
    return own or next((test for test in row.tests if test.name not in ("sign_exact", "welch_t")), None)


def disagreement(row: Contrast) -> str:
    """Say where the p-values and the verdict seem to part, and why."""
    by_name = {test.name: test for test in row.tests}
    own = own_test(row)
    if own is None or math.isnan(own.p_value):
        return ""
    significant = own.p_value <= SIGNIFICANT
    named = f"{_subject(own)} (p {p_equals(own.p_value)})"
    told = ""
    if significant and row.verdict is Verdict.EQUIVALENT:
        told = (
            f"{named} rejects equality, and the verdict says that the difference is too small to matter. Both can be "
            "true."
        )
    elif significant and row.verdict in (Verdict.GREATER, Verdict.LESS, Verdict.UNDECIDED):
        told = (
            f"{named} rejects equality, but the difference may still be too small to matter, so the verdict is "
            "undecided."
        )
    elif not significant and row.verdict is Verdict.EQUIVALENT:
        told = (
            "A large p-value alone does not show equivalence; here the interval does, because it lies inside the ROPE."
        )
    elif not significant and row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        told = (
            f"{named} does not reject equality, but the verdict does: the result depends on the prior or the model. "
            "Check the weight of the prior before relying on the verdict."
        )
    sign = by_name.get("sign_exact")
    if sign is not None and own is not sign and (sign.p_value <= SIGNIFICANT) != significant:
        told += (
            f"{' ' if told else ''}The sign test ({p_value(sign.p_value)}) differs because it tests accuracy, "
            f"not {row.measure.title}."
        )
    return told


def _subject(test: TestResult) -> str:
    """Name a test at the beginning of a sentence; one that is named after a person has no article."""
    name = test_name(test.name)
    return name if "'s " in name else f"The {name}"


def sensitivity(row: Contrast) -> str:
    """Say what the Bayes factors come to, and how far the recipes for exact equality disagree."""
    values = {each.name: each.value for each in row.bayes_factors}
    practical = values.get("interval_null", math.nan)
    exact = [values[name] for name in equality_recipes(row.measure.name) if not math.isnan(values.get(name, math.nan))]
    told = ""
    if not math.isnan(practical):
        told = f"Bayes factor {factor(practical)} {_for(practical)} {null(row)}. "
    decided = row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS)
    if (decided and practical > 3) or (row.verdict is Verdict.EQUIVALENT and practical < 1 / 3):
        told += (
            "This is no contradiction: the Bayes factor measures how far the data shifted the odds, the verdict "
            "where they now stand. "
        )
    if not exact:
        return told.strip()
    low, high = min(exact), max(exact)
    span = factor(low) if len(exact) == 1 else f"{factor(low)} to {factor(high)} depending on the method"
    if _for(low) == _for(high):
        return f"{told}For exact equality {span}, {_for(low)} it."
    return f"{told}For exact equality {span}: the methods disagree."


def _for(value: float) -> str:
    return "for" if value > 3 else "against" if value < 1 / 3 else "neither for nor against"


def null(row: Contrast) -> str:
    """Name the hypothesis of the interval-null Bayes factor: that the difference lies in the region that was asked."""
    low, high = row.rope
    if not low <= 0 <= high:
        return "a difference in the region"
    if math.isinf(low) == math.isinf(high):
        return "practical equivalence"
    a, b = (system.name for system in row.systems)
    # A difference above a margin speaks for A where higher is better, and for B where lower is.
    return f"non-inferiority of {a if math.isinf(high) == row.measure.higher_is_better else b}"


def log_odds(row: Contrast) -> str:
    """Say the odds that one system alone is right rather than the other."""
    if row.log_odds is None:
        return ""
    a, b = (system.name for system in row.systems)
    low, high = row.log_odds.hdi
    return (
        f"{signed(row.log_odds.mean)} [{low:+.3f}, {high:+.3f}]: on items that only one system gets right, the odds "
        f"of {a} against {b} are about {_odds(row.log_odds.mean)} to 1 ({_odds(low)} to {_odds(high)})"
    )


def _odds(log: float) -> str:
    return f"{math.exp(min(log, 700)):.3g}"


def anytime(a: str, b: str, seen: Anytime) -> str:
    """Say what holds whenever one looks."""
    low, high = seen.interval
    rejects = "rejects" if seen.refuses else "does not reject"
    return (
        f"{a} against {b} in {seen.measure}, valid at any time: e-value {seen.e_value:.3g} ({rejects} equality at "
        f"{seen.alpha:g}; an e-value of {1 / seen.alpha:g} would), difference between {signed(low)} and "
        f"{signed(high)}. The verdict itself assumes a number of items fixed in advance."
    )
