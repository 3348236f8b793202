"""Several annotators: whether it depends on the annotator which system leads."""

from collections.abc import Iterator
from typing import Final

from outclass.data.annotated import Votes
from outclass.data.classes import Classes
from outclass.findings import Finding, declare, finding
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted
from outclass.rows.checks import Case

declare(OC721="which system leads depends on the annotator")

SHOWN: Final = 2


def check(case: Case) -> Iterator[Finding]:
    """Look at the difference against every annotator by itself."""
    data = case.fit.data
    if case.b is None or not isinstance(data, Votes):
        return
    pair = case.fit.systems[case.a], case.fit.systems[case.b]
    found = {}
    for annotator in data.data.annotators:
        own = Classes(data.data.against(annotator).selected(pair))
        units = units_of(own, pair, matrix=case.measure.matrix)
        seen = Weighted(units, pair, 1, 0, case.fit.question.undefined).observed([case.measure])[case.measure.name]
        found[annotator] = float(seen[0] - seen[1])
    sign = 1 if case.measure.higher_is_better else -1
    ahead = {
        name: [annotator for annotator, lead in found.items() if sign * side * lead > 0]
        for name, side in zip(pair, (1, -1), strict=True)
    }
    if all(ahead.values()):
        told = " and ".join(f"{name} leads against {_listed(own)}" for name, own in ahead.items())
        yield finding("OC721", f"{told}: which system is ahead depends on the annotator.")


def _listed(annotators: list[str]) -> str:
    more = f" and {len(annotators) - SHOWN} more" if len(annotators) > SHOWN else ""
    return f"{' and '.join(annotators) if not more else ', '.join(annotators[:SHOWN])}{more}"
