"""Coverage without true labels: the quick form of the study, and the page that the full form wrote."""

import numpy as np
from latent import PAGE, WORLDS, drawn, f1, kept, page, truth_of


def test_the_full_study() -> None:
    """Where judges are independent, 93% or more are covered up to three errors; where they are not, the page says so."""
    found = {each.name: each for each in kept()}

    assert list(found) == [world.name for world in WORLDS]
    for world in WORLDS:
        each = found[world.name]
        error = (0.95 * 0.05 / each.sets) ** 0.5
        if not world.shared and not world.copies:
            assert each.coverage >= 0.93 - 3 * error, each
    assert found["each judge copies A in 30% of the items"].coverage < 0.8


def test_sets_are_of_their_world() -> None:
    """Of very many items the table of the truth is the expected one, and judges are as often right as they should be."""
    world = next(each for each in WORLDS if each.name == "10,000 items")
    tables = [drawn(world, np.random.default_rng(seed)) for seed in range(20)]
    mean = np.mean([table for _, table in tables], axis=0) / world.items

    assert np.abs(mean - truth_of(world)).max() < 0.005
    assert abs(float(f1(mean)) - float(f1(truth_of(world)))) < 0.01


def test_the_page_is_what_was_found() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(kept())
