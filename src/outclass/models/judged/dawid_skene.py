"""Dawid and Skene's model: the truth is never seen, and at least three judges err independently given the truth."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.classes import Parts
from outclass.data.outcomes import Outcomes
from outclass.data.partly_labelled import INCLUSION, PartlyLabelled
from outclass.errors import InputError, quoted
from outclass.findings import finding
from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.judged.poststratified import JUDGES
from outclass.models.judged_fit import JudgedFit
from outclass.models.latent import Judged, gibbs
from outclass.models.question import Question
from outclass.models.traces import Trace
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted

CHAINS: Final = 4
DRAWS: Final = 8_000  # of all chains
TUNED: Final = 500  # of each chain


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw the truth of every item with what judges and systems do, by chains."""
    data: PartlyLabelled = decisions.data
    patterns, others = _patterns(data)
    draws = min(question.settings.draws, DRAWS) // CHAINS
    rng = np.random.default_rng(question.settings.seed)
    found = gibbs(patterns, chains=CHAINS, draws=draws, tuned=TUNED, rng=rng)
    classes, kinds = patterns.classes, patterns.others
    # Every class with every combination of predictions is a unit; its weight is its probability.
    truth = np.repeat(np.arange(classes), kinds)
    joint = found.joint.reshape(CHAINS * draws, classes * kinds)
    expected = joint.mean(axis=0) * data.items
    outcomes = Outcomes(
        systems=data.systems,
        labels=data.labels,
        patterns=np.column_stack([truth, np.tile(others, (classes, 1))]),
        counts=np.maximum(np.rint(expected), 0).astype(np.int64),
        findings=data.findings,
    )
    measures: Any = question.measures
    units = units_of(Inferred(outcomes), data.systems, matrix=any(measure.matrix for measure in measures))
    model = Weighted(units, data.systems, draws, question.settings.seed, question.undefined, 0.0)
    nothing = np.zeros(len(joint))
    values = model.with_pseudo(joint * data.items, nothing, measures, rng)
    seen = model.with_pseudo(expected[None], nothing[:1], measures, rng)
    rights = {f"P({judge.name} right)": found.right[:, :, at] for at, judge in enumerate(data.judges)}
    told = ", ".join(f"{judge.name} {found.right[:, :, at].mean():.0%}" for at, judge in enumerate(data.judges))
    return JudgedFit(
        data=Inferred(outcomes),
        question=question,
        model="judged.dawid_skene",
        title="Dawid-Skene (latent truth)",
        prior="weak prior",
        systems=tuple(data.systems),
        items=data.items,
        label=question.label,
        findings=(*data.findings, _assumed(data, told)),
        values=values,
        seen={name: each[0] for name, each in seen.items()},
        trace=Trace(rights, "Gibbs", TUNED, 0, None),
    )


class Inferred(Parts):
    """What is expected of the true labels: no item has one of its own."""

    def amounts(self, system: str) -> Floats:
        """Return one for each decision."""
        return np.ones(len(self.contributions(system)[0]))

    def confusion_amounts(self) -> Floats:
        """Return one for each cell."""
        return np.ones(len(self.units))

    def selected(self, systems: Sequence[str]) -> "Inferred":
        """Return the same: it is of the systems that were asked about."""
        return self


def _patterns(data: PartlyLabelled) -> tuple[Judged, Counts]:
    """Return the judges' labels as classes, and the combinations of the systems' predictions."""
    judges = [judge.name for judge in data.judges if judge.name != INCLUSION]
    if len(judges) < JUDGES:
        raise InputError(
            f"the dawid_skene model needs at least {JUDGES} judges that err independently, got {len(judges)} "
            "(⟨judge⟩). With fewer, label some items and use the poststratified model."
        )
    if data.weighted or any(judge.name == INCLUSION for judge in data.judges):
        raise InputError("⟨inclusion⟩ is not used with the dawid_skene model, which infers labels: leave it out.")
    if binned := [judge.name for judge in data.judges if judge.binned]:
        raise InputError(f"the dawid_skene model needs judges that give labels, and {quoted(binned)} gives numbers.")
    classes, first = len(data.labels), 1 + len(data.systems)
    place = {str(label): code for code, label in enumerate(data.labels)}
    columns = []
    for at, judge in enumerate(data.judges, start=first):
        to = np.array([place.get(label, classes) for label in judge.labels], dtype=np.int64)
        columns.append(to[data.patterns[:, at]])
    others, other = np.unique(data.patterns[:, 1:first], axis=0, return_inverse=True)
    return (
        Judged(
            said=np.column_stack(columns),
            other=other.ravel(),
            counts=data.counts,
            classes=classes,
            others=len(others),
            known=data.patterns[:, 0],
        ),
        others,
    )


def _assumed(data: PartlyLabelled, told: str) -> Any:
    gold = "no item has a true label" if not data.labelled else f"only {data.labelled:,} items have a true label"
    return finding(
        "OC723",
        f"{gold}: the truth is inferred from {len(data.judges)} judges, assuming that they err independently of each "
        f"other and of the systems (estimated share right: {told}). Judges that share mistakes make the answer wrong "
        "and the interval too narrow; label some items to check.",
    )


MODEL: Final = FitModel(fit=fit, chains=True)
