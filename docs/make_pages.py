"""Write the generated pages: the models side by side on the same counts, and the findings. A test holds them to it."""

from pathlib import Path

import numpy as np

import outclass as oc
from outclass.findings import CODES
from outclass.report import words

PAGE = Path(__file__).parent / "models.md"
FINDINGS = Path(__file__).parent / "findings.md"

# What two systems say of the same items: both positive, only A, only B, neither; first the positives, then the rest.
TABLES = {
    "Two systems alike: 1,000 items, 300 positive, few disagreements": ((210, 24, 9, 57), (30, 8, 12, 650)),
    "Two systems unlike: as good each by itself, but they err on different items": (
        (176, 58, 43, 23),
        (4, 34, 38, 624),
    ),
    "Little data: 60 items, 20 positive": ((12, 4, 1, 3), (2, 1, 2, 35)),
}

INTRODUCTION = """# Which model?

All of them answer "is A better than B?" from counts. They differ in what they know, and so in how sure they can be.

| model | from | what it knows | use it when |
|---|---|---|---|
| `paired` | Zhang et al. 2016 | what both systems say of every item, and which items are positive | both saw the same items: always, if you can |
| `unpaired` | Zhang et al. 2016 | each system's own table, positives and negatives | the systems were tested on different items |
| `goutte` | Goutte & Gaussier 2005 | TP, FP and FN of each | all you have is a published table, or true negatives mean nothing (search) |
| `sign` | Goutte & Gaussier 2005 | on how many items only A is right, and only B | accuracy is what you ask for; all you have is the wins; F1 plays no part |

`unpaired` and `goutte` take two systems on one test set as if each had seen items of its own: right on average, and too unsure
if the systems agree on most items, as nearly all do. The verdict column shows what that costs. Priors
are those of the papers: uniform for Zhang et al., Jeffreys for Goutte & Gaussier.

## Side by side

Made by `docs/make_pages.py` from the library itself.
"""


def rows_of(joint: np.ndarray) -> list[str]:
    """Return one line for each model."""
    labels = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    outcomes = oc.Outcomes.of_rows(("A", "B"), labels, joint.ravel().tolist())
    lines = []
    for model in ("paired", "unpaired", "goutte", "sign"):
        row = oc.compare(outcomes, model=model, positive=1).only
        difference = row.difference
        lines.append(
            f"| `{model}` | {row.measure.title} | {words.signed(difference.mean)} | {difference.std:.3f} "
            f"| {words.interval(difference.hdi)} | {words.percent(difference.above)} | {row.verdict.sign} |"
        )
    return lines


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for title, cells in TABLES.items():
        joint = np.array(cells)
        told = [f"{', '.join(map(str, row))}" for row in cells]
        parts.append(
            f"### {title}\n\n"
            f"Both positive, only A, only B, neither: {told[0]} of the positives, {told[1]} of the rest.\n\n"
            "| model | measure | mean of A - B | std | 95% HDI | P(A > B) | verdict, ROPE ±0.05 |\n"
            "|---|---|---|---|---|---|---|\n" + "\n".join(rows_of(joint)) + "\n"
        )
    return "\n".join(parts)


def findings_page() -> str:
    """Return the list of findings."""
    kinds = {"1": "Data", "2": "Model and numbers", "3": "Decision", "4": "Tests"}
    lines = ["# Findings", "", "What a result must not keep to itself carries a code, in every format.", ""]
    for digit, kind in kinds.items():
        lines += [f"## {kind}", "", "| code | what it is about |", "|---|---|"]
        lines += [f"| {code} | {about} |" for code, about in CODES.items() if code[2] == digit]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    FINDINGS.write_text(findings_page(), encoding="utf-8")
