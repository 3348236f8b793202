"""How an answer was computed: in a line, and as the paragraph with results and references that a paper needs."""

import math
import re
from collections.abc import Sequence

from outclass.report.words.brief import DEFAULT_ROPE
from outclass.report.words.numbers import rope
from outclass.report.words.results_text import appraised_results, results
from outclass.report.words.several import summary
from outclass.report.words.test_names import YANG_LIU
from outclass.rows.types import Appraisal, Contrast

METHODS = {
    "closed form": "closed form, no sampling",
    "quadrature": "numerical integration on a grid, no sampling",
    "inversion": "characteristic function of the weights inverted, curvature to second order, no sampling",
    "cubature": "Rao-Blackwellised integration by rotated cubature rules",
    "sobol": "Rao-Blackwellised integration over scrambled Sobol points",
    "sobol draws": "scrambled Sobol draws",
    "draws": "independent draws",
    "nuts": "NUTS chains (nutpie)",
    "pymc": "NUTS chains (PyMC)",
    "numpyro": "NUTS chains (NumPyro)",
    "metropolis": "a Metropolis chain, as in Zhang et al. 2016: no burn-in, nothing thrown away",
}
REFERENCES = {
    "zhang2016": "D. Zhang, J. Wang, E. Yilmaz, X. Wang, Y. Zhou. Bayesian performance comparison of text classifiers. "
    "SIGIR 2016.",
    "goutte2005": "C. Goutte, E. Gaussier. A probabilistic interpretation of precision, recall and F-score, with "
    "implication for evaluation. ECIR 2005.",
    "yang1999": YANG_LIU,
    "kruschke2013": "J. K. Kruschke. Bayesian estimation supersedes the t test. Journal of Experimental Psychology: "
    "General 142(2), 2013.",
    "corani2015": "G. Corani, A. Benavoli. A Bayesian approach for comparing cross-validated algorithms on multiple "
    "data sets. Machine Learning 100, 2015.",
    "benavoli2017": "A. Benavoli, G. Corani, J. Demsar, M. Zaffalon. Time for a change: a tutorial for comparing "
    "multiple classifiers through Bayesian analysis. Journal of Machine Learning Research 18, 2017.",
    "welch1947": "B. L. Welch. The generalization of 'Student's' problem when several different population variances "
    "are involved. Biometrika 34, 1947.",
    "rubin1981": "D. B. Rubin. The Bayesian bootstrap. The Annals of Statistics 9(1), 1981.",
}
_SOURCES = {
    "table.paired": "zhang2016",
    "table.unpaired": "zhang2016",
    "table.goutte": "goutte2005",
    "table.sign": "goutte2005",
    "one.single": "zhang2016",
    "one.goutte": "goutte2005",
    "values.sign": "goutte2005",
    "values.student": "kruschke2013",
    "data_sets.student": "kruschke2013",
    "values.t": "corani2015",
    "data_sets.t": "corani2015",
    "folds.correlated": "corani2015",
    "fixed_items.repeats": "welch1947",
    "data_sets.sign": "benavoli2017",
    "data_sets.signed_rank": "benavoli2017",
}


_RUNS = re.compile(r", (runs crossed with items|these runs)$")  # of a model's title


def about(row: "Contrast | Appraisal", methods: Sequence[str], items: str, *, several: bool = False) -> str:
    """Say what was computed, on what, and how."""
    mass = f"{100 * row.hdi_mass:g}% HDI"
    how = "; ".join(METHODS.get(method, method) for method in methods)
    prior = "several priors" if several else row.prior if "prior" in row.prior else f"{row.prior} prior"
    return f"{row.model} model, {prior}, {mass}, {items} items; {how}; seed {row.seed}"


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


def methods(rows: Sequence[Contrast], version: str) -> tuple[str, list[str]]:
    """Write the paragraph that a paper needs, with the results, and the references it makes."""
    row = rows[0]
    pairs = list(dict.fromkeys(tuple(system.name for system in each.systems) for each in rows))
    who = " and ".join(pairs[0]) if len(pairs) == 1 else f"{len(pairs)} pairs of systems"
    ropes = list(dict.fromkeys(rope(each.rope) for each in rows))
    how, source = _computed(rows, version)
    told = (
        f"We compared {who} in {_what(rows)} on {row.items:,} items {how} Differences within {' or '.join(ropes)} were "
        f"taken as practically equivalent{_by_default(rows)}. We report posterior means, "
        f"{100 * row.hdi_mass:g}% highest-density intervals (HDI), and the decision by the HDI and the region of "
        "practical equivalence (ROPE) [kruschke2013]: a difference that matters if the HDI lies wholly beyond the "
        "ROPE, practical equivalence if it lies wholly inside, and otherwise no decision."
    )
    if row.pairing is not None:
        told += " The systems were tested on the same items, which the model takes into account."
    told += _published(rows)
    found = results(rows)
    if whole := [each for each in rows if each.is_whole]:
        if row.runs is None:
            told += " Differences in slices were partially pooled in a hierarchical model with t-distributed slices."
        found = f"{results(whole)} {summary([each.pooled for each in rows])}"
    return f"{told} {found}", [_reference(name) for name in dict.fromkeys((source, "kruschke2013"))]


def methods_of_systems(rows: Sequence[Appraisal], version: str) -> tuple[str, list[str]]:
    """Write the paragraph on systems judged one by one, and the references it makes."""
    how, source = _computed(rows, version)
    names = list(dict.fromkeys(row.system.name for row in rows))
    who = names[0] if len(names) == 1 else f"{len(names)} systems"
    told = (
        f"We evaluated {who} in {_what(rows)} on {rows[0].items:,} items {how} We report posterior means and "
        f"{100 * rows[0].hdi_mass:g}% highest-density intervals (HDI).{_published(rows)}"
    )
    return f"{told} {appraised_results(rows)}", [_reference(source)]


def _published(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Say what was not known of published results, and what repeats are evidence about."""
    told = _of_runs(rows)
    codes = {each.code for row in rows for each in row.findings}
    if "OC521" in codes:
        told += " Repeats of an item were averaged; the item is the unit of analysis."
    if "OC522" in codes:
        told += " The items were taken as fixed: the intervals are about further repeats of the same items."
    if "OC630" in codes:
        told += " The counts were recovered from published rates."
    if any(isinstance(row, Contrast) and row.unknown_agreement is not None for row in rows):
        told += (
            " The systems were tested on the same items, but only their counts were published; we report the widest "
            "interval over all possible agreements between them."
        )
    return told


def _of_runs(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Say how many runs each system has, and what they are a sample of."""
    own = [row.runs.systems if isinstance(row, Contrast) else (row.runs,) for row in rows if row.runs is not None]
    counts = {each.name: len(each.runs) for systems in own for each in systems if each is not None}
    if not counts or max(counts.values()) == 1:
        return " Each system had a single run; the variation between runs is unknown." if counts else ""
    several = len(set(counts.values())) > 1
    many = ", ".join(f"{name} {runs}" for name, runs in counts.items()) if several else max(counts.values())
    told = f" Runs of each system: {many}."
    if rows[0].model_key == "runs.fixed":
        return f"{told} They were taken as fixed: the intervals are about the average of these runs on further items."
    paired = any(isinstance(row, Contrast) and row.runs is not None and row.runs.paired for row in rows)
    shared = " Runs were paired across systems." if paired else ""
    return (
        f"{told}{shared} Runs and items were crossed and both taken as samples: the intervals are about the expected "
        "result of a further run on further items, and include the variation between runs, estimated beside that of "
        "the items."
    )


def _by_default(rows: Sequence[Contrast]) -> str:
    """Say that nobody chose the ROPE, and that it is wide where it is."""
    codes = {each.code for row in rows for each in row.findings}
    if not codes & set(DEFAULT_ROPE):
        return ""
    if "OC303" in codes:
        return " (a tenth of the standard deviation, the software's default)"
    if "OC305" not in codes:
        return " (the software's default)"
    wide = [row for row in rows if any(each.code == "OC305" for each in row.findings)]
    # How far the systems are from a perfect score, the lower end of which is 0 where lower is better.
    values = [system.observed for row in wide for system in row.systems if not math.isnan(system.observed)]
    errors = sorted({f"{1 - value if wide[0].measure.higher_is_better else value:.2g}" for value in values}, key=float)
    if not errors or not wide[0].measure.in_points:
        return " (the software's default, which is wide for these systems)"
    span = errors[0] if len(errors) == 1 else f"{errors[0]} to {errors[-1]}"
    return f" (the software's default, which is wide next to errors of {span})"


def _reference(key: str) -> str:
    return f"[{key}] {REFERENCES[key]}"


def _what(rows: "Sequence[Contrast] | Sequence[Appraisal]") -> str:
    """Name the measures, and the labels that they are of."""
    titles = list(dict.fromkeys(each.measure.title for each in rows))
    what = titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
    labels = list(dict.fromkeys(each.label for each in rows))
    if len(labels) > 1:
        return f"{what}, for each of {len(labels)} labels,"
    return what if labels[0] is None else f"{what} (positive label {labels[0]})"


def _model(row: "Contrast | Appraisal") -> str:
    """Name the model in a sentence."""
    named = {
        "single": "the Bayesian model of a single system",
        "paired (weights on patterns)": "a paired Bayesian bootstrap of the joint counts of labels and predictions",
        "paired (weights on documents)": "a paired Bayesian bootstrap of the documents",
        "bootstrap (weights on groups)": "a Bayesian bootstrap of the groups",
        "paired (cluster jackknife)": "a cluster jackknife",
        "repeats (fixed items)": "a t model of the variation between repeats of these items",
    }
    base = _RUNS.sub("", row.model)
    return named.get(base, f"the {base} Bayesian model")


def _computed(rows: "Sequence[Contrast] | Sequence[Appraisal]", version: str) -> tuple[str, str]:
    """Say with which model, prior and software, and return the key of the model's reference."""
    row = rows[0]
    source = _SOURCES.get(row.model_key, "rubin1981")
    priors = list(dict.fromkeys(each.prior for each in rows))
    prior = priors[0] if "prior" in priors[0] else f"{priors[0]} priors"
    prior = re.sub(r"^(.*prior) \((.*) pseudo-items\)$", r"with a \1 worth \2 items", prior)
    if len(priors) > 1:
        prior = f"{len(priors)} priors ({', '.join(priors)})"
    how = METHODS.get(row.method, row.method)
    told = f"with {_model(row)} [{source}], {prior}, computed with outclass {version} ({how}; seed "
    return f"{told}{row.seed}).", source
