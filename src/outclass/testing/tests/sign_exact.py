"""The exact sign test of the items on which exactly one system is right."""

from dataclasses import replace

from outclass.significance.sign import signed
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import RightWrong, Wins


def _run(view: RightWrong | Wins, options: TestOptions) -> Results:
    yield replace(signed(view.table, options.side), interval=view.interval)


TEST = SignificanceTest(
    title="sign, exact",
    reference="Dixon & Mood 1946",
    order=10,
    needs=(RightWrong, Wins),
    default_on=("two_classes", "one_label", "right_wrong", "wins"),
    run=_run,
)
