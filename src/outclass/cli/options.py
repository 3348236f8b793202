"""The one table of options: each is spelt and explained once, and a command takes whole groups of them.

An option is called as the library calls its argument. None has a default here: the library has them, so that what
reaches it is what the user gave, and an option that a question does not use is an error and never ignored.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from outclass.errors import InputError, shown
from outclass.report.charts import CHARTS
from outclass.studies import STUDIES

OF_PLANS: Final = ("power", "rule")  # charts that `outclass plan` draws
Given = dict[str, Any]  # what the user gave, by the names of the table


@dataclass(frozen=True, slots=True)
class Option:
    """A line of the table."""

    name: str  # the library's argument
    metavar: str | None
    help: str  # what follows a line break is for `--help-all`
    kind: Any = str
    flags: tuple[str, ...] = ()  # as it is typed, where that is not `--name`
    panel: str | None = None
    positional: bool = False
    required: bool = False
    common: bool = False  # whether `--help` shows it, or `--help-all` alone

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        if self.positional:
            return str(self.metavar)
        return self.flags[0] if self.flags else f"--{self.name.replace('_', '-')}"


def _group(panel: str | None, *options: Option, common: bool = False) -> tuple[Option, ...]:
    return tuple(replace(option, panel=panel, common=option.common or common) for option in options)


_MANY: Final = list[str]
_FILES: Final = Option("files", "[FILE...]", "", _MANY, positional=True, panel="Data")

FILES: Final = (
    replace(
        _FILES,
        help="CSV, TSV, Parquet or JSON lines (also .gz).\nA quoted glob for the parts of one table; a saved state; "
        "or a table in a database, as in postgresql://HOST/DB#TABLE.",
        common=True,
    ),
)
COLUMNS: Final = _group(
    "Data",
    Option("truth", "COL", "Column of the true labels.", common=True),
    Option(
        "systems",
        "COL",
        "Column of a system's predictions; repeatable. Default: all other suitable columns.",
        _MANY,
        ("--system",),
        common=True,
    ),
    Option("count", "COL", "Column with the number of items per row.", common=True),
    Option("id", "COL", "Column of item ids; joins one file per system.", common=True),
    Option("item", "COL", "Column of items, in a long table of decisions or of scores."),
    Option("label", "COL", "Column of labels, in a long table of decisions; with --system-column, of predictions."),
    Option("separator", "SEP", "Separator of labels, if cells contain lists of labels."),
    Option(
        "group",
        "COL",
        "Column of groups whose items are not independent.\nFor example documents, topics or users.",
        common=True,
    ),
    Option(
        "missing",
        "error|drop|wrong",
        "Missing labels: stop (default), drop items, or count as wrong.\nOnly predictions can be counted as wrong.",
        common=True,
    ),
)
COUNTED: Final = _group(
    "Data",
    Option(
        "counts",
        "tp=N,fp=N,fn=N",
        "Published counts instead of files; repeatable.\nOptionally also tn=N and name=TEXT.",
        _MANY,
        common=True,
    ),
    Option("wins", "A,B", "Instead of files: numbers of items that only A, and only B, got right.", common=True),
    Option("items", "N", "With --wins: the total number of items.", int),
    Option("names", "NAME", "Name of a system given by --counts or --wins; repeatable.", _MANY, ("--name",)),
)
ENGINE: Final = _group(
    "Data",
    Option(
        "engine",
        "NAME",
        "Engine that reads and counts the files: duckdb (default, on this machine) or spark (on a cluster).",
    ),
    Option("master", "URL", "With --engine spark: the master, as in spark://HOST:7077 or local[*]."),
)
NUMBERS: Final = _group(
    "Scores instead of labels",
    Option(
        "scores",
        None,
        "Columns contain scores (with --truth) or results per item.\nScores refer to the positive label, for AUC and "
        "similar measures; results are any numbers.",
        bool,
        common=True,
    ),
    Option("score", "COL", "Column of the numbers, in a long table: one row per item and system."),
    Option("system_column", "COL", "Column of the systems, in a long table."),
    Option("lower_is_better", None, "The numbers are losses, times or costs.", bool, common=True),
    Option("title", "NAME", "Name of the numbers, such as latency."),
    Option("fold", "COL", "Column of the folds of a cross-validation."),
    Option("repeat", "COL", "Column of the repetitions of a cross-validation."),
    Option("test_share", "P", "Proportion of the data in each test fold. Default: 1 / folds.", float),
    Option("data_set", "COL", "Column of data sets, if there are several."),
    Option("qrels", "FILE", "TREC judgements, with --run."),
    Option(
        "runs",
        "FILE",
        "A TREC run; repeatable. --measure takes any measure of ir_measures: nDCG@10, AP, RR.",
        _MANY,
        ("--run",),
    ),
)
QUESTION: Final = _group(
    "Question",
    Option("positive", "LABEL", "Label treated as positive; required if it cannot be inferred.", common=True),
    Option(
        "measure",
        "NAME",
        "f1 (default), accuracy, precision, recall, mcc, macro_f1, auc, ...; repeatable, or 'all'.\nAlso fbeta:2, "
        "utility:tp=2,fp=-1, ...; for many labels macro_f1, micro_f1, weighted_recall, ...; for scores auc, "
        "average_precision, brier, log_loss, ece, ...; for results mean, median; for TREC runs nDCG@10, AP, ...",
        _MANY,
        common=True,
    ),
    Option("by", "label", "One row per label, each against the rest.", common=True),
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
MODEL: Final = _group(
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
SENSITIVITY: Final = _group(
    "Question", Option("sensitivity", None, "The verdict under several priors, one line each.", bool)
)
COMPUTATION: Final = _group(
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
SEED: Final = _group("Computation", Option("rng", "N", "Random seed. Default: 0.", int, ("--seed",), common=True))
OUTPUT: Final = _group(
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

ONE_SYSTEM: Final = _group(
    "Question",
    Option("model", "single|goutte", "single (default), or goutte, which uses only TP, FP and FN."),
    common=True,
)
TESTS: Final = _group(
    "Question",
    Option(
        "tests",
        "NAME",
        "A test, such as mcnemar_exact, permutation or wilcoxon; repeatable. Default: those suited to the data.",
        _MANY,
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
WORLD: Final = _group(
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
PLAN: Final = _group(
    "Question",
    Option("n", "N,N,...", "Numbers of items to examine."),
    Option("goal", "GOAL", "'>>', '<<', '~=', decided (default), width:0.1, significant; repeatable.", _MANY),
    Option("probability", "P", "Find the smallest number of items that reaches the goal with this probability.", float),
    Option("model", "NAME", "paired (default), unpaired, goutte, sign; repeatable.", _MANY),
    Option("characteristics", None, "Also show how often verdicts are right and wrong.", bool),
    common=True,
)
SIMULATION: Final = _group(
    "Computation",
    Option("sets", "N", "Simulated test sets per design point. Default: 2000.", int, common=True),
    Option("resume", "FILE", "File for finished design points, to resume an interrupted run."),
    Option("jobs", "N", "Number of cores. Default: all.", int),
)
STATE: Final = _group(
    None,
    Option("state", "STATE", "The saved state; created if it does not exist.", positional=True, required=True),
    replace(_FILES, metavar="FILE...", help="New data: the files of one or more batches.", required=True),
    Option("again", None, "Count files even if the state already contains them.", bool),
    Option("new_labels", None, "Accept labels that do not occur in the state.", bool),
    common=True,
)
DEMO: Final = tuple(option for option in QUESTION if option.name in ("positive", "measure", "by", "rope"))
CHART: Final = _group(
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
STUDY: Final = _group(
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
READING: Final = (*COLUMNS, *COUNTED, *NUMBERS)  # whatever `read` of the library takes


def without(options: Iterable[Option], *names: str) -> tuple[Option, ...]:
    """Leave some out."""
    return tuple(option for option in options if option.name not in names)


def rare(options: Iterable[Option], *but: str) -> tuple[Option, ...]:
    """Leave some to `--help-all`, but for those named."""
    return tuple(replace(option, common=option.common and option.name in but) for option in options)


# Where labels are read from; and what is asked of categories, beside their tests.
LABELS: Final = (*FILES, *COLUMNS, *COUNTED, *ENGINE)
COMPARED: Final = (*LABELS, *QUESTION, *MODEL, *SENSITIVITY, *NUMBERS, *COMPUTATION, *SEED)
EVALUATED: Final = (*without(COMPARED, "rope", "sensitivity"), *ONE_SYSTEM)
RANKED: Final = without(COMPARED, "by", "sensitivity", "method", "tolerance", "sampler", "form", "chains")
TESTED: Final = (
    *(*LABELS, *without(QUESTION, "hdi_mass"), *TESTS, *NUMBERS),
    *without(COMPUTATION, "method", "tolerance", "sampler", "form", "chains"),
    *SEED,
)
PLANNED: Final = (
    *(*WORLD, *rare(COLUMNS, "truth", "systems"), *rare(COUNTED), *PLAN),
    *(*rare(without(QUESTION, "by", "undefined", "average"), "positive", "measure", "rope"), *without(MODEL, "model")),
    *(*rare(NUMBERS), *SIMULATION, *SEED),
)
UPDATED: Final = (*STATE, *without(COMPARED, "files", "engine", "master", "sensitivity"))
CATEGORIES: Final = tuple(option for option in QUESTION if option.name == "undefined")
TABLE: Final = (*COMPARED, *EVALUATED, *TESTED, *PLANNED, *UPDATED, *OUTPUT, *CHART, *STUDY)
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
