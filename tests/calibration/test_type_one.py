"""The quick form of the calibration: no test cries wolf too often without saying so."""

import pytest
from type_one import NAMED, PAGE, rates


@pytest.mark.slow
def test_false_alarms() -> None:
    """A hundred simulated sets a scenario, fixed seed: at most .05 plus three simulation errors, or named."""
    found = rates(100)
    assert not [each for each in found if each.excess and (each.test, each.scenario) not in NAMED]
    # The excess that is named is there: a document-level dependence that the pooled tests do not see.
    by_name = {(each.test, each.scenario): each.rate for each in found}
    assert by_name["micro_sign, two-sided", "150 documents of 20 labels"] > 0.1
    assert by_name["micro_sign, observed side", "200 items"] > 0.06


def test_the_page_has_no_unexplained_excess() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "too high" in text
    assert "unexplained" not in text
