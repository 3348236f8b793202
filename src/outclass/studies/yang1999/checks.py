"""What the paper says, and whether ours agrees."""

from itertools import combinations

from outclass.answers.test_report import TestReport
from outclass.studies.study import Check, printed
from outclass.studies.yang1999.paper import MACRO_GOOD, MACRO_POOR, MICRO_ERROR, MICRO_SIGN, TOLERANCES
from outclass.studies.yang1999.tables import scores_of


def checks_of(battery: TestReport) -> list[Check]:
    """Hold the scores to Table 1, and the tests to what the paper reports of them."""
    found, checks = scores_of(battery), []
    for theirs in printed("yang1999_table1"):
        name = theirs["system"]
        for measure, allowed in (("micro_f1", TOLERANCES[name]), ("macro_f1", 0.05)):
            ours, other = getattr(found[name], measure), float(theirs[measure])
            checks.append(
                Check(
                    what=f"{name}: {measure.replace('_f1', '-F1')}",
                    ours=f"{ours:.4f}",
                    theirs=f"{other:.4f} (within {allowed:g})",
                    agrees=abs(ours - other) <= allowed,
                )
            )
    marks = {(row.name, *row.systems): row.mark for row in battery.rows if row.name != "proportion"}
    for title, name in (("S", "macro_sign"), ("T", "macro_t"), ("T'", "macro_t_ranks")):
        apart = {(a, b): marks[name, a, b] for a in MACRO_GOOD for b in MACRO_POOR}
        alike = {(a, b): marks[name, a, b] for group in (MACRO_GOOD, MACRO_POOR) for a, b in combinations(group, 2)}
        wrong = [f"{a} {mark} {b}" for (a, b), mark in apart.items() if mark not in (">", ">>")]
        wrong += [f"{a} {mark} {b}" for (a, b), mark in alike.items() if mark != "~"]
        checks.append(
            Check(
                what=f"macro, by the {title}-test",
                ours="the same" if not wrong else "different: " + ", ".join(wrong),
                theirs="{svm, knn, llsf} > or >> {nnet, nb}",
                agrees=not wrong,
            )
        )
    errors = {row.systems: row.mark for row in battery.rows if row.name == "proportion" and row.measure == "error"}
    signs = {pair: marks["micro_sign", pair[0], pair[1]] for pair in MICRO_SIGN}
    for title, order, found_marks in (("s-test", MICRO_SIGN, signs), ("p-test of error", MICRO_ERROR, errors)):
        for (a, b), said in order.items():
            mark = found_marks[a, b]
            agrees = mark == "~" if said == "~" else mark in (">", ">>")
            checks.append(Check(what=f"micro, by the {title}: {a} and {b}", ours=mark, theirs=said, agrees=agrees))
    return checks
