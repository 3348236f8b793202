"""What a terminal shows."""

from typing import Any, Final

from outclass.report import terminal

SUFFIX: Final = ""  # a name that says nothing gets it


def write(answer: Any) -> str:
    """Return text for wherever `print` goes."""
    return terminal.for_screen(answer.screen)
