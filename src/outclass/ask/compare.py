"""`compare`: data -> outcomes -> posteriors -> verdicts, Bayes factors, tests -> a Comparison."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from outclass.answers.comparison import Comparison
from outclass.ask.labels import check_many, many_labels, overall_question, refuse_with_many, wants_averages
from outclass.ask.question import (
    MeasureSpec,
    hdi_mass_of,
    is_by_label,
    listed,
    measures_of,
    named,
    outcomes_from,
    outcomes_of,
    prior_for,
    seed_of,
    settings_of,
)
from outclass.contrast import Question, contrast
from outclass.data.labels import Label
from outclass.data.multilabel import (
    Classes,
    Decisions,
    MultiLabel,
)
from outclass.data.outcomes import Outcomes
from outclass.data.pair import Pair, PairData
from outclass.data.published import counts_of, wins_of
from outclass.errors import InputError, quoted
from outclass.findings import finding
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.models import DEFAULT_MEASURES, model_name
from outclass.models.prior import Prior, prior_of
from outclass.parallel import side_by_side
from outclass.rows.checks.labels import warn_of_chains
from outclass.rows.types import Contrast
from outclass.verdict.rope import Rope, rope_of

if TYPE_CHECKING:
    from outclass.overall import Overall

MANY_ROWS, FEW_ITEMS, FEW_OF_A_CLASS = 30, 20, 10
BATCH, TOGETHER = 200, 25  # rows that are worth other processes, and pairs and labels that are sent there together
Asked = tuple[PairData, Label | None, Question]
COARSE = 5e-4  # still finer than what is printed
APART = ("unpaired", "goutte")  # the models of systems tested on different items
OVERALL_ONLY = ("bootstrap", "hierarchical", "decisions")  # the models of many labels alone


def compare(
    data: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    counts: Sequence[Any] | None = None,
    wins: str | Sequence[int] | None = None,
    items: int | None = None,
    measure: MeasureSpec | Sequence[MeasureSpec] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | Rope | None = None,
    model: str | None = None,
    prior: str | float | dict[str, Any] | Prior | None = None,
    hdi_mass: float = 0.95,
    names: Sequence[str] = ("A", "B"),
    rng: int | np.random.Generator | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    by: str | None = None,
    missing: str = "error",
    method: str = "auto",
    draws: int | None = None,
    tolerance: float | None = None,
    sampler: str = "nuts",
    form: str = "compact",
    chains: int | None = None,
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    group: str | None = None,
    average: str | None = None,
    undefined: str = "drop",
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare systems: is A really better than B, by how much, how sure, and does it matter?

    Parameters
    ----------
    data
        The true labels, with `a` and `b` the two systems' predictions; or a dataframe, a path, a glob, a list of paths,
        or `Outcomes`, with `truth` and `systems` naming the columns; or `Scores` (see `outclass.scores`).
    a, b
        Predictions, one label an item; or, with `model="unpaired"`, `a` may be the `Outcomes` of another test set.
    counts
        Instead of data, two published results: `dict(tp=10, fp=10, fn=4)` or 'tp=10,fp=10,fn=4', with tn if known.
    wins, items
        Instead of data, how often only A and only B was right, and on how many items: `wins=(17, 4), items=3299`.
    measure
        A name (see `outclass.measures`), a function of (tp, fp, fn, tn), a list of them, or 'all'. Default: F1.
    positive
        The positive label; needed where it is not plain.
    rope
        Differences too small to matter: one number, (low, high), open to one side for non-inferiority, (-0.02, inf), or
        a percentage of the smaller error, '10%'. Default: 0.05, in the unit of the measure.
    model
        'paired' (the systems saw the same items), 'unpaired', 'goutte' (TP, FP and FN of each, independent) or 'sign'
        (who alone was right). Default: 'paired'; 'goutte' for counts, 'sign' for wins.
    prior
        'matched' (calibrated for each measure; the default), 'uniform' (as in Zhang et al.), 'jeffreys' (as in Goutte &
        Gaussier, the default of their models), one pseudo-count per cell, or a mapping of mu, positives, negatives,
        cells, wins. The rates prevalence, recall and fpr may be ranges, '0.6..0.9', or any distribution of PyMC or
        PreliZ. Bayes factors are under the uniform prior unless you name another.
    hdi_mass
        The probability that the interval holds.
    names
        What to call the systems given as arrays.
    rng
        A seed or a generator; None is seed 0, so that the same call gives the same answer.
    truth, systems, count, id
        Columns of a frame or file. Without `systems`, every other column is one; more than two are compared in pairs.
    by
        'label' for one row a label, each against the rest.
    missing
        'error', 'drop' the items, or count missing predictions as 'wrong'.
    method, draws, tolerance
        'auto' and 'exact' integrate to within `tolerance` (1e-4; for more than 30 rows, fewer than 20 items or fewer
        than 10 of a class 5e-4, which is still finer than what is printed); 'draws' samples that many times; 'mcmc'
        runs chains (and is the default for a prior that is not conjugate). Measures over many labels are always
        sampled.
    sampler, form, chains
        Of mcmc (`pip install "outclass[mcmc]"`): 'nuts' (nutpie's; the default), 'metropolis' (the papers'), 'pymc',
        'numpyro'; 'compact' (counts) or 'original' (an event for each item); and how many chains.
    item, label, separator
        Many labels an item: columns of a long table of decisions, or what separates the labels in a cell.
    group, average
        A column of groups (documents, topics, reruns) whose items are not independent; and whether every item counts
        alike ('items', the default) or every group ('groups').
    undefined
        What an undefined value (0/0) of a label counts as in an average: 'drop' leaves it out, '0', '1'.
    progress
        Called with (rows done, rows in all).
    """
    if _are_scores(data):
        from outclass.ask.scores import compared, refuse_with_scores  # loaded for scores alone

        refuse_with_scores(a=a, b=b, counts=counts, wins=wins, items=items, positive=positive, prior=prior, by=by)
        refuse_with_scores(truth=truth, count=count, id=id, item=item, label=label, separator=separator, group=group)
        refuse_with_scores(tolerance=tolerance, chains=chains, method=None if method == "auto" else method)
        chosen_scores = data if systems is None else data.selected(systems)
        return compared(chosen_scores, measure, model, rope, hdi_mass, draws, rng, progress, average)
    many: Decisions | None = None
    if any(each is not None for each in (item, label, separator, group)):
        many = many_labels(
            data, truth=truth, systems=systems, count=count, item=item, label=label, separator=separator, group=group
        )
    elif isinstance(data, MultiLabel):
        refuse_with_many(a=a, b=b, counts=counts, wins=wins, items=items, truth=truth, count=count, id=id)
        many = data if systems is None else data.selected(systems)
    elif counts is None and wins is None and (model in OVERALL_ONLY or wants_averages(measure)):
        many = Classes(
            outcomes_from(data, a, b, names, truth=truth, systems=systems, count=count, id=id, missing=missing)
        )
    elif counts is None and wins is None and _may_be_many(data, a, model, measure, positive, by):
        # Read once; whatever is asked next, the outcomes are at hand.
        data = outcomes_from(data, a, b, names, truth=truth, systems=systems, count=count, id=id, missing=missing)
        a = b = truth = systems = count = None
        many = Classes(data) if len(data.labels) > 2 and len(data.systems) > 1 else None
    if average is not None and (many is None or group is None):
        raise InputError("average (--average) goes with items in groups: name their column (--group).")
    one_by_one: MultiLabel | None = None
    if isinstance(many, MultiLabel) and (by is not None or positive is not None) and model not in OVERALL_ONLY:
        one_by_one, many, truth, systems = many, None, None, None
    if many is not None:
        check_many(many, by if model != "hierarchical" else None, positive, method)
        # Read even where no chain is run, so that options of chains are not ignored in silence.
        how = settings_of(
            prior_of("uniform"),
            method=method,
            draws=draws,
            tolerance=None,
            seed=seed_of(rng),
            sampler=sampler,
            chains=chains,
            form=form,
            progress=progress,
        )
        return _overall(
            many,
            measure,
            model,
            prior,
            positive,
            rope,
            hdi_mass,
            draws,
            rng,
            undefined,
            progress,
            by_label=by == "label",
            chains=how if method == "mcmc" else None,
            average=average,
        )
    model = model_name(model or ("sign" if wins is not None else "goutte" if counts is not None else "paired"))
    chosen = prior_for(prior, model)
    question = Question(
        measures=measures_of(DEFAULT_MEASURES.get(model, "f1") if measure is None else measure, model),
        model=model,
        prior=chosen,
        rope=rope_of(rope),
        hdi_mass=hdi_mass_of(hdi_mass),
        settings=settings_of(
            chosen,
            method=method,
            draws=draws,
            tolerance=tolerance,
            seed=seed_of(rng),
            sampler=sampler,
            form=form,
            chains=chains,
        ),
    )
    _check_rope(question.rope, question.measures)
    by_label = is_by_label(by, positive)
    if one_by_one is not None:
        labels = _label_by_label(one_by_one, positive)
    else:
        columns = {"truth": truth, "systems": systems, "count": count, "id": id}
        if counts is not None or wins is not None or items is not None:
            pairs: Sequence[PairData] = [_counted(data, counts, wins, items, names, columns)]
        else:
            pairs = _pairs(data, a, b, names, model, missing=missing, **columns)
        labels = _labelled(pairs, positive, right_is_right=model == "sign" and not by_label, by_label=by_label)
    is_long = len(labels) * len(question.measures) > MANY_ROWS
    coarse = replace(question, settings=replace(question.settings, tolerance=COARSE))
    asked = [
        (trial, label, coarse if tolerance is None and (is_long or _are_few(trial, label)) else question)
        for trial, label in labels
    ]
    answer = Comparison(tuple(_answered(asked, progress)))
    warn_of_chains(answer.findings)
    return answer


def _are_scores(data: Any) -> bool:
    """Return whether the data are `Scores`, without loading what makes them: who has some, has loaded it."""
    module = sys.modules.get("outclass.data.scores")
    return module is not None and isinstance(data, module.Scores)


def _are_few(trial: PairData, label: Label | None) -> bool:
    """Return whether so few items, or items of a class, were tested that nobody looks at a fourth digit."""
    joint = trial.joint(label) if isinstance(trial, Pair) and label is not None else None
    return trial.items < FEW_ITEMS or (joint is not None and int(joint.sum(axis=1).min()) < FEW_OF_A_CLASS)


def _may_be_many(data: Any, a: Any, model: str | None, measure: Any, positive: Any, by: str | None) -> bool:
    """Return whether the data may hold many labels that are asked about together."""
    if positive is not None or by is not None or isinstance(a, Outcomes) or model not in (None, "paired", "unpaired"):
        return False
    if model == "unpaired" and isinstance(data, list | tuple) and len(data) == 2:
        return False  # two test sets
    return measure is None or all(averages.find(each) is not None for each in listed(measure))


def _labelled(
    pairs: Sequence[PairData], positive: Any, *, right_is_right: bool, by_label: bool
) -> list[tuple[PairData, Label | None]]:
    """Take every pair with every label that is to be the positive one."""
    if right_is_right and positive is None:
        return [(pair, None) for pair in pairs]  # whatever the label
    return [(pair, label) for pair in pairs for label in pair.positives(positive, by_label=by_label)]


def _label_by_label(decisions: MultiLabel, positive: Any) -> list[tuple[PairData, Label | None]]:
    """Take every label of items with many, or one of them, against the rest."""
    if len(decisions.systems) < 2:
        raise InputError("there is only one system; a comparison needs two.")
    true = [label for label, many in zip(decisions.labels, decisions.frequencies, strict=True) if many]
    if not true:
        raise InputError("no item has a label in the truth, so that there is nothing to be right about.")
    chosen = {label: decisions.of_label(label) for label in (true if positive is None else [str(positive)])}
    strange = sorted(set(decisions.labels) - set(true))
    if strange and positive is None:
        note = finding("OC110", f"predicted but never true, and so left out: {quoted(strange, most=5)}.")
        chosen = {label: replace(each, findings=(*each.findings, note)) for label, each in chosen.items()}
    return [
        (Pair(outcomes, a, outcomes, b), label)
        for a, b in combinations(decisions.systems, 2)
        for label, outcomes in chosen.items()
    ]


def _overall(
    decisions: Decisions,
    measure: Any,
    model: str | None,
    prior: Any,
    positive: Any,
    rope: Any,
    hdi_mass: float,
    draws: int | None,
    rng: Any,
    undefined: str,
    progress: Callable[[int, int], None] | None,
    *,
    by_label: bool = False,
    chains: Settings | None = None,
    average: str | None = None,
) -> Comparison:
    """Compare over many labels at once."""
    from outclass import overall  # loaded for many labels alone

    question = overall_question(
        decisions, measure, model, prior, positive, rope, hdi_mass, draws, rng, undefined, chains, average
    )
    if chains is not None and (question.model == "decisions" or chains.form == "original"):
        raise InputError("chains over many labels are of counts, with the paired, unpaired or hierarchical model.")
    question = replace(question, by_label=by_label)
    _check_rope(question.rope, question.measures)
    if len(decisions.systems) < 2:
        raise InputError("there is only one system; a comparison needs two. To judge it by itself, use evaluate.")
    if question.model == "decisions":
        return Comparison(tuple(_pooled(decisions, question)))
    answer = Comparison(tuple(overall.contrasts(decisions, question, progress)))
    warn_of_chains(answer.findings)
    return answer


def _pooled(decisions: Decisions, question: "Overall") -> list[Contrast]:
    """The papers' way: all decisions pooled, each taken as an item of its own."""
    from outclass import overall

    overall.check_measures(decisions, question)
    rows = []
    for a, b in combinations(decisions.systems, 2):
        cells = decisions.joints(a, b).sum(axis=0)
        labels = [(truth, x, y) for truth in (1, 0) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))]
        pooled = Outcomes.of_rows((a, b), labels, cells.ravel().tolist())
        names = [overall.POOLED[measure.name] for measure in question.measures]
        answer = compare(
            pooled,
            positive=1,
            measure=names,
            rope=question.rope,
            prior="uniform",
            hdi_mass=question.hdi_mass,
            rng=question.seed,
        )
        for row, measure in zip(answer.rows, question.measures, strict=True):
            note = finding(
                "OC401",
                "all decisions were pooled as if each were an item of its own, as in the papers; those on one item "
                "hang together, so that this is too sure. The paired model weights items instead.",
            )
            rows.append(
                replace(
                    row, measure=overall.info(measure), model="decisions", label=None, findings=(note, *row.findings)
                )
            )
    return rows


def _counted(
    data: Any, counts: Sequence[Any] | None, wins: Any, items: Any, names: Sequence[str], columns: Mapping[str, Any]
) -> PairData:
    """Return a trial of which only counts are known."""
    if counts is None and wins is None:
        raise InputError("the number of items (--items) goes with wins (--wins); data are counted.")
    if any(each is not None for each in columns.values()):
        raise InputError("counts and wins have no columns: leave out truth, systems, count and id.")
    if data is not None or (counts is not None and wins is not None):
        raise InputError("give one of data (files), counts (--counts) and wins (--wins), not several.")
    if wins is None and items is not None:
        raise InputError("the number of items (--items) goes with wins (--wins), not with counts.")
    if wins is not None:
        return wins_of(wins, items, named(names, 2))
    assert counts is not None
    found = counts_of(counts, named(names, 2) if not isinstance(counts, str) and len(counts) == 2 else None)
    if len(found.systems) != 2:
        raise InputError(f"a comparison needs two sets of counts, got {len(found.systems)}. For one, use evaluate.")
    return found.pairs()[0]


def _check_rope(rope: Rope, measures: Sequence[Measure | Average]) -> None:
    """Refuse a region that no difference can leave."""
    low, high = rope.interval
    for measure in measures:
        reach = measure.high - measure.low
        if not rope.relative and low <= -reach and high >= reach:
            raise InputError(
                f"the rope {low:g} to {high:g} holds every possible difference in {measure.title}, which cannot exceed "
                f"{reach:g}. Give the smallest difference that would matter."
            )


def _answered(asked: Sequence[Asked], progress: Callable[[int, int], None] | None) -> list[Contrast]:
    """Answer for every pair and label; a batch on all cores, or wherever joblib runs."""
    if len(asked) == 1:
        # Chains tell how far they are; many comparisons, how many are done.
        trial, label, question = asked[0]
        return contrast(trial, label, replace(question, settings=replace(question.settings, progress=progress)))
    rows: list[Contrast] = []
    whole = len(asked) * len(asked[0][2].measures)
    answers: Iterable[list[Contrast]] = (contrast(*each) for each in asked)
    if whole >= BATCH and asked[0][2].settings.method != "mcmc":
        # Chains see to their own cores; a short answer is there before another process is.
        answers = side_by_side(_batch, [(asked[at : at + TOGETHER],) for at in range(0, len(asked), TOGETHER)])
    for answer in answers:
        rows += answer
        if progress is not None:
            progress(len(rows), whole)
    return rows


def _batch(asked: Sequence[Asked]) -> list[Contrast]:
    """Answer for some pairs and labels, and let go of what the answers were made from."""
    rows = []
    for each in asked:
        found = contrast(*each)
        for row in found:
            row.forget()
        rows += found
    return rows


def _pairs(data: Any, a: Any, b: Any, names: Sequence[str], model: str, *, id: Any, **columns: Any) -> list[Pair]:
    """Return the pairs of systems to compare, and where their outcomes are."""
    if isinstance(a, Outcomes) or (isinstance(data, list | tuple) and len(data) == 2 and model in APART):
        if a is None and id is None and all(isinstance(path, str | Path) for path in data):
            # Two files without an id to join them on: two test sets.
            first, second = (outcomes_of(path, **columns) for path in data)
            if first.systems == second.systems and len(first.systems) == 1:
                stems = [Path(path).name.partition(".")[0] for path in data]
                first, second = (
                    each.renamed({each.systems[0]: stem}) for each, stem in zip((first, second), stems, strict=True)
                )
            data, a = first, second
        if isinstance(a, Outcomes):
            if b is not None:
                raise InputError(
                    "two test sets are compared as compare(first, second, model='unpaired'), without a third."
                )
            return [_separate(outcomes_of(data, **columns), a, model)]
    if (a is None) != (b is None):
        raise InputError("compare needs two systems: compare(y_true, a, b). For one, use evaluate(y_true, a).")
    outcomes = outcomes_from(data, a, b, names, id=id, **columns)
    if len(outcomes.systems) < 2:
        raise InputError(
            f"there is only one system, {quoted(outcomes.systems)}; a comparison needs two. "
            "To judge it by itself, use evaluate."
        )
    return [Pair(outcomes, first, outcomes, second) for first, second in combinations(outcomes.systems, 2)]


def _separate(first: Outcomes, second: Outcomes, model: str) -> Pair:
    """Pair the systems of two test sets."""
    if model not in APART:
        raise InputError("two test sets can only be compared with the unpaired or the goutte model (model='unpaired').")
    for outcomes in (first, second):
        if len(outcomes.systems) != 1:
            raise InputError(
                f"two test sets are compared with one system each, got {quoted(outcomes.systems)}. Name one of them."
            )
    if first.systems == second.systems:
        second = second.renamed({second.systems[0]: f"{second.systems[0]} (second set)"})
    return Pair(first, first.systems[0], second, second.systems[0])
