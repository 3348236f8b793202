"""`outclass compare`: is A really better than B?"""

from outclass.api import compare
from outclass.cli import options
from outclass.cli.output import check_format, check_output, deliver, progress_bar


def command(
    files: options.Files,
    truth: options.Truth,
    system: options.Systems = None,
    count: options.Count = None,
    id: options.Id = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    measure: options.Measures = None,
    by: options.By = None,
    rope: options.Rope = "0.05",
    hdi_mass: options.HdiMass = 0.95,
    model: options.ModelName = "paired",
    prior: options.PriorText = "uniform",
    method: options.Method = "auto",
    draws: options.DrawCount = 50_000,
    tolerance: options.Tolerance = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
) -> None:
    """Compare systems: which is better, by how much, how sure, and does it matter?

    One file with a column of true labels and a column for each system, or one file per system joined on an id.
    More than two systems are compared pair by pair. With --model unpaired, two files without --id are two test sets.

    Example: outclass compare predictions.csv --truth gold --system old --system new --positive spam
    """
    check_format(format)
    check_output(output)
    with progress_bar("comparing") as progress:
        answer = compare(
            files if len(files) > 1 else files[0],
            measure=measure or ["f1"],
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
            by=by,
            missing=missing,
            method=method,
            draws=draws,
            tolerance=tolerance,
            progress=progress,
        )
    deliver(answer, format, output)
