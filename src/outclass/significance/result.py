"""What a significance test says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test's answer."""

    __test__ = False  # not a pytest class, whatever its name says

    name: str
    p_value: float
    statistic: float
    words: str
