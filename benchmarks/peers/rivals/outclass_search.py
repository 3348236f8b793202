"""outclass: two runs of a search engine."""

import outclass as oc

REQUIRES = ["outclass[trec]"]
QUESTION = "search"
CALL = 'compare(scores(qrels=, runs=, measure="nDCG@10"))'
PAIRED = True


def answer(data, seed):
    runs = [str(data["a"]), str(data["b"])]
    found = oc.compare(oc.scores(qrels=str(data["qrels"]), runs=runs, measure="nDCG@10")).difference
    alarm = found.hdi.low > 0 or found.hdi.high < 0
    return {"low": found.hdi.low, "high": found.hdi.high, "better": found.above, "alarm": alarm}
