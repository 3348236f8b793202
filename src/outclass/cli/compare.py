"""`outclass compare`: is A really better than B?"""

from outclass.api.comparing import compare
from outclass.api.sensitivity import sensitivity as under_priors
from outclass.cli import options
from outclass.cli.output import check_format, check_output, deliver, progress_bar
from outclass.cli.sources import data_of


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
    item: options.ItemColumn = None,
    label: options.LabelColumn = None,
    separator: options.Separator = None,
    group: options.Group = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    measure: options.Measures = None,
    by: options.By = None,
    rope: options.Rope = "0.05",
    undefined: options.Undefined = "drop",
    hdi_mass: options.HdiMass = 0.95,
    model: options.ModelName = None,
    prior: options.PriorText = None,
    prior_recall: options.PriorRecall = None,
    prior_fpr: options.PriorFpr = None,
    prior_prevalence: options.PriorPrevalence = None,
    sensitivity: options.Sensitivity = False,
    method: options.Method = "auto",
    draws: options.DrawCount = None,
    tolerance: options.Tolerance = None,
    sampler: options.Sampler = "nuts",
    form: options.ModelForm = "compact",
    chains: options.ChainCount = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
) -> None:
    """Compare systems: which is better, by how much, how sure, and does it matter?

    One file with a column of true labels and a column for each system, or one file per system joined on an id.
    More than two systems are compared pair by pair. With --model unpaired, two files without --id are two test sets.
    Without files: two published results (--counts twice), or how often each won (--wins).

    Example: outclass compare predictions.csv --truth gold --system old --system new --positive spam
    """
    check_format(format)
    check_output(output)
    with progress_bar("comparing") as progress:
        answer = (under_priors if sensitivity else compare)(
            data_of(files, truth, counted=counts is not None or wins is not None),
            counts=counts,
            wins=wins,
            items=items,
            names=name or ("A", "B"),
            measure=measure,
            positive=positive,
            rope=rope,
            model=model,
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
            item=item,
            label=label,
            separator=separator,
            group=group,
            undefined=undefined,
            progress=progress,
        )
    deliver(answer, format, output)
