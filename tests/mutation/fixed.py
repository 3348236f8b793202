"""A few mutants of each kind and a test that kills each: the harness is tried on them whenever the tests run."""

from typing import Final

FIXED: Final = (
    (
        "verdict/rope.py::decide: hdi.high <= rope.low -> hdi.high < rope.low",
        "tests/verdict/test_verdict.py::test_rule_about_any_region",
    ),
    ("verdict/rope.py::module: 0.05 -> 1.05", "tests/verdict/test_verdict.py::test_more_rope_spellings"),
    ("verdict/rope.py::rope_of: if low > high -> if False", "tests/verdict/test_verdict.py::test_wrong_ropes"),
    (
        "verdict/bayes_factor.py::kernel_density: middle * 2 / 3 -> middle * 2 * 3",
        "tests/verdict/test_bayes_factors.py::test_kernel_density_of_a_normal_law",
    ),
    (
        "verdict/bayes_factor.py::_log_z: return float(special.gammaln(u).sum() - special.gammaln(u.sum())) "
        "-> return None",
        "tests/verdict/test_bayes_factors.py::test_barbers_factors_by_integration",
    ),
    (
        "measures/agreement.py::_mcc: tp * tn - fp * fn -> tp * tn + fp * fn",
        "tests/measures/test_measures.py::test_against_reference_on_one_table",
    ),
    ("measures/agreement.py::module: -1.0 -> 1.0", "tests/measures/test_measures.py::test_bounds_are_the_tightest"),
    (
        "measures/measure.py::Measure: True -> False",
        "tests/measures/test_measures.py::test_bounds_are_the_tightest",
    ),
    (
        "measures/averages.py::share: bottom > 0 -> bottom >= 0",
        "tests/measures/test_averages.py::test_helpers",
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
        "inference/curves.py::Fraction.solve: value * self.bottom - self.top -> value * self.bottom + self.top",
        "tests/inference/test_curves.py::test_roots_lead_back",
    ),
    (
        "inference/scores.py::_Cubic._locate: [1:-1] -> [:-1]",
        "tests/inference/test_scores.py::test_cubics_are_exact",
    ),
    (
        "inference/nodes.py::grid: 8.0 -> 9.0",
        "tests/inference/test_nodes.py::test_products",
    ),
    (
        "inference/summary.py::summarise: 6 -> 7",
        "tests/inference/test_summary.py::test_summary_of_draws",
    ),
    (
        "inference/closed.py::BetaLaw: 1.0 -> 2.0",
        "tests/inference/test_closed.py::test_equal_tails",
    ),
)
