"""The cluster jackknife of scores: t distributions from leaving out the groups one by one."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import clustered_fit

MODEL: Final = FitModel(fit=partial(clustered_fit, key="grouped_scores.clusters"), averages=True, draws=False)
