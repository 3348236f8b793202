"""The cluster jackknife, as if each system had seen other groups than the other."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.groups import paired

MODEL: Final = FitModel(fit=partial(paired.fit, paired=False), averages=True, draws=False)
