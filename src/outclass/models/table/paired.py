"""Two classifiers on the same items (Zhang et al. 2016, section 3.1.2), integrated instead of sampled.

mu ~ Beta; what the two systems say, given the class, ~ Dirichlet over (both, only A, only B, neither). Any two of the
four outcomes can be singled out: their joint share t, the split r between them, and the split v of the other two are
then independent Betas. The difference of any linear-fractional measure is strictly monotone in r, so r is integrated
in closed form, for the class and the two outcomes that matter most, the six other coordinates by Sobol points.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, RoughLawError
from outclass.inference.adaptive import FIRST_POWER, adaptive, enough
from outclass.inference.aligned import Direction, aligned, aligned_check, aligned_tails
from outclass.inference.beside import Beside
from outclass.inference.beta import LogitBetas, logit_beta
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes, grid, sobol_points
from outclass.inference.settings import Settings
from outclass.measures.measure import Cells, Measure, pair_difference
from outclass.models.evidence import Evidence
from outclass.models.forms import (
    Move,
    Said,
    Side,
    Unit,
    cells_of,
    difference_support,
    fraction_difference,
    support_of,
)
from outclass.models.null_density import finite_at_zero, uniform_density
from outclass.models.one.single import ROUGH, SOBOL_POWER, BetaPair, Single, sobol_unit, unit, units
from outclass.models.prior import Prior
from outclass.models.splits import BOTH, DISAGREEMENT, MOVES, NEITHER, curve_of, mixture_of, said, shares
from outclass.models.table import TableModel

Alphas = tuple[float, float, float, float]
SIDES: Final[tuple[Side, Side]] = ("positives", "negatives")
STEP: Final = 0.05
TABLED: Final = 2  # powers fewer for tables, which are larger
RARE: Final = 2.5  # items of a kind, with their pseudo-count
FEW: Final = 12  # of one class, with their pseudo-count: the distribution of the split is then far from normal


class _Integral(NamedTuple):
    """How a difference was integrated: over the split of two outcomes on one class, and nodes of everything else."""

    side: Side
    pair: tuple[int, int]
    direction: Direction


@dataclass(frozen=True)
class Paired:
    """The posterior of two systems' behaviour: mu ~ Beta, and a Dirichlet for each class."""

    mu: BetaPair
    positives: Alphas
    negatives: Alphas
    settings: Settings
    # Where the differences were integrated, by measure: enough to find them under another prior.
    _found: dict[Measure, "_Integral"] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Paired":
        """Add the counts to the prior's pseudo-counts."""
        if evidence.joint is None:
            raise InputError(
                "the paired model needs both systems' labels on the same items. For counts, use the goutte model "
                "(or, with tn, the unpaired model); for wins, the sign model."
            )
        positives, negatives = evidence.joint.astype(float)
        return cls(
            mu=(prior.mu[0] + positives.sum(), prior.mu[1] + negatives.sum()),
            positives=_sum(prior.outcomes("positives", 4), positives),
            negatives=_sum(prior.outcomes("negatives", 4), negatives),
            settings=settings,
        )

    def __getstate__(self) -> dict[str, Any]:
        """What was found can be found again, and would be a hundred times as long."""
        return {**self.__dict__, "_found": {}}

    # --- the interface of a model -----------------------------------------------------------------------------

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the posterior of one system's measure: a sum of Dirichlet components is Beta."""
        if self.settings.method == "draws":
            return Draws.iid(measure(*self._drawn_cells[which]), support_of(measure))
        if measure.ratio is None and not measure.rises:
            return Draws(measure(*self._sobol_cells[which]), support_of(measure), "sobol draws")
        return Single(
            mu=self.mu,
            recall=_margin(self.positives, which),
            fallout=_margin(self.negatives, which),
            settings=self.settings,
        ).law(measure)

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""
        if self.settings.method == "draws":
            a, b = self._drawn_cells
            return Draws.iid(measure(*a) - measure(*b), difference_support(measure))
        law = None
        if not self._samples(measure):
            law = self._adaptive(measure) if measure.given is None else self._one_class(measure)
        if law is None:
            a, b = self._sobol_cells
            return Draws(measure(*a) - measure(*b), difference_support(measure), "sobol draws")
        return law

    def difference_under(self, other: "Paired", measure: Measure) -> Distribution:
        """Return the difference under another posterior, of the same data under a prior not far from this one's.

        What matters most and what bends most is the same there. Where few nodes were enough here, those for tails alone
        are there: they are exact to 5e-4, and keep the digits of what is far out, but do not tell their error.
        """
        found = self._found.get(measure)
        if found is None or other._samples(measure) or min(other.mu) < FEW:
            return other.difference(measure)
        return other._on(measure, found.side, found.pair, aligned_tails(found.direction))

    def _on(
        self,
        measure: Measure,
        side: Side,
        pair: tuple[int, int],
        nodes: Nodes,
        beside: Beside | None = None,
    ) -> Mixture:
        """Integrate the split of two outcomes on one class exactly, and everything else on nodes."""
        laws = LogitBetas(*self._laws(side, pair))
        curve = curve_of(measure, side, pair, units(laws, nodes.scores))
        return mixture_of(curve, laws.exact, nodes, difference_support(measure), beside)

    def _samples(self, measure: Measure) -> bool:
        """Return whether a measure can only be sampled: it may be anything, or the priors pile up at their ends."""
        rough = min(*self.mu, *self.positives, *self.negatives) < ROUGH
        return self.settings.method == "draws" or (measure.ratio is None and not measure.rises) or rough

    def density_at_zero(self, measure: Measure, *, share_known: bool = False) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite.

        The density holds a factor 1/s, s being the chance of disagreement, and under a prior s comes near zero. The
        factor is moved from the integrand into the distribution of s, which stays a Beta: E[h/s] = E[1/s] E'[h].
        """
        masses = (sum(self.positives[1:3]), sum(self.negatives[1:3]))
        agreed = tuple((alphas[BOTH], alphas[NEITHER]) for alphas in (self.positives, self.negatives))
        if not finite_at_zero(measure, self.mu, masses, (agreed[0], agreed[1]), share_known=share_known):
            return float("nan")
        if self._samples(measure):
            return float(self.difference(measure).pdf(0.0))
        if self.positives == (1.0, 1.0, 1.0, 1.0) and (factor := _recall_factor(measure)) is not None:
            return self._uniform_density(measure, factor)
        influences = self._influences(measure, [(each, DISAGREEMENT) for each in SIDES])
        side: Side = SIDES[int(np.argmax(influences))] if measure.given is None else measure.given
        alphas = self._alphas(side)
        apart = sum(alphas[1:3])
        biased = apart > 1
        if measure.given:
            law = self._one_class(measure, size_biased=biased)
        else:
            power = self._density_power() - (TABLED if measure.ratio is None else 0)
            try:
                law = self._integrated(measure, side, DISAGREEMENT, power, size_biased=biased)
            except RoughLawError:
                return float(self.difference(measure).pdf(0.0))
        if not biased:
            return float(law.pdf(0.0))
        return law.scaled_density(0.0) * (sum(alphas) - 1) / (apart - 1)

    def _density_power(self) -> int:
        # Given many items the share hardly varies, and a quarter of the points tells the density to a thousandth.
        least = FIRST_POWER if min(self.mu) < FEW else FIRST_POWER - 2
        return int(np.clip(least + 1 + np.log2(1e-3 / self.settings.tolerance), least, 16))

    def _uniform_density(self, measure: Measure, factor: float) -> float:
        """Return the density of no difference under a uniform prior on the positives: closed form given the rest."""
        laws = (self.mu, *_betas(self.negatives, DISAGREEMENT))
        # What is left is smooth: a quarter of the points tells it to three thousandths.
        share, span, split, rest = self._units(laws, self._density_power() - 2)
        rates = said(shares(DISAGREEMENT, span, split, rest))
        assert measure.ratio is not None
        bottom = measure.ratio(*share).bottom
        odds = share.rest / share.value
        g_a, g_b = (bottom.fn + odds * bottom.fp * rate for rate in (rates.a, rates.b))
        return float(np.mean(uniform_density(g_a, g_b, factor)))

    # --- sampling ---------------------------------------------------------------------------------------------

    @cached_property
    def _drawn_cells(self) -> tuple[Cells, Cells]:
        rng = np.random.default_rng(self.settings.seed)
        n = self.settings.draws
        share = rng.beta(*self.mu, n)
        rates = []
        for alphas in (self.positives, self.negatives):
            gammas = np.stack([rng.standard_gamma(alpha, n) for alpha in alphas])
            rates.append(said(gammas / gammas.sum(axis=0)))
        return _cells(share, *rates)

    @cached_property
    def _sobol_cells(self) -> tuple[Cells, Cells]:
        laws = (self.mu, *_betas(self.positives, DISAGREEMENT), *_betas(self.negatives, DISAGREEMENT))
        share, *rest = self._units(laws, SOBOL_POWER)
        both = [said(shares(DISAGREEMENT, *each)) for each in (rest[:3], rest[3:])]
        return _cells(share.value, *both)

    def _units(self, laws: Sequence[BetaPair], power: int) -> list[Unit]:
        """Return Beta variates at Sobol points, one coordinate per distribution."""
        return [sobol_unit(law, place, power, self.settings.seed) for place, law in enumerate(laws)]

    # --- integration ------------------------------------------------------------------------------------------

    def _one_class(self, measure: Measure, *, size_biased: bool = False) -> Mixture:
        """Integrate a difference of rates on one class, only A's share minus only B's, of three Dirichlet shares.

        What carries more of the spread is integrated exactly and the depends on a grid: the split of the disagreements,
        or, where these are all one system's, that system's share.
        """
        assert measure.ratio is not None
        assert measure.given is not None
        both, only_a, only_b, neither = self._alphas(measure.given)
        agreed = both + neither
        half = np.array(0.5)
        ratio, side = measure.ratio(half, half), measure.given
        total = only_a + only_b + agreed
        moved = {
            (1, -1): 2 * (only_a + only_b) / total * BetaLaw(only_a, only_b).std,
            (1, 0): (only_a + agreed) / total * BetaLaw(only_a, agreed).std,
            (0, 1): (only_b + agreed) / total * BetaLaw(only_b, agreed).std,
        }
        move = (1, -1) if size_biased else max(moved, key=lambda each: moved[each])
        split, on_grid = {
            (1, -1): ((only_a, only_b), (only_a + only_b - size_biased, agreed)),
            (1, 0): ((only_a, agreed), (only_b, only_a + agreed)),
            (0, 1): ((only_b, agreed), (only_a, only_b + agreed)),
        }[move]

        def on(step: float, coarser: Callable[[], Mixture] | None) -> Mixture:
            nodes = grid(step)
            share = unit(on_grid, nodes.scores[0])
            zero = np.zeros_like(share.value)
            # At r = 0: all disagreement is B's; or A has none of what B leaves; or the other way round.
            span, own = {
                (1, -1): (share.value, Said(zero, share.value, -share.value)),
                (1, 0): (share.rest, Said(zero, share.value, -share.value)),
                (0, 1): (share.rest, Said(share.value, zero, share.value)),
            }[move]
            curve = fraction_difference(ratio, Unit(half, half), own, Said(zero, zero, zero), Move(span, *move), side)
            return Mixture(curve, logit_beta(*split), nodes, support=difference_support(measure), coarser=coarser)

        return on(STEP, lambda: on(1.5 * STEP, None))

    def _adaptive(self, measure: Measure) -> Mixture | None:
        """Integrate the split that moves the difference most, with as many nodes as it takes; None if too many."""
        candidates = self._candidates()
        side, pair = candidates[int(np.argmax(self._influences(measure, candidates)))]
        tolerance, stepped = self.settings.tolerance, min(self.mu) < FEW
        few = () if stepped else self._aligned(measure, side, pair)
        if measure.ratio is None:
            # Its curves are tables, which many nodes would make large; and they may not be monotone after all.
            with suppress(RoughLawError):
                return enough(few, tolerance)
            return None
        return adaptive(
            lambda power: self._integrated(measure, side, pair, power), tolerance, stepped=stepped, first=few
        )

    def _aligned(self, measure: Measure, side: Side, pair: tuple[int, int]) -> Iterator[Mixture]:
        """Integrate the split of two outcomes exactly, and everything else on few nodes along what matters most."""
        laws = LogitBetas(*self._laws(side, pair))
        direction = Direction.of(lambda scores: curve_of(measure, side, pair, units(laws, scores)), 6, laws.exact)
        # The scores of what was seen once or never bend so much that a rule of degree five does not follow; but where
        # the alternative is draws, whose tails end, it is better.
        rare = [measure.ratio is not None and min(law) < RARE for law in self._laws(side, pair)[0]]
        # Where there is no measure's inverse, the alternative is draws: more copies are better.
        for rule in direction.rules(self.settings.tolerance, rare, more=measure.ratio is None):
            self._found[measure] = _Integral(side, pair, direction)
            nodes = aligned(direction, self.settings.seed, rule)
            tails, check = (partial(self._along, measure, each) for each in (aligned_tails, self._check))
            yield self._on(measure, side, pair, nodes, Beside(tails, check if rule.shares else None))
        self._found.pop(measure, None)

    def _check(self, direction: Direction) -> Nodes:
        return aligned_check(direction, self.settings.seed)

    def _along(self, measure: Measure, nodes: Callable[[Direction], Nodes]) -> Mixture:
        """Return the difference on other nodes along the direction that was found."""
        found = self._found[measure]
        return self._on(measure, found.side, found.pair, nodes(found.direction))

    def _laws(self, side: Side, pair: tuple[int, int], *, size_biased: bool = False) -> tuple[list[BetaPair], BetaPair]:
        """Return the six Betas that are not integrated exactly, what matters most first, and the one that is."""
        together, split, others = _betas(self._alphas(side), pair)
        far = _betas(self._alphas(_other(side)), DISAGREEMENT)
        return [far[1], (together[0] - size_biased, together[1]), far[0], self.mu, others, far[2]], split

    def _candidates(self) -> list[tuple[Side, tuple[int, int]]]:
        """Return the splits worth looking at: others than disagreement only where that is all one system's."""
        found = []
        for side in SIDES:
            few, many = sorted(self._alphas(side)[1:3])
            found += [(side, pair) for pair in (MOVES if 4 * few < many else [DISAGREEMENT])]
        return found

    def _integrated(
        self, measure: Measure, side: Side, pair: tuple[int, int], power: int, *, size_biased: bool = False
    ) -> Mixture:
        """Integrate the split of two outcomes on one class exactly, and everything else by Sobol points."""
        nodes = sobol_points(power, 6, self.settings.seed)
        # What matters most comes first, where Sobol points are most even.
        laws, split = self._laws(side, pair, size_biased=size_biased)
        curve = curve_of(measure, side, pair, self._units(laws, power))
        return mixture_of(curve, logit_beta(*split), nodes, difference_support(measure))

    def _influences(self, measure: Measure, candidates: Sequence[tuple[Side, tuple[int, int]]]) -> Floats:
        """Return how far one std of each split moves the difference, at the mean of everything else."""
        share = self.mu[0] / (self.mu[0] + self.mu[1])
        tables = np.array([self._moved(*each, towards) for towards in (-0.5, 0.5) for each in candidates])
        tables[:, :4] *= share
        tables[:, 4:] *= 1 - share
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = np.split(pair_difference(measure, tables.reshape(-1, 2, 4)), 2)
        return np.asarray(np.nan_to_num(np.abs(high - low), nan=0.0, posinf=0.0), dtype=float)

    def _moved(self, side: Side, pair: tuple[int, int], towards: float) -> list[float]:
        """Return the mean shares of the outcomes of both classes, with one split moved by some of its std."""
        shares = {each: [alpha / sum(self._alphas(each)) for alpha in self._alphas(each)] for each in SIDES}
        first, second = (self._alphas(side)[place] for place in pair)
        split = first / (first + second) + towards * BetaLaw(first, second).std
        together = shares[side][pair[0]] + shares[side][pair[1]]
        split = min(max(split, 0.0), 1.0)
        shares[side][pair[0]], shares[side][pair[1]] = together * split, together * (1 - split)
        return [*shares["positives"], *shares["negatives"]]

    def _alphas(self, side: Side) -> Alphas:
        return self.positives if side == "positives" else self.negatives


def _recall_factor(measure: Measure) -> float | None:
    """Return c if the measure is c R / (R + g), R the recall and g free of it: F-beta and precision are."""
    if measure.ratio is None or measure.given is not None:
        return None
    half = np.array(0.5)
    (tp, *others), bottom = measure.ratio(half, half)
    if (
        any(np.any(each) for each in others)
        or np.any(bottom.tn)
        or measure.ratio(half / 2, half) != (Cells(tp, *others), bottom)
    ):
        return None
    return float(tp) if bottom.tp - bottom.fn == 1 else None


def _other(side: Side) -> Side:
    return "negatives" if side == "positives" else "positives"


def _betas(alphas: Alphas, pair: tuple[int, int]) -> tuple[BetaPair, BetaPair, BetaPair]:
    """Return the three Betas of a Dirichlet with two outcomes singled out: their share, their split, the others'."""
    first, second = (alphas[place] for place in pair)
    third, fourth = (alphas[place] for place in range(4) if place not in pair)
    return (first + second, third + fourth), (first, second), (third, fourth)


def _cells(share: Floats, positives: Said, negatives: Said) -> tuple[Cells, Cells]:
    return cells_of(share, positives.a, negatives.a), cells_of(share, positives.b, negatives.b)


def _margin(alphas: Alphas, which: int) -> BetaPair:
    both, only_a, only_b, neither = alphas
    return (both + only_a, only_b + neither) if which == 0 else (both + only_b, only_a + neither)


def _sum(prior: tuple[float, ...], counts: Floats) -> Alphas:
    both, only_a, only_b, neither = (float(p + c) for p, c in zip(prior, counts, strict=True))
    return both, only_a, only_b, neither


MODEL: Final = TableModel(posterior=Paired)
