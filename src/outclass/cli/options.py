"""Options that commands share, so that they are spelt and explained the same everywhere."""

from typing import Annotated

import typer

from outclass.errors import InputError, shown
from outclass.models.elicit import range_of

_DATA, _QUESTION, _NUMBERS, _OUTPUT = "Data", "Question", "Computation", "Output"

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE...]",
        help="CSV, TSV, Parquet or JSON lines; a quoted glob for the parts of one table; a saved state; or a table in "
        "a database, as in postgresql://HOST/DB#TABLE.",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="What reads and counts the files: duckdb, on this machine; or spark, on a cluster.",
        rich_help_panel=_DATA,
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="With --engine spark: where it runs, as in spark://HOST:7077 or local[*].",
        rich_help_panel=_DATA,
    ),
]
PublishedCounts = Annotated[
    list[str] | None,
    typer.Option(
        "--counts",
        metavar="tp=N,fp=N,fn=N",
        help="A published result instead of files; add tn=N or name=TEXT if you like. Repeat it.",
        rich_help_panel=_DATA,
    ),
]
WinCounts = Annotated[
    str | None,
    typer.Option(
        "--wins",
        metavar="A,B",
        help="Instead of files: on how many items only A was right, and only B.",
        rich_help_panel=_DATA,
    ),
]
ItemCount = Annotated[
    int | None, typer.Option("--items", metavar="N", help="With --wins: of how many items.", rich_help_panel=_DATA)
]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="NAME", help="What to call A and B of counts; twice.", rich_help_panel=_DATA),
]
Truth = Annotated[
    str | None, typer.Option("--truth", metavar="COL", help="Column of the true labels.", rich_help_panel=_DATA)
]
Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="COL",
        help="Column of a system's predictions; repeat it. Default: every other column.",
        rich_help_panel=_DATA,
    ),
]
Count = Annotated[
    str | None,
    typer.Option(
        "--count", metavar="COL", help="Column that says how many items a row stands for.", rich_help_panel=_DATA
    ),
]
Id = Annotated[
    str | None,
    typer.Option("--id", metavar="COL", help="Column of item ids; joins one file per system.", rich_help_panel=_DATA),
]
Missing = Annotated[
    str,
    typer.Option(
        "--missing",
        metavar="error|drop|wrong",
        help="Missing labels: stop, leave the items out, or count missing predictions as wrong.",
        rich_help_panel=_DATA,
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(
        "--positive", metavar="LABEL", help="The positive label, where it is not plain.", rich_help_panel=_DATA
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="f1 (default), accuracy, precision, recall, mcc, fbeta:2, utility:tp=2,fp=-1, ...; of many labels "
        "macro_f1, micro_f1, weighted_recall, ...; repeat it, or 'all'. Of scores auc, average_precision, brier, "
        "log_loss, ece, ...; of results mean, median; of runs nDCG@10, AP, ...",
        rich_help_panel=_QUESTION,
    ),
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="label", help="One row a label, each against the rest.", rich_help_panel=_QUESTION),
]
Rope = Annotated[
    str | None,
    typer.Option(
        "--rope",
        metavar="R|LOW,HIGH|P%",
        help="Differences too small to matter: in the unit of the measure (0.02), open to one side for non-inferiority "
        "(-0.02,inf), or relative to the smaller error (10%). Default: 0.05; a tenth of the spread for numbers without "
        "a scale.",
        rich_help_panel=_QUESTION,
    ),
]
HdiMass = Annotated[
    float,
    typer.Option("--hdi-mass", metavar="P", help="Probability that the interval holds.", rich_help_panel=_QUESTION),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="paired: both saw the same items (default). unpaired: they did not. goutte: from TP, FP, FN alone. "
        "sign: who alone was right. Many labels: also bootstrap, hierarchical, decisions. Scores: student, t, "
        "clusters, bootstrap, hierarchical, correlated, sign, signed_rank.",
        rich_help_panel=_QUESTION,
    ),
]
OneModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="single|goutte",
        help="single (default), or goutte: from TP, FP and FN alone.",
        rich_help_panel=_QUESTION,
    ),
]
PriorText = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="PRIOR",
        help="matched (default: calibrated for the measure), uniform (Zhang et al.), jeffreys (Goutte & Gaussier), a "
        "pseudo-count per cell, 'mu=1,1;positives=1,1,1,1;negatives=1', or a PyMC distribution, as in "
        "'recall=TruncatedNormal(mu=0.8,sigma=0.1,lower=0,upper=1)'.",
        rich_help_panel=_QUESTION,
    ),
]
PriorRecall = Annotated[
    str | None,
    typer.Option(
        "--prior-recall",
        metavar="LOW..HIGH",
        help="Where you expect the recall, with 95% probability, as in 0.6..0.9.",
        rich_help_panel=_QUESTION,
    ),
]
PriorFpr = Annotated[
    str | None,
    typer.Option(
        "--prior-fpr", metavar="LOW..HIGH", help="The same for the false-positive rate.", rich_help_panel=_QUESTION
    ),
]
PriorPrevalence = Annotated[
    str | None,
    typer.Option(
        "--prior-prevalence",
        metavar="LOW..HIGH",
        help="The same for the share of positives.",
        rich_help_panel=_QUESTION,
    ),
]
Sensitivity = Annotated[
    bool,
    typer.Option("--sensitivity", help="The verdict under several priors, one line each.", rich_help_panel=_QUESTION),
]
Method = Annotated[
    str,
    typer.Option(
        "--method", metavar="auto|exact|draws|mcmc", help="Integrate, sample, or run chains.", rich_help_panel=_NUMBERS
    ),
]
Sampler = Annotated[
    str,
    typer.Option(
        "--sampler",
        metavar="nuts|metropolis|pymc|numpyro",
        help="Of mcmc: nutpie's NUTS, the papers' Metropolis, or others' NUTS.",
        rich_help_panel=_NUMBERS,
    ),
]
ModelForm = Annotated[
    str,
    typer.Option(
        "--form",
        metavar="compact|original",
        help="Of mcmc: counts, or an event for each item.",
        rich_help_panel=_NUMBERS,
    ),
]
ChainCount = Annotated[
    int | None, typer.Option("--chains", metavar="N", help="Of mcmc: how many chains.", rich_help_panel=_NUMBERS)
]
DrawCount = Annotated[
    int | None,
    typer.Option("--draws", metavar="N", help="Draws, where numbers are sampled.", rich_help_panel=_NUMBERS),
]
Tolerance = Annotated[
    float | None, typer.Option("--tolerance", metavar="E", help="Numerical error allowed.", rich_help_panel=_NUMBERS)
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="The same seed gives the same bytes.", rich_help_panel=_NUMBERS)
]
Format = Annotated[
    str,
    typer.Option(
        "--format", metavar="table|json|csv|markdown|latex", help="How to write the answer.", rich_help_panel=_OUTPUT
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="PATH", help="Write to a file instead of the screen.", rich_help_panel=_OUTPUT
    ),
]
Report = Annotated[
    str | None,
    typer.Option(
        "--report", metavar="PATH", help="Also write a page to look at and play with.", rich_help_panel=_OUTPUT
    ),
]
ItemColumn = Annotated[
    str | None,
    typer.Option(
        "--item", metavar="COL", help="Long table of decisions, or scores: column of items.", rich_help_panel=_DATA
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option("--label", metavar="COL", help="Long table of decisions: column of labels.", rich_help_panel=_DATA),
]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator", metavar="SEP", help="Cells hold lists of labels, separated by this.", rich_help_panel=_DATA
    ),
]
Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COL",
        help="Column of groups (documents, topics, reruns) whose items are not independent.",
        rich_help_panel=_DATA,
    ),
]
GroupAverage = Annotated[
    str | None,
    typer.Option(
        "--average",
        metavar="items|groups",
        help="With --group: every item counts alike (default), or every group.",
        rich_help_panel=_QUESTION,
    ),
]
Undefined = Annotated[
    str,
    typer.Option(
        "--undefined",
        metavar="drop|0|1",
        help="What an undefined value (0/0) of a label counts as in an average.",
        rich_help_panel=_QUESTION,
    ),
]


def prior_text(prior: str | None, recall: str | None, fpr: str | None, prevalence: str | None) -> str | None:
    """Put ranges of rates and the rest of a prior together."""
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


# --- scores ----------------------------------------------------------------------------------------------------------

_SCORES = "Scores instead of labels"
ScoresFlag = Annotated[
    bool,
    typer.Option(
        "--scores",
        help="The systems' columns hold numbers: with --truth how likely an item is positive (AUC and its kin), "
        "without it what each item was worth.",
        rich_help_panel=_SCORES,
    ),
]
ScoreColumn = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="COL",
        help="Column of the numbers, in a long table: one row an item and system.",
        rich_help_panel=_SCORES,
    ),
]
SystemColumn = Annotated[
    str | None,
    typer.Option(
        "--system-column", metavar="COL", help="Column of the systems, in a long table.", rich_help_panel=_SCORES
    ),
]
LowerIsBetter = Annotated[
    bool, typer.Option("--lower-is-better", help="The numbers are losses, times, costs.", rich_help_panel=_SCORES)
]
FoldColumn = Annotated[
    str | None,
    typer.Option("--fold", metavar="COL", help="Column of the folds of a cross-validation.", rich_help_panel=_SCORES),
]
RepeatColumn = Annotated[
    str | None, typer.Option("--repeat", metavar="COL", help="Column of its repeats.", rich_help_panel=_SCORES)
]
TestShare = Annotated[
    float | None,
    typer.Option(
        "--test-share",
        metavar="P",
        help="The share of the data that a fold tests. Default: 1 / folds.",
        rich_help_panel=_SCORES,
    ),
]
DataSetColumn = Annotated[
    str | None,
    typer.Option("--data-set", metavar="COL", help="Column of the data sets, if many.", rich_help_panel=_SCORES),
]
Qrels = Annotated[
    str | None,
    typer.Option("--qrels", metavar="FILE", help="TREC judgements, with --run.", rich_help_panel=_SCORES),
]
Runs = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="FILE",
        help="A TREC run; repeat it. --measure is any of ir_measures: nDCG@10, AP, RR.",
        rich_help_panel=_SCORES,
    ),
]
