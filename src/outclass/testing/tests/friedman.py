"""Friedman's test of the ranks of all systems, over categories, items or data sets."""

from outclass.significance import many
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1, Values


def _run(view: Values, _: TestOptions) -> Results:
    yield many.friedman(view.values, view.systems, view.blocks)


TEST = SignificanceTest(
    title="Friedman",
    reference="Friedman 1937; Demšar 2006",
    order=180,
    needs=(CategoryF1, Values),
    default_on=("categories", "results"),
    uses=(),
    all_systems=True,
    run=_run,
)
