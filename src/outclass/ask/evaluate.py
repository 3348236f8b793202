"""`evaluate`: how good is one system?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from outclass.answers.evaluation import Evaluation
from outclass.ask.question import (
    MeasureSpec,
    hdi_mass_of,
    is_average_only,
    is_by_label,
    listed,
    measures_of,
    named,
    outcomes_of,
    prior_for,
    seed_of,
    settings_of,
)
from outclass.contrast import ONE_SYSTEM, appraise
from outclass.data.arrays import from_arrays
from outclass.data.published import tally_of
from outclass.errors import InputError, quoted, unknown
from outclass.models.prior import Prior
from outclass.rows.checks.labels import warn_of_chains


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
    draws: int | None = None,
    tolerance: float | None = None,
    sampler: str = "nuts",
    form: str = "compact",
    chains: int | None = None,
) -> Evaluation:
    """Judge systems one by one: how good is each, and how sure is that?

    The parameters are those of `compare`, but that `counts` are of one system, or a list of several, and `model` is
    'single' (Zhang et al., the default) or 'goutte' (Goutte & Gaussier, the default for counts).
    """
    model = model or ("single" if counts is None else "goutte")
    if model not in ONE_SYSTEM:
        raise unknown("model of one system", str(model), ONE_SYSTEM)
    for each in listed(measure):
        if is_average_only(each):
            raise InputError(
                f"{each} is an average over all labels, and here one label is judged at a time (--by label). "
                "`rank` tells how good each system is in it, and `compare` which is better."
            )
    wanted = measures_of(measure, model)
    mass = hdi_mass_of(hdi_mass)
    chosen = prior_for(prior, model)
    settings = settings_of(
        chosen,
        method=method,
        draws=draws,
        tolerance=tolerance,
        seed=seed_of(rng),
        sampler=sampler,
        form=form,
        chains=chains,
    )
    if counts is not None:
        if data is not None:
            raise InputError("give data (files) or counts (--counts), not both.")
        if positive is not None or by is not None:
            raise InputError("counts have no labels: leave out positive (--positive) and by (--by).")
        given = counts if isinstance(counts, list | tuple) else [counts]
        tallies = [tally_of(each, chr(ord("A") + place % 26)) for place, each in enumerate(given)]
        if len({tally.name for tally in tallies}) < len(tallies):
            raise InputError(f"the counts have names in common: {quoted(tally.name for tally in tallies)}.")
        found = Evaluation(
            tuple(
                appraise(tally, tally.name, None, each, model, chosen, mass, settings)
                for tally in tallies
                for each in wanted
            )
        )
        warn_of_chains(found.findings)
        return found
    if a is not None:
        outcomes = from_arrays(data, dict(zip(named(names, 1), (a,), strict=True)), missing=missing)
    else:
        outcomes = outcomes_of(data, truth=truth, systems=systems, count=count, id=id, missing=missing)
    by_label = is_by_label(by, positive)
    labels = list(outcomes.true_labels) if by_label else [outcomes.positive(positive)]
    answer = Evaluation(
        tuple(
            appraise(outcomes, system, label, each, model, chosen, mass, settings)
            for system in outcomes.systems
            for label in labels
            for each in wanted
        )
    )
    warn_of_chains(answer.findings)
    return answer
