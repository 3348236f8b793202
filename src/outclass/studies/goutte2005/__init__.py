"""Goutte & Gaussier 2005: support vector machines on Reuters, two weightings, two kernels; Tables 1 and 2.

From the figures that the paper prints, which fix the counts behind them; and from our own runs.
"""

from outclass.studies.goutte2005.reproduce import run

__all__ = ["run"]
