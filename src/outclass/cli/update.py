"""`outclass update`: add evidence to what is known already."""

import shutil
import sys
import textwrap
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer

from outclass.answers.comparison import Comparison
from outclass.answers.evaluation import Evaluation
from outclass.ask.compare import compare
from outclass.ask.evaluate import evaluate
from outclass.ask.update import grown
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver, progress_bar
from outclass.data.state import State
from outclass.errors import InputError
from outclass.planning.anytime import anytime_of
from outclass.report import words
from outclass.report.text import plain

StatePath = Annotated[str, typer.Argument(metavar="STATE", help="The saved state; it is begun where there is none.")]
NewFiles = Annotated[list[str], typer.Argument(metavar="FILE...", help="New evidence: the files of one batch or more.")]
Again = Annotated[bool, typer.Option("--again", help="Count files again that the state holds already.")]
NewLabels = Annotated[bool, typer.Option("--new-labels", help="Accept labels that the state does not know.")]


def command(
    state: StatePath,
    files: NewFiles,
    truth: options.Truth = None,
    system: options.Systems = None,
    count: options.Count = None,
    id: options.Id = None,
    missing: options.Missing = "error",
    again: Again = False,
    new_labels: NewLabels = False,
    positive: options.Positive = None,
    measure: options.Measures = None,
    by: options.By = None,
    rope: options.Rope = None,
    hdi_mass: options.HdiMass = 0.95,
    model: options.ModelName = None,
    prior: options.PriorText = None,
    prior_recall: options.PriorRecall = None,
    prior_fpr: options.PriorFpr = None,
    prior_prevalence: options.PriorPrevalence = None,
    method: options.Method = "auto",
    draws: options.DrawCount = None,
    tolerance: options.Tolerance = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
    report: options.Report = None,
) -> None:
    """Add evidence to a saved state, and answer from all of it.

    The answer is that of one run on all files together, whatever their order. No file counts twice unless told
    --again; an interrupted run leaves the state as it was. `outclass compare STATE` answers again without new evidence.
    A state holds evidence, not questions: measure, prior and ROPE are said each time.

    Example: outclass update spam.json monday.csv --truth gold --positive spam
    """
    check_format(format)
    check_output(state)
    check_output(output, [state, *files])
    check_report(report, output, [state, *files])
    if truth is None:
        raise InputError("which column holds the true labels? Say --truth COL.")
    before = State.open(Path(state))
    after = grown(
        before,
        files,
        again=again,
        new_labels=new_labels,
        truth=truth,
        systems=system,
        count=count,
        id=id,
        missing=missing,
    )
    evidence = after.evidence
    question: dict[str, Any] = {
        "positive": positive,
        "prior": options.prior_text(prior, prior_recall, prior_fpr, prior_prevalence),
        "hdi_mass": hdi_mass,
        "rng": seed,
        "by": by,
        "method": method,
    }
    answer: Comparison | Evaluation | None = None
    with progress_bar("comparing") as progress:
        if len(evidence.true_labels) < 2 and model != "sign":
            answer = None
        elif len(evidence.systems) == 1:
            answer = evaluate(evidence, measure=measure or ["f1"], model=model, draws=draws, **question)
        else:
            answer = compare(
                evidence,
                measure=measure,
                rope=rope,
                model=model,
                tolerance=tolerance,
                draws=draws,
                progress=progress,
                **question,
            )
    after.write()
    old = 0 if before.outcomes is None else before.outcomes.items
    told = "begun" if before.outcomes is None else "grown"
    change = f"with {evidence.items:,}" if old == 0 else f"from {old:,} to {evidence.items:,}"
    sys.stderr.write(f"{plain(state)}: {told} {change} items.\n")
    if answer is None:
        sys.stderr.write("Only one class has been true so far; there will be an answer once both have been seen.\n")
        answer = Comparison(())
        if format != "json":
            return
    seen = {(a, b): anytime_of(evidence, a, b) for a, b in combinations(evidence.systems, 2)}
    for (a, b), found in seen.items():
        told = words.anytime(plain(a), plain(b), found)
        wide = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(told) + 1
        sys.stderr.write(textwrap.fill(told, wide) + "\n")
    if again and seen:
        sys.stderr.write("What was counted again is taken for new items: the e-value then says more than it may.\n")
    if isinstance(answer, Comparison):
        pairs = [(row.systems[0].name, row.systems[1].name) for row in answer.rows]
        answer = Comparison(
            tuple(replace(row, anytime=seen.get(pair)) for row, pair in zip(answer.rows, pairs, strict=True))
        )
    deliver(answer, format, output, report)
