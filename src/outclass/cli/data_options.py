"""Options that say where the data are and what their columns mean."""

from dataclasses import replace
from typing import Final

from outclass.cli.option import MANY, Option, group

ANY_FILES: Final = Option("files", "[FILE...]", "", MANY, positional=True, panel="Data")

FILES: Final = (
    replace(
        ANY_FILES,
        help="CSV, TSV, Parquet, JSON lines, CoNLL (also .gz), or evaluation logs.\nA quoted glob for the parts of one "
        "table; a saved state; a table in a database, as in postgresql://HOST/DB#TABLE; or NAME=GLOB, one file for "
        "each run of a system (for logs, their name).",
        common=True,
    ),
)
COLUMNS: Final = group(
    "Data",
    Option(
        "truth",
        "COL",
        "Column of the true labels; repeatable.\nSeveral are the labels of several annotators, of which each counts.",
        MANY,
        common=True,
    ),
    Option(
        "annotators",
        "soft|majority",
        "Labels of several annotators: use all (soft, the default), or those that most give.",
    ),
    Option(
        "systems",
        "COL",
        "Column of a system's predictions; repeatable. Default: all other suitable columns.\nNAME=PATTERN for the "
        "columns that are runs (seeds) of one system: 'bert=bert_s*', or bert=s1,s2.",
        MANY,
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
        "merge",
        "NEW=OLD|OLD",
        "Labels to merge into a coarser one, in the truth and in predictions; repeatable.\nOr a CSV file with the "
        "columns old and new, for coarse labels and hierarchies.",
        MANY,
    ),
    Option(
        "missing",
        "error|drop|wrong",
        "Missing labels: stop (default), drop items, or count as wrong.\nOnly predictions can be counted as wrong.",
        common=True,
    ),
    Option(
        "judge",
        "COL",
        "Column of a judge, for partly blank truths; repeatable.\nSuch as a language "
        "model; its label is not taken for the truth. A confidence is cut into bins, as in conf:4.",
        MANY,
        common=True,
    ),
    Option(
        "unlabelled",
        "use|drop|error",
        "Items with a blank truth: use (default with --judge), drop, or stop (default).\nWith --separator, write [] "
        "for a truth that is known to be no label.",
    ),
    Option("inclusion", "COL", "Column of the probability with which each labelled item was chosen."),
)
COUNTED: Final = group(
    "Data",
    Option(
        "counts",
        "tp=N,fp=N,fn=N",
        "Published counts instead of files; repeatable.\nOptionally also tn=N or n=N, and name=TEXT. Or rates as they "
        "are printed, from which counts are recovered: precision=.90,recall=.85,positives=1000 or accuracy=91%,n=2000.",
        MANY,
        common=True,
    ),
    Option(
        "same_items",
        None,
        "All --counts are of the same items: look at every possible agreement between the systems.",
        bool,
    ),
    Option("wins", "A,B", "Instead of files: numbers of items that only A, and only B, got right.", common=True),
    Option("items", "N", "With --wins: the total number of items.", int),
    Option("names", "NAME", "Name of a system given by --counts or --wins; repeatable.", MANY, ("--name",)),
)
ENGINE: Final = group(
    "Data",
    Option(
        "engine",
        "NAME",
        "Engine that reads and counts the files: duckdb (default, on this machine) or spark (on a cluster).",
    ),
    Option("master", "URL", "With --engine spark: the master, as in spark://HOST:7077 or local[*]."),
)
PER_ITEM: Final = group(
    "Counts per item, and spans",
    Option(
        "tp",
        "COL",
        "Column of true positives per item, with --fp and --fn.\nIn a wide table '*_tp', where * is the system's name; "
        "in a long one a column, with --system-column and --item.",
    ),
    Option("fp", "COL", "Column of false positives per item, such as '*_fp'."),
    Option("fn", "COL", "Column of false negatives per item, such as '*_fn'."),
    Option(
        "source",
        "FORMAT",
        "Format of files that are no tables: conll, for tagged sequences; evaluation logs are known by looking, or "
        "lm-eval, inspect, helm, ...\nconll: One file with columns of tags, or the gold "
        "standard and a file per system. --truth and --system take column numbers, --label the column in the files of "
        "systems.",
        flags=("--from",),
    ),
    Option("scheme", "bio|iob1|bioes|bilou", "Scheme of the tags. Default: the one they look like."),
    Option("strict", None, "Count only entities whose tags all follow the scheme.", bool),
    Option("unit", "sentence|document", "Unit of tagged sequences. Default: sentence."),
)
LOGS: Final = group(
    "Evaluation logs",
    Option("metric", "NAME", "Metric that is compared. Default: all usual ones, a row each."),
    Option("scorer", "NAME", "Scorer, of Inspect. Default: all, a row each."),
    Option("filter", "NAME", "Filter of answers, of lm-evaluation-harness; required if there are several."),
    Option("split", "NAME", "Split, of HELM (default: test); subset, of MTEB."),
    Option(
        "log_runs",
        "latest|all",
        "Several runs of one system on one task: only the latest, or each as an epoch.\nTo compare them, name them: "
        "NAME=PATH.",
        flags=("--runs",),
    ),
    Option("drop_changed", None, "Leave out items whose question or gold answer changed, up to 5%.", bool),
    Option("unfinished", None, "Read logs of runs that did not end in success.", bool),
    Option("duplicates", "first|last|mean", "Judgments of one question that differ, of LiveBench: which one counts."),
    Option("board", "NAME", "Leaderboard, of SWE-bench; required if there are several."),
)
NUMBERS: Final = group(
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
    Option(
        "repeat",
        "COL",
        "Column of the repeats of items, with --item; or of the repetitions of a cross-validation, with --fold.\n"
        "Repeats of an item, such as five answers to a question, are averaged within the item; items may have any "
        "number of them.",
    ),
    Option("test_share", "P", "Proportion of the data in each test fold. Default: 1 / folds.", float),
    Option("data_set", "COL", "Column of data sets, if there are several."),
    Option("qrels", "FILE", "TREC judgements, with --run."),
    Option("paired_runs", None, "Runs belong together across systems: the same seed, or the same split.", bool),
    Option(
        "runs",
        "COL|FILE",
        "Column of the runs (seeds) of each system, with --item.\nWith --qrels: a TREC run, a file; repeatable. "
        "--measure then takes any measure of ir_measures: nDCG@10, AP, RR.",
        MANY,
        ("--run",),
    ),
)
