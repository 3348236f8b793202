"""The curves that the exact engine inverts: values by formula, roots by going there and back, speeds by differences."""

import numpy as np
import pytest

from outclass.inference.curves import Curve, Fraction, FractionDifference, OddsDifference, Shifted

R = np.array([0.0, 0.03, 0.4, 0.77, 1.0])


def _full(value: float) -> np.ndarray:
    return np.full(R.shape, value)


def _fraction(top: float, top_slope: float, bottom: float, bottom_slope: float) -> Fraction:
    return Fraction(_full(top), _full(top_slope), _full(bottom), _full(bottom_slope))


def _difference(move_a: int, move_b: int, slope: float = 0.8) -> FractionDifference:
    """Two fractions (top + speed-like slope) as F1's are: x / (bottom + slope * x) for A and for B."""
    return FractionDifference(
        span=_full(0.6),
        level=_full(0.25 * 1.4 - 0.3 * 1.1),
        # d/dx of (0.25 + m x) / (1.1 + m slope x): the top's derivative by the bottom, less the other way round.
        speed_a=_full(1.1 - 0.25 * slope),
        speed_b=_full(1.4 - 0.3 * slope),
        bottom_a=_full(1.1),
        bottom_b=_full(1.4),
        slope=_full(slope),
        move_a=move_a,
        move_b=move_b,
    )


def _difference_by_hand(r: np.ndarray, move_a: int, move_b: int, slope: float = 0.8) -> np.ndarray:
    x = 0.6 * r
    a = (0.25 + move_a * x) / (1.1 + slope * move_a * x)
    b = (0.3 + move_b * x) / (1.4 + slope * move_b * x)
    return np.asarray(a - b)


FRACTION = _fraction(0.2, 0.7, 1.0, 0.5)  # rises from 0.2 to 0.6
FALLING = _fraction(0.9, -0.6, 1.0, 0.5)  # falls from 0.9 to 0.2
CURVES: dict[str, tuple[Curve, np.ndarray]] = {
    "rising": (FRACTION, (0.2 + 0.7 * R) / (1 + 0.5 * R)),
    "falling": (FALLING, (0.9 - 0.6 * R) / (1 + 0.5 * R)),
    "shifted": (Shifted(FRACTION, 1, _full(-0.3)), (0.2 + 0.7 * R) / (1 + 0.5 * R) - 0.3),
    "what it lacks": (Shifted(FRACTION, -1, _full(0.45)), 0.45 - (0.2 + 0.7 * R) / (1 + 0.5 * R)),
    "odds, far low": (
        OddsDifference(_full(3.0), _full(0.2), _full(0.8), 1),
        3 * R / (3 * R + 1 - R) - 0.2,
    ),
    "odds, far high": (
        OddsDifference(_full(0.4), _full(0.7), _full(0.3), -1),
        0.7 - 0.4 * R / (0.4 * R + 1 - R),
    ),
    "opposite": (_difference(1, -1, 0.3), _difference_by_hand(R, 1, -1, 0.3)),
    "other way": (_difference(-1, 1, 0.3), _difference_by_hand(R, -1, 1, 0.3)),
    "one moves": (_difference(1, 0), _difference_by_hand(R, 1, 0)),
    "other moves": (_difference(0, 1), _difference_by_hand(R, 0, 1)),
}


@pytest.mark.parametrize("name", CURVES)
def test_values_are_those_of_the_formula(name: str) -> None:
    """A curve's values, written down once more."""
    curve, by_hand = CURVES[name]

    assert np.allclose(curve.at(R, 1 - R), by_hand, atol=1e-14)
    assert np.array_equal(curve.rising, np.full(R.shape, np.sign(by_hand[-1] - by_hand[0])))


@pytest.mark.parametrize("name", CURVES)
def test_roots_lead_back(name: str) -> None:
    """Where the curve takes a value, it takes that value; r and 1 - r are both told."""
    curve, by_hand = CURVES[name]
    r, rest, _ = curve.solve(by_hand)

    assert np.allclose(r, R, atol=1e-12)
    assert np.allclose(rest, 1 - R, atol=1e-12)


@pytest.mark.parametrize("name", CURVES)
def test_speed_is_a_difference(name: str) -> None:
    """dr/dvalue agrees with the inverse's own differences (their error is of the order 1e-9)."""
    curve, by_hand = CURVES[name]
    inner, step = by_hand[1:-1], 1e-6
    padded = np.concatenate([inner[:1], inner, inner[-1:]])  # as many values as the curve has nodes
    differences = np.abs(curve.solve(padded + step).r - curve.solve(padded - step).r) / (2 * step)

    assert np.allclose(curve.solve(padded).speed, differences, rtol=1e-6)


@pytest.mark.parametrize("name", CURVES)
def test_values_beyond_the_ends(name: str) -> None:
    """A value that the curve never takes lies beyond the end that is nearer to it."""
    curve, by_hand = CURVES[name]
    up = by_hand[-1] > by_hand[0]
    above, below = curve.solve(float(by_hand.max()) + 0.05), curve.solve(float(by_hand.min()) - 0.05)

    assert np.all(above.r == (1.0 if up else 0.0))
    assert np.all(above.rest == (0.0 if up else 1.0))
    assert np.all(below.r == (0.0 if up else 1.0))
    assert np.all(below.rest == (1.0 if up else 0.0))


def test_spans() -> None:
    """The variable of a fraction is r itself, that of a difference runs as far as its span."""
    assert np.array_equal(FRACTION.span, np.ones(5))
    assert np.array_equal(Shifted(FRACTION, -1, _full(0.2)).span, np.ones(5))
    assert np.array_equal(OddsDifference(_full(3.0), _full(0.2), _full(0.8), 1).span, np.ones(5))
    assert np.array_equal(_difference(1, -1).span, _full(0.6))


def test_beyond_the_pole() -> None:
    """R / (0.1 + r) is 10/11 at most; the equation for 1.5 has a root beyond the pole, which must not be taken."""
    root = _fraction(0.0, 1.0, 0.1, 1.0).solve(1.5)

    assert np.all(root.r == 1)
    assert np.all(root.rest == 0)


def test_nothing_over_nothing() -> None:
    """0/0 and overflow count as nothing, and warn nobody."""
    zero = np.zeros(3)
    none = Fraction(np.array([0.0, 1.0, -1.0]), zero, zero, zero)
    difference = FractionDifference(
        span=zero + 1,
        level=np.array([0.0, 1.0, -1.0]),
        speed_a=zero,
        speed_b=zero,
        bottom_a=zero,
        bottom_b=zero,
        slope=zero,
        move_a=1,
        move_b=-1,
    )

    assert np.array_equal(none.at(zero, zero + 1), zero)
    assert np.array_equal(difference.at(zero, zero + 1), zero)


def test_flat_fraction_counts_as_rising() -> None:
    """A fraction that does not move has a direction all the same, so that its values are on one side."""
    flat = Fraction(np.array([0.3]), np.array([0.0]), np.array([1.0]), np.array([0.0]))

    assert flat.rising[0] == 1
    assert flat.solve(0.2).r[0] == 0
    assert flat.solve(0.4).r[0] == 1


def test_far_ends_keep_their_digits() -> None:
    """X = 1 - 1e-20 less far = 1 - 3e-20: each by what it lacks to one, the difference is 2e-20 to its own digits."""
    curve = OddsDifference(np.array([1.0]), np.array([1.0]), np.array([3e-20]), 1)

    assert curve.at(np.array([1.0]), np.array([1e-20]))[0] == pytest.approx(2e-20, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("top_a", "top_b", "bottom_a", "bottom_b", "slope", "r"),
    [(1.6875, 1.75, 0.975, 0.1875, -0.9, 0.716), (0.4, 0.9, 0.4, 1.25, 0.9, 0.95), (0.2, 0.05, 0.175, 1.36, 0.5, 0.84)],
)
def test_the_other_root(top_a: float, top_b: float, bottom_a: float, bottom_b: float, slope: float, r: float) -> None:
    """Here the smaller root of the quadratic is below 0, and the larger one is where the curve takes the value."""
    curve = FractionDifference(
        span=np.array([1.0]),
        level=np.array([top_a * bottom_b - top_b * bottom_a]),
        speed_a=np.array([bottom_a - top_a * slope]),
        speed_b=np.array([bottom_b - top_b * slope]),
        bottom_a=np.array([bottom_a]),
        bottom_b=np.array([bottom_b]),
        slope=np.array([slope]),
        move_a=1,
        move_b=-1,
    )
    value = (top_a + r) / (bottom_a + slope * r) - (top_b - r) / (bottom_b - slope * r)

    assert curve.solve(value).r[0] == pytest.approx(r, abs=1e-9)


def _random_curves(rng: np.random.Generator, move_a: int, move_b: int) -> FractionDifference:
    """Two hundred differences as measures have them: tops within their bottoms, bottoms that stay positive."""
    bottom_a, bottom_b = rng.uniform(0.4, 2.0, (2, 200))
    top_a, top_b = bottom_a * rng.random(200), bottom_b * rng.random(200)
    slope = rng.uniform(-0.5, 0.9, 200)
    span = rng.uniform(0.05, 0.35, 200)
    return FractionDifference(
        span=span,
        level=top_a * bottom_b - top_b * bottom_a,
        speed_a=bottom_a - top_a * slope,
        speed_b=bottom_b - top_b * slope,
        bottom_a=bottom_a,
        bottom_b=bottom_b,
        slope=slope,
        move_a=move_a,
        move_b=move_b,
    )


@pytest.mark.parametrize("moves", [(1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)])
def test_any_difference_leads_there_and_back(moves: tuple[int, int]) -> None:
    """Of random curves: roots of their own values, one by one and several at once; below and above them the ends."""
    curve = _random_curves(np.random.default_rng(7), *moves)
    r = np.random.default_rng(8).random(200)
    found = curve.solve(curve.at(r, 1 - r))
    assert found.r == pytest.approx(r, abs=1e-9)
    assert found.rest == pytest.approx(1 - r, abs=1e-9)

    ends = [curve.at(np.full(200, end), np.full(200, 1 - end)) for end in (0.0, 1.0)]
    least, greatest = np.minimum(*ends), np.maximum(*ends)
    rises = curve.rising > 0
    assert np.array_equal(rises, ends[1] > ends[0])
    for value, expected in ((least, ~rises), (least - 0.3, ~rises), (greatest, rises), (greatest + 0.3, rises)):
        assert np.array_equal(curve.solve(value).r, expected.astype(float))
    # A few values for all curves together are what each is by itself.
    values = np.quantile(curve.at(r, 1 - r), [0.1, 0.5, 0.9])
    together = curve.solve(values[:, None])
    for at, value in enumerate(values):
        alone = curve.solve(float(value))
        assert all(np.array_equal(a[at], b) for a, b in zip(together, alone, strict=True))
        inside = (value > least) & (value < greatest)
        assert inside.any()
        assert curve.at(alone.r, alone.rest)[inside] == pytest.approx(np.full(inside.sum(), value), abs=1e-9)
        step = 1e-6 * (greatest - least)
        moved = np.abs(curve.solve(value + step).r - curve.solve(value - step).r) / (2 * step)
        well = inside & (alone.r > 1e-3) & (alone.rest > 1e-3)
        assert alone.speed[well] == pytest.approx(moved[well], rel=1e-4)
