"""Runs and items are both samples: weights on items, shared by all runs, and a spread between the runs of a system."""

from typing import Final

from outclass.models.fit import FitModel
from outclass.models.runs_fit import fit_runs

MODEL: Final = FitModel(fit=fit_runs, averages=True)
