"""One system by its TP, FP and FN (Goutte & Gaussier 2005, section 2)."""

from typing import Final

from outclass.models.table import TableModel
from outclass.models.table.goutte import GoutteOne

MODEL: Final = TableModel(
    posterior=GoutteOne,
    prior="jeffreys",
    parts=("cells",),
    measures=("f1", "precision", "recall", "jaccard"),
    chains=False,
    integrates=False,
)
