"""`outclass evaluate`: how good is a system, and how sure is that?"""

from outclass.ask.evaluate import evaluate
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver
from outclass.cli.sources import data_of


def command(
    files: options.Files = None,
    truth: options.Truth = None,
    counts: options.PublishedCounts = None,
    system: options.Systems = None,
    count: options.Count = None,
    id: options.Id = None,
    engine: options.Engine = "duckdb",
    master: options.Master = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    measure: options.Measures = None,
    by: options.By = None,
    hdi_mass: options.HdiMass = 0.95,
    model: options.OneModelName = None,
    prior: options.PriorText = None,
    prior_recall: options.PriorRecall = None,
    prior_fpr: options.PriorFpr = None,
    prior_prevalence: options.PriorPrevalence = None,
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
    """Judge each system by itself: the posterior of its measure.

    Example: outclass evaluate predictions.csv --truth gold --measure f1 --measure recall
    """
    check_format(format)
    check_output(output, files)
    check_report(report, output, files)
    answer = evaluate(
        data_of(files, truth, counted=counts is not None, engine=engine, master=master),
        counts=counts,
        model=model,
        measure=measure or ["f1"],
        positive=positive,
        prior=options.prior_text(prior, prior_recall, prior_fpr, prior_prevalence),
        hdi_mass=hdi_mass,
        rng=seed,
        truth=truth,
        systems=system,
        count=count,
        id=id,
        by=by,
        missing=missing,
        method=method,
        draws=draws,
        tolerance=tolerance,
        sampler=sampler,
        form=form,
        chains=chains,
    )
    deliver(answer, format, output, report)
