"""Comparisons of scores and results: from numbers per item to the rows of an answer."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from outclass.answers.ranking import Ranking
from outclass.arrays import Counts, Floats, means_by
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted, unknown
from outclass.findings import Finding, finding
from outclass.inference.derived import NoLaw, truncated
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.grid import EVERYWHERE
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.measures.scored import ScoreMeasure
from outclass.models import data_sets, right_wrong
from outclass.models.clusters import Jackknife, of_numbers, of_scores
from outclass.models.data_sets import RopeProbabilities
from outclass.models.means import extra_squares, mean_draws, mean_law, within_unit
from outclass.models.pseudo_items import Weighable, with_pseudo_items
from outclass.models.student import data_sets_law, grouped_law, student_law, t_law
from outclass.overall import MOST_RANKED, ranking_of
from outclass.parallel import side_by_side
from outclass.rows.checks.groups import notice_groups, notice_ranked
from outclass.rows.checks.labels import additional_items_of, notice_edge, notice_rope, notice_usual_rope
from outclass.rows.checks.scores import notice_scores
from outclass.rows.types import Contrast, MeasureInfo, Pairing, SystemSummary
from outclass.significance.delong import delong
from outclass.significance.macro import wilcoxon
from outclass.significance.paired import paired_t
from outclass.significance.result import Blocks, TestResult
from outclass.significance.sign import mcnemar_midp, signed
from outclass.verdict.rope import USUAL, Rope, Verdict, decide, rope_of

CELLS: Final = 2_000_000  # weights drawn at a time
FEWEST: Final = 3
MOST_PAIRS: Final = 20
MODELS: Final = {
    "student": "results",
    "t": "results",
    "bootstrap": "results and scores",
    "clusters": "results and scores in groups",
    "hierarchical": "results in groups or on many data sets",
    "correlated": "folds",
    "sign": "results of two values (right or wrong), or many data sets",
    "signed_rank": "many data sets",
}
PRIORS: Final = {
    "student": "Kruschke's priors",
    "t": "flat priors",
    "bootstrap": "a prior of a few pseudo-items",
    "clusters": "no prior",
    "hierarchical": "weak priors on the spreads",
    "correlated": "flat priors",
    "sign": "a prior of one tie",
    "signed_rank": "a prior of half a tie",
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of scores."""

    measures: tuple[ScoreMeasure | str, ...]  # of scores; or 'mean', 'median' of results
    model: str
    rope: Rope
    hdi_mass: float
    draws: int
    seed: int
    notes: tuple[Finding, ...] = ()
    average: str = "items"  # of results in groups: over items or over groups


def usual_model(scores: Scores) -> str:
    """Return the model that fits what the numbers are."""
    if scores.truth is not None:
        return "bootstrap" if scores.group is None else "clusters"
    if scores.data_set is not None:
        return "signed_rank" if len(np.unique(scores.data_set)) == len(scores) else "hierarchical"
    if scores.fold_share is not None:
        return "correlated"
    if scores.group is not None:
        return "clusters"
    return "t" if two_values_of(scores) is None else "sign"


def two_values_of(scores: Scores) -> Interval | None:
    """Return the two numbers that all results are; None if there are more, or items are not independent."""
    if scores.truth is not None or scores.fold_share is not None or units_of(scores) is not None:
        return None
    return right_wrong.two_values(tuple(scores.values.values()))


def _typical_spread(values: Floats) -> float:
    """Return the spread of most numbers: a few outliers must not widen what is too small to matter."""
    low, high = np.quantile(values, [0.25, 0.75])
    return min(float(high - low) / 1.349, float(np.std(values))) if high > low else float(np.std(values))


def usual_rope(scores: Scores) -> tuple[Rope, tuple[Finding, ...]]:
    """Return the region for who names none: 0.05 of what lies in [0, 1], a tenth of the spread of anything else."""
    spread = float(f"{np.mean([_typical_spread(each) for each in scores.values.values()]) / 10:.2g}")
    bounded = within_unit(tuple(scores.values.values()))
    # Numbers of items between 0 and 1 that fill little of that are no shares, but times or the like; means of folds and
    # of data sets lie close to each other by nature.
    means = scores.fold_share is not None or scores.data_set is not None
    level = max(float(np.abs(each).max()) for each in scores.values.values())
    if scores.truth is not None or (bounded and (means or spread > USUAL / 10)) or spread <= 1e-12 * level:
        return rope_of(None), ()
    note = finding(
        "OC303",
        f"no ROPE was set, so differences of up to a tenth of the spread of {scores.name} (±{spread:g}) count as too "
        "small to matter. Set yours with --rope, in the unit of the numbers.",
    )
    return Rope(interval=Interval(-spread, spread)), (note,)


def check(scores: Scores, model: str) -> None:
    """Refuse a model that these numbers have not got."""
    if model not in MODELS:
        raise unknown("model of scores", model, MODELS)
    if model == "clusters" and (scores.group is None or scores.data_set is not None):
        raise InputError("the clusters model is of items in groups: name the column of the groups (--group).")
    if scores.truth is not None:
        if model not in ("bootstrap", "clusters"):
            raise InputError(f"scores beside a truth are compared with the bootstrap model, not {model}.")
        if scores.truth.all() or not scores.truth.any():
            raise InputError("the truth has one class only; scores need positives and negatives.")
        return
    if model == "correlated" and (scores.fold_share is None or scores.data_set is not None):
        raise InputError("the correlated model is of the folds of one data set: name their column (--fold).")
    if model == "sign" and scores.data_set is None and two_values_of(scores) is None:
        raise InputError(
            "the sign model is for results that are just two numbers (right or wrong), or for many data sets: name "
            "their column (--data-set)."
        )
    if model == "signed_rank" and scores.data_set is None:
        raise InputError("the signed_rank model is for many data sets: name their column (--data-set).")
    if model == "hierarchical" and scores.group is None and scores.data_set is None:
        raise InputError("the hierarchical model is of results in groups (--group) or on data sets (--data-set).")
    if scores.data_set is not None and model in ("student", "t") and len(np.unique(scores.data_set)) < len(scores):
        raise InputError(f"the {model} model takes results as independent; on many data sets use hierarchical.")
    if scores.fold_share is not None and scores.data_set is None and model != "correlated":
        raise InputError(f"folds of a cross-validation hang together, which the {model} model does not know.")
    _check_units(scores, model)
    if len(scores) < FEWEST:
        raise InputError(f"there are {len(scores)} results only; a comparison needs {FEWEST} at least.")


def _check_units(scores: Scores, model: str) -> None:
    """Refuse groups and data sets that are too few, or of which a model knows nothing."""
    if scores.group is not None and model in ("student", "t"):
        raise InputError(
            f"items of one group hang together, which the {model} model does not know: use clusters (the default), "
            "hierarchical or bootstrap."
        )
    if scores.data_set is not None and len(np.unique(scores.data_set)) < FEWEST:
        raise InputError(f"many data sets are {FEWEST} at least; of one, compare its folds or items.")
    if scores.group is not None and model == "hierarchical" and len(np.unique(scores.group)) < FEWEST:
        raise InputError(f"the hierarchical model needs {FEWEST} groups at least.")


# --- draws -----------------------------------------------------------------------------------------------------------


def units_of(scores: Scores) -> Counts | None:
    """Return what is weighted together: groups, or data sets; None if each item is by itself."""
    return scores.group if scores.group is not None else scores.data_set


def canonical(scores: Scores) -> Scores:
    """Return the systems in an order that is theirs, so that draws do not depend on who is named first."""
    return scores.selected(sorted(scores.systems, key=lambda name: (scores.values[name].tobytes(), name)))


def in_order(draws: Floats, given: Scores, drawn: Scores) -> Floats:
    """Return the columns of draws in the order in which the systems were given."""
    return draws[:, [drawn.systems.index(name) for name in given.systems]]


def drawn(
    scores: Scores,
    measure: ScoreMeasure | str,
    draws: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """Return draws of every system's measure, (draws, systems), all of the same worlds: weights on items, or groups."""
    ordered = canonical(scores)
    units = units_of(ordered)
    root = np.random.SeedSequence(seed)
    if units is None:
        items = with_pseudo_items(ordered, np.random.default_rng(root.spawn(1)[0]))
    else:
        items = Weighable(tuple(ordered.values.values()), ordered.truth, np.ones(len(ordered)))
    order = np.argsort(-items.values[0], kind="stable")  # so that the first system's scores come sorted
    items = items.sorted(order)
    weighings = [_weighing(items.truth, own, measure) for own in items.values]
    size = len(items.shapes)
    rows = int(np.clip(CELLS // size, 1, draws))
    starts = range(0, draws, rows)
    seeds = root.spawn(len(starts))
    many = 0 if units is None else int(units.max()) + 1

    def block(place: int) -> Floats:
        rng = np.random.default_rng(seeds[place])
        count = min(rows, draws - starts[place])
        if units is None:
            weights = items.weights(count, rng)
        else:
            weights = rng.standard_exponential((count, many))[:, units[order]]
        return np.column_stack([weigh(weights) for weigh in weighings])

    found: list[Floats] = []
    for part in side_by_side(block, [(place,) for place in range(len(starts))], threads=True):
        found.append(part)
        if progress is not None:
            progress(len(found), len(starts))
    return in_order(np.vstack(found), scores, ordered)


def _weighing(truth: np.ndarray | None, values: Floats, measure: ScoreMeasure | str) -> Callable[[Floats], Floats]:
    if isinstance(measure, ScoreMeasure):
        assert truth is not None
        return measure.prepare(truth, values)
    if measure == "median":
        return _median_of(values)
    return lambda weights: np.asarray(weights @ values / weights.sum(axis=1))


def _median_of(values: Floats) -> Callable[[Floats], Floats]:
    place = np.argsort(values, kind="stable")
    ranked = values[place]

    def weigh(weights: Floats) -> Floats:
        below = np.cumsum(weights[:, place], axis=1)
        half = below[:, -1:] / 2
        return np.asarray(ranked[(below < half).sum(axis=1)])

    return weigh


def collapsed(scores: Scores) -> Scores:
    """Return results on many data sets as one of each: its mean."""
    if scores.data_set is None:
        return scores
    values = {name: by_data_set(scores, own) for name, own in scores.values.items()}
    return replace(scores, values=values, data_set=np.arange(len(next(iter(values.values())))), fold_share=None)


def observed(scores: Scores, measure: ScoreMeasure | str, name: str, model: str) -> float:
    """Return the measure of the data themselves: what the model estimates, of these items.

    Over data sets, and in the hierarchical model over groups, that is the mean of their means; otherwise all items
    count alike.
    """
    if measure == "median":
        return float(np.median(scores.values[name]))
    if measure == "mean":
        units = scores.data_set if scores.data_set is not None else scores.group if model == "hierarchical" else None
        if units is not None:
            return float(np.mean(means_by(units, scores.values[name])))
        return float(np.mean(scores.values[name]))
    return float(_weighing(scores.truth, scores.values[name], measure)(np.ones((1, len(scores))))[0])


# --- rows ------------------------------------------------------------------------------------------------------------


def info(scores: Scores, measure: ScoreMeasure | str, model: str) -> MeasureInfo:
    """Return what a report must know of a measure."""
    if isinstance(measure, ScoreMeasure):
        return MeasureInfo(name=measure.name, title=measure.title, higher_is_better=measure.higher_is_better)
    if model == "student":
        # Kruschke's t says where most differences are, which is not their mean.
        return MeasureInfo(
            name="robust_centre", title=f"{scores.name} (robust centre)", higher_is_better=scores.higher_is_better
        )
    title = scores.name if measure == "mean" else f"median {scores.name}"
    return MeasureInfo(name=measure, title=title, higher_is_better=scores.higher_is_better)


def bounds(scores: Scores, measure: ScoreMeasure | str) -> Interval:
    """Return where a measure can lie; results that all lie between 0 and 1 are taken to be shares."""
    if isinstance(measure, ScoreMeasure):
        return Interval(measure.low, measure.high)
    return Interval(0.0, 1.0) if within_unit(tuple(scores.values.values())) else EVERYWHERE


def region(scores: Scores, asked: Asked, measure: ScoreMeasure | str, values: Sequence[float]) -> Interval:
    """Return the region of practical equivalence for systems with these values."""
    better = info(scores, measure, asked.model).higher_is_better
    return asked.rope.of(values, *bounds(scores, measure), higher_is_better=better)


def of_constant(scores: Scores, measure: ScoreMeasure | str) -> float:
    """Return the measure of a classifier that gives every item the same score, that of the share of positives."""
    if not isinstance(measure, ScoreMeasure) or scores.truth is None:
        return math.nan
    same = np.full(len(scores), float(scores.truth.mean()))
    return float(measure.prepare(scores.truth, same)(np.ones((1, len(scores))))[0])


def contrasts(scores: Scores, asked: Asked, progress: Callable[[int, int], None] | None = None) -> list[Contrast]:
    """Answer for every pair and measure."""
    rows = []
    if asked.model == "bootstrap":
        scores = collapsed(scores)
    values: Floats | Jackknife | None
    for measure in asked.measures:
        sampled = asked.model == "bootstrap" and _has_interval(measure)
        values = drawn(scores, measure, asked.draws, asked.seed, progress) if sampled else None
        if asked.model == "clusters" and _has_interval(measure):
            values = _jackknife(scores, measure, asked.average)
        for a, b in combinations(range(len(scores.systems)), 2):
            rows.append(_row(scores, asked, measure, a, b, values))
    # Pair by pair, as everywhere.
    return sorted(rows, key=lambda row: [scores.systems.index(system.name) for system in row.systems])


def _has_interval(measure: ScoreMeasure | str) -> bool:
    return not isinstance(measure, ScoreMeasure) or measure.interval


def _jackknife(scores: Scores, measure: ScoreMeasure | str, average: str) -> Jackknife:
    """Leave out the groups one by one."""
    assert scores.group is not None
    columns = [scores.values[name] for name in scores.systems]
    if isinstance(measure, ScoreMeasure):
        assert scores.truth is not None
        return of_scores(columns, scores.truth, scores.group, measure, average)
    return of_numbers(columns, scores.group, average)


def _row(
    scores: Scores, asked: Asked, measure: ScoreMeasure | str, a: int, b: int, values: Floats | Jackknife | None
) -> Contrast:
    names = scores.systems[a], scores.systems[b]
    low, high = bounds(scores, measure)
    law = _law(
        scores, asked, measure, a, b, values, EVERYWHERE if math.isinf(high) else Interval(low - high, high - low)
    )
    own = [_own(scores, asked, measure, place, (a, b), values) for place in (a, b)]
    seen = values.values[[a, b]] if isinstance(values, Jackknife) else None
    systems = [
        SystemSummary(
            name=name,
            observed=observed(scores, measure, name, asked.model) if seen is None else float(seen[place]),
            mean=each.mean,
            std=each.std,
            hdi=each.hdi(asked.hdi_mass),
            law=None if isinstance(each, NoLaw) else each,
        )
        for place, (name, each) in enumerate(zip(names, own, strict=True))
    ]
    rope = region(scores, asked, measure, [system.observed for system in systems])
    difference = summarise(law, rope, asked.hdi_mass)
    rope_probabilities = _practical(scores, asked, rope, law, a, b)
    by_tests = _over_data_sets(scores, asked)
    verdict = _by_probability(rope_probabilities, asked.hdi_mass) if by_tests else decide(difference.hdi, rope)
    apart = math.hypot(*(system.std for system in systems))
    alone = asked.model in ("student", "t", "bootstrap", "sign") and units_of(scores) is None and difference.std > 0
    # What pairing is worth is told with the same model for all three: the t model narrows by itself.
    narrow = t_law(scores.difference(*names)).std if asked.model in ("student", "t") else difference.std
    row = Contrast(
        systems=(systems[0], systems[1]),
        measure=info(scores, measure, asked.model),
        label=None,
        model=_model_told(scores, asked.model),
        prior=_prior_told(scores, asked.model),
        items=len(scores),
        observed=systems[0].observed - systems[1].observed,
        difference=difference,
        rope=rope,
        hdi_mass=asked.hdi_mass,
        verdict=verdict,
        bayes_factors=(),
        tests=_tests(scores, measure, names),
        pairing=Pairing(
            narrower=1 - narrow / apart,
            items_saved=max(0, round(len(scores) * ((apart / narrow) ** 2 - 1))),
        )
        if alone and 1e-6 * apart < narrow < math.inf and 0 < apart < math.inf
        else None,
        log_odds=None,
        additional_items=additional_items_of(verdict, difference, len(scores), rope, asked.hdi_mass) if alone else None,
        findings=(),
        seed=asked.seed,
        method=law.method,
        rope_probabilities=rope_probabilities if _has_interval(measure) else None,
        law=None if isinstance(law, NoLaw) else law,
    )
    notes = [*scores.findings, *asked.notes, *notice_scores(scores, asked.model, measure, names)]
    notes += [] if by_tests else [*notice_edge(row)]
    if _has_interval(measure):
        notes += notice_rope(row, asked.rope, *bounds(scores, measure), of_constant(scores, measure))
    if isinstance(values, Jackknife):
        notes += notice_groups(values, a, b, names, difference.hdi, asked.hdi_mass)
    if asked.model == "student" and abs(row.observed - difference.mean) > difference.std > 0:
        notes.append(
            finding(
                "OC213",
                f"the mean of the differences is {row.observed:.4g}, and the t model puts their centre at "
                f"{difference.mean:.4g}: "
                "it takes what is far from most of them for outliers. If all of them count, use --model bootstrap or "
                "t.",
            )
        )
    return replace(row, findings=tuple(dict.fromkeys(notes)))


def _over_data_sets(scores: Scores, asked: Asked) -> bool:
    """Say whether the decision is by which system wins on most data sets."""
    return asked.model in ("sign", "signed_rank") and scores.data_set is not None


def _law(
    scores: Scores,
    asked: Asked,
    measure: ScoreMeasure | str,
    a: int,
    b: int,
    values: Floats | Jackknife | None,
    support: Interval,
) -> Distribution:
    if not _has_interval(measure):
        return NoLaw(support)
    if isinstance(values, Jackknife):
        return values.law(a, b)
    if values is not None:
        return Draws.iid(values[:, a] - values[:, b], support)
    own = [scores.values[scores.systems[place]] for place in (a, b)]
    if _over_data_sets(scores, asked):
        # In the measure's own unit, beside the test: weights on the data sets, no prior.
        return _of_data_sets(scores, asked, own[0] - own[1])
    kinds = two_values_of(scores) if asked.model == "sign" else None
    if kinds is not None:
        return right_wrong.difference_law(own[0], own[1], kinds, Settings(seed=asked.seed))
    extra = float(extra_squares(own).sum()) if asked.model == "t" else 0.0
    return truncated(_mean_law(scores, asked.model, own[0] - own[1], extra), support)


def _of_data_sets(scores: Scores, asked: Asked, differences: Floats) -> Distribution:
    means = by_data_set(scores, differences)
    weights = np.random.default_rng(asked.seed).standard_exponential((asked.draws, len(means)))
    return Draws.iid(np.asarray(weights @ means / weights.sum(axis=1)), EVERYWHERE)


def by_data_set(scores: Scores, values: Floats) -> Floats:
    """Return the mean of each data set."""
    assert scores.data_set is not None
    return means_by(scores.data_set, values)


def _mean_law(scores: Scores, model: str, values: Floats, extra: float) -> Distribution:
    if model == "student":
        return student_law(values)
    if model == "correlated":
        return t_law(values, scores.fold_share or 0.0)
    if model == "hierarchical":
        if scores.data_set is not None:
            return data_sets_law(values, scores.data_set, scores.fold_share or 0.0)
        assert scores.group is not None
        return grouped_law(values, scores.group)
    return mean_law(values, extra)


def _own(
    scores: Scores,
    asked: Asked,
    measure: ScoreMeasure | str,
    place: int,
    pair: tuple[int, int],
    values: Floats | Jackknife | None,
) -> Distribution:
    """Return the law of one system's own measure; of results, Student's t unless they come in groups."""
    support = bounds(scores, measure)
    if not _has_interval(measure):
        return NoLaw(support)
    if isinstance(values, Jackknife):
        return values.own(place)
    if values is not None:
        return Draws.iid(values[:, place], support)
    own = scores.values[scores.systems[place]]
    if _over_data_sets(scores, asked):
        return _of_data_sets(scores, asked, own)
    kinds = two_values_of(scores) if asked.model == "sign" else None
    if kinds is not None:
        return right_wrong.own_law(own, kinds)
    extra = extra_squares([scores.values[scores.systems[each]] for each in pair])[pair.index(place)]
    return truncated(_mean_law(scores, "t" if asked.model == "student" else asked.model, own, float(extra)), support)


def _practical(scores: Scores, asked: Asked, rope: Interval, law: Distribution, a: int, b: int) -> RopeProbabilities:
    if not _over_data_sets(scores, asked):
        below = 0.0 if math.isinf(rope.low) else float(law.cdf(rope.low))
        above = 0.0 if math.isinf(rope.high) else 1 - float(law.cdf(rope.high))
        return RopeProbabilities(above, max(0.0, 1 - above - below), below)
    differences = by_data_set(scores, scores.difference(scores.systems[a], scores.systems[b]))
    if asked.model == "sign":
        return data_sets.sign(differences, rope)
    return data_sets.signed_rank(differences, rope, np.random.default_rng(asked.seed))


def _by_probability(rope_probabilities: RopeProbabilities, mass: float) -> Verdict:
    """Decide by what is most probable on the next data set, if that is sure."""
    a, _, b = rope_probabilities
    if max(rope_probabilities) >= mass:
        return Verdict.MUCH_GREATER if a >= mass else Verdict.MUCH_LESS if b >= mass else Verdict.EQUIVALENT
    return Verdict.UNDECIDED if a == b else Verdict.GREATER if a > b else Verdict.LESS


def _model_told(scores: Scores, model: str) -> str:
    if model == "sign" and scores.data_set is None:
        return "sign"
    if model != "bootstrap":
        named = {
            "sign": "sign (data sets)",
            "signed_rank": "signed-rank",
            "student": "student (robust centre)",
            "clusters": "paired (cluster jackknife)",
        }
        return named.get(model, model)
    if scores.group is not None:
        return "bootstrap (weights on groups)"
    return "bootstrap (weights on data sets)" if scores.data_set is not None else "bootstrap (weights on items)"


def _prior_told(scores: Scores, model: str) -> str:
    if model == "sign" and scores.data_set is None:
        return "Jeffreys' prior"
    if model == "bootstrap" and units_of(scores) is not None:
        return "no prior"
    return PRIORS[model]


def _tests(scores: Scores, measure: ScoreMeasure | str, names: tuple[str, str]) -> tuple[TestResult, ...]:
    a, b = (scores.values[name] for name in names)
    if isinstance(measure, ScoreMeasure):
        few = scores.truth is None or min(scores.truth.sum(), (~scores.truth).sum()) < 2
        if measure.name != "auc" or scores.truth is None or few or scores.group is not None:
            return ()
        return (delong(scores.truth, a, b),)
    if scores.data_set is not None:
        own = by_data_set(scores, a), by_data_set(scores, b)
        return (wilcoxon(*own, "two-sided", Blocks("data sets", scores.name)),)
    if measure != "mean" or scores.group is not None:
        return ()
    if scores.fold_share is not None:
        return (paired_t(a - b, rho=scores.fold_share),)
    kinds = two_values_of(scores)
    if kinds is not None:
        table = right_wrong.table_of(a, b, kinds)
        return signed(table), mcnemar_midp(table)
    return paired_t(a - b), wilcoxon(a, b, "two-sided", Blocks("items", scores.name))


# --- ranking ---------------------------------------------------------------------------------------------------------


def rank(scores: Scores, asked: Asked, progress: Callable[[int, int], None] | None = None) -> Ranking:
    """Rank all systems under one posterior: a multivariate t of means, or weights on items, groups or data sets."""
    if len(asked.measures) != 1:
        raise InputError("systems are ranked by one measure; name one.")
    if asked.rope.interval.low != -asked.rope.interval.high:
        raise InputError("a ranking needs a rope that is the same on both sides, since no system comes first.")
    scores = collapsed(scores)
    if scores.fold_share is not None:
        raise InputError(
            "folds of one data set are no sample of anything; compare systems in pairs, or rank over data sets."
        )
    (measure,) = asked.measures
    if isinstance(measure, ScoreMeasure) and not measure.interval:
        raise InputError(
            f"systems cannot be ranked by {measure.title}: its sampling error has no usable estimate. Rank by the "
            "Brier score instead (--measure brier)."
        )
    model = "t" if asked.model == "t" and measure == "mean" and units_of(scores) is None else "bootstrap"
    jackknife = None
    if asked.model == "clusters":
        model, jackknife = "clusters", _jackknife(scores, measure, asked.average)
        values = jackknife.sample(asked.draws, asked.seed)
    elif model == "t":
        ordered = canonical(scores)
        together = mean_draws(tuple(ordered.values.values()), asked.draws, np.random.default_rng(asked.seed))
        values = in_order(together, scores, ordered)
    else:
        values = drawn(scores, measure, asked.draws, asked.seed, progress)
    systems = []
    for place, name in enumerate(scores.systems):
        law = Draws.iid(values[:, place], bounds(scores, measure))
        systems.append(
            SystemSummary(
                name=name,
                observed=observed(scores, measure, name, model)
                if jackknife is None
                else float(jackknife.values[place]),
                mean=law.mean,
                std=law.std,
                hdi=law.hdi(asked.hdi_mass),
                law=law,
            )
        )
    notes: list[Finding] = [*scores.findings, *asked.notes]
    for pair in list(combinations(scores.systems, 2))[:MOST_PAIRS]:
        notes += notice_scores(scores, model, measure, pair)
    if jackknife is not None:
        notes += notice_ranked(jackknife, scores.systems, asked.hdi_mass, MOST_RANKED)
    seen = [system.observed for system in systems]
    rope = region(scores, asked, measure, seen)
    if asked.rope.usual:
        better = info(scores, measure, model).higher_is_better
        notes += notice_usual_rope(rope, seen, *bounds(scores, measure), better, of_constant(scores, measure))
    told: dict[str, Any] = {
        "measure": info(scores, measure, model),
        "rope": rope,
        "hdi_mass": asked.hdi_mass,
        "model": _model_told(scores, model),
        "prior": _prior_told(scores, model),
        "items": len(scores),
        "draws": asked.draws,
        "seed": asked.seed,
        "findings": tuple(dict.fromkeys(notes)),
    }
    return ranking_of(values, systems, bounds(scores, measure), **told)


def check_probabilities(scores: Scores, measures: Sequence[ScoreMeasure | str]) -> None:
    """Refuse scores that are no probabilities where these are needed."""
    for measure in measures:
        if isinstance(measure, ScoreMeasure) and measure.probabilities:
            wrong = [name for name, own in scores.values.items() if own.min() < 0 or own.max() > 1]
            if wrong:
                raise InputError(
                    f"{measure.title} needs probabilities, and the scores of {quoted(wrong)} are not between 0 and 1."
                )
