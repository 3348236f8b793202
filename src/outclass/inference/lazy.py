"""A law that can be made again, so that ten thousand answers need not hold, or send, what each was computed from."""

from collections import deque
from collections.abc import Callable
from typing import Final
from weakref import ref

from outclass.inference.distribution import Distribution

# The distributions asked for last are kept whole: whoever draws one asks it many times.
_LATEST: Final[deque[Distribution]] = deque(maxlen=8)


class LazyDistribution:
    """A law, and how it was made; without the law it is small, and it is made again when it is asked for.

    Parameters
    ----------
    law
        The distribution; held until it is forgotten, or the whole is sent to another process. None if it was not made
        yet.
    make
        Makes the very same distribution.
    """

    def __init__(self, law: Distribution | None, make: Callable[[], Distribution]) -> None:
        self._law = law
        self._make = make
        self._known: ref[Distribution] | None = None

    def __call__(self) -> Distribution:
        """Return the distribution."""
        known = self._law or (self._known() if self._known is not None else None)
        if known is None:
            known = self._make()
            _LATEST.append(known)
            self._known = ref(known)
        return known

    @property
    def recipe(self) -> "LazyDistribution":
        """The same without the distribution."""
        return LazyDistribution(None, self._make)

    def forget(self) -> None:
        """Keep the recipe alone."""
        self._law = None

    def __getstate__(self) -> Callable[[], Distribution]:
        return self._make

    def __setstate__(self, make: Callable[[], Distribution]) -> None:
        self._law, self._make, self._known = None, make, None
