"""evalconfidence: its comparison of two systems, which is McNemar's test for right and wrong."""

from evalconfidence import ItemResult, compare

REQUIRES = ["evalconfidence"]
QUESTION = "accuracy_test"
CALL = "compare(results_a, results_b) of one ItemResult per item"
PAIRED = True
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    results = [
        [
            ItemResult(item_id=str(place), model_id=name, score=float(right), correct=bool(right))
            for place, right in enumerate(data[name] == data["truth"])
        ]
        for name in "ab"
    ]
    found = compare(*results)
    return {"p": found.p_value, "low": found.ci_diff[0], "high": found.ci_diff[1], "alarm": found.p_value <= 0.05}
