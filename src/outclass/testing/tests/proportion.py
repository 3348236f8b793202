"""The p-test of Yang & Liu: two proportions, taken as independent."""

from dataclasses import replace

from outclass.models.evidence import Evidence
from outclass.significance import proportion
from outclass.testing.checks import same_items
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import PairedTable, PooledTable, TwoAccuracies, TwoTables

OF_POSITIVES = ("recall", "precision")  # which do not ask how many true negatives there are


def _run(view: PairedTable | PooledTable | TwoTables | TwoAccuracies, options: TestOptions) -> Results:
    if isinstance(view, TwoAccuracies):
        yield proportion.proportion(view.a, view.b, "accuracy", options.side)
        return
    if isinstance(view, TwoTables):
        a, b = view.a, view.b
    else:
        systems = Evidence.of_joint(view.joint).systems
        assert systems is not None
        a, b = systems
    known = not isinstance(view, TwoTables) or view.negatives_known
    for measure in proportion.MEASURES if known else OF_POSITIVES:
        counts = (proportion.counts_of(a, measure), proportion.counts_of(b, measure))
        found = proportion.proportion(*counts, measure, options.side)
        yield found if isinstance(view, TwoTables) else replace(found, findings=(same_items(), *found.findings))


TEST = SignificanceTest(
    title="proportion (p)",
    reference="Yang & Liu 1999",
    order=130,
    needs=(PairedTable, PooledTable, TwoTables, TwoAccuracies),
    default_on=("categories", "two_sets", "counts"),
    side="observed",
    run=_run,
)
