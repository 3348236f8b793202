"""Many labels at once: from outcomes to the rows of an answer, and to a ranking of all systems."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from outclass.answers.ranking import Ranking
from outclass.arrays import Floats
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, quoted, unknown
from outclass.findings import Finding, finding
from outclass.inference.chains import Chains
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.measures.averages import Average
from outclass.models.clusters import Groups, Jackknife, average_of, of_labels
from outclass.models.hierarchical import Level, SharedOutcomes
from outclass.models.traces import Trace
from outclass.models.weights import CELLS, Weighted, units_of
from outclass.rows.checks.groups import clusters_told, notice_groups, notice_number, notice_ranked
from outclass.rows.checks.labels import (
    FEW_OF_A_CLASS,
    additional_items_of,
    notice_chains,
    notice_edge,
    notice_few_errors,
    notice_rope,
    notice_thin,
    notice_usual_rope,
)
from outclass.rows.types import Contrast, MeasureInfo, Pairing, Ranked, SystemSummary
from outclass.significance.result import TestResult
from outclass.significance.sign import sign_exact
from outclass.verdict.rope import Rope, decide

MODELS = ("paired", "unpaired", "bootstrap", "hierarchical", "decisions")
MOVED = 0.1  # stds by which a prior may move a result before it is said
FEW_WORTH = 2_000
LEAST_WORTH = 200
MOST_RATES = 8_000_000  # of the hierarchy, draws times classes
ENOUGH_DRAWS, BLOCK = 4_000, 2_000_000  # for a quantile of the largest difference; numbers held at a time
MOST_DIFFERENCES = 40_000_000  # of pairs of systems, over the draws that intervals of ranks are read off
MOST_PAIRS = 40  # systems whose pairs are looked at for what is odd
MOST_RANKED = 7  # of those in groups, of whose pairs each has something to say
# The decision-level model: which measure of pooled decisions a micro average is.
POOLED = {"micro_f1": "f1", "micro_precision": "precision", "micro_recall": "recall"}


@dataclass(frozen=True, kw_only=True)
class Overall:
    """What is asked of systems over many labels."""

    measures: tuple[Average, ...]
    model: str
    mass: float | None  # of the prior, in pseudo-items in all; None is each measure's matched prior
    rope: Rope
    hdi_mass: float
    draws: int
    seed: int
    undefined: str = "drop"
    by_label: bool = False  # the hierarchical model: one row a label, shrunk
    chains: Settings | None = None  # how to run chains, where they are asked for
    average: str | None = None  # of items in groups: over items or over groups

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise unknown("model of many labels", self.model, MODELS)


@dataclass(frozen=True)
class Drawn:
    """Draws of every measure of every system, with what the data alone say."""

    systems: tuple[str, ...]
    values: dict[str, Floats]  # (draws, systems)
    observed: dict[str, Floats]  # (systems,)
    moved: dict[str, Floats]  # the same with the prior's items added
    prior: str
    findings: tuple[Finding, ...]
    trace: Trace | None = None  # of chains, whose draws come one chain after the other
    jackknives: dict[str, Jackknife] | None = None  # of items in groups, whose laws are not those of the draws
    paired: bool = True

    def law(self, measure: Average, a: int, b: int) -> Distribution:
        """Return the law of a difference."""
        if self.jackknives is not None:
            return self.jackknives[measure.name].law(a, b, paired=self.paired)
        reach = measure.high - measure.low
        values = self.values[measure.name]
        return self._law(values[:, a] - values[:, b], Interval(-reach, reach))

    def own(self, measure: Average, which: int) -> Distribution:
        """Return the law of one system's measure."""
        if self.jackknives is not None:
            return self.jackknives[measure.name].own(which)
        return self._law(self.values[measure.name][:, which], Interval(measure.low, measure.high))

    def _law(self, values: Floats, support: Interval) -> Draws:
        if self.trace is None:
            return Draws.iid(values, support)
        return self.trace.law(values.reshape(self.trace.chains, -1), support)


def check_measures(decisions: Decisions, question: Overall) -> None:
    """Refuse measures that the data or the model cannot have."""
    for measure in question.measures:
        if measure.single and isinstance(decisions, MultiLabel):
            raise InputError(
                f"{measure.title} is of one label an item; items with many labels have micro, macro and weighted F1, "
                "precision and recall."
            )
        if question.model == "decisions" and measure.name not in POOLED:
            raise InputError(f"the decisions model knows {', '.join(POOLED)} only, not {measure.name}.")
        if question.model in ("hierarchical", "decisions") and isinstance(decisions, Grouped):
            raise InputError(f"the {question.model} model knows no groups; use paired or bootstrap.")
        if question.model == "hierarchical" and measure.name != "macro_f1":
            raise InputError(f"the hierarchical model knows macro_f1 only, not {measure.name}.")


def drawn(decisions: Decisions, question: Overall, progress: Callable[[int, int], None] | None = None) -> Drawn:
    """Draw every measure of every system."""
    check_measures(decisions, question)
    if question.model == "hierarchical":
        return _hierarchical(decisions, question)
    if isinstance(decisions, Grouped) and question.model != "bootstrap":
        return _clustered(decisions, question)
    if question.average is not None:
        raise InputError("average (--average) goes with groups (--group) and the paired or unpaired model.")
    mass = _mass(decisions, question)
    alone = question.model == "unpaired"
    order = canonical(decisions)
    groups = [(system,) for system in order] if alone else [order]
    columns: dict[str, dict[str, Floats]] = {measure.name: {} for measure in question.measures}
    observed: dict[str, dict[str, float]] = {name: {} for name in columns}
    moved: dict[str, dict[str, float]] = {name: {} for name in columns}
    trace: Trace | None = None
    for number, systems in enumerate(groups):
        seed = question.seed + 7919 * number
        model = Weighted(units_of(decisions, systems), systems, question.draws, seed, question.undefined, mass)
        if question.chains is None:
            values = model.values(question.measures, progress)
        else:
            values, own = _by_chains(model, question.chains, number, question.measures)
            trace = own if trace is None else trace.plus(own)
        for name, found in values.items():
            columns[name] |= dict(zip(systems, found.T, strict=True))
        for store, numbers in ((observed, model.observed), (moved, model.expected)):
            for name, each in numbers(question.measures).items():
                store[name] |= dict(zip(systems, each, strict=True))
    names = tuple(decisions.systems)
    return Drawn(
        systems=names,
        values={name: np.stack([found[each] for each in names], axis=1) for name, found in columns.items()},
        observed={name: np.array([found[each] for each in names]) for name, found in observed.items()},
        moved={name: np.array([found[each] for each in names]) for name, found in moved.items()},
        prior=_told_prior(mass, question.measures),
        findings=tuple(decisions.findings),
        trace=trace,
    )


def _mass(decisions: Decisions, question: Overall) -> float | None:
    """Return the pseudo-items of the prior: None for the matched ones, 0 for none."""
    if question.model == "bootstrap" or isinstance(decisions, Grouped):
        if question.mass is not None and question.mass > 0:
            raise InputError("the bootstrap model and weights on groups have no prior: leave it out (--prior).")
        if question.chains is not None:
            raise InputError("chains need a prior; the bootstrap model is exact without them: leave out mcmc.")
        return 0.0
    if question.chains is not None and question.mass == 0:
        raise InputError("chains need a prior; without one the weights are exact: leave out mcmc.")
    return question.mass


def canonical(decisions: Decisions) -> tuple[str, ...]:
    """Return the systems in an order that depends on what they say: to swap two of them mirrors the draws."""
    keys = {system: (decisions.tables(system).tobytes(), system) for system in decisions.systems}
    return tuple(sorted(decisions.systems, key=lambda system: keys[system]))


def _clustered(decisions: Grouped, question: Overall) -> Drawn:
    """Leave out the groups one by one; draws of all systems together are for ranks alone."""
    if question.mass is not None or question.chains is not None:
        raise InputError("items in groups are compared without a prior or chains: leave out prior and method.")
    found = {
        measure.name: of_labels(decisions, decisions.systems, measure, question.undefined, average_of(question.average))
        for measure in question.measures
    }
    values = {name: each.sample(question.draws, question.seed) for name, each in found.items()}
    observed = {name: each.values for name, each in found.items()}
    return Drawn(
        systems=tuple(decisions.systems),
        values=values,
        observed=observed,
        moved=observed,
        prior="no prior",
        findings=tuple(decisions.findings),
        jackknives=found,
        paired=question.model != "unpaired",
    )


def _by_chains(
    model: Weighted, settings: Settings, number: int, measures: Sequence[Average]
) -> tuple[dict[str, Floats], Trace]:
    """Return the measures' draws from chains instead of independent ones."""
    from outclass.models.mcmc_many import sample_weights  # loaded with the rest of PyMC alone

    own = replace(settings, seed=settings.seed + number)
    rng = np.random.default_rng(own.seed)
    found: dict[str, Floats] = {}
    whole: Trace | None = None
    for mass in dict.fromkeys(model.mass_of(measure) for measure in measures):
        weights, pseudo, trace = sample_weights(model.units, mass, own)
        rows = weights.reshape(-1, weights.shape[2])
        group = [measure for measure in measures if model.mass_of(measure) == mass]
        found |= model.with_pseudo(rows, pseudo.ravel(), group, rng)
        whole = trace if whole is None else whole.plus(trace)
    assert whole is not None
    return {measure.name: found[measure.name] for measure in measures}, whole


def _told_prior(mass: float | None, measures: Sequence[Average]) -> str:
    if mass == 0:
        return "no prior"
    masses = dict.fromkeys(CELLS * each.pseudo_count if mass is None else mass for each in measures)
    told = " or ".join(f"{each:.3g}" for each in masses)
    return f"{'matched' if mass is None else 'even'} prior ({told} pseudo-items)"


def contrasts(
    decisions: Decisions, question: Overall, progress: Callable[[int, int], None] | None = None
) -> list[Contrast]:
    """Answer for every pair and measure, all from the same draws."""
    if question.model == "decisions":
        raise InputError("the decisions model is of pairs; ask for it with compare.")
    found = drawn(decisions, question, progress)
    if question.by_label:
        return _by_label(decisions, question, found)
    naive = _naive(decisions, question)
    return [
        _row(decisions, question, found, naive, measure, a, b)
        for a, b in combinations(range(len(found.systems)), 2)
        for measure in question.measures
    ]


def _by_label(decisions: Decisions, question: Overall, found: Drawn) -> list[Contrast]:
    """Answer label by label, each shrunk towards what the labels have in common."""
    rows = []
    for a, b in combinations(range(len(found.systems)), 2):
        for label in found.values:
            own = replace(question.measures[0], name=label, title="F1")
            row = _row(decisions, question, found, None, own, a, b)
            shown = MeasureInfo(name="f1", title="F1", higher_is_better=True)
            rows.append(replace(row, measure=shown, label=label))
    return rows


def _row(
    decisions: Decisions, question: Overall, found: Drawn, naive: Drawn | None, measure: Average, a: int, b: int
) -> Contrast:
    law = found.law(measure, a, b)
    systems = [summary(found, measure, place, question.hdi_mass) for place in (a, b)]
    rope = _rope(question, measure, [system.observed for system in systems])
    difference = summarise(law, rope, question.hdi_mass)
    apart = math.hypot(*(system.std for system in systems))
    verdict = decide(difference.hdi, rope)
    paired = question.model != "unpaired" and difference.std > 0 and apart > 0
    row = Contrast(
        systems=(systems[0], systems[1]),
        measure=info(measure),
        label=None,
        model=model_told(decisions, question.model),
        prior=found.prior,
        items=decisions.items,
        observed=systems[0].observed - systems[1].observed,
        difference=difference,
        rope=rope,
        hdi_mass=question.hdi_mass,
        verdict=verdict,
        bayes_factors=(),
        tests=_tests(decisions, measure, found.systems[a], found.systems[b]),
        pairing=Pairing(
            narrower=1 - difference.std / apart,
            items_saved=max(0, round(decisions.items * ((apart / difference.std) ** 2 - 1))),
        )
        if paired
        else None,
        log_odds=None,
        # Of groups it is groups that more is known by, not items.
        additional_items=None
        if isinstance(decisions, Grouped)
        else additional_items_of(verdict, difference, decisions.items, rope, question.hdi_mass),
        findings=(),
        seed=question.seed,
        method=law.method,
        diagnostics=law.diagnostics if isinstance(law, Chains) else None,
        law=law,
    )
    notes = [
        *(notice_chains(law) if isinstance(law, Chains) else ()),
        *found.findings,
        *_thin(decisions, question, measure, a, b),
        *_rare(decisions, measure),
        *_noticed(found, question, measure, a, b, difference.std),
        *notice_rope(row, question.rope, measure.low, measure.high, of_constant(decisions, measure)),
        *notice_edge(row),
    ]
    if found.jackknives is not None:
        own, names = found.jackknives[measure.name], (found.systems[a], found.systems[b])
        notes += notice_groups(own, a, b, names, difference.hdi, question.hdi_mass)
    elif naive is not None and isinstance(decisions, Grouped):
        groups, narrow = Groups(decisions.group), naive.law(measure, a, b).hdi(question.hdi_mass).width
        notes += notice_number(groups)
        notes.append(clusters_told(groups, difference.hdi.width / narrow if narrow > 0 else math.nan))
    return replace(row, findings=tuple(dict.fromkeys(notes)))


def _naive(decisions: Decisions, question: Overall) -> Drawn | None:
    """Refit ignoring the groups, to measure their effect on the interval."""
    if not isinstance(decisions, Grouped) or question.model != "bootstrap":
        return None
    return drawn(Classes(decisions.outcomes), replace(question, mass=None))


def _thin(decisions: Decisions, question: Overall, measure: Average, a: int, b: int) -> Iterator[Finding]:
    """Say what is odd about one pair's data."""
    names = decisions.systems
    apart = differing(decisions, names[a], names[b])
    items = decisions.items
    if measure.given is not None and not isinstance(decisions, MultiLabel):
        items, apart = _where_it_looks(decisions.outcomes, measure, names[a], names[b])
    unit = _unit(decisions) if measure.given is None else f"{measure.given[:-1]} items"
    yield from notice_thin(names[a], names[b], items, apart, unit=unit)
    for name in (names[a], names[b]):
        yield from notice_few_errors(name, _errors(decisions, name, measure), measure.title)
    if question.model == "unpaired":
        yield finding(
            "OC302",
            "the unpaired model was used although both systems saw the same items; it ignores their agreement and is "
            "less sure than it could be (--model paired).",
        )
    if isinstance(decisions, MultiLabel):
        return
    outcomes = decisions.outcomes
    strange = sorted({str(label) for label in outcomes.labels} - {str(label) for label in outcomes.true_labels})
    if strange:
        yield finding(
            "OC110",
            f"predicted but never true: {quoted(strange, most=5)}. A macro average leaves such a label out, unless "
            "every system predicts it; then it counts as 0.",
        )


def _rope(question: Overall, measure: Average, values: Sequence[float]) -> Interval:
    return question.rope.of(values, measure.low, measure.high, higher_is_better=measure.higher_is_better)


def of_constant(decisions: Decisions, measure: Average) -> float:
    """Return the measure of a system that gives every item the commonest label."""
    true = decisions.frequencies.astype(float)
    said = np.zeros_like(true)
    said[int(np.argmax(true))] = decisions.items
    right = np.minimum(true, said)
    return float(measure(right, said - right, true - right, np.array(float(decisions.items))))


def differing(decisions: Decisions, a: str, b: str) -> int:
    """Return how many items show a difference: exactly one system is right, or the two name other labels."""
    if isinstance(decisions, MultiLabel):
        apart = decisions.marks[:, decisions.column(a)] != decisions.marks[:, decisions.column(b)]
        return len(np.unique(decisions.item[apart]))
    right = decisions.outcomes.rights(a, b)
    return int(right[0, 1] + right[1, 0])


def _where_it_looks(outcomes: Outcomes, measure: Average, a: str, b: str) -> tuple[int, int]:
    """Return how many items of its class a measure of one class sees, and on how many of them two systems differ."""
    assert measure.label is not None
    row = outcomes.joint(a, b, outcomes.labels[measure.label])[0 if measure.given == "positives" else 1]
    return int(row.sum()), int(row[1:3].sum())


def _errors(decisions: Decisions, system: str, measure: Average) -> int:
    """Return how many errors of a system a measure sees: wrong items, documents or, of one label, decisions."""
    if measure.label is not None and not isinstance(decisions, MultiLabel):
        (_, fn), (fp, _) = decisions.tables(system)[measure.label]
        return int(fn + fp)
    if isinstance(decisions, MultiLabel):
        wrong = decisions.marks[:, 0] != decisions.marks[:, decisions.column(system)]
        return len(np.unique(decisions.item[wrong]))
    patterns = decisions.outcomes.patterns
    return int(decisions.outcomes.counts[patterns[:, 0] != patterns[:, decisions.outcomes.column(system)]].sum())


def _unit(decisions: Decisions) -> str:
    return "documents" if isinstance(decisions, MultiLabel) else "items"


def _rare(decisions: Decisions, measure: Average) -> Iterator[Finding]:
    """Say if an average over classes rests on classes of a few items."""
    known = decisions.frequencies
    rare = int(((known > 0) & (known < FEW_OF_A_CLASS)).sum())
    if rare and measure.name.startswith("macro"):
        yield finding(
            "OC208",
            f"{rare} of {len(known)} labels have fewer than {FEW_OF_A_CLASS} items; an average over labels may be "
            "less sure than its interval says (docs/coverage.md).",
        )


def _noticed(found: Drawn, question: Overall, measure: Average, a: int, b: int, std: float) -> Iterator[Finding]:
    seen, moved = found.observed[measure.name], found.moved[measure.name]
    shift = abs((moved[a] - moved[b]) - (seen[a] - seen[b]))
    if std > 0 and shift > MOVED * std:
        yield finding(
            "OC207",
            f"the prior moves the difference in {measure.title} by {shift / std:.1f} of its std; --model bootstrap has "
            "none, and a smaller --prior has less.",
        )
    values = found.values[measure.name]
    gone = float(np.mean(~np.isfinite(values[:, [a, b]]).all(axis=1)))
    if gone:
        yield finding("OC206", f"the {measure.title} is undefined for {gone:.1%} of the draws; they were left out.")


def summary(found: Drawn, measure: Average, which: int, hdi_mass: float) -> SystemSummary:
    """Return one system's numbers."""
    law = found.own(measure, which)
    return SystemSummary(
        name=found.systems[which],
        observed=float(found.observed[measure.name][which]),
        mean=law.mean,
        std=law.std,
        hdi=law.hdi(hdi_mass),
        law=law,
    )


def info(measure: Average) -> MeasureInfo:
    """Return what a report must know of a measure."""
    return MeasureInfo(name=measure.name, title=measure.title, higher_is_better=measure.higher_is_better)


def model_told(decisions: Decisions, model: str) -> str:
    """Name the model in a report."""
    if model in ("hierarchical", "unpaired"):
        return model
    if isinstance(decisions, Grouped):
        return "bootstrap (weights on groups)" if model == "bootstrap" else "paired (cluster jackknife)"
    if isinstance(decisions, MultiLabel):
        return "paired (weights on documents)"
    return "paired (weights on patterns)"


def _tests(decisions: Decisions, measure: Average, a: str, b: str) -> tuple[TestResult, ...]:
    if not isinstance(decisions, Classes) or measure.name not in ("accuracy", "error", "micro_f1"):
        return ()
    right = decisions.outcomes.rights(a, b)
    return (sign_exact(int(right[0, 1]), int(right[1, 0])),)


# --- the hierarchical model ---------------------------------------------------------------------------------------


def _hierarchical(decisions: Decisions, question: Overall) -> Drawn:
    """Draw the macro-F1 of every system; of exactly two, on the same items, together."""
    (measure,) = question.measures
    rng = np.random.default_rng(question.seed)
    question = replace(question, draws=max(1_000, min(question.draws, MOST_RATES // max(len(decisions.labels), 1))))
    systems = decisions.systems
    tables = {system: decisions.tables(system).astype(float) for system in systems}
    first = tables[systems[0]]
    positives, negatives = first[:, 0].sum(axis=1), first[:, 1].sum(axis=1)
    present = positives > 0
    notes = list(decisions.findings)
    notes.append(
        finding(
            "OC209",
            "the hierarchical model draws the classes apart from each other, though they share their items: its "
            "interval is too narrow, by about a quarter with one label an item (docs/coverage.md).",
        )
    )
    if len(systems) > 2:
        notes.append(
            finding(
                "OC302",
                "with more than two systems the hierarchical model takes them as independent; compare two at a time to "
                "pair them.",
            )
        )
    if question.mass is not None:
        raise InputError("the hierarchical model has hyper-priors of its own: leave the prior out.")
    if not present.all():
        gone = [decisions.labels[place] for place in np.flatnonzero(~present)]
        notes.append(
            finding("OC404", f"labels that are never true are left out of the average: {quoted(gone, most=5)}.")
        )
    trace = None
    if len(systems) == 2:
        joints = decisions.joints(*systems)[present].astype(float)
        rates, trace, told = _rates_together(joints, question, rng)
        notes += told
    elif question.chains is not None:
        raise InputError("chains of the hierarchical model are of two systems; compare two at a time.")
    else:
        rates = []
        for system in systems:
            table = tables[system][present]
            recall, fallout = (
                Level.fit(table[:, row, 0], table[:, row].sum(axis=1)).sample(question.draws, rng) for row in (0, 1)
            )
            rates.append((recall, fallout))
    draws = len(rates[0][0])
    share = rng.beta(positives[present] + 1, negatives[present] + 1, (draws, int(present.sum())))
    drawn_f1, seen_f1 = [], []
    for system, (recall, fallout) in zip(systems, rates, strict=True):
        drawn_f1.append(2 * share * recall / (share * (1 + recall) + (1 - share) * fallout))
        table = tables[system][present]
        tp, fn, fp = table[:, 0, 0], table[:, 0, 1], table[:, 1, 0]
        seen_f1.append(2 * tp / (2 * tp + fn + fp))
    values, seen = np.stack(drawn_f1, axis=2), np.stack(seen_f1, axis=1)  # (draws, labels, systems), (labels, systems)
    if question.by_label:
        names = [decisions.labels[place] for place in np.flatnonzero(present)]
        by_name = {name: values[:, place] for place, name in enumerate(names)}
        observed = {name: seen[place] for place, name in enumerate(names)}
    else:
        by_name, observed = {measure.name: values.mean(axis=1)}, {measure.name: seen.mean(axis=0)}
    return Drawn(
        systems=tuple(systems),
        values=by_name,
        observed=observed,
        moved=observed,
        prior="our hyper-priors: level Beta(1, 1), log kappa N(2, 1.5)",
        findings=tuple(notes),
        trace=trace,
    )


def _rates_together(
    joints: Floats, question: Overall, rng: np.random.Generator
) -> tuple[list[tuple[Floats, Floats]], Trace | None, list[Finding]]:
    """Draw recalls and false-positive rates of two systems on the same items: (draws, classes) each."""
    trace, worth = None, math.inf
    if question.chains is not None:
        yes, no, trace = _shared_by_chains(joints, question.chains, rng)
    else:
        (yes, worth_yes), (no, worth_no) = (
            SharedOutcomes(joints[:, row]).sample(question.draws, rng) for row in (0, 1)
        )
        worth = min(worth_yes, worth_no)
    if worth < LEAST_WORTH:
        raise InputError(
            f"the hierarchical model cannot be drawn from for these data (its draws are worth {worth:,.0f}); use "
            "--model bootstrap, or chains (--method mcmc)."
        )
    notes = []
    faults = [] if trace is None else trace.faults()
    if faults:
        notes.append(
            finding("OC210", f"the chains of the hyper-parameters are not to be relied on: {'; '.join(faults[:3])}.")
        )
    if worth < FEW_WORTH:
        notes.append(
            finding("OC203", f"the hyper-parameters' draws are worth {worth:,.0f} only; the numbers are rough.")
        )
    rates = [(yes[:, :, [0, place]].sum(axis=2), no[:, :, [0, place]].sum(axis=2)) for place in (1, 2)]
    return rates, trace, notes


def _shared_by_chains(joints: Floats, settings: Settings, rng: np.random.Generator) -> tuple[Floats, Floats, Trace]:
    """Draw every class's outcomes of the positives and of the negatives, their shared law from chains."""
    from outclass.models.mcmc_many import sample_shared  # loaded with the rest of PyMC alone

    found, traces = [], []
    draws = max(400, min(settings.draws, MOST_RATES // len(joints)))
    for row in (0, 1):
        own = replace(settings, seed=settings.seed + row, draws=draws)
        shares, kappa, trace = sample_shared(joints[:, row], own)
        traces.append(trace)
        alphas = (shares * kappa[..., None]).reshape(-1, 1, 4)
        gammas = rng.standard_gamma(np.maximum(alphas + joints[:, row], 1e-9))
        found.append(gammas / np.maximum(gammas.sum(axis=2, keepdims=True), 1e-300))
    return found[0], found[1], traces[0].plus(traces[1])


# --- a ranking ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranks:
    """Ranks of all systems in every draw; the best is 1, and ties share."""

    values: Floats  # (draws, systems), higher is better

    @cached_property
    def ranks(self) -> Floats:
        """Mid-ranks, shape (draws, systems)."""
        order = np.argsort(-self.values, axis=1, kind="stable")
        sorted_values = np.take_along_axis(self.values, order, axis=1)
        draws, systems = self.values.shape
        new = np.ones((draws, systems), dtype=bool)
        new[:, 1:] = sorted_values[:, 1:] != sorted_values[:, :-1]
        ranks = np.empty((draws, systems))
        if new.all():
            np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1.0, systems + 1), (draws, systems)), axis=1)
            return ranks
        # The group of equal values that each place belongs to, and the mean of its places.
        group = np.cumsum(new, axis=1) - 1 + np.arange(draws)[:, None] * systems
        places = np.broadcast_to(np.arange(1.0, systems + 1), (draws, systems))
        size = np.bincount(group.ravel(), minlength=draws * systems)
        total = np.bincount(group.ravel(), weights=places.ravel(), minlength=draws * systems)
        np.put_along_axis(ranks, order, (total[group] / size[group]), axis=1)
        return ranks

    @property
    def expected(self) -> Floats:
        """The expected rank of each system."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def best(self) -> Floats:
        """The probability that each is best; those that tie for it share it."""
        top = self.values == self.values.max(axis=1, keepdims=True)
        return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))

    def intervals(self, mass: float) -> list[Interval]:
        """Return between which ranks all systems lie at once, by simultaneous intervals of all pairs' differences.

        A system is below those that are credibly better than it, and above those that are credibly worse.
        """
        draws, systems = self.values.shape
        kept = self.values[: max(200, min(draws, ENOUGH_DRAWS, MOST_DIFFERENCES // systems**2))]
        centre, spread = self.values.mean(axis=0), np.cov(self.values.T)
        apart = np.maximum(np.add.outer(np.diag(spread), np.diag(spread)) - 2 * spread, 0.0)
        std = np.sqrt(np.where(apart > 0, apart, np.inf))
        step = max(1, BLOCK // systems**2)
        furthest = np.concatenate(
            [
                np.abs((part[:, :, None] - part[:, None, :]) / std).max(axis=(1, 2))
                for part in np.split(kept - centre, range(step, len(kept), step))
            ]
        )
        lead = np.subtract.outer(centre, centre) / std
        better = (lead > float(np.quantile(furthest, mass))).sum(axis=1)
        worse = (lead < -float(np.quantile(furthest, mass))).sum(axis=1)
        return [Interval(float(1 + w), float(systems - b)) for b, w in zip(better, worse, strict=True)]

    @property
    def table(self) -> Floats:
        """P(rank = r), systems by ranks; a tie is spread over the ranks it takes."""
        draws, systems = self.values.shape
        found = np.zeros((systems, systems))
        for which in range(systems):
            own = self.values[:, [which]]
            above = (self.values > own).sum(axis=1)
            equal = (self.values == own).sum(axis=1)
            for size in np.unique(equal):
                rows = equal == size
                counted = np.bincount(above[rows], minlength=systems).astype(float)
                for step in range(int(size)):
                    found[which, step:] += counted[: systems - step] / size
        return np.asarray(found / draws)


def simultaneous(values: Floats, mass: float) -> list[Interval]:
    """Return intervals that hold all systems' values together with the mass."""
    centre, spread = values.mean(axis=0), values.std(axis=0)
    safe = np.where(spread > 0, spread, 1.0)
    reach = float(np.quantile(np.abs((values - centre) / safe).max(axis=1), mass))
    return [Interval(float(c - reach * s), float(c + reach * s)) for c, s in zip(centre, spread, strict=True)]


def tiers(order: Sequence[int], decided: Callable[[int, int], bool]) -> list[list[int]]:
    """Return the runs of neighbours, best first, of which no two are told apart; they may overlap."""
    runs: list[list[int]] = []
    for start in range(len(order)):
        run = [order[start]]
        for place in order[start + 1 :]:
            if any(decided(member, place) for member in run):
                break
            run.append(place)
        if not runs or not set(run) <= set(runs[-1]):
            runs.append(run)
    return runs


def rank(decisions: Decisions, question: Overall, progress: Callable[[int, int], None] | None = None) -> Ranking:
    """Rank all systems under one posterior."""
    (measure,) = question.measures
    if question.rope.interval.low != -question.rope.interval.high:
        raise InputError("a ranking needs a rope that is the same on both sides, since no system comes first.")
    found = drawn(decisions, question, progress)
    values = found.values[measure.name]
    kept = np.isfinite(values).all(axis=1)
    values = values[kept]
    if not len(values):
        raise InputError(f"the {measure.title} is undefined, whatever the weights are.")
    gone = 1 - float(kept.mean())
    notes = list(found.findings)
    if gone:
        notes.append(finding("OC206", f"the {measure.title} is undefined for {gone:.1%} of the draws; left out."))
    notes += [*_rare(decisions, measure)]
    for a, b in combinations(range(min(len(found.systems), MOST_PAIRS)), 2):
        notes += [*_thin(decisions, question, measure, a, b)]
    seen = found.observed[measure.name].tolist()
    rope = _rope(question, measure, seen)
    if question.rope.usual:
        better, constant = measure.higher_is_better, of_constant(decisions, measure)
        notes += [*notice_usual_rope(rope, seen, measure.low, measure.high, better, constant)]
    if found.jackknives is not None:
        notes += notice_ranked(found.jackknives[measure.name], found.systems, question.hdi_mass, MOST_RANKED)
    found = replace(found, jackknives=None)  # a ranking's numbers are those of its draws, which are of the same worlds
    return ranking_of(
        values,
        [summary(found, measure, place, question.hdi_mass) for place in range(len(found.systems))],
        Interval(measure.low, measure.high),
        measure=info(measure),
        rope=rope,
        hdi_mass=question.hdi_mass,
        model=model_told(decisions, question.model),
        prior=found.prior,
        items=decisions.items,
        draws=question.draws,
        seed=question.seed,
        findings=tuple(dict.fromkeys(notes)),
    )


def ranking_of(
    values: Floats,
    systems: Sequence[SystemSummary],
    bounds: Interval,
    *,
    measure: MeasureInfo,
    rope: Interval,
    hdi_mass: float,
    **told: Any,
) -> Ranking:
    """Rank systems by draws of all of them, (draws, systems), that are of the same worlds."""
    ranks = Ranks(values if measure.higher_is_better else -values)
    expected, best, table = ranks.expected, ranks.best, ranks.table
    places = ranks.intervals(hdi_mass)
    together = [
        Interval(max(each.low, bounds.low), min(each.high, bounds.high)) for each in simultaneous(values, hdi_mass)
    ]
    order = sorted(range(len(systems)), key=lambda place: (expected[place], systems[place].name))
    verdicts = _verdicts(values, rope, hdi_mass)
    groups = tiers(order, lambda a, b: verdicts[a][b] in ("<<", ">>"))
    return Ranking(
        measure=measure,
        systems=tuple(
            Ranked(
                system=systems[place],
                expected_rank=float(expected[place]),
                best=float(best[place]),
                ranks=tuple(float(p) for p in table[place]),
                simultaneous=together[place],
                rank_interval=places[place],
                tiers=tuple(number for number, group in enumerate(groups) if place in group),
            )
            for place in order
        ),
        verdicts=tuple(tuple(verdicts[a][b] for b in order) for a in order),
        rope=rope,
        hdi_mass=hdi_mass,
        **told,
    )


MIRROR = {"<<": ">>", "<": ">", ">": "<", ">>": "<<"}


def _verdicts(values: Floats, rope: Interval, hdi_mass: float) -> list[list[str]]:
    """Decide every pair, a row at a time."""
    draws, systems = values.shape
    inside = min(max(int(np.ceil(hdi_mass * draws)), 1), draws)
    found = [["" for _ in range(systems)] for _ in range(systems)]
    for a in range(systems):
        others = range(a + 1, systems)
        if not others:
            break
        differences = np.sort(values[:, [a]] - values[:, a + 1 :], axis=0)
        widths = differences[inside - 1 :] - differences[: draws - inside + 1]
        start = np.argmin(widths, axis=0)
        for place, b in enumerate(others):
            low, high = differences[start[place], place], differences[start[place] + inside - 1, place]
            verdict = decide(Interval(float(low), float(high)), rope).value
            found[a][b], found[b][a] = verdict, MIRROR.get(verdict, verdict)
    return found
