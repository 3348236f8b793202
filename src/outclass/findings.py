"""What a result must not keep to itself: findings with codes, carried in the result and shown in every rendering."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from outclass.dialects import spoken


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Finding:
    """One thing a reader should know before believing a number: a code and a message, into which it unpacks.

    It holds the sentence as it was written, with its arguments marked (see `dialects`), since it may be made in another
    process than the reader's; findings that read the same are equal.
    """

    code: str
    told: str

    @property
    def message(self) -> str:
        """The sentence: with arguments in Python, with options on the command line."""
        return spoken(self.told)

    def __iter__(self) -> Iterator[str]:
        return iter((self.code, self.message))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Finding) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Finding(code={self.code!r}, message={self.message!r})"


# Codes with what they are about; a check of rows (`rows/checks`) declares its own. Data: OC1xx, model and numbers:
# OC2xx, decision: OC3xx, tests: OC4xx, evaluation logs: OC50x and OC51x, repeats: OC512 and OC52x, slices: OC60x and
# OC64x, label sets: OC61x, counts per item: OC62x, published results: OC63x, runs: OC65x, labels, judges and
# annotators: OC70x to OC72x, the gate: OC80x.
CODES: Final = {
    "OC100": "columns that cannot be systems were ignored",
    "OC101": "rows with missing labels were dropped",
    "OC102": "missing predictions were counted as wrong",
    "OC104": "the systems disagree on few items",
    "OC105": "the data show no difference between the systems",
    "OC107": "few items",
    "OC110": "some predicted labels never occur in the truth",
    "OC112": "nothing was retrieved, or nothing is relevant",
    "OC113": "the list of files in a state is missing",
    "OC114": "items are clustered in groups",
    "OC115": "item-label pairs without a row count as negative",
    "OC116": "empty cells were read as no label",
    "OC117": "no cell contains the separator",
    "OC118": "the ranks and scores of a run disagree, or scores are all tied",
    "OC119": "some topics of a run have no judgements",
    "OC201": "the observed measure is undefined",
    "OC203": "the numerical error exceeds the tolerance",
    "OC206": "the measure is undefined for some draws",
    "OC209": "the hierarchical model treats classes as independent",
    "OC210": "the chains did not converge",
    "OC211": "the verdict depends on the prior",
    "OC302": "the model ignores that both systems saw the same items",
    "OC303": "no ROPE was set for numbers without a natural scale",
    "OC401": "decisions on the same document are not independent",
    "OC402": "too few items for a test's approximation",
    "OC403": "the side of a one-sided test was chosen after seeing the data",
    "OC404": "categories with an undefined F1",
    "OC405": "categories of the same test set are not independent",
    "OC406": "the test ignores that both systems saw the same items",
    "OC501": "items that not all systems have",
    "OC502": "a log holds fewer samples than it says",
    "OC503": "a log's own result is not the mean of its samples",
    "OC504": "the systems were not run alike",
    "OC505": "samples that failed",
    "OC506": "the verdict depends on how failed samples count",
    "OC507": "refusals",
    "OC508": "scores without information",
    "OC509": "tasks are called differently but have the same items",
    "OC510": "scores were edited",
    "OC511": "grades that could not be read",
    "OC513": "a choice between runs or splits was made",
    "OC514": "changed items were left out",
    "OC515": "items without a score were left out",
    "OC516": "entries without results per item were left out",
    "OC517": "items that a log does not list count as failures",
    "OC518": "samples that a limit stopped",
    "OC523": "repeats that are copies, or all the same",
    "OC524": "a majority of right answers, not of votes",
    "OC611": "tests are of some of the labels",
    "OC612": "labels to merge do not occur",
    "OC601": "a slice has few items",
    "OC602": "nothing can be computed for a slice",
    "OC603": "slices and the whole disagree in direction",
    "OC604": "few slices",
    "OC620": "tags that do not follow their scheme",
    "OC621": "what there is to find differs between systems",
    "OC630": "counts were recovered from published rates",
    "OC632": "published results on the same items: the agreement is unknown",
    "OC652": "runs that are copies of each other",
    "OC655": "slices of runs are not pooled",
    "OC641": "columns that make no slices",
    "OC642": "columns of a search that overlap",
    "OC720": "how far annotators agree",
    "OC723": "no true labels: the truth is inferred from judges",
    "OC722": "items without a majority of annotators were dropped",
    "OC701": "a judge gives labels that are neither true nor predicted",
    "OC702": "a judge says the same of every item",
    "OC707": "inclusion probabilities are not known of all items",
    "OC709": "no labelled item has none of the labels",
    "OC801": "a gate was tried again on the same commit",
    "OC802": "a gate saw the same scores again",
    "OC803": "a test set has made many decisions",
    "OC804": "accepted changes add up to a drop",
    "OC805": "a ledger without a commit",
    "OC806": "a regression is not significant at the level that controls false discoveries",
    "OC807": "a label is too rare for limits that hold at any time",
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
