"""The paired t-test of results; of folds, corrected for their correlation."""

from dataclasses import replace

from outclass.significance import paired
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1, Values


def _run(view: Values, options: TestOptions) -> Results:
    a, b = view.pair
    found = paired.paired_t(a - b, options.side, view.rho)
    yield replace(found, name="paired_t", measure=view.blocks.value.lower())


TEST = SignificanceTest(
    title="paired t",
    reference="Student 1908; Nadeau & Bengio 2003",
    order=150,
    needs=(CategoryF1, Values),
    default_on=("results", "folds"),
    run=_run,
)
