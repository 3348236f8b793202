"""Measures that are undefined: in the data, or in some draws."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from outclass.findings import Finding, finding
from outclass.inference.draws import Draws
from outclass.models.draws_fit import DrawsFit
from outclass.models.table_fit import OneTableFit, TableFit
from outclass.rows.checks import Case


def check(case: Case) -> Iterator[Finding]:
    """Look for values that do not exist."""
    fit: Any = case.fit
    title = case.measure.title
    if isinstance(fit, OneTableFit) and math.isnan(fit.observed(0, case.measure)):
        yield _in_data(case.names[0], case.measure)
    if isinstance(fit, TableFit) and case.row is not None:
        for system in case.row.systems:
            if math.isnan(system.observed) and not math.isnan(system.mean):
                yield _in_data(system.name, case.measure)
        law = case.row.posterior
        if isinstance(law, Draws) and law.undefined:
            yield finding("OC206", f"{title} is undefined for {law.undefined:.1%} of the draws, which were dropped.")
    elif isinstance(fit, DrawsFit) and case.measure.name in fit.values:
        values = fit.values[case.measure.name][:, [case.a] if case.b is None else [case.a, case.b]]
        gone = float(np.mean(~np.isfinite(values).all(axis=1)))
        if gone:
            yield finding("OC206", f"{title} is undefined for {gone:.1%} of the draws, which were dropped.")


def _in_data(name: str, measure: Any) -> Finding:
    return finding(
        "OC201",
        f"the observed {measure.title} of {name} is undefined, because {measure.undefined}; its posterior relies on "
        "the prior and the rest of the data.",
    )
