"""Cochran's Q: are all systems right equally often?"""

from outclass.significance import many
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import RightPatterns


def _run(view: RightPatterns, _: TestOptions) -> Results:
    yield many.cochran_q(view.right, view.counts, view.systems)


TEST = SignificanceTest(
    title="Cochran Q",
    reference="Cochran 1950",
    order=170,
    needs=(RightPatterns,),
    default_on=("two_classes", "one_label"),
    uses=(),
    all_systems=True,
    run=_run,
)
