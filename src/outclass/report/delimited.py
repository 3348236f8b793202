"""Rows for a spreadsheet, a dataframe or a program: heads, and lines of full numbers, names as they are."""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from outclass.report import words
from outclass.rows.label_parts import UnknownAgreement
from outclass.rows.types import Appraisal, Contrast, Slice

SLICED: Final = [
    "slice_column",
    "slice",
    "pooled_mean",
    "pooled_low",
    "pooled_high",
    "pooled_below_rope",
    "pooled_above_rope",
    "pooled_verdict",
]
AGREEMENTS: Final = [
    "agreement_widest",
    "agreement_narrowest",
    "narrowest_low",
    "narrowest_high",
    "pairings_decided",
    "agreement_needed",
]
Records: TypeAlias = tuple[Sequence[str], Sequence[Sequence[object]]]


def of_contrasts(rows: Sequence[Contrast]) -> Records:
    """One line a contrast."""
    tests = list(dict.fromkeys(test.name for row in rows for test in row.tests))
    factors = list(dict.fromkeys(each.name for row in rows for each in row.bayes_factors))
    heads = [
        "a",
        "b",
        "measure",
        "label",
        "model",
        "prior",
        "items",
        "observed_a",
        "observed_b",
        "mean_a",
        "mean_b",
        "mean",
        "std",
        "hdi_low",
    ]
    heads += ["hdi_high", "below", "above", "rope", "rope_low", "rope_high", "hdi_mass", "verdict", "words"]
    sides = any(row.rope_probabilities is not None for row in rows)
    heads += ["practical_a", "practical_equivalent", "practical_b"] if sides else []
    sliced = any(row.slice is not None for row in rows)
    heads += SLICED if sliced else []
    paired = any(row.unknown_agreement is not None for row in rows)
    heads += AGREEMENTS if paired else []
    heads += [f"p_{name}" for name in tests] + [f"bf_{name}" for name in factors] + ["method", "seed", "findings"]
    lines = []
    for row in rows:
        a, b = row.systems
        p_values = {test.name: test.p_value for test in row.tests}
        values = {each.name: each.value for each in row.bayes_factors}
        difference = row.difference
        lines.append(
            [a.name, b.name, row.measure.name, row.label]
            + [
                row.model,
                row.prior,
                row.items,
                a.observed,
                b.observed,
                a.mean,
                b.mean,
                difference.mean,
                difference.std,
                *difference.hdi,
            ]
            + [difference.below, difference.above, difference.rope, *row.rope, row.hdi_mass]
            + [row.verdict.value, words.verdict(row)]
            + ([] if not sides else [math.nan] * 3 if row.rope_probabilities is None else list(row.rope_probabilities))
            + (_sliced(row.slice) if sliced else [])
            + (_agreements(row.unknown_agreement) if paired else [])
            + [p_values.get(name, math.nan) for name in tests]
            + [values.get(name, math.nan) for name in factors]
            + [row.method, row.seed, " ".join(each.code for each in row.findings)]
        )
    return heads, lines


def _sliced(own: Slice | None) -> list[object]:
    """What is known of a slice, and of its difference pooled with the other slices."""
    if own is None or own.pooled is None:
        return [None if own is None else own.column, None if own is None else own.name, *[math.nan] * 5, None]
    found = own.pooled
    told = [found.difference.mean, *found.difference.hdi, found.below_rope, found.above_rope, found.verdict.value]
    return [own.column, own.name, *told]


def _agreements(known: UnknownAgreement | None) -> list[object]:
    """What the agreement of published results makes of them."""
    if known is None:
        return [math.nan] * len(AGREEMENTS)
    widest, narrowest = known.widest, known.narrowest
    return [widest.agreement, narrowest.agreement, *narrowest.hdi, known.decided, known.needed]


def of_appraisals(rows: Sequence[Appraisal]) -> Records:
    """One line an appraisal."""
    heads = ["system", "measure", "label", "model", "prior", "items", "observed", "mean", "std", "hdi_low", "hdi_high"]
    heads += ["median", "mode", "equal_tailed_low", "equal_tailed_high", "hdi_mass", "method", "seed", "findings"]
    sliced = any(row.slice is not None for row in rows)
    return (
        [*(SLICED[:2] if sliced else []), *heads],
        [
            (_sliced(row.slice)[:2] if sliced else [])
            + [row.system.name, row.measure.name, row.label, row.model, row.prior]
            + [row.items, row.system.observed, row.system.mean, row.system.std, *row.system.hdi]
            + [row.median, row.mode, *row.equal_tailed, row.hdi_mass]
            + [row.method, row.seed, " ".join(each.code for each in row.findings)]
            for row in rows
        ],
    )
