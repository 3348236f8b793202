"""Nemenyi's comparison of every pair by mean ranks, which follows Friedman's test."""

from outclass.significance import many
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1, Values


def _run(view: Values, _: TestOptions) -> Results:
    yield from many.nemenyi(view.values, view.systems, view.blocks)


TEST = SignificanceTest(
    title="Nemenyi",
    reference="Nemenyi 1963; Demšar 2006",
    order=190,
    needs=(CategoryF1, Values),
    default_on=("categories", "results"),
    uses=(),
    all_systems=True,
    run=_run,
)
