"""`outclass test`: the significance tests that fit the data."""

from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.option import Given
from outclass.cli.options import TESTED
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.test_report import TestReport


def tested(given: Given) -> "TestReport":
    """Run significance tests: p-values, with their assumptions and warnings.

    One label per item, or many: a long table of 0 and 1 (--item, --label), or cells with lists of labels (--separator).

    Example: outclass test predictions.csv --truth gold --positive spam --all
    """
    asked = asked_of(given)  # first, so that mistakes are reported before anything is loaded
    from outclass.ask.test import test

    return test(**asked)


command = question(tested, TESTED)
