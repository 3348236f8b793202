"""What a result must not keep to itself: findings with codes, carried in the result and shown in every rendering."""

from typing import Final, NamedTuple


class Finding(NamedTuple):
    """One thing a reader should know before believing a number."""

    code: str
    message: str


# Codes with what they are about; a check of rows (`rows/checks`) declares its own. Data: OC1xx, model and numbers:
# OC2xx, decision: OC3xx, tests: OC4xx.
CODES: Final = {
    "OC100": "columns that cannot be systems were left out",
    "OC101": "rows with a missing label were dropped",
    "OC102": "missing predictions were counted as wrong",
    "OC104": "few items on which the systems disagree",
    "OC105": "the systems are identical",
    "OC107": "few items",
    "OC110": "labels are predicted that never occur in the truth",
    "OC112": "nothing was returned, or nothing is relevant",
    "OC113": "the list of the files a state holds is missing",
    "OC114": "items are clustered in groups",
    "OC115": "decisions without a row were taken as no",
    "OC116": "empty cells were taken as no label",
    "OC117": "no cell holds the separator",
    "OC118": "ranks and scores of a run disagree, or say nothing",
    "OC119": "topics of a run have no judgements",
    "OC201": "the measure of the data itself is undefined",
    "OC203": "the numerical error was larger than asked for",
    "OC206": "the measure is undefined for some draws",
    "OC209": "the hierarchical model takes classes as independent",
    "OC210": "the chains are not to be relied on",
    "OC211": "the verdict depends on the prior",
    "OC302": "a model that ignores the pairing was used on one test set",
    "OC303": "no ROPE was named for numbers without a scale",
    "OC401": "decisions on one document are not independent",
    "OC402": "too few for a test's approximation",
    "OC403": "the side of a test was chosen after looking",
    "OC404": "categories without a defined F1",
    "OC405": "categories of one test set are not independent",
    "OC406": "a test that ignores the pairing was used on one test set",
}


def finding(code: str, message: str) -> Finding:
    """Make a finding whose code is registered."""
    if code not in CODES:
        raise KeyError(code)
    return Finding(code, message)


def declare(**codes: str) -> None:
    """Register codes with what they are about, where the finding itself is worded."""
    for code, title in codes.items():
        if CODES.setdefault(code, title) != title:
            raise KeyError(f"{code} is declared twice")
