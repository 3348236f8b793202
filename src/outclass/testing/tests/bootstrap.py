"""The paired bootstrap over items, with BCa intervals."""

import numpy as np

from outclass.data.multilabel import Decisions
from outclass.significance import bootstrap
from outclass.significance.swappable import weighted_difference
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import LabelledItems, PairedTable


def _run(view: LabelledItems | PairedTable, options: TestOptions) -> Results:
    if isinstance(view, PairedTable):
        for measure in options.measures:
            draws = options.draws or bootstrap.DRAWS
            yield bootstrap.bootstrap(measure, view.joint, options.side, options.rng(), draws)
        return
    for average in options.averages:
        yield bootstrap.of_units(
            weighted_difference(view.decisions, view.systems, average, options.undefined),
            view.decisions.units,
            options.side,
            options.rng(),
            measure=average.name,
            title=average.title,
            draws=options.draws or bootstrap.DRAWS_OF_UNITS,
            rare=_rare(view.decisions, average.places) if average.name.startswith("macro") else 0,
        )


def _rare(decisions: Decisions, places: tuple[int, ...] | None) -> int:
    """Return how many categories have some items, but few."""
    known = decisions.frequencies if places is None else decisions.frequencies[list(places)]
    return int(np.count_nonzero((known > 0) & (known < bootstrap.FEW_OF_A_CATEGORY)))


TEST = SignificanceTest(
    title="bootstrap",
    reference="Efron & Tibshirani 1993",
    order=70,
    needs=(LabelledItems, PairedTable),
    default_on=("two_classes", "categories", "unit_counts"),
    uses=("alternative", "measure", "draws"),
    run=_run,
)
