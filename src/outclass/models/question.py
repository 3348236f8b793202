"""What is asked: one class for every kind of data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from outclass.data.labels import Label
from outclass.findings import Finding
from outclass.inference.settings import Settings
from outclass.models.prior import Prior
from outclass.verdict.rope import Rope


class AnyMeasure(Protocol):
    """What every measure tells of itself, whatever it measures."""

    @property
    def name(self) -> str:
        """The key by which it is asked for."""

    @property
    def title(self) -> str:
        """What a report calls it."""

    @property
    def low(self) -> float:
        """Its lower bound."""

    @property
    def high(self) -> float:
        """Its upper bound."""

    @property
    def higher_is_better(self) -> bool:
        """Its direction."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """The question: what is compared, and how.

    Parameters
    ----------
    measures, model
        What is measured, and the key of the model.
    rope, hdi_mass
        The region of practical equivalence as it was asked for, and the probability that intervals hold.
    settings
        How numbers are to be made.
    prior
        Of models of counts.
    mass
        Of models of weighted units: the prior's pseudo-items in all; None is each measure's matched prior.
    undefined
        What an undefined value (0/0) of a label counts as in an average.
    average
        Of items in groups: whether every item counts alike, or every group.
    by_label
        Whether there is a row for every label.
    owners
        Of runs: the system of each. They share its pseudo-items, of which more runs would make less otherwise.
    label
        The label of partly labelled items whose turn it is, if there is a row for every label.
    notes
        What was found while the question was read.
    progress
        Called with (steps done, steps in all).
    """

    measures: tuple[AnyMeasure, ...]
    model: str
    rope: Rope
    hdi_mass: float
    settings: Settings
    prior: Prior = field(default_factory=lambda: Prior(name="uniform"))
    mass: float | None = None
    undefined: str = "drop"
    average: str = "items"
    by_label: bool = False
    owners: Mapping[str, str] = field(default_factory=dict)
    label: Label | None = None
    notes: tuple[Finding, ...] = ()
    progress: Callable[[int, int], None] | None = field(default=None, compare=False, repr=False)
