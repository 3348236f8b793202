"""`outclass rank`: which system is best, and which cannot be told apart?"""

from collections.abc import Mapping
from typing import Any, Final

from outclass.answers.ranking import Ranking
from outclass.ask.rank import rank
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver, inputs_of, progress_bar
from outclass.cli.sources import asks_scores, data_of, scores_given

# Options that `rank` calls by the same name.
AS_NAMED: Final = (
    *("positive", "rope", "model", "prior", "hdi_mass", "truth", "count", "id", "missing", "item", "label"),
    *("separator", "group", "average", "undefined", "draws"),
)


def command(
    files: options.Files = None,
    truth: options.Truth = None,
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
    rope: options.Rope = None,
    undefined: options.Undefined = "drop",
    hdi_mass: options.HdiMass = 0.95,
    model: options.ModelName = None,
    prior: options.PriorText = None,
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
    draws: options.DrawCount = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
    report: options.Report = None,
) -> None:
    """Rank systems: which is best, how sure is that, and which cannot be told apart?

    All systems under one posterior: expected ranks, the probability of being best, verdicts on all pairs.

    Example: outclass rank predictions.csv --truth gold --measure macro_f1
    """
    given = dict(locals())
    check_format(format)
    check_output(output, inputs_of(given))
    check_report(report, output, inputs_of(given))
    deliver(answer_of(given), format, output, report)


def answer_of(given: Mapping[str, Any]) -> Ranking:
    """Answer what the options of the command ask."""
    with progress_bar("drawing") as progress:
        if asks_scores(given):
            source, measure = scores_given(given)
            names = ("rope", "model", "hdi_mass", "draws", "prior", "average")
            return rank(
                source, measure=measure, **{name: given[name] for name in names}, rng=given["seed"], progress=progress
            )
        measure = given["measure"]
        return rank(
            data_of(given["files"], given["truth"], counted=False, engine=given["engine"], master=given["master"]),
            measure=measure if measure is None or len(measure) > 1 else measure[0],
            systems=given["system"],
            rng=given["seed"],
            progress=progress,
            **{name: given[name] for name in AS_NAMED},
        )
