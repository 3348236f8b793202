"""`plan` and `label_next`: how much data is needed, and which."""

import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outclass import measures
from outclass.answers.plan import Plan as PlanAnswer
from outclass.ask.question import (
    MeasureSpec,
    hdi_mass_of,
    is_average_only,
    listed,
    measures_of,
    outcomes_of,
    prior_for,
    seed_of,
)
from outclass.data.in_memory import columns_of_any
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, did_you_mean, quoted, shown, unknown
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.models import DEFAULT_MEASURES, PRIOR_PARTS, model_of
from outclass.models.evidence import Evidence
from outclass.models.prior import MATCHED, Prior, prior_of
from outclass.planning.characteristics import characteristics as rule_characteristics
from outclass.planning.many import ManyPilot
from outclass.planning.pool import Labelling, next_items
from outclass.planning.power import DRAWN, Goal, Rule, goal_of
from outclass.planning.scenario import Pilot, Scenario, of_rates, share_of, shared_agreement, shares_of
from outclass.planning.study import powers, searched
from outclass.verdict.rope import rope_of


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
    rope: float | str | Sequence[float] | None = None,
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
    jobs: int | None = None,
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
    jobs
        How many cores; -1 is all.
    """
    _check_plan(sets, probability, measure, resume)
    models, goals = _asked(model, goal)
    usual = DEFAULT_MEASURES.get(models[0], "f1") if len(models) == 1 else "f1"
    wanted_measure = measures_of(usual if measure is None or is_average_only(measure) else measure)[0]
    rule = Rule(
        measure=wanted_measure,
        priors={each: prior_for(prior, each).of(wanted_measure, each) for each in models},
        rope=rope_of(rope).fixed("plans"),
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
        world = _world(outcomes, measure, positive, goals, rule, _prior_of_worlds(prior, wanted_measure))
        if isinstance(world, ManyPilot) and not set(models) <= {"paired", "unpaired"}:
            raise InputError("a pilot of many classes is planned with the paired and the unpaired model.")
    else:
        world = _scenario(prevalence, cells_positive, cells_negative, recalls, false_positive_rates, agreement)
    _check_world(world, measure, prior, rule)
    if characteristics and not (isinstance(world, Scenario) and sizes):
        raise InputError("how a rule behaves is told for a scenario and a number of items (--n).")
    seed = seed_of(rng)
    found = powers(world, sizes, goals, models, rule, sets=sets, seed=seed, resume=resume, progress=progress, jobs=jobs)
    wanted = []
    if probability is not None:
        wanted = searched(
            world, goals, models, rule, probability, sets=sets, seed=seed, resume=resume, progress=progress, jobs=jobs
        )
    behaviour = []
    if characteristics and isinstance(world, Scenario):
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
        prior=MATCHED if isinstance(world, ManyPilot) else _told(rule.priors),
        sets=sets,
        by_chance=agreement is None and recalls is not None,
        items=sizes[0] if behaviour else 0,
        true_difference=world.difference(rule.measure) if isinstance(world, Scenario) else None,
        pilot_items=0 if isinstance(world, Scenario) else outcomes.items,
        seed=seed,
    )


def _told(priors: Mapping[str, Prior]) -> str:
    """Say which prior each model has, where they differ."""
    names = dict.fromkeys(prior.name for prior in priors.values())
    if len(names) == 1:
        return next(iter(names))
    return ", ".join(f"{prior.name} ({model})" for model, prior in priors.items())


def _check_plan(sets: Any, probability: Any, measure: Any, resume: Any) -> None:
    """Refuse what cannot be planned, before anything is simulated."""
    if isinstance(sets, bool) or not isinstance(sets, int | np.integer) or not 10 <= sets <= 1_000_000:
        raise InputError(f"sets must be a whole number between 10 and 1,000,000, got {shown(sets)}.")
    if probability is not None and not (isinstance(probability, int | float) and 0 < probability < 1):
        raise InputError(f"the wanted probability must lie in (0, 1), got {shown(probability)}.")
    if measure is not None and len(listed(measure)) != 1:
        raise InputError("a plan is for one measure; name one.")
    own = callable(measure) or (isinstance(measure, Measure) and measures.MEASURES.get(measure.name) != measure)
    if resume is not None and own and averages.find(measure) is None:
        raise InputError("finished cells of a measure of your own cannot be told from another's: leave out resume.")


def _asked(model: Any, goal: Any) -> tuple[list[str], list[Goal]]:
    """Read the models and the goals of a plan."""
    models = list(dict.fromkeys([model] if isinstance(model, str) else model))
    for each in models:
        if each not in DRAWN:
            raise unknown("model to plan with", str(each), list(DRAWN))
    goals = list(dict.fromkeys(goal_of(each) for each in ([goal] if isinstance(goal, str) else goal or [])))
    if not goals or not models:
        raise InputError("name a goal and a model to plan for.")
    if any(each.test for each in goals) and models != ["paired"]:
        raise InputError("the tests are paired whatever the model: plan 'significant' with the paired model alone.")
    return models, goals


def _check_world(world: Scenario | Pilot | ManyPilot, measure: Any, prior: Any, rule: Rule) -> None:
    """Refuse a world in which the question has no meaning."""
    if isinstance(world, ManyPilot) and prior is not None:
        raise InputError("a pilot of many classes is judged with the matched prior: leave the prior out (--prior).")
    if isinstance(world, Scenario):
        if is_average_only(measure):
            raise InputError("a scenario has two classes; averages over many are planned from a pilot (--pilot).")
        if not np.isfinite(world.difference(rule.measure)):
            raise InputError(f"{rule.measure.title} is undefined in this scenario for one of the systems.")
    if not isinstance(world, ManyPilot):
        for name, own in rule.priors.items():
            # A model refuses a measure that it does not know.
            model_of(name).fit(Evidence.of_joint(np.ones((2, 4), dtype=np.int64)), own, Settings()).difference(
                rule.measure
            )


def _world(
    outcomes: Outcomes, measure: Any, positive: Any, goals: Sequence[Goal], rule: Rule, worlds: Prior
) -> Pilot | ManyPilot:
    """See a pilot as the worlds it leaves possible: of one label against the rest, or of all together."""
    average = averages.find("macro_f1" if measure is None and len(outcomes.labels) > 2 else measure)
    if positive is None and average is not None and (len(outcomes.labels) > 2 or is_average_only(measure)):
        if any(each.test for each in goals):
            raise InputError("tests are planned for two classes only; name the positive label (--positive).")
        return ManyPilot(outcomes, average, rule.rope, rule.hdi_mass)
    a, b = outcomes.systems
    return Pilot(outcomes.joint(a, b, outcomes.positive(positive)), worlds)


def _prior_of_worlds(spec: Any, measure: Measure) -> Prior:
    """Read the prior that a pilot's worlds are drawn with: the named one, where it says anything of both systems."""
    prior = prior_of(MATCHED if spec is None else spec)
    if prior.named and not set(prior.named) & set(PRIOR_PARTS["paired"]):
        prior = prior_of(MATCHED)  # it is of wins, or of three cells
    return prior.of(measure, "paired")


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
            raise InputError(f"numbers of items are whole numbers from 1, as in --n 400,800,1600; got {shown(each)}.")
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
    count: str | None = None,
) -> Labelling:
    """Say which items of an unlabelled pool to label next: those that tell two systems apart, best first.

    With a labelled `pilot` (and its `truth` column), disagreements are ranked by how far one more label of their kind
    is expected to move the difference in the measure.
    """
    if is_average_only(measure):
        raise InputError(
            "a pool is ranked for accuracy, or for a measure of one label (--positive), not for an average."
        )
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
        seen = _pilot(pilot, truth=truth, systems=names, count=count)
        label = seen.positive(positive)
        joint = seen.joint(seen.systems[0], seen.systems[1], label) + 0.5
        rows = joint.sum(axis=1)
        shares = [tuple((row / size).tolist()) for row, size in zip(joint, rows, strict=True)]
        scenario = Scenario(float(rows[0] / rows.sum()), shares[0], shares[1])
        positive = label
    return next_items(columns[id] if id else range(len(a)), a, b, measures_of(measure)[0], positive, scenario)
