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
    kinds = {type(label) for label in (*state.labels, *evidence.labels)}
    if kinds == {int, str}:
        # One batch of a file may hold numbers only, another text as well; read as one, all would be text.
        state, evidence = state.as_text(), evidence.as_text()
    new = [label for label in evidence.labels if label not in state.labels]
    if len(state.labels) >= 2:
        check_new(state.labels, new, new_labels=new_labels)
    return state + evidence
