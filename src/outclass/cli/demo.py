"""`outclass demo`: real classifiers, on included data."""

import sys

from outclass.cli.command import answered, command_of
from outclass.cli.compare import compared
from outclass.cli.option import Given
from outclass.cli.options import DEMO, OUTPUT

SYSTEMS = ("nb_mult", "svm_l2")  # those of Table 6 of Zhang et al. 2016
NEXT = """
Now your own file, one row per item:
  outclass compare predictions.csv --truth COLUMN
Every column of predictions is a system; --report page.html also writes a report.
"""


def _demo(given: Given) -> None:
    """Compare two real classifiers on 20 Newsgroups; the data are included.

    Naive Bayes and a support vector machine, on the 7,532 test items of Zhang et al. (2016).

    Example: outclass demo --by label --report report.html
    """
    from outclass import datasets  # DuckDB is not loaded for a help text

    if not given.keys() & {"measure", "positive", "by"}:
        given["measure"] = ["macro_f1"]
    given.update(files=[str(datasets.path("20news"))], truth="truth", systems=list(SYSTEMS))
    on_screen = "output" not in given and given.get("format", "table") == "table"
    answered(compared, given)
    if on_screen:
        sys.stderr.write(NEXT)


command = command_of(_demo, (*DEMO, *OUTPUT))
