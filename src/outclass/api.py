"""READ FIRST: the whole road on one screen.

data (arrays, frame, files) -> `Outcomes` -> a model's posterior -> verdict, Bayes factors, tests -> an answer.
"""

import glob
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from outclass import measures, overall
from outclass.answers import Comparison, Evaluation
from outclass.battery import Battery
from outclass.contrast import ONE_SYSTEM, Question, appraise, contrast
from outclass.data.arrays import from_arrays
from outclass.data.labels import Label
from outclass.data.multilabel import (
    Classes,
    Decisions,
    MultiLabel,
    columns_of_any,
    frequencies_of,
    read_grouped,
    read_multilabel,
)
from outclass.data.outcomes import Outcomes
from outclass.data.published import scoreboard_of, tallies_of, tally_of
from outclass.data.scores import Scores, read_scores, scores_of
from outclass.data.state import State, is_state, read_state
from outclass.data.trial import Pair, Trial
from outclass.errors import InputError, did_you_mean, quoted, unknown
from outclass.findings import finding
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.models import ALL_MEASURES, DEFAULT_MEASURES, DEFAULT_PRIORS, PRIOR_PARTS, model_name
from outclass.models.prior import Prior, check_parts, prior_of
from outclass.overall import Overall
from outclass.planning.characteristics import characteristics as rule_characteristics
from outclass.planning.many import ManyPilot
from outclass.planning.pool import Labelling, next_items
from outclass.planning.power import MODELS as PLANNED
from outclass.planning.power import Goal, Rule, goal_of
from outclass.planning.scenario import Pilot, Scenario, of_rates, share_of, shared_agreement, shares_of
from outclass.planning.study import powers, searched
from outclass.plans import Plan as PlanAnswer
from outclass.ranking import Ranking
from outclass.results import Contrast
from outclass.significance.result import check_alternative
from outclass.testing import (
    Plan,
    bands_of,
    battery,
    categories_of,
    materials,
    run_tests,
    system_scores,
)
from outclass.verdict.rope import rope_of

MANY_ROWS, FEW_ITEMS = 30, 20
OVERALL_ONLY = ("bootstrap", "hierarchical", "decisions")  # the models of many labels alone
APART = ("unpaired", "goutte")  # the models of systems tested on different items
MeasureSpec = str | Measure | Callable[..., Any]


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
    rope: float | str | Sequence[float] = 0.05,
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
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    group: str | None = None,
    undefined: str = "drop",
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare systems: is A really better than B, by how much, how sure, and does it matter?

    Parameters
    ----------
    data
        The true labels, with `a` and `b` the two systems' predictions; or a dataframe, a path, a glob, a list of paths,
        or `Outcomes`, with `truth` and `systems` naming the columns.
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
        Differences too small to matter: one number, or (low, high).
    model
        'paired' (the systems saw the same items), 'unpaired', 'goutte' (TP, FP and FN of each, independent) or 'sign'
        (who alone was right). Default: 'paired'; 'goutte' for counts, 'sign' for wins.
    prior
        'uniform' (as in Zhang et al.), 'jeffreys' (as in Goutte & Gaussier), one pseudo-count, or a mapping of mu,
        positives, negatives, cells, wins. Default: as in the model's paper.
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
        'auto' and 'exact' integrate to within `tolerance` (1e-4; for more than 30 rows or fewer than 20 items 5e-4,
        which is still finer than what is printed); 'draws' samples that many times. Measures over many labels are
        always sampled.
    item, label, separator
        Many labels an item: columns of a long table of decisions, or what separates the labels in a cell.
    group
        A column of groups (documents, passages, reruns): items of one group are weighted together.
    undefined
        What an undefined value (0/0) of a label counts as in an average: 'drop' leaves it out, '0', '1'.
    progress
        Called with (rows done, rows in all).
    """
    many: Decisions | None = None
    if any(each is not None for each in (item, label, separator, group)):
        many = _many(
            data, truth=truth, systems=systems, count=count, item=item, label=label, separator=separator, group=group
        )
    elif isinstance(data, MultiLabel):
        many = data
    elif counts is None and wins is None and (model in OVERALL_ONLY or _wants_averages(measure)):
        many = Classes(_outcomes(data, a, b, names, truth=truth, systems=systems, count=count, id=id, missing=missing))
    elif counts is None and wins is None and _may_be_many(data, a, model, measure, positive, by):
        # Read once; whatever is asked next, the outcomes are at hand.
        data = _outcomes(data, a, b, names, truth=truth, systems=systems, count=count, id=id, missing=missing)
        a = b = truth = systems = count = None
        many = Classes(data) if len(data.labels) > 2 and len(data.systems) > 1 else None
    if many is not None:
        _check_many(many, by if model != "hierarchical" else None, positive, method)
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
        )
    model = model_name(model or ("sign" if wins is not None else "goutte" if counts is not None else "paired"))
    question = Question(
        measures=measures_of(DEFAULT_MEASURES.get(model, "f1") if measure is None else measure, model),
        model=model,
        prior=_prior_of(prior, model),
        rope=rope_of(rope),
        hdi_mass=hdi_mass_of(hdi_mass),
        settings=Settings(
            method=method,
            draws=50_000 if draws is None else draws,
            tolerance=1e-4 if tolerance is None else tolerance,
            seed=seed_of(rng),
        ),
    )
    _check_rope(question)
    by_label = _by_label(by, positive)
    pairs: Sequence[Trial]
    if counts is not None or wins is not None:
        if any(each is not None for each in (truth, systems, count, id)):
            raise InputError("counts and wins have no columns: leave out truth, systems, count and id.")
        pairs = [_counted(data, counts, wins, items, names)]
    elif items is not None:
        raise InputError("the number of items (--items) goes with wins (--wins); data are counted.")
    else:
        pairs = _pairs(data, a, b, names, model, truth=truth, systems=systems, count=count, id=id, missing=missing)
    if model == "sign" and positive is None and not by_label:
        # Right is right, whatever the label.
        labels: list[tuple[Trial, Label | None]] = [(pair, None) for pair in pairs]
    else:
        labels = [(pair, label) for pair in pairs for label in pair.positives(positive, by_label=by_label)]
    if tolerance is None and (len(labels) * len(question.measures) > MANY_ROWS or pairs[0].items < FEW_ITEMS):
        question = replace(question, settings=replace(question.settings, tolerance=5e-4))
    return Comparison(tuple(_answered(labels, question, progress)))


def _may_be_many(data: Any, a: Any, model: str | None, measure: Any, positive: Any, by: str | None) -> bool:
    """Return whether the data may hold many labels that are asked about together."""
    if positive is not None or by is not None or isinstance(a, Outcomes) or model not in (None, "paired", "unpaired"):
        return False
    if model == "unpaired" and isinstance(data, list | tuple) and len(data) == 2:
        return False  # two test sets
    return measure is None or all(averages.find(each) is not None for each in _listed(measure))


def _check_many(decisions: Decisions, by: str | None, positive: Any, method: str) -> None:
    """Refuse what many labels have not got, rather than leave it out."""
    if by is not None:
        raise InputError("by='label' (--by) takes one label at a time; leave it out where all are taken together.")
    if positive is not None and isinstance(decisions, MultiLabel):
        raise InputError("items with many labels have no positive one: leave out positive (--positive).")
    if method == "exact":
        raise InputError("measures over many labels can only be sampled; use method auto.")


def _listed(measure: Any) -> list[Any]:
    return [measure] if isinstance(measure, str | Measure | Average) or callable(measure) else list(measure)


def _wants_averages(measure: Any) -> bool:
    """Return whether a measure was named that only many labels have: macro_f1, micro_recall, ..."""
    if measure is None:
        return False
    found = [averages.find(each) for each in _listed(measure)]
    return any(each is not None and each.name not in measures.MEASURES for each in found)


def _many(data: Any, *, group: str | None, **columns: Any) -> Decisions:
    """Read items with many labels, or items in groups."""
    if group is None:
        counted = columns.pop("count", None)
        if counted is not None:
            raise InputError("a column of counts (--count) does not go with groups or many labels: one row an item.")
        return read_multilabel(data, **columns)
    if columns.pop("count", None) is not None:
        raise InputError("a column of counts (--count) does not go with groups or many labels: one row an item.")
    if any(columns[name] is not None for name in ("item", "label", "separator")):
        raise InputError("groups (--group) go with one label an item; items with many labels are units already.")
    return read_grouped(data, group, truth=columns["truth"], systems=columns["systems"])


def _averages_of(decisions: Decisions, measure: Any, positive: Any) -> tuple[Average, ...]:
    """Find measures over many labels; with a positive label, or two labels in groups, also those of one label."""
    single = not isinstance(decisions, MultiLabel)
    if measure is None:
        binary = single and (len(decisions.labels) == 2 or positive is not None)
        measure = ["f1"] if binary else list(averages.USUAL)
    found: list[Average] = []
    if not _listed(measure):
        raise InputError("no measure was named.")
    for each in _listed(measure):
        average = averages.find(each)
        if average is None or (positive is not None and single):
            own = measures.get(each) if not isinstance(each, Average) else None
            if own is None or isinstance(decisions, MultiLabel):
                raise unknown("measure of many labels", str(each), averages.AVERAGES)
            label = decisions.outcomes.positive(positive)
            average = averages.of_label(own, decisions.outcomes.labels.index(label), str(label))
        if average.name not in [other.name for other in found]:
            found.append(average)
    return tuple(found)


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
) -> Comparison:
    """Compare over many labels at once."""
    question = overall_question(decisions, measure, model, prior, positive, rope, hdi_mass, draws, rng, undefined)
    question = replace(question, by_label=by_label)
    for each in question.measures:
        if question.rope.low <= each.low - each.high and question.rope.high >= each.high - each.low:
            raise InputError(f"the rope holds every possible difference in {each.title}. Give a smaller one.")
    if len(decisions.systems) < 2:
        raise InputError("there is only one system; a comparison needs two. To judge it by itself, use evaluate.")
    if question.model == "decisions":
        return Comparison(tuple(_pooled(decisions, question)))
    return Comparison(tuple(overall.contrasts(decisions, question, progress)))


def overall_question(
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
) -> Overall:
    """Collect what is asked of many labels."""
    if str(undefined) not in averages.UNDEFINED:
        raise InputError(f"undefined must be one of {quoted(averages.UNDEFINED)}, got {undefined!r}.")
    mass = None
    if prior is not None:
        try:
            mass = float(prior)
        except (TypeError, ValueError):
            raise InputError(
                f"the prior of many labels is a number of items for each class, spread evenly; got {prior!r}."
            ) from None
        if not 0 <= mass <= 1e6:
            raise InputError(f"the prior of many labels is a number of items from 0, got {mass:g}.")
    chosen = model or "paired"
    if chosen == "decisions" and prior is not None:
        raise InputError("the decisions model takes the papers' uniform prior: leave the prior out.")
    usual = {"hierarchical": "macro_f1", "decisions": ["micro_f1", "micro_precision", "micro_recall"]}
    wanted = _averages_of(decisions, usual.get(chosen) if measure is None else measure, positive)
    return Overall(
        measures=wanted,
        model=chosen,
        mass=mass,
        rope=rope_of(rope),
        hdi_mass=hdi_mass_of(hdi_mass),
        draws=Settings(draws=_usual_draws(decisions) if draws is None else draws).draws,
        seed=seed_of(rng),
        undefined=str(undefined),
    )


def _usual_draws(decisions: Decisions) -> int:
    """Return as many draws as take seconds, not minutes."""
    return int(np.clip(8e8 / (len(decisions.systems) * max(len(decisions.units), 1)), 2_000, 20_000))


def _pooled(decisions: Decisions, question: Overall) -> list[Contrast]:
    """The papers' way: all decisions pooled, each taken as an item of its own."""
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
            rope=tuple(question.rope),
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


def rank(
    data: Any,
    *,
    measure: MeasureSpec | Average | Sequence[str] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] = 0.05,
    model: str | None = None,
    prior: Any = None,
    hdi_mass: float = 0.95,
    rng: int | np.random.Generator | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    group: str | None = None,
    undefined: str = "drop",
    draws: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Rank systems: which is best, how sure is that, and which cannot be told apart?

    The parameters are those of `compare`; the measure is one: by default macro-F1, or F1 with two labels. All systems
    are under one posterior, so that they are compared on the same items. Unless a prior is named there is none (the
    Bayesian bootstrap), so that systems which say the same tie exactly.
    """
    if model is None and prior is None:
        model = "bootstrap"
    decisions: Decisions
    if isinstance(data, MultiLabel):
        decisions = data
    elif any(each is not None for each in (item, label, separator, group)):
        decisions = _many(data, truth=truth, systems=systems, item=item, label=label, separator=separator, group=group)
    else:
        decisions = Classes(outcomes_of(data, truth=truth, systems=systems, count=count, id=id, missing=missing))
    if len(decisions.systems) < 2:
        raise InputError("a ranking needs two systems at least.")
    if not isinstance(decisions, MultiLabel):
        decisions.outcomes.require_two_classes()
    if measure is None:
        binary = not isinstance(decisions, MultiLabel) and (len(decisions.labels) == 2 or positive is not None)
        measure = "f1" if binary else "macro_f1"
    if len(_listed(measure)) != 1:
        raise InputError("systems are ranked by one measure; name one.")
    if draws is None:
        draws = max(2_000, min(20_000, int(4e8 / (len(decisions.systems) * max(len(decisions.units), 1)))))
    question = overall_question(decisions, measure, model, prior, positive, rope, hdi_mass, draws, rng, undefined)
    if question.model == "decisions":
        raise InputError("the decisions model is of pairs; ask for it with compare.")
    return overall.rank(decisions, question, progress)


def plan(
    *,
    prevalence: float | None = None,
    cells_positive: str | Sequence[float] | None = None,
    cells_negative: str | Sequence[float] | None = None,
    recalls: tuple[float | None, float | None] | None = None,
    false_positive_rates: tuple[float | None, float | None] | None = None,
    agreement: float | None = None,
    pilot: Any = None,
    n: str | Sequence[int] | int | None = None,
    goal: str | Sequence[str] = "decided",
    probability: float | None = None,
    model: str | Sequence[str] = "paired",
    measure: MeasureSpec | Average | None = None,
    rope: float | str | Sequence[float] = 0.05,
    hdi_mass: float = 0.95,
    prior: Any = None,
    characteristics: bool = False,
    sets: int = 2_000,
    resume: str | Path | None = None,
    rng: int | np.random.Generator | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    positive: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> PlanAnswer:
    """Plan a test: how likely is a goal at each number of items, and how many are needed?

    Parameters
    ----------
    prevalence, cells_positive, cells_negative
        A scenario: the share of positives; of each class, that of both saying positive, only A, only B, neither.
    recalls, false_positive_rates, agreement
        The same in plain words: of A and of B, and on how many of all items they agree (by chance, if not said).
    pilot, truth, systems, count, id, missing, positive
        A pilot instead, as for `compare`: worlds are drawn from its posterior, and new items come on top of it.
    n
        Numbers of items to look at.
    goal
        '>>', '<<', '~=', 'decided', 'width:0.1', 'significant' (the permutation test), 'significant:sign_exact'.
    probability
        Search for the smallest number of items that reaches each goal with it.
    model, measure, rope, hdi_mass, prior
        The rule, as in `compare`; several models stand side by side.
    characteristics
        Also how often the rule is right, wrong and undecided over a range of true differences (at the first n).
    sets, resume
        Simulated sets a cell; a file in which finished cells are kept.
    """
    _check_plan(sets, probability, measure, resume)
    models, goals = _asked(model, goal)
    rule = Rule(
        measure=measures_of("f1" if measure is None or _is_average_only(measure) else measure)[0],
        prior=_prior_of(prior, "paired"),
        rope=rope_of(rope),
        hdi_mass=hdi_mass_of(hdi_mass),
    )
    if rule.rope.width >= 2 * (rule.measure.high - rule.measure.low):
        raise InputError("the rope holds every possible difference. Give the smallest difference that would matter.")
    sizes = _sizes(n)
    if not sizes and probability is None:
        raise InputError(
            "say which numbers of items to look at (--n 400,800), or which probability to reach (--probability)."
        )
    world: Scenario | Pilot | ManyPilot
    described = (prevalence, cells_positive, cells_negative, recalls, false_positive_rates, agreement)
    if pilot is None and any(each is not None for each in (truth, systems, count, id, positive)):
        raise InputError("truth, systems, count, id and positive go with a pilot (--pilot FILE).")
    if pilot is not None and any(each is not None for each in described):
        raise InputError("give a scenario or a pilot, not both.")
    if pilot is not None:
        outcomes = _pilot(pilot, truth=truth, systems=systems, count=count, id=id, missing=missing)
        world = _world(outcomes, measure, positive, goals, rule)
    else:
        world = _scenario(prevalence, cells_positive, cells_negative, recalls, false_positive_rates, agreement)
    _check_world(world, measure, prior, rule)
    seed = seed_of(rng)
    found = powers(world, sizes, goals, models, rule, sets=sets, seed=seed, resume=resume, progress=progress)
    wanted = []
    if probability is not None:
        wanted = searched(world, goals, models, rule, probability, sets=sets, seed=seed, resume=resume)
    behaviour = []
    if characteristics:
        if not isinstance(world, Scenario) or not sizes:
            raise InputError("how a rule behaves is told for a scenario and a number of items (--n).")
        behaviour = rule_characteristics(world, models[0], rule, sizes[0], sets, seed)
        if len({round(each.difference, 9) for each in behaviour}) == 1:
            raise InputError(
                f"how a rule behaves is told by moving the recalls, which {rule.measure.title} has no part in."
            )
    return PlanAnswer(
        powers=tuple(found),
        smallest=tuple(wanted),
        characteristics=tuple(behaviour),
        measure=world.measure.name if isinstance(world, ManyPilot) else rule.measure.name,
        title=world.measure.title if isinstance(world, ManyPilot) else rule.measure.title,
        rope=rule.rope,
        hdi_mass=rule.hdi_mass,
        prior=rule.prior.name,
        true_difference=world.difference(rule.measure) if isinstance(world, Scenario) else None,
        pilot_items=0 if isinstance(world, Scenario) else outcomes.items,
        seed=seed,
    )


def _check_plan(sets: Any, probability: Any, measure: Any, resume: Any) -> None:
    """Refuse what cannot be planned, before anything is simulated."""
    if isinstance(sets, bool) or not isinstance(sets, int | np.integer) or not 10 <= sets <= 1_000_000:
        raise InputError(f"sets must be a whole number between 10 and 1,000,000, got {sets!r}.")
    if probability is not None and not (isinstance(probability, int | float) and 0 < probability < 1):
        raise InputError(f"the wanted probability must lie in (0, 1), got {probability!r}.")
    if measure is not None and len(_listed(measure)) != 1:
        raise InputError("a plan is for one measure; name one.")
    if resume is not None and callable(measure) and not isinstance(measure, Measure | Average):
        raise InputError("finished cells of a function of your own cannot be told from another's: leave out resume.")


def _asked(model: Any, goal: Any) -> tuple[list[str], list[Goal]]:
    """Read the models and the goals of a plan."""
    models = [model] if isinstance(model, str) else list(model)
    for each in models:
        if each not in PLANNED:
            raise unknown("model to plan with", str(each), PLANNED)
    goals = [goal_of(each) for each in ([goal] if isinstance(goal, str) else goal or [])]
    if not goals or not models:
        raise InputError("name a goal and a model to plan for.")
    if any(each.test for each in goals) and "unpaired" in models:
        raise InputError("the tests are paired whatever the model: plan 'significant' with the paired model alone.")
    return models, goals


def _check_world(world: Scenario | Pilot | ManyPilot, measure: Any, prior: Any, rule: Rule) -> None:
    """Refuse a world in which the question has no meaning."""
    if isinstance(world, ManyPilot) and prior is not None:
        raise InputError("a pilot of many classes is judged with the even prior of one item: leave the prior out.")
    if isinstance(world, Scenario):
        if _is_average_only(measure):
            raise InputError("a scenario has two classes; averages over many are planned from a pilot (--pilot).")
        if not np.isfinite(world.difference(rule.measure)):
            raise InputError(f"{rule.measure.title} is undefined in this scenario for one of the systems.")


def _world(outcomes: Outcomes, measure: Any, positive: Any, goals: Sequence[Goal], rule: Rule) -> Pilot | ManyPilot:
    """See a pilot as the worlds it leaves possible: of one label against the rest, or of all together."""
    average = averages.find("macro_f1" if measure is None and len(outcomes.labels) > 2 else measure)
    if positive is None and average is not None and (len(outcomes.labels) > 2 or _is_average_only(measure)):
        if any(each.test for each in goals):
            raise InputError("tests are planned for two classes only; name the positive label (--positive).")
        return ManyPilot(outcomes, average, rule.rope, rule.hdi_mass)
    a, b = outcomes.systems
    return Pilot(outcomes.joint(a, b, outcomes.positive(positive)), rule.prior)


def _sizes(n: Any) -> list[int]:
    single = isinstance(n, int | np.integer | float)
    listed = [] if n is None else n.split(",") if isinstance(n, str) else [n] if single else list(n)
    found = []
    for each in listed:
        try:
            size = int(each.strip()) if isinstance(each, str) else operator.index(each)
        except (TypeError, ValueError):
            size = 0
        if isinstance(each, bool) or not 1 <= size <= 1_000_000_000:
            raise InputError(f"numbers of items are whole numbers from 1, as in --n 400,800,1600; got {each!r}.")
        if size not in found:
            found.append(size)
    return found


def _scenario(
    prevalence: Any, cells_positive: Any, cells_negative: Any, recalls: Any, rates: Any, agreement: float | None
) -> Scenario:
    """Read a scenario: cells, or rates in plain words."""
    if prevalence is None:
        raise InputError("a scenario needs the share of positives (--prevalence), or give a pilot (--pilot FILE).")
    share = share_of(prevalence, "prevalence")
    if (cells_positive is not None or cells_negative is not None) and not (recalls is rates is agreement is None):
        raise InputError("give the cells of both classes, or recalls and false-positive rates, not both.")
    if cells_positive is not None and cells_negative is not None:
        return Scenario(share, shares_of(cells_positive, "positives"), shares_of(cells_negative, "negatives"))
    if recalls is None or rates is None or None in (*recalls, *rates):
        raise InputError(
            "a scenario needs the cells of both classes (--cells-positive, --cells-negative), or the recall and the "
            "false-positive rate of both systems (--recall-a, --recall-b, --fpr-a, --fpr-b)."
        )
    (recall_a, recall_b), (rate_a, rate_b) = (
        tuple(share_of(each, name) for each in pair)
        for pair, name in ((recalls, "recall"), (rates, "false-positive rate"))
    )
    agreed: tuple[float | None, float | None] = (None, None)
    if agreement is not None:
        wanted = share_of(agreement, "agreement")
        agreed = shared_agreement(share, (recall_a, recall_b), (rate_a, rate_b), wanted)
    return Scenario(
        share,
        of_rates(recall_a, recall_b, agreed[0], "positives"),
        of_rates(rate_a, rate_b, agreed[1], "negatives"),
    )


def _pilot(data: Any, **columns: Any) -> Outcomes:
    """Read a pilot of two systems."""
    outcomes = outcomes_of(data, **columns)
    if len(outcomes.systems) != 2:
        raise InputError(f"a pilot is of two systems; name them (--system), of {quoted(outcomes.systems)}.")
    outcomes.require_two_classes()
    return outcomes


def label_next(
    pool: Any,
    *,
    systems: Sequence[str] | None = None,
    id: str | None = None,
    measure: MeasureSpec = "accuracy",
    positive: Any = None,
    pilot: Any = None,
    truth: str | None = None,
) -> Labelling:
    """Say which items of an unlabelled pool to label next: those that tell two systems apart, best first.

    With a labelled `pilot` (and its `truth` column), disagreements are ranked by how far one more label of their kind
    is expected to move the difference in the measure.
    """
    columns = columns_of_any(pool)
    names = list(systems) if systems else [name for name in columns if name != id]
    lacking = [name for name in (*names, *([] if id is None else [id])) if name not in columns]
    if lacking:
        raise InputError(f"the pool has no column {quoted(lacking[:1])}. {did_you_mean(lacking[0], list(columns))}")
    if len(names) != 2:
        raise InputError(f"a pool needs the predictions of two systems, got {quoted(names)}; name them (--system).")
    a, b = (columns[name] for name in names)
    scenario = None
    if pilot is not None:
        seen = _pilot(pilot, truth=truth, systems=names)
        label = seen.positive(positive)
        joint = seen.joint(seen.systems[0], seen.systems[1], label) + 0.5
        rows = joint.sum(axis=1)
        shares = [tuple((row / size).tolist()) for row, size in zip(joint, rows, strict=True)]
        scenario = Scenario(float(rows[0] / rows.sum()), shares[0], shares[1])
        positive = label
    return next_items(columns[id] if id else range(len(a)), a, b, measures_of(measure)[0], positive, scenario)


def _counted(data: Any, counts: Sequence[Any] | None, wins: Any, items: Any, names: Sequence[str]) -> Trial:
    """Return a trial of which only counts are known."""
    if data is not None or (counts is not None and wins is not None):
        raise InputError("give one of data (files), counts (--counts) and wins (--wins), not several.")
    if wins is None and items is not None:
        raise InputError("the number of items (--items) goes with wins (--wins), not with counts.")
    if wins is not None:
        return scoreboard_of(wins, items, _named(names, 2))
    assert counts is not None
    return tallies_of(counts, _named(names, 2))


def _check_rope(question: Question) -> None:
    """Refuse a region that no difference can leave."""
    for measure in question.measures:
        reach = measure.high - measure.low
        if question.rope.low <= -reach and question.rope.high >= reach:
            raise InputError(
                f"the rope {question.rope.low:g} to {question.rope.high:g} holds every possible difference in "
                f"{measure.title}, which cannot exceed {reach:g}. Give the smallest difference that would matter."
            )


def _answered(
    labels: Sequence[tuple[Trial, Label | None]], question: Question, progress: Callable[[int, int], None] | None
) -> list[Contrast]:
    """Answer for every pair and label, on all cores: NumPy lets threads run side by side."""
    rows: list[Contrast] = []
    if len(labels) == 1:
        return contrast(*labels[0], question)
    with ThreadPoolExecutor(max_workers=min(len(labels), os.cpu_count() or 1)) as pool:
        jobs = [pool.submit(contrast, pair, label, question) for pair, label in labels]
        try:
            for job in jobs:
                rows += job.result()
                if progress is not None:
                    progress(len(rows), len(labels) * len(question.measures))
        except BaseException:
            # An interrupt, or a mistake in a user's own measure: do not wait for what nobody will see.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return rows


def evaluate(
    data: Any = None,
    a: Any = None,
    *,
    counts: Any = None,
    measure: MeasureSpec | Sequence[MeasureSpec] = "f1",
    positive: Any = None,
    model: str | None = None,
    prior: str | float | dict[str, Any] | Prior | None = None,
    hdi_mass: float = 0.95,
    names: Sequence[str] = ("A",),
    rng: int | np.random.Generator | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    by: str | None = None,
    missing: str = "error",
    method: str = "auto",
    draws: int = 50_000,
    tolerance: float = 1e-4,
) -> Evaluation:
    """Judge systems one by one: how good is each, and how sure is that?

    The parameters are those of `compare`, but that `counts` are of one system, or a list of several, and `model` is
    'single' (Zhang et al., the default) or 'goutte' (Goutte & Gaussier, the default for counts).
    """
    model = model or ("single" if counts is None else "goutte")
    if model not in ONE_SYSTEM:
        raise unknown("model of one system", str(model), ONE_SYSTEM)
    settings = Settings(method=method, draws=draws, tolerance=tolerance, seed=seed_of(rng))
    wanted = measures_of(measure, model)
    mass = hdi_mass_of(hdi_mass)
    chosen = _prior_of(prior, model)
    if counts is not None:
        if data is not None:
            raise InputError("give data (files) or counts (--counts), not both.")
        if positive is not None or by is not None:
            raise InputError("counts have no labels: leave out positive (--positive) and by (--by).")
        listed = counts if isinstance(counts, list | tuple) else [counts]
        tallies = [tally_of(each, chr(ord("A") + place % 26)) for place, each in enumerate(listed)]
        if len({tally.name for tally in tallies}) < len(tallies):
            raise InputError(f"the counts have names in common: {quoted(tally.name for tally in tallies)}.")
        return Evaluation(
            tuple(
                appraise(tally, tally.name, None, each, model, chosen, mass, settings)
                for tally in tallies
                for each in wanted
            )
        )
    if a is not None:
        outcomes = from_arrays(data, dict(zip(_named(names, 1), (a,), strict=True)), missing=missing)
    else:
        outcomes = outcomes_of(data, truth=truth, systems=systems, count=count, id=id, missing=missing)
    by_label = _by_label(by, positive)
    labels = list(outcomes.true_labels) if by_label else [outcomes.positive(positive)]
    return Evaluation(
        tuple(
            appraise(outcomes, system, label, each, model, chosen, mass, settings)
            for system in outcomes.systems
            for label in labels
            for each in wanted
        )
    )


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
    rope: float | str | Sequence[float] = 0.05,
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
    scores: bool = False,
    missing: str = "error",
) -> Battery:
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
    scores
        The systems give scores, not labels (for the AUC).
    draws
        Of the bootstrap.
    """
    if by not in (None, "frequency", "label"):
        raise InputError(f"by can only be 'frequency' or 'label', got {by!r}.")
    plan = _plan(measure, rope, alternative, undefined, draws, rng)
    source: Outcomes | MultiLabel | Scores
    if scores:
        source = _scores(data, a, b, names, truth=truth, systems=systems, positive=positive)
    elif item is not None or label is not None or separator is not None:
        source = read_multilabel(data, truth=truth, systems=systems, item=item, label=label, separator=separator)
    elif isinstance(data, MultiLabel):
        source = data
    else:
        source = _outcomes(data, a, b, names, truth=truth, systems=systems, count=count, id=id, missing=missing)
    if len(source.values if isinstance(source, Scores) else source.systems) < 2:
        raise InputError("there is only one system; a test needs two.")
    chosen = _tested_label(source, positive, by)
    whole, pairs, kinds, noted = materials(source, plan, chosen)
    _check_measures_of(whole.decisions, measure)
    asked = [tests] if isinstance(tests, str) else tests
    rows = run_tests(battery(kinds, asked, every=every), whole, pairs, asked=bool(asked))
    found = Battery(tuple(rows), noted=noted, seed=plan.seed, items=_items(source), positive=chosen, rope=plan.rope)
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


def _plan(measure: Any, rope: Any, alternative: str | None, undefined: str, draws: int | None, rng: Any) -> Plan:
    """Collect what is to be tested, and how."""
    if str(undefined) not in averages.UNDEFINED:
        raise InputError(f"undefined must be one of {quoted(averages.UNDEFINED)}, got {undefined!r}.")
    if draws is not None and not 100 <= draws <= 10_000_000:
        raise InputError(f"draws must lie between 100 and 10,000,000, got {draws}.")
    listed = ["f1"] if measure is None else _listed(measure)
    found = averages.USUAL if measure is None else listed
    return Plan(
        measures=measures_of([each for each in listed if not _is_average_only(each)] or "f1"),
        averages=tuple(average for each in found if (average := averages.find(each)) is not None),
        rope=rope_of(rope),
        alternative=None if alternative is None else check_alternative(alternative),
        undefined=str(undefined),
        seed=seed_of(rng),
        draws=draws,
    )


def _tested_label(source: Outcomes | MultiLabel | Scores, positive: Any, by: str | None) -> Label | None:
    """Return the label that is tested against the rest; None if all are."""
    if not isinstance(source, Outcomes):
        return None
    source.require_two_classes()
    return source.positive(positive) if positive is not None or (len(source.labels) == 2 and by is None) else None


def _check_measures_of(decisions: Decisions | None, measure: Any) -> None:
    """Refuse a measure that these data have not got, rather than leave it out."""
    for each in [] if measure is None else _listed(measure):
        if decisions is not None and averages.find(each) is None:
            raise unknown("measure of many labels", str(each), averages.AVERAGES)
        if decisions is None and _is_average_only(each):
            raise unknown("measure of two classes", str(each), measures.MEASURES)


def _items(source: Outcomes | MultiLabel | Scores) -> int:
    return len(source.truth) if isinstance(source, Scores) else source.items


def _is_average_only(measure: Any) -> bool:
    found = averages.find(measure)
    return found is not None and found.name not in measures.MEASURES


def _scores(data: Any, a: Any, b: Any, names: Sequence[str], **columns: Any) -> Scores:
    if a is None:
        return read_scores(data, **columns)
    return scores_of(data, dict(zip(_named(names, 2), (a, b), strict=True)), columns["positive"])


def _outcomes(data: Any, a: Any, b: Any, names: Sequence[str], *, missing: str, **columns: Any) -> Outcomes:
    """Read outcomes from arrays, or from whatever holds them."""
    if a is None and b is None:
        return outcomes_of(data, missing=missing, **columns)
    if a is None or b is None:
        raise InputError("two systems are needed: (y_true, a, b).")
    return from_arrays(data, dict(zip(_named(names, 2), (a, b), strict=True)), missing=missing)


def update(
    state: str | Path,
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    again: bool = False,
    new_labels: bool = False,
) -> Outcomes:
    """Add evidence to a saved state and return the whole, ready for `compare`; begins a state where there is none.

    Several files are several batches, unless `id` joins them. The state equals that of one run on the union, whatever
    the order. A file that is in the state already is refused unless `again`; so are labels the state does not know,
    unless `new_labels`. The state is written whole or not at all. A dataframe has no name to remember: it can be added
    twice.
    """
    book = grown(
        State.open(Path(state)),
        data,
        again=again,
        new_labels=new_labels,
        truth=truth,
        systems=systems,
        count=count,
        id=id,
        missing=missing,
    )
    book.write()
    return book.evidence


def grown(book: State, data: Any, *, again: bool, new_labels: bool, id: str | None, **columns: Any) -> State:
    """Add evidence to a state in memory."""
    listed = [data] if isinstance(data, str | Path) else data
    if not (isinstance(listed, list | tuple) and all(isinstance(each, str | Path) for each in listed)):
        return book.plus(outcomes_of(data, id=id, **columns), [], again=again, new_labels=new_labels)
    if id is not None:
        paths = [path for each in listed for path in _paths(each)]
        return book.plus(outcomes_of(data, id=id, **columns), paths, again=again, new_labels=new_labels)
    for each in listed:
        book = book.plus(outcomes_of(each, **columns), _paths(each), again=again, new_labels=new_labels)
    return book


def _paths(spec: str | Path) -> list[Path]:
    """Return the files that a path or a glob names."""
    path = Path(spec)
    return [path] if path.exists() else [Path(found) for found in sorted(glob.glob(str(spec), recursive=True))]


def outcomes_of(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Read outcomes from whatever holds them: `Outcomes`, a path, a glob, a list of paths, or a dataframe."""
    if isinstance(data, Outcomes):
        return data
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(data, str | Path) and is_state(Path(data)):
        return read_state(Path(data)) if systems is None else read_state(Path(data)).selected(systems)
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | Path) for path in paths):
        from outclass.data.files import from_files  # DuckDB is loaded for files only

        return from_files(paths, truth=truth, systems=systems, count=count, id=id, missing=missing)
    from outclass.data.frames import from_frame, is_frame  # Narwhals is loaded for frames only

    if is_frame(data):
        return from_frame(data, truth=truth, systems=systems, count=count, id=id, missing=missing)
    raise InputError(
        f"cannot read outcomes from {type(data).__name__}. Give arrays (y_true, a, b), a dataframe, or a path."
    )


def _pairs(
    data: Any, a: Any, b: Any, names: Sequence[str], model: str, *, id: str | None, **columns: Any
) -> list[Pair]:
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
    outcomes = _outcomes(data, a, b, names, id=id, **columns)
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


def _prior_of(spec: Any, model: str) -> Prior:
    """Read a prior, or take the model's own."""
    prior = prior_of(DEFAULT_PRIORS.get(model, "uniform") if spec is None else spec)
    check_parts(prior, PRIOR_PARTS[model], model)
    return prior


def measures_of(spec: MeasureSpec | Sequence[MeasureSpec], model: str = "paired") -> tuple[Measure, ...]:
    """Find the measures a user names; 'all' is every one without parameters that the model knows."""
    every = [measures.get(name) for name in ALL_MEASURES.get(model, measures.MEASURES)]
    listed = [spec] if isinstance(spec, str | Measure) or callable(spec) else list(spec)
    if not listed:
        raise InputError("no measure was named.")
    found: dict[str, Measure] = {}
    for each in listed:
        for measure in every if each == "all" else (measures.get(each),):
            # Two functions may have one name; both are asked for.
            number = "" if found.get(measure.name, measure) == measure else f" {len(found) + 1}"
            found[measure.name + number] = replace(measure, name=measure.name + number, title=measure.title + number)
    return tuple(found.values())


def hdi_mass_of(mass: float) -> float:
    """Check the probability that an interval holds."""
    try:
        number = float(mass)
    except (TypeError, ValueError):
        raise InputError(f"hdi_mass must be a number in (0, 1), got {mass!r}.") from None
    if not 0 < number < 1:
        hint = f" Did you mean {number / 100:g}?" if 1 < number < 100 else ""
        raise InputError(f"hdi_mass must lie in (0, 1), got {number:g}.{hint}")
    return number


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Return the seed that everything random comes from, so that the result can name it."""
    if rng is None:
        return 0
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**53))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError(f"the seed (rng, --seed) must be a whole number from 0, or a numpy Generator, got {rng!r}.")
    return int(rng)


def _named(names: Sequence[str], wanted: int) -> list[str]:
    listed = [names] if isinstance(names, str) else [str(name) for name in names]
    if len(listed) != wanted or len(set(listed)) != wanted:
        raise InputError(f"names must be {wanted} different names, got {quoted(listed)}.")
    return listed


def _by_label(by: str | None, positive: Any) -> bool:
    if by not in (None, "label"):
        raise InputError(f"by can only be 'label', got {by!r}.")
    if by is not None and positive is not None:
        raise InputError("by='label' makes every label the positive in turn; leave out positive (--positive).")
    return by == "label"
