"""Partly labelled items in words: what the labels are worth, and what every judge is."""

import math

from outclass.report.words.numbers import decimals, signed
from outclass.rows.labelling_types import Estimate, JudgeWorth
from outclass.rows.types import Contrast


def labels_in_short(row: Contrast) -> str:
    """Say in a line how many items are labelled and what that is worth, and what the first judge is; '' otherwise."""
    known = row.labelling
    if known is None:
        return ""
    told = f"{known.labelled:,} of {known.items:,} items labelled{_worth(row)}."
    judge = next((each for each in known.judges if each.accuracy is not None), None)
    if judge is None:
        return told
    return f"{told} Judge {judge.name}: {_rates(judge)}{_alone(row, judge)}."


def _worth(row: Contrast) -> str:
    known = row.labelling
    assert known is not None
    if known.equivalent <= known.labelled:
        return ""
    step = 10 ** max(0, len(str(known.equivalent)) - 3)
    return f", worth about {round(known.equivalent / step) * step:,} random labels used alone"


def _rates(judge: JudgeWorth) -> str:
    if judge.recall is not None and judge.false_positive_rate is not None:
        return f"recall {judge.recall.mean:.0%}, false positives {judge.false_positive_rate.mean:.0%}"
    assert judge.accuracy is not None
    return f"right on {judge.accuracy.mean:.0%}"


def _alone(row: Contrast, judge: JudgeWorth) -> str:
    if math.isnan(judge.alone):
        return ""
    digits = decimals(row.difference.std)
    return f"; alone it would say {signed(judge.alone, digits)}"


def of_labels(row: Contrast) -> list[str]:
    """Say all that is known of labels and judges, a sentence each."""
    known = row.labelling
    if known is None:
        return []
    a, b = (system.name for system in row.systems)
    digits = decimals(row.difference.std)
    told = [f"{known.labelled:,} of {known.items:,} items are labelled{_worth(row)}."]
    if known.further:
        told.append(
            f"{known.further:,} more labels where they tell most would narrow the interval from "
            f"{row.difference.hdi.width:.{digits}f} to about {known.further_width:.{digits}f}."
        )
    for judge in known.judges:
        if judge.accuracy is None:
            told.append(f"The judge {judge.name} gives no label of the truth; it only tells strata apart.")
            continue
        parts = [f"right on {_percent(judge.accuracy)}"]
        if judge.recall is not None and judge.false_positive_rate is not None:
            parts += [
                f"recall {_percent(judge.recall)}",
                f"false-positive rate {_percent(judge.false_positive_rate)}",
            ]
        told.append(f"The judge {judge.name}: {', '.join(parts)}.")
        if judge.shares_a is not None and judge.shares_b is not None:
            told.append(
                f"It gives the same wrong label in {_percent(judge.shares_a)} of the errors of {a}, and in "
                f"{_percent(judge.shares_b)} of those of {b}."
            )
        if judge.bias is not None:
            low, high = (signed(end, digits) for end in judge.bias.hdi)
            told.append(
                f"Taken for the truth, it would say {signed(judge.alone, digits)}, which is off by "
                f"{signed(judge.bias.mean, digits)} ({low} to {high})."
            )
    return told


def _percent(found: Estimate) -> str:
    return f"{found.mean:.0%} ({found.hdi.low:.0%} to {found.hdi.high:.0%})"
