"""A paragraph for a paper: what was done, how, and the results, with references."""

from typing import Any, Final

SUFFIX: Final = ""  # no file's name asks for it


def write(answer: Any) -> str:
    """Return the paragraph and its references."""
    told: str = answer.methods()
    return told
