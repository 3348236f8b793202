"""`compare`: read → choose a model → fit → rows → a Comparison. Read this first: the whole path on one screen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np

from outclass.answers.comparison import Comparison
from outclass.ask import cost
from outclass.ask.dispatch import Plan, Task, as_coarse_as_shown, planned
from outclass.ask.handed import is_several
from outclass.ask.question import Compute, MeasureSpec, Options, Wishes, wishes_of
from outclass.ask.source import LogPart, log_parts, source_of
from outclass.data.outcomes import Outcomes
from outclass.data.pair import Pair
from outclass.data.scores import Scores
from outclass.data.slicing import Part, Sliced
from outclass.errors import InputError
from outclass.models.prior import Prior
from outclass.models.table_fit import fit as fit_table
from outclass.parallel import side_by_side
from outclass.rows.alike import alike, of_another_label
from outclass.rows.checks import warn_of_chains
from outclass.rows.contrast import KEPT, contrasts
from outclass.rows.failures import verdicts_of_failures
from outclass.rows.flips import Flips, flips_of
from outclass.rows.metrics import families_of_metric, rows_of_metric
from outclass.rows.slices import beside_each_other, of_all, of_part, without_answer
from outclass.rows.types import Contrast, SliceFamily
from outclass.verdict.rope import Rope

BATCH, TOGETHER = 200, 25  # rows that are worth other processes, and pairs and labels that are sent there together
APART: Final = ("unpaired", "goutte")  # the models of systems tested on different items


def compare(
    data: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    measure: MeasureSpec | Sequence[MeasureSpec] | None = None,
    positive: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = None,
    rope: float | str | Sequence[float] | Rope | None = None,
    model: str | None = None,
    prior: str | float | dict[str, Any] | Prior | None = None,
    hdi_mass: float = 0.95,
    undefined: str | None = None,
    average: str | None = None,
    compute: Compute | None = None,
    rng: int | np.random.Generator | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[Options],
) -> Comparison:
    """Compare systems: is A really better than B, by how much, how sure, and does it matter?

    Parameters
    ----------
    data
        The true labels, with the two systems' predictions in `a` and `b`; or a path, a glob, a list of paths, a
        dataframe, a mapping of columns, or the result of `outclass.read`, with the columns named by `truth` and
        `systems`.
    a, b
        Predictions, one per item; or `a` alone: a mapping of names to predictions, or a dataframe with a column per
        system. With `model="unpaired"`, `a` may be the `Outcomes` of another test set.
    measure
        A name (see `outclass.measures`), a function of (tp, fp, fn, tn), a list of them, or 'all'. Default: F1; with
        more than two labels, macro- and micro-F1; for scores, AUC; for results, their mean.
    positive
        The label treated as positive; required if it cannot be inferred.
    by
        'label' for one row per label, each against the rest. Or one or more columns, for one row per slice, as in
        'lang' or ['lang', 'length:4'] (four bins); with arrays, a mapping of names to arrays.
    rope
        Region of practical equivalence, the differences too small to matter: one number; (low, high); open to one side
        for non-inferiority, as in (-0.02, inf); or a percentage of the smaller error, '10%'. Default: 0.05, in the unit
        of the measure.
    model
        The statistical model, see docs/models.md. Default: 'paired' if both systems saw the same items; 'goutte' for
        counts, 'sign' for wins.
    prior
        'matched' (calibrated for each measure; the default), 'uniform' (as in Zhang et al.), 'jeffreys' (as in Goutte &
        Gaussier, the default of their models), one pseudo-count per cell, or a mapping of mu, positives, negatives,
        cells, wins. The rates prevalence, recall and fpr may be ranges, '0.6..0.9', or any PyMC or PreliZ distribution.
        Bayes factors use the uniform prior unless another is given.
    hdi_mass
        Probability mass of the highest-density interval.
    undefined
        How an undefined value (0/0) of a label counts in an average: 'drop' (default), '0' or '1'.
    average
        For items in groups: whether every item ('items', the default) or every group ('groups') has equal weight.
    compute
        Settings of the computation: `Compute(method=..., draws=..., tolerance=...)`. They can also be passed directly.
    rng
        Seed or NumPy generator. None means seed 0, so results are reproducible by default.
    progress
        Callback, called with (rows done, total rows).
    options
        Names of columns (`outclass.ask.columns.Columns`), the labels to average over or to leave out (`labels`,
        `exclude_labels`; see `LabelSets`), and settings of the computation (`Computation`). An option that would have
        no effect raises an error.
    """
    wishes, columns = wishes_of(locals())
    if (a is None) != (b is None) and not (isinstance(a, Outcomes | str | Path) or is_several(a)):
        raise InputError("compare needs two systems: compare(y_true, a, b). For one, use evaluate(y_true, a).")
    given = [each for each in (a, b) if each is not None]
    if (parts := log_parts(data, given, wishes, columns, strict=True)) is not None:
        return _of_logs(parts)
    source, wishes = source_of(data, given, wishes, columns, apart=model in APART)
    return _answered(source, wishes)


def _answered(source: Any, wishes: Wishes) -> Comparison:
    if isinstance(source, Sliced):
        return _by_slices(source, wishes)
    return answer_of(planned(source, wishes), wishes)


def _of_logs(parts: Sequence[LogPart]) -> Comparison:
    """Answer for every metric of evaluation logs, and say where the verdict depends on how failures count."""
    rows: list[Contrast] = []
    families: list[SliceFamily] = []
    flips: list[Flips] = []
    for part in parts:
        answer = _answered(part.source, part.wishes)
        found = answer.rows
        if part.strict is not None:
            found = verdicts_of_failures(found, _answered(part.strict, part.wishes).rows)
        own = rows_of_metric(found, part.metric) if len(parts) > 1 else found
        rows += own
        families += families_of_metric(answer.families, found, own)
        whole = part.source.whole if isinstance(part.source, Sliced) else part.source
        flips += flips_of(whole) if isinstance(whole, Scores) else ()
    return Comparison(tuple(rows), tuple(families), tuple(flips))


def answer_of(plan: Plan, wishes: Wishes) -> Comparison:
    """Fit and build the rows: tables one by one, all other data jointly."""
    rows = _of_tables(plan.tables, wishes.progress) if plan.tables else []
    for model, data, question in plan.fits:
        rows += contrasts(model.fit(data, question))
    if plan.fits:
        # Pair by pair, as everywhere, whatever the models were.
        order = {name: place for place, name in enumerate(dict.fromkeys(s.name for row in rows for s in row.systems))}
        rows.sort(key=lambda row: [order[system.name] for system in row.systems])
    answer = Comparison(tuple(rows))
    warn_of_chains(answer.findings)
    return answer


def _by_slices(source: Sliced, wishes: Wishes) -> Comparison:
    """Ask the same of all items and of every slice, and pool the slices of each column."""
    plan = planned(source.whole, wishes)
    if plan.tables:
        tasks = [*plan.tables, *(task for part in source.parts for task in _of_part(plan.tables, part, wishes))]
        question = tasks[0][2]
        cost.announce(cost.cost_of_tables(source.whole, len(tasks) * len(question.measures), question))
        rows = _of_tables(tasks, wishes.progress)
        each = len(rows) // (1 + len(source.parts))
        found = [rows[at : at + each] for at in range(0, len(rows), each)]
    else:
        found = [list(answer_of(plan, wishes).rows)]
        for part in source.parts:
            found.append(_part_rows(part, wishes, found[0], source.items))
    whole = [of_all(row, source.items) for row in found[0]]
    slices = [
        row if row.slice is not None else of_part(row, part, source.items)
        for part, own in zip(source.parts, found[1:], strict=True)
        for row in own
    ]
    kept, families = beside_each_other([*whole, *slices])
    answer = Comparison(tuple(kept), tuple(families))
    warn_of_chains(answer.findings)
    return answer


def _of_part(tasks: Sequence[Task], part: Part, wishes: Wishes) -> Iterable[Task]:
    """Return the comparisons of a slice: those of all items, with the same positive labels, but no finer than shown."""
    for pair, label, question in as_coarse_as_shown(tasks, wishes):
        assert isinstance(pair, Pair)
        own = part.data if len(part.data.systems) == 2 else part.data.selected((pair.a, pair.b))
        yield Pair(own, pair.a, own, pair.b), label, question


def _part_rows(part: Part, wishes: Wishes, whole: Sequence[Contrast], items: int) -> list[Contrast]:
    """Return the rows of a slice; what cannot be computed is shown as such, with the reason."""
    if part.data is None:
        return [without_answer(row, part, items, part.why) for row in whole]
    try:
        found = list(answer_of(planned(part.data, wishes), wishes).rows)
    except InputError as error:
        return [without_answer(row, part, items, str(error)) for row in whole]
    own = {_key(row): row for row in found}
    why = "the measure is undefined."
    return [own.get(_key(row)) or without_answer(row, part, items, why) for row in whole]


def _key(row: Contrast) -> tuple[Any, ...]:
    return (*(system.name for system in row.systems), row.measure.name, row.label)


def _of_tables(tasks: Sequence[Task], progress: Callable[[int, int], None] | None) -> list[Contrast]:
    """Answer for every pair and label; a batch on all cores, or wherever joblib runs."""
    if len(tasks) == 1:
        # Chains tell how far they are; many comparisons, how many are done.
        return _batch([tasks], progress, keep=True)
    measures = len(tasks[0][2].measures)
    places = alike(tasks)
    groups = [[tasks[place] for place in group] for group in places]
    answers: Iterable[list[Contrast]] = (_batch([each], keep=len(tasks) * measures <= KEPT) for each in groups)
    if len(groups) * measures >= BATCH and tasks[0][2].settings.method != "mcmc":
        # Chains see to their own cores; a short answer is there before another process is.
        answers = side_by_side(_batch, [(groups[at : at + TOGETHER],) for at in range(0, len(groups), TOGETHER)])
    found: list[Contrast] = []
    for answer in answers:
        found += answer
        if progress is not None:
            progress(len(found), len(tasks) * measures)
    order = np.argsort([place for group in places for place in group])
    return [row for at in order.tolist() for row in found[at * measures : (at + 1) * measures]]


def _batch(
    groups: Sequence[Sequence[Task]], progress: Callable[[int, int], None] | None = None, *, keep: bool = False
) -> list[Contrast]:
    """Answer for some pairs and labels, those that are alike together; drop the posteriors unless they are kept."""
    rows = []
    for (pair, label, question), *others in groups:
        own = replace(question, settings=replace(question.settings, progress=progress), progress=None)
        fit = fit_table(pair, label, own)
        found = contrasts(fit)
        for other, another, _ in others:
            found += of_another_label(found[: len(own.measures)], fit, other, another)
        for row in () if keep else found:
            row.forget()
        rows += found
    return rows
