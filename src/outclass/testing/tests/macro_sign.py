"""The S-test of Yang & Liu: a sign test on the categories' F1."""

import numpy as np

from outclass.significance import sign
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import CategoryF1


def _run(view: CategoryF1, options: TestOptions) -> Results:
    a, b = view.pair
    yield sign.macro_sign(int(np.count_nonzero(a > b)), int(np.count_nonzero(b > a)), options.side)


TEST = SignificanceTest(
    title="macro sign (S)",
    reference="Yang & Liu 1999",
    order=100,
    needs=(CategoryF1,),
    default_on=("categories",),
    side="observed",
    run=_run,
)
