"""The one table of options: each is spelt and explained once, and a command takes whole groups of them.

An option is called as the library calls its argument. None has a default here: the library has them, so that what
reaches it is what the user gave, and an option that a question does not use is an error and never ignored.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from outclass.cli.data_options import ANY_FILES, COLUMNS, COUNTED, ENGINE, FILES, LOGS, NUMBERS, PER_ITEM
from outclass.cli.gate_options import BLESS, GATE, GATE_OUTPUT, ONE_SIDE, SIDES
from outclass.cli.option import MANY, Option, group
from outclass.errors import InputError, shown
from outclass.report.charts import CHARTS
from outclass.studies import STUDIES

OF_PLANS: Final = ("power", "rule")  # charts that `outclass plan` draws


QUESTION: Final = group(
    "Question",
    Option("positive", "LABEL", "Label treated as positive; required if it cannot be inferred.", common=True),
    Option(
        "measure",
        "NAME",
        "f1 (default), accuracy, precision, recall, mcc, macro_f1, auc, ...; repeatable, or 'all'.\nAlso fbeta:2, "
        "utility:tp=2,fp=-1, ...; for many labels macro_f1, micro_f1, weighted_recall, ...; for scores auc, "
        "average_precision, brier, log_loss, ece, ...; for results mean, median; of repeats pass@3, pass^3, maj@3; for "
        "TREC runs nDCG@10, AP, ...",
        MANY,
        common=True,
    ),
    Option(
        "by",
        "COL|label",
        "One row per slice of a column, or per label; repeatable.\nA column of languages, for example; length:4 cuts "
        "numbers into four bins, dates are cut into months. label: each label against the rest.",
        MANY,
        common=True,
    ),
    Option(
        "labels",
        "LABEL,...",
        "Labels that averages are over; repeatable. Default: all.\nItems of other labels are kept and count as wrong "
        "predictions, as with labels= of scikit-learn. A value that is not a label itself is split at its commas. With "
        "--by label: the labels that have a row.",
        MANY,
    ),
    Option(
        "exclude_labels",
        "LABEL",
        "Label that averages leave out, such as O or Other; repeatable.\nIts items are kept and count as wrong "
        "predictions.",
        MANY,
        ("--exclude-label",),
        common=True,
    ),
    Option(
        "rope",
        "R|LOW,HIGH|P%",
        "Differences too small to matter. Default: 0.05.\nIn the unit of the measure (0.02), open to one side for "
        "non-inferiority (-0.02,inf), or relative to the smaller error (10%); for numbers without a natural scale, the "
        "default is a tenth of the spread.",
        common=True,
    ),
    Option("undefined", "drop|0|1", "Value of an undefined ratio (0/0) of a label in an average. Default: drop it."),
    Option("average", "items|groups", "With --group: equal weight for every item (default) or every group."),
    Option("hdi_mass", "P", "Probability mass of the HDI. Default: 0.95.", float, common=True),
)
POPULATION: Final = group(
    "Question",
    Option(
        "population",
        "like-these|these",
        "With --repeat: items are a sample (default), or a fixed suite, of which only other repeats would vary.",
    ),
)
MODEL: Final = group(
    "Question",
    Option(
        "model",
        "MODEL",
        "paired (default, for the same items) or unpaired.\ngoutte: uses only TP, FP, FN. sign: uses only the items "
        "that one system gets right. Many labels: also bootstrap, hierarchical, decisions. Scores: student, t, "
        "clusters, bootstrap, "
        "hierarchical, correlated, sign, signed_rank.",
        common=True,
    ),
    Option(
        "prior",
        "PRIOR",
        "matched (default), uniform, jeffreys, or your own.\nmatched is calibrated for the measure; uniform is the "
        "prior of Zhang et al., jeffreys that of Goutte & Gaussier. Your own: a pseudo-count per cell, "
        "'mu=1,1;positives=1,1,1,1;negatives=1', or a PyMC distribution, as in "
        "'recall=TruncatedNormal(mu=0.8,sigma=0.1,lower=0,upper=1)'.",
        common=True,
    ),
    Option("prior_recall", "LOW..HIGH", "Range that contains the recall with 95% prior probability, as in 0.6..0.9."),
    Option("prior_fpr", "LOW..HIGH", "The same for the false-positive rate."),
    Option("prior_prevalence", "LOW..HIGH", "The same for the proportion of positives."),
)
SENSITIVITY: Final = group(
    "Question", Option("sensitivity", None, "The verdict under several priors, one line each.", bool)
)
COMPUTATION: Final = group(
    "Computation",
    Option(
        "method",
        "auto|exact|draws|mcmc",
        "Integrate, sample, or run MCMC. Default: auto, which integrates where possible.",
    ),
    Option("draws", "N", "Number of draws, if the posterior is sampled.", int),
    Option("tolerance", "E", "Maximum numerical error.", float),
    Option(
        "sampler",
        "nuts|metropolis|pymc|numpyro",
        "With --method mcmc: NUTS of nutpie (default), Metropolis as in the papers, or NUTS of PyMC or NumPyro.",
    ),
    Option("form", "compact|original", "With --method mcmc: counts (default), or one event per item."),
    Option("chains", "N", "Number of MCMC chains.", int),
)
SEED: Final = group("Computation", Option("rng", "N", "Random seed. Default: 0.", int, ("--seed",), common=True))
OUTPUT: Final = group(
    "Output",
    Option(
        "format",
        "table|json|csv|markdown|latex|methods",
        "Default: from the extension of --output, or table.",
        common=True,
    ),
    Option("output", "PATH", "Write to a file instead of the screen.", flags=("--output", "-o"), common=True),
    Option("report", "PATH", "Also write a report page (.html).", common=True),
    Option("verbose", None, "Show everything: all tests, Bayes factors, notes.", bool, common=True),
)

# --- of one command ---------------------------------------------------------------------------------------------------

ONE_SYSTEM: Final = group(
    "Question",
    Option("model", "single|goutte", "single (default), or goutte, which uses only TP, FP and FN."),
    common=True,
)
TESTS: Final = group(
    "Question",
    Option(
        "tests",
        "NAME",
        "A test, such as mcnemar_exact, permutation or wilcoxon; repeatable. Default: those suited to the data.",
        MANY,
        ("--test",),
    ),
    Option("every", None, "Run every applicable test.", bool, ("--all",)),
    Option(
        "alternative",
        "SIDE",
        "two-sided, greater (A's value above B's), less, or observed (the observed direction, as in Yang & Liu). "
        "Default: depends on the test.",
    ),
    Option("by", "frequency|label", "frequency: macro-F1 by category frequency. label: one row per category."),
    Option("frequencies", "FILE", "Table of labels and their counts in the training data, for --by frequency."),
    common=True,
)
WORLD: Final = group(
    "Scenario",
    Option("prevalence", "P", "Proportion of positive items.", float),
    Option("cells_positive", "11,10,01,00", "Proportions of the positives: both right, only A, only B, neither."),
    Option(
        "cells_negative",
        "11,10,01,00",
        "Proportions of the negatives: both say positive, only A, only B, neither.",
    ),
    Option("recall_a", "P", "Instead of cells: A's recall.", float),
    Option("recall_b", "P", "B's recall.", float),
    Option("fpr_a", "P", "A's false-positive rate.", float),
    Option("fpr_b", "P", "B's false-positive rate.", float),
    Option("agreement", "P", "How often the systems agree. Default: as by chance.", float),
    Option("pilot", "FILE", "A pilot instead; new items are added to it."),
    Option("pool", "FILE", "Unlabelled items to sort by the value of a label."),
    common=True,
)
PLAN: Final = group(
    "Question",
    Option("n", "N,N,...", "Numbers of items to examine."),
    Option("goal", "GOAL", "'>>', '<<', '~=', decided (default), width:0.1, significant; repeatable.", MANY),
    Option("probability", "P", "Find the smallest number of items that reaches the goal with this probability.", float),
    Option("model", "NAME", "paired (default), unpaired, goutte, sign; repeatable.", MANY),
    Option("more_runs", "N,N,...", "With runs in the pilot: runs that each system gets on top. Default: 0,2."),
    Option("characteristics", None, "Also show how often verdicts are right and wrong.", bool),
    common=True,
)
SIMULATION: Final = group(
    "Computation",
    Option("sets", "N", "Simulated test sets per design point. Default: 2000.", int, common=True),
    Option("resume", "FILE", "File for finished design points, to resume an interrupted run."),
    Option("jobs", "N", "Number of cores. Default: all.", int),
    Option(
        "backend",
        "numpy|torch|jax|cupy|auto",
        "Library that computes posteriors. Default: numpy.\nauto: one with a GPU, if there is one.",
    ),
    Option("device", "NAME", "Device of the back end, such as cuda:1. Default: a GPU if it finds one."),
)
STATE: Final = group(
    None,
    Option("state", "STATE", "The saved state; created if it does not exist.", positional=True, required=True),
    replace(ANY_FILES, metavar="FILE...", help="New data: the files of one or more batches.", required=True),
    Option("again", None, "Count files even if the state already contains them.", bool),
    Option("new_labels", None, "Accept labels that do not occur in the state.", bool),
    common=True,
)
SEARCH: Final = group(
    "Question",
    Option(
        "columns",
        "COL,COL,...",
        "Columns to make slices of; repeatable. Default: all that can be sliced.\nColumns with few values are taken as "
        "they are, numbers are cut into quartiles (length:3: into three bins), dates into months.",
        MANY,
    ),
    Option("depth", "1|2", "Slices of single columns (1), or of pairs of columns as well (2, the default).", int),
    Option("top", "N", "Number of slices to show. Default: 10.", int),
    common=True,
)
DEMO: Final = tuple(option for option in QUESTION if option.name in ("positive", "measure", "by", "rope"))
CHART: Final = group(
    "Output",
    Option(
        "kind",
        "KIND",
        f"{', '.join(each for each in CHARTS if each not in OF_PLANS)}. Default: posterior, or forest for many "
        "comparisons.",
    ),
    Option("size", "W,H", "Width and height of the chart in inches, as in 3.3,2.5."),
    Option("font_size", "PT", "Font size in points.", float),
    Option("chart_title", "TEXT", "Title of the chart instead of the default; '' for none."),
    Option("dpi", "N", "Dots per inch of a PNG. Default: 300.", float),
    common=True,
)
STUDY: Final = group(
    None,
    Option("study", "|".join(STUDIES), "The paper.", positional=True, required=True),
    Option(
        "data",
        "DIR",
        "A folder with the corpora: Parquet, or Reuters-21578 as distributed (reut2-*.sgm). Without it, scikit-learn "
        "and NLTK download what they provide.",
    ),
    Option(
        "output",
        "DIR",
        "Folder for all results. Default: reproduced/STUDY, or reproduced/STUDY-quick.",
        flags=("--output", "-o"),
    ),
    Option("quick", None, "Use a small part of the corpus, to check that it runs.", bool),
    Option("tune", None, "zhang2016: tune parameters by grid search instead of using the paper's; slow.", bool),
    Option("format", "table|json|markdown|latex", "Output format. Default: table."),
    common=True,
)

# --- what questions take ----------------------------------------------------------------------------------------------

HELP_ALL: Final = Option("help_all", None, "Show all options.", bool)
READING: Final = (*COLUMNS, *COUNTED, *PER_ITEM, *LOGS, *NUMBERS)  # whatever `read` of the library takes


def without(options: Iterable[Option], *names: str) -> tuple[Option, ...]:
    """Leave some out."""
    return tuple(option for option in options if option.name not in names)


def rare(options: Iterable[Option], *but: str) -> tuple[Option, ...]:
    """Leave some to `--help-all`, but for those named."""
    return tuple(replace(option, common=option.common and option.name in but) for option in options)


# Where labels are read from; and what is asked of categories, beside their tests.
LABELS: Final = (*FILES, *COLUMNS, *COUNTED, *ENGINE)
COMPARED: Final = (
    *(*LABELS, *QUESTION, *POPULATION, *MODEL, *SENSITIVITY, *PER_ITEM, *LOGS, *NUMBERS),
    *(*COMPUTATION, *SEED),
)
EVALUATED: Final = (*without(COMPARED, "rope", "sensitivity"), *ONE_SYSTEM)
RANKED: Final = without(COMPARED, "by", "sensitivity", "method", "tolerance", "sampler", "form", "chains")
TESTED: Final = (
    *(*LABELS, *without(QUESTION, "hdi_mass"), *TESTS, *PER_ITEM, *LOGS, *NUMBERS),
    *without(COMPUTATION, "method", "tolerance", "sampler", "form", "chains"),
    *SEED,
)
PLANNED: Final = (
    *(*WORLD, *rare(COLUMNS, "truth", "systems"), *rare(COUNTED), *PLAN),
    *(*rare(without(QUESTION, "by", "undefined", "average"), "positive", "measure", "rope"), *without(MODEL, "model")),
    *(*rare(PER_ITEM), *rare(LOGS), *rare(NUMBERS), *SIMULATION, *SEED),
)
UPDATED: Final = (*STATE, *without(COMPARED, "files", "engine", "master", "sensitivity"))
# One label per item, from one table.
SLICED: Final = (
    *FILES,
    *ENGINE,
    *(option for option in PER_ITEM if option.name == "source"),
    *LOGS,
    *(option for option in COLUMNS if option.name in ("truth", "systems", "count", "id", "missing")),
    *SEARCH,
    *group("Question", Option("measure", "NAME", "f1 (default), accuracy, precision, recall, mcc, ...", common=True)),
    *(option for option in QUESTION if option.name in ("positive", "rope", "hdi_mass")),
    *SEED,
)
LISTED: Final = (
    *group(
        None,
        replace(
            ANY_FILES, metavar="PATH...", help="Files or folders of logs, or NAME=PATH.", required=True, common=True
        ),
    ),
    *(option for option in (*PER_ITEM, *COLUMNS) if option.name in ("source", "missing")),
    *LOGS,
    *group(
        "Output",
        Option("format", "table|json", "Default: table."),
        Option(
            "output",
            "PATH",
            "Write all samples as a long table (.csv, .parquet), or the list (.json).",
            flags=("--output", "-o"),
        ),
        common=True,
    ),
)
TO_LABEL: Final = (
    *FILES,
    *(option for option in COLUMNS if option.name in ("truth", "systems", "judge", "id", "missing")),
    *group("Question", Option("budget", "N", "How many items to label.", int), common=True),
    *group(
        "Question",
        Option("measure", "NAME", "What the labels are for: f1 (default), accuracy, macro_f1, ...", MANY, common=True),
    ),
    *(option for option in QUESTION if option.name in ("positive", "undefined")),
    *SEED,
    *(option for option in OUTPUT if option.name == "output"),
)
CATEGORIES: Final = tuple(option for option in QUESTION if option.name in ("undefined", "labels", "exclude_labels"))
GATED: Final = (
    *(*SIDES, *GATE, *rare(COLUMNS, "truth", "systems", "id", "group"), *rare(COUNTED)),
    *(*rare(without(QUESTION, "rope", "hdi_mass"), "positive", "measure", "by"), *POPULATION, *rare(MODEL)),
    *(*PER_ITEM, *LOGS, *rare(NUMBERS, "scores", "lower_is_better"), *COMPUTATION, *rare(SEED), *GATE_OUTPUT),
)
BLESSED: Final = (*ONE_SIDE, *BLESS, *without(COLUMNS, "count", "merge"), *LOGS, *NUMBERS)
TABLE: Final = (
    *(*COMPARED, *EVALUATED, *TESTED, *PLANNED, *UPDATED, *SLICED, *GATED, *BLESSED, *LISTED, *TO_LABEL),
    *(*OUTPUT, *CHART, *STUDY),
)
FLAGS: Final = {option.name: option.flag for option in TABLE}


def unused(given: Iterable[str], used: Iterable[Option], what: str) -> None:
    """Refuse what was given and is not used, rather than ignore it."""
    known = {option.name for option in used}
    left = [FLAGS[name] for name in given if name not in known]
    if left:
        are, them = ("is", "it") if len(left) == 1 else ("are", "them")
        raise InputError(f"{', '.join(left)} {are} not used with {what}: leave {them} out.")


def prior_text(prior: str | None, recall: str | None, fpr: str | None, prevalence: str | None) -> str | None:
    """Put ranges of rates and the rest of a prior together."""
    from outclass.models.elicit import range_of  # NumPy is not loaded for a help text

    ranges = {"recall": recall, "fpr": fpr, "prevalence": prevalence}
    named = []
    for name, value in ranges.items():
        if value is None:
            continue
        if range_of(value) is None:
            raise InputError(f"--prior-{name} is a range, as in 0.6..0.9; got {shown(value)}.")
        named.append(f"{name}={value}")
    if not named or prior is None:
        return ";".join(named) or prior
    return ";".join([prior if "=" in prior else f"base={prior}", *named])
