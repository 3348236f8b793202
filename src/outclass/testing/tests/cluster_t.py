"""The t-test of items in groups, by the cluster jackknife."""

from dataclasses import replace

from outclass.rows.checks.groups import few_groups
from outclass.significance import swapping
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import GroupedItems


def _run(view: GroupedItems, options: TestOptions) -> Results:
    for each in view.measures:
        found, groups = each.jackknife, each.jackknife.groups
        result = swapping.cluster_t(
            float(found.values[0] - found.values[1]),
            found.variance(0, 1),
            groups.freedom,
            options.side,
            measure=each.measure,
            title=each.title,
            groups=groups.number,
            lower_is_better=each.lower_is_better,
        )
        yield replace(result, findings=tuple(few_groups(groups)))


TEST = SignificanceTest(
    title="cluster t",
    reference="Bell & McCaffrey 2002; MacKinnon, Nielsen & Webb 2023",
    order=60,
    needs=(GroupedItems,),
    default_on=("groups",),
    uses=("alternative", "measure"),
    run=_run,
)
