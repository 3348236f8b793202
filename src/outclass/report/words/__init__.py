"""Takes rows, gives every sentence about a result, so that terminal, page and file never say different things.

By subject: `numbers`, `verdicts`, `evidence`, `paper`, `methods_text`, `results_text`. May import `rows` and what they
are made of; must not lay anything out.
"""

from outclass.report.words.brief import (
    DEFAULT_ROPE,
    LEANS,
    best,
    decision,
    evidence,
    lead,
    next_step,
    outcome,
    region,
    ropes,
    summary,
)
from outclass.report.words.evidence import SIGNIFICANT, anytime, disagreement, log_odds, sensitivity
from outclass.report.words.methods_text import about, chains, methods, methods_of_systems
from outclass.report.words.numbers import (
    decimals,
    factor,
    interval,
    p_equals,
    p_value,
    percent,
    probability,
    rope,
    signed,
    unsigned_interval,
)
from outclass.report.words.paper import columns_of, opening, outcome_named, scores_of, shown_test
from outclass.report.words.results_text import ranked_results
from outclass.report.words.verdicts import (
    BLANKS,
    COUNTED,
    appraised,
    counted,
    is_over_data_sets,
    pairing,
    practical,
    sentence,
    verdict,
    what_now,
)

__all__ = [
    "BLANKS",
    "COUNTED",
    "DEFAULT_ROPE",
    "LEANS",
    "SIGNIFICANT",
    "about",
    "anytime",
    "appraised",
    "best",
    "chains",
    "columns_of",
    "counted",
    "decimals",
    "decision",
    "disagreement",
    "evidence",
    "factor",
    "interval",
    "is_over_data_sets",
    "lead",
    "log_odds",
    "methods",
    "methods_of_systems",
    "next_step",
    "opening",
    "outcome",
    "outcome_named",
    "p_equals",
    "p_value",
    "pairing",
    "percent",
    "practical",
    "probability",
    "ranked_results",
    "region",
    "rope",
    "ropes",
    "scores_of",
    "sensitivity",
    "sentence",
    "shown_test",
    "signed",
    "summary",
    "unsigned_interval",
    "verdict",
    "what_now",
]
