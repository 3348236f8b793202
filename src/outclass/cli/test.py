"""`outclass test`: the significance tests that fit the data."""

from typing import TYPE_CHECKING

from outclass.cli.command import question
from outclass.cli.options import TESTED, Given
from outclass.cli.sources import asked_of

if TYPE_CHECKING:
    from outclass.answers.test_report import TestReport


def tested(given: Given) -> "TestReport":
    """Test systems the frequentist way: p-values, with what they assume and where they do not hold.

    One label per item; or many: a long table (--item, --label, 0 or 1), or cells with lists of labels (--separator).

    Example: outclass test predictions.csv --truth gold --positive spam --all
    """
    from outclass.ask.test import test

    return test(**asked_of(given))


command = question(tested, TESTED)
