"""prob_conf_mat: draws of two independent confusion matrices, with the settings of its quick start.

Its default prior is 0, so that a cell without items has no spread: an F1 of 1 on three positives is certain.
"""

from prob_conf_mat import Study

REQUIRES = ["prob_conf_mat"]
QUESTION = "f1_posterior"
CALL = "Study(num_samples=10000), get_pairwise_comparison of f1, its default prior of 0; 95% HDI excludes 0"
PAIRED = False
WHY = "10,000 draws of two unpaired systems"


def answer(data, seed):
    study = Study(seed=seed, num_samples=10_000, ci_probability=0.95)
    for name in "ab":
        study.add_experiment(name, y_true=data["truth"].astype(int), y_pred=data[name].astype(int))
    study.add_metric("f1")
    found = study.get_pairwise_comparison("f1", class_label=1, experiment_a="a/a", experiment_b="b/b")
    low, high = found.diff_dist_summary.hdi
    return {"low": low, "high": high, "alarm": low > 0 or high < 0}
