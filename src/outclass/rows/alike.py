"""Labels with identical tables of counts, whose results are therefore the same.

Of thousands of labels most are rare, and many have the same table of both systems. Their rows are the same but for the
label and its findings, since every comparison has the seed of the call.
"""

from collections.abc import Sequence
from dataclasses import replace

from outclass.data.labels import Label
from outclass.data.pair import Pair, PairData
from outclass.models.question import Question
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case, findings_of
from outclass.rows.types import Contrast

Task = tuple[PairData, Label | None, Question]


def alike(tasks: Sequence[Task]) -> list[list[int]]:
    """Return the places of the comparisons, those together that differ in nothing but the label."""
    groups: dict[tuple[object, ...], list[list[int]]] = {}
    for place, (pair, label, question) in enumerate(tasks):
        joint = pair.joint(label) if isinstance(pair, Pair) and label is not None else None
        # Chains tell how far each of them is.
        single = joint is None or question.settings.method == "mcmc"
        key = (place,) if single or joint is None else (pair.a, pair.b, joint.tobytes())
        known = groups.setdefault(key, [])
        same = next((group for group in known if tasks[group[0]][2] == question), None)
        if same is None:
            known.append([place])
        else:
            same.append(place)
    return [group for known in groups.values() for group in known]


def of_another_label(rows: Sequence[Contrast], fit: TableFit, pair: PairData, label: Label | None) -> list[Contrast]:
    """Return the rows of another label with the same table; what is found is looked for again."""
    own = replace(fit, data=pair, label=label, findings=pair.findings)
    found = []
    for row, measure in zip(rows, fit.question.measures, strict=True):
        bare = replace(row, label=label, findings=())
        found.append(replace(bare, findings=findings_of(Case(fit=own, measure=measure, a=0, b=1, row=bare))))
    return found
