"""A mutant of each kind and a test that kills it: the harness is tried on them whenever the tests run."""

from typing import Final

FIXED: Final = (
    (
        "verdict/rope.py::decide: hdi.high <= rope.low -> hdi.high < rope.low",
        "tests/verdict/test_verdict.py::test_rule_about_any_region",
    ),
    ("verdict/rope.py::module: 0.05 -> 1.05", "tests/verdict/test_verdict.py::test_more_rope_spellings"),
    ("verdict/rope.py::rope_of: if low > high -> if False", "tests/verdict/test_verdict.py::test_wrong_ropes"),
    (
        "measures/agreement.py::_mcc: tp * tn - fp * fn -> tp * tn + fp * fn",
        "tests/measures/test_measures.py::test_against_reference_on_one_table",
    ),
    (
        "inference/hdi.py::shortest_of_sorted: np.argmin -> np.argmax",
        "tests/inference/test_hdi.py::test_sliding_window",
    ),
    (
        "inference/hdi.py::check_mass: not 0 < mass < 1 -> 0 < mass < 1",
        "tests/inference/test_hdi.py::test_impossible_masses",
    ),
    (
        "inference/scores.py::_Cubic._locate: [1:-1] -> [:-1]",
        "tests/inference/test_scores.py::test_cubics_are_exact",
    ),
    (
        "rows/ranking.py::tiers: runs.append(list(order[start:end])) -> nothing",
        "tests/rows/test_ranking.py::test_tiers_may_overlap",
    ),
    (
        "rows/plain.py::_finite: return number -> return None",
        "tests/rows/test_plain.py::test_numbers_that_json_does_not_have",
    ),
    (
        "ask/question.py::is_by_label: by is not None and positive is not None "
        "-> by is not None or positive is not None",
        "tests/ask/test_question.py::test_labels_in_turn",
    ),
)
