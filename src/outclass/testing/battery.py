"""The battery of significance tests: from outcomes to the rows of an answer."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats, means_by
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted, unknown
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.measures.averages import FILL, Average, mean_of, share
from outclass.measures.measure import Measure
from outclass.measures.scored import get as score_measure
from outclass.models import right_wrong
from outclass.models.evidence import Evidence, rights
from outclass.rows.checks.groups import notice_number
from outclass.rows.checks.labels import FEW_DISAGREEMENTS, FEW_ITEMS, notice_predictions
from outclass.rows.types import Category, FrequencyBand, SystemScores
from outclass.significance import bootstrap as boot
from outclass.significance import macro, many, proportion, sign, swapping
from outclass.significance.adjust import adjusted
from outclass.significance.delong import delong
from outclass.significance.paired import paired_t
from outclass.significance.permutation import permutation_exact
from outclass.significance.result import CATEGORIES, Blocks, TestResult
from outclass.significance.tost import tost
from outclass.significance.welch import welch_t
from outclass.testing.swappable import Clustered, difference_of, features, of_decisions, of_grouped, of_scores

SORTED: Final = 2_000  # random swaps of scores, which are sorted anew for each


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be tested, and how."""

    measures: tuple[Measure, ...]
    averages: tuple[Average, ...]
    rope: Interval
    alternative: str | None
    undefined: str
    seed: int
    draws: int | None = None
    average: str = "items"  # of items in groups

    def side(self, default: str) -> str:
        """Return the side to test: the user's, or the test's own."""
        return self.alternative or default

    def rng(self) -> np.random.Generator:
        """Return a fresh generator, so that one test's draws do not depend on which others were asked for."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, kw_only=True)
class TestData:
    """What the tests of one pair of systems (or, with more names, of all of them) are made from."""

    systems: tuple[str, ...]
    plan: Plan
    joint: Counts | None = None  # (2, 4), of items or of pooled decisions
    right: Counts | None = None  # (2, 2), items
    decisions: Decisions | None = None
    f1: Floats | None = None  # (categories, systems), those defined for all; or results, which take their place
    blocks: Blocks = CATEGORIES
    rho: float | None = None  # of results: how folds hang together
    lower_is_better: bool = False  # of results
    outcomes: Outcomes | None = None
    scores: Scores | None = None
    positive: Label | None = None
    clustered: Callable[[], tuple[Clustered, ...]] | None = None  # of items in groups

    @property
    def swappable(self) -> object | None:
        """Whatever of these data can be swapped between two systems."""
        return next((each for each in (self.clustered, self.decisions, self.joint) if each is not None), None)

    @property
    def pooled(self) -> bool:
        """Whether the decisions are pooled over categories, so that those on one item hang together."""
        return self.decisions is not None


Results = Iterator[TestResult]


def _of_right(test: Callable[[Counts, str], TestResult]) -> Callable[[TestData], Results]:
    def run(material: TestData) -> Results:
        assert material.right is not None
        yield test(material.right, material.plan.side("two-sided"))

    return run


def _micro_sign(material: TestData) -> Results:
    assert material.joint is not None
    yield sign.micro_sign(rights(material.joint), material.plan.side("observed"))


def _macro_sign(material: TestData) -> Results:
    assert material.f1 is not None
    a, b = material.f1.T
    yield sign.macro_sign(int((a > b).sum()), int((b > a).sum()), material.plan.side("observed"))


def _of_f1(test: Callable[[Floats, Floats, str], TestResult], default: str) -> Callable[[TestData], Results]:
    def run(material: TestData) -> Results:
        assert material.f1 is not None
        a, b = material.f1.T
        yield test(a, b, material.plan.side(default))

    return run


def _wilcoxon(material: TestData) -> Results:
    assert material.f1 is not None
    a, b = material.f1.T
    yield macro.wilcoxon(a, b, material.plan.side("two-sided"), material.blocks)


def _paired_t(material: TestData) -> Results:
    assert material.f1 is not None
    a, b = material.f1.T
    found = paired_t(a - b, material.plan.side("two-sided"), material.rho or 0.0)
    yield replace(found, name="paired_t", measure=material.blocks.value.lower())


def _proportion(material: TestData) -> Results:
    assert material.joint is not None
    systems = Evidence.of_joint(material.joint).systems
    assert systems is not None
    a, b = systems
    for measure in proportion.MEASURES:
        counts = (proportion.counts_of(a, measure), proportion.counts_of(b, measure))
        yield proportion.proportion(*counts, measure, material.plan.side("observed"))


def _welch(material: TestData) -> Results:
    assert material.right is not None
    (both, a), (b, neither) = (tuple(map(int, row)) for row in material.right)
    n = both + a + b + neither
    found = welch_t(both + a, n, both + b, n, material.plan.side("two-sided"))
    yield replace(
        found, findings=(finding("OC406", "the systems saw the same items; this test takes them as independent."),)
    )


def _permutation(material: TestData) -> Results:
    plan = material.plan
    side = plan.side("two-sided")
    if material.clustered is not None:
        for each in material.clustered():
            yield swapping.permutation(
                each.swaps,
                side,
                plan.rng(),
                measure=each.measure,
                title=each.title,
                units="groups",
                draws=plan.draws or (SORTED if material.scores is not None else None),
                lower_is_better=each.lower_is_better,
            )
    elif material.decisions is not None:
        units = "documents" if isinstance(material.decisions, MultiLabel) else "items"
        for average in plan.averages:
            yield swapping.permutation(
                of_decisions(material.decisions, material.systems, average, plan.undefined),
                side,
                plan.rng(),
                measure=average.name,
                title=average.title,
                units=units,
                draws=plan.draws,
                lower_is_better=not average.higher_is_better,
            )
    else:
        assert material.joint is not None
        for measure in plan.measures:
            yield permutation_exact(measure, material.joint, side, plan.rng())


def _cluster_t(material: TestData) -> Results:
    assert material.clustered is not None
    for each in material.clustered():
        found, groups = each.jackknife, each.jackknife.groups
        result = swapping.cluster_t(
            float(found.values[0] - found.values[1]),
            found.variance(0, 1),
            groups.freedom,
            material.plan.side("two-sided"),
            measure=each.measure,
            title=each.title,
            groups=groups.number,
            lower_is_better=each.lower_is_better,
        )
        yield replace(result, findings=tuple(notice_number(groups)))


def _tost(material: TestData) -> Results:
    assert material.joint is not None
    for measure in material.plan.measures:
        yield tost(measure, material.joint, material.plan.rope)


def _bootstrap(material: TestData) -> Results:
    plan = material.plan
    if material.decisions is None:
        assert material.joint is not None
        for measure in plan.measures:
            yield boot.bootstrap(measure, material.joint, plan.side("two-sided"), plan.rng(), plan.draws or boot.DRAWS)
        return
    for average in plan.averages:
        yield boot.of_units(
            _difference_of(material.decisions, material.systems, average, plan.undefined),
            material.decisions.units,
            plan.side("two-sided"),
            plan.rng(),
            measure=average.name,
            title=average.title,
            draws=plan.draws or 2_000,
            rare=_rare(material.decisions) if average.name.startswith("macro") else 0,
        )


def _rare(decisions: Decisions) -> int:
    """Return how many categories have some items, but few."""
    known = decisions.frequencies
    return int(((known > 0) & (known < boot.FEW_OF_A_CATEGORY)).sum())


def _difference_of(
    decisions: Decisions, systems: Sequence[str], measure: Average, undefined: str
) -> Callable[[Floats], Floats]:
    """Return the difference in a measure over many labels as a function of weights on the units."""
    labels = len(decisions.labels)
    matrices = [features(decisions, system) for system in systems]
    between = difference_of(measure, undefined)

    def difference(weights: Floats) -> Floats:
        first, second = (np.asarray((matrix.T @ weights.T).T).reshape(len(weights), labels, 3) for matrix in matrices)
        return between(first, second, weights.sum(axis=1))

    return difference


def _cochran(material: TestData) -> Results:
    assert material.outcomes is not None
    if material.positive is None:
        patterns = material.outcomes.patterns
        right = (patterns[:, 1:] == patterns[:, :1]).astype(np.int64)
    else:
        said = [material.outcomes.said(system, material.positive) for system in material.systems]
        right = np.stack([true == yes for true, yes in said], axis=1).astype(np.int64)
    yield many.cochran_q(right, material.outcomes.counts, material.systems)


def _friedman(material: TestData) -> Results:
    assert material.f1 is not None
    yield many.friedman(material.f1, material.systems, material.blocks)


def _nemenyi(material: TestData) -> Results:
    assert material.f1 is not None
    yield from many.nemenyi(material.f1, material.systems, material.blocks)


def _delong(material: TestData) -> Results:
    assert material.scores is not None
    assert material.scores.truth is not None
    a, b = (material.scores.values[name] for name in material.systems)
    yield delong(material.scores.truth, a, b, material.plan.side("two-sided"))


@dataclass(frozen=True)
class _Test:
    """A test: how it runs, what it needs, and on which kinds of data it is in the battery unasked."""

    run: Callable[[TestData], Results]
    needs: str
    usual: tuple[str, ...] = ()
    all_systems: bool = False
    pools: bool = False  # takes decisions on one item as independent
    groups: bool = False  # knows that items come in groups


# In the order they are shown: those that hold whatever the data, those of Yang & Liu, those of many systems.
TESTS: Final[dict[str, _Test]] = {
    "sign_exact": _Test(_of_right(sign.signed), "right", ("binary", "classes", "right")),
    "mcnemar_exact": _Test(_of_right(sign.mcnemar_exact), "right"),
    "mcnemar_midp": _Test(_of_right(sign.mcnemar_midp), "right", ("binary", "classes", "right")),
    "permutation_exact": _Test(_permutation, "swappable", ("binary", "labels", "groups"), groups=True),
    "permutation": _Test(_permutation, "swappable", groups=True),  # the same; the result is named by what was done
    "cluster_t": _Test(_cluster_t, "clustered", ("groups",), groups=True),
    "bootstrap": _Test(_bootstrap, "joint", ("binary", "labels")),
    "tost": _Test(_tost, "joint", ("binary",), pools=True),
    "micro_sign": _Test(_micro_sign, "joint", ("labels",), pools=True),
    "macro_sign": _Test(_macro_sign, "f1", ("labels",)),
    "macro_t": _Test(_of_f1(macro.macro_t, "observed"), "f1", ("labels",)),
    "macro_t_ranks": _Test(_of_f1(macro.macro_t_ranks, "observed"), "f1", ("labels",)),
    "proportion": _Test(_proportion, "joint", ("labels",), pools=True),
    "wilcoxon": _Test(_wilcoxon, "f1", ("labels", "results")),
    "paired_t": _Test(_paired_t, "f1", ("results", "folds")),
    "welch_t": _Test(_welch, "right"),
    "cochran_q": _Test(_cochran, "outcomes", ("binary", "classes"), all_systems=True),
    "friedman": _Test(_friedman, "f1", ("labels", "results"), all_systems=True),
    "nemenyi": _Test(_nemenyi, "f1", ("labels", "results"), all_systems=True),
    "delong": _Test(_delong, "scores", ("scores",)),
}
NEEDS: Final = {
    "joint": "labels of two classes, or labels taken one by one",
    "right": "one label an item",
    "f1": "categories: more than two labels",
    "outcomes": "one label an item, and more than two systems",
    "scores": "scores (--scores)",
    "swappable": "labels, or numbers of items in groups (--group)",
    "clustered": "items in groups (--group)",
}


def battery(kinds: Sequence[str], names: Sequence[str] | None, *, every: bool) -> list[str]:
    """Return the tests to run: those asked for, all, or those that fit the data."""
    if names:
        for name in names:
            if name not in TESTS:
                raise unknown("test", str(name), TESTS)
        return list(dict.fromkeys(names))
    return [name for name, test in TESTS.items() if (every and name != "permutation") or set(test.usual) & set(kinds)]


def run_tests(names: Sequence[str], material: TestData, pairs: Sequence[TestData], *, asked: bool) -> list[TestResult]:
    """Run tests on all systems or on every pair; one that was asked for and does not fit the data is refused."""
    found: list[TestResult] = []
    for name in names:
        test = TESTS[name]
        subjects = [material] if test.all_systems else pairs
        for subject in subjects:
            lacks = getattr(subject, test.needs) is None or (test.all_systems and len(subject.systems) < 3)
            if subject.clustered is not None and subject.f1 is None and not test.groups:
                if not asked:
                    continue
                raise InputError(
                    f"the test {name} takes items as independent, and these come in groups: use permutation_exact or "
                    "cluster_t, or leave out the group."
                )
            # Yang & Liu's are of categories, not of other results.
            lacks |= name.startswith("macro_") and subject.blocks is not CATEGORIES
            if name == "tost" and subject.pooled and asked:
                raise InputError(
                    "the test tost is of two classes, or of one label against the rest (--positive LABEL)."
                )
            lacks |= name == "tost" and subject.pooled
            if lacks and asked:
                raise InputError(f"the test {name} needs {_need(test)}; these data have not got that.")
            if lacks:
                continue
            for result in test.run(subject):
                notes = list(result.findings)
                measure = result.measure
                if test.pools and subject.pooled:
                    notes.append(
                        finding(
                            "OC401",
                            f"{name} takes the decisions on one item as independent, which they are not; the "
                            "permutation test and the bootstrap take whole items.",
                        )
                    )
                    measure = measure if name == "proportion" else f"micro_{measure}"
                if test.needs == "f1" and subject.decisions is not None:
                    notes.append(_not_independent(name, subject.decisions))
                if subject.plan.alternative == "observed" and result.alternative in ("greater", "less"):
                    notes.append(sign.chosen_side())
                found.append(
                    replace(
                        result,
                        systems=result.systems or subject.systems,
                        measure=measure,
                        lower_is_better=subject.lower_is_better or result.lower_is_better,
                        findings=tuple(dict.fromkeys(notes)),
                    )
                )
    if not found:
        raise InputError("no test fits these data.")
    return adjusted(found)


def _not_independent(name: str, decisions: Decisions | None) -> Finding:
    """Say why categories of one test set are no independent sample, as the tests over them take them to be."""
    why = (
        "with one label an item, a mistake in one category is a mistake in another"
        if isinstance(decisions, Classes)
        else "the categories share their documents"
    )
    return finding(
        "OC405",
        f"{why}: categories are not independent, as {name} takes them to be. It can cry wolf two or three times too "
        "often; the bootstrap over items allows for that.",
    )


def _need(test: _Test) -> str:
    return "three systems or more" if test.all_systems and test.needs == "f1" else NEEDS[test.needs]


# --- categories ---------------------------------------------------------------------------------------------------


def f1_of(tp: Floats, fp: Floats, fn: Floats, undefined: str) -> Floats:
    """Return F1, with what is undefined (0/0) as the policy says: 0, 1, or not a number."""
    return share(2 * tp, 2 * tp + fp + fn, FILL[undefined])


def category_f1(decisions: Decisions, systems: Sequence[str], undefined: str) -> Floats:
    """Return the F1 of every category and system."""
    columns = []
    for system in systems:
        table = decisions.tables(system).astype(float)
        columns.append(f1_of(table[:, 0, 0], table[:, 1, 0], table[:, 0, 1], undefined))
    return np.stack(columns, axis=1)


def materials(
    source: Outcomes | MultiLabel | Grouped | Scores, plan: Plan, positive: Label | None
) -> tuple[TestData, list[TestData], list[str], tuple[Finding, ...]]:
    """Return what the tests of all systems and of every pair are made from, the kinds of data, and what was noticed."""
    if isinstance(source, Scores) and source.truth is None:
        return _of_results(source, plan)
    if isinstance(source, Grouped) or (isinstance(source, Scores) and source.group is not None):
        return _of_groups(source, plan)
    if isinstance(source, Scores):
        whole = TestData(systems=tuple(source.values), plan=plan, scores=source)
        pairs = [replace(whole, systems=pair) for pair in combinations(whole.systems, 2)]
        return whole, pairs, ["scores"], source.findings
    if isinstance(source, Outcomes) and positive is not None:
        whole = TestData(systems=source.systems, plan=plan, outcomes=source, positive=positive)
        pairs = [
            TestData(
                systems=(a, b),
                plan=plan,
                joint=source.joint(a, b, positive),
                right=rights(source.joint(a, b, positive)),
            )
            for a, b in combinations(source.systems, 2)
        ]
        return whole, pairs, ["binary"], (*source.findings, *_noticed(source, positive))
    decisions: Decisions = Classes(source) if isinstance(source, Outcomes) else source
    single = source if isinstance(source, Outcomes) else None
    f1 = category_f1(decisions, decisions.systems, plan.undefined)
    defined = np.asarray(np.isfinite(f1).all(axis=1))
    noted = [*decisions.findings, *(() if single is None else _noticed(single, None))]
    gone = [decisions.labels[place] for place in np.flatnonzero(~defined)]
    if gone:
        noted.append(
            finding(
                "OC404",
                f"the F1 of {len(gone)} of {len(defined)} categories is undefined (0/0) for some system, and left out "
                f"of the tests: {quoted(gone, most=5)} (--undefined 0 or 1 gives them a value).",
            )
        )
    whole = TestData(systems=decisions.systems, plan=plan, decisions=decisions, f1=f1[defined], outcomes=single)
    pairs = []
    for a, b in combinations(decisions.systems, 2):
        columns = [decisions.systems.index(a), decisions.systems.index(b)]
        both = f1[:, columns]
        pairs.append(
            TestData(
                systems=(a, b),
                plan=plan,
                joint=decisions.joints(a, b).sum(axis=0),
                right=None if single is None else single.rights(a, b),
                decisions=decisions,
                f1=both[np.isfinite(both).all(axis=1)],
            )
        )
    return whole, pairs, ["labels", *([] if single is None else ["classes"])], tuple(noted)


def _clusters_of(source: Grouped | Scores, plan: Plan, pair: tuple[str, str]) -> Callable[[], tuple[Clustered, ...]]:
    @cache
    def found() -> tuple[Clustered, ...]:
        if isinstance(source, Grouped):
            return tuple(of_grouped(source, pair, average, plan.undefined, plan.average) for average in plan.averages)
        measure = None if source.truth is None else score_measure("auc")
        return (of_scores(source, pair, measure, plan.average),)

    return found


def _of_groups(source: Grouped | Scores, plan: Plan) -> tuple[TestData, list[TestData], list[str], tuple[Finding, ...]]:
    """Items in groups: tests at the level of groups alone."""
    whole = TestData(systems=source.systems, plan=plan, scores=source if isinstance(source, Scores) else None)
    pairs = [
        replace(whole, systems=pair, clustered=_clusters_of(source, plan, pair))
        for pair in combinations(source.systems, 2)
    ]
    return whole, pairs, ["groups"], source.findings


def _of_results(source: Scores, plan: Plan) -> tuple[TestData, list[TestData], list[str], tuple[Finding, ...]]:
    """Results: items as they are; of groups, and of data sets with folds, the means."""
    units = source.data_set if source.data_set is not None else source.group
    columns = [source.values[name] for name in source.systems]
    noun = "items"
    if units is not None:
        columns = [means_by(units, each) for each in columns]
        noun = "groups" if source.data_set is None else "data sets"
    folds = source.fold_share is not None and source.data_set is None
    whole = TestData(
        systems=source.systems,
        plan=plan,
        f1=np.stack(columns, axis=1),
        blocks=Blocks("folds" if folds else noun, source.name),
        rho=source.fold_share if folds else None,
        lower_is_better=not source.higher_is_better,
    )
    pairs = [
        replace(whole, systems=(source.systems[a], source.systems[b]), f1=np.stack([columns[a], columns[b]], axis=1))
        for a, b in combinations(range(len(columns)), 2)
    ]
    values = right_wrong.two_values(columns) if units is None and not folds else None
    if values is not None:
        # Right and wrong: who alone is right, not how far two numbers are apart.
        pairs = [
            replace(each, right=right_wrong.table_of(columns[a], columns[b], values))
            for each, (a, b) in zip(pairs, combinations(range(len(columns)), 2), strict=True)
        ]
        return whole, pairs, ["right"], source.findings
    if noun != "groups":
        return whole, pairs, ["folds" if folds else "results"], source.findings
    pairs = [replace(each, clustered=_clusters_of(source, plan, (each.systems[0], each.systems[1]))) for each in pairs]
    return whole, pairs, ["results", "groups"], source.findings


def _noticed(outcomes: Outcomes, positive: Label | None) -> Iterator[Finding]:
    """Say what is thin or odd about single-label data."""
    if outcomes.items < FEW_ITEMS:
        yield finding("OC107", f"there are {outcomes.items} items only.")
    for a, b in combinations(outcomes.systems, 2):
        right = outcomes.rights(a, b)
        same = outcomes.patterns[:, outcomes.column(a)] == outcomes.patterns[:, outcomes.column(b)]
        if same.all():
            yield finding("OC105", f"{a} and {b} agree on every one of {outcomes.items:,} items.")
        elif 0 < right[0, 1] + right[1, 0] < FEW_DISAGREEMENTS:
            yield finding(
                "OC104",
                f"only {right[0, 1] + right[1, 0]} items tell {a} from {b}: exactly one of them is right there.",
            )
    if positive is not None:
        for system in outcomes.systems:
            yield from notice_predictions(system, outcomes.table(system, positive))
    strange = sorted({str(label) for label in outcomes.labels} - {str(label) for label in outcomes.true_labels})
    if strange:
        yield finding("OC110", f"predicted but never true: {quoted(strange)}.")


def system_scores(decisions: Decisions, undefined: str) -> tuple[SystemScores, ...]:
    """Return every system's micro and macro precision, recall and F1, and its error."""
    found = []
    for system in decisions.systems:
        tables = decisions.tables(system).astype(float)
        (tp, fn), (fp, _) = tables.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                tables[:, 0, 0] / (tables[:, 0, 0] + wrong) for wrong in (tables[:, 1, 0], tables[:, 0, 1])
            )
        f1 = f1_of(tables[:, 0, 0], tables[:, 1, 0], tables[:, 0, 1], undefined)
        fill = FILL[undefined]
        found.append(
            SystemScores(
                name=system,
                micro_precision=_share(tp, fp),
                micro_recall=_share(tp, fn),
                micro_f1=_share(2 * tp, fp + fn),
                macro_precision=float(mean_of(np.where(np.isnan(precision), fill, precision))),
                macro_recall=float(mean_of(np.where(np.isnan(recall), fill, recall))),
                macro_f1=float(mean_of(f1)),
                error=(fp + fn) / decisions.decisions,
                defined=int(np.isfinite(f1).sum()),
            )
        )
    return tuple(found)


def _share(top: float, rest: float) -> float:
    return float(top / (top + rest)) if top + rest > 0 else math.nan


def categories_of(decisions: Decisions, frequencies: Mapping[str, int] | None, undefined: str) -> tuple[Category, ...]:
    """Return the table of categories: how common each is, and every system's F1 on it."""
    known = decisions.frequencies
    if frequencies is not None:
        lacking = [label for label in decisions.labels if label not in frequencies]
        if lacking:
            raise InputError(f"there is no frequency for the categories {quoted(lacking)}.")
        known = np.array([int(frequencies[label]) for label in decisions.labels], dtype=np.int64)
    f1 = category_f1(decisions, decisions.systems, undefined)
    return tuple(
        Category(
            label=label,
            frequency=int(known[place]),
            positives=int(decisions.frequencies[place]),
            f1=tuple(float(value) for value in f1[place]),
        )
        for place, label in enumerate(decisions.labels)
    )


def bands_of(categories: Sequence[Category]) -> tuple[FrequencyBand, ...]:
    """Return the macro-F1 of categories about as common: 0, 1, 2-3, 4-7, 8-15, ... (Yang & Liu, figures 4 and 5)."""
    bands: dict[int, list[Category]] = {}
    for category in categories:
        bands.setdefault(category.frequency.bit_length(), []).append(category)
    found = []
    for power, members in sorted(bands.items()):
        values = np.array([category.f1 for category in members], dtype=float)
        found.append(
            FrequencyBand(
                low=(1 << power) >> 1,
                high=max((1 << power) - 1, 0),
                categories=len(members),
                macro_f1=tuple(float(value) for value in mean_of(values.T)),
            )
        )
    return tuple(found)
