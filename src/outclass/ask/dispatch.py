"""Which model answers: the one that was named, or the first that fits the data and knows the measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from outclass.ask import cost
from outclass.ask.average_measures import averages_of, undefined_of
from outclass.ask.in_turn import check_one_label, in_turn
from outclass.ask.label_sets import rows_asked
from outclass.ask.question import Wishes, is_average_only, is_by_label, listed, measures_of, prior_for
from outclass.ask.source import check_two
from outclass.ask.used import check_used
from outclass.data.annotated import Annotated
from outclass.data.classes import Parts
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.pair import Pair, PairData, TwoSets
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_lists import PartlyLists
from outclass.data.published import PublishedCounts, WinCounts
from outclass.data.runs import Runs
from outclass.data.unit_counts import GroupedCounts, PerItem, UnitCounts
from outclass.errors import InputError, quoted, shown, unknown
from outclass.findings import finding
from outclass.measures import averages
from outclass.models import model_for, model_of, models_of
from outclass.models.clusters import average_of
from outclass.models.decisions import decisions_of
from outclass.models.prior import MATCHED, PRESETS
from outclass.models.question import Question
from outclass.models.weights import CELLS
from outclass.verdict.rope import Rope, rope_of

Task = tuple[PairData, Label | None, Question]
MANY_ROWS, FEW_ITEMS, FEW_OF_A_CLASS = 30, 20, 10
MOST_WEIGHTS: Final = 2e10  # draws of units, for all systems together
COARSE: Final = 5e-4  # still finer than what is printed


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done: pairs of counts, each by itself; or fits of all systems at once."""

    tables: tuple[Task, ...] = ()
    fits: tuple[tuple[Any, Any, Question], ...] = ()  # the model, the data and the question


def planned(source: Any, wishes: Wishes) -> Plan:
    """Choose the models of a comparison."""
    check_two(source, "a comparison")
    if isinstance(source, PublishedCounts | WinCounts | TwoSets):
        return _of_counts(source, wishes)
    if isinstance(source, Annotated | Grouped | PerItem | PartlyLabelled | PartlyLists):
        return _announced(source, groups_planned(source, wishes))
    if isinstance(source, Runs):
        from outclass.ask.run_questions import runs_planned  # loaded for runs alone

        return Plan(fits=tuple(runs_planned(source, wishes)))
    if isinstance(source, Outcomes | MultiLabel):
        return _of_tables(source, wishes) if _one_label(source, wishes) else _of_units(source, wishes)
    from outclass.ask.numbers import planned_numbers  # loaded for numbers alone

    return _announced(source, list(planned_numbers(source, wishes)))


def _announced(source: Any, fits: Sequence[tuple[Any, Any, Question]]) -> Plan:
    """Say what fits of numbers or of groups cost, if it is much."""
    cost.announce(cost.cost_of_others(source, [question for _, _, question in fits]))
    return Plan(fits=tuple(fits))


def _one_label(source: Outcomes | MultiLabel, wishes: Wishes) -> bool:
    """Return whether one label at a time is asked about, rather than all together."""
    only_units = set(models_of("units")) - set(models_of("table"))
    if wishes.model in only_units or wishes.some_labels:
        return False
    if isinstance(source, MultiLabel):
        return wishes.by is not None or wishes.positive is not None
    named = [] if wishes.measure is None else listed(wishes.measure)
    if any(is_average_only(each) for each in named):
        return False
    one = wishes.positive is not None or wishes.by is not None or len(source.labels) <= 2
    of_labels = all(averages.find(each) is not None for each in named)
    return one or not of_labels or wishes.model not in (None, *models_of("units"))


# --- counts ----------------------------------------------------------------------------------------------------------


def table_question(wishes: Wishes, usual: str, view: str = "table") -> Question:
    """Collect the question about counts."""
    model = wishes.model or usual
    if model not in models_of(view):
        others = [] if view == "one" else models_of("units")
        raise unknown("model" if view == "table" else "model of one system", str(model), [*models_of(view), *others])
    known = model_of(model, [view])
    prior = prior_for(wishes.prior, model)
    compute = wishes.compute
    if prior.laws and compute.method is None:
        compute = replace(compute, method="mcmc")
    check_used(wishes.given, view, model, known, compute.method)
    question = Question(
        measures=measures_of(known.measure if wishes.measure is None else wishes.measure, model),
        model=model,
        prior=prior,
        rope=rope_of(wishes.rope),
        hdi_mass=wishes.hdi_mass,
        settings=compute.settings(wishes.seed),
        progress=wishes.progress,
    )
    for measure in question.measures:
        if question.settings.method == "exact" and getattr(measure, "ratio", None) is None:
            raise InputError(f"{measure.title} cannot be integrated exactly; use ⟨method=auto⟩, which samples it.")
    return question


def _of_counts(source: PublishedCounts | WinCounts | TwoSets, wishes: Wishes) -> Plan:
    if isinstance(source, PublishedCounts):
        from outclass.ask import published  # loaded for published results alone

        question = published.question_of(source, wishes)
        if source.same_items:
            check_rope(question.rope, question.measures)
            tasks = published.same_items(source, question, wishes)
            return Plan(tables=tuple(_as_fine_as_needed([(pair, label)], own, wishes)[0] for pair, label, own in tasks))
    else:
        question = table_question(wishes, "sign" if isinstance(source, WinCounts) else "unpaired")
    check_rope(question.rope, question.measures)
    if isinstance(source, TwoSets):
        if not model_of(question.model).apart:
            raise InputError(
                "two test sets can only be compared with the unpaired or the goutte model (⟨model=unpaired⟩)."
            )
        pairs: Sequence[PairData] = [source.pair()]
    else:
        pairs = source.pairs() if isinstance(source, PublishedCounts) else [source]
    by_label = is_by_label(wishes.by, wishes.positive)
    labels = []
    for pair in pairs:
        rows = pair.positives(wishes.positive, by_label=by_label)
        both = dict.fromkeys((*pair.first.labels, *pair.second.labels)) if isinstance(pair, Pair) else rows
        labels += [(pair, label) for label in rows_asked(rows, wishes, list(both), by_label=by_label)]
    cost.announce(cost.cost_of_tables(source, len(labels) * len(question.measures), question))
    return Plan(tables=_as_fine_as_needed(labels, question, wishes))


def _of_tables(source: Outcomes | MultiLabel, wishes: Wishes) -> Plan:
    """Take one label at a time: every pair with every label that is to be the positive one."""
    question = table_question(wishes, "paired")
    check_rope(question.rope, question.measures)
    by_label = is_by_label(wishes.by, wishes.positive)
    labels: list[tuple[PairData, Label | None]] = []
    true = np.count_nonzero(source.frequencies) if isinstance(source, MultiLabel) else len(source.true_labels)
    rows = cost.pairs_of(source) * (true if by_label else 1) * len(question.measures)
    cost.announce(cost.cost_of_tables(source, int(rows), question))
    if isinstance(source, MultiLabel):
        labels = _label_by_label(source, wishes)
    else:
        # A pair is counted by itself: rows of many systems are all different, those of two are few.
        owns = [
            (source if len(source.systems) == 2 else source.selected(pair), *pair)
            for pair in combinations(source.systems, 2)
        ]
        pairs = [Pair(own, a, own, b) for own, a, b in owns]
        if question.model == "sign" and not by_label and wishes.positive is None:
            labels = [(pair, None) for pair in pairs]  # whatever the label
        else:
            turns = pairs[0].positives(wishes.positive, by_label=by_label)
            turns = rows_asked(turns, wishes, source.labels, by_label=by_label)
            labels = [(pair, each) for pair in pairs for each in turns]
    return Plan(tables=_as_fine_as_needed(labels, question, wishes))


def _label_by_label(decisions: MultiLabel, wishes: Wishes) -> list[tuple[PairData, Label | None]]:
    """Take every label of items with many, or some of them, against the rest."""
    outcomes = one_by_one(decisions, wishes)
    pairs = combinations(decisions.systems, 2)
    return [(Pair(own, a, own, b), label) for a, b in pairs for label, own in outcomes.items()]


def one_by_one(decisions: MultiLabel | PartlyLists, wishes: Wishes) -> dict[Label, Any]:
    """Return the outcomes of every label that is ever true, or of some, against the rest."""
    positive = wishes.positive
    true = [label for label, many in zip(decisions.labels, decisions.frequencies, strict=True) if many]
    if not true:
        raise InputError("no item has a true label, so there is nothing to evaluate.")
    if positive is not None:
        return {str(positive): decisions.of_label(str(positive))}
    strange = sorted(set(decisions.labels) - set(true))
    never = "true of no labelled item" if isinstance(decisions, PartlyLists) else "never true"
    told = f"predicted but {never}, and therefore dropped: {quoted(strange, most=5)}."
    notes = [finding("OC110", told)] if strange else []
    asked = rows_asked(true, wishes, decisions.labels, by_label=wishes.by == "label")
    found = {label: decisions.of_label(label) for label in asked}
    return {label: replace(own, findings=(*own.findings, *notes)) for label, own in found.items()}


def _as_fine_as_needed(
    labels: Sequence[tuple[PairData, Label | None]], question: Question, wishes: Wishes
) -> tuple[Task, ...]:
    """Spare digits that nobody looks at, unless a tolerance was named."""
    long = len(labels) * len(question.measures) > MANY_ROWS
    tasks = [(pair, label, question) for pair, label in labels]
    coarse = as_coarse_as_shown(tasks, wishes)
    return tuple(
        rough if long or _are_few(task[0], task[1]) else task for task, rough in zip(tasks, coarse, strict=True)
    )


def as_coarse_as_shown(tasks: Sequence[Task], wishes: Wishes) -> list[Task]:
    """Return comparisons that are computed no more finely than they are printed, unless a tolerance was named."""
    if wishes.compute.tolerance is not None:
        return list(tasks)
    return [
        (pair, label, replace(question, settings=replace(question.settings, tolerance=COARSE)))
        for pair, label, question in tasks
    ]


def _are_few(pair: PairData, label: Label | None) -> bool:
    """Return whether so few items, or items of a class, were tested that nobody looks at a fourth digit."""
    joint = pair.joint(label) if isinstance(pair, Pair) and label is not None else None
    return pair.items < FEW_ITEMS or (joint is not None and int(joint.sum(axis=1).min()) < FEW_OF_A_CLASS)


def check_rope(rope: Rope, wanted: Sequence[Any]) -> None:
    """Raise an error for a region that no difference can leave."""
    low, high = rope.interval
    for measure in wanted:
        reach = measure.high - measure.low
        if not rope.relative and low <= -reach and high >= reach:
            raise InputError(
                f"the rope {low:g} to {high:g} contains every possible difference in {measure.title}, which cannot "
                f"exceed {reach:g}. Use the smallest difference that would matter."
            )


# --- many labels -----------------------------------------------------------------------------------------------------


def units_question(
    decisions: Decisions, wishes: Wishes, *, one_measure: bool = False, view: str = "units"
) -> tuple[Any, Question]:
    """Choose the model of many labels or of groups, and collect the question."""
    key = wishes.model or models_of(view)[0]
    known = model_for(key, view)
    check_used(wishes.given, view, key, known, wishes.compute.method, ranks=one_measure)
    named = {"groups": "groups", "unit_counts": "counts per item", "judged": "partly labelled items"}
    what = f"the {key} model for {named.get(view, 'many labels')}"
    if wishes.compute.method == "exact" or (wishes.compute.method == "mcmc" and not known.chains):
        told = "; measures over many labels can only be sampled" if wishes.compute.method == "exact" else ""
        raise InputError(f"⟨method={wishes.compute.method}⟩ does not apply to {what}{told}. Use ⟨method=auto⟩.")
    undefined = undefined_of(wishes.undefined)
    wanted = averages_of(
        decisions,
        known.usual if wishes.measure is None else wishes.measure,
        wishes.positive,
        known=(known.measures, what),
        sets=(wishes.labels, wishes.exclude_labels),
    )
    if all(measure.label is not None for measure in wanted):
        wishes.without("one label at a time", "undefined")
    if one_measure and len(wanted) != 1:
        raise InputError("a ranking uses one measure; name one (⟨measure⟩).")
    check_rope(rope_of(wishes.rope), wanted)
    labels = len(decisions.labels)
    cells = labels**2 // 3 if any(measure.matrix for measure in wanted) else labels  # a label has three counts
    size = len(decisions.systems), len(decisions.units), max(labels, cells)
    return known, Question(
        measures=wanted,
        model=key,
        rope=rope_of(wishes.rope),
        hdi_mass=wishes.hdi_mass,
        settings=wishes.compute.settings(
            wishes.seed,
            usual_draws=None
            if wishes.compute.method == "mcmc"
            else cost.usual_draws(*size, cost.RANKING_DRAWS if one_measure else cost.DRAWS),
            progress=wishes.progress,
        ),
        mass=_mass_of(wishes.prior),
        undefined=undefined,
        average=average_of(wishes.average),
        by_label=wishes.by == "label",
        progress=wishes.progress,
    )


def _of_units(source: Outcomes | MultiLabel, wishes: Wishes) -> Plan:
    decisions: Decisions = Classes(source) if isinstance(source, Outcomes) else source
    if wishes.by is not None and wishes.model != "hierarchical":
        raise InputError("⟨by=label⟩ analyses one label at a time; leave it out for averages over labels.")
    is_by_label(wishes.by, wishes.positive)
    fixed = wishes.model is not None and model_for(wishes.model, "units").measures is not None
    if wishes.positive is not None and (fixed or isinstance(decisions, MultiLabel)):
        raise InputError("these models use all labels together: leave out ⟨positive⟩.")
    known, question = units_question(decisions, wishes)
    apart = question.model == "decisions" or is_apart(decisions, question)
    cost.announce(cost.cost_of_draws(source, cost.pairs_of(source) * len(question.measures), question, apart=apart))
    if apart:
        pairs = [source.selected(pair) for pair in combinations(source.systems, 2)]
        each = [Classes(own) if isinstance(own, Outcomes) else own for own in pairs]
        return Plan(fits=tuple((known, own, question) for own in each))
    return Plan(fits=((known, decisions, question),))


def is_apart(decisions: Decisions, question: Question) -> bool:
    """Return whether systems or pairs are drawn by themselves, from their own counts.

    That is the same posterior: patterns that look alike to a pair of systems add up to one, and so do their weights.
    It takes other draws, though, so that it is done only where drawing all systems together would take minutes.
    """
    whole = isinstance(decisions, Parts) or not isinstance(decisions, Classes)
    if question.model != "paired" or whole or question.settings.method == "mcmc":
        return False
    return len(decisions.systems) * len(decisions.units) * question.settings.draws > MOST_WEIGHTS


def groups_planned(
    source: Annotated | Grouped | PerItem | PartlyLabelled | PartlyLists, wishes: Wishes
) -> list[tuple[Any, Any, Question]]:
    """Choose the model of labels in groups, by annotators, of counts per item, or of partly labelled items.

    All labels are asked about together, or each in turn.
    """
    if isinstance(source, PartlyLists):
        check_one_label(wishes)
        tables = one_by_one(source, wishes)
        each = replace(wishes, by=None, labels=None, exclude_labels=None)
        planned_one = ((label, groups_planned(own, replace(each, positive=label))) for label, own in tables.items())
        by_label = wishes.by is not None
        return [in_turn(fit, label) if by_label else fit for label, fits in planned_one for fit in fits]
    decisions, view = decisions_of(source), view_of(source)
    if not is_by_label(wishes.by, wishes.positive):
        known, asked = units_question(decisions, wishes, view=view)
        return [(known, decisions, asked)]
    true: Sequence[Label] = _true_labels(source) if isinstance(source, PerItem) else source.outcomes.true_labels
    each = replace(wishes, by=None, labels=None, exclude_labels=None, measure=wishes.measure or "f1")
    found = []
    for label in rows_asked(true, wishes, source.labels, by_label=True):
        known, asked = units_question(decisions, replace(each, positive=label), view=view)
        fit = (known, decisions, asked)
        found.append(in_turn(fit, label) if view == "judged" else fit)
    return found


def view_of(source: Any) -> str:
    """Return which models of all labels together take data."""
    if isinstance(source, Grouped | GroupedCounts):
        return "groups"
    if isinstance(source, UnitCounts):
        return "unit_counts"
    return "judged" if isinstance(source, PartlyLabelled) else "units"


def _true_labels(source: PerItem) -> list[str]:
    """Return the labels that occur in the truth."""
    if not source.typed:
        raise InputError("⟨by=label⟩ needs labels, and these counts have none: name their column (⟨label=COL⟩).")
    return [source.labels[place] for place in np.flatnonzero(source.frequencies)]


def _mass_of(prior: Any) -> float | None:
    """Read the prior over many labels: a preset or a pseudo-count per cell of two classes; as many items in all."""
    if prior is None or (isinstance(prior, str) and prior.strip().lower() == MATCHED):
        return None
    spec = PRESETS.get(prior.strip().lower(), prior) if isinstance(prior, str) else prior
    try:
        count = float(spec)
    except (TypeError, ValueError):
        raise InputError(
            f"with many labels the prior must be {quoted([MATCHED, *PRESETS])}, or a pseudo-count per cell (0 for "
            f"none); got {shown(prior)}."
        ) from None
    if not 0 <= count <= 1e6:
        raise InputError(f"the pseudo-count of a prior must lie between 0 and a million, got {count:g}.")
    return CELLS * count
