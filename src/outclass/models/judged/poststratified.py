"""Post-stratification: sizes of strata from all items, the truth within them from the labelled ones."""

from dataclasses import fields
from typing import Any, Final

from outclass.data.outcomes import BINARY
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_lists import PartlyLists
from outclass.errors import InputError, quoted
from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.judged_fit import JudgedFit
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights

JUDGES: Final = 3  # without which the truth cannot be inferred


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw all systems jointly."""
    if not decisions.data.labelled:
        raise without_labels(decisions.data)
    if len(decisions.data.labels) < BINARY:
        raise InputError(
            f"all {decisions.items:,} items have the label {quoted(decisions.data.labels)}, in the truth and in every "
            "prediction. At least two classes are required."
        )
    found = fit_weights(decisions, question, mass=question.mass)
    own = {each.name: getattr(found, each.name) for each in fields(found)}
    title = "post-stratified (labels within strata)"
    return JudgedFit(**{**own, "model": "judged.poststratified", "title": title, "label": question.label})


def without_labels(data: PartlyLabelled | PartlyLists) -> InputError:
    """Build the error for items of which none has a true label."""
    judged = len(data.judges) >= JUDGES
    other = " With three judges or more that err independently of each other: ⟨model=dawid_skene⟩." if judged else ""
    return InputError(
        "no item has a true label, so nothing is known of any system. To choose which items to label, use ⟨label()⟩."
        + other
    )


MODEL: Final = FitModel(fit=fit, prior=True)
