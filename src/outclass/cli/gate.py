"""`outclass gate`: may this candidate replace the baseline?"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from outclass.atomic import write_whole
from outclass.cli.command import command_of
from outclass.cli.gate_options import GATE_OUTPUT
from outclass.cli.option import Given
from outclass.cli.options import GATED
from outclass.cli.output import check_output, command_line, print_text
from outclass.cli.sources import arguments_of
from outclass.errors import FileError, InputError, NotComparable, OutclassError, unknown
from outclass.report import gate as outputs

# Options that name a further output, and which it is.
FILES: Final = {"junit": "junit", "summary": "markdown", "json": "json", "sarif": "sarif"}
READ: Final = ("config", "anchor")


def _gated(given: Given) -> None:
    """Decide whether a candidate may replace a baseline: is it worse by more than a margin, or surely not?

    Exit status: 0 passed, 1 regressed, 2 could not be judged, 3 undecided, 4 not comparable.
    The difference is candidate minus baseline. A check fails if it is surely worse by more than the margin, and passes
    if it surely is not; what is neither is undecided, with what would decide. Of several checks (--config), a false
    alarm anywhere is as rare as of one.

    Example: outclass gate runs/main runs/pr --margin 0.02
    """
    own = {option.name: given.pop(option.name, None) for option in GATE_OUTPUT}
    _check_places(own, given)
    if given.pop("calibrate", False):
        _calibrated(given, own)
        return
    config = str(given.get("config", ""))
    try:
        found = _answer(given)
    except OutclassError as error:
        _delivered(_failed(error, given), own, config, quiet=True)
        raise
    _delivered(found, own, config)
    if found.exit:
        raise click.exceptions.Exit(found.exit)


def _answer(given: Given) -> Any:
    from outclass.ask.gate import gate

    asked = arguments_of(given)
    files = asked.pop("files", [])
    if "gate_name" in asked:
        asked["name"] = asked.pop("gate_name")
    return gate(*files, **asked)


def _check_places(own: Mapping[str, Any], given: Given) -> None:
    """Refuse what cannot be written, before any work is done."""
    how = own["format"]
    if how is not None and how not in outputs.NAMES:
        raise unknown("format", how, outputs.NAMES)
    reads = [*given.get("files", []), *(given[name] for name in READ if name in given)]
    places = [own[name] for name in ("output", *FILES) if own[name] is not None]
    for place in places:
        check_output(place, reads)
    if len({Path(place).resolve() for place in places}) < len(places):
        raise FileError("two outputs name the same file.")


def _failed(error: OutclassError, given: Given) -> Any:
    """Return a gate that could not be judged, for those who read reports and not the exit status."""
    from outclass.answers.gate import Gate
    from outclass.rows.gate import GateCheck
    from outclass.verdict.gate import GateDecision

    decision = GateDecision.NOT_COMPARABLE if isinstance(error, NotComparable) else GateDecision.NOT_JUDGED
    name = str(given.get("gate_name", "gate"))
    return Gate(checks=(GateCheck(name=name, decision=decision, why=str(error)),), name=name)


def _delivered(found: Any, own: Mapping[str, Any], config: str, *, quiet: bool = False) -> None:
    """Print the gate, write the files that were asked for, and hand on to GitHub Actions, if that is where we are."""
    from dataclasses import replace

    found = replace(found, command=command_line(), config=config)
    in_actions = os.environ.get("GITHUB_ACTIONS") == "true"
    how = own["format"] or ("github" if in_actions else "text")
    for name, output in FILES.items():
        if own[name] is not None:
            write_whole(Path(own[name]), found.written(output))
    if in_actions:
        from outclass.report.gate.github import outputs as handed_on

        _appended("GITHUB_STEP_SUMMARY", found.to_markdown())
        _appended("GITHUB_OUTPUT", handed_on(found, str(own["summary"] or own["output"] or "")))
    if own["output"] is not None:
        write_whole(Path(own["output"]), found.written(how))
    elif not quiet or how != "text":
        print_text(found.written(how))


def _appended(name: str, told: str) -> None:
    place = os.environ.get(name)
    if not place:
        return
    try:
        with open(place, "a", encoding="utf-8") as stream:
            stream.write(told)
    except OSError as error:
        raise FileError(f"cannot write to ${name}: {error.strerror}.") from None


def _calibrated(given: Given, own: Mapping[str, Any]) -> None:
    from outclass.ask.columns import Columns
    from outclass.ask.gate_calibration import calibrate_gate
    from outclass.ask.used import unused

    asked = arguments_of(given)
    files = asked.pop("files", [])
    if own["format"] not in (None, "text", "json") or any(own[name] is not None for name in FILES):
        raise InputError("--calibrate is shown as text or JSON: leave out the reports of a gate.")
    if left := [name for name in asked if name not in (*Columns.__annotations__, "confidence")]:
        raise unused(left, "⟨calibrate⟩, which makes no decision")
    found = calibrate_gate(*files, **asked)
    told = found.to_json() if own["format"] == "json" else found.to_text()
    if own["output"] is not None:
        write_whole(Path(own["output"]), told)
    else:
        print_text(told)


command = command_of(_gated, GATED)
