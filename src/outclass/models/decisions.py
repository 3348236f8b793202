"""Data with one label per item as decisions, one for each label."""

from typing import Any

from outclass.data.annotated import Annotated, Votes
from outclass.data.classes import Classes
from outclass.data.outcomes import Outcomes
from outclass.data.partly_labelled import PartlyLabelled
from outclass.models.strata import Estimated


def decisions_of(data: Any) -> Any:
    """Return what models of weights take; data that are decisions already stay as they are."""
    if isinstance(data, Outcomes):
        return Classes(data)
    if isinstance(data, PartlyLabelled):
        return Estimated(data)
    return Votes(data) if isinstance(data, Annotated) else data
