"""From data of any kind to the views that tests are made from, for every pair of systems and for all of them."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats, means_by
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.published import ConfusionCounts, PublishedCounts, SameItems, WinCounts
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts, PerItem, UnitCounts
from outclass.errors import InputError
from outclass.findings import Finding, finding
from outclass.models import right_wrong
from outclass.models.clusters import Groups
from outclass.models.evidence import rights
from outclass.rows.checks.groups import few_groups
from outclass.significance.result import Blocks
from outclass.significance.sign import mcnemar_exact
from outclass.significance.swappable import GroupedMeasure, of_grouped, of_scores
from outclass.testing.categories import category_f1
from outclass.testing.checks import (
    check_categories,
    check_counts,
    check_outcomes,
    check_wins,
    unknown_agreement,
    unknown_items,
)
from outclass.testing.declaration import TestOptions
from outclass.testing.views import (
    CategoryF1,
    GroupedItems,
    LabelledItems,
    PairedTable,
    PooledTable,
    RightPatterns,
    RightWrong,
    ScoredItems,
    TwoAccuracies,
    TwoTables,
    Values,
    View,
    Wins,
)

Source = Outcomes | MultiLabel | Grouped | PerItem | Scores | TwoSets | PublishedCounts | WinCounts

MOST_DECISIONS: Final = 8 * 10**18  # which an integer of 64 bits holds


@dataclass(frozen=True)
class Subject:
    """Two systems, or all of them, with the views that their data provide."""

    systems: tuple[str, ...]
    views: tuple[View, ...] = ()

    def view(self, needs: tuple[type[View], ...]) -> View | None:
        """Return the first view of those a test can be made from."""
        own = {type(view): view for view in self.views}
        return next((own[need] for need in needs if need in own), None)


@dataclass(frozen=True, kw_only=True)
class TestData:
    """What tests are made from.

    Parameters
    ----------
    kinds
        What the data are: keys of `declaration.KINDS`.
    every, pairs
        All systems together, and two by two.
    decisions
        Of several categories: the decisions on them.
    lower_is_better
        Of results.
    uses
        The options that these data use, whatever the tests: 'undefined' of categories, 'average' of groups.
    """

    __test__ = False  # not a pytest class, whatever its name says

    kinds: tuple[str, ...]
    every: Subject
    pairs: tuple[Subject, ...]
    findings: tuple[Finding, ...] = ()
    decisions: Decisions | None = None
    lower_is_better: bool = False
    uses: tuple[str, ...] = ()


def test_data(source: Source, options: TestOptions, positive: Label | None) -> TestData:
    """Return the views of the data, with what was found in them."""
    match source:
        case Scores(truth=None):
            return _of_results(source, options)
        case Grouped() | GroupedCounts() | Scores(group=np.ndarray()):
            return _of_groups(source, options)
        case UnitCounts():
            return _of_unit_counts(source, options)
        case Scores():
            return _of_scores(source)
        case WinCounts():
            return _of_wins(source)
        case TwoSets():
            return _of_two_sets(source, positive)
        case PublishedCounts():
            return _of_counts(source)
        case Outcomes() if positive is not None:
            return _of_two_classes(source, positive)
        case Outcomes():
            return _of_categories(Classes(source), options)
        case _:
            return _of_categories(source, options)


test_data.__test__ = False  # type: ignore[attr-defined]  # not a pytest test, whatever its name says


def _of_two_classes(source: Outcomes, positive: Label) -> TestData:
    said = [source.said(system, positive) for system in source.systems]
    right = np.stack([true == yes for true, yes in said], axis=1).astype(np.int64)
    pairs = []
    for a, b in combinations(source.systems, 2):
        joint = source.joint(a, b, positive)
        pairs.append(Subject((a, b), (PairedTable(joint), RightWrong(rights(joint)))))
    return TestData(
        kinds=("two_classes",),
        every=Subject(source.systems, (RightPatterns(right, source.counts, source.systems),)),
        pairs=tuple(pairs),
        findings=(*source.findings, *check_outcomes(source, positive)),
    )


def _of_categories(decisions: Classes | MultiLabel, options: TestOptions) -> TestData:
    single = decisions.outcomes if isinstance(decisions, Classes) else None
    many = int(decisions.items) * len(decisions.labels)
    if many > MOST_DECISIONS:
        raise InputError(
            f"{len(decisions.labels):,} labels on so many items are {many:.1e} decisions; tests over all labels take "
            f"at most {MOST_DECISIONS:.0e}. Test one label (⟨positive⟩), or divide the counts."
        )
    places, whole_set = options.places, decisions
    notes: list[Finding] = []
    if places is not None:
        decisions, single = decisions.only(places), None  # who is right is not of some labels alone
        told = f"averages and tests over categories are of {len(places):,} of {len(whole_set.labels):,} labels; "
        notes = [finding("OC611", f"{told}the others count as wrong predictions.")]
    f1 = category_f1(decisions, decisions.systems, options.undefined)
    undefined = np.flatnonzero(~np.isfinite(f1).all(axis=1))
    whole: list[View] = [_category_f1(f1, decisions.systems, single is not None)]
    if single is not None:
        right = (single.patterns[:, 1:] == single.patterns[:, :1]).astype(np.int64)
        whole.append(RightPatterns(right, single.counts, single.systems))
    pairs = []
    for (i, a), (j, b) in combinations(enumerate(decisions.systems), 2):
        views: list[View] = [
            PooledTable(decisions.joints(a, b).sum(axis=0)),
            LabelledItems(whole_set, (a, b)),
            _category_f1(f1[:, [i, j]], (a, b), single is not None),
        ]
        if single is not None:
            views.append(RightWrong(single.rights(a, b)))
        pairs.append(Subject((a, b), tuple(views)))
    found = () if single is None else tuple(check_outcomes(single, None))
    return TestData(
        kinds=("categories",) if single is None else ("categories", "one_label"),
        every=Subject(decisions.systems, tuple(whole)),
        pairs=tuple(pairs),
        findings=(*decisions.findings, *notes, *found, *check_categories(decisions.labels, undefined)),
        decisions=decisions,
        uses=("undefined",),
    )


def _of_unit_counts(source: UnitCounts, options: TestOptions) -> TestData:
    """Counts per item: tests that swap or resample whole items; of labels, those of categories on request."""
    f1 = category_f1(source, source.systems, options.undefined) if source.typed else np.zeros((0, len(source.systems)))
    undefined = np.flatnonzero(~np.isfinite(f1).all(axis=1))

    def views(places: list[int]) -> tuple[View, ...]:
        names = tuple(source.systems[place] for place in places)
        return (_category_f1(f1[:, places], names, False),) if source.typed else ()

    pairs = combinations(range(len(source.systems)), 2)
    return TestData(
        kinds=("unit_counts",),
        every=Subject(source.systems, views(list(range(len(source.systems))))),
        pairs=tuple(
            Subject(
                (source.systems[a], source.systems[b]),
                (LabelledItems(source, (source.systems[a], source.systems[b])), *views([a, b])),
            )
            for a, b in pairs
        ),
        findings=(*source.findings, *check_counts(source), *check_categories(source.labels, undefined)),
        decisions=source if source.typed else None,
        # Of one label against the rest nothing is averaged over labels.
        uses=("undefined",) if any(each.label is None for each in options.averages) and source.typed else (),
    )


def _category_f1(f1: Floats, systems: tuple[str, ...], one_label: bool) -> CategoryF1:
    return CategoryF1(f1[np.isfinite(f1).all(axis=1)], systems, one_label=one_label)


def _grouped(source: Grouped | GroupedCounts | Scores, options: TestOptions, pair: tuple[str, str]) -> GroupedItems:
    def make() -> tuple[GroupedMeasure, ...]:
        if isinstance(source, Grouped | GroupedCounts):
            averages = options.averages
            return tuple(of_grouped(source, pair, each, options.undefined, options.average) for each in averages)
        measures = (None,) if source.truth is None else options.score_measures
        return tuple(of_scores(source, pair, each, options.average) for each in measures)

    return GroupedItems(make)


def _of_groups(source: Grouped | GroupedCounts | Scores, options: TestOptions) -> TestData:
    """Items in groups: tests at the level of groups alone."""
    return TestData(
        kinds=("groups",),
        every=Subject(source.systems),
        pairs=tuple(Subject(pair, (_grouped(source, options, pair),)) for pair in combinations(source.systems, 2)),
        findings=(*source.findings, *_few_groups(source.group, options)),
        # Of one label against the rest nothing is averaged over labels.
        uses=("average", "undefined") if any(each.label is None for each in options.averages) else ("average",),
    )


def _few_groups(group: Counts | None, options: TestOptions) -> tuple[Finding, ...]:
    return () if group is None else tuple(few_groups(Groups(group, options.average)))


def _of_scores(source: Scores) -> TestData:
    assert source.truth is not None
    values = source.values
    return TestData(
        kinds=("scores",),
        every=Subject(source.systems),
        pairs=tuple(
            Subject((a, b), (ScoredItems(source.truth, values[a], values[b]),))
            for a, b in combinations(source.systems, 2)
        ),
        findings=source.findings,
    )


def _of_results(source: Scores, options: TestOptions) -> TestData:
    """Results: items as they are; of groups, and of data sets with folds, the means."""
    units = source.data_set if source.data_set is not None else source.group
    columns = {name: own if units is None else means_by(units, own) for name, own in source.values.items()}
    noun = "items" if units is None else "groups" if source.data_set is None else "data sets"
    folds = source.fold_share is not None and source.data_set is None
    blocks = Blocks("folds" if folds else noun, source.name)
    rho = (source.fold_share or 0.0) if folds else 0.0
    two = right_wrong.kinds_of(list(columns.values()), source.step) if units is None and not folds else None

    def subject(names: tuple[str, ...]) -> Subject:
        return Subject(names, (Values(np.stack([columns[name] for name in names], axis=1), names, blocks, rho),))

    pairs = []
    for a, b in combinations(source.systems, 2):
        views = list(subject((a, b)).views)
        if two is not None:
            # Right and wrong: who alone is right, not how far two numbers are apart.
            views.append(RightWrong(right_wrong.table_of(columns[a], columns[b], two)))
        if noun == "groups":
            views.append(_grouped(source, options, (a, b)))
        pairs.append(Subject((a, b), tuple(views)))
    kinds = ("right_wrong",) if two is not None else ("folds",) if folds else ("results",)
    return TestData(
        kinds=("results", "groups") if noun == "groups" else kinds,
        every=subject(source.systems),
        pairs=tuple(pairs),
        findings=(*source.findings, *_few_groups(source.group, options)),
        lower_is_better=not source.higher_is_better,
        uses=("average",) if source.group is not None else (),
    )


def _of_wins(source: WinCounts) -> TestData:
    return TestData(
        kinds=("wins",),
        every=Subject(source.systems),
        pairs=(Subject(source.systems, (Wins(source.wins_a, source.wins_b, source.items),)),),
        findings=tuple(check_wins(source.a, source.b, source.wins_a + source.wins_b, source.items)),
    )


def _of_two_sets(source: TwoSets, positive: Label | None) -> TestData:
    pair = source.pair()
    views: list[View] = [TwoAccuracies(_right(source.first), _right(source.second))]
    if positive is not None:
        a, b = pair.tables(positive)
        views = [TwoTables(a, b), TwoAccuracies(_accuracy(a), _accuracy(b))]
    found = [each for outcomes in (source.first, source.second) for each in check_outcomes(outcomes, positive)]
    return TestData(
        kinds=("two_sets",),
        every=Subject(source.systems),
        pairs=(Subject((pair.a, pair.b), tuple(views)),),
        findings=tuple(dict.fromkeys((*source.findings, *found))),
    )


def _right(outcomes: Outcomes) -> tuple[int, int]:
    """Return how many items the one system of these outcomes gets right, and of how many."""
    truth, said = outcomes.patterns.T
    return int(outcomes.counts[truth == said].sum()), outcomes.items


def _accuracy(table: Counts) -> tuple[int, int]:
    return int(table.trace()), int(table.sum())


def _of_same_items(source: PublishedCounts) -> TestData:
    """Published results on the same items: every pair at the least agreement, at which p-values are largest."""
    pairs, found = [], []
    for pair in source.pairs():
        assert isinstance(pair, SameItems)
        (positives, negatives) = pair.ranges
        least, most = (replace(pair, both=(positives[end], negatives[end])) for end in (0, 1))
        right = [each.rights.sum(axis=0).reshape(2, 2) for each in (least, most)]
        views = (PairedTable(least.joint), RightWrong(right[0]))
        alone = (Wins(int(right[0][0, 1]), int(right[0][1, 0]), pair.items),)
        pairs.append(Subject((pair.a, pair.b), views if source.has_classes else alone))
        found.append(unknown_agreement(pair.a, pair.b, *(mcnemar_exact(each).p_value for each in right)))
    return TestData(
        kinds=("two_classes",) if source.has_classes else ("wins",),
        every=Subject(source.systems),
        pairs=tuple(pairs),
        findings=(*source.findings, *found),
    )


def _of_counts(source: PublishedCounts) -> TestData:
    if source.same_items:
        return _of_same_items(source)

    def subject(a: ConfusionCounts, b: ConfusionCounts) -> Subject:
        known = a.tn is not None and b.tn is not None
        views: list[View] = [TwoTables(a.table, b.table, known)] if a.has_classes else []
        if known:
            views.append(TwoAccuracies(_accuracy(a.table), _accuracy(b.table)))
        return Subject((a.name, b.name), tuple(views))

    return TestData(
        kinds=("counts",),
        every=Subject(source.systems),
        pairs=tuple(subject(each.first, each.second) for each in source.pairs()),
        findings=(*source.findings, unknown_items()),
    )
