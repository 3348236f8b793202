"""The s-test of Yang & Liu: a sign test on all binary decisions."""

from dataclasses import replace

from outclass.models.evidence import rights
from outclass.significance import sign
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import PairedTable, PooledTable


def _run(view: PairedTable | PooledTable, options: TestOptions) -> Results:
    found = sign.micro_sign(rights(view.joint), options.side)
    yield replace(found, measure=f"micro_{found.measure}") if isinstance(view, PooledTable) else found


TEST = SignificanceTest(
    title="micro sign (s)",
    reference="Yang & Liu 1999",
    order=90,
    needs=(PairedTable, PooledTable),
    default_on=("categories",),
    side="observed",
    run=_run,
)
