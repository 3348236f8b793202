"""`outclass rank`: which system is best, and which cannot be told apart?"""

from outclass.ask.rank import rank
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver, inputs_of, progress_bar
from outclass.cli.sources import asks_scores, data_of, scores_given


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
    if asks_scores(given):
        source, chosen = scores_given(given)
        with progress_bar("drawing") as progress:
            ranking = rank(
                source,
                measure=chosen,
                **{name: given[name] for name in ("rope", "model", "hdi_mass", "draws", "prior", "average")},
                rng=seed,
                progress=progress,
            )
        deliver(ranking, format, output, report)
        return
    with progress_bar("drawing") as progress:
        answer = rank(
            data_of(files, truth, counted=False, engine=engine, master=master),
            measure=measure if measure is None or len(measure) > 1 else measure[0],
            positive=positive,
            rope=rope,
            model=model,
            prior=prior,
            hdi_mass=hdi_mass,
            rng=seed,
            truth=truth,
            systems=system,
            count=count,
            id=id,
            missing=missing,
            item=item,
            label=label,
            separator=separator,
            group=group,
            average=average,
            undefined=undefined,
            draws=draws,
            progress=progress,
        )
    deliver(answer, format, output, report)
