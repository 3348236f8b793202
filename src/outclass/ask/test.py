"""`test`: the significance tests that apply to the data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from outclass import measures
from outclass.answers.test_report import TestReport
from outclass.ask import cost
from outclass.ask.average_measures import averages_of, undefined_of
from outclass.ask.capabilities import check_can
from outclass.ask.columns import Columns, LabelSets
from outclass.ask.evaluate import evaluate
from outclass.ask.label_sets import check_label_sets
from outclass.ask.question import MeasureSpec, is_average_only, listed, measures_of, seed_of, with_average
from outclass.ask.read import read
from outclass.ask.repeats import tested_repeats
from outclass.ask.source import check_two
from outclass.ask.used import SETS, unused
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Grouped, MultiLabel, frequencies_of
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.published import PublishedCounts, WinCounts
from outclass.data.scores import Scores
from outclass.data.unit_counts import PerItem
from outclass.errors import InputError, shown
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.measures.names import unknown_measure
from outclass.measures.scored import ScoreMeasure
from outclass.measures.scored import get as score_measure
from outclass.models.clusters import average_of
from outclass.report.test_choice import ALL, recommended
from outclass.report.tiles import MOST
from outclass.significance.result import TestResult, check_alternative
from outclass.testing.categories import bands_of, categories_of, system_scores
from outclass.testing.data import Source, TestData, test_data
from outclass.testing.declaration import TestOptions
from outclass.testing.registry import find
from outclass.testing.run import check_used, choose_tests, fit_tests, run_tests
from outclass.testing.views import TwoAccuracies, TwoTables, Values
from outclass.verdict.rope import rope_of

FEWEST_DRAWS, MOST_DRAWS = 100, 10_000_000
BINARY = 2


class Tested(Columns, LabelSets, total=False):
    """Columns, and labels to average over."""


def test(
    data: Any = None,
    a: Any = None,
    b: Any = None,
    *more: Any,
    tests: str | Sequence[str] | None = None,
    every: bool = False,
    alternative: str | None = None,
    measure: MeasureSpec | Sequence[MeasureSpec] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | None = None,
    undefined: str | None = None,
    by: str | None = None,
    frequencies: Mapping[str, int] | str | Path | None = None,
    average: str | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    **columns: Unpack[Tested],
) -> TestReport:
    """Run the significance tests that apply to the data, each with its effect size and assumptions.

    Parameters
    ----------
    data, a, b, more
        The true labels and each system's predictions; or anything `read` accepts; or two `Outcomes`, for two test sets.
    tests, every
        Names of tests; or all that the data allow; by default, the recommended ones. Two files without an id are two
        test sets if all named tests are unpaired.
    alternative
        'two-sided', 'greater', 'less' or 'observed' (the observed direction, as in Yang & Liu). Default: set by each
        test.
    measure, positive, rope, rng
        As in `compare`. With more than two labels and no `positive`, categories are tested, one per label.
    undefined
        How an undefined F1 (0/0) of a category counts: 'drop' (the default), '0' or '1'.
    by, frequencies
        'frequency' for macro-F1 by category frequency, in the truth or as given by a mapping or file.
    average
        For items in groups: whether every item ('items', the default) or every group ('groups') has equal weight.
    draws
        Number of bootstrap resamples and of random swaps.
    columns
        Names of columns, or data given instead of a table: see `read`. Also `labels` or `exclude_labels`: the labels
        that averages and tests over categories are of, or those that they leave out, as in `compare`.
    """
    if tests and every:
        raise InputError("name the ⟨tests⟩ or run them all (⟨every=True⟩), not both.")
    sets = columns.pop("labels", None), columns.pop("exclude_labels", None)
    check_label_sets(*sets, positive)
    measure, average = with_average(measure, average)
    asked = (tests,) if isinstance(tests, str) else tuple(tests or ())
    apart = isinstance(a, Outcomes) or _are_unpaired(asked)
    arrays = [each for each in (a, b, *more) if each is not None]
    named: Any = columns
    source = read(data, *arrays, positive=positive, measure=measure, apart=apart, **named)
    check_can("test", source)
    wanted, (source, measure) = measure, tested_repeats(source, measure)
    # Of TREC runs the measure is used up by reading.
    given: dict[str, Any] = {"measure": None if columns.get("qrels") is not None else measure}
    given |= {"alternative": alternative, "rope": rope, "draws": draws, "undefined": undefined, "average": average}
    given |= {name: columns.get(name) for name in ("title", "test_share")}
    check_can("test", source)
    tested: Any = source
    source, chosen = _tested(tested, positive, by, some_labels=sets != (None, None))
    if sets != (None, None) and not isinstance(source, Outcomes | MultiLabel | Grouped):
        raise unused([name for name, value in zip(SETS, sets, strict=True) if value is not None], source.kind)
    given["sets"] = sets
    options = replace(_options(source, given, positive, chosen), seed=seed_of(rng))
    cost.announce(cost.cost_of_tests(source, one_label=chosen is not None))
    found = test_data(source, options, chosen)
    report = _report(found, options, asked, given, every=every)
    if measure is not wanted and isinstance(source, Scores):
        report = replace(report, rows=tuple(_of_repeats(row, source.name) for row in report.rows))
    report = replace(report, items=len(source) if isinstance(source, Scores) else source.items, positive=chosen)
    return _with_categories(_with_scores(report, source, options), found, options, frequencies, by)


test.__test__ = False  # type: ignore[attr-defined]  # not a pytest test, whatever its name says


def _of_repeats(row: TestResult, name: str) -> TestResult:
    """Return a test of items that are right or wrong by a measure of their repeats, under its name."""
    if row.measure != "accuracy":
        return row
    words, effect = (text.replace("accuracy", name) for text in (row.words, row.effect_name))
    return replace(row, measure=name, words=words, effect_name=effect)


def _are_unpaired(asked: Sequence[str]) -> bool:
    """Return whether all tests that were named know two test sets."""
    return bool(asked) and all({TwoTables, TwoAccuracies} & set(find(name).needs) for name in asked)


def _tested(source: Any, positive: Any, by: str | None, *, some_labels: bool) -> tuple[Source, Label | None]:
    """Return what is tested, and the label that is tested against the rest; None if all are."""
    if by not in (None, "frequency", "label"):
        raise InputError(f"⟨by⟩ can only be 'frequency' or 'label', got {shown(by)}.")
    check_two(source, "a test")
    if isinstance(source, MultiLabel) and positive is not None:
        source = source.of_label(str(positive))
    if isinstance(source, PublishedCounts | WinCounts) or (isinstance(source, Scores) and source.truth is None):
        if positive is not None:
            raise InputError("⟨positive⟩ needs labels, and these data have none: leave it out.")
        return source, None
    if not isinstance(source, Outcomes | TwoSets):
        return source, None
    outcomes = source.first if isinstance(source, TwoSets) else source
    outcomes.require_two_classes()
    if positive is None and (len(outcomes.labels) > BINARY or by is not None or some_labels):
        return source, None
    if isinstance(source, TwoSets):
        return source, source.pair().positives(positive, by_label=False)[0]
    return source, outcomes.positive(positive)


def _report(
    data: TestData, options: TestOptions, asked: Sequence[str], given: Mapping[str, Any], *, every: bool
) -> TestReport:
    """Choose tests, fit them to the data, and run them; an option that none uses is an error."""
    fitted = fit_tests(choose_tests(data.kinds, asked, every=every), data, asked=bool(asked))
    also = {*data.uses, *(name for each in fitted if isinstance(each.view, Values) for name in _uses(each.view))}
    check_used([name for name, value in given.items() if value is not None and name != "sets"], fitted, also)
    rows = tuple(run_tests(fitted, data, options))
    measures = _named(options) if given["measure"] is not None else ()
    named = (*measures, ALL) if asked or every else measures
    return TestReport(rows, noted=data.findings, seed=options.seed, rope=options.rope, asked=named)


def _named(options: TestOptions) -> tuple[str, ...]:
    every: tuple[Measure | Average | ScoreMeasure, ...] = (
        *options.measures,
        *options.averages,
        *options.score_measures,
    )
    return tuple(each.name for each in every)


def _uses(view: Values) -> tuple[str, ...]:
    """Return the options that only numbers have: what they are called, and what folds share."""
    return ("title", "test_share") if view.rho else ("title",)


def _with_scores(report: TestReport, source: Source, options: TestOptions) -> TestReport:
    """Add the scores of two classes by the measure that is recommended, for as many systems as a page begins with."""
    known = {each.name: each for each in (measures.MEASURES["accuracy"], *options.measures)}
    tested = [
        known[name]
        for name in dict.fromkeys(row.measure for row in recommended(report.rows, report.asked))
        if name in known
    ]
    if not isinstance(source, Outcomes) or report.positive is None or not tested:
        return report
    found = evaluate(
        source.selected(source.systems[:MOST]),
        positive=report.positive,
        measure=tested,
        rng=options.seed,
    )
    return replace(report, appraisals=found.rows)


def _with_categories(
    report: TestReport,
    data: TestData,
    options: TestOptions,
    frequencies: Mapping[str, int] | str | Path | None,
    by: str | None,
) -> TestReport:
    """Add the tables of categories, where there are some."""
    if data.decisions is None:
        if by is not None or frequencies is not None:
            names = [name for name, value in (("by", by), ("frequencies", frequencies)) if value is not None]
            raise unused(names, "these data", "It applies to more than two labels.")
        return report
    counts = frequencies_of(frequencies) if isinstance(frequencies, str | Path) else frequencies
    categories = categories_of(data.decisions, counts, options.undefined)
    return replace(
        report,
        scores=system_scores(data.decisions, options.undefined),
        categories=categories,
        bands=bands_of(categories) if by == "frequency" else (),
        undefined=options.undefined,
    )


def _options(source: Source, given: Mapping[str, Any], positive: Any, chosen: Label | None) -> TestOptions:
    """Check what was given, and find the measures."""
    undefined, draws, alternative = (given[name] for name in ("undefined", "draws", "alternative"))
    if draws is not None and not FEWEST_DRAWS <= draws <= MOST_DRAWS:
        raise InputError(f"⟨draws⟩ must lie between {FEWEST_DRAWS:,} and {MOST_DRAWS:,}, got {draws}.")
    return TestOptions(
        **_measured(source, given, positive, one_label=chosen is not None),
        rope=rope_of(given["rope"]).fixed("tests"),
        alternative=None if alternative is None else check_alternative(alternative),
        undefined=undefined_of(undefined),
        draws=draws,
        average=average_of(given["average"]),
    )


def _measured(source: Source, given: Mapping[str, Any], positive: Any, *, one_label: bool) -> dict[str, Any]:
    """Find the measures; one that these data do not have is an error."""
    measure, sets = given["measure"], given["sets"]
    asked = [] if measure is None else listed(measure)
    if asked and isinstance(source, Scores) and source.truth is None:
        raise unused(["measure"], "results, whose means are tested")
    if isinstance(source, Grouped | PerItem):
        return {"averages": averages_of(source, measure, positive, sets=sets)}
    if isinstance(source, Scores) and source.truth is not None:
        return {"score_measures": tuple(map(score_measure, asked or ["auc"]))}
    if isinstance(source, Outcomes) and one_label:
        for each in asked:
            if is_average_only(each):
                raise unknown_measure("measure of two classes", str(each), measures.MEASURES)
        return {"measures": measures_of("f1" if measure is None else asked)}
    if isinstance(source, Outcomes | MultiLabel):
        found = {str(each): averages.find(each) for each in asked or averages.USUAL}
        for name, average in found.items():
            if average is None:
                raise unknown_measure("measure of many labels", name, averages.AVERAGES)
        decisions = Classes(source) if isinstance(source, Outcomes) else source
        return {"averages": averages_of(decisions, list(found.values()), None, sets=sets)}
    return {}
