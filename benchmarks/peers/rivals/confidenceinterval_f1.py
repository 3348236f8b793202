"""confidenceinterval: an interval of F1 for each system; it compares none, so that apart means different."""

from confidenceinterval import f1_score

REQUIRES = ["confidenceinterval"]
QUESTION = "f1_posterior"
CALL = 'f1_score(average="binary") of each system; positive if the two 95% intervals do not overlap'
PAIRED = False
WHY = "a normal interval for each system from its counts, without a posterior, the difference or the pairing"


def answer(data, seed):
    truth = data["truth"].astype(int)
    (_, a), (_, b) = (f1_score(truth, data[name].astype(int), average="binary") for name in "ab")
    return {"alarm": a[0] > b[1] or b[0] > a[1]}
