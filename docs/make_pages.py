"""Write the generated pages: the models side by side on the same counts, the findings, the commands; a test holds them to it."""

import argparse
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import typer

import outclass as oc
from outclass import measures
from outclass.ask.capabilities import KINDS, QUESTIONS, options_of
from outclass.ask.used import flag
from outclass.cli.main import app
from outclass.cli.wording import in_options
from outclass.findings import CODES
from outclass.inference.distribution import Interval
from outclass.models.prior import prior_of
from outclass.planning.additional_items import decided
from outclass.planning.power import Rule, goal_of, probability
from outclass.planning.scenario import Scenario
from outclass.report import words
from outclass.rows import checks
from outclass.studies import STUDIES
from outclass.studies.study import Results

PAGE = Path(__file__).parent / "models.md"
FINDINGS = Path(__file__).parent / "findings.md"
CAPABILITIES = Path(__file__).parent / "capabilities.md"
COMMANDS = Path(__file__).parent / "commands.md"
PLANNING = Path(__file__).parent / "planning.md"
REPRODUCED = Path(__file__).parent / "studies"

# What two systems say of the same items: both positive, only A, only B, neither; first the positives, then the rest.
TABLES = {
    "Two systems alike: 1,000 items, 300 positive, few disagreements": ((210, 24, 9, 57), (30, 8, 12, 650)),
    "Two systems unlike: as good each by itself, but they err on different items": (
        (176, 58, 43, 23),
        (4, 34, 38, 624),
    ),
    "Little data: 60 items, 20 positive": ((12, 4, 1, 3), (2, 1, 2, 35)),
}

INTRODUCTION = """# Which model?

All of them answer "is A better than B?" from counts. They differ in what they know, and so in how sure they can be.

| model | from | what it knows | use it when |
|---|---|---|---|
| `paired` | Zhang et al. 2016 | what both systems say of every item, and which items are positive | both saw the same items: always, if you can |
| `unpaired` | Zhang et al. 2016 | each system's own table, positives and negatives | the systems were tested on different items |
| `goutte` | Goutte & Gaussier 2005 | TP, FP and FN of each | all you have is a published table, or true negatives mean nothing (search) |
| `sign` | Goutte & Gaussier 2005 | on how many items only A is right, and only B | accuracy is what you ask for; all you have is the wins; F1 plays no part |

`unpaired` and `goutte` take two systems on one test set as if each had seen items of its own: right on average, and too unsure
if the systems agree on most items, as nearly all do. The verdict column shows what that costs. Priors
are the defaults: [matched](matched.md) to the measure for the models of Zhang et al., Jeffreys for those of Goutte & Gaussier.

## Side by side

Made by `docs/make_pages.py` from the library itself.
"""


def rows_of(joint: np.ndarray) -> list[str]:
    """Return one line for each model."""
    labels = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    outcomes = oc.Outcomes.of_rows(("A", "B"), labels, joint.ravel().tolist())
    lines = []
    for model in ("paired", "unpaired", "goutte", "sign"):
        row = oc.compare(outcomes, model=model, positive=1).only
        difference = row.difference
        lines.append(
            f"| `{model}` | {row.measure.title} | {words.signed(difference.mean)} | {difference.std:.3f} "
            f"| {words.interval(difference.hdi)} | {words.percent(difference.above)} | {row.verdict.sign} |"
        )
    return lines


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for title, cells in TABLES.items():
        joint = np.array(cells)
        told = [f"{', '.join(map(str, row))}" for row in cells]
        parts.append(
            f"### {title}\n\n"
            f"Both positive, only A, only B, neither: {told[0]} of the positives, {told[1]} of the rest.\n\n"
            "| model | measure | mean of A - B | std | 95% HDI | P(A > B) | verdict, ROPE ±0.05 |\n"
            "|---|---|---|---|---|---|---|\n" + "\n".join(rows_of(joint)) + "\n"
        )
    return "\n".join(parts)


PLANNING_TEXT = """# Planning

How much data is needed to decide? `outclass plan` simulates test sets and judges each as `compare` would.

```console
$ outclass plan --prevalence 0.3 --recall-a 0.8 --recall-b 0.6 --fpr-a 0.05 --fpr-b 0.1 --n 200,400 --goal decided --sets 200
$ outclass plan --prevalence 0.5 --cells-positive 0.3,0.3,0.2,0.2 --cells-negative 0.2,0.2,0.3,0.3 --n 500 --goal '>>' --sets 200
```

* **The world**: a scenario (how common positives are, and the shares of both, only A, only B, neither saying positive, in each
  class; or recalls and false-positive rates in words), or a pilot (`--pilot FILE` with the options of `compare`): worlds are then
  drawn from its posterior, new items come on top of the pilot's, and the probability is the assurance. A pilot may be of any kind that `compare`
  reads, see below.
* **Goals**: `>>`, `<<`, `~=`, `decided`, `width:0.1` (an interval no wider), `significant` (the permutation test at .05),
  `significant:sign_exact`. `--model paired --model unpaired` (or `goutte`, `sign`) side by side, on the same simulated items; with
  `--probability 0.8` the smallest number of items
  is searched for, and what pairing saves is one number.
* **How the rule behaves** (`--characteristics`): how often this ROPE, HDI mass and number of items are right, wrong or undecided.
* **After an open comparison** `compare` ends with the number of further items that would decide it, by the normal formula.
* **What to label next** (`--pool FILE`): items on which the systems disagree, by what a label is worth.
* **Watching while labels arrive**: an HDI against a ROPE is for a number of items fixed beforehand. `outclass update` also shows an
  e-value and a confidence sequence for accuracy, which hold whenever one looks (simulated: at most 5% false alarms); in Python
  `oc.anytime(only_a, only_b, items)`. The sequence holds the differences against which there is no such evidence, so that it excludes zero exactly where
  the e-value rejects equality. Each difference has an e-process: the mean of a likelihood mixed over Jeffreys' prior against the greatest that the difference
  allows, of all items, and the same of the items on which exactly one system is right.
* **A ROPE** from costs or from reruns: `oc.rope_from_costs(missed, false_alarm, budget)`, `oc.rope_from_reruns(values)`.
* **Long plans**: `--resume FILE` keeps finished cells. Simulation runs through joblib, so that a back end registered with it (Dask,
  Ray, Spark) takes it to a cluster: wrap the call in `joblib.parallel_config("dask")`.

Each simulated set's interval is taken from a thousand draws' mean, spread and skewness: on average within a few hundredths of a std
of the exact one, which blurs single decisions and hardly moves their share. Widths, and posteriors that are no bell (a system
without errors, few items of a class), are taken from 12,000 draws. In a scenario made so that every set's interval ends near the
ROPE's edge (precision, no false alarms, recalls .99, N = 200, ROPEs .028 to .031) the share of equivalences is within .15 of the
exact engine's on the same 40 sets, and on average within .08 (a test).

The smallest number of items comes with how far off the simulation lets it be, by the normal formula. `--model unpaired` analyses
the same items as unpaired, as the paper does; it is no plan for two test sets.

## Pilots of every kind

A pilot may have many classes, many labels per item (`separator=";"`), items in groups (`group="document"`), scores beside a truth
(AUC and its kin) or results (`scores=True`: their mean). Its worlds are then weights on its items, and on the pseudo-items of the
prior where the model has any; of groups, whole ones are drawn, which hold about n items. Every simulated set is judged by the default model of
such data: weights on patterns or documents, Student's t for means, the sign model for right and wrong, the cluster
jackknife for groups. The probabilities agree with `compare` run on simulated sets, within the error of 60 of them (a test). Tests
(`significant`), other priors and characteristics are for two classes.

```python
import numpy as np

import outclass as oc

rng = np.random.default_rng(0)
old = rng.normal(0.6, 0.2, 80)  # a number per item: quality, latency, reward
pilot = {"old": old, "new": old + rng.normal(0.05, 0.1, 80)}
print(oc.plan(pilot=pilot, scores=True, systems=["new", "old"], goal=">>", rope=0.02, n=[50, 200, 800]))
```

## Table 3 of Zhang et al. 2016

Ours from 2,000 simulated sets a cell (simulation error at most .011), theirs of about 100 sets (error up to .05), and the normal
formula: sd = V / sqrt(N), V = .76877 in (a), .70711 in (b), for the paired model.

| scenario | goal | N | unpaired, ours | theirs | paired, ours | theirs | formula |
|---|---|---:|---:|---:|---:|---:|---:|
"""
SCENARIOS = {
    "a": Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    "b": Scenario(0.5, (0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)),
}
# As printed: scenario, goal, N, unpaired, paired.
TABLE_3 = [
    *(
        ("a", ">>", n, u, p)
        for n, u, p in zip(
            range(500, 4000, 500), (26, 41, 70, 79, 87, 92, 96), (30, 52, 76, 84, 90, 94, 97), strict=True
        )
    ),
    *(
        ("b", "~=", n, u, p)
        for n, u, p in zip(range(500, 4000, 500), (0, 1, 26, 63, 72, 88, 92), (0, 22, 58, 81, 87, 96, 99), strict=True)
    ),
]


def planning_page(sets: int = 2_000) -> str:
    """Return the page on planning, with the whole of Table 3."""
    rope = Interval(-0.05, 0.05)
    rule = Rule(
        measure=measures.get("f1"),
        priors=dict.fromkeys(("paired", "unpaired"), prior_of("uniform")),
        rope=rope,
        hdi_mass=0.95,
    )
    lines = []
    for scenario, goal, n, unpaired, paired in TABLE_3:
        found = [
            probability(SCENARIOS[scenario], n, goal_of(goal), model, rule, sets, [1, n])
            for model in ("unpaired", "paired")
        ]
        sd = {"a": 0.76877, "b": 0.70711}[scenario] / n**0.5
        formula = float(decided(0.1 if scenario == "a" else 0.0, sd, rope, 1.959964))
        lines.append(
            f"| ({scenario}) | {goal} | {n:,} | {found[0]:.3f} | .{unpaired:02d} | {found[1]:.3f} | .{paired:02d} | {formula:.3f} |"
        )
    return PLANNING_TEXT + "\n".join(lines) + "\n"


def findings_page() -> str:
    """Return the list of findings."""
    checks.load()  # which declare codes of their own
    kinds = {"1": "Data", "2": "Model and numbers", "3": "Decision", "4": "Tests"}
    lines = ["# Findings", "", "What a result must not keep to itself carries a code, in every format.", ""]
    for digit, kind in kinds.items():
        lines += [f"## {kind}", "", "| code | what it is about |", "|---|---|"]
        lines += [f"| {code} | {about} |" for code, about in sorted(CODES.items()) if code[2] == digit]
        lines.append("")
    return "\n".join(lines)


OPTIONS_TEXT = """## Which options are used

An option that is not used is an error that names it. All kinds of data use `--measure`, `--model`, `--rope`, `--hdi-mass` and `--seed`; a model may use
fewer of the rest than its row says, and then says so: one without a prior has no use for `--prior`, and one in closed form none for `--tolerance`. In Python
the arguments have the same names, with underscores (`systems` for `--system`, `names` for `--name`, `runs` for `--run`, `rng` for `--seed`). TREC runs
(`--qrels`, `--run`) are results and take `--name`, `--system` and `--missing`; files are counted by `--engine`. The tables are `ask/read.py` and
`ask/used.py`, and a test gives every option to every command with every kind of data.
"""
CAPABILITIES_TEXT = """# What can be asked of which data

Every question is asked of every kind of data in the same way. A cell with a number has no answer, and the sentence below says why; it is also what
outclass says when it is asked. The table is `ask/capabilities.py`, and a test asks every cell.

"""


def capabilities_page() -> str:
    """Return the table of kinds of data by questions."""
    lines = [f"| data | {' | '.join(QUESTIONS)} |", "|---" * (len(QUESTIONS) + 1) + "|"]
    why: list[str] = []
    for kind, (about, gaps) in KINDS.items():
        cells = []
        for question in QUESTIONS:
            if question in gaps and gaps[question] not in why:
                why.append(gaps[question])
            cells.append(f"({why.index(gaps[question]) + 1})" if question in gaps else "yes")
        lines.append(f"| **{kind}**: {about} | {' | '.join(cells)} |")
    notes = [f"{number}. {in_options(told[0].upper() + told[1:], {})}" for number, told in enumerate(why, start=1)]
    after = "\nA saved state (`update`) is of one of the first seven kinds or of data sets; the page (`report`) is of every comparison."
    return CAPABILITIES_TEXT + "\n".join([*lines, "", *notes, after, "", *options_table()])


def options_table() -> list[str]:
    """Return which options each kind of data uses."""
    lines = [OPTIONS_TEXT, "| data | where it is | what is asked |", "|---|---|---|"]
    for kind in KINDS:
        cells = (", ".join(f"`{flag(name)}`" for name in names) for names in options_of(kind))
        lines.append(f"| **{kind}** | {' | '.join(cells)} |")
    return [*lines, ""]


def commands_page() -> str:
    """Return what every command takes, from the commands themselves."""
    group: Any = typer.main.get_command(app)
    lines = [
        "# Commands",
        "",
        "What `outclass COMMAND --help-all` says; `--help` has the options that most people need. Made by `docs/make_pages.py` from the commands themselves.",
        "",
    ]
    commands = {name: group.get_command(None, name) for name in group.list_commands(None)}
    lines += ["| command | what it does |", "|---|---|"]
    lines += [f"| [`{name}`](#{name}) | {command.help.partition(chr(10))[0]} |" for name, command in commands.items()]
    for name, command in commands.items():
        about, _, example = command.help.partition("Example: ")
        # A line of the help is one sentence or more; none is broken within.
        lines += ["", f"## {name}", "", about.strip().replace("docs/scores.md", "[scores](scores.md)"), ""]
        lines += ["```sh", example.strip(), "```"]
        panels: dict[str, list[Any]] = {}
        for parameter in command.params:
            if parameter.name not in ("help", "help_all"):
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or "", []).append(parameter)
        for panel, parameters in panels.items():
            lines += [
                "",
                f"**{panel}**" if panel else "**Arguments and options**",
                "",
                "| name | takes | what it does |",
                "|---|---|---|",
            ]
            lines += [_option(parameter) for parameter in parameters]
    return "\n".join(lines) + "\n"


def _option(parameter: Any) -> str:
    """Return one option as a line of a table: its names, what it takes, what it does."""
    is_option = parameter.param_type_name == "option"
    names = ", ".join(f"`{name}`" for name in parameter.opts) if is_option else f"`{parameter.metavar}`"
    takes = f"`{parameter.metavar}`" if is_option and parameter.metavar else ""
    told = (parameter.help or "").strip().replace("\n", " ")
    default = parameter.default
    if isinstance(default, int | float | str) and not isinstance(default, bool) and "efault" not in told:
        told += f" Default: {default}."
    return " | ".join(["", *(cell.replace("|", "\\|") for cell in (names, takes, told)), ""]).strip()


def study_page(study: str) -> str:
    """Return the page of a reproduced paper, from the results that were kept of it."""
    kept = Results.from_json((REPRODUCED / study / "results.json").read_text(encoding="utf-8"))
    told = kept.to_markdown(f"studies/{study}/")
    title, _, rest = told.partition("\n\n")
    how = (
        f"Made by `outclass reproduce {study}` (all three: `make reproduce`) from the corpora, which are not shipped; the "
        "predictions are, as labels: see `oc.datasets`. This page is written from the run's `results.json`."
    )
    return f"{title}\n\n{how}\n\n{rest}"


def take(folder: Path) -> None:
    """Keep the results and figures of runs of `outclass reproduce`, and their predictions as data sets."""
    found = {
        study: Results.from_json((folder / study / "results.json").read_text(encoding="utf-8")) for study in STUDIES
    }
    quick = [study for study, results in found.items() if results.quick]
    if quick:
        raise SystemExit(f"these are quick runs, which show nothing: {', '.join(quick)}")
    sources = {
        "20news": "zhang2016",
        "reuters_zhang": "zhang2016",
        "reuters_goutte": "goutte2005",
        "reuters_yang": "yang1999",
    }
    files = {name: folder / study / "predictions" / f"{name}.parquet" for name, study in sources.items()}
    lacking = [str(file) for file in files.values() if not file.is_file()]
    if lacking:
        raise SystemExit(f"missing: {', '.join(lacking)}")
    for study in STUDIES:
        target = REPRODUCED / study
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder / study / "figures", target / "figures")
        shutil.copy(folder / study / "results.json", target / "results.json")
    for name, file in files.items():
        shutil.copy(file, oc.datasets.path(name))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--take", type=Path, help="a folder with runs of `outclass reproduce`, to be kept")
    wanted = parser.parse_args().take
    if wanted is not None:
        take(wanted)
    for study in STUDIES:
        (Path(__file__).parent / f"{study}.md").write_text(study_page(study), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    FINDINGS.write_text(findings_page(), encoding="utf-8")
    CAPABILITIES.write_text(capabilities_page(), encoding="utf-8")
    COMMANDS.write_text(commands_page(), encoding="utf-8")
    PLANNING.write_text(planning_page(), encoding="utf-8")
