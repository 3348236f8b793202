"""Several runs of each system: on how many items a run of one differs from a run of the other."""

import math
from collections.abc import Iterator
from itertools import islice, product
from typing import Any, Final

import numpy as np

from outclass.data.scores import Scores
from outclass.findings import Finding
from outclass.models.draws_fit import JackknifeFit
from outclass.models.means import differing as unlike
from outclass.models.runs_fit import RunsFit
from outclass.rows.checks import Case
from outclass.rows.checks.disagreement import FEW_DISAGREEMENTS, Disagreements, differing, few_disagreements
from outclass.rows.checks.groups import ENOUGH
from outclass.rows.checks.numbers import of_classifier

MOST_PAIRS: Final = 25  # of runs, that are looked at


def check(case: Case) -> Iterator[Finding]:
    """Look at the items on which runs of two systems differ."""
    fit = case.fit
    if not isinstance(fit, RunsFit) or case.b is None:
        return
    runs = [fit.data.of[name] for name in case.names]
    pairs = list(islice(product(*runs), MOST_PAIRS))
    base: Any = fit.base
    scores = base.data
    jackknife = base.jackknives[case.measure.name] if isinstance(base, JackknifeFit) else None
    if jackknife is None and isinstance(scores, Scores) and scores.truth is not None:
        # What a classifier's ranking leaves open is told of a run of each.
        yield from of_classifier(scores, case.measure, (runs[0][0], runs[1][0]))
        return
    if jackknife is not None:
        place = {name: at for at, name in enumerate(base.systems)}
        groups = jackknife.groups
        apart = [int((jackknife.apart(place[a], place[b]) > 0).sum()) for a, b in pairs]
        seen = [Disagreements(groups.number, many, "groups") for many in apart]
        least = math.ceil(min(ENOUGH, groups.effective / 2))
    elif isinstance(scores, Scores):
        apart = [int(unlike(scores.values[a], scores.values[b]).sum()) for a, b in pairs]
        seen = [Disagreements(len(scores), many) for many in apart]
        least = FEW_DISAGREEMENTS if 2 * np.mean(apart) <= len(scores) else 0
    else:
        seen = [differing(scores, a, b, case.measure) for a, b in pairs]
        least = FEW_DISAGREEMENTS
    mean = float(np.mean([each.apart for each in seen]))
    told = seen[0]._replace(apart=max(1, round(mean)) if mean else 0)
    whose = [name if len(own) == 1 else f"a run of {name}" for name, own in zip(case.names, runs, strict=True)]
    yield from few_disagreements(whose[0], whose[1], told, least=least, prior=jackknife is None)
