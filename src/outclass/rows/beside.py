"""The significance tests that stand beside a comparison: those that ask the same of the same data."""

from typing import Any, Final

from outclass.data.multilabel import Classes
from outclass.data.scores import Scores
from outclass.measures.scored import ScoreMeasure
from outclass.models import right_wrong
from outclass.models.fit import Fit
from outclass.models.results_fit import by_data_set, units_of
from outclass.models.table_fit import TableFit, right_and_wrong
from outclass.significance.result import Blocks, TestResult
from outclass.significance.sign import sign_exact

QUICK: Final = 200_000  # terms of a sum that are no trouble
RIGHT: Final = ("accuracy", "error", "micro_f1")  # all of them count right answers, with one label per item


def tests_beside(fit: Fit, a: int, b: int, measure: Any) -> tuple[TestResult, ...]:
    """Return the tests of one pair and measure."""
    if isinstance(fit, TableFit):
        return _of_table(fit, measure)
    if isinstance(fit.data, Classes) and measure.name in RIGHT:
        right = fit.data.outcomes.rights(fit.systems[a], fit.systems[b])
        return (sign_exact(int(right[0, 1]), int(right[1, 0])),)
    if isinstance(fit.data, Scores):
        return _of_numbers(fit.data, measure, (fit.systems[a], fit.systems[b]))
    return ()


def _of_table(fit: TableFit, measure: Any) -> tuple[TestResult, ...]:
    """The two p-values that the 2016 paper prints beside its answer, and the test of the measure itself."""
    from outclass.significance.permutation import permutation_exact
    from outclass.significance.welch import welch_t

    evidence, tests = fit.evidence, []
    if evidence.wins is not None:
        tests.append(sign_exact(evidence.wins.a, evidence.wins.b))
    if evidence.systems is not None and evidence.negatives_known:
        (right_a, wrong_a), (right_b, wrong_b) = map(right_and_wrong, evidence.systems)
        tests.append(welch_t(right_a, right_a + wrong_a, right_b, right_b + wrong_b))
    if evidence.joint is not None:
        tests.append(permutation_exact(measure, evidence.joint, most_cells=QUICK))
    return tuple(tests)


def _of_numbers(scores: Scores, measure: Any, names: tuple[str, str]) -> tuple[TestResult, ...]:
    from outclass.significance.delong import delong  # loaded for numbers alone
    from outclass.significance.macro import wilcoxon
    from outclass.significance.paired import paired_t
    from outclass.significance.sign import mcnemar_midp, signed

    a, b = (scores.values[name] for name in names)
    if isinstance(measure, ScoreMeasure):
        few = scores.truth is None or min(scores.truth.sum(), (~scores.truth).sum()) < 2
        if measure.name != "auc" or scores.truth is None or few or scores.group is not None:
            return ()
        return (delong(scores.truth, a, b),)
    if scores.data_set is not None:
        own = by_data_set(scores, a), by_data_set(scores, b)
        return (wilcoxon(*own, "two-sided", Blocks("data sets", scores.name)),)
    if measure.kind != "mean" or scores.group is not None:
        return ()
    if scores.fold_share is not None:
        return (paired_t(a - b, rho=scores.fold_share),)
    kinds = right_wrong.two_values(tuple(scores.values.values())) if units_of(scores) is None else None
    if kinds is not None:
        table = right_wrong.table_of(a, b, kinds)
        return signed(table), mcnemar_midp(table)
    return paired_t(a - b), wilcoxon(a, b, "two-sided", Blocks("items", scores.name))
