"""The paired t-test of results; of folds, corrected for their correlation."""

from dataclasses import replace

from outclass.significance import paired
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1, Values


def _run(view: Values, options: TestOptions) -> Results:
    a, b = view.pair
    found = paired.paired_t(a - b, options.side, view.rho)
    value = view.blocks.value
    yield replace(found, name="paired_t", measure=value.lower(), effect_name=f"mean difference in {value}")


TEST = SignificanceTest(
    title="paired t",
    reference="Student 1908; Nadeau & Bengio 2003",
    order=150,
    needs=(CategoryF1, Values),
    default_on=("results", "folds"),
    run=_run,
)
