"""Files that a harness writes beside or instead of a log, which have no results per item: simple-evals, web pages."""

import json
from pathlib import Path
from typing import Final

from outclass.errors import FileError, quoted

MOST: Final = 1 << 16  # bytes that an aggregate has at most
PAGES: Final = (".html", ".htm")
SCORE: Final = "score"  # simple-evals writes it into every file, beside other means and standard deviations


def check_aggregate(path: Path, *, pages: bool = True) -> None:
    """Refuse a file that holds no results per item, such as the one JSON object of means of simple-evals.

    A page that merely lies in a folder may be anything: `pages` says whether it is looked at.
    """
    ending = path.suffix.lower()
    if ending not in (".json", *PAGES):
        return
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST + 1)
    except OSError:
        return  # whoever reads it tells what is wrong
    if pages and ending in PAGES and b"<html" in raw[:1024].lower():
        what = "is a web page"
    elif ending == ".json" and _holds_means(raw):
        what = "holds means, as simple-evals writes them"
    else:
        return
    raise FileError(
        f"{quoted([path.name])} {what}: this file has no results per item, and without these nothing can be compared. "
        "Run the evaluation with a harness that logs its samples."
    )


def _holds_means(raw: bytes) -> bool:
    """Return whether a file is one object of numbers; lines of them are a table."""
    if len(raw) > MOST:
        return False
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and SCORE in found and all(isinstance(each, int | float) for each in found.values())
