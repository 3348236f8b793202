"""Coverage: the quick form of the study, and the page that the full form wrote."""

import json
import math

import interval_coverage
import pytest
from interval_coverage import PAGE, Cell, Covered, covered, grid, kept, of_numbers, of_one, of_two, page

from outclass.models import VIEWS, models_of

SETS = 100
ERROR = math.sqrt(0.95 * 0.05 / SETS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("road", "cell"),
    [
        (of_two, Cell("paired", "f1", "one test set", 200, 0.5, 0.0)),
        (of_two, Cell("sign", "accuracy", "one test set", 1_000, 0.5, 0.0)),
        (of_two, Cell("goutte", "f1", "two test sets", 200, 0.5)),
        (of_one, Cell("single", "f1", "one system", 200, 0.5)),
        (of_numbers, Cell("t", "mean", "normal differences", 200)),
    ],
    ids=lambda each: getattr(each, "model", ""),
)
def test_coverage(road: interval_coverage.Road, cell: Cell) -> None:
    """A hundred sets, fixed seed: .95, give or take four simulation errors."""
    found = covered(road, cell, SETS)
    assert found.sets == SETS
    assert abs(found.rate - 0.95) < 4 * ERROR


def test_the_study_can_fail() -> None:
    """Systems that agree on nearly everything, taken as unpaired: far too wide, and the user is told."""
    found = covered(of_two, Cell("goutte", "f1", "one test set", 200, 0.5, 0.95), SETS)
    assert found.rate > 0.97 + ERROR
    assert found.state == "too wide, flagged"
    assert "OC302" in found.codes
    # Were nothing said, the study would say so.
    silent = Covered(found.cell, SETS, found.rate, found.width, 0.0, (), found.rate)
    assert silent.state == "too wide, not flagged"


def test_every_interval_is_right_or_its_user_is_told() -> None:
    """In the full study, at every place of the grid: between .93 and .97, or a finding is shown."""
    found = {each.cell: each for each in kept()}
    assert [cell for _, cell, _ in grid() if cell not in found] == []
    assert [each for each in found.values() if each.state.endswith("not flagged")] == []
    assert min(each.sets for each in found.values()) >= 190


def test_p_best_is_calibrated() -> None:
    """In the full study, systems that differ by five points: P(best) is what it says, within .03 and four errors."""
    for _, _, many, said, best in json.loads(interval_coverage.BEST.read_text(encoding="utf-8"))["0.05"]:
        assert abs(said - best) <= 0.03 + 4 * math.sqrt(max(said * (1 - said), 1e-4) / many)


def test_no_model_is_forgotten() -> None:
    """Every model with an interval is in the study; those over many data sets tell probabilities, not an interval."""
    studied = {cell.model for _, cell, _ in grid()}
    known = {name for view in VIEWS for name in models_of(view)}
    # Partly labelled items, runs and repeats have studies of their own, strata a test beside the model's others.
    elsewhere = {"poststratified", "dawid_skene", "crossed", "fixed", "repeats", "strata"}
    # Over many labels the paired model goes by the name of what it draws; pooled decisions and weights without a prior are
    # known to be too sure.
    assert (known | {"weights", "ranks"}) - {"signed_rank", "decisions", "plain_bootstrap", *elsewhere} == studied


def test_the_page_is_what_was_found() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(kept())
