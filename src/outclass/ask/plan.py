"""`plan` and `label_next`: how much data is needed, and which."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

import numpy as np

from outclass import measures
from outclass.answers.plan import Plan as PlanAnswer
from outclass.ask import cost
from outclass.ask.columns import Columns, LabelSets
from outclass.ask.label_sets import check_label_sets
from outclass.ask.pilots import Planned, PlanQuestion, of_pilot, of_scenario
from outclass.ask.question import MeasureSpec, is_average_only, listed, measures_of, seed_of
from outclass.ask.read import read
from outclass.ask.used import ASKED_OF_ALL, unknown_arguments, unused
from outclass.data.in_memory import columns_of_any
from outclass.data.outcomes import Outcomes
from outclass.data.runs import Runs
from outclass.errors import InputError, did_you_mean, quoted, shown
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.planning import backends
from outclass.planning.characteristics import Characteristic
from outclass.planning.characteristics import characteristics as rule_characteristics
from outclass.planning.pilots import ItemPilot
from outclass.planning.pool import Labelling, next_items
from outclass.planning.power import Goal, goal_of
from outclass.planning.runs import RunsPilot
from outclass.planning.scenario import Scenario, scenario_of
from outclass.planning.study import USUAL_LOOKS, powers, searched

MOST_JOBS: Final = 10_000
SCENARIO: Final = (
    *("prevalence", "cells_positive", "cells_negative"),
    *("recalls", "false_positive_rates", "agreement"),
)


class Hardware(TypedDict, total=False):
    """What computes posteriors. The test sets are the same, and intervals equal but for rounding.

    Parameters
    ----------
    backend
        The library: 'numpy' (default), 'torch', 'jax', 'cupy', or 'auto', which is one with a GPU if there is one.
    device
        The library's device, such as 'cuda:1'; by default a GPU if it finds one.
    """

    backend: str | None
    device: str | None


class World(Columns, LabelSets, Hardware, total=False):
    """A scenario, or the columns of a pilot (see `Columns`) and the labels to average over (see `LabelSets`).

    Parameters
    ----------
    prevalence, cells_positive, cells_negative
        A scenario: the prevalence of positives and, for each class, the proportions of items that both systems, only A,
        only B or neither predict as positive.
    recalls, false_positive_rates, agreement
        The same scenario as rates of A and B, and the share of items on which they agree (by default, chance
        agreement).
    more_runs
        Of a pilot with several runs of each system: how many runs each gets on top of its own, as in [0, 2, 5]; by
        default 0 and 2.
    """

    prevalence: float | None
    cells_positive: str | Sequence[float] | None
    cells_negative: str | Sequence[float] | None
    recalls: tuple[float | None, float | None] | None
    false_positive_rates: tuple[float | None, float | None] | None
    agreement: float | None
    more_runs: str | int | Sequence[int] | None


def plan(
    *,
    pilot: Any = None,
    n: str | Sequence[int] | int | None = None,
    goal: str | Sequence[str] = "decided",
    probability: float | None = None,
    model: str | Sequence[str] = "paired",
    measure: MeasureSpec | Average | None = None,
    rope: float | str | Sequence[float] | None = None,
    hdi_mass: float = 0.95,
    prior: Any = None,
    positive: Any = None,
    characteristics: bool = False,
    sets: int = 2_000,
    resume: str | Path | None = None,
    jobs: int | None = None,
    rng: int | np.random.Generator | None = None,
    progress: Callable[[int, int], None] | None = None,
    **more: Unpack[World],
) -> PlanAnswer:
    """Plan a test set: the probability of a goal for each number of items, and how many items are needed.

    Parameters
    ----------
    pilot, positive
        A pilot of any kind that `compare` reads. Parameters are drawn from its posterior, or by weighting its items,
        and new items are added to it. Groups are resampled as a whole, up to about n items.
    n, probability
        Numbers of items to consider; or a probability, to search for the smallest number of items that reaches it.
    goal
        '>>', '<<', '~=', 'decided', 'width:0.1', 'significant' (the permutation test), 'significant:sign_exact'.
    model, measure, rope, hdi_mass, prior
        The decision rule, as in `compare`; several models are compared with each other. Numbers use their default
        model.
    characteristics
        Whether to include operating characteristics: how often the rule is right, wrong and undecided, by true
        difference (at the first n).
    sets, resume, jobs
        Number of simulated test sets per design point; file that stores finished design points; number of cores, -1 for
        all.
    more
        A scenario instead of a pilot, or the columns of the pilot: see `World` and `Columns`. And the library that
        computes: see `Hardware`.
    """
    _check_plan(sets, probability, measure, resume, jobs)
    sets_of_labels = more.pop("labels", None), more.pop("exclude_labels", None)
    check_label_sets(*sets_of_labels, positive)
    asked = PlanQuestion(
        goals=tuple(dict.fromkeys(goal_of(each) for each in ([goal] if isinstance(goal, str) else goal or []))),
        models=tuple(dict.fromkeys([model] if isinstance(model, str) else model)),
        measure=measure,
        rope=rope,
        hdi_mass=hdi_mass,
        prior=prior,
        positive=positive,
        sets=sets_of_labels,
        more_runs=more.pop("more_runs", None),
    )
    sizes = _checked_sizes(n, probability, asked)
    hardware = more.pop("backend", None), more.pop("device", None)
    planned = _computed_by(*hardware, _planned(pilot, dict(more), asked), asked.goals, behaves=characteristics)
    how = {"sets": sets, "seed": seed_of(rng), "resume": resume, "progress": progress, "jobs": jobs}
    found = _simulated(planned, asked.goals, sizes, probability, how, characteristics=characteristics)
    return replace(found, by_chance=more.get("agreement") is None and more.get("recalls") is not None)


def _computed_by(
    backend: str | None, device: str | None, planned: Planned, goals: Sequence[Goal], *, behaves: bool
) -> Planned:
    """Return what is planned with the library and the device that compute it; an error where they have no use."""
    given = [name for name, value in (("backend", backend), ("device", device)) if value is not None]
    if not given:
        return planned
    world = planned.world
    if isinstance(world, ItemPilot) and world.without_back_end:
        raise unused(given, "this pilot", world.without_back_end)
    if all(goal.test for goal in goals) and not behaves:
        raise unused(given, "tests (⟨goal=significant⟩)", "It applies to posteriors.")
    for name, value in (("backend", backend), ("device", device)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"⟨{name}⟩ must be a name, got {shown(value)}.")
    library = backend or backends.USUAL
    backends.backend_of(library, device)
    measure = planned.rule.measure
    if library != backends.USUAL and not _is_known(measure):
        raise InputError(f"the measure {measure.title} is your own, of NumPy arrays: leave out ⟨backend⟩.")
    if isinstance(world, ItemPilot):
        return replace(planned, world=replace(world, backend=library, device=device))
    return replace(planned, rule=replace(planned.rule, backend=library, device=device))


def _is_known(measure: Measure) -> bool:
    """Return whether a measure is one of outclass's, which are written for every library of arrays."""
    try:
        return measures.get(measure.name) == measure
    except InputError:
        return False


def _checked_sizes(n: Any, probability: float | None, asked: PlanQuestion) -> list[int]:
    """Read the numbers of items; there must be something to plan."""
    if not asked.goals or not asked.models:
        raise InputError("name a goal and a model to plan for.")
    sizes = _sizes(n)
    if not sizes and probability is None:
        raise InputError(
            "give the numbers of items to consider (⟨n=400,800⟩), or the probability to reach (⟨probability⟩)."
        )
    return sizes


def _simulated(
    planned: Planned,
    goals: Sequence[Goal],
    sizes: Sequence[int],
    probability: float | None,
    how: dict[str, Any],
    *,
    characteristics: bool,
) -> PlanAnswer:
    """Simulate all that is asked, and collect the answer."""
    world, rule = planned.world, planned.rule
    if characteristics and not (isinstance(world, Scenario) and sizes):
        raise InputError("operating ⟨characteristics⟩ need a scenario and a number of items (⟨n⟩).")
    looks = len(sizes) + (0 if probability is None else USUAL_LOOKS)
    cells = [each.name for each in goals for _ in range(looks * len(planned.models))]
    if not isinstance(world, RunsPilot):  # whose intervals are formulas
        by_items = isinstance(world, ItemPilot)
        cost.announce(cost.cost_of_plan(cells, how["sets"], by_items=by_items, behaviour=characteristics))
    found = powers(world, sizes, goals, planned.models, rule, **how)
    wanted = [] if probability is None else searched(world, goals, planned.models, rule, probability, **how)
    behaviour = _behaviour(planned, sizes[0], how["sets"], how["seed"]) if characteristics else []
    return PlanAnswer(
        powers=tuple(found),
        smallest=tuple(wanted),
        characteristics=tuple(behaviour),
        measure=planned.measure.name,
        title=planned.measure.title,
        rope=rule.rope,
        hdi_mass=rule.hdi_mass,
        prior=planned.prior,
        sets=how["sets"],
        items=sizes[0] if behaviour else 0,
        true_difference=world.difference(rule.measure) if isinstance(world, Scenario) else None,
        pilot_items=planned.items,
        seed=how["seed"],
        findings=planned.findings,
    )


def _planned(pilot: Any, more: dict[str, Any], asked: PlanQuestion) -> Planned:
    """Read the scenario or the pilot; what belongs to the other is an error."""
    unknown = sorted(set(more) - set(World.__annotations__))
    if unknown:
        raise unknown_arguments(unknown, (*World.__annotations__, *ASKED_OF_ALL))
    given = {name: value for name, value in more.items() if value is not None and value is not False}
    described = {name: given.pop(name) for name in SCENARIO if name in given}
    instead = {name for name in given if name in ("qrels", "runs", "counts", "wins", "items")}
    if pilot is None and not instead:
        idle = [*given, *(["positive"] if asked.positive is not None else []), *asked.named_sets]
        idle += ["more_runs"] if asked.more_runs is not None else []
        if idle:
            raise unused(idle, "a scenario", "It requires a pilot (⟨pilot=FILE⟩).")
        return of_scenario(scenario_of(**described), asked)
    if described:
        raise unused(described, "a pilot", "Give a scenario or a pilot, not both.")
    data = read(pilot, positive=asked.positive, measure=asked.measure, **given)
    if "qrels" in given:
        asked = replace(asked, measure=None)  # the topics are measured: what is compared is their mean
    if asked.positive is not None and getattr(data, "kind", "") == "results":
        raise InputError("results have no positive label: leave out ⟨positive⟩.")
    if asked.more_runs is not None and not isinstance(data, Runs):
        raise unused(["more_runs"], data.kind, "It applies to several runs of each system (⟨runs⟩, ⟨systems⟩).")
    if asked.named_sets and not hasattr(getattr(data, "base", data), "labels"):
        raise unused(asked.named_sets, data.kind, "It applies to averages over labels.")
    return of_pilot(data, asked)


def _behaviour(planned: Planned, items: int, sets: int, seed: int) -> list[Characteristic]:
    """Return how often the rule is right and wrong."""
    assert isinstance(planned.world, Scenario)
    found = rule_characteristics(planned.world, planned.models[0], planned.rule, items, sets, seed)
    if len({round(each.difference, 9) for each in found}) == 1:
        raise InputError(
            f"operating characteristics (⟨characteristics=True⟩) vary the recalls, which {planned.measure.title} does "
            "not depend on."
        )
    return found


def _check_plan(sets: Any, probability: Any, measure: Any, resume: Any, jobs: Any) -> None:
    """Raise an error for what cannot be planned, before anything is simulated."""
    if isinstance(sets, bool) or not isinstance(sets, int | np.integer) or not 10 <= sets <= 1_000_000:
        raise InputError(f"⟨sets⟩ must be a whole number between 10 and 1,000,000, got {shown(sets)}.")
    if probability is not None and not (isinstance(probability, int | float) and 0 < probability < 1):
        raise InputError(f"the wanted probability must lie in (0, 1), got {shown(probability)}.")
    if jobs is not None and not (isinstance(jobs, int) and (jobs == -1 or 1 <= jobs <= MOST_JOBS)):
        raise InputError(f"⟨jobs⟩ must be a number of cores from 1 to {MOST_JOBS:,}, or -1 for all; got {shown(jobs)}.")
    if measure is not None and len(listed(measure)) != 1:
        raise InputError("a plan is for one measure; name one.")
    own = callable(measure) or (isinstance(measure, Measure) and measures.MEASURES.get(measure.name) != measure)
    found = averages.find(measure)
    if resume is not None and own and (found is None or found.matrix):
        raise InputError(
            "a plan with a custom measure cannot be resumed, because measures cannot be identified: leave out resume."
        )


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
            raise InputError(f"numbers of items must be positive integers, as in ⟨n=400,800,1600⟩; got {shown(each)}.")
        if size not in found:
            found.append(size)
    return found


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
    """Choose which items of an unlabelled pool to label next: those that best separate two systems come first.

    With a labelled `pilot` (and its `truth` column), disagreements are ranked by how much one more label of their kind
    is expected to change the difference in the measure.
    """
    if is_average_only(measure):
        raise InputError(
            "a pool can be ranked for accuracy or for a measure of one label (⟨positive⟩), not for an average."
        )
    (wanted, *others) = measures_of(measure)
    if others:
        raise InputError("a pool is ranked by one measure; name one (⟨measure⟩).")
    if wanted.name in ("accuracy", "error"):
        idle = {"positive": positive, "pilot": pilot, "truth": truth, "count": count}
        if left := [name for name, value in idle.items() if value is not None]:
            raise unused(left, f"a pool for {wanted.name}", "Name a measure of one label (⟨measure=f1⟩).")
    columns = columns_of_any(pool)
    names = list(systems) if systems else [name for name in columns if name != id]
    lacking = [name for name in (*names, *([] if id is None else [id])) if name not in columns]
    if lacking:
        raise InputError(f"the pool has no column {quoted(lacking[:1])}. {did_you_mean(lacking[0], list(columns))}")
    if len(names) != 2:
        raise InputError(f"a pool needs the predictions of two systems, got {quoted(names)}; name them (⟨systems⟩).")
    a, b = (columns[name] for name in names)
    scenario = None
    if pilot is not None:
        seen = read(pilot, truth=truth, systems=names, count=count)
        if not isinstance(seen, Outcomes):
            raise InputError("ranking a pool needs a pilot with one label per item (⟨truth⟩).")
        seen.require_two_classes()
        label = seen.positive(positive)
        joint = seen.joint(seen.systems[0], seen.systems[1], label) + 0.5
        rows = joint.sum(axis=1)
        shares = [tuple((row / size).tolist()) for row, size in zip(joint, rows, strict=True)]
        scenario = Scenario(float(rows[0] / rows.sum()), shares[0], shares[1])
        positive = label
    return next_items(columns[id] if id else range(len(a)), a, b, wanted, positive, scenario)
