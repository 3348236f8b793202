"""`outclass test`: the significance tests that fit the data."""

from typing import Annotated

import typer

from outclass.ask.test import test
from outclass.cli import options
from outclass.cli.output import check_format, check_output, check_report, deliver
from outclass.cli.sources import data_of
from outclass.errors import InputError
from outclass.testing.registry import all_tests

TestNames = Annotated[
    list[str] | None,
    typer.Option(
        "--test",
        metavar="NAME",
        help="One of " + ", ".join(all_tests()) + "; repeat it. Default: those that fit the data.",
        rich_help_panel="Question",
    ),
]
Every = Annotated[bool, typer.Option("--all", help="Every test the data allow.", rich_help_panel="Question")]
Alternative = Annotated[
    str | None,
    typer.Option(
        "--alternative",
        metavar="SIDE",
        help="two-sided, greater (A's value above B's), less, or observed (the side seen, as Yang & Liu do). "
        "Default: each test's own.",
        rich_help_panel="Question",
    ),
]
TestedMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="Of the tests that take any: f1 (default), accuracy, precision, recall, mcc, fbeta:2, ...; of many labels "
        "macro_f1, micro_f1, .... Repeat it.",
        rich_help_panel="Question",
    ),
]
ByFrequency = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="frequency|label",
        help="frequency: macro-F1 by how common categories are. label: categories.",
        rich_help_panel="Question",
    ),
]
Frequencies = Annotated[
    str | None,
    typer.Option(
        "--frequencies",
        metavar="FILE",
        help="How common each category is in training: a table with its label and its count.",
        rich_help_panel="Data",
    ),
]


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
    scores: options.ScoresFlag = False,
    frequencies: Frequencies = None,
    missing: options.Missing = "error",
    positive: options.Positive = None,
    tests: TestNames = None,
    every: Every = False,
    alternative: Alternative = None,
    measure: TestedMeasures = None,
    by: ByFrequency = None,
    rope: options.Rope = None,
    undefined: options.Undefined = "drop",
    draws: Annotated[
        int | None,
        typer.Option(
            "--draws", metavar="N", help="Draws of the bootstrap and of random swaps.", rich_help_panel="Computation"
        ),
    ] = None,
    seed: options.Seed = 0,
    format: options.Format = "table",
    output: options.Output = None,
    report: options.Report = None,
) -> None:
    """Test systems the frequentist way: p-values, with what they assume and where they do not hold.

    One label an item; or many: a long table (--item, --label, 0 or 1), or cells with lists of labels (--separator).

    Example: outclass test predictions.csv --truth gold --positive spam --all
    """
    check_format(format)
    check_output(output, [*(files or []), *([frequencies] if frequencies else [])])
    check_report(report, output, files)
    if not files:
        raise InputError("nothing to read: name a file. See --help.")
    if (scores or frequencies is not None) and (engine, master) != ("duckdb", None):
        raise InputError("scores and frequencies are read here, item by item: leave out --engine and --master.")
    answer = test(
        data_of(files, truth, counted=scores, engine=engine, master=master),
        truth=truth,
        systems=system,
        count=count,
        id=id,
        item=item,
        label=label,
        separator=separator,
        group=group,
        average=average,
        scores=scores,
        frequencies=frequencies,
        missing=None if missing == "error" else missing,
        positive=positive,
        tests=tests,
        every=every,
        alternative=alternative,
        measure=measure,
        by=by,
        rope=rope,
        undefined=None if undefined == "drop" else undefined,
        draws=draws,
        rng=seed,
    )
    deliver(answer, format, output, report)
