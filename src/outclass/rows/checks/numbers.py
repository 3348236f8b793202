"""Numbers: few items of a class, near-perfect rankings, tied or skewed differences, measures without an interval."""

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.scores import Scores
from outclass.findings import Finding, declare, finding
from outclass.models.fit import Fit
from outclass.models.means import differing, tied_share
from outclass.rows.checks import Case
from outclass.rows.checks.disagreement import FEW_DISAGREEMENTS, Disagreements, few_disagreements, few_units
from outclass.rows.checks.sizes import FEW_ITEMS, FEW_OF_A_CLASS
from outclass.rows.types import Contrast
from outclass.significance.delong import placements_of

declare(
    OC212="too few items for a reliable interval",
    OC213="many differences are tied",
    OC214="few and skewed differences",
    OC215="the measure has no interval",
)

FEW_GROUPS: Final = 8
FEW_MISRANKED: Final = 6.0  # items, each counted by how much of the other class it is misranked against
LITTLE: Final = 0.2  # of the other class, by which an item is moved
MANY_TIES: Final = 0.2
SKEWED: Final = 0.02  # squared skewness per item, above which intervals of a mean cover the true value too seldom
UNSTEADY: Final = "recall_at_precision"  # jumps where one item crosses the wanted precision


def check(case: Case) -> Iterator[Finding]:
    """Look at the scores or results of two systems, or of one."""
    scores: Any = case.fit.data
    if not hasattr(scores, "fold_share"):
        return
    names = (case.names[0], case.names[-1])
    if scores.truth is not None:
        yield from of_classifier(scores, case.measure, names)
    elif case.b is None:
        if len(scores) < FEW_ITEMS:
            yield few_units(len(scores))
    else:
        yield from _of_results(scores, case.fit, case.measure, names)
    if case.fit.model.endswith(".student") and isinstance(case.row, Contrast):
        yield from _far_from_the_mean(case.row)


def _far_from_the_mean(row: Contrast) -> Iterator[Finding]:
    difference = row.difference
    if abs(row.observed - difference.mean) > difference.std > 0:
        yield finding(
            "OC213",
            f"the mean difference is {row.observed:.4g}, but the student model estimates the centre at "
            f"{difference.mean:.4g}, because it treats distant values as outliers. If every item should count, use "
            "⟨model=bootstrap⟩ or ⟨model=t⟩.",
        )


def of_classifier(scores: Scores, measure: Any, names: tuple[str, str]) -> Iterator[Finding]:
    """Look at the scores of two classifiers, or of one with itself."""
    assert scores.truth is not None
    truth = scores.truth
    if not measure.interval:
        yield finding(
            "OC215",
            f"{measure.title} has no interval: binning biases it upwards by an unknown amount. To compare "
            "calibration with an interval, use the Brier score (⟨measure=brier⟩).",
        )
        return
    few, unit = min(
        (int(mask.sum()) if scores.group is None else len(np.unique(scores.group[mask])), which)
        for mask, which in ((truth, "positive"), (~truth, "negative"))
    )
    if few < FEW_ITEMS:
        what = "items" if scores.group is None else "groups with items"
        yield finding(
            "OC212", f"only {few} {unit} {what}: the interval of {measure.title} may be too narrow or too wide."
        )
    a, b = (scores.values[name] for name in names)
    if not measure.ranks:
        if names[0] != names[1]:
            yield from few_disagreements(*names, Disagreements(len(scores), int(differing(a, b).sum())))
        if len(scores) < FEW_ITEMS:
            yield few_units(len(scores))
        return
    if measure.name.startswith(UNSTEADY):
        yield finding(
            "OC212",
            f"{measure.title} depends on the few items near its threshold; its interval may be too narrow or too wide.",
        )
    # What each item loses against the other class: 0 if all of it is on the right side.
    places = [placements_of(scores, name) for name in names]
    for name, placed in dict(zip(names, places, strict=True)).items():
        lost = min(float((1 - part).sum()) for part in placed)
        if lost < FEW_MISRANKED:
            yield finding(
                "OC212",
                f"{name} ranks nearly perfectly (as if {lost:.1f} {unit}s were misranked), so its interval depends on "
                "the prior.",
            )
    if names[0] == names[1]:
        return
    moved = [np.abs(one - other) for one, other in zip(*places, strict=True)]
    changed = sum(int((part > 0).sum()) for part in moved)
    if changed == 0:
        yield finding(
            "OC105",
            f"{names[0]} and {names[1]} rank every positive item identically among the negatives; any remaining "
            "difference comes from the prior.",
        )
    elif any(float(part.sum()) < FEW_MISRANKED and float(part.mean()) < LITTLE for part in moved):
        yield finding(
            "OC104",
            f"{names[0]} and {names[1]} rank {changed:,} of {len(scores):,} items differently, most by little, so the "
            "result depends on the prior.",
        )


def _of_results(scores: Scores, fit: Fit, measure: Any, names: tuple[str, str]) -> Iterator[Finding]:
    model, is_mean = fit.model.rpartition(".")[2], measure.kind == "mean"
    if model == "clusters":
        return  # what there is to say of groups is said of all measures alike
    differences = scores.difference(*names)
    apart = differing(*(scores.values[name] for name in names))
    units = scores.group if scores.group is not None else scores.data_set
    if model == "strata":  # these groups and no others: items are what varies
        yield from _few_in_a_stratum(units, fit)
        units = None
    size = len(scores) if units is None else len(np.unique(units))
    if units is None and scores.fold_share is None:
        differ = int(apart.sum())
        # Where most items differ, few of them are few items, and nothing else.
        least = FEW_DISAGREEMENTS if 2 * differ <= len(scores) else 0
        yield from few_disagreements(*names, Disagreements(len(scores), differ), least=least)
        if len(scores) < FEW_ITEMS:
            yield few_units(len(scores))
    elif not apart.any():
        yield from few_disagreements(*names, Disagreements(len(scores), 0), prior=False)
    ties = tied_share(differences)
    if ties == 1 - 1 / len(differences) and apart.any():
        yield finding("OC213", "all differences are equal, so the data contain no information about uncertainty.")
    elif model == "student" and ties > MANY_TIES:
        yield finding(
            "OC213",
            f"{ties:.0%} of the differences are tied; the student model treats the rest as outliers and estimates "
            "the tied value, not the mean. Use ⟨model=t⟩.",
        )
    if model in ("t", "bootstrap") and units is None and is_mean:
        skewness = _skewness(differences)
        if skewness**2 > SKEWED * size:
            yield finding(
                "OC214",
                f"the differences are skewed (skewness {skewness:.1f}) and {size} items may not be enough: the "
                "interval of the mean may be too narrow.",
            )
    if units is not None and size < FEW_GROUPS:
        yield finding(
            "OC107",
            f"there are only {size} groups or data sets, so their variation is poorly known; 95% intervals cover the "
            "true value about 90% of the time.",
        )
    elif units is not None and size < FEW_ITEMS:
        yield few_units(size)
    if model == "bootstrap" and size < FEW_OF_A_CLASS:
        yield finding("OC212", f"only {size} items or groups: the interval from weights on them is too narrow.")


def _few_in_a_stratum(group: Any, fit: Fit) -> Iterator[Finding]:
    sizes = np.bincount(group)
    if fit.question.average == "groups" and len(sizes) > 1 and sizes.min() < FEW_ITEMS <= len(fit.data):
        yield finding(
            "OC107",
            f"the smallest of {len(sizes)} groups has only {sizes.min()} items but counts as much as the others, so "
            "the result depends on the model's assumptions.",
        )


def _skewness(differences: Floats) -> float:
    """Return the third moment in standard deviations; 0 where there is no spread."""
    moved = differences - differences.mean()
    spread = math.sqrt(float(np.mean(moved**2)))
    return float(np.mean((moved / spread) ** 3)) if spread > 0 else 0.0
