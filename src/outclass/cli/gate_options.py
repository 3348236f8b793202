"""Options of the gate and of its baselines."""

from dataclasses import replace
from typing import Final

from outclass.cli.data_options import ANY_FILES
from outclass.cli.option import Option, group
from outclass.report import gate as outputs

SIDES: Final = (
    replace(
        ANY_FILES,
        help="The baseline, then the candidate: logs, tables, or a saved baseline (.oc) first.\nOr one table with a "
        "column of each, named by --system BASELINE --system CANDIDATE; or the candidate alone, if --config names the "
        "baseline.",
        common=True,
    ),
)
ONE_SIDE: Final = (
    replace(ANY_FILES, metavar="FILE...", help="The logs or the table of one system.", required=True, common=True),
)
GATE: Final = group(
    "Gate",
    Option(
        "margin", "M|P%", "Largest drop that is accepted, such as 0.02 or 5%. Required without --config.", common=True
    ),
    Option("config", "FILE", "Configuration with several checks, such as outclass.toml.", common=True),
    Option("confidence", "P", "Level of every decision. Default: 0.95.", float),
    Option("undecided", "fail|warn|pass", "What undecided comes to. Default: fail, with exit status 3.", common=True),
    Option("anchor", "FILE", "A second baseline (.oc) that does not move, against slow drift."),
    Option("anchor_margin", "M|P%", "Margin against the anchor. Default: --margin."),
    Option("ledger", "FILE", "Keep every attempt, and pool attempts of one commit.", common=True),
    Option("commit", "ID", "The candidate's commit. Default: GITHUB_SHA, CI_COMMIT_SHA or GIT_COMMIT."),
    Option("stages", "N,N,...", "Look after so many items, and stop at the first that decides.", common=True),
    Option("anytime", None, "Decide by limits that hold however often one looks.", bool),
    Option("control", "none|online-fdr", "Control the share of false alarms over the ledger. Default: none."),
    Option("max_errors", "P", "Share of failed samples above which nothing is judged. Default: 0.01.", float),
    Option("gate_name", "NAME", "Name of the gate, in comments and reports.", flags=("--gate-name",)),
    Option("calibrate", None, "A/A: the files are runs of one system; show the noise of the suite.", bool, common=True),
)
GATE_OUTPUT: Final = group(
    "Output",
    Option("format", "|".join(outputs.NAMES), "Default: text, or github within GitHub Actions.", common=True),
    Option("output", "PATH", "Write to a file instead of the screen.", flags=("--output", "-o"), common=True),
    Option("junit", "PATH", "Also write JUnit XML.", common=True),
    Option("summary", "PATH", "Also write Markdown, for a comment.", common=True),
    Option("json", "PATH", "Also write JSON."),
    Option("sarif", "PATH", "Also write SARIF."),
)
BLESS: Final = group(
    "Baseline",
    Option("output", "FILE.oc", "The baseline to write.", flags=("--output", "-o"), required=True),
    Option("why", "TEXT", "Why this becomes the baseline; kept with it.", required=True),
    Option("keep_labels", None, "Keep labels and predictions, which F1 and its like need.", bool),
    Option("commit", "ID", "The commit. Default: GITHUB_SHA, CI_COMMIT_SHA or GIT_COMMIT."),
    common=True,
)
