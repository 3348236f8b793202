"""Measures of scores under weights on many items, without draws: laws from what each item's weight changes.

A measure of many items is nearly linear in their weights, whatever it is. How much each weight changes it, and by how
much that changes in turn where the weights matter together, is asked of the measure itself, at a few weights near their
means: along the direction in which systems differ most (as in the ABC intervals of DiCiccio & Efron 1992), and in
random directions for the sum of all curvatures. `inference/inversion.py` makes a law of it, or says that it cannot.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.inversion import Curved, inverted
from outclass.measures.local import At, Local
from outclass.measures.scored import ScoreMeasure
from outclass.models.pseudo_items import Weighable

PROBES: Final = 4  # random directions: the curvature adds little to the variance, so that roughly will do
NEAR: Final = 1e-4  # stds of the weights: a step in a random direction
STEP: Final = 0.02  # stds of the measure: a step in the direction that changes it most


class ScoreLaws:
    """The laws of a measure of some systems, and of its differences, under gamma weights on items."""

    def __init__(self, items: Weighable, measure: ScoreMeasure, rng: np.random.Generator) -> None:
        assert items.truth is not None
        assert measure.derive is not None
        self._items, self._rng = items, rng
        self._systems: list[At] = [measure.derive(items.truth, own) for own in items.values]
        self._scales = np.ones(len(items.shapes)) if items.scales is None else items.scales
        self._means = items.shapes * self._scales
        self._variances = self._means * self._scales
        self._found: dict[tuple[float, ...], Distribution | None] = {}

    def law(self, signs: Sequence[float], support: Interval) -> Distribution | None:
        """Return the law of a sum of the systems' measures, each with its sign or left out: None if it is not known."""
        key = tuple(signs)
        if key not in self._found:
            try:
                self._found[key] = inverted(self._curved(key), support)
            except RoughLawError:
                self._found[key] = None
        return self._found[key]

    def seen(self, items: int) -> Floats:
        """Return the measure of the data themselves, of each system: the first items, all alike."""
        alike = np.zeros(len(self._means))
        alike[:items] = 1.0
        return np.array([at(alike).value for at in self._systems])

    @cached_property
    def _here(self) -> list[Local]:
        return [at(self._means) for at in self._systems]

    @cached_property
    def _turned(self) -> list[Floats]:
        """How much each system's slopes change along random directions: (probes, items)."""
        steps = self._rng.integers(0, 2, (PROBES, len(self._means))) * 2.0 - 1
        steps *= np.sqrt(self._variances)
        return [
            np.array([(at(self._means + NEAR * step).slopes - here.slopes) / NEAR for step in steps])
            for at, here in zip(self._systems, self._here, strict=True)
        ]

    def _curved(self, signs: tuple[float, ...]) -> Curved:
        """Return the sum near the means of the weights, with the cumulants of its curvature to leading order.

        With slopes g, curvatures H, third derivatives C and the weights' variances V, third and fourth cumulants K3
        and K4 (McCullagh 1987, section 3.6): the mean gains tr(HV)/2; the variance tr(HVHV)/2 + sum g K3 H_ii + what
        tr(HV) changes by along Vg; the third cumulant 3 g'VHVg; the fourth 12 (g g K3)'HVg + 12 g'VHVHVg + 4 C[Vg]^3.
        """
        own = [(place, sign) for place, sign in enumerate(signs) if sign]
        here = _Sum.of([self._here[place] for place, _ in own], own)
        variances, thirds = self._variances, 2 * self._variances * self._scales
        std = float(np.sqrt(variances @ here.slopes**2))
        if not std > 0:
            raise RoughLawError("nothing changes with the weights")
        pulled = variances * here.slopes
        up, down = (
            _Sum.of([self._systems[place](self._means + step * pulled) for place, _ in own], own)
            for step in (STEP / std, -STEP / std)
        )
        turned = (up.slopes - down.slopes) * (std / (2 * STEP))
        swung = float((up.bends - down.bends) @ variances) * (std / (2 * STEP))
        third_order = float((up.slopes + down.slopes - 2 * here.slopes) @ pulled) * (std / STEP) ** 2
        probed = _weighted([self._turned[place] for place, _ in own], own)
        return Curved(
            value=here.value,
            shift=float(here.bends @ variances) / 2,
            shapes=self._items.shapes,
            slopes=here.slopes * self._scales,
            variance=float((probed**2 @ variances).mean()) / 2 + float((here.slopes * here.bends) @ thirds) + swung,
            third=3 * float(pulled @ turned),
            fourth=12 * float((here.slopes**2 * thirds) @ turned) + 12 * float(variances @ turned**2) + 4 * third_order,
        )


class _Sum(NamedTuple):
    """Several measures at the same weights, added up with their signs."""

    value: float
    slopes: Floats
    bends: Floats

    @classmethod
    def of(cls, parts: Sequence[Local], own: Sequence[tuple[int, float]]) -> "_Sum":
        """Add up."""
        value = sum(sign * part.value for part, (_, sign) in zip(parts, own, strict=True))
        return cls(
            value, _weighted([part.slopes for part in parts], own), _weighted([part.bends for part in parts], own)
        )


def _weighted(parts: Sequence[Floats], own: Sequence[tuple[int, float]]) -> Floats:
    """Return the sum of arrays, each with its sign."""
    found = own[0][1] * parts[0]
    for part, (_, sign) in zip(parts[1:], own[1:], strict=True):
        found = found + sign * part
    return found
