"""The interval of a difference in AUC: the quick form of its calibration, and the page that the full form wrote."""

import re
from pathlib import Path

import auc_coverage
import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "auc_coverage.md"


def test_coverage() -> None:
    """100 of each class in 200 sets: .95 within four errors; five positives: too narrow, which is why it warns."""
    error = np.sqrt(0.95 * 0.05 / 200)

    assert abs(auc_coverage.covered(200, 0.5, 200, 500, 3)[0] - 0.95) < 4 * error
    assert auc_coverage.covered(200, 0.025, 200, 500, 3)[0] < 0.9


def test_the_page_shows_where_it_fails() -> None:
    """Every cell that was asked for; wherever the interval fails by more than three errors, a finding warns."""
    rows = re.findall(
        r"^\| ([\d,]+) \| ([\d.]+) \| [\d,]+ \| ([\d.]+) \| [\d.]+ \| (\w*) ?\|$", PAGE.read_text(), re.MULTILINE
    )

    assert {(int(n.replace(",", "")), float(share)) for n, share, _, _ in rows} == {
        (n, share) for n in auc_coverage.SIZES for share in auc_coverage.SHARES
    }
    for _, _, held, warns in rows:
        assert warns == "yes" or abs(float(held) - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 400)
