"""One label per item, saved as counted patterns."""

from outclass.data.outcomes import Outcomes
from outclass.data.saved.plain import check_new


def to_json(data: Outcomes) -> str:
    """Write counted patterns."""
    return data.to_json()


def from_json(text: str) -> Outcomes:
    """Read them back."""
    return Outcomes.from_json(text)


def added(state: Outcomes | None, evidence: Outcomes, *, new_labels: bool) -> Outcomes:
    """Add the counts."""
    if state is None:
        return evidence
    if len(state.labels) >= 2:
        check_new(state.labels, evidence.labels, new_labels=new_labels)
    return state + evidence
