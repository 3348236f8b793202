"""What stands above and below a table in a document: the answer, what its columns hold, how it was computed."""

from collections.abc import Sequence
from dataclasses import replace

from outclass.report.words.brief import DEFAULT_ROPE, decision, lead, next_step, outcome, region
from outclass.report.words.evidence import own_test
from outclass.report.words.several import summary
from outclass.report.words.slices import POOLED
from outclass.report.words.test_names import test_name
from outclass.report.words.verdicts import is_over_data_sets
from outclass.rows.types import Contrast


def outcome_named(row: Contrast) -> str:
    """Write the decision of a row in a table, with the name of the system that is ahead so far."""
    told, (a, b) = outcome(row), row.systems
    return {"leans A": f"leans {a.name}", "leans B": f"leans {b.name}"}.get(told, told)


def opening(rows: Sequence[Contrast]) -> list[str]:
    """Say the answer above a table: who leads, the decision and what next; of several comparisons what they come to."""
    if len(rows) > 1:
        return [summary(rows)]
    # How to set the ROPE is told where it can be set; the note below the table says that it is the default.
    row = replace(rows[0], findings=tuple(each for each in rows[0].findings if each.code not in DEFAULT_ROPE))
    return [told for told in (lead(row), decision(row), next_step(row)) if told]


def columns_of(rows: Sequence[Contrast]) -> list[str]:
    """Say what the columns of comparisons hold."""
    pairs = list(dict.fromkeys(tuple(system.name for system in row.systems) for row in rows))
    a, b = pairs[0] if len(pairs) == 1 else ("A", "B")
    order = list(dict.fromkeys(name for pair in pairs for name in pair))
    several = "" if len(pairs) == 1 or len({row.label for row in rows}) > 1 else f" (each system − {order[-1]})"
    sliced = any(row.pooled is not row for row in rows)
    tests = [test_name(test.name) for row in rows if (test := None if sliced else own_test(row)) is not None]
    told = f"Posterior mean [{100 * rows[0].hdi_mass:g}% HDI]; Δ: {a} − {b}{several}; P: posterior probability"
    told += f"; p: {', '.join(dict.fromkeys(tests))}." if tests else "."
    return [told, *([POOLED] if sliced else []), decisions(rows)]


def decisions(rows: Sequence[Contrast]) -> str:
    """Name the ROPE and what the signs of a decision mean."""
    regions = list(dict.fromkeys(region(row.rope, row.measure) for row in rows))
    usual = any(each.code in DEFAULT_ROPE for row in rows for each in row.findings)
    where = regions[0] if len(regions) == 1 else f"{', '.join(regions[:3])}, by row"
    told = f"ROPE {where}{' (the default)' if usual else ''}."
    if all(is_over_data_sets(row) for row in rows):
        return f"{told} ≫ ≪ ≈: A, B or neither ahead on most data sets."
    return f"{told} ≫ ≪: the HDI of Δ lies above or below the ROPE; ≈: within it (practically equivalent)."


def scores_of(hdi_mass: float) -> str:
    """Say what the columns of systems hold."""
    return f"Posterior mean [{100 * hdi_mass:g}% HDI]."
