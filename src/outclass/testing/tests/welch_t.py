"""Welch's t-test of two accuracies, taken as independent."""

from dataclasses import replace

from outclass.significance import welch
from outclass.testing.checks import same_items
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import RightWrong, TwoAccuracies


def _run(view: RightWrong | TwoAccuracies, options: TestOptions) -> Results:
    if isinstance(view, TwoAccuracies):
        yield welch.welch_t(*view.a, *view.b, options.side)
        return
    (both, a), (b, neither) = (tuple(map(int, row)) for row in view.table)
    n = both + a + b + neither
    yield replace(welch.welch_t(both + a, n, both + b, n, options.side), findings=(same_items(),))


TEST = SignificanceTest(
    title="Welch t",
    reference="Welch 1947",
    order=160,
    needs=(RightWrong, TwoAccuracies),
    default_on=("two_sets", "counts"),
    run=_run,
)
