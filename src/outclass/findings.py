"""What a result must not keep to itself: findings with codes, carried in the result and shown in every rendering."""

from typing import Final, NamedTuple


class Finding(NamedTuple):
    """One thing a reader should know before believing a number."""

    code: str
    message: str


# Every code there is, with what it is about. Data: OC1xx, model and numbers: OC2xx, decision: OC3xx, tests: OC4xx.
CODES: Final = {
    "OC101": "rows with a missing label were dropped",
    "OC102": "missing predictions were counted as wrong",
    "OC103": "labels of different types were compared as text",
    "OC104": "few items on which the systems disagree",
    "OC105": "the systems are identical",
    "OC106": "a system never predicts positive, or always does",
    "OC107": "few items",
    "OC108": "few items of one class",
    "OC109": "a system makes few errors",
    "OC110": "labels are predicted that never occur in the truth",
    "OC112": "nothing was returned, or nothing is relevant",
    "OC113": "the list of the files a state holds is missing",
    "OC114": "items hang together in groups",
    "OC115": "decisions without a row were taken as no",
    "OC116": "empty cells were taken as no label",
    "OC117": "no cell holds the separator",
    "OC118": "ranks and scores of a run disagree, or say nothing",
    "OC119": "topics of a run have no judgements",
    "OC120": "published counts were taken as of different items",
    "OC121": "few groups, or most items in a few of them",
    "OC122": "the average of items and that of groups differ",
    "OC201": "the measure of the data itself is undefined",
    "OC202": "the prior weighs as much as the data",
    "OC203": "the numerical error was larger than asked for",
    "OC205": "the Bayes factors disagree",
    "OC206": "the measure is undefined for some draws",
    "OC207": "the prior moves the result",
    "OC208": "an average over labels of a few items",
    "OC209": "the hierarchical model takes classes as independent",
    "OC210": "the chains are not to be relied on",
    "OC211": "the verdict depends on the prior",
    "OC212": "too few items for weights on items",
    "OC213": "many differences are the same number",
    "OC214": "few differences, and skewed ones",
    "OC215": "a measure without an interval",
    "OC301": "the verdict sits on the edge of the ROPE",
    "OC302": "a model that ignores the pairing was used on one test set",
    "OC303": "no ROPE was named for numbers without a scale",
    "OC304": "the default ROPE was used",
    "OC305": "the default ROPE is wide for these systems",
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
