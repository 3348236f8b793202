"""`outclass plan`: how much data is needed to decide?"""

import csv
import io
import sys
from pathlib import Path
from typing import Annotated

import typer

from outclass.ask.plan import label_next, plan
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver, inputs_of, progress_bar
from outclass.errors import InputError
from outclass.report.text import cell, plain

_WORLD, _QUESTION = "The world", "Question"


def _number(flag: str, told: str, panel: str = _WORLD) -> object:
    return typer.Option(flag, metavar="P", help=told, rich_help_panel=panel)


def command(
    prevalence: Annotated[float | None, _number("--prevalence", "Share of positive items.")] = None,
    cells_positive: Annotated[
        str | None,
        typer.Option(
            "--cells-positive",
            metavar="11,10,01,00",
            help="Of the positives, the shares of both right, only A, only B, neither.",
            rich_help_panel=_WORLD,
        ),
    ] = None,
    cells_negative: Annotated[
        str | None,
        typer.Option(
            "--cells-negative",
            metavar="11,10,01,00",
            help="Of the negatives, the shares of both saying positive, only A, only B, neither.",
            rich_help_panel=_WORLD,
        ),
    ] = None,
    recall_a: Annotated[float | None, _number("--recall-a", "Instead of cells: A's recall.")] = None,
    recall_b: Annotated[float | None, _number("--recall-b", "B's recall.")] = None,
    fpr_a: Annotated[float | None, _number("--fpr-a", "A's false-positive rate.")] = None,
    fpr_b: Annotated[float | None, _number("--fpr-b", "B's false-positive rate.")] = None,
    agreement: Annotated[
        float | None, _number("--agreement", "On how many of all items they agree. Default: by chance.")
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            "--pilot", metavar="FILE", help="A pilot instead: new items come on top of it.", rich_help_panel=_WORLD
        ),
    ] = None,
    truth: options.Truth = None,
    system: options.Systems = None,
    count: options.Count = None,
    id: options.Id = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    pool: Annotated[
        str | None,
        typer.Option(
            "--pool",
            metavar="FILE",
            help="Unlabelled items with two systems' predictions: which to label next?",
            rich_help_panel=_WORLD,
        ),
    ] = None,
    n: Annotated[
        str | None,
        typer.Option("--n", metavar="N,N,...", help="Numbers of items to look at.", rich_help_panel=_QUESTION),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            "--goal",
            metavar="GOAL",
            help="'>>', '<<', '~=', decided (default), width:0.1, significant; repeat it.",
            rich_help_panel=_QUESTION,
        ),
    ] = None,
    probability: Annotated[
        float | None, _number("--probability", "Search for the smallest number of items.", _QUESTION)
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="How the same items are analysed: paired, unpaired, goutte, sign; repeat it.",
            rich_help_panel=_QUESTION,
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", metavar="NAME", help="One, as in compare.", rich_help_panel=_QUESTION),
    ] = None,
    rope: options.Rope = None,
    hdi_mass: options.HdiMass = 0.95,
    prior: options.PriorText = None,
    characteristics: Annotated[
        bool,
        typer.Option("--characteristics", help="How often the rule is right and wrong.", rich_help_panel=_QUESTION),
    ] = False,
    sets: Annotated[
        int, typer.Option("--sets", metavar="N", help="Simulated sets a cell.", rich_help_panel="Computation")
    ] = 2_000,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Keep finished cells here, and go on from them.",
            rich_help_panel="Computation",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Cores; -1 is all.", rich_help_panel="Computation")
    ] = -1,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
    report: options.Report = None,
) -> None:
    """Plan a test: how likely is a decision at each number of items, and how many are needed?

    From a scenario (cells, or recalls and false-positive rates), or from a pilot file.

    Example: outclass plan --prevalence 0.3 --recall-a 0.75 --recall-b 0.7 --fpr-a 0.05 --fpr-b 0.05 --probability 0.8
    """
    check_format(format)
    reads = inputs_of({"files": pilot, "pool": pool})
    check_output(output, reads)
    check_report(report, output, reads)
    if measure is not None and len(measure) > 1:
        raise InputError("a plan is for one measure; name one.")
    if resume is not None and output is not None and Path(resume).resolve() == Path(output).resolve():
        raise InputError("--resume and --output name the same file; the answer would replace the finished cells.")
    if pool is not None:
        if format != "table" or output is not None:
            raise InputError("the list of a pool is CSV on the screen: leave out --format and --output.")
        if truth is not None and pilot is None:
            raise InputError("an unlabelled pool has no truth; --truth goes with --pilot.")
        idle = {"--n": n, "--goal": goal, "--probability": probability, "--model": model, "--prior": prior}
        idle |= {"--resume": resume, "--prevalence": prevalence, "--characteristics": characteristics or None}
        idle |= {"--cells-positive": cells_positive, "--cells-negative": cells_negative, "--agreement": agreement}
        idle |= {"--recall-a": recall_a, "--recall-b": recall_b, "--fpr-a": fpr_a, "--fpr-b": fpr_b}
        given = [flag for flag, value in idle.items() if value is not None]
        if given:
            raise InputError(f"{', '.join(given)} {'has' if len(given) == 1 else 'have'} no part in ranking a pool.")
        if count is not None and pilot is None:
            raise InputError("--count goes with --pilot: a pool has one item a row.")
        found = label_next(
            pool,
            id=id,
            systems=system,
            measure=measure[0] if measure else "accuracy",
            positive=positive,
            pilot=pilot,
            truth=truth,
            count=count,
        )
        typer.echo(found.words)
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["id", "a", "b", "worth"])
        # A spreadsheet would run a cell that starts like a formula.
        writer.writerows([cell(str(x.id)), cell(str(x.a)), cell(str(x.b)), f"{x.worth:.4g}"] for x in found.items)
        typer.echo(lines.getvalue(), nl=False)
        return
    try:
        with progress_bar("simulating") as progress:
            answer = plan(
                prevalence=prevalence,
                cells_positive=cells_positive,
                cells_negative=cells_negative,
                recalls=None if recall_a is None and recall_b is None else (recall_a, recall_b),
                false_positive_rates=None if fpr_a is None and fpr_b is None else (fpr_a, fpr_b),
                agreement=agreement,
                pilot=pilot,
                truth=truth,
                systems=system,
                count=count,
                id=id,
                missing=missing,
                positive=positive,
                n=n,
                goal=goal or ["decided"],
                probability=probability,
                model=model or ["paired"],
                measure=measure[0] if measure else None,
                rope=rope,
                hdi_mass=hdi_mass,
                prior=prior,
                characteristics=characteristics,
                sets=sets,
                resume=resume,
                rng=seed,
                jobs=jobs,
                progress=progress,
            )
    except KeyboardInterrupt:
        if resume is not None and Path(resume).exists():
            sys.stderr.write(f"outclass: finished cells are in {plain(resume)}; the same command goes on from them.\n")
        raise
    deliver(answer, format, output, report)
