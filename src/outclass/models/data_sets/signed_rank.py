"""Which system wins on the next data set: Benavoli's signed-rank model (Benavoli et al. 2014)."""

from functools import partial
from typing import Final

from outclass.models.data_sets_fit import fit_by_wins
from outclass.models.fit import FitModel

MODEL: Final = FitModel(
    fit=partial(fit_by_wins, key="signed_rank", title="signed-rank", prior="a prior of half a tie"),
    measures=("mean",),
    ranks=False,
)
