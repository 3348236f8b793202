"""Equivalence within the ROPE: two one-sided score tests."""

from outclass.significance import tost
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import PairedTable


def _run(view: PairedTable, options: TestOptions) -> Results:
    for measure in options.measures:
        yield tost.tost(measure, view.joint, options.rope)


TEST = SignificanceTest(
    title="TOST (equivalence)",
    reference="Schuirmann 1987; Tango 1998",
    order=80,
    needs=(PairedTable,),
    default_on=("two_classes",),
    uses=("measure", "rope"),
    run=_run,
)
