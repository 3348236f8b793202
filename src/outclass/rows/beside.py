"""The significance tests that stand beside a comparison: those that ask the same of the same data."""

from typing import Any, Final

import numpy as np

from outclass.data.classes import Parts
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts, PerItem
from outclass.measures.averages import RIGHT, Average, counts_rights
from outclass.measures.scored import ScoreMeasure
from outclass.models import right_wrong
from outclass.models.fit import Fit
from outclass.models.results_fit import by_data_set, units_of
from outclass.models.table_fit import TableFit, right_and_wrong
from outclass.significance.result import Blocks, TestResult
from outclass.significance.sign import sign_exact
from outclass.significance.swapping import DRAWS, Swaps, permutation

QUICK: Final = 200_000  # terms of a sum that are no trouble
AFFORDABLE: Final = 30_000_000  # numbers that random swaps look at, in all rows together: about three seconds
COUNTS: Final = 6  # of each label: true positives, false positives and false negatives of two systems
IN_GROUPS: Final = (Grouped, GroupedCounts)
SIGNED: Final = (*RIGHT, "micro_f1")  # beside which the sign test stands, where they count right answers


def tests_beside(fit: Fit, a: int, b: int, measure: Any) -> tuple[TestResult, ...]:
    """Return the tests of one pair and measure."""
    if isinstance(fit, TableFit):
        return _of_table(fit, measure)
    pair = fit.systems[a], fit.systems[b]
    if isinstance(fit.data, Parts):
        return ()  # items have no label of their own
    if isinstance(fit.data, Classes) and _is_of_rights(fit.data, pair, measure):
        right = fit.data.outcomes.rights(*pair)
        return (sign_exact(int(right[0, 1]), int(right[1, 0])),)
    if isinstance(fit.data, Classes | Grouped | MultiLabel | PerItem) and isinstance(measure, Average):
        return _of_labels(fit, pair, measure)
    if fit.model.startswith("fixed_items.") or fit.model.endswith(".strata"):
        return ()  # tests take items as a sample, and groups as well
    if isinstance(fit.data, Scores) and fit.data.group is not None and fit.data.data_set is None:
        return _of_groups(fit, pair, measure)
    if isinstance(fit.data, Scores):
        return _of_numbers(fit.data, measure, pair)
    return ()


def _is_of_rights(data: Classes, pair: tuple[str, str], measure: Average) -> bool:
    return measure.name in SIGNED and counts_rights(measure, all_predicted=data.outcomes.all_predicted(*pair))


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


def _of_labels(fit: Fit, systems: tuple[str, str], measure: Average) -> tuple[TestResult, ...]:
    """The permutation test of a measure over many labels, of items, documents or groups."""
    from outclass.significance import swappable  # loaded for many labels alone

    data, question, labels = fit.data, fit.question, len(fit.data.labels)
    counts = 2 * labels**2 if measure.matrix else COUNTS * labels
    if question.by_label or not _affordable(fit, counts + (len(data.units) if isinstance(data, IN_GROUPS) else 0)):
        return ()
    if isinstance(data, IN_GROUPS):
        found = swappable.of_grouped(data, systems, measure, question.undefined, question.average)
        return _swapped(fit, found.swaps, measure, "groups")
    swaps = swappable.of_decisions(data, systems, measure, question.undefined)
    if not _affordable(fit, counts + len(swaps.counts)):
        return ()
    return _swapped(fit, swaps, measure, "documents" if isinstance(data, MultiLabel) else "items")


def _affordable(fit: Fit, numbers: int, draws: int = DRAWS) -> bool:
    """Whether random swaps that look at so many numbers each take no longer than a few seconds for all rows."""
    pairs = len(fit.systems) * (len(fit.systems) - 1) // 2
    return draws * pairs * len(fit.question.measures) * numbers <= AFFORDABLE


def _swapped(fit: Fit, swaps: Swaps, measure: Any, units: str, draws: int = DRAWS) -> tuple[TestResult, ...]:
    """The permutation test, with the draws that `test` takes: the same seed gives the same p-value."""
    found = permutation(
        swaps,
        "two-sided",
        np.random.default_rng(fit.question.settings.seed),
        measure=measure.name,
        title=measure.title,
        units=units,
        draws=draws,
        lower_is_better=not measure.higher_is_better,
    )
    return (found,)


def _of_groups(fit: Fit, names: tuple[str, str], measure: Any) -> tuple[TestResult, ...]:
    """The permutation test of numbers in groups, which swaps whole groups."""
    from outclass.significance import swappable  # loaded for groups alone

    is_scored = isinstance(measure, ScoreMeasure)
    if not is_scored and measure.kind != "mean":
        return ()
    numbers, draws = (len(fit.data), swappable.SORTED) if is_scored else (len(np.unique(fit.data.group)), DRAWS)
    if not _affordable(fit, numbers, draws):
        return ()
    found = swappable.of_scores(fit.data, names, measure if is_scored else None, fit.question.average)
    return _swapped(fit, found.swaps, measure, "groups", draws)


def _of_numbers(scores: Scores, measure: Any, names: tuple[str, str]) -> tuple[TestResult, ...]:
    from outclass.significance.delong import delong_of  # loaded for numbers alone
    from outclass.significance.macro import wilcoxon
    from outclass.significance.paired import paired_t
    from outclass.significance.sign import mcnemar_midp, signed

    a, b = (scores.values[name] for name in names)
    if isinstance(measure, ScoreMeasure):
        few = scores.truth is None or min(scores.truth.sum(), (~scores.truth).sum()) < 2
        if measure.name != "auc" or scores.truth is None or few or scores.group is not None:
            return ()
        return (delong_of(scores, *names),)
    if scores.data_set is not None:
        own = by_data_set(scores, a), by_data_set(scores, b)
        return (wilcoxon(*own, "two-sided", Blocks("data sets", scores.name)),)
    if measure.kind != "mean" or scores.group is not None:
        return ()
    if scores.fold_share is not None:
        return (paired_t(a - b, rho=scores.fold_share),)
    kinds = right_wrong.kinds_of(tuple(scores.values.values()), scores.step) if units_of(scores) is None else None
    if kinds is not None:
        table = right_wrong.table_of(a, b, kinds)
        return signed(table), mcnemar_midp(table)
    return paired_t(a - b), wilcoxon(a, b, "two-sided", Blocks("items", scores.name))
