"""What should be said with an answer: thin data, identical systems, undefined measures, numbers that disagree."""

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.pair import Pair, PairData
from outclass.data.published import CountsPair
from outclass.errors import quoted
from outclass.findings import Finding, finding
from outclass.inference.chains import Chains, ChainWarning
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.inference.settings import CHAINS, Settings
from outclass.inference.summary import Summary
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.prior import Prior
from outclass.planning.additional_items import AdditionalItems, additional_items
from outclass.rows.types import Contrast
from outclass.verdict.bayes_factor import equality_recipes
from outclass.verdict.rope import Rope, Verdict, decide

FEW_ITEMS = 30
SAMPLED = ("draws", *CHAINS)  # whose error is what it is
FEW_OF_A_CLASS = 20  # below which intervals may hold the truth less, or more, often than they say (docs/coverage.md)
FEW_DISAGREEMENTS = 30  # below it 95% intervals may hold the truth in more than 97% of the sets (docs/coverage.md)
FEW_ERRORS = 6  # of one system, below which its own interval holds the truth more often than it says
HEAVY = 10
MANY_ITEMS = 1000


def notice_data(
    pair: PairData, positive: Label | None, evidence: Evidence, model: str, prior: Prior
) -> Iterator[Finding]:
    """Say what is thin or odd about the counts, whatever the measure."""
    if evidence.systems is not None and evidence.negatives_known and evidence.has_classes:
        for name, table in zip((pair.a, pair.b), evidence.systems, strict=True):
            yield from notice_predictions(name, table)
    if isinstance(pair, CountsPair):
        yield from _notice_tallies(pair)
    if not isinstance(pair, Pair) or evidence.systems is None or not evidence.has_classes:
        return
    positives, negatives = (sum(int(table[row].sum()) for table in evidence.systems) for row in (0, 1))
    if evidence.joint is not None:
        positives, negatives = positives // 2, negatives // 2
    if model in ("paired", "unpaired"):
        yield from _heavy_prior(prior, positives, negatives, 4 if model == "paired" else 2)
    if pair.items < FEW_ITEMS:
        yield finding("OC107", f"there are {pair.items} items only; the prior weighs heavily.")
    elif min(positives, negatives) < FEW_OF_A_CLASS:
        few, which = min((positives, f"have the label {positive}"), (negatives, f"have another label than {positive}"))
        yield finding(
            "OC108",
            f"only {few} items {which}; little is known of what the systems do with these, and intervals may hold the "
            "truth more or less often than they say.",
        )
    for outcomes in dict.fromkeys((id(pair.first), id(pair.second))):
        source = pair.first if outcomes == id(pair.first) else pair.second
        strange = sorted({str(label) for label in source.labels} - {str(label) for label in source.true_labels})
        if strange:
            yield finding("OC110", f"predicted but never true: {quoted(strange)}.")


def notice_thin(
    a: str, b: str, items: int, disagreements: int, *, unit: str = "items", least: int = FEW_DISAGREEMENTS
) -> Iterator[Finding]:
    """Say if little is known of a difference, whatever the data are: few units, or few on which two systems differ."""
    if disagreements == 0:
        yield finding(
            "OC105", f"{a} and {b} agree on all {items:,} {unit}; what difference remains comes from the prior."
        )
    elif disagreements < least:
        yield finding(
            "OC104",
            f"{a} and {b} differ on only {disagreements} of {items:,} {unit}, so the result depends on the prior.",
        )
    if items < FEW_ITEMS:
        yield finding("OC107", f"there are only {items} {unit}, so the result depends on the model's assumptions.")


def _notice_tallies(pair: CountsPair) -> Iterator[Finding]:
    for tally in (pair.first, pair.second):
        if tally.table.sum() < FEW_ITEMS:
            yield _few_items(int(tally.table.sum()), tally.name)
    positives = {int(tally.table[0].sum()) for tally in (pair.first, pair.second)}
    if len(positives) == 1:
        yield finding(
            "OC120",
            f"both results have {positives.pop():,} positives, as of one test set, but counts do not say which items "
            "both systems got right: the interval is likely too wide. Labels per item would tell.",
        )


def notice_pair(pair: PairData, measure: Measure, evidence: Evidence, model: str) -> Iterator[Finding]:
    """Say if the systems hardly differ where the measure looks, or if a model ignores that they saw the same items."""
    if evidence.wins is None:
        yield from _notice_errors(pair, measure, evidence)
        return
    items, apart, unit = pair.items, evidence.wins.a + evidence.wins.b, "items"
    if measure.given is not None and evidence.joint is not None:
        row = evidence.joint[0 if measure.given == "positives" else 1]
        items, apart, unit = int(row.sum()), int(row[1:3].sum()), f"{measure.given[:-1]} items"
    few = [each for each in notice_thin(pair.a, pair.b, items, apart, unit=unit) if each.code != "OC107"]
    yield from few
    if model in ("unpaired", "goutte"):
        yield finding(
            "OC302",
            f"the {model} model was used although both systems saw the same items; "
            "it ignores their agreement and is less sure than it could be (--model paired).",
        )
    yield from _notice_errors(pair, measure, evidence)


def _notice_errors(pair: PairData, measure: Measure, evidence: Evidence) -> Iterator[Finding]:
    if evidence.systems is not None and evidence.negatives_known and evidence.has_classes:
        for name, table in zip((pair.a, pair.b), evidence.systems, strict=True):
            yield from notice_errors(name, table, measure)


def notice_errors(name: str, table: Counts, measure: Measure) -> Iterator[Finding]:
    """Say if a system makes hardly any error that the measure counts: its own interval then rests on the prior."""
    counts = {"fn": int(table[0, 1]), "fp": int(table[1, 0])}
    kind = {"fn": "false negative", "fp": "false positive"}[measure.errors[0]]
    errors = sum(counts[each] for each in measure.errors)
    yield from notice_few_errors(name, errors, measure.title, "error" if len(measure.errors) > 1 else kind)


def notice_few_errors(name: str, errors: int, title: str, what: str = "error") -> Iterator[Finding]:
    """Say if a system makes hardly any error, whatever the data are."""
    if errors < FEW_ERRORS:
        many = f"no {what}s" if errors == 0 else f"only {errors} {what}{'' if errors == 1 else 's'}"
        yield finding("OC109", f"{name} makes {many}, so the interval of its own {title} depends on the prior.")


def _heavy_prior(prior: Prior, positives: int, negatives: int, outcomes: int) -> Iterator[Finding]:
    """Say if the prior weighs as much as the data."""
    weights = {
        "items": (sum(prior.mu), positives + negatives),
        "positives": (sum(prior.outcomes("positives", outcomes)), positives),
        "negatives": (sum(prior.outcomes("negatives", outcomes)), negatives),
    }
    for what, (mass, count) in weights.items():
        if 2 * mass > count and mass > HEAVY:
            yield finding("OC202", f"the prior weighs as much as {mass:.3g} {what}; there are {count:,} in the data.")


def notice_predictions(name: str, table: Counts) -> Iterator[Finding]:
    """Say if a system always says the same."""
    said_yes, said_no = (int(count) for count in table.sum(axis=0))
    if said_yes == 0:
        yield finding("OC106", f"{name} never predicts the positive label.")
    elif said_no == 0:
        yield finding("OC106", f"{name} predicts the positive label for every item.")


def notice_table(name: str, table: Counts, measure: Measure, model: str) -> Iterator[Finding]:
    """Say what is thin or odd about one system's counts."""
    if model != "goutte":
        yield from notice_predictions(name, table)
    items = int(table.sum())
    positives, negatives = (int(count) for count in table.sum(axis=1))
    if items < FEW_ITEMS:
        yield _few_items(items, name)
    elif positives < FEW_OF_A_CLASS:
        yield finding("OC108", _few_of_a_class(positives, "positive", name))
    elif negatives < FEW_OF_A_CLASS and model != "goutte":  # which knows no true negatives
        yield finding("OC108", _few_of_a_class(negatives, "negative", name))
    if model != "goutte":
        yield from notice_errors(name, table, measure)
    (tp, fn), (fp, tn) = table
    if math.isnan(float(measure(tp, fp, fn, tn))):
        yield _undefined(name, measure)


def _few_of_a_class(count: int, which: str, name: str) -> str:
    return (
        f"only {count} items are {which}; little is known of what {name} does with these, and its interval may be too "
        "narrow."
    )


def _few_items(items: int, name: str) -> Finding:
    return finding(
        "OC107",
        f"there {'is 1 item' if items == 1 else f'are {items} items'} of {name} only; the prior weighs heavily.",
    )


def _undefined(name: str, measure: Measure) -> Finding:
    return finding(
        "OC201",
        f"the {measure.title} of {name} in the data is undefined, because {measure.undefined}; "
        "the posterior is what the prior and the rest of the data say.",
    )


def notice(row: Contrast, measure: Measure, settings: Settings) -> Iterator[Finding]:
    """Say what is odd about the numbers of one measure."""
    for system in row.systems:
        if math.isnan(system.observed) and not math.isnan(system.mean):
            yield _undefined(system.name, measure)
    errors = row.difference.errors
    worst = max(errors.below, errors.above, errors.rope, *errors.hdi)
    wanted = settings.tolerance
    if row.method not in SAMPLED and (worst > max(5 * wanted, 1e-3) or worst > 2 * wanted < 1e-4):
        yield finding(
            "OC203", f"the numerical error is {worst:.1g}, above the {wanted:g} asked for: {_why_rough(row)}."
        )
    factors = {factor.name: factor.value for factor in row.bayes_factors}
    known = [factors[name] for name in equality_recipes(measure.name) if not math.isnan(factors.get(name, math.nan))]
    if known and min(known) < 1 / 3 and max(known) > 3:
        yield finding("OC205", "the Bayes factors of exact equality contradict each other; do not lean on any of them.")
    if isinstance(row.posterior, Draws) and row.posterior.undefined:
        yield finding(
            "OC206",
            f"the {measure.title} is undefined for {row.posterior.undefined:.1%} of the draws; they were left out.",
        )
    if isinstance(row.posterior, Chains):
        yield from notice_chains(row.posterior)
    yield from notice_edge(row)


def notice_chains(law: Chains) -> Iterator[Finding]:
    """Say if chains did not mix."""
    faults = law.diagnostics.faults
    if faults:
        told = f"the chains are not to be relied on: {'; '.join(faults)}. Take more draws, or the exact engine."
        yield finding("OC210", told)


def warn_of_chains(findings: Iterable[Finding]) -> None:
    """Tell whoever listens to warnings, too; in the thread that asked."""
    for each in dict.fromkeys(findings):
        if each.code == "OC210":
            warnings.warn(each.message, ChainWarning, stacklevel=3)


def _why_rough(row: Contrast) -> str:
    """Say why integration did not come nearer."""
    if row.method == "sobol draws":
        return f"{row.measure.title}, or so small a prior, can only be sampled"
    if row.hdi_mass > 0.99:
        return "so wide an interval ends where there is little probability"
    if row.items < MANY_ITEMS:
        return "so few items leave a posterior with edges"
    return "more points than outclass takes would be needed"


def additional_items_of(
    verdict: Verdict, difference: Summary, items: int, rope: Interval, hdi_mass: float
) -> AdditionalItems | None:
    """Say how many more items would decide, where the verdict is still open."""
    if verdict.is_decided or rope.width == 0:
        return None
    return additional_items(difference.mean, difference.std, items, rope, hdi_mass)


def notice_rope(row: Contrast, asked: Rope, low: float, high: float, constant: float = math.nan) -> Iterator[Finding]:
    """Say if nobody chose the ROPE; and if it is so wide for these systems that nearly anything is equivalent."""
    if asked.usual:
        values = [system.observed for system in row.systems]
        yield from notice_usual_rope(row.rope, values, low, high, row.measure.higher_is_better, constant)


def notice_usual_rope(
    rope: Interval, values: Sequence[float], low: float, high: float, higher_is_better: bool, constant: float = math.nan
) -> Iterator[Finding]:
    """The same of any number of systems with these observed values; `constant` is that of one that never varies."""
    best = high if higher_is_better else low
    if not math.isfinite(best):
        return
    error = min((abs(best - value) for value in values if not math.isnan(value)), default=math.nan)
    told = f"no ROPE was set, so the default of ±{rope.high:g} was used"
    if rope.high > abs(best - constant):
        yield finding(
            "OC305",
            f"{told}. It is wider than the gap between a perfect system and one that always gives the same answer "
            f"({abs(best - constant):.2g}), so nearly any two systems are equivalent. Set yours with --rope.",
        )
    elif rope.high > error / 2:
        yield finding(
            "OC305",
            f"{told}. It is more than half of the smaller error ({error:.2g}), so large improvements count as "
            "equivalent. Set yours with --rope, for example --rope 10% of the error.",
        )
    else:
        yield finding("OC304", f"{told}; set yours with --rope.")


def notice_edge(row: Contrast) -> Iterator[Finding]:
    """Say if a verdict hangs on the last digit of an interval's end."""
    hdi, errors = row.difference.hdi, row.difference.errors.hdi
    for place, (end, error) in enumerate(zip(hdi, errors, strict=True)):
        for edge in row.rope:
            hair = max(error, 0.01 * hdi.width)
            moved = [
                Interval(at, hdi.high) if place == 0 else Interval(hdi.low, at) for at in (edge - hair, edge + hair)
            ]
            if abs(end - edge) <= hair and len({decide(each, row.rope) for each in moved}) > 1:
                about = "" if row.label is None else f" (label {row.label})"
                yield finding(
                    "OC301",
                    f"{row.systems[0].name} against {row.systems[1].name} in {row.measure.title}{about} "
                    f"hangs on a hair: the interval ends at {end:+.4f}, the ROPE at {edge:+g}.",
                )
                return
