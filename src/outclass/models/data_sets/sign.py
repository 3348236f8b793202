"""Which system wins on the next data set: the sign model (Benavoli et al. 2017)."""

from functools import partial
from typing import Final

from outclass.models.data_sets_fit import fit_by_wins
from outclass.models.fit import FitModel

MODEL: Final = FitModel(
    fit=partial(fit_by_wins, key="sign", title="sign (data sets)", prior="a prior of one tie"),
    measures=("mean",),
    ranks=False,
)
