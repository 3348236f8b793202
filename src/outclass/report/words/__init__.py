"""Takes rows, gives every sentence about a result, so that terminal, page and file never say different things.

By subject: `numbers`, `verdicts`, `evidence`, `methods_text`. May import `rows` and what they are made of; must not lay
anything out.
"""

from outclass.report.words.evidence import SIGNIFICANT, anytime, disagreement, log_odds, sensitivity
from outclass.report.words.methods_text import about, chains, methods
from outclass.report.words.numbers import decimals, factor, interval, p_value, percent, rope, signed, unsigned_interval
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
    "SIGNIFICANT",
    "about",
    "anytime",
    "appraised",
    "chains",
    "counted",
    "decimals",
    "disagreement",
    "factor",
    "interval",
    "is_over_data_sets",
    "log_odds",
    "methods",
    "p_value",
    "pairing",
    "percent",
    "practical",
    "rope",
    "sensitivity",
    "sentence",
    "signed",
    "unsigned_interval",
    "verdict",
    "what_now",
]
