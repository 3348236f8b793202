"""`test`: the frequentist battery."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outclass import measures
from outclass.answers.test_report import TestReport
from outclass.ask.labels import averages_of, grouped_labels
from outclass.ask.question import MeasureSpec, is_average_only, listed, measures_of, named, outcomes_from, seed_of
from outclass.data.labels import Label
from outclass.data.multilabel import (
    Decisions,
    Grouped,
    MultiLabel,
    frequencies_of,
    read_multilabel,
)
from outclass.data.outcomes import Outcomes
from outclass.data.score_tables import read_scores, read_table, scores_of
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted, shown, unknown
from outclass.findings import Finding
from outclass.measures import averages
from outclass.models.clusters import Groups, average_of
from outclass.rows.checks.groups import notice_number
from outclass.significance.result import check_alternative
from outclass.testing.battery import (
    Plan,
    bands_of,
    battery,
    categories_of,
    materials,
    run_tests,
    system_scores,
)
from outclass.verdict.rope import rope_of


def test(
    data: Any,
    a: Any = None,
    b: Any = None,
    *,
    tests: str | Sequence[str] | None = None,
    every: bool = False,
    alternative: str | None = None,
    measure: MeasureSpec | Sequence[MeasureSpec] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | None = None,
    undefined: str = "drop",
    by: str | None = None,
    frequencies: Mapping[str, int] | str | Path | None = None,
    names: Sequence[str] = ("A", "B"),
    rng: int | np.random.Generator | None = None,
    draws: int | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    group: str | None = None,
    average: str | None = None,
    scores: bool = False,
    missing: str = "error",
) -> TestReport:
    """Test systems the frequentist way: the battery that fits the data, each with its effect and what it assumes.

    Parameters
    ----------
    data, a, b, names, truth, systems, count, id, missing, positive, measure, rope, rng
        As in `compare`. With more than two labels and no `positive`, categories are tested, one a label.
    tests, every
        Names of tests; or all that the data allow; or, by default, those that fit.
    alternative
        'two-sided', 'greater', 'less' or 'observed' (the side seen, as Yang & Liu take it); None is each test's own.
    undefined
        What an undefined F1 (0/0) of a category counts as: 'drop' leaves it out, '0', '1'.
    by, frequencies
        'frequency' for macro-F1 by how common categories are: in the truth, or as the mapping or file says.
    item, label, separator
        Many labels an item: columns of a long table of decisions, or what separates the labels in a cell.
    group, average
        A column of groups whose items are not independent: whole groups are swapped and left out; and whether every
        item counts alike ('items', the default) or every group ('groups').
    scores
        The systems give scores, not labels: beside a truth for the AUC, without one results (or give `Scores`).
    draws
        Of the bootstrap, and of random swaps.
    """
    if by not in (None, "frequency", "label"):
        raise InputError(f"by can only be 'frequency' or 'label', got {shown(by)}.")
    plan = _plan(measure, rope, alternative, undefined, draws, rng)
    source = _source(
        data,
        a,
        b,
        names,
        scores=scores,
        positive=positive,
        missing=missing,
        group=group,
        columns={"truth": truth, "systems": systems, "count": count, "id": id},
        many={"item": item, "label": label, "separator": separator},
    )
    if isinstance(source, Grouped):
        plan = replace(plan, averages=averages_of(source, measure, positive))
    if isinstance(source, MultiLabel) and positive is not None:
        source = source.of_label(str(positive))
    plan = replace(plan, average=_average(source, average))
    if len(source.values if isinstance(source, Scores) else source.systems) < 2:
        raise InputError("there is only one system; a test needs two.")
    chosen = _tested_label(source, positive, by)
    whole, pairs, kinds, noted = materials(source, plan, chosen)
    noted = (*noted, *_said_of_groups(source, plan))
    if not isinstance(source, Grouped):
        _check_measures_of(whole.decisions, measure)
    asked = [tests] if isinstance(tests, str) else tests
    rows = run_tests(battery(kinds, asked, every=every), whole, pairs, asked=bool(asked))
    found = TestReport(tuple(rows), noted=noted, seed=plan.seed, items=_items(source), positive=chosen, rope=plan.rope)
    if whole.decisions is None:
        if by is not None or frequencies is not None:
            raise InputError("there are no categories here: by and frequencies go with more than two labels.")
        return found
    counts = frequencies_of(frequencies) if isinstance(frequencies, str | Path) else frequencies
    categories = categories_of(whole.decisions, counts, plan.undefined)
    return replace(
        found,
        scores=system_scores(whole.decisions, plan.undefined),
        categories=categories,
        bands=bands_of(categories) if by == "frequency" else (),
        undefined=plan.undefined,
    )


test.__test__ = False  # type: ignore[attr-defined]  # not a pytest test, whatever its name says


Source = Outcomes | MultiLabel | Grouped | Scores


def _source(
    data: Any,
    a: Any,
    b: Any,
    names: Sequence[str],
    *,
    scores: bool,
    positive: Any,
    missing: str,
    group: str | None,
    columns: Mapping[str, Any],
    many: Mapping[str, Any],
) -> Source:
    """Read whatever is tested."""
    truth, systems = columns["truth"], columns["systems"]
    if group is not None and (a is not None or b is not None or isinstance(data, Scores | MultiLabel)):
        raise InputError(
            "groups are a column of a table: give a dataframe or a path; of scores, name the group when they are read, "
            "scores(data, group=...)."
        )
    if isinstance(data, Scores | MultiLabel):
        return data if systems is None else data.selected(systems)
    if scores and a is None and (truth is None or group is not None):
        return read_table(data, truth=truth, systems=systems, positive=positive, item=many["item"], group=group)
    if scores:
        return _scores(data, a, b, names, truth=truth, systems=systems, positive=positive)
    if group is not None:
        return grouped_labels(data, group=group, truth=truth, systems=systems, count=columns["count"], **many)
    if any(each is not None for each in many.values()):
        return read_multilabel(data, truth=truth, systems=systems, **many)
    return outcomes_from(data, a, b, names, missing=missing, **columns)


def _plan(measure: Any, rope: Any, alternative: str | None, undefined: str, draws: int | None, rng: Any) -> Plan:
    """Collect what is to be tested, and how."""
    if str(undefined) not in averages.UNDEFINED:
        raise InputError(f"undefined must be one of {quoted(averages.UNDEFINED)}, got {shown(undefined)}.")
    if draws is not None and not 100 <= draws <= 10_000_000:
        raise InputError(f"draws must lie between 100 and 10,000,000, got {draws}.")
    asked = ["f1"] if measure is None else listed(measure)
    found = averages.USUAL if measure is None else asked
    return Plan(
        measures=measures_of([each for each in asked if not is_average_only(each)] or "f1"),
        averages=tuple(average for each in found if (average := averages.find(each)) is not None),
        rope=rope_of(rope).fixed("tests"),
        alternative=None if alternative is None else check_alternative(alternative),
        undefined=str(undefined),
        seed=seed_of(rng),
        draws=draws,
    )


def _tested_label(source: Source, positive: Any, by: str | None) -> Label | None:
    """Return the label that is tested against the rest; None if all are."""
    if not isinstance(source, Outcomes):
        return None
    source.require_two_classes()
    return source.positive(positive) if positive is not None or (len(source.labels) == 2 and by is None) else None


def _check_measures_of(decisions: Decisions | None, measure: Any) -> None:
    """Refuse a measure that these data have not got, rather than leave it out."""
    for each in [] if measure is None else listed(measure):
        if decisions is not None and averages.find(each) is None:
            raise unknown("measure of many labels", str(each), averages.AVERAGES)
        if decisions is None and is_average_only(each):
            raise unknown("measure of two classes", str(each), measures.MEASURES)


def _average(source: Source, average: str | None) -> str:
    """Refuse an average of groups where there are none."""
    grouped = isinstance(source, Grouped) or (isinstance(source, Scores) and source.group is not None)
    if average is not None and not grouped:
        raise InputError("average (--average) goes with items in groups: name their column (--group).")
    return average_of(average)


def _said_of_groups(source: Source, plan: Plan) -> tuple[Finding, ...]:
    """Say how many groups the tests rest on."""
    group = source.group if isinstance(source, Grouped | Scores) else None
    return () if group is None else tuple(notice_number(Groups(group, plan.average)))


def _items(source: Source) -> int:
    return len(source) if isinstance(source, Scores) else source.items


def _scores(data: Any, a: Any, b: Any, names: Sequence[str], **columns: Any) -> Scores:
    if a is None:
        return read_scores(data, **columns)
    return scores_of(data, dict(zip(named(names, 2), (a, b), strict=True)), columns["positive"])
