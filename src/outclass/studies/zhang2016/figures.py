"""The paper's figures 4 to 6."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from outclass.answers.comparison import Comparison
from outclass.answers.plan import Plan
from outclass.ask.compare import compare
from outclass.data.outcomes import Outcomes
from outclass.report import charts
from outclass.report.drawing.theme import titled
from outclass.studies.study import Desk
from outclass.studies.zhang2016.paper import PAIRS

EXAMPLE: Final = "rec.motorcycles"  # category 8 of Table 6: the paper's figures
CHAIN, SHORT_CHAIN = 50_000, 1_000


def draw(desk: Desk, outcomes: Outcomes, plans: Mapping[str, Plan]) -> None:
    """Draw all of them."""
    example = EXAMPLE if EXAMPLE in outcomes.labels else str(outcomes.labels[0])
    one = compare(outcomes, systems=PAIRS[6], positive=example, **desk.how)
    desk.figure(
        "figure4",
        "Figure 4: a chain as run by the authors",
        lambda: charts.plot(_chain(desk, outcomes, example), "trace"),
    )
    for name, found in plans.items():
        shown = f"Figure 5{name}: power of the paired and the unpaired model"
        desk.figure(f"figure5{name}", shown, partial(_power_chart, found, shown))
    shown = f"Figure 6: {PAIRS[6][0]} against {PAIRS[6][1]} on {example}"
    desk.figure("figure6_posterior", f"{shown}, the posterior", lambda: charts.plot(one, "posterior"))
    desk.figure("figure6_factor", f"{shown}, the Bayes factor", lambda: charts.plot(one, "factor"))


def _power_chart(found: Plan, shown: str) -> Any:
    return titled(charts.plot(found, "power"), shown, f"scenario, ROPE ±0.05, {found.sets:,} simulated sets per point")


def _chain(desk: Desk, outcomes: Outcomes, example: str) -> Comparison:
    import warnings

    from outclass.inference.chains import ChainWarning

    with warnings.catch_warnings():
        # The authors' chain is a bad one; this is what the figure shows.
        warnings.simplefilter("ignore", ChainWarning)
        return compare(
            outcomes,
            systems=PAIRS[6],
            positive=example,
            prior="uniform",
            method="mcmc",
            sampler="metropolis",
            chains=1,
            draws=SHORT_CHAIN if desk.quick else CHAIN,
            rng=1,
        )
