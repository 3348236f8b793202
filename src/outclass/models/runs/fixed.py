"""These runs and no others: the average of a system's runs, of which only the items are a sample."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.runs_fit import fit_runs

MODEL: Final = FitModel(fit=partial(fit_runs, fixed=True), averages=True)
