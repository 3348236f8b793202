"""What a plan is about, by kind of data: the worlds, who judges the test sets drawn from them, and in which measure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from outclass.ask.average_measures import averages_of
from outclass.ask.capabilities import check_can
from outclass.ask.question import Wishes, hdi_mass_of, is_average_only, measures_of, prior_for
from outclass.ask.used import SETS
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.runs import Runs
from outclass.data.unit_counts import GroupedCounts, UnitCounts
from outclass.errors import InputError, quoted, shown, unknown
from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.models import model_of
from outclass.models.evidence import Evidence
from outclass.models.prior import MATCHED, Prior, prior_of
from outclass.planning.intervals import Rule
from outclass.planning.many import DocumentPilot, GroupPilot, LabelPilot, ManyPilot
from outclass.planning.posteriors import DRAWN
from outclass.planning.power import Goal
from outclass.planning.scenario import Pilot, Scenario
from outclass.planning.study import World
from outclass.verdict.rope import rope_of

ROUGH: Final = Settings(tolerance=0.09)  # whether a model knows a measure needs no digits
NO_TESTS: Final = "tests can be planned for two classes only"


@dataclass(frozen=True, kw_only=True)
class PlanQuestion:
    """The question about simulated test sets, as the user wrote it."""

    goals: tuple[Goal, ...]
    models: tuple[str, ...]
    measure: Any
    rope: Any
    hdi_mass: float
    prior: Any
    positive: Any
    sets: tuple[Any, Any] = (None, None)  # the labels to average over, and those to leave out
    more_runs: Any = None  # of a pilot with several runs of each system

    @property
    def named_sets(self) -> list[str]:
        """Which of the two were given."""
        return [name for name, value in zip(SETS, self.sets, strict=True) if value is not None]


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What is simulated: the worlds, the models that judge, and what to call them."""

    world: World
    models: tuple[str, ...]
    rule: Rule
    measure: Any  # has a name and a title
    prior: str
    items: int = 0  # of the pilot
    findings: tuple[Finding, ...] = ()


# --- labels of two classes --------------------------------------------------------------------------------------------


def of_scenario(scenario: Scenario, asked: PlanQuestion) -> Planned:
    """Plan from a scenario."""
    if is_average_only(asked.measure):
        raise InputError("a scenario has two classes; for averages over many classes, use a pilot (⟨pilot⟩).")
    rule = _rule(asked)
    if not np.isfinite(scenario.difference(rule.measure)):
        raise InputError(f"{rule.measure.title} is undefined in this scenario for one of the systems.")
    _check_models(rule)
    return Planned(world=scenario, models=asked.models, rule=rule, measure=rule.measure, prior=_prior_told(rule.priors))


def _of_outcomes(outcomes: Outcomes, asked: PlanQuestion) -> Planned:
    """Plan from one label per item: of one label against the rest, or of all together."""
    outcomes.require_two_classes()
    rule = _rule(asked)
    measure = "macro_f1" if asked.measure is None and len(outcomes.labels) > 2 else asked.measure
    average = averages.find(measure)
    if asked.named_sets:
        (average,) = averages_of(Classes(outcomes), measure or "macro_f1", None, sets=asked.sets)
        measure = average
    if asked.positive is None and average is not None and (len(outcomes.labels) > 2 or is_average_only(measure)):
        many = ManyPilot(outcomes=outcomes, measure=average, rope=rule.rope, hdi_mass=rule.hdi_mass)
        return _of_many(many, asked, rule, outcomes, "of many classes", "; name the positive label (⟨positive⟩)")
    a, b = outcomes.systems
    worlds = _prior_of_worlds(asked.prior, rule.measure)
    world = Pilot(outcomes.joint(a, b, outcomes.positive(asked.positive)), worlds)
    _check_models(rule)
    prior = _prior_told(rule.priors)
    return Planned(world=world, models=asked.models, rule=rule, measure=rule.measure, prior=prior, items=outcomes.items)


def _rule(asked: PlanQuestion) -> Rule:
    """Return how test sets of two classes are judged."""
    for each in asked.models:
        if each not in DRAWN:
            raise unknown("model to plan with", str(each), list(DRAWN))
    if any(each.test for each in asked.goals) and asked.models != ("paired",):
        raise InputError("the tests are always paired: use the goal 'significant' with the paired model only.")
    usual = model_of(asked.models[0]).measure if len(asked.models) == 1 else "f1"
    named = asked.measure is not None and not is_average_only(asked.measure)
    measure = measures_of(asked.measure if named else usual)[0]
    rule = Rule(
        measure=measure,
        priors={each: prior_for(asked.prior, each).of(measure, each) for each in asked.models},
        rope=rope_of(asked.rope).fixed("plans"),
        hdi_mass=hdi_mass_of(asked.hdi_mass),
    )
    _check_rope(rule.rope, measure)
    return rule


def _check_rope(rope: Interval, measure: Any) -> None:
    if rope.width >= 2 * (measure.high - measure.low):
        raise InputError("the rope contains every possible difference. Use the smallest difference that would matter.")


def _check_models(rule: Rule) -> None:
    """Let each model say if it does not know the measure."""
    one_each = Evidence.of_joint(np.ones((2, 4), dtype=np.int64))
    for name, own in rule.priors.items():
        model_of(name).posterior.fit(one_each, own, ROUGH).difference(rule.measure)


def _prior_told(priors: Mapping[str, Prior]) -> str:
    """Say which prior each model has, where they differ."""
    names = dict.fromkeys(prior.name for prior in priors.values())
    if len(names) == 1:
        return next(iter(names))
    return ", ".join(f"{prior.name} ({model})" for model, prior in priors.items())


def _prior_of_worlds(spec: Any, measure: Measure) -> Prior:
    """Read the prior that a pilot's worlds are drawn with: the named one, where it says anything of both systems."""
    prior = prior_of(MATCHED if spec is None else spec)
    if prior.named and not set(prior.named) & set(model_of("paired").parts):
        prior = prior_of(MATCHED)  # it is of wins, or of three cells
    return prior.of(measure, "paired")


# --- many labels, and labels in groups --------------------------------------------------------------------------------


def _of_many(
    world: LabelPilot | GroupPilot, asked: PlanQuestion, rule: Rule, data: Any, what: str, instead: str = ""
) -> Planned:
    """Plan in a measure over many labels."""
    if any(each.test for each in asked.goals):
        raise InputError(f"{NO_TESTS}{instead}.")
    if not set(asked.models) <= {"paired", "unpaired"}:
        raise InputError(f"a pilot {what} supports only the paired and the unpaired model (⟨model⟩).")
    prior = "no" if isinstance(world, GroupPilot) else MATCHED
    if asked.prior is not None:
        raise InputError(f"a pilot {what} is analysed with {prior} prior: leave out ⟨prior⟩.")
    return Planned(
        world=world,
        models=asked.models,
        rule=rule,
        measure=world.measure,
        prior=prior,
        items=data.items,
        findings=tuple(data.findings),
    )


def _of_documents(decisions: MultiLabel | UnitCounts, asked: PlanQuestion) -> Planned:
    """Plan from many labels or counts per item: one label by itself, or all together."""
    if asked.positive is not None and isinstance(decisions, MultiLabel):
        label = str(asked.positive)
        return _of_outcomes(decisions.of_label(label), replace(asked, positive=label))
    average, rule = _average(decisions, asked)
    if average.single:
        raise InputError(
            f"{average.title} needs one label per item; multi-label items have micro, macro and weighted F1, "
            "precision and recall."
        )
    world = DocumentPilot(decisions=decisions, measure=average, rope=rule.rope, hdi_mass=rule.hdi_mass)
    if isinstance(decisions, UnitCounts):
        return _of_many(world, asked, rule, decisions, "of counts per item")
    instead = "; name one label (⟨positive⟩)"
    return _of_many(world, asked, rule, decisions, "of many labels per item", instead)


def _of_groups(decisions: Grouped | GroupedCounts, asked: PlanQuestion) -> Planned:
    """Plan from labels or counts in groups."""
    average, rule = _average(decisions, asked)
    world = GroupPilot(decisions=decisions, measure=average, rope=rule.rope, hdi_mass=rule.hdi_mass)
    return _of_many(world, asked, rule, decisions, "in groups", " without groups")


def _average(decisions: Any, asked: PlanQuestion) -> tuple[Average, Rule]:
    average = averages_of(decisions, asked.measure, asked.positive, sets=asked.sets)[0]
    rule = _bare_rule(rope_of(asked.rope).fixed("plans"), asked.hdi_mass)
    _check_rope(rule.rope, average)
    return average, rule


def _bare_rule(rope: Interval, hdi_mass: float) -> Rule:
    """Return the part of a rule that worlds with a measure and a model of their own need."""
    return Rule(measure=measures_of("f1")[0], priors={}, rope=rope, hdi_mass=hdi_mass_of(hdi_mass))


# --- scores and results -----------------------------------------------------------------------------------------------

PRIORS: Final = {"t": "flat", "sign": "jeffreys", "bootstrap": "pseudo-item", "clusters": "no"}


def _of_numbers(scores: Any, asked: PlanQuestion) -> Planned:
    """Plan from classifier scores, or from results."""
    from outclass.ask.numbers import numbers_question  # loaded for numbers alone
    from outclass.measures.results import ResultMeasure
    from outclass.planning.numbers import MeanPilot, NumberGroupPilot, NumberPilot, RightPilot, ScorePilot

    wishes = Wishes(measure=asked.measure, rope=asked.rope, hdi_mass=hdi_mass_of(asked.hdi_mass))
    _, scores, found = numbers_question(scores, wishes)
    measure: Any = found.measures[0]
    of_mean = isinstance(measure, ResultMeasure)
    if any(each.test for each in asked.goals):
        raise InputError(f"{NO_TESTS}, not for numbers: use a verdict, 'decided' or 'width:0.1' as the goal.")
    if measure.name == "median" or not measure.interval:
        raise InputError(f"planning does not support {measure.title}; use the mean of results, AUC or the Brier score.")
    if asked.models not in (("paired",), (found.model,)):
        raise InputError(f"a pilot of these numbers is analysed with the {found.model} model: leave out ⟨model⟩.")
    if asked.prior is not None:
        raise InputError("a pilot of numbers is analysed with its model's default prior: leave out ⟨prior⟩.")
    rope = found.rope.fixed("plans")
    common: dict[str, Any] = {"scores": scores, "rope": rope, "hdi_mass": found.hdi_mass}
    if not of_mean:
        _check_rope(rope, measure)
        common["measure"] = measure
    elif found.model == "clusters":
        common["measure"] = None
    worlds: dict[str, Callable[..., NumberPilot | NumberGroupPilot]] = {
        "t": MeanPilot,
        "sign": RightPilot,
        "bootstrap": ScorePilot,
        "clusters": NumberGroupPilot,
    }
    return Planned(
        world=worlds[found.model](**common),
        models=(found.model,),
        rule=_bare_rule(rope, asked.hdi_mass),
        measure=measure,
        prior=PRIORS[found.model],
        items=len(scores),
        findings=(*scores.findings, *found.notes),
    )


# --- runs -------------------------------------------------------------------------------------------------------------

MORE_RUNS: Final = (0, 2)
MOST_RUNS: Final = 1_000


def _of_runs(runs: Runs, asked: PlanQuestion) -> Planned:
    """Plan from several runs of each system: each number of further runs is a rule of its own."""
    from outclass.ask.run_questions import runs_planned  # loaded for runs alone
    from outclass.planning.runs import RunsPilot

    if any(each.test for each in asked.goals):
        raise InputError(f"{NO_TESTS}, not for runs: use a verdict, 'decided' or 'width:0.1' as the goal.")
    if asked.models not in (("paired",), ("crossed",)):
        raise InputError("a pilot of runs is analysed with the crossed model: leave out ⟨model⟩.")
    if asked.prior is not None:
        raise InputError("a pilot of runs is analysed with the matched prior: leave out ⟨prior⟩.")
    wishes = Wishes(
        measure=asked.measure,
        positive=asked.positive,
        labels=asked.sets[0],
        exclude_labels=asked.sets[1],
        rope=asked.rope,
        hdi_mass=hdi_mass_of(asked.hdi_mass),
    )
    (known, data, question), *_ = runs_planned(runs, wishes, ranks=True)
    (measure,) = question.measures
    if max(map(len, runs.of.values())) == 1:
        raise InputError("each system has a single run, which says nothing of the spread between runs: add a run.")
    new = {_runs_title(each): each for each in _more_runs(asked.more_runs)}
    rope = question.rope.fixed("plans")
    return Planned(
        world=RunsPilot(
            fit=known.fit(data, question), name=measure.name, new=new, rope=rope, hdi_mass=question.hdi_mass
        ),
        models=tuple(new),
        rule=_bare_rule(rope, asked.hdi_mass),
        measure=measure,
        prior=MATCHED,
        items=runs.items,
        findings=(*runs.findings, *question.notes),
    )


def _runs_title(new: int) -> str:
    return "no new runs" if new == 0 else f"{new} new run{'' if new == 1 else 's'} each"


def _more_runs(spec: Any) -> list[int]:
    listed = list(MORE_RUNS) if spec is None else spec.split(",") if isinstance(spec, str) else spec
    try:
        found = [int(each) for each in ([listed] if isinstance(listed, int) else listed)]
    except (TypeError, ValueError):
        found = [-1]
    if not found or not all(0 <= each <= MOST_RUNS for each in found):
        raise InputError(
            f"⟨more_runs⟩ must be numbers of runs from 0 to {MOST_RUNS:,}, as in 0,2,5; got {shown(spec)}."
        )
    return list(dict.fromkeys(found))


# --- all of them ------------------------------------------------------------------------------------------------------

# By the name of the class, so that what is not used is not loaded.
KINDS: Final[dict[str, Callable[[Any, PlanQuestion], Planned]]] = {
    "Outcomes": _of_outcomes,
    "MultiLabel": _of_documents,
    "Grouped": _of_groups,
    "UnitCounts": _of_documents,
    "GroupedCounts": _of_groups,
    "Scores": _of_numbers,
    "RepeatedScores": _of_numbers,
    "Runs": _of_runs,
}


def of_pilot(data: Any, asked: PlanQuestion) -> Planned:
    """Plan from a pilot of any kind that has items to draw."""
    check_can("plan", data)
    names: Sequence[str] = data.systems
    if len(names) != 2:
        raise InputError(f"a pilot needs two systems; choose them (⟨systems⟩) from {quoted(names)}.")
    return KINDS[type(data).__name__](data, asked)
