"""The two p-values of the 2016 paper against SciPy."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outclass.significance.sign import sign_exact
from outclass.significance.welch import welch_t


@given(st.integers(0, 400), st.integers(0, 400))
def test_sign_test(only_a: int, only_b: int) -> None:
    """The exact sign test is SciPy's two-sided binomial test."""
    expected = stats.binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0

    assert sign_exact(only_a, only_b).p_value == pytest.approx(expected, abs=1e-12)


def test_sign_test_without_disagreement() -> None:
    """No discordant item gives p = 1, never 0."""
    assert sign_exact(0, 0).p_value == 1.0


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 60), st.integers(0, 60))
def test_welch(right_a: int, right_b: int, wrong_a: int, wrong_b: int) -> None:
    """Welch's test from counts is SciPy's from the 0/1 vectors."""
    a, b = np.repeat([1.0, 0.0], [right_a, wrong_a]), np.repeat([1.0, 0.0], [right_b, wrong_b])
    found = welch_t(right_a, len(a), right_b, len(b)).p_value
    if min(len(a), len(b)) < 2:
        assert math.isnan(found)
    elif wrong_a == wrong_b == 0:
        assert found == 1.0
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SciPy warns where one vector is constant, and is right all the same
            expected = stats.ttest_ind(a, b, equal_var=False).pvalue
        assert found == pytest.approx(expected, abs=1e-10)


def test_welch_without_spread() -> None:
    """All right against all wrong has no spread to measure the difference by: no p-value, rather than 0."""
    assert math.isnan(welch_t(5, 5, 0, 5).p_value)
