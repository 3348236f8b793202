"""The quick form of the calibration: no test cries wolf too often without saying so."""

import pytest
from macro_coverage import coverages
from type_one import NAMED, PAGE, rates


@pytest.mark.slow
def test_false_alarms() -> None:
    """150 simulated sets a scenario, fixed seed: at most .05 plus three simulation errors, or named."""
    found = rates(150)
    assert not [each for each in found if each.excess and (each.test, each.scenario) not in NAMED]
    # The excess that is named is there: a document-level dependence that the pooled tests do not see.
    by_name = {(each.test, each.scenario): each.rate for each in found}
    assert by_name["micro_sign, two-sided", "150 documents of 20 labels"] > 0.1
    assert by_name["micro_sign, observed side", "200 items"] > 0.06


def test_the_page_has_no_unexplained_excess() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "too often" in text
    assert "unexplained" not in text


@pytest.mark.slow
def test_coverage_of_macro_f1_intervals() -> None:
    """From 500 items on between .93 and .97, give or take three simulation errors; the full table is in the docs."""
    for each in coverages(150, (500,), draws=500):
        assert 0.93 - 3 * each.error <= each.rate <= 0.97 + 3 * each.error, each


def test_the_page_shows_the_coverage() -> None:
    """In the full table the coverage from 500 items on is between .93 and .97, labels being common."""
    rows = [line.split("|")[1:4] for line in PAGE.read_text(encoding="utf-8").splitlines() if "labels a" in line]
    found = {(data.strip(), int(items.replace(",", ""))): float(rate) for data, items, rate in rows if "of 10" in data}
    large = [rate for (_, items), rate in found.items() if items >= 500]
    assert len(large) == 4
    assert all(0.93 <= rate <= 0.97 for rate in large)
