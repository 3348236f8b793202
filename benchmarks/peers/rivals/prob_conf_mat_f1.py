"""prob_conf_mat: draws of two independent confusion matrices, with the settings of its quick start."""

from prob_conf_mat import Study

REQUIRES = ["prob_conf_mat"]
QUESTION = "f1_posterior"
CALL = "Study(num_samples=10000), get_pairwise_comparison of f1; 95% HDI without 0"
PAIRED = False


def answer(data, seed):
    study = Study(seed=seed, num_samples=10_000, ci_probability=0.95)
    for name in "ab":
        study.add_experiment(name, y_true=data["truth"].astype(int), y_pred=data[name].astype(int))
    study.add_metric("f1")
    found = study.get_pairwise_comparison("f1", class_label=1, experiment_a="a/a", experiment_b="b/b")
    low, high = found.diff_dist_summary.hdi
    return {"low": low, "high": high, "alarm": not low <= 0 <= high}
