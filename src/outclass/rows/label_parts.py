"""Parts of rows about what is not known of labels: how many may be wrong, and how far systems agree."""

import math
from dataclasses import dataclass

from outclass.inference.distribution import Interval
from outclass.verdict.rope import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementCase:
    """What a comparison comes to if two systems are both right or both wrong on this share of the items."""

    agreement: float
    hdi: Interval
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownAgreement:
    """Published results on the same items: what becomes of the comparison under every possible agreement.

    Parameters
    ----------
    pairings
        How many tables of who is right with whom the published counts allow.
    decided, verdict
        The share of them under which the comparison is decided, and how it then is.
    needed
        The agreement from which on all of them decide; nan if there is none.
    of
        Which items agreement is a share of: 'items', 'positive items' or 'negative items'.
    widest, independent, narrowest
        The least favourable pairing, that of systems whose errors are independent, and the most favourable one.
    """

    pairings: int
    decided: float
    verdict: Verdict | None
    needed: float
    of: str
    widest: AgreementCase
    independent: AgreementCase
    narrowest: AgreementCase


@dataclass(frozen=True, slots=True, kw_only=True)
class TippingPoint:
    """How many true labels would have to be wrong to overturn a decision.

    Parameters
    ----------
    labels
        The fewest that would; None if all labels on which the systems disagree would not be enough.
    of
        How many true labels there are.
    favours
        The system that all of them would have to favour.
    unit
        'labels', or 'decisions' (whether an item has a label) where items have any number of labels.
    """

    labels: int | None
    of: int
    favours: str
    unit: str = "labels"

    @property
    def share(self) -> float:
        """The share of labels that would have to be wrong; nan if no share would overturn the decision."""
        return math.nan if self.labels is None else self.labels / self.of
