"""How numbers are to be made."""

import math
from dataclasses import dataclass
from typing import Final

from outclass.errors import InputError, unknown

METHODS: Final = ("auto", "exact", "draws")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The user's wishes about computation.

    Parameters
    ----------
    method
        'auto' and 'exact' integrate wherever they can ('exact' refuses where it cannot); 'draws' samples.
    draws
        How many independent draws, where draws are used.
    tolerance
        The numerical error (98%) that exact probabilities and interval ends may have; points are added until it is met.
    seed
        What every random number comes from.
    """

    method: str = "auto"
    draws: int = 50_000
    tolerance: float = 1e-4
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", str(self.method), METHODS)
        if not 100 <= self.draws <= 100_000_000:
            raise InputError(f"draws must lie between 100 and 100,000,000, got {self.draws}. The default is 50000.")
        if not (math.isfinite(self.tolerance) and 1e-8 <= self.tolerance < 0.1):
            raise InputError(f"tolerance must lie in [1e-8, 0.1), got {self.tolerance}. The default is 1e-4.")
