"""Weights on items, patterns, documents or groups: draws of every measure over many labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.unit_counts import GroupedCounts, UnitCounts, label_of
from outclass.errors import InputError
from outclass.inference.settings import Settings
from outclass.measures.averages import Average
from outclass.models.draws_fit import DrawsFit
from outclass.models.question import Question
from outclass.models.traces import Trace
from outclass.models.weighed import units_of
from outclass.models.weights import CELLS, Weighted

UNIFORM: Final = float(CELLS)  # pseudo-items of the papers' prior: one for each cell of two systems and two classes
PRIOR_DRAWS: Final = 2_000  # of the odds before the data one digit is read


def fit_weights(
    decisions: Decisions,
    question: Question,
    *,
    mass: float | None,
    alone: bool = False,
    factors: bool = True,
    apart: bool = False,
) -> DrawsFit:
    """Draw every measure of every system.

    `alone` is the model of systems that are not paired. `factors` also draws what Bayes factors need. `apart` draws
    each system from its own counts, which is enough where none is compared with another.
    """
    without = mass == 0 or question.settings.method == "mcmc" or not factors
    # Measures under the papers' prior are read off some of the same weights: only the pseudo-items are drawn again.
    measures: Any = question.measures
    extra = () if without or mass is not None else tuple(_judging(measure) for measure in measures)
    found = _drawn(decisions, question, mass, alone=alone, judging=extra, apart=apart)
    if without:
        return found
    settings = replace(
        question.settings, draws=min(question.settings.draws, max(PRIOR_DRAWS, question.settings.draws // 10))
    )
    own = replace(question, settings=settings, progress=None)
    before = _drawn(decisions, own, UNIFORM if mass is None else mass, alone=alone, empty=True)
    if mass is not None:
        return replace(found, prior_fit=before, judged=found)
    judged = {measure.name: found.values.pop(other.name) for measure, other in zip(measures, extra, strict=True)}
    return replace(found, prior_fit=before, judged=replace(found, values=judged))


def _judging(measure: Average) -> Average:
    """Return a measure under the papers' prior, which has one pseudo-item for each cell."""
    return replace(measure, name=f"{measure.name} (uniform)", pseudo_count=1.0)


def _drawn(
    decisions: Decisions,
    question: Question,
    mass: float | None,
    *,
    alone: bool,
    empty: bool = False,
    judging: tuple[Average, ...] = (),
    apart: bool = False,
) -> DrawsFit:
    order = canonical(decisions)
    groups = [(system,) for system in order] if alone or apart else [order]
    measures: Sequence[Any] = question.measures
    columns: dict[str, dict[str, Floats]] = {measure.name: {} for measure in (*measures, *judging)}
    seen: dict[str, dict[str, float]] = {measure.name: {} for measure in measures}
    moved: dict[str, dict[str, float]] = {name: {} for name in seen}
    trace: Trace | None = None
    settings = question.settings
    for number, systems in enumerate(groups):
        asked = (*measures, *judging)
        units = units_of(decisions, systems, matrix=any(measure.matrix for measure in measures), measures=asked)
        seed = settings.seed + 7919 * number
        model = Weighted(
            units, systems, settings.draws, seed, question.undefined, mass, empty, judging, question.owners
        )
        if settings.method == "mcmc":
            values, own = _by_chains(model, settings, number, measures)
            trace = own if trace is None else trace.plus(own)
        else:
            values = model.values(measures, question.progress)
        for name, found in values.items():
            columns[name] |= dict(zip(systems, found.T, strict=True))
        for store, numbers in ((seen, model.observed), (moved, model.expected)):
            for name, each in numbers(measures).items():
                store[name] |= dict(zip(systems, each, strict=True))
    names = tuple(decisions.systems)
    grouped = isinstance(decisions, Grouped | GroupedCounts)
    key = "bootstrap" if mass == 0 else "unpaired" if alone else "paired"
    return DrawsFit(
        data=decisions,
        question=question,
        model=f"{'groups' if grouped else 'units'}.{key}",
        title="unpaired" if alone else title_of(decisions, key),
        prior=_prior_title(mass, measures),
        systems=names,
        items=decisions.items,
        label=label_of(decisions, measures[0].label),
        findings=tuple(decisions.findings),
        values={name: _together([found[each] for each in names]) for name, found in columns.items()},
        seen={name: np.array([found[each] for each in names]) for name, found in seen.items()},
        moved={name: np.array([found[each] for each in names]) for name, found in moved.items()},
        trace=trace,
        paired=not alone,
        independent=not grouped,
    )


def _together(columns: Sequence[Floats]) -> Floats:
    """Return the systems' draws side by side; those for Bayes factors may be a few more of one than of another."""
    least = min(len(each) for each in columns)
    return np.stack([each[:least] for each in columns], axis=1)


def title_of(decisions: Decisions, key: str) -> str:
    """Name a model of weights in a report."""
    if isinstance(decisions, Grouped | GroupedCounts):
        return "bootstrap (weights on groups)" if key == "bootstrap" else "paired (cluster jackknife)"
    if isinstance(decisions, UnitCounts):
        return "paired (weights on items)"
    return "paired (weights on documents)" if isinstance(decisions, MultiLabel) else "paired (weights on patterns)"


def canonical(decisions: Decisions) -> tuple[str, ...]:
    """Return the systems in an order that depends on what they say: to swap two of them mirrors the draws."""
    tables = decisions.outcomes.all_tables() if type(decisions) is Classes else map(decisions.tables, decisions.systems)
    keys = {system: (table.tobytes(), system) for system, table in zip(decisions.systems, tables, strict=True)}
    return tuple(sorted(decisions.systems, key=lambda system: keys[system]))


def naive_fit(decisions: Grouped | GroupedCounts, question: Question) -> DrawsFit:
    """Refit ignoring the groups, to measure their effect on the interval."""
    items = Classes(decisions.outcomes) if isinstance(decisions, Grouped) else decisions.counts
    return _drawn(items, question, 0.0, alone=False)


def no_chains(question: Question, what: str) -> None:
    """Refuse chains where there is nothing for them to do."""
    if question.settings.method == "mcmc":
        raise InputError(f"MCMC needs a prior; {what} is exact without it: leave out ⟨method=mcmc⟩.")


def _by_chains(
    model: Weighted, settings: Settings, number: int, measures: Sequence[Average]
) -> tuple[dict[str, Floats], Trace]:
    """Return the measures' draws from chains instead of independent ones."""
    from outclass.models.mcmc_many import sample_weights  # loaded with the rest of PyMC alone

    if settings.form == "original":
        raise InputError("MCMC over many labels always uses counts: leave out ⟨form⟩.")
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


def _prior_title(mass: float | None, measures: Sequence[Average]) -> str:
    if mass == 0:
        return "no prior"
    masses = dict.fromkeys(CELLS * each.pseudo_count if mass is None else mass for each in measures)
    told = " or ".join(f"{each:.3g}" for each in masses)
    return f"{'matched' if mass is None else 'even'} prior ({told} pseudo-items)"
