"""Pooled slices and the list of a search: the quick form of the study, and the page that the full form wrote."""

import math

import pytest

from outclass import measures
from outclass.measures.measure import pair_difference
from slices import CROSSED, NEARLY, PAGE, ROPE, WORLDS, held, joint, kept, listed, page


def test_worlds_are_what_they_say() -> None:
    """Two accuracies, by hand, and shares that add up."""
    import numpy as np

    shares = joint(np.array([0.9, 0.98]), np.array([0.7, 0.98]), 0.12, 0.4)

    assert shares.sum(axis=(1, 2)) == pytest.approx(1)
    assert pair_difference(measures.get("accuracy"), shares) == pytest.approx([0.2, 0.0])


def test_the_list_and_the_intervals_hold() -> None:
    """60 tables, fixed seed: within four simulation errors of what the full study found."""
    found = held(WORLDS[0], 60)

    assert found.false_share <= 0.05 + 4 * max(found.false_error, 0.005)
    assert 0.93 <= found.coverage <= 0.98
    assert found.width < found.raw_width
    assert found.power > 0.95


def test_a_pair_is_found() -> None:
    """20 tables: always found, and the list stays short."""
    found = listed(CROSSED[0], 20)

    assert found.pair_found == 1
    assert found.length < 6
    assert found.false_share <= 0.1


def test_the_full_study() -> None:
    """500 tables of each world: at most 5% of a list are false, up to the simulation's error; intervals cover."""
    slices, pairs = kept()

    assert [each.world for each in slices] == [world.name for world in WORLDS]
    assert [each.world for each in pairs] == [world.name for world in CROSSED]
    for each in (*slices, *pairs):
        assert each.sets == 500
        most = 0.2 if each.world == NEARLY else 0.05
        assert each.false_share <= most + 3 * each.false_error, each
    first = slices[0]
    assert 0.93 <= first.coverage <= 0.97
    assert first.width < first.raw_width
    for each in slices:
        assert each.coverage > 0.925, each
        assert each.width < each.raw_width or math.isclose(each.width, each.raw_width, rel_tol=0.02), each
    assert ROPE == 0.05


def test_the_page_is_what_was_found() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(*kept())
