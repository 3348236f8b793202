"""Labels that learn from each other: recalls and false-positive rates of all labels share a distribution.

Of two systems on the same items the outcomes are drawn together; of more, each system by itself.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Decisions
from outclass.errors import InputError, quoted
from outclass.findings import Finding, finding
from outclass.inference.settings import Settings
from outclass.measures.averages import Average
from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.shrinkage import Level, SharedOutcomes
from outclass.models.traces import Trace

MOST_RATES: Final = 8_000_000  # draws times labels
FEW_EFFECTIVE: Final = 2_000
LEAST_EFFECTIVE: Final = 200
Rates = tuple[Floats, Floats]  # recalls and false-positive rates, (draws, labels) each


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw the F1 of every label, and from these the macro-F1, or one row per label."""
    rng = np.random.default_rng(question.settings.seed)
    labels = max(len(decisions.labels), 1)
    draws = max(1_000, min(question.settings.draws, MOST_RATES // labels))
    systems = tuple(decisions.systems)
    tables = {system: decisions.tables(system).astype(float) for system in systems}
    positives, negatives = (tables[systems[0]][:, row].sum(axis=1) for row in (0, 1))
    present = positives > 0
    notes = _notes(decisions, present, systems)
    rates, trace, told = _rates(decisions, tables, present, question.settings, draws, rng)
    share = rng.beta(positives[present] + 1, negatives[present] + 1, (len(rates[0][0]), int(present.sum())))
    drawn = [2 * share * recall / (share * (1 + recall) + (1 - share) * fallout) for recall, fallout in rates]
    values = np.stack(drawn, axis=2)  # (draws, labels, systems)
    seen = np.stack([_f1(tables[system][present]) for system in systems], axis=1)  # (labels, systems)
    measure: Any = question.measures[0]
    names = [decisions.labels[place] for place in np.flatnonzero(present)]
    if measure.places is not None:
        # All labels learn from each other; those asked about are averaged, or shown.
        own = np.isin(np.flatnonzero(present), measure.places)
        if not own.any():
            raise InputError("none of the labels asked about (⟨labels⟩) is ever true.")
        values, seen, names = values[:, own], seen[own], [name for name, kept in zip(names, own, strict=True) if kept]
    by_name, observed = {measure.name: values.mean(axis=1)}, {measure.name: seen.mean(axis=0)}
    if question.by_label:
        by_name = {name: values[:, place] for place, name in enumerate(names)}
        observed = {name: seen[place] for place, name in enumerate(names)}
        question = replace(question, measures=tuple(_of_label(measure, name) for name in names))
    return DrawsFit(
        data=decisions,
        question=question,
        model="units.hierarchical",
        title="hierarchical",
        prior="our hyper-priors: level Beta(1, 1), log kappa N(2, 1.5)",
        systems=systems,
        items=decisions.items,
        findings=(*notes, *told),
        values=by_name,
        seen=observed,
        trace=trace,
    )


def _of_label(measure: Average, label: str) -> Average:
    """Return F1 of one label, by whose name its draws are found."""
    return replace(measure, name=label, title="F1")


def _f1(tables: Floats) -> Floats:
    tp, fn, fp = tables[:, 0, 0], tables[:, 0, 1], tables[:, 1, 0]
    return np.asarray(2 * tp / (2 * tp + fn + fp))


def _notes(decisions: Decisions, present: np.ndarray, systems: Sequence[str]) -> list[Finding]:
    notes = [
        *decisions.findings,
        finding(
            "OC209",
            "the hierarchical model treats classes as independent although they share items, so its interval is too "
            "narrow, by about a quarter with one label per item (docs/coverage.md).",
        ),
    ]
    if len(systems) > 2:
        notes.append(
            finding(
                "OC302",
                "with more than two systems the hierarchical model treats them as independent; for a paired "
                "analysis, compare two at a time.",
            )
        )
    if not present.all():
        gone = [decisions.labels[place] for place in np.flatnonzero(~present)]
        told = f"labels that are never true are dropped from the average: {quoted(gone, most=5)}."
        notes.append(finding("OC404", told))
    return notes


def _rates(
    decisions: Any,
    tables: dict[str, Floats],
    present: np.ndarray,
    settings: Settings,
    draws: int,
    rng: np.random.Generator,
) -> tuple[list[Rates], Trace | None, list[Finding]]:
    """Draw recalls and false-positive rates of every system."""
    if len(tables) == 2:
        joints = decisions.joints(*decisions.systems)[present].astype(float)
        return _together(joints, settings, draws, rng)
    if settings.method == "mcmc":
        raise InputError("MCMC for the hierarchical model needs two systems; compare two at a time.")
    rates = []
    for each in tables.values():
        table = each[present]
        recall, fallout = (Level.fit(table[:, row, 0], table[:, row].sum(axis=1)).sample(draws, rng) for row in (0, 1))
        rates.append((recall, fallout))
    return rates, None, []


def _together(
    joints: Floats, settings: Settings, draws: int, rng: np.random.Generator
) -> tuple[list[Rates], Trace | None, list[Finding]]:
    """Draw those of two systems on the same items."""
    trace, effective = None, math.inf
    if settings.method == "mcmc":
        yes, no, trace = _shared_by_chains(joints, settings, rng)
    else:
        (yes, size_yes), (no, size_no) = (SharedOutcomes(joints[:, row]).sample(draws, rng) for row in (0, 1))
        effective = min(size_yes, size_no)
    if effective < LEAST_EFFECTIVE:
        raise InputError(
            f"importance sampling failed for the hierarchical model (effective sample size {effective:,.0f}); use "
            "⟨model=bootstrap⟩, or ⟨method=mcmc⟩."
        )
    notes = []
    faults = [] if trace is None else trace.faults()
    if faults:
        told = f"the chains of the hyper-parameters did not converge: {'; '.join(faults[:3])}."
        notes.append(finding("OC210", told))
    if effective < FEW_EFFECTIVE:
        told = (
            f"the effective sample size of the hyper-parameters is only {effective:,.0f}, so the results are "
            "approximate."
        )
        notes.append(finding("OC203", told))
    rates = [(yes[:, :, [0, place]].sum(axis=2), no[:, :, [0, place]].sum(axis=2)) for place in (1, 2)]
    return rates, trace, notes


def _shared_by_chains(joints: Floats, settings: Settings, rng: np.random.Generator) -> tuple[Floats, Floats, Trace]:
    """Draw every class's outcomes of the positives and of the negatives, their shared distribution from chains."""
    from outclass.models.mcmc_many import sample_shared  # loaded with the rest of PyMC alone

    if settings.form == "original":
        raise InputError("MCMC over many labels always uses counts: leave out ⟨form⟩.")
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


MODEL: Final = FitModel(fit=fit, measures=("macro_f1",), usual=("macro_f1",), chains=True)
