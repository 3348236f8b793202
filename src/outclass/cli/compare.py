"""`outclass compare`: is A really better than B?"""

from collections.abc import Mapping
from typing import Any, Final

from outclass.answers.comparison import Comparison
from outclass.ask.compare import compare
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver, inputs_of, progress_bar
from outclass.cli.sources import asks_scores, data_of, scores_given

# Options that `compare` calls by the same name.
AS_NAMED: Final = (
    *("counts", "wins", "items", "measure", "positive", "rope", "model", "hdi_mass", "truth", "count", "id", "by"),
    *("missing", "method", "draws", "tolerance", "sampler", "form", "chains", "item", "label", "separator", "group"),
    *("average", "undefined"),
)


def command(
    files: options.Files = None,
    truth: options.Truth = None,
    counts: options.PublishedCounts = None,
    wins: options.WinCounts = None,
    items: options.ItemCount = None,
    name: options.Names = None,
    system: options.Systems = None,
    count: options.Count = None,
    id: options.Id = None,
    engine: options.Engine = "duckdb",
    master: options.Master = None,
    item: options.ItemColumn = None,
    label: options.LabelColumn = None,
    separator: options.Separator = None,
    group: options.Group = None,
    average: options.GroupAverage = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    measure: options.Measures = None,
    by: options.By = None,
    rope: options.Rope = None,
    undefined: options.Undefined = "drop",
    hdi_mass: options.HdiMass = 0.95,
    model: options.ModelName = None,
    prior: options.PriorText = None,
    prior_recall: options.PriorRecall = None,
    prior_fpr: options.PriorFpr = None,
    prior_prevalence: options.PriorPrevalence = None,
    sensitivity: options.Sensitivity = False,
    scores: options.ScoresFlag = False,
    score: options.ScoreColumn = None,
    system_column: options.SystemColumn = None,
    lower_is_better: options.LowerIsBetter = False,
    fold: options.FoldColumn = None,
    repeat: options.RepeatColumn = None,
    test_share: options.TestShare = None,
    data_set: options.DataSetColumn = None,
    qrels: options.Qrels = None,
    run: options.Runs = None,
    method: options.Method = "auto",
    draws: options.DrawCount = None,
    tolerance: options.Tolerance = None,
    sampler: options.Sampler = "nuts",
    form: options.ModelForm = "compact",
    chains: options.ChainCount = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
    report: options.Report = None,
) -> None:
    """Compare systems: which is better, by how much, how sure, and does it matter?

    One file with a column of true labels and a column for each system, or one file per system joined on an id.
    More than two systems are compared pair by pair. With --model unpaired, two files without --id are two test sets.
    Without files: two published results (--counts twice), or how often each won (--wins).
    Numbers instead of labels: --scores, --score, --qrels; see docs/scores.md.

    Example: outclass compare predictions.csv --truth gold --system old --system new --positive spam
    """
    given = dict(locals())
    check_format(format)
    check_output(output, inputs_of(given))
    check_report(report, output, inputs_of(given))
    deliver(answer_of(given), format, output, report)


def answer_of(given: Mapping[str, Any]) -> Comparison:
    """Answer what the options of the command ask."""
    if asks_scores(given):
        source, measure = scores_given(given)
        with progress_bar("drawing") as progress:
            return compare(
                source,
                measure=measure,
                **{name: given[name] for name in ("rope", "model", "hdi_mass", "draws", "prior", "by", "average")},
                rng=given["seed"],
                progress=progress,
            )
    counted = given["counts"] is not None or given["wins"] is not None
    prior = options.prior_text(*(given[name] for name in ("prior", "prior_recall", "prior_fpr", "prior_prevalence")))
    as_named = {name: given[name] for name in AS_NAMED}
    ask = compare
    if given["sensitivity"]:
        from outclass.ask.sensitivity import sensitivity

        ask = sensitivity
    with progress_bar("comparing") as progress:
        return ask(
            data_of(given["files"], given["truth"], counted=counted, engine=given["engine"], master=given["master"]),
            names=given["name"] or ("A", "B"),
            systems=given["system"],
            rng=given["seed"],
            prior=prior,
            progress=progress,
            **as_named,
        )
