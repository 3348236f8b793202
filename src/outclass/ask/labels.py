"""Questions over many labels at once: which data, which averages, which prior."""

from typing import TYPE_CHECKING, Any

import numpy as np

from outclass import measures
from outclass.ask.question import hdi_mass_of, listed, seed_of
from outclass.data.multilabel import (
    Decisions,
    Grouped,
    MultiLabel,
    read_grouped,
    read_multilabel,
)
from outclass.errors import InputError, quoted, shown, unknown
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.models.clusters import average_of
from outclass.models.prior import MATCHED, PRESETS
from outclass.verdict.rope import rope_of

if TYPE_CHECKING:
    from outclass.overall import Overall

CELLS = 8  # of two systems and two classes, each of which a pseudo-count is of


def refuse_with_many(**given: Any) -> None:
    """Refuse what goes with other data, rather than ignore it."""
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InputError(f"the items have many labels and are at hand: leave out {', '.join(named)}.")


def check_many(decisions: Decisions, by: str | None, positive: Any, method: str) -> None:
    """Refuse what many labels have not got, rather than leave it out."""
    if by is not None:
        raise InputError("by='label' (--by) takes one label at a time; leave it out where all are taken together.")
    if positive is not None and isinstance(decisions, MultiLabel):
        raise InputError("these models take all labels together: leave out positive (--positive).")
    if method == "exact":
        raise InputError("measures over many labels can only be sampled; use method auto.")


def wants_averages(measure: Any) -> bool:
    """Return whether a measure was named that only many labels have: macro_f1, micro_recall, ..."""
    if measure is None:
        return False
    found = [averages.find(each) for each in listed(measure)]
    return any(each is not None and each.name not in measures.MEASURES for each in found)


def many_labels(data: Any, *, group: str | None, **columns: Any) -> Decisions:
    """Read items with many labels, or items in groups."""
    if group is not None:
        return grouped_labels(data, group=group, **columns)
    if columns.pop("count", None) is not None:
        raise InputError("a column of counts (--count) does not go with groups or many labels: one row an item.")
    return read_multilabel(data, **columns)


def grouped_labels(data: Any, *, group: str, **columns: Any) -> Grouped:
    """Read items in groups."""
    if columns.get("count") is not None:
        raise InputError("a column of counts (--count) does not go with groups or many labels: one row an item.")
    if any(columns[name] is not None for name in ("item", "label", "separator")):
        raise InputError("groups (--group) go with one label an item; items with many labels are units already.")
    return read_grouped(data, group, truth=columns["truth"], systems=columns["systems"])


def averages_of(decisions: Decisions, measure: Any, positive: Any) -> tuple[Average, ...]:
    """Find measures over many labels; with a positive label, or two labels in groups, also those of one label."""
    single = not isinstance(decisions, MultiLabel)
    if measure is None:
        binary = single and (len(decisions.labels) == 2 or positive is not None)
        measure = ["f1"] if binary else list(averages.USUAL)
    found: list[Average] = []
    if not listed(measure):
        raise InputError("no measure was named.")
    for each in listed(measure):
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
    chains: Settings | None = None,
    average: str | None = None,
) -> "Overall":
    """Collect what is asked of many labels."""
    if str(undefined) not in averages.UNDEFINED:
        raise InputError(f"undefined must be one of {quoted(averages.UNDEFINED)}, got {shown(undefined)}.")
    mass = _mass_of(prior)
    if prior is not None and (model == "bootstrap" or isinstance(decisions, Grouped)):
        raise InputError("the bootstrap model and items in groups have no prior: leave it out (--prior).")
    chosen = model or "paired"
    if chosen == "decisions" and prior is not None:
        raise InputError("the decisions model takes the papers' uniform prior: leave the prior out.")
    usual = {"hierarchical": "macro_f1", "decisions": ["micro_f1", "micro_precision", "micro_recall"]}
    wanted = averages_of(decisions, usual.get(chosen) if measure is None else measure, positive)
    from outclass.overall import Overall  # loaded for many labels alone

    return Overall(
        measures=wanted,
        model=chosen,
        mass=mass,
        rope=rope_of(rope),
        hdi_mass=hdi_mass_of(hdi_mass),
        draws=Settings(draws=_usual_draws(decisions) if draws is None else draws).draws,
        seed=seed_of(rng),
        undefined=str(undefined),
        chains=chains,
        average=checked_average(decisions, average),
    )


def _mass_of(prior: Any) -> float | None:
    """Read the prior over many labels: a preset or a pseudo-count per cell of two classes; as many items in all."""
    if prior is None or (isinstance(prior, str) and prior.strip().lower() == MATCHED):
        return None
    spec = PRESETS.get(prior.strip().lower(), prior) if isinstance(prior, str) else prior
    try:
        count = float(spec)
    except (TypeError, ValueError):
        raise InputError(
            f"the prior over many labels is {quoted([MATCHED, *PRESETS])}, or a pseudo-count per cell (0 for none); "
            f"got {shown(prior)}."
        ) from None
    if not 0 <= count <= 1e6:
        raise InputError(f"the pseudo-count of a prior must not be negative or above a million, got {count:g}.")
    return CELLS * count


def checked_average(decisions: Decisions, average: str | None) -> str | None:
    """Refuse an average of groups where there are none."""
    if average is None:
        return None
    if not isinstance(decisions, Grouped):
        raise InputError("average (--average) goes with items in groups: name their column (--group).")
    return average_of(average)


def _usual_draws(decisions: Decisions) -> int:
    """Return as many draws as take seconds, not minutes."""
    return int(np.clip(8e8 / (len(decisions.systems) * max(len(decisions.units), 1)), 2_000, 20_000))
