"""Partly labelled items: what the labels are worth, and what every judge is."""

from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.outcomes import BINARY
from outclass.data.partly_labelled import INCLUSION
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.models.judged_fit import JudgedFit
from outclass.models.strata import Estimated
from outclass.models.weighed import COUNTS
from outclass.planning.labels import Design, design_of, room_of
from outclass.rows.labelling_types import Estimate, JudgeWorth, Labelling

DRAWS: Final = 1_000
FEW: Final = 20  # labels, with fewer of which the prior is worth more than they are
FURTHER: Final = 100  # labels, of which it is said what they would buy


def labelling_of(fit: Any, a: int, b: int, measure: Any, draws: Floats, hdi: Interval) -> Labelling | None:
    """Say what the labels and the judges of a comparison are worth; None for other data."""
    if not isinstance(fit, JudgedFit) or not isinstance(fit.data, Estimated):
        return None
    decisions, pair = fit.data, (fit.systems[a], fit.systems[b])
    design = design_of(decisions, measure, [pair], fit.question.undefined)
    std = float(np.std(draws))
    alike = design.whole / std**2 if std > 0 else float("nan")
    strata, room = decisions.strata, room_of(decisions, design)
    further = int(min(FURTHER, room.sum()))
    if not design.variance() > 0:
        further = 0  # systems that never differ: no label tells anything of the difference
    then = _ratio(design, design.allocated(further, room)) if further else 1.0
    drawn = strata.draw(np.random.default_rng(fit.question.settings.seed), DRAWS)
    return Labelling(
        labelled=decisions.data.labelled,
        items=decisions.items,
        equivalent=round(alike) if np.isfinite(alike) and decisions.data.labelled >= FEW else 0,
        further=further,
        further_width=hdi.width * then,
        judges=tuple(
            _judge(fit, decisions, name, pair, measure, drawn, draws) for name in decisions.judges if name != INCLUSION
        ),
    )


def _ratio(design: Design, more: Counts) -> float:
    return float(np.sqrt(design.variance(more.astype(float)) / design.variance()))


def _judge(
    fit: JudgedFit,
    decisions: Estimated,
    name: str,
    pair: tuple[str, str],
    measure: Any,
    drawn: Floats,
    differences: Floats,
) -> JudgeWorth:
    """Judge the judge, by the same draws of strata and true labels."""
    judge = next(each for each in decisions.data.judges if each.name == name)
    said = decisions.said(name)
    _, true = decisions.strata.units
    whole = drawn.sum(axis=0)
    mass = fit.question.hdi_mass
    if judge.binned or not (said >= 0).any():
        return JudgeWorth(name=name)
    positive = measure.label if measure.label is not None else None
    recall = alarms = None
    if positive is not None or len(decisions.labels) == BINARY:
        yes = true == (BINARY - 1 if positive is None else positive)
        says = said == (BINARY - 1 if positive is None else positive)
        recall = _share(drawn, yes & says, yes, mass)
        alarms = _share(drawn, ~yes & says, ~yes, mass)
    shares = []
    chances = []
    for system in pair:
        own = decisions.said(system)
        wrong = (own != true) & (own >= 0)
        shares.append(_share(drawn, wrong & (said == own), wrong, mass))
        top, bottom = drawn[wrong & (said == own)].sum(axis=0), drawn[wrong].sum(axis=0)
        chances.append(np.divide(top, bottom, out=np.zeros_like(whole), where=bottom > 0))
    alone = _alone(decisions, name, pair, measure, fit.question.undefined)
    bias = None
    if np.isfinite(alone):
        own_bias = alone - differences
        bias = Estimate(mean=float(own_bias.mean()), hdi=Draws.iid(own_bias, Interval(-4, 4)).hdi(mass))
    return JudgeWorth(
        name=name,
        accuracy=_share(drawn, said == true, np.ones(len(true), dtype=bool), mass),
        recall=recall,
        false_positive_rate=alarms,
        shares_a=shares[0],
        shares_b=shares[1],
        shares_more_of_a=float(np.mean(chances[0] > chances[1])),
        alone=float(alone),
        bias=bias,
    )


def _share(drawn: Floats, part: np.ndarray, whole: np.ndarray, mass: float) -> Estimate | None:
    bottom = drawn[whole].sum(axis=0)
    if not (bottom > 0).all():
        return None
    values = drawn[part & whole].sum(axis=0) / bottom
    return Estimate(mean=float(values.mean()), hdi=Draws.iid(values, Interval(0, 1)).hdi(mass))


def _alone(decisions: Estimated, name: str, pair: tuple[str, str], measure: Any, undefined: str) -> float:
    """Return the difference that the judge alone would have shown: its label taken for the truth of every item."""
    strata = decisions.strata
    said = decisions.of_strata(name)
    kept = said >= 0
    labels = len(decisions.labels)
    found = []
    for system in pair:
        own = decisions.of_strata(system)
        sizes, true, predicted = strata.sizes[kept].astype(float), said[kept], own[kept]
        if measure.matrix:
            table = np.zeros((labels, labels))
            np.add.at(table, (true, predicted), sizes)
            found.append(float(measure.of_matrix(table[None])[0]))
            continue
        counts = np.zeros((labels, COUNTS))
        right = true == predicted
        np.add.at(counts, (true[right], 0), sizes[right])
        wrong = ~right & (predicted >= 0)
        np.add.at(counts, (predicted[wrong], 1), sizes[wrong])
        np.add.at(counts, (true[~right], 2), sizes[~right])
        found.append(float(measure(*counts.T[:, None], np.array([sizes.sum()]), undefined)[0]))
    return found[0] - found[1]
