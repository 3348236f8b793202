"""The T-test of Yang & Liu: a paired t-test on the categories' F1."""

from outclass.significance import macro
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1


def _run(view: CategoryF1, options: TestOptions) -> Results:
    yield macro.macro_t(*view.pair, options.side)


TEST = SignificanceTest(
    title="macro t (T)",
    reference="Yang & Liu 1999",
    order=110,
    needs=(CategoryF1,),
    default_on=("categories",),
    side="observed",
    run=_run,
)
