"""ranx: Student's t of two runs, which is its default."""

from ranx import Qrels, Run, compare

REQUIRES = ["ranx"]
QUESTION = "search"
CALL = 'compare(qrels, runs, "ndcg@10"); its own significance level, .01'
PAIRED = True
WHY = "Student's t-test alone, in compiled code; ours adds the posterior and its checks"


def answer(data, seed):
    qrels = Qrels.from_file(str(data["qrels"]), kind="trec")
    runs = [Run.from_file(str(data[name]), kind="trec", name=name) for name in "ab"]
    found = compare(qrels, runs, "ndcg@10").comparisons["a", "b"]["ndcg@10"]
    return {"p": found["p_value"], "alarm": found["significant"]}
