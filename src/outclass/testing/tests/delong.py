"""DeLong's test of two areas under the ROC curve."""

from outclass.errors import InputError, quoted
from outclass.significance import delong
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import ScoredItems


def _run(view: ScoredItems, options: TestOptions) -> Results:
    other = [measure.name for measure in options.score_measures if measure.name != "auc"]
    if other:
        raise InputError(
            f"the delong test applies to the AUC, not to {quoted(other)}: leave out the measure (⟨measure⟩), or use "
            "compare."
        )
    yield delong.delong(view.truth, view.a, view.b, options.side)


TEST = SignificanceTest(
    title="DeLong",
    reference="DeLong, DeLong & Clarke-Pearson 1988",
    order=200,
    needs=(ScoredItems,),
    default_on=("scores",),
    uses=("alternative", "measure"),
    run=_run,
)
