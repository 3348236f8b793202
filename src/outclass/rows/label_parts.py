"""Parts of rows about labels: how many are known or wrong, what judges are worth, and unknown agreement."""

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
class Estimate:
    """A posterior mean with its interval."""

    mean: float
    hdi: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeWorth:
    """A judge of partly labelled items; of one that gives numbers, or no label of the truth, only the name is known.

    `shares_a` is how often it gives A's wrong label where A is wrong, `shares_more_of_a` the probability that it does
    so more often than with B's. `alone` is the difference with the judge taken for the truth, and `bias` how far off
    that is.
    """

    name: str
    accuracy: Estimate | None = None
    recall: Estimate | None = None
    false_positive_rate: Estimate | None = None
    shares_a: Estimate | None = None
    shares_b: Estimate | None = None
    shares_more_of_a: float = math.nan
    alone: float = math.nan
    bias: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """What the labels of a partly labelled test set are worth.

    `equivalent` is the number of labels of a random sample, without predictions and judges of unlabelled items, that
    would tell as much; `further_width` the expected width of the interval with so many `further` labels, well chosen.
    """

    labelled: int
    items: int
    equivalent: int
    further: int
    further_width: float
    judges: tuple[JudgeWorth, ...] = ()


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
