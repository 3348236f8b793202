"""The help of commands: what most people need with `--help`, every option with `--help-all`."""

import difflib
import shutil
import textwrap
from collections import Counter
from typing import Any, Final

import click

from outclass.cli.options import FLAGS, HELP_ALL
from outclass.errors import InputError, quoted

NARROWEST, WIDEST = 60, 100
NAMES: Final = 22  # columns for an option with what it takes


SETTINGS: Final = {"help_option_names": ["-h", "--help"]}


class Helped(click.Command):
    """A command whose help is short, and whole on request."""

    def __init__(self, *, common: frozenset[str], **parts: Any) -> None:
        super().__init__(context_settings=dict(SETTINGS), **parts)
        self.common = common  # the options that most people need

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; an option that takes one value and is given twice is an error, where click drops one."""
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for each, times in Counter(each for each in order if each.param_type_name == "option").items():
                if times > 1 and not (each.multiple or each.is_flag):  # type: ignore[attr-defined]
                    name = max(each.opts, key=len)
                    raise InputError(f"{name} is given {times} times, and takes one value. Give it once.")
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the options that most people need."""
        formatter.write(self.told(ctx, every=False))

    def told(self, ctx: Any, *, every: bool) -> str:
        """Return the help, with the common options or with every one."""
        about, _, example = (self.help or "").partition("Example: ")
        places = " ".join(str(each.metavar) for each in self.params if each.param_type_name == "argument")
        told = about.strip() if every else about.strip().partition("\n\n")[0]
        parts = [f"Usage: {_path(ctx)} [OPTIONS] {places}".rstrip(), _paragraphs(told)]
        if example:
            parts.append(f"Example:\n{_filled(example.strip(), '  ')}")
        panels: dict[str, list[str]] = {}
        left = 0
        for each in self.params:
            if each.name in ("help", HELP_ALL.name):
                continue
            if every or each.name in self.common:
                panels.setdefault(getattr(each, "panel", None) or "Arguments", []).append(_line(each, every))
            else:
                left += 1
        parts += [f"{panel}:\n" + "\n".join(lines) for panel, lines in panels.items()]
        more = f"{_path(ctx)} --help-all shows {left} more options." if left and not every else ""
        return "\n\n".join(filter(None, [*parts, more])) + "\n"


# What other programs call an option.
SYNONYMS: Final = {
    **dict.fromkeys(("--metrics", "--scoring"), "--measure"),
    **dict.fromkeys(("--gold", "--target", "--y-true", "--labels", "--reference"), "--truth"),
    **dict.fromkeys(("--pred", "--preds", "--prediction", "--predictions", "--y-pred", "--models"), "--system"),
    **dict.fromkeys(("--random-state", "--rng"), "--seed"),
    **dict.fromkeys(("--html", "--page"), "--report"),
    **dict.fromkeys(("--ci", "--confidence", "--alpha", "--level", "--hdi"), "--hdi-mass"),
    **dict.fromkeys(("--cluster", "--clusters", "--groups"), "--group"),
    **dict.fromkeys(("--json", "--latex", "--csv", "--markdown"), "--format"),
    **dict.fromkeys(("--weight", "--weights"), "--count"),
}


def no_such_option(error: Any) -> str | None:
    """Say which option was meant; None of another error."""
    wrong, command = getattr(error, "option_name", None), getattr(getattr(error, "ctx", None), "command", None)
    if not isinstance(wrong, str) or not isinstance(command, Helped) or not hasattr(error, "possibilities"):
        return None
    known = [option for each in command.params for option in each.opts if option.startswith("--")]
    if wrong in FLAGS.values():
        return f"{_path(error.ctx)} does not take {wrong}; see {_path(error.ctx)} --help-all."
    named = SYNONYMS.get(wrong)
    near = [named] if named in known else difflib.get_close_matches(wrong, known, n=1, cutoff=0.7)
    if near:
        return f"there is no option {wrong}. Did you mean {near[0]}?"
    return f"there is no option {wrong}; see {_path(error.ctx)} --help-all."


class HelpedGroup(click.Group):
    """Commands, listed with their first sentences."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command; of one that is not there say which was meant, which not every click does."""
        name, known = str(args[0]), self.list_commands(ctx)
        if name in known or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        raise InputError(
            f"there is no command {quoted([name])}. "
            + (f"Did you mean {near[0]}?" if near else f"{_path(ctx)} --help lists the commands.")
        )

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """List the commands."""
        listed = []
        for name in self.list_commands(ctx):
            first = (self.get_command(ctx, name).help or "").strip().partition("\n")[0]  # type: ignore[union-attr]
            listed.append(_row(name, first))
        options = [_line(each, every=True) for each in self.params if each.name != "help"]
        parts = [
            f"Usage: {_path(ctx)} COMMAND [OPTIONS]",
            _paragraphs(self.help or ""),
            "Commands:\n" + "\n".join(listed),
            "Options:\n" + "\n".join(options),
            f"{_path(ctx)} COMMAND --help says what a command takes. First time here? {_path(ctx)} demo",
        ]
        formatter.write("\n\n".join(parts) + "\n")


def show_all(ctx: click.Context, parameter: click.Parameter, asked: bool | None) -> None:
    """Show every option, and end."""
    del parameter
    if asked and isinstance(ctx.command, Helped):
        click.echo(ctx.command.told(ctx, every=True), nl=False)
        ctx.exit()


def _path(ctx: Any) -> str:
    """Return the command as it is called, also where Python was asked for the module."""
    return " ".join(["outclass", *str(ctx.command_path).split()[1:]]).replace("outclass -m outclass", "outclass")


def _width() -> int:
    return min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, _width(), initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _paragraphs(text: str) -> str:
    """Fill the paragraphs of a docstring; lines of one are sentences that follow each other."""
    return "\n\n".join(_filled(" ".join(part.split())) for part in text.strip().split("\n\n"))


def _line(parameter: Any, every: bool) -> str:
    """Return one option: its names, what it takes, what it does."""
    is_option = parameter.param_type_name == "option"
    names = ", ".join(sorted(parameter.opts, key=len)) if is_option else str(parameter.metavar)
    takes = f" {parameter.metavar}" if is_option and parameter.metavar and not parameter.is_flag else ""
    first, _, rest = (parameter.help or "").partition("\n")
    return _row(names + takes, f"{first} {rest}".strip() if every else first)


def _row(name: str, text: str) -> str:
    room = NAMES + 2
    lines = textwrap.wrap(text, _width() - room, break_long_words=False, break_on_hyphens=False) or [""]
    if len(name) > NAMES - 1:
        return "\n".join([f"  {name}", *(" " * room + line for line in lines)])
    return "\n".join([f"  {name:<{NAMES}}{lines[0]}", *(" " * room + line for line in lines[1:])])
