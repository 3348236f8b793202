"""One option of the command line: how it is spelt, and what its help says."""

from dataclasses import dataclass, replace
from typing import Any, Final

Given = dict[str, Any]  # what the user gave, by the names of the table
MANY: Final = list[str]


@dataclass(frozen=True, slots=True)
class Option:
    """A line of the table."""

    name: str  # the library's argument
    metavar: str | None
    help: str  # what follows a line break is for `--help-all`
    kind: Any = str
    flags: tuple[str, ...] = ()  # as it is typed, where that is not `--name`
    panel: str | None = None
    positional: bool = False
    required: bool = False
    common: bool = False  # whether `--help` shows it, or `--help-all` alone

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        if self.positional:
            return str(self.metavar)
        return self.flags[0] if self.flags else f"--{self.name.replace('_', '-')}"


def group(panel: str | None, *options: Option, common: bool = False) -> tuple[Option, ...]:
    """Return options that help shows in one panel."""
    return tuple(replace(option, panel=panel, common=option.common or common) for option in options)
