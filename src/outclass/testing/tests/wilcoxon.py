"""Wilcoxon's signed-rank test, over categories, items or data sets."""

from outclass.significance import macro
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1, Values


def _run(view: Values, options: TestOptions) -> Results:
    yield macro.wilcoxon(*view.pair, options.side, view.blocks)


TEST = SignificanceTest(
    title="Wilcoxon",
    reference="Wilcoxon 1945; Demšar 2006",
    order=140,
    needs=(CategoryF1, Values),
    default_on=("categories", "results"),
    run=_run,
)
