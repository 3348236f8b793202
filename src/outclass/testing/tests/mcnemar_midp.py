"""McNemar's mid-p test, less conservative than the exact one."""

from dataclasses import replace

from outclass.significance import sign
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import RightWrong, Wins


def _run(view: RightWrong | Wins, options: TestOptions) -> Results:
    yield replace(sign.mcnemar_midp(view.table, options.side), interval=view.interval)


TEST = SignificanceTest(
    title="McNemar, mid-p",
    reference="Fagerland, Lydersen & Laake 2013",
    order=30,
    needs=(RightWrong, Wins),
    default_on=("two_classes", "one_label", "right_wrong", "wins"),
    run=_run,
)
