"""Findings in a line: forms by hand, where cutting a message at its first clause would lose what follows from it."""

import re
from typing import Final

_FEW: Final = r"((?:only )?[\d,]+ of [\d,]+ [^,]+), so the result depends on (.*)\.$"

# Code, what is taken from the message, and the forms, the longest first. They hold numbers and no names, so they fit.
_FORMS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        "OC720",
        r"agree on ([\d.]+%).*alpha (-?[\d.]+).*independently, ([\d.]+%)",
        (
            "annotators agree on {0} (alpha {1}): {2} of labels are wrong if errors are independent",
            "annotators agree on {0} of pairs of labels (alpha {1})",
        ),
    ),
    ("OC720", r"agree on ([\d.]+%).*alpha (-?[\d.]+)", ("annotators agree on {0} of pairs of labels (alpha {1})",)),
    ("OC722", r"^(\S+ of \S+ items) have no label", ("{0} have no majority and were dropped",)),
    (
        "OC723",
        r"from (\d+) judges",
        ("the truth is inferred from {0} judges, assuming independent errors",),
    ),
    ("OC101", r"^(\S+ of \S+ items) ha\w+ a missing (label|score)", ("{0} dropped: a {1} is missing",)),
    ("OC101", r"^missing ids", ("items with missing ids were dropped",)),
    ("OC101", r"^(\S+ of \S+ topics) were dropped", ("{0} were dropped from every run",)),
    ("OC102", r"^(\S+ of \S+ items) ha\w+ a missing", ("missing predictions count as wrong in {0}",)),
    ("OC102", r"were counted as 0", ("what is missing was counted as 0",)),
    (
        "OC104",
        rf"differ.* on {_FEW}",
        ("{0} differ: the result depends on {1}", "few differ: the result depends on {1}"),
    ),
    (
        "OC104",
        rf"is right on {_FEW}",
        ("exactly one is right on {0}: the result depends on {1}", "few differ: the result depends on {1}"),
    ),
    (
        "OC104",
        r"mostly in a few groups",
        ("the systems disagree mostly in a few groups: the result depends on these", "a few groups decide the result"),
    ),
    (
        "OC104",
        r"rank (\S+ of \S+) items differently",
        ("{0} items ranked differently: the result depends on the prior",),
    ),
    ("OC105", r"agree.* on all ([\d,]+ [^;]+); any", ("they agree on all {0}: any difference comes from the prior",)),
    (
        "OC105",
        r"(?:right on the same|identically).* prior",
        ("no item tells them apart: any difference is the prior's",),
    ),
    (
        "OC107",
        r"only (\d+) groups or data sets",
        ("only {0} groups or data sets: 95% intervals cover about 90%", "few groups: the interval is too narrow"),
    ),
    (
        "OC107",
        r"only (\d+ [a-z ]+?)(?:,| for ).*(the prior|the model's assumptions)\.",
        ("only {0}: the result depends on {1}",),
    ),
    ("OC107", r"(the prior|the model's assumptions)\.$", ("few items: the result depends on {0}",)),
    (
        "OC108",
        r"only (\d+ items) .*narrow or too wide",
        (
            "only {0} in one class: intervals may be too narrow or wide",
            "few in one class: intervals may be off",
        ),
    ),
    (
        "OC108",
        r"only (\d+ items are \w+),",
        ("only {0}: the interval may be too narrow", "few in one class: the interval may be off"),
    ),
    (
        "OC109",
        r"makes (no \D+|only \d+ [a-z ]+), so .*(depends on the prior|may be too narrow)\.$",
        ("{0} of one system: its own interval {1}",),
    ),
    ("OC110", r"^predicted but never true, and", ("labels that are predicted but never true were dropped",)),
    (
        "OC110",
        r"A macro average skips",
        ("labels that are never true count in macro averages only if all predict them",),
    ),
    ("OC112", r"equals the prior\.$", ("nothing is retrieved or relevant: a posterior equals the prior",)),
    ("OC113", r"counted twice\.$", ("the list of files is missing: a file may be counted twice",)),
    ("OC650", r"^", ("two runs hardly tell their spread: the interval depends on its prior",)),
    ("OC651", r"above (\S+) would leave", ("single runs: an SD between runs above {0} would leave this undecided",)),
    ("OC651", r"^each system", ("single runs: the interval holds for these runs alone",)),
    ("OC651", r"other systems", ("a single run: its spread is taken from the other systems",)),
    ("OC652", r"^", ("some runs are copies of each other, as from a cache", "some runs are copies of each other")),
    (
        "OC653",
        r"best runs? .*differ by (\S+), the averages by (\S+?)[:.]? ",
        (
            "the best runs differ by {0}, but the averages by {1}: compare averages",
            "compare averages, not the best runs",
        ),
    ),
    ("OC656", r"^", ("the system with fewer runs varies more: the interval may be too narrow",)),
    (
        "OC653",
        r"^the best of",
        ("the best of more runs is better by chance: compare averages", "compare averages, not the best runs"),
    ),
    (
        "OC502",
        r"has (\S+) samples, but its results are of (\S+):",
        ("a log has {0} samples, but its results are of {1}",),
    ),
    ("OC508", r"because nothing is asserted:", ("every row passes because nothing is asserted",)),
    ("OC641", r"^columns without slices: ('.*?') \(", ("column {0} makes no slices", "some columns make no slices")),
    ("OC642", r"^columns (.*) overlap", ("columns {0} overlap: intervals may be too narrow", "some columns overlap")),
    ("OC117", r"separator (.{1,9}), but some contain (.{1,20}): is", ("no cell contains {0}, but some contain {1}",)),
    (
        "OC118",
        r"disagree for ([\d,]+) topics",
        ("ranks and scores disagree for {0} topics; scores are used", "scores are used, not ranks"),
    ),
    (
        "OC118",
        r"all documents of ([\d,]+) topics",
        ("scores are all tied in {0} topics: ordered by name", "tied scores: ordered by name"),
    ),
    ("OC119", r"has ([\d,]+) topics without", ("{0} topics without judgements were dropped",)),
    (
        "OC120",
        r"have ([\d,]+ \w+), as if",
        ("both have {0}: the interval is likely too wide", "the interval is likely too wide"),
    ),
    (
        "OC120",
        r"the tests treat",
        ("counts alone: the tests assume independent samples", "independent samples are assumed"),
    ),
    (
        "OC121",
        r"^([\d,]+) groups.* to ([\d.]+) equal.*rough",
        ("{0} groups weigh as {1} equal ones: the interval is a rough guess",),
    ),
    (
        "OC121",
        r"^([\d,]+) groups.* to ([\d.]+) equal",
        ("{0} groups weigh as {1} equal ones: the interval may be too wide",),
    ),
    (
        "OC122",
        r"is (\S+) averaged over (\w+) and (\S+) averaged over (\w+):",
        ("{0} over {1}, {2} over {3}: the interval may be too narrow", "the interval may be too narrow: groups differ"),
    ),
    ("OC201", r"relies on the prior", ("the observed measure is undefined: its posterior relies on the prior",)),
    ("OC201", r"cannot be tested", ("undefined for a system: it cannot be tested",)),
    ("OC203", r"is only ([\d,]+), so", ("the effective sample size is only {0}: results are approximate",)),
    ("OC206", r"^Every resample", ("every resample has the same difference: no p-value",)),
    ("OC206", r"for (\S+) of the (\w+), which", ("undefined for {0} of the {1}, which were dropped",)),
    (
        "OC207",
        r"by (\S+) posterior",
        ("the prior shifts the difference by {0} posterior SDs", "the prior shifts it by {0} posterior SDs"),
    ),
    (
        "OC208",
        r"^(\S+ of \S+) labels have fewer than (\d+)",
        ("{0} labels have fewer than {1} items: interval may be too narrow", "rare labels: interval may be too narrow"),
    ),
    ("OC211", r": the decision varies: (.*)\.$", ("the decision varies: {0}", "the decision depends on the prior")),
    (
        "OC212",
        r"^only (\d+ [a-z ]+): .* (may be .*|is too narrow)\.$",
        ("only {0}: the interval {1}", "the interval {1}"),
    ),
    (
        "OC212",
        r"its threshold; its interval (.*)\.$",
        ("few items near the threshold: the interval {0}", "few items near the threshold"),
    ),
    (
        "OC212",
        r"nearly perfectly",
        ("a nearly perfect ranking: its interval depends on the prior", "an interval depends on the prior"),
    ),
    (
        "OC214",
        r"skewness (\S+)\)",
        ("skewed differences ({0}): the interval may be too narrow", "skewed: the interval may be too narrow"),
    ),
    (
        "OC301",
        r"ends at (\S+), the ROPE at (\S+)\.$",
        ("borderline: the interval ends at {0}, the ROPE at {1}", "the decision is borderline"),
    ),
    (
        "OC302",
        r"wider than necessary",
        ("the model ignores the pairing: the interval is too wide", "the interval is wider than necessary"),
    ),
    (
        "OC302",
        r"more than two systems",
        ("more than two systems are treated as independent, not as paired", "the pairing is ignored"),
    ),
    (
        "OC305",
        r"nearly any two systems",
        ("wide ROPE: nearly any two systems count as equivalent", "wide ROPE: nearly all are equivalent"),
    ),
    (
        "OC305",
        r"error is (\S+), so",
        (
            "wide ROPE (best error {0}): large improvements count as equivalent",
            "wide ROPE: large improvements count as equivalent",
            "wide ROPE: large gains are equivalent",
        ),
    ),
    (
        "OC305",
        r"large improvements",
        ("wide ROPE: large improvements count as equivalent", "wide ROPE: large gains are equivalent"),
    ),
    ("OC402", r"^(\d+) categories have fewer", ("{0} categories have few items: the bootstrap is overconfident",)),
    (
        "OC403",
        r"doubles",
        ("the side was chosen after seeing the data: twice the false positives", "twice the false positives"),
    ),
    ("OC101", r"^(\S+ of \S+ items) lack counts", ("{0} dropped: counts are missing",)),
    ("OC102", r"was counted as missed", ("items without counts: all was counted as missed",)),
    ("OC404", r"on (\d+ of \d+) categories", ("F1 is undefined on {0} categories, which the tests drop",)),
    (
        "OC405",
        r"two to three times",
        ("dependent categories: two to three times the nominal false positives", "far too many false positives"),
    ),
    (
        "OC406",
        r"independent samples",
        ("the test ignores that both systems saw the same items", "the test ignores the pairing"),
    ),
    ("OC630", r"only (.+) gives", ("only one table of counts gives the published rates",)),
    (
        "OC630",
        r"((?:about )?[\d,]+) different counts",
        ("{0} tables of counts give the published rates; the nearest was used",),
    ),
    (
        "OC631",
        r"the decision varies",
        ("the decision depends on which of these counts are taken", "the decision depends on the counts taken"),
    ),
    (
        "OC631",
        r"lies between (\S+ and \S*\d)",
        ("with other such counts the HDI lies between {0}", "other counts: HDI {0}"),
    ),
    ("OC632", r"p lies between (\S+) and (.*)\.$", ("agreement unknown: McNemar's p lies between {0} and {1}",)),
    (
        "OC632",
        r"Under (\S+ of \S+ possible pairings)",
        ("agreement unknown: the widest interval is shown; {0} decide", "agreement unknown: the widest interval"),
    ),
    ("OC632", r"", ("agreement unknown: the widest interval is shown", "agreement unknown: the widest interval")),
    (
        "OC512",
        r"move together.* p = ([^)]+)\)",
        ("all items move together in a repeat (p {0})", "all items move together in a repeat"),
    ),
    (
        "OC521",
        r"(\S+) of the variance .*SE of (\S+) would be (\S+) .*, (\S+) with (\S+) items",
        ("{0} generation noise; SE {1}: {2} without, {3} with {4} items", "{0} of the variance is generation noise"),
    ),
    ("OC521", r"(\S+) of the variance", ("{0} of the variance is generation noise",)),
    (
        "OC522",
        r"the SE is (\S+) instead of (\S+)",
        ("for these items alone; for items like them the SE is {0}, not {1}", "for these items alone"),
    ),
    ("OC522", r"about the same", ("for these items alone; items differ no more than their answers do",)),
    ("OC523", r"copies? of", ("copied repeats were counted once", "repeats are copies")),
    (
        "OC523",
        r"^every repeat occurs (\d+) times",
        ("every repeat occurs {0} times: each counts once",),
    ),
    ("OC523", r"are identical", ("all repeats of a system are identical: a cache?", "identical repeats")),
    ("OC523", r"^([\d,]+) rows", ("{0} rows that occur twice were counted once",)),
    ("OC524", r"^(\S+) counts", ("{0} is a majority of right answers, not of votes",)),
    ("OC601", r"has only (\d+ items?);", ("a slice has only {0}: it relies on the others",)),
    ("OC610", r"^(\S+) of the true labels", ("{0} of this micro average is one label: consider leaving it out",)),
    ("OC611", r"are of (\S+ of \S+ labels)", ("averages and tests are of {0}",)),
    ("OC612", r"to merge", ("some labels to merge do not occur",)),
    ("OC603", r"has it in every slice", ("every slice points the other way (Simpson's paradox)",)),
    (
        "OC603",
        r"has it in (\d+ of \d+) slices by .*, with (\S+) of the items",
        ("{0} slices, with {1} of the items, point the other way",),
    ),
    ("OC604", r"has only (\d+ slices?),", ("only {0}: their spread is hardly known",)),
    ("OC620", r"not part of an entity", ("malformed tags were left out of entities",)),
    ("OC620", r"read as part", ("malformed tags were read as part of an entity", "some tags are malformed")),
    (
        "OC622",
        r": (\S+ items) are worth (\S+) of",
        ("{0} are worth {1} of the same size: the interval may be too narrow", "a few large items decide"),
    ),
    ("OC621", r"on (\S+) items", ("tp + fn differs between systems on {0} items", "tp + fn differs between systems")),
)


def short_forms(code: str, message: str) -> tuple[str, ...]:
    """Return what a finding comes to in a few words, without the full stop; nothing if its message can be cut."""
    for which, pattern, forms in _FORMS:
        if which == code and (found := re.search(pattern, message)):
            return tuple(form.format(*found.groups()) for form in forms)
    return ()
