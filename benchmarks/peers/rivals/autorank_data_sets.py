"""autorank: the test that it finds fit for the data."""

import pandas as pd
from autorank import autorank

REQUIRES = ["autorank"]
QUESTION = "data_sets"
CALL = "autorank(frame)"
PAIRED = True
WHY = "frequentist tests alone, without a posterior"
AGAINST = "outclass_data_sets_test"


def answer(data, seed):
    p = autorank(pd.DataFrame({"a": data["a"], "b": data["b"]}), random_state=seed).pvalue
    return {"p": p, "alarm": p <= 0.05}
