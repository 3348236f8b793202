"""The paired permutation test of any measure: exact where the arrangements can be summed, else by random swaps."""

from outclass.significance import permutation, swapping
from outclass.significance.swappable import of_decisions
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import GroupedItems, LabelledItems, PairedTable


def _run(view: GroupedItems | LabelledItems | PairedTable, options: TestOptions) -> Results:
    if isinstance(view, GroupedItems):
        yield from _of_groups(view, options)
    elif isinstance(view, LabelledItems):
        yield from _of_labels(view, options)
    else:
        for measure in options.measures:
            yield permutation.permutation_exact(
                measure, view.joint, options.side, options.rng(), swaps=options.draws or permutation.SWAPS
            )


def _of_groups(view: GroupedItems, options: TestOptions) -> Results:
    for each in view.measures:
        yield swapping.permutation(
            each.swaps,
            options.side,
            options.rng(),
            measure=each.measure,
            title=each.title,
            units="groups",
            draws=options.draws or each.usual_draws,
            lower_is_better=each.lower_is_better,
        )


def _of_labels(view: LabelledItems, options: TestOptions) -> Results:
    for average in options.averages:
        yield swapping.permutation(
            of_decisions(view.decisions, view.systems, average, options.undefined),
            options.side,
            options.rng(),
            measure=average.name,
            title=average.title,
            units=view.noun,
            draws=options.draws,
            lower_is_better=not average.higher_is_better,
        )


TEST = SignificanceTest(
    title="permutation, exact",
    reference="Yeh 2000; Pesarin 2001",
    order=40,
    needs=(GroupedItems, LabelledItems, PairedTable),
    default_on=("two_classes", "categories", "groups", "unit_counts"),
    uses=("alternative", "measure", "draws"),
    run=_run,
)
