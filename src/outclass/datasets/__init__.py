"""Data sets that ship with outclass: the labels and predictions of the papers' experiments, no texts."""

from pathlib import Path
from typing import Final

from outclass.data.files import from_files
from outclass.data.outcomes import Outcomes
from outclass.errors import unknown

NAMES: Final = ("20news",)


def path(name: str) -> Path:
    """Return where a data set's file is."""
    if name not in NAMES:
        raise unknown("data set", name, NAMES)
    return Path(__file__).with_name(f"{name}.parquet")


def load(name: str) -> Outcomes:
    """Return a data set's outcomes: its truth and the systems that predicted it.

    '20news': the four classifiers of Zhang et al. 2016 on the 7,532 test items of 20 Newsgroups.
    """
    return from_files([path(name)], truth="truth")
