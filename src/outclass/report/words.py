"""Every sentence about a result, so that terminal, page and file never say different things."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from outclass.inference.distribution import Interval
from outclass.planning.anytime import Anytime
from outclass.rows.types import Appraisal, Contrast, Pairing
from outclass.verdict.bayes_factor import equality_recipes
from outclass.verdict.rope import Verdict

MOST_DECIMALS = 6
NOTHING = 1e-13
SIGNIFICANT = 0.05
ROUGH = ("OC104", "OC105")
LEANING, LIKELY = 0.75, 0.95
METHODS = {
    "closed form": "closed form, no sampling",
    "quadrature": "numerical integration on a grid, no sampling",
    "sobol": "Rao-Blackwellised integration over scrambled Sobol points",
    "sobol draws": "scrambled Sobol draws",
    "draws": "independent draws",
    "nuts": "NUTS chains (nutpie)",
    "pymc": "NUTS chains (PyMC)",
    "numpyro": "NUTS chains (NumPyro)",
    "metropolis": "a Metropolis chain, as in Zhang et al. 2016: no burn-in, nothing thrown away",
}


def signed(value: float, digits: int = 3) -> str:
    """Write a difference with its sign."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < NOTHING:
        value = 0.0  # rounding is no reason for a minus sign
    return f"{value:+.{digits}f}" if digits <= MOST_DECIMALS else f"{value:+.2e}"


def interval(value: Interval, digits: int = 3) -> str:
    """Write an interval of differences."""
    return f"[{signed(value.low, digits)}, {signed(value.high, digits)}]"


def unsigned_interval(value: Interval, digits: int = 3) -> str:
    """Write an interval of values."""
    return f"[{value.low:.{digits}f}, {value.high:.{digits}f}]"


def percent(probability: float) -> str:
    """Write a probability; never 0% or 100% for what is not certain."""
    if math.isnan(probability):
        return "undefined"
    if probability < 0.0005:
        return "<0.1%"
    if probability > 0.9995:
        return ">99.9%"
    return f"{100 * probability:.1f}%"


def factor(value: float) -> str:
    """Write a Bayes factor."""
    if math.isnan(value):
        return "undefined"
    if value >= 1e5 or (0 < value < 1e-3):
        return f"{value:.1e}" if math.isfinite(value) else "infinite"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def p_value(value: float) -> str:
    """Write a p-value."""
    if math.isnan(value):
        return "undefined"
    return "<.001" if value < 0.0005 else f"{value:.3f}".replace("0.", ".", 1)


def rope(value: Interval) -> str:
    """Write a region of practical equivalence."""
    if math.isinf(value.high):
        return f"above {value.low:+g}"
    if math.isinf(value.low):
        return f"below {value.high:+g}"
    return f"±{value.high:g}" if value.low == -value.high else f"{value.low:+g} to {value.high:+g}"


def _better(row: Contrast) -> tuple[str, str]:
    """Return the names of the better and the worse system, by the sign of the difference."""
    a, b = (system.name for system in row.systems)
    return (a, b) if (row.difference.mean > 0) == row.measure.higher_is_better else (b, a)


class Said(NamedTuple):
    """What of a sentence depends on the region and on the interval's mass; a page puts it in as they are moved."""

    low: str
    high: str
    mass: str
    rope: str

    @classmethod
    def of(cls, row: Contrast) -> "Said":
        """Write these of a row."""
        digits = decimals(row.difference.std)
        low, high = (signed(end, digits) for end in row.difference.hdi)
        return cls(low, high, f"{100 * row.hdi_mass:g}%", rope(row.rope))


# No name can hold these: in names, control characters are escaped.
BLANKS = Said("\0low\0", "\0high\0", "\0mass\0", "\0rope\0")


OVER_DATA_SETS = ("sign (data sets)", "signed-rank")


def _over_data_sets(row: Contrast) -> str:
    """Say the decision of a test over data sets, which goes by how probable it is that most are won."""
    a, b = (system.name for system in row.systems)
    if row.verdict is Verdict.EQUIVALENT:
        return f"{a} and {b} are practically equivalent in {row.measure.title} on most data sets"
    if row.verdict not in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        return f"it is not decided which of {a} and {b} is better in {row.measure.title} on most data sets"
    first = (row.verdict is Verdict.MUCH_GREATER) == row.measure.higher_is_better
    better, worse = (a, b) if first else (b, a)
    told = f"{better} is better than {worse} in {row.measure.title} on most data sets"
    return told if _better(row)[0] == better else f"{told}, though not on average over them"


def verdict(row: Contrast, said: Said | None = None) -> str:
    """Say the decision in a clause, as sure as the posterior is."""
    if math.isnan(row.difference.mean):
        a, b = (system.name for system in row.systems)
        return f"{row.measure.title} has no interval, so {a} and {b} are not compared in it"
    if row.model in OVER_DATA_SETS:
        return _over_data_sets(row)
    a, b = (system.name for system in row.systems)
    better, worse = _better(row)
    sure = max(row.difference.below, row.difference.above)
    if not row.rope.low <= 0 <= row.rope.high:
        # A region away from zero is somebody's target: only say where the difference lies.
        lies = {"<<": "below", ">>": "above", "~=": "inside"}.get(row.verdict.value, "not surely on one side of")
        region = (said or Said.of(row)).rope
        return f"the difference of {a} and {b} in {row.measure.title} is {lies} the region of {region}"
    if math.isinf(row.rope.low) or math.isinf(row.rope.high):
        return _non_inferior(row)
    if row.verdict is Verdict.EQUIVALENT:
        return f"{a} and {b} are practically equivalent in {row.measure.title}"
    if row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        return f"{better} is better than {worse} in {row.measure.title}"
    if row.verdict is Verdict.UNDECIDED or sure < LEANING:
        return f"{a} and {b} cannot be told apart in {row.measure.title} yet; more data are needed"
    if sure < LIKELY:
        return f"{better} may be better than {worse} in {row.measure.title}, but more data are needed to tell"
    return f"{better} looks better than {worse} in {row.measure.title}, but more data are needed to tell if it matters"


def _non_inferior(row: Contrast) -> str:
    """Say the decision on a region that is open to one side: whether one system is not worse by more than a margin."""
    a, b = (system.name for system in row.systems)
    # A difference above a margin speaks for A where higher is better, and for B where lower is.
    first = math.isinf(row.rope.high) == row.measure.higher_is_better
    tried, against = (a, b) if first else (b, a)
    margin = abs(row.rope.low if math.isinf(row.rope.high) else row.rope.high)
    told = f"in {row.measure.title} (margin {margin:g})"
    if row.verdict in (Verdict.AT_LEAST, Verdict.AT_MOST):
        better = row.difference.hdi.low > 0 if row.verdict is Verdict.AT_LEAST else row.difference.hdi.high < 0
        return f"{tried} is non-inferior to {against} {told}" + (", and better" if better else "")
    if row.verdict in (Verdict.MUCH_LESS, Verdict.MUCH_GREATER):
        return f"{tried} is inferior to {against} {told}"
    return f"it is not decided whether {tried} is non-inferior to {against} {told}; more data are needed"


def decimals(std: float) -> int:
    """Return how many decimals show a number with this std to two digits, three at least."""
    return 3 if not 0 < std < math.inf else min(9, max(3 if std < 100 else 0, 1 - math.floor(math.log10(std))))


def sentence(row: Contrast, said: Said | None = None) -> str:
    """Say the answer in one plain sentence: which, by how much, how sure, and whether it matters."""
    if math.isnan(row.difference.hdi.low):
        a, b = (system.name for system in row.systems)
        return (
            f"the observed difference {a} - {b} in {row.measure.title} is {signed(row.observed)}; it has no interval, "
            "so nothing can be said about how certain it is."
        )
    digits = decimals(row.difference.std)
    said = said or Said.of(row)
    found = (
        f"the difference {row.systems[0].name} - {row.systems[1].name} is {signed(row.difference.mean, digits)} "
        f"and lies between {said.low} and {said.high} with {said.mass} probability"
    )
    if row.model in OVER_DATA_SETS:
        return f"{verdict(row)}: {practical(row)}; {found.replace('the difference', 'the mean difference', 1)}."
    region = f"the region of practical equivalence ({said.rope})"
    if (math.isinf(row.rope.low) or math.isinf(row.rope.high)) and row.rope.low <= 0 <= row.rope.high:
        region = f"the region of non-inferiority ({said.rope})"
    where = {
        Verdict.EQUIVALENT: f"inside {region}",
        Verdict.AT_LEAST: f"inside {region}",
        Verdict.AT_MOST: f"inside {region}",
        Verdict.MUCH_GREATER: f"wholly above {region}",
        Verdict.MUCH_LESS: f"wholly below {region}",
        Verdict.GREATER: f"partly inside {region}",
        Verdict.LESS: f"partly inside {region}",
        Verdict.UNDECIDED: f"evenly around {region}",
    }[row.verdict]
    doubt = ""
    if row.diagnostics is not None and row.diagnostics.hopeless:
        doubt = "not to be believed, since the chains have not met: "
    return f"{doubt}{verdict(row, said)}: {found}, {where}."


def pairing(value: Pairing, items: int) -> str:
    """Say what the pairing is worth."""
    if value.narrower <= 0.005:
        return "Testing both on the same items made the interval no narrower than testing them on separate items."
    return (
        f"Testing both on the same items makes the interval {100 * value.narrower:.0f}% narrower than on separate "
        f"items; without it, it would take about {value.items_saved:,} items more than these {items:,}."
    )


def log_odds(row: Contrast) -> str:
    """Say the odds that one system alone is right rather than the other."""
    if row.log_odds is None:
        return ""
    a, b = (system.name for system in row.systems)
    low, high = row.log_odds.hdi
    return (
        f"{signed(row.log_odds.mean)} [{low:+.3f}, {high:+.3f}]: where only one is right, it is {a} rather than {b} "
        f"at odds of about {_odds(row.log_odds.mean)} to 1 ({_odds(low)} to {_odds(high)})"
    )


def what_now(row: Contrast) -> str:
    """Say how many more items would decide an open comparison."""
    if row.additional_items is None:
        return ""
    right, average, wanted = row.additional_items
    told = "What now: "
    if any(finding.code in ROUGH for finding in row.findings):
        told += "very roughly, since so few disagree, "
    if right is None:
        told += "the estimate lies on the edge of the region, so no number of items would decide it if it is right"
    else:
        told += (
            f"if the present estimate is right, about {right:,} more items would decide it with probability {wanted:g}"
        )
    if average is None:
        return f"{told}; on average over what is still possible no number of items gives that probability."
    return f"{told}; on average over what is still possible, about {average:,}."


def disagreement(row: Contrast) -> str:
    """Say where the p-values and the verdict seem to part, and why."""
    by_name = {test.name: test for test in row.tests}
    own = by_name.get("permutation_exact") or by_name.get("permutation")
    if own is None and row.measure.name in ("accuracy", "error", "micro_f1"):
        own = by_name.get("sign_exact") or by_name.get("welch_t")
    if own is None or math.isnan(own.p_value):
        return ""
    significant = own.p_value <= SIGNIFICANT
    names = {
        "permutation_exact": "permutation test",
        "permutation": "permutation test",
        "sign_exact": "sign test",
        "welch_t": "t-test",
    }
    named = f"The {names.get(own.name, own.name)} (p {p_value(own.p_value)})"
    told = ""
    if significant and row.verdict is Verdict.EQUIVALENT:
        told = (
            f"{named} speaks against a difference of zero, the verdict says that it is too small to matter: both can "
            "be right."
        )
    elif significant and row.verdict in (Verdict.GREATER, Verdict.LESS, Verdict.UNDECIDED):
        told = (
            f"{named} speaks against a difference of zero; the verdict waits, because it may still be too small to "
            "matter."
        )
    elif not significant and row.verdict is Verdict.EQUIVALENT:
        told = (
            "A large p-value alone would not show equality; here the interval does, being inside the region of "
            "practical equivalence."
        )
    elif not significant and row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS):
        told = (
            f"{named} does not refuse equality, the verdict does: the prior or the model says more than the items "
            "on which the systems differ. Look at the prior's weight before you lean on the verdict."
        )
    sign = by_name.get("sign_exact")
    if sign is not None and own is not sign and (sign.p_value <= SIGNIFICANT) != significant:
        told += (
            f"{' ' if told else ''}The sign test ({p_value(sign.p_value)}) parts from it: it is about accuracy, "
            f"not {row.measure.title}."
        )
    return told


def _odds(log: float) -> str:
    return f"{math.exp(min(log, 700)):.3g}"


def sensitivity(row: Contrast) -> str:
    """Say what the Bayes factors come to, and how far the recipes for exact equality disagree."""
    values = {each.name: each.value for each in row.bayes_factors}
    practical = values.get("interval_null", math.nan)
    exact = [values[name] for name in equality_recipes(row.measure.name) if not math.isnan(values.get(name, math.nan))]
    told = ""
    if not math.isnan(practical):
        told = f"Bayes factor {factor(practical)} {_for(practical)} practical equivalence. "
    decided = row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS)
    if (decided and practical > 3) or (row.verdict is Verdict.EQUIVALENT and practical < 1 / 3):
        told += (
            "That is no contradiction: the factor asks how far the test moved the odds, the verdict where they stand. "
        )
    if not exact:
        return told.strip()
    low, high = min(exact), max(exact)
    span = factor(low) if len(exact) == 1 else f"{factor(low)} to {factor(high)} by recipe"
    if _for(low) == _for(high):
        return f"{told}For exact equality {span}, {_for(low)} it."
    return f"{told}For exact equality {span}: the recipes do not agree."


def _for(value: float) -> str:
    return "for" if value > 3 else "against" if value < 1 / 3 else "neither for nor against"


def about(row: "Contrast | Appraisal", methods: Sequence[str], items: str, *, several: bool = False) -> str:
    """Say what was computed, on what, and how."""
    mass = f"{100 * row.hdi_mass:g}% HDI"
    how = "; ".join(METHODS.get(method, method) for method in methods)
    prior = "several priors" if several else row.prior if "prior" in row.prior else f"{row.prior} prior"
    return f"{row.model} model, {prior}, {mass}, {items} items; {how}; seed {row.seed}"


def practical(row: Contrast) -> str:
    """Say how probable a difference beyond the region is, to either side."""
    if row.rope_probabilities is None:
        return ""
    a, b = (system.name for system in row.systems)
    first, same, second = (percent(each) for each in row.rope_probabilities)
    told = f"higher by more than the ROPE: {a} with probability {first}, {b} with {second}, neither with {same}"
    if row.model in OVER_DATA_SETS:
        return f"{told}, on most data sets; the decision is by these"
    return told


def chains(row: Contrast | Appraisal) -> str:
    """Say how chains mixed."""
    seen = row.diagnostics
    if seen is None:
        return ""
    many = f"{seen.chains} chain{'' if seen.chains == 1 else 's'} of {seen.draws:,} draws"
    return (
        f"{many}, worth {seen.ess_bulk:,.0f} independent ones ({seen.ess_tail:,.0f} for the tails); R-hat "
        f"{seen.r_hat:.3f}; Monte-Carlo error of the mean {seen.mcse:.1g}"
        + ("" if seen.sampler == "metropolis" else f"; {seen.divergences or 'no'} divergent steps")
    )


def anytime(a: str, b: str, seen: Anytime) -> str:
    """Say what holds whenever one looks."""
    low, high = seen.interval
    refuses = "refuses" if seen.refuses else "does not refuse"
    return (
        f"{a} against {b} in accuracy, whenever you look: e-value {seen.e_value:.3g} ({refuses} equality at "
        f"{seen.alpha:g}; {1 / seen.alpha:g} would), difference between {signed(low)} and {signed(high)}. The verdict "
        "is for a number of items fixed beforehand."
    )


REFERENCES = {
    "zhang2016": "D. Zhang, J. Wang, E. Yilmaz, X. Wang, Y. Zhou. Bayesian performance comparison of text classifiers. "
    "SIGIR 2016.",
    "goutte2005": "C. Goutte, E. Gaussier. A probabilistic interpretation of precision, recall and F-score, with "
    "implication for evaluation. ECIR 2005.",
    "yang1999": "Y. Yang, X. Liu. A re-examination of text categorization methods. SIGIR 1999.",
    "kruschke2013": "J. K. Kruschke. Bayesian estimation supersedes the t test. Journal of Experimental Psychology: "
    "General 142(2), 2013.",
    "corani2015": "G. Corani, A. Benavoli. A Bayesian approach for comparing cross-validated algorithms on multiple "
    "data sets. Machine Learning 100, 2015.",
    "benavoli2017": "A. Benavoli, G. Corani, J. Demsar, M. Zaffalon. Time for a change: a tutorial for comparing "
    "multiple classifiers through Bayesian analysis. Journal of Machine Learning Research 18, 2017.",
    "rubin1981": "D. B. Rubin. The Bayesian bootstrap. The Annals of Statistics 9(1), 1981.",
}
_SOURCES = {
    "paired": "zhang2016",
    "unpaired": "zhang2016",
    "goutte": "goutte2005",
    "sign": "goutte2005",
    "student (robust centre)": "kruschke2013",
    "t": "corani2015",
    "correlated": "corani2015",
    "sign (data sets)": "benavoli2017",
    "signed-rank": "benavoli2017",
}


def methods(rows: Sequence[Contrast], version: str) -> tuple[str, list[str]]:
    """Write the paragraph that a paper needs, and the references it makes."""
    row = rows[0]
    source = _SOURCES.get(row.model, "rubin1981")
    pairs = list(dict.fromkeys(tuple(system.name for system in each.systems) for each in rows))
    who = " and ".join(pairs[0]) if len(pairs) == 1 else f"{len(pairs)} pairs of systems"
    what = ", ".join(dict.fromkeys(each.measure.title for each in rows))
    labels = {each.label for each in rows}
    per = f", for each of {len(labels)} labels," if len(labels) > 1 else ""
    priors = list(dict.fromkeys(each.prior for each in rows))
    prior = priors[0] if "prior" in priors[0] else f"{priors[0]} priors"
    if len(priors) > 1:
        prior = f"under {len(priors)} priors ({', '.join(priors)})"
    how = METHODS.get(row.method, row.method)
    ropes = list(dict.fromkeys(rope(each.rope) for each in rows))
    told = (
        f"We compared {who} in {what}{per} on {row.items:,} items with the {row.model} Bayesian model [{source}], "
        f"{prior}, computed with outclass {version} ({how}; seed {row.seed}). Differences within {' or '.join(ropes)} "
        "were taken as practically equivalent. We report the posterior mean of the difference, its "
        f"{100 * row.hdi_mass:g}% highest-density interval (HDI), and the decision by the HDI and the region of "
        "practical equivalence (ROPE) [kruschke2013]: a difference that matters if the HDI lies wholly beyond the "
        "ROPE, practical equivalence if it lies wholly inside, and otherwise no decision."
    )
    if row.pairing is not None:
        told += " The systems were tested on the same items, which the model knows."
    return told, [REFERENCES[name] for name in dict.fromkeys((source, "kruschke2013"))]


COUNTED = (
    "Of {all} comparisons, {differ} differ by more than matters, {same} are practically equivalent, {open} need more "
    "data."
)


def counted(rows: Sequence[Contrast]) -> str:
    """Say in one sentence how many of many comparisons are decided, and how."""
    differ = sum(row.verdict in (Verdict.MUCH_GREATER, Verdict.MUCH_LESS) for row in rows)
    same = sum(row.verdict is Verdict.EQUIVALENT for row in rows)
    return COUNTED.format(all=len(rows), differ=differ, same=same, open=len(rows) - differ - same)


def appraised(row: Appraisal) -> str:
    """Say in one sentence how good a system is."""
    digits = decimals(row.system.std)
    low, high = (f"{end:.{digits}f}" for end in row.system.hdi)
    return (
        f"{row.measure.title} of {row.system.name} is {row.system.mean:.{digits}f} and lies between {low} and {high} "
        f"with {100 * row.hdi_mass:g}% probability."
    )
